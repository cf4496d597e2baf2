#include "muslin/render/html.h"

#include "muslin/io/atomic_file.h"
#include "muslin/render/page_files.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <stdexcept>
#include <string_view>

namespace muslin {

namespace {

/// Text that stands for itself in HTML.
std::string escape_html(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
        case '&':
            out += "&amp;";
            break;
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '"':
            out += "&quot;";
            break;
        default:
            out += c;
        }
    }
    return out;
}

/// A JSON string that may stand inside a script element: '<' could end it.
std::string json_string(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out += std::string("\\") + c;
        else if (static_cast<unsigned char>(c) < 0x20 || c == '<')
            out += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
        else
            out += c;
    }
    return out + '"';
}

std::string json_vector(const Vec3& v) {
    return fmt::format("[{},{},{}]", v.x, v.y, v.z);
}

std::string json_head(const PageMesh& mesh, std::size_t frames, int number) {
    return fmt::format(R"({{"name":{},"vertices":{},"triangles":{},"frames":{},"lower":{},)"
                       R"("upper":{},"front":{},"back":{},"positions":"positions{}",)"
                       R"("indices":"indices{}"}})",
                       json_string(mesh.name), mesh.vertices, mesh.triangles.size(), frames,
                       json_vector(mesh.box.lower), json_vector(mesh.box.upper),
                       json_vector(mesh.front_color), json_vector(mesh.back_color), number, number);
}

void put_base64(ByteSink& sink, std::string_view bytes) {
    static constexpr std::string_view letters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    out.reserve(4 * (bytes.size() / 3 + 1));
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
        unsigned word = 0;
        for (std::size_t k = 0; k < 3; ++k)
            word = word << 8 | (k < left ? static_cast<unsigned char>(bytes[i + k]) : 0U);
        for (std::size_t k = 0; k < 4; ++k)
            out += k <= left ? letters[word >> (18 - 6 * k) & 63] : '=';
    }
    sink.put(out);
}

/// Little-endian bytes, as the page reads them, whatever machine writes them.
template <class T, class Source>
std::string little_endian(const Source* values, std::size_t count) {
    std::string out;
    out.reserve(count * sizeof(T));
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t k = 0; k < sizeof(T); ++k)
            out += static_cast<char>(static_cast<std::uint32_t>(values[i]) >> (8 * k) & 255);
    return out;
}

template <class T, class Source>
void put_block(ByteSink& sink, std::string_view id, const Source* values, std::size_t count) {
    sink.print("<script type=\"text/plain\" id=\"{}\">", id);
    // In pieces of whole groups of three bytes, so that the text joins without padding.
    constexpr std::size_t piece = 3 * 65536;
    for (std::size_t i = 0; i < count; i += piece)
        put_base64(sink, little_endian<T>(values + i, std::min(piece, count - i)));
    sink.put("</script>\n");
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

} // namespace

HtmlPage::HtmlPage(PageSettings settings) : settings_(std::move(settings)) {}

int HtmlPage::add_mesh(PageMesh mesh) {
    if (mesh.box.empty())
        mesh.box = {{0, 0, 0}, {0, 0, 0}};
    surfaces_.push_back({std::move(mesh), {}});
    return static_cast<int>(surfaces_.size()) - 1;
}

void HtmlPage::add_frame(int mesh, std::span<const Vec3> positions) {
    Surface& surface = surfaces_.at(static_cast<std::size_t>(mesh));
    if (positions.size() != static_cast<std::size_t>(surface.mesh.vertices))
        throw std::invalid_argument("HtmlPage: a frame with another number of vertices");
    const Vec3 lower = surface.mesh.box.lower, size = surface.mesh.box.upper - lower;
    for (const Vec3& p : positions)
        for (int axis = 0; axis < 3; ++axis) {
            const double fraction = size[axis] > 0 ? (p[axis] - lower[axis]) / size[axis] : 0.0;
            // Not finite: the lower corner; the page must show the rest.
            const double level = std::isfinite(fraction) ? std::round(65535 * fraction) : 0.0;
            surface.positions.push_back(
                static_cast<std::uint16_t>(std::clamp(level, 0.0, 65535.0)));
        }
}

void HtmlPage::write(const std::filesystem::path& file) const {
    const auto frames_of = [](const Surface& surface) {
        const auto numbers = 3 * static_cast<std::size_t>(std::max(surface.mesh.vertices, 1));
        return surface.positions.size() / numbers;
    };
    const auto put_head = [&](ByteSink& sink) {
        sink.print(R"({{"title":{},"fps":{},"firstFrame":{},"frameStep":{},"ground":{},)"
                   R"("eye":{},"target":{},"fov":{},"meshes":[)",
                   json_string(settings_.title), settings_.frames_per_second, settings_.first_frame,
                   settings_.frame_step, settings_.ground_height, json_vector(settings_.camera.eye),
                   json_vector(settings_.camera.target), settings_.camera.vertical_fov);
        for (std::size_t i = 0; i < surfaces_.size(); ++i)
            sink.put((i > 0 ? "," : "") +
                     json_head(surfaces_[i].mesh, frames_of(surfaces_[i]), static_cast<int>(i)));
        sink.put("]}");
    };
    const auto put_blocks = [&](ByteSink& sink) {
        for (std::size_t i = 0; i < surfaces_.size(); ++i) {
            const Surface& surface = surfaces_[i];
            put_block<std::uint16_t>(sink, fmt::format("positions{}", i), surface.positions.data(),
                                     surface.positions.size());
            std::vector<int> indices;
            for (const auto& triangle : surface.mesh.triangles)
                indices.insert(indices.end(), triangle.begin(), triangle.end());
            put_block<std::uint32_t>(sink, fmt::format("indices{}", i), indices.data(),
                                     indices.size());
        }
    };
    write_file_atomically(file, [&](ByteSink& sink) {
        expand(sink, page_html(),
               {{"title", [&] { sink.put(escape_html(settings_.title)); }},
                {"statistics", [&] { sink.put(escape_html(settings_.statistics)); }},
                {"head", [&] { put_head(sink); }},
                {"blocks", [&] { put_blocks(sink); }},
                {"shaders", [&] { sink.put(viewer_shaders_js()); }},
                {"script", [&] { sink.put(viewer_js()); }}});
    });
}

} // namespace muslin
