#include "muslin/render/html.h"

#include "muslin/io/atomic_file.h"
#include "muslin/io/base64.h"
#include "muslin/io/markup.h"
#include "muslin/render/color_map.h"
#include "muslin/render/page_files.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <stdexcept>
#include <string_view>

namespace muslin {

namespace {

using Json = nlohmann::ordered_json;

/// JSON that may stand inside a script element: '<', which could end it, occurs only in strings.
/// Names are what users and file systems made of them, not always UTF-8.
std::string script_json(const Json& json) {
    std::string out;
    for (const char c : json.dump(-1, ' ', false, Json::error_handler_t::replace))
        out += c == '<' ? std::string("\\u003c") : std::string(1, c);
    return out;
}

Json to_json(const Vec3& v) {
    return {v.x, v.y, v.z};
}

Json to_json(const PageFigure& figure) {
    Json out = {{"label", figure.label}, {"value", figure.value}, {"run", figure.from_run}};
    if (figure.kept)
        out["kept"] = *figure.kept;
    return out;
}

Json to_json(const PageSeries& series) {
    Json values = Json::array();
    for (const double value : series.values) // four digits are more than a sparkline shows
        values.push_back(std::isfinite(value) ? Json::parse(fmt::format("{:.4g}", value)) : Json());
    return {{"label", series.label}, {"unit", series.unit}, {"values", values}};
}

std::string packed(std::string_view bytes) {
    Deflater stream;
    stream.put(bytes);
    return stream.finish();
}

/// three.js and its orbit controls, as one script, packed once.
const std::string& packed_three() {
    static const std::string bytes =
        packed(std::string(three_js()) + "\n" + std::string(orbit_controls_js()));
    return bytes;
}

std::string color_bytes() {
    std::string out;
    for (const Vec3& color : color_table())
        for (int k = 0; k < 3; ++k)
            out += static_cast<char>(std::lround(255 * std::clamp(color[k], 0.0, 1.0)));
    return out;
}

constexpr std::size_t text_bytes(std::size_t bytes) {
    return 4 * ((bytes + 2) / 3);
}

/// A fraction as a whole number of the given range; what is not finite becomes the lowest, as the
/// page must show the rest.
std::uint16_t level_of(double fraction, double range) {
    const double level = std::isfinite(fraction) ? std::round(range * fraction) : 0.0;
    return static_cast<std::uint16_t>(std::clamp(level, 0.0, range));
}

/// Copies the template, calling the named writer where it says {{name}}.
void expand(ByteSink& sink, std::string_view text,
            const std::map<std::string_view, std::function<void()>>& writers) {
    for (;;) {
        const std::size_t open = text.find("{{");
        const std::size_t close = open == text.npos ? text.npos : text.find("}}", open);
        if (close == text.npos)
            break;
        sink.put(text.substr(0, open));
        writers.at(text.substr(open + 2, close - open - 2))();
        text.remove_prefix(close + 2);
    }
    sink.put(text);
}

void put_block(ByteSink& sink, std::string_view id, std::string_view bytes) {
    sink.print("<script type=\"text/plain\" id=\"{}\">", id);
    sink.put(base64(bytes));
    sink.put("</script>\n");
}

} // namespace

HtmlPage::HtmlPage(PageSettings settings)
    : settings_(std::move(settings)),
      still_bytes_(page_html().size() + viewer_data_js().size() + viewer_shaders_js().size() +
                   viewer_scene_js().size() + viewer_js().size()) {}

int HtmlPage::add_mesh(PageMesh mesh) {
    if (mesh.box.empty())
        mesh.box = {{0, 0, 0}, {0, 0, 0}};
    pack_triangles(mesh.triangles, shape_);
    FramePacker packer(3, 2, earlier_neighbours(mesh.vertices, mesh.triangles));
    surfaces_.push_back({std::move(mesh), std::move(packer)});
    return static_cast<int>(surfaces_.size()) - 1;
}

int HtmlPage::add_field(PageField field) {
    fields_.push_back({std::move(field), {}, {}});
    return static_cast<int>(fields_.size()) - 1;
}

void HtmlPage::add_frame(int number, std::span<const Vec3> positions) {
    Surface& surface = surfaces_.at(static_cast<std::size_t>(number));
    const PageMesh& mesh = surface.mesh;
    if (positions.size() != static_cast<std::size_t>(mesh.vertices))
        throw std::invalid_argument("HtmlPage: a frame with another number of vertices");
    if (!mesh.moves && surface.frames > 0)
        throw std::logic_error("HtmlPage: a second frame of a mesh that does not move");
    for (std::size_t i = 0; i < surfaces_.size(); ++i) {
        const int turn = surface.frames + (i < static_cast<std::size_t>(number) ? 1 : 0);
        const int due = surfaces_[i].mesh.moves ? turn : std::min(turn, 1);
        if (surfaces_[i].frames != due)
            throw std::logic_error("HtmlPage: it is not this mesh's turn");
    }
    const Vec3 lower = mesh.box.lower, size = mesh.box.upper - lower;
    std::vector<std::uint16_t> levels;
    levels.reserve(3 * positions.size());
    for (const Vec3& p : positions)
        for (int axis = 0; axis < 3; ++axis)
            levels.push_back(
                level_of(size[axis] > 0 ? (p[axis] - lower[axis]) / size[axis] : 0.0, 65535));
    surface.packer.put(levels, motion_);
    widen_extent(positions);
    ++surface.frames;
}

void HtmlPage::add_values(int number, int mesh_number, std::span<const double> values) {
    ColorField& color = fields_.at(static_cast<std::size_t>(number));
    const PageMesh& mesh = surfaces_.at(static_cast<std::size_t>(mesh_number)).mesh;
    if (values.size() != static_cast<std::size_t>(mesh.vertices))
        throw std::invalid_argument("HtmlPage: a field with another number of vertices");
    auto track = std::find_if(color.tracks.begin(), color.tracks.end(),
                              [&](const Track& t) { return t.mesh == mesh_number; });
    if (track == color.tracks.end()) {
        FramePacker packer(1, 1, earlier_neighbours(mesh.vertices, mesh.triangles));
        track = color.tracks.insert(track, {mesh_number, std::move(packer)});
    }
    for (auto other = color.tracks.begin(); other != color.tracks.end(); ++other)
        if (other->frames != track->frames + (other < track ? 1 : 0))
            throw std::logic_error("HtmlPage: it is not this mesh's turn");
    const double low = color.field.low, range = color.field.high - low;
    std::vector<std::uint16_t> levels;
    levels.reserve(values.size());
    for (const double value : values)
        levels.push_back(level_of(range > 0 ? (value - low) / range : 0.0, 255));
    track->packer.put(levels, color.stream);
    ++track->frames;
}

void HtmlPage::widen_extent(std::span<const Vec3> positions) {
    const CameraBasis basis = camera_basis(settings_.camera);
    for (const Vec3& p : positions) {
        const Vec3 arm = p - settings_.camera.eye;
        const double depth = -dot(arm, basis.back);
        if (!is_finite(p) || depth <= 0)
            continue;
        half_width_ = std::max(half_width_, std::abs(dot(arm, basis.right)) / depth);
        half_height_ = std::max(half_height_, std::abs(dot(arm, basis.up)) / depth);
    }
}

/// What lies beyond the camera's picture does not widen the view: it was left out on purpose.
std::array<double, 2> HtmlPage::seen_extent() const {
    const double fov = settings_.camera.vertical_fov * std::numbers::pi / 180;
    const double height = (1 - 2 * FramingSettings().margin) * std::tan(0.5 * fov);
    return {std::min(half_width_, settings_.aspect * height), std::min(half_height_, height)};
}

double HtmlPage::position_error() const {
    double worst = 0;
    for (const Surface& surface : surfaces_)
        worst = std::max(worst, norm(surface.mesh.box.upper - surface.mesh.box.lower));
    return 0.5 * worst / 65535;
}

std::vector<std::pair<std::string, std::size_t>> HtmlPage::sizes() const {
    std::vector<std::pair<std::string, std::size_t>> out = {
        {"viewer", still_bytes_},
        {"three.js", text_bytes(packed_three().size())},
        {"shape", text_bytes(shape_.size())},
        {"motion", text_bytes(motion_.size())}};
    for (const ColorField& color : fields_)
        out.emplace_back(color.field.name, text_bytes(color.stream.size()));
    return out;
}

std::size_t HtmlPage::size() const {
    std::size_t sum = 0;
    for (const auto& [name, bytes] : sizes())
        sum += bytes;
    return sum;
}

std::string HtmlPage::head() const {
    Json json = {{"title", settings_.title},
                 {"fps", settings_.frames_per_second},
                 {"firstFrame", settings_.first_frame},
                 {"frameStep", settings_.frame_step},
                 {"ground", settings_.ground_height},
                 {"eye", to_json(settings_.camera.eye)},
                 {"target", to_json(settings_.camera.target)},
                 {"extent", seen_extent()},
                 {"color", settings_.color},
                 {"fit", settings_.fit_colors},
                 {"lower", to_json(settings_.box.lower)},
                 {"upper", to_json(settings_.box.upper)},
                 {"verdict", settings_.verdict},
                 {"certificate", Json::array()},
                 {"series", Json::array()},
                 {"meshes", Json::array()},
                 {"fields", Json::array()},
                 {"colors", base64(color_bytes())}};
    if (settings_.passed)
        json["passed"] = *settings_.passed;
    for (const PageFigure& figure : settings_.certificate)
        json["certificate"].push_back(to_json(figure));
    for (const PageSeries& series : settings_.series)
        json["series"].push_back(to_json(series));
    for (const Surface& surface : surfaces_) {
        const PageMesh& mesh = surface.mesh;
        json["meshes"].push_back({{"name", mesh.name},
                                  {"body", mesh.is_body},
                                  {"vertices", mesh.vertices},
                                  {"triangles", mesh.triangles.size()},
                                  {"frames", surface.frames},
                                  {"lower", to_json(mesh.box.lower)},
                                  {"upper", to_json(mesh.box.upper)},
                                  {"front", to_json(mesh.front_color)},
                                  {"back", to_json(mesh.back_color)}});
    }
    for (const ColorField& color : fields_) {
        Json meshes = Json::array();
        for (const Track& track : color.tracks)
            meshes.push_back(track.mesh);
        json["fields"].push_back({{"name", color.field.name},
                                  {"label", color.field.label},
                                  {"unit", color.field.unit},
                                  {"low", color.field.low},
                                  {"high", color.field.high},
                                  {"frames", color.tracks.empty() ? 0 : color.tracks[0].frames},
                                  {"meshes", meshes}});
    }
    return script_json(json);
}

void HtmlPage::write(const std::filesystem::path& file) {
    if (settings_.box.empty())
        for (const Surface& surface : surfaces_)
            settings_.box.add(std::array{surface.mesh.box.lower, surface.mesh.box.upper});
    const std::string shape = shape_.finish(), motion = motion_.finish();
    std::vector<std::string> fields;
    for (ColorField& color : fields_)
        fields.push_back(color.stream.finish());
    const auto put_blocks = [&](ByteSink& sink) {
        put_block(sink, "shape", shape);
        put_block(sink, "motion", motion);
        for (std::size_t i = 0; i < fields.size(); ++i)
            put_block(sink, fmt::format("field{}", i), fields[i]);
    };
    write_file_atomically(file, [&](ByteSink& sink) {
        expand(sink, page_html(),
               {{"title", [&] { sink.put(escape_markup(settings_.title)); }},
                {"head", [&] { sink.put(head()); }},
                {"blocks", [&] { put_blocks(sink); }},
                {"three", [&] { put_block(sink, "three", packed_three()); }},
                {"data", [&] { sink.put(viewer_data_js()); }},
                {"shaders", [&] { sink.put(viewer_shaders_js()); }},
                {"scene", [&] { sink.put(viewer_scene_js()); }},
                {"script", [&] { sink.put(viewer_js()); }}});
    });
}

} // namespace muslin
