// What moves things: motions, frames from files, and the formulas of all values over time.
#include "muslin/io/mesh_sequence.h"
#include "muslin/io/point_cache.h"
#include "muslin/scene/load_parts.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

constexpr std::string_view frames_file =
    "the path of a point cache, .pc2 or .mdd, or NAME.####.obj or .ply for numbered meshes";

/// The pattern of a sequence of meshes that is there.
std::filesystem::path sequence_path(const Place& place, const std::string& name,
                                    const FileScope& scope) {
    const std::filesystem::path out = scoped_path(place, name, scope);
    if (out.extension() != ".obj" && out.extension() != ".ply")
        place.fail(std::string(frames_file));
    MeshSequence sequence;
    try {
        sequence = find_sequence(out);
    } catch (const InputError& error) {
        place.fail_found(error.problem().expected, error.problem().found,
                         error.problem().where.file);
    } catch (const FileError& error) {
        place.fail_found("a folder that can be read", '"' + name + '"', error.what());
    }
    for (int frame = 0; frame < sequence.count; ++frame) // each may be a link
        require_inside(place, sequence.file(frame), scope.of_file(out));
    return out;
}

std::filesystem::path frames_path(const Place& place, const FileScope& scope) {
    const std::string name = place.text(frames_file);
    if (is_pattern(name))
        return sequence_path(place, name, scope);
    const std::filesystem::path out = readable_file(place, name, scope, "point cache");
    if (!is_point_cache(out))
        place.fail(std::string(frames_file));
    return out;
}

/// Eight times a frame, where that is not a matter of seconds.
class FormulaCheck {
public:
    explicit FormulaCheck(const TimeDescription& time)
        : frame_(1 / time.frame_rate), end_(time.frames * frame_) {}

    template <class T>
    void operator()(Animated<T>& value, const TimeWindow& window = {}) const {
        // A step that begins in the window may end after it.
        const double begin = std::clamp(window.start, 0.0, end_);
        const double end = std::clamp(window.end + frame_, begin, end_);
        value.check(begin, end, static_cast<int>(std::min(8 * (end - begin) / frame_, 1e5)) + 1);
    }
    void operator()(Motion& motion, const TimeWindow& window = {}) const {
        (*this)(motion.translation, window);
        (*this)(motion.rotation, window);
    }

private:
    double frame_, end_;
};

void read_clip(TableReader& reader, bool has_skeleton, FramesDescription& out) {
    const Place clip = reader.require("clip", "the name of a clip");
    if (!has_skeleton)
        clip.fail("'path', of a file of frames: only glTF files and mannequins have clips");
    out.clip = clip.text("the name of a clip");
    if (out.clip.empty())
        clip.fail("the name of a clip");
    reader.read("start", out.start);
    reader.read("speed", out.speed);
    reader.read("loop", out.loop);
    reader.reject_unasked("a clip");
}

} // namespace

Motion read_motion(TableReader& reader) {
    Motion motion;
    if (const auto place = reader.get("motion")) {
        TableReader table(*place, keys::motion);
        table.read("translation", motion.translation);
        table.read("rotation", motion.rotation);
        table.read("pivot", motion.pivot);
    }
    return motion;
}

FramesDescription read_animation(const Place& place, const FileScope& scope, bool has_skeleton) {
    FramesDescription out;
    out.where = place.where();
    if (!place.is_table()) {
        out.path = frames_path(place, scope);
        return out;
    }
    TableReader reader(place, keys::animation);
    if (reader.has("clip")) {
        read_clip(reader, has_skeleton, out);
        return out;
    }
    out.path =
        frames_path(reader.require("path", frames_file,
                                   has_skeleton ? "or 'clip', for one of the body's own" : ""),
                    scope);
    reader.read("frame_rate", out.frame_rate);
    reader.reject_unasked("frames of a file");
    return out;
}

void check_formulas(SceneDescription& scene) {
    const FormulaCheck check(scene.time);
    check(scene.world.wind);
    for (BodyDescription& body : scene.bodies)
        check(body.motion);
    for (PinDescription& pin : scene.pins)
        check(pin.motion, pin.window);
    for (RestStretchDescription& rest : scene.rest_stretches) {
        check(rest.b_u);
        check(rest.b_v);
    }
    for (PullDescription& pull : scene.pulls)
        check(pull.target, pull.window);
    for (LoadDescription& load : scene.loads)
        check(load.force, load.window);
    for (StickingDescription& sticking : scene.stickings)
        check(sticking.strength, sticking.window);
}

} // namespace muslin
