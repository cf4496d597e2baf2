#include "muslin/io/run_reader.h"

#include "muslin/base/error.h"
#include "muslin/io/mesh_file.h"
#include "muslin/io/run_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace muslin {
namespace {

namespace fs = std::filesystem;
using Json = OrderedJson;

constexpr std::string_view body_prefix = "body-";

std::vector<fs::path> sorted_meshes(const fs::path& directory) {
    std::error_code failure;
    if (!fs::is_directory(directory, failure))
        throw FileError(directory.string(), fs::exists(directory, failure)
                                                ? "is not a directory; expected that of a run"
                                                : "no such directory");
    std::vector<fs::path> out;
    for (fs::directory_iterator it(directory, failure), end; !failure && it != end;
         it.increment(failure))
        if (it->path().extension() == ".obj")
            out.push_back(it->path());
    if (failure)
        throw FileError(directory.string(), "cannot be read: " + failure.message());
    std::sort(out.begin(), out.end());
    return out;
}

/// Nothing for what is no number, and for one that T does not hold.
template <class T>
std::optional<T> number(const Json& value) {
    if (!value.is_number())
        return std::nullopt;
    const auto found = value.get<double>();
    if constexpr (std::is_integral_v<T>)
        if (!(std::abs(found) < 0x1p53 && found >= std::numeric_limits<T>::min() &&
              found <= static_cast<double>(std::numeric_limits<T>::max())))
            return std::nullopt;
    return static_cast<T>(found);
}

// A number of a report, whatever a hand has made of it.
template <class T>
T get(const Json& object, const char* key, T otherwise) {
    const auto at = object.find(key);
    if (at == object.end())
        return otherwise;
    if constexpr (std::is_same_v<T, std::string>)
        return at->is_string() ? at->get<T>() : otherwise;
    else if constexpr (std::is_same_v<T, bool>)
        return at->is_boolean() ? at->get<T>() : otherwise;
    else
        return number<T>(*at).value_or(otherwise);
}

template <class T>
std::optional<T> get_optional(const Json& object, const char* key) {
    const auto at = object.find(key);
    return at != object.end() ? number<T>(*at) : std::nullopt;
}

/// Of an object; nothing in it where there is none.
const Json& part(const Json& object, const char* key) {
    static const Json nothing;
    const auto at = object.find(key);
    return at != object.end() ? *at : nothing;
}

std::optional<double> rate_in(const Json& report) {
    const double rate = get(report, "frame_rate", 0.0);
    return rate > 0 ? std::optional(rate) : std::nullopt;
}

Certificate to_certificate(const Json& report) {
    Certificate c;
    c.scene = get<std::string>(report, "scene", "");
    c.title = get<std::string>(report, "title", "");
    c.program = get<std::string>(report, "program", "");
    c.recipe = get<std::string>(report, "recipe", "");
    c.hash = get<std::string>(report, "hash", "");
    c.frames = get(report, "frames", 0);
    c.frames_wanted = get(report, "frames_wanted", c.frames);
    c.steps = get(report, "steps", 0);
    c.particles = get(report, "particles", 0);
    c.triangles = get(report, "triangles", 0);
    c.threads = get(report, "threads", 0);
    c.frame_rate = rate_in(report).value_or(c.frame_rate);
    c.seconds_per_frame = get(report, "seconds_per_frame", 0.0);
    c.stretch_max = get(report, "stretch_max", 1.0);
    c.stretch_min = get(report, "stretch_min", 1.0);
    c.self_intersections = get(report, "self_intersections", 0L);
    c.body_intersections = get_optional<long>(report, "body_intersections");
    c.body_penetration_max = get_optional<double>(report, "body_penetration_max");
    for (const auto& [key, limit] : part(report, "limits").items())
        if (limit.is_number())
            c.limits[key] = limit.get<double>();
    c.passed = get(report, "passed", false);
    c.error = get<std::string>(report, "error", "");
    return c;
}

FrameFigures to_figures(const Json& line) {
    FrameFigures f;
    f.frame = get(line, "frame", 0);
    f.time = get(line, "time", 0.0);
    f.steps = get(line, "steps", 0);
    f.cg_iterations = get(line, "cg_iterations", 0);
    f.contacts = get(line, "contacts", 0);
    f.crossings = get(line, "crossings", 0);
    f.seconds = get(part(line, "seconds"), "total", 0.0);
    const Json& energy = part(line, "energy");
    f.kinetic = get(energy, "kinetic", 0.0);
    f.elastic = get(energy, "elastic", 0.0);
    f.gravity = get(energy, "gravity", 0.0);
    f.stretch_max = get(line, "stretch_max", 1.0);
    f.stretch_min = get(line, "stretch_min", 1.0);
    f.self_intersections = get(line, "self_intersections", 0L);
    f.body_intersections = get(line, "body_intersections", 0L);
    return f;
}

std::vector<FrameFigures> read_figures(const fs::path& file) {
    std::vector<FrameFigures> out;
    for (RunLines lines(file); lines.next();)
        out.push_back(to_figures(lines.value()));
    return out;
}

/// Nothing where the report does not list all of them by name.
std::optional<std::vector<std::string>> names_in(const Json& report, const char* key) {
    std::vector<std::string> names;
    const auto list = report.find(key);
    if (list == report.end() || !list->is_array())
        return std::nullopt;
    for (const Json& object : *list) {
        names.push_back(object.is_object() ? get<std::string>(object, "name", "") : "");
        if (names.back().empty())
            return std::nullopt;
    }
    return names;
}

bool is_listed(const std::optional<std::vector<std::string>>& names, const std::string& name) {
    return !names || std::count(names->begin(), names->end(), name) > 0;
}

} // namespace

std::optional<double> run_frame_rate(const fs::path& directory) {
    std::error_code failure;
    if (!fs::is_regular_file(directory / "report.json", failure))
        return std::nullopt;
    std::ifstream stream(directory / "report.json");
    const Json report = Json::parse(stream, nullptr, false);
    return report.is_object() ? rate_in(report) : std::nullopt;
}

RunObject::RunObject(Kind kind, std::string name, const fs::path& mesh, const fs::path& cache,
                     RestShape rest)
    : kind_(kind), name_(std::move(name)), mesh_(read_mesh(mesh)), triangles_(triangulate(mesh_)) {
    if (kind == Kind::cloth) {
        set_material_coordinates(triangles_, mesh_, rest);
        hinges_ = build_topology(triangles_.triangles).hinges;
    }
    if (cache.empty())
        return;
    cache_.emplace(cache);
    if (static_cast<std::size_t>(cache_->header().points) != mesh_.positions.size())
        throw InputError(
            {{cache.string(), 0, 0},
             "points",
             fmt::format("the {} vertices of {}", mesh_.positions.size(), mesh.filename().string()),
             fmt::format("{}", cache_->header().points),
             "the two files belong to different runs"});
}

void RunObject::read(int frame, std::vector<Vec3>& positions) {
    if (cache_)
        cache_->read(frame, positions);
    else
        positions = mesh_.positions;
}

RunReader::RunReader(const fs::path& directory) : directory_(directory) {
    std::error_code failure;
    if (fs::exists(directory / "report.json", failure))
        read_report(directory / "report.json");
    open_objects();
    count_frames();
    figures_ = read_figures(directory / "stats.jsonl");
}

void RunReader::read_report(const fs::path& file) {
    const Json report = read_run_report(file);
    if (get(report, "ended", true))
        certificate_ = to_certificate(report);
    scene_ = get<std::string>(report, "scene", "");
    frame_rate_ = rate_in(report).value_or(frame_rate_);
    cloth_names_ = names_in(report, "cloths");
    body_names_ = names_in(report, "bodies");
    for (const Json& cloth : part(report, "cloths"))
        if (cloth.is_object() && get<std::string>(cloth, "rest", "") == "texcoords")
            texcoord_cloths_.push_back(get<std::string>(cloth, "name", ""));
    for (const Json& body : part(report, "bodies"))
        if (body.is_object() && !get(body, "visible", true))
            hidden_bodies_.push_back(get<std::string>(body, "name", ""));
}

void RunReader::open_objects() {
    for (const fs::path& mesh : sorted_meshes(directory_)) {
        const std::string stem = mesh.stem().string();
        const fs::path cache = fs::path(mesh).replace_extension(".pc2");
        const bool is_body = stem.starts_with(body_prefix), has_cache = fs::exists(cache);
        if (is_body && is_listed(body_names_, stem.substr(body_prefix.size()))) {
            bodies_.emplace_back(RunObject::Kind::body, stem.substr(body_prefix.size()), mesh,
                                 has_cache ? cache : fs::path(), RestShape::positions);
            if (std::count(hidden_bodies_.begin(), hidden_bodies_.end(), bodies_.back().name()) > 0)
                bodies_.back().hide();
        } else if (!is_body && has_cache && is_listed(cloth_names_, stem)) {
            // else a mesh that a user or an export put there
            const bool on_texcoords =
                std::count(texcoord_cloths_.begin(), texcoord_cloths_.end(), stem) > 0;
            cloths_.emplace_back(RunObject::Kind::cloth, stem, mesh, cache,
                                 on_texcoords ? RestShape::texcoords : RestShape::positions);
            const fs::path fields = fs::path(mesh).replace_extension(".fields");
            caches_.emplace_back();
            if (fs::exists(fields))
                caches_.back().emplace(fields);
            if (caches_.back() && caches_.back()->points() !=
                                      static_cast<int>(cloths_.back().mesh().positions.size()))
                throw InputError(
                    {{fields.string(), 0, 0},
                     "points",
                     fmt::format("the {} vertices of {}", cloths_.back().mesh().positions.size(),
                                 mesh.filename().string()),
                     fmt::format("{}", caches_.back()->points()),
                     "the two files belong to different runs"});
        }
    }
    require_listed();
    if (cloths_.empty())
        throw InputError({{directory_.string(), 0, 0},
                          "",
                          "the directory of a run, with NAME.obj and NAME.pc2 for each cloth",
                          "no such pair",
                          ""});
}

void RunReader::require_listed() const {
    const auto require = [&](const auto& names, const std::vector<RunObject>& objects,
                             const char* kind, const char* files) {
        for (const std::string& name : names.value_or(std::vector<std::string>()))
            if (std::none_of(objects.begin(), objects.end(),
                             [&](const RunObject& object) { return object.name() == name; }))
                throw InputError({{directory_.string(), 0, 0},
                                  "",
                                  fmt::format(fmt::runtime(files), name),
                                  "at least one missing",
                                  fmt::format("report.json lists {} '{}'", kind, name)});
    };
    require(cloth_names_, cloths_, "cloth", "{0}.obj and {0}.pc2");
    require(body_names_, bodies_, "body", "body-{0}.obj");
}

void RunReader::count_frames() {
    frames_ = std::numeric_limits<int>::max();
    for (const auto* objects : {&cloths_, &bodies_})
        for (const RunObject& object : *objects)
            if (object.moves())
                frames_ = std::min(frames_, object.frames());
    for (const auto& cache : caches_)
        if (cache)
            frames_ = std::min(frames_, cache->samples());
    if (frames_ == 0)
        throw InputError(
            {{directory_.string(), 0, 0}, "", "a run with at least one frame", "none", ""});
}

std::string RunReader::name() const {
    if (!scene_.empty())
        return scene_;
    return fs::weakly_canonical(directory_).filename().string();
}

namespace {

/// Whether a run must keep it: it does not follow from positions.
bool is_kept(Field field) {
    return field == Field::contact || field == Field::seam || field == Field::tension;
}

} // namespace

bool RunReader::has_field(std::size_t cloth, Field field) const {
    if (cloth >= cloths_.size())
        return false;
    if (field == Field::ease)
        return !bodies_.empty() && !cloths_[cloth].mesh().group_names.empty();
    if (is_kept(field))
        return caches_[cloth] && caches_[cloth]->has(info(field).name);
    return true;
}

void RunReader::read_field(std::size_t cloth, Field field, int frame, std::vector<double>& values) {
    if (!has_field(cloth, field))
        throw std::out_of_range("RunReader: this cloth has no such field");
    if (is_kept(field)) {
        caches_[cloth]->read(info(field).name, frame, values);
        return;
    }
    RunObject& object = cloths_[cloth];
    const TriangleMesh& mesh = object.triangles();
    object.read(frame, after_);
    if (field == Field::stretch)
        stretch_field(after_, mesh.triangles, mesh.material, values);
    else if (field == Field::shear)
        shear_field(after_, mesh.triangles, mesh.material, values);
    else if (field == Field::bending)
        bending_field(after_, mesh.triangles, object.hinges(), values);
    else if (field == Field::ease)
        read_ease(frame, values);
    else {
        object.read(std::max(0, frame - 1), before_);
        speed_field(before_, after_, 1 / frame_rate_, values);
    }
}

void RunReader::read_ease(int frame, std::vector<double>& values) {
    std::vector<std::vector<Vec3>> places(bodies_.size());
    std::vector<TriangleView> views;
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
        bodies_[b].read(frame, places[b]);
        views.push_back({places[b], bodies_[b].triangles().triangles});
    }
    ease_field(after_, views, values);
}

bool RunReader::read_pinch(std::size_t cloth, int frame, std::vector<double>& values) {
    if (cloth >= caches_.size() || !caches_[cloth] || !caches_[cloth]->has("pinch"))
        return false;
    caches_[cloth]->read("pinch", frame, values);
    return true;
}

} // namespace muslin
