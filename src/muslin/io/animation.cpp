#include "muslin/io/animation.h"

#include "muslin/base/error.h"
#include "muslin/io/gltf.h"
#include "muslin/io/mesh_file.h"
#include "muslin/io/mesh_sequence.h"
#include "muslin/io/point_cache.h"
#include "muslin/io/run_reader.h"
#include "muslin/io/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace muslin {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view body_prefix = "body-", pinch = "pinch";

class RunAnimation : public AnimationSource {
public:
    explicit RunAnimation(const fs::path& directory) : run_(directory) {
        name_ = run_.name();
        place_ = directory.string();
        frames_ = run_.frames();
        frame_rate_ = run_.frame_rate();
        std::vector<double> values;
        for (std::size_t c = 0; c < run_.cloths().size(); ++c) {
            add(run_.cloths()[c]);
            for (const Field field : all_fields)
                if (run_.has_field(c, field))
                    objects_.back().fields.emplace_back(info(field).name);
            if (run_.read_pinch(c, 0, values))
                objects_.back().fields.emplace_back(pinch);
        }
        for (const RunObject& body : run_.bodies())
            add(body);
    }

    void read(std::size_t object, int frame, std::vector<Vec3>& positions) override {
        const std::size_t cloths = run_.cloths().size();
        (object < cloths ? run_.cloths()
                         : run_.bodies())[object < cloths ? object : object - cloths]
            .read(frame, positions);
    }

    void read_field(std::size_t object, std::size_t field, int frame,
                    std::vector<double>& values) override {
        const std::string& wanted = objects_.at(object).fields.at(field);
        if (const auto known = field_by_name(wanted))
            run_.read_field(object, *known, frame, values);
        else
            run_.read_pinch(object, frame, values);
    }

private:
    void add(const RunObject& object) {
        const bool is_body = object.kind() == RunObject::Kind::body;
        objects_.push_back({(is_body ? std::string(body_prefix) : "") + object.name(),
                            object.mesh(),
                            is_body,
                            object.moves(),
                            {}});
    }

    RunReader run_;
};

/// A point cache and the mesh it moves, if there is one.
class CacheAnimation : public AnimationSource {
public:
    CacheAnimation(const fs::path& file, const AnimationOpenOptions& options)
        : cache_(open_point_cache(file)) {
        place_ = file.string();
        name_ = file.stem().string();
        frames_ = cache_.samples();
        if (frames_ < 1)
            fail_input(place_, 0, "samples", "at least one sample", "none");
        frame_rate_ = rate_of(file).value_or(options.frame_rate.value_or(frame_rate_));
        AnimatedObject object;
        object.name = name_;
        object.is_body = name_.starts_with(body_prefix);
        const fs::path beside = fs::path(file).replace_extension(".obj");
        const fs::path mesh = options.mesh.empty() && fs::exists(beside) ? beside : options.mesh;
        if (!mesh.empty()) {
            object.mesh = read_mesh(mesh);
            if (static_cast<int>(object.mesh.positions.size()) != cache_.points())
                fail_input(place_, 0, "points",
                           fmt::format("the {} vertices of '{}'", object.mesh.positions.size(),
                                       mesh.string()),
                           fmt::format("{}", cache_.points()));
        }
        cache_.read(0, object.mesh.positions);
        objects_.push_back(std::move(object));
    }

    void read(std::size_t, int frame, std::vector<Vec3>& positions) override {
        cache_.read(frame, positions);
    }

private:
    /// Where the file, or the report of its run, says so.
    std::optional<double> rate_of(const fs::path& file) const {
        if (cache_.frame_rate())
            return cache_.frame_rate();
        return run_frame_rate(file.parent_path());
    }

    PointCacheReader cache_;
};

class MeshAnimation : public AnimationSource {
public:
    /// One mesh, standing still.
    explicit MeshAnimation(const fs::path& file) {
        place_ = file.string();
        name_ = file.stem().string();
        add_still(file);
    }

    MeshAnimation(const fs::path& place, const FolderMeshes& meshes, double frame_rate) {
        place_ = place.string();
        frame_rate_ = frame_rate;
        frames_ = meshes.sequences.front().count;
        for (const MeshSequence& sequence : meshes.sequences)
            add(sequence);
        for (const fs::path& file : meshes.still)
            add_still(file);
        const fs::path folder = fs::absolute(place).lexically_normal();
        name_ = objects_.size() == 1    ? objects_[0].name
                : folder.has_filename() ? folder.filename().string()
                                        : folder.parent_path().filename().string();
    }

    void read(std::size_t object, int frame, std::vector<Vec3>& positions) override {
        positions = objects_[object].moves ? load(object, frame).positions
                                           : objects_[object].mesh.positions;
    }

    void read_field(std::size_t object, std::size_t field, int frame,
                    std::vector<double>& values) override {
        const std::string& wanted = objects_.at(object).fields.at(field);
        const PolygonMesh& mesh =
            objects_[object].moves ? load(object, frame) : objects_[object].mesh;
        const auto found = mesh.vertex_maps.find(wanted);
        if (found == mesh.vertex_maps.end())
            fail_input(sequences_[object].file(frame).string(), 0, wanted,
                       "this property, as in the first frame", "none");
        values = found->second;
    }

private:
    void add(const MeshSequence& sequence) {
        if (sequence.count != frames_)
            fail_input(place_, 0, sequence.name(),
                       fmt::format("{} frames, as the other sequence has", frames_),
                       fmt::format("{}", sequence.count));
        add_object(sequence.name(), read_mesh(sequence.file(0)), sequence.count > 1);
        sequences_.push_back(sequence);
    }
    void add_still(const fs::path& file) {
        add_object(file.stem().string(), read_mesh(file), false);
        sequences_.emplace_back();
    }
    void add_object(const std::string& name, PolygonMesh mesh, bool moves) {
        for (const AnimatedObject& other : objects_)
            if (other.name == name)
                fail_input(place_, 0, name, "one mesh or sequence of this name",
                           "two, of different endings");
        AnimatedObject object{name, std::move(mesh), name.starts_with(body_prefix), moves, {}};
        for (const auto& map : object.mesh.vertex_maps)
            object.fields.push_back(map.first);
        objects_.push_back(std::move(object));
    }

    // Positions and fields of a frame are asked for one after the other: it is read once.
    const PolygonMesh& load(std::size_t object, int frame) {
        if (loaded_object_ == object && loaded_frame_ == frame)
            return loaded_;
        const fs::path file = sequences_[object].file(frame);
        loaded_frame_ = -1;
        loaded_ = read_mesh(file);
        const PolygonMesh& first = objects_[object].mesh;
        if (loaded_.positions.size() != first.positions.size())
            fail_input(file.string(), 0, "vertices",
                       fmt::format("{}, as in the first frame", first.positions.size()),
                       fmt::format("{}", loaded_.positions.size()));
        if (loaded_.face_begin != first.face_begin || loaded_.corner_vertex != first.corner_vertex)
            fail_input(file.string(), 0, "faces", "the polygons of the first frame", "others");
        loaded_object_ = object;
        loaded_frame_ = frame;
        return loaded_;
    }

    std::vector<MeshSequence> sequences_; ///< one per object; of no use where it stands still
    PolygonMesh loaded_;
    std::size_t loaded_object_ = 0;
    int loaded_frame_ = -1;
};

/// A clip of a character, or the pose that it has without one.
class CharacterAnimation : public AnimationSource {
public:
    CharacterAnimation(const fs::path& file, const AnimationOpenOptions& options)
        : character_(read_gltf(file)) {
        place_ = file.string();
        name_ = file.stem().string();
        frame_rate_ = options.frame_rate.value_or(frame_rate_);
        clip_ = choose(options.clip);
        frames_ = clip_ == nullptr ? 1 : frames_of(*clip_);
        AnimatedObject object{
            name_, character_.mesh, name_.starts_with(body_prefix), frames_ > 1, {}};
        CharacterAnimation::read(0, 0, object.mesh.positions);
        objects_.push_back(std::move(object));
    }

    void read(std::size_t, int frame, std::vector<Vec3>& positions) override {
        positions.resize(character_.mesh.positions.size());
        pose_character(character_,
                       clip_ == nullptr ? rest_pose(character_)
                                        : sample_clip(character_, *clip_, frame / frame_rate_),
                       positions);
    }

private:
    const Clip* choose(const std::string& name) const {
        const std::vector<Clip>& clips = character_.clips;
        if (name == "none" || (name.empty() && clips.empty()))
            return nullptr;
        if (name.empty() && clips.size() == 1)
            return &clips.front();
        try {
            return &find_clip(character_, name);
        } catch (const InputError& error) {
            fail_input(place_, 0, "--clip", error.problem().expected + ", or 'none'",
                       name.empty() ? "no --clip" : quote(name));
        }
    }

    /// Those that lie within the clip, its last key included however it was rounded.
    int frames_of(const Clip& clip) const {
        constexpr double most = 1e6;
        const double frames = std::floor(clip.duration * frame_rate_ + 1e-3) + 1;
        if (!(frames <= most))
            fail_input(place_, 0, clip.name, fmt::format("a clip of at most {} frames", most),
                       fmt::format("{} s at {} Hz", clip.duration, frame_rate_));
        return static_cast<int>(frames);
    }

    Character character_;
    const Clip* clip_ = nullptr;
};

/// Some objects, or one frame, of another source.
class Selection : public AnimationSource {
public:
    Selection(std::unique_ptr<AnimationSource> source, std::vector<std::size_t> objects,
              std::optional<int> frame)
        : source_(std::move(source)), chosen_(std::move(objects)), frame_(frame) {
        name_ = source_->name();
        place_ = source_->place();
        frame_rate_ = source_->frame_rate();
        frames_ = frame_ ? 1 : source_->frames();
        for (const std::size_t i : chosen_) {
            objects_.push_back(source_->objects()[i]);
            if (!frame_)
                continue;
            source_->read(i, *frame_, objects_.back().mesh.positions);
            objects_.back().moves = false;
        }
    }

    void read(std::size_t object, int frame, std::vector<Vec3>& positions) override {
        source_->read(chosen_.at(object), frame_.value_or(frame), positions);
    }
    void read_field(std::size_t object, std::size_t field, int frame,
                    std::vector<double>& values) override {
        source_->read_field(chosen_.at(object), field, frame_.value_or(frame), values);
    }

private:
    std::unique_ptr<AnimationSource> source_;
    std::vector<std::size_t> chosen_;
    std::optional<int> frame_;
};

std::unique_ptr<AnimationSource> open_folder(const fs::path& folder, double frame_rate) {
    const FolderMeshes meshes = find_meshes(folder);
    if (meshes.sequences.empty())
        fail_input(folder.string(), 0, {},
                   "the directory of a run, or a folder with a sequence of meshes NAME.0000.obj",
                   "neither");
    return std::make_unique<MeshAnimation>(folder, meshes, frame_rate);
}

} // namespace

void AnimationSource::read_field(std::size_t, std::size_t, int, std::vector<double>&) {
    throw std::out_of_range("AnimationSource: this object has no such field");
}

bool is_run_directory(const fs::path& directory) {
    std::error_code failure;
    if (fs::exists(directory / "report.json", failure) ||
        fs::exists(directory / "stats.jsonl", failure))
        return true;
    for (fs::directory_iterator file(directory, failure), end; !failure && file != end;
         file.increment(failure))
        if (file->path().extension() == ".pc2" &&
            fs::exists(fs::path(file->path()).replace_extension(".obj"), failure))
            return true;
    return false;
}

std::unique_ptr<AnimationSource> open_animation(const fs::path& path,
                                                const AnimationOpenOptions& options) {
    const double rate = options.frame_rate.value_or(30);
    if (is_pattern(path))
        return std::make_unique<MeshAnimation>(path, FolderMeshes{{find_sequence(path)}, {}}, rate);
    std::error_code failure;
    if (fs::is_directory(path, failure)) {
        if (is_run_directory(path))
            return std::make_unique<RunAnimation>(path);
        return open_folder(path, rate);
    }
    if (is_point_cache(path))
        return std::make_unique<CacheAnimation>(path, options);
    if (is_gltf(path))
        return std::make_unique<CharacterAnimation>(path, options);
    return std::make_unique<MeshAnimation>(path);
}

std::unique_ptr<AnimationSource> select_object(std::unique_ptr<AnimationSource> source,
                                               const std::string& name) {
    std::string known;
    for (std::size_t i = 0; i < source->objects().size(); ++i) {
        const AnimatedObject& object = source->objects()[i];
        if (object.name == name || (object.is_body && object.name == "body-" + name))
            return std::make_unique<Selection>(std::move(source), std::vector{i}, std::nullopt);
        known += (known.empty() ? "'" : ", '") + object.name + "'";
    }
    fail_input(source->place(), 0, "--cloth", "one of " + known, quote(name));
}

std::unique_ptr<AnimationSource> select_frame(std::unique_ptr<AnimationSource> source, int frame) {
    if (frame < 0 || frame >= source->frames())
        fail_input(source->place(), 0, "--frame", fmt::format("0 to {}", source->frames() - 1),
                   fmt::format("{}", frame));
    std::vector<std::size_t> all(source->objects().size());
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = i;
    return std::make_unique<Selection>(std::move(source), all, frame);
}

} // namespace muslin
