#include "commands.h"

#include "muslin/base/error.h"
#include "muslin/io/atomic_file.h"
#include "muslin/io/mesh_file.h"
#include "muslin/io/text.h"
#include "muslin/mesh/topology.h"
#include "muslin/mesh/triangle_mesh.h"
#include "muslin/scene/file_scope.h"
#include "muslin/scene/toml_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>

namespace muslin::cli {
namespace {

struct Extent {
    Vec3 low, high;
    double largest() const { return std::max({high.x - low.x, high.y - low.y, high.z - low.z}); }
};

Extent extent(const PolygonMesh& mesh) {
    Extent e{mesh.positions.front(), mesh.positions.front()};
    for (const Vec3& p : mesh.positions)
        for (int k = 0; k < 3; ++k) {
            e.low[k] = std::min(e.low[k], p[k]);
            e.high[k] = std::max(e.high[k], p[k]);
        }
    return e;
}

// Clothes are between a hand and a few metres large; a mesh far outside is in another unit.
const char* guess_unit(double largest) {
    if (largest > 500)
        return "mm";
    return largest > 8 ? "cm" : "m";
}

double unit_in_metres(const std::string& unit) {
    return unit == "mm" ? 1e-3 : unit == "cm" ? 1e-2 : 1.0;
}

std::string path_for_scene(const std::string& mesh, const std::filesystem::path& scene) {
    const auto folder = std::filesystem::absolute(scene).parent_path();
    return std::filesystem::relative(std::filesystem::absolute(mesh), folder).generic_string();
}

/// As scenes have strings. `file` is whose text it is.
std::string toml_quoted(const std::string& text, const std::string& file) {
    std::string out = "\"";
    for (const char c : text) {
        if (const auto code = static_cast<unsigned char>(c); code < ' ' || code == 0x7f) {
            out += fmt::format("\\u{:04x}", code);
            continue;
        }
        if (c == '"' || c == '\\')
            out += '\\';
        out += c;
    }
    out += '"';
    if (!parse_toml_value(out, {}))
        throw InputError({{file, 0, 0},
                          "",
                          "a path in UTF-8, which a scene can have in it",
                          quote(text),
                          "rename the file or its directory"});
    return out;
}

/// What a scene of a mesh file can be called: the file's name with '_' for all that no name of a
/// scene may have.
std::string scene_name(const std::string& mesh) {
    std::string name = std::filesystem::path(mesh).stem().string();
    for (char& c : name)
        if (const auto code = static_cast<unsigned char>(c);
            !std::isalnum(code) && c != '-' && code < 0x80)
            c = '_';
    name.erase(0, name.find_first_not_of('-'));
    const bool begins_well = !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0]));
    return begins_well ? name : "scene" + (name.empty() ? name : "-" + name);
}

/// As a shell takes it for one word and no option.
std::string shell_word(const std::string& path) {
    const bool plain = std::all_of(path.begin(), path.end(), [](char c) {
        const auto code = static_cast<unsigned char>(c);
        return std::isalnum(code) || code >= 0x80 ||
               std::string_view("/._-+,:@%=").find(c) != std::string_view::npos;
    });
    std::string word = path.starts_with('-') ? "./" + path : path;
    if (plain)
        return word;
    std::string out = "\"";
    for (const char c : word) {
        if (std::string_view("\"\\$`").find(c) != std::string_view::npos)
            out += '\\';
        out += c;
    }
    return out + '"';
}

} // namespace

int create(const std::string& cloth, const std::string& body, const std::string& output) {
    const PolygonMesh mesh = read_mesh(cloth);
    const TriangleMesh triangles = triangulate(mesh);
    if (const auto defect =
            find_defect(triangles.triangles, static_cast<int>(mesh.positions.size())))
        throw InputError({{cloth, 0, 0}, {}, "a mesh that can be simulated", defect->text, {}});
    const std::string name = scene_name(cloth);
    const std::filesystem::path file = output.empty() ? name + ".toml" : output;
    if (std::filesystem::exists(file))
        throw FileError(file.string(), "exists already; name another with -o");

    const Extent size = extent(mesh);
    const std::string unit = guess_unit(size.largest());
    const double metres = unit_in_metres(unit);
    std::string text = fmt::format(
        "# A starter scene. Every key is explained in docs/scene-format.md.\n"
        "name = {}\nrecipe = \"muslin\"\n\n"
        "[time]\nframes = 75\nframe_rate = 30\n\n"
        "[[cloth]]\nname = \"cloth\"\n"
        "mesh = {{ type = \"file\", path = {}, unit = \"{}\", up = \"y\", rest = \"positions\" }}\n"
        "material = \"cotton\"   # 'muslin materials' lists the fabrics\n",
        toml_quoted(name, cloth), toml_quoted(path_for_scene(cloth, file), cloth), unit);
    if (body.empty()) {
        // Hang it by its top: what lies within 1 % of the height from there.
        const double height = size.high.y - size.low.y;
        const double top = size.high.y - std::max(0.01 * height, 1e-6 * size.largest());
        text += fmt::format(
            "\n# Held at its highest points.\n[[region]]\nname = \"top\"\ncloth = \"cloth\"\n"
            "box = {{ min = [{:.6g}, {:.6g}, {:.6g}], max = [{:.6g}, {:.6g}, {:.6g}] }}\n\n"
            "[[pin]]\nregion = \"top\"\n",
            metres * size.low.x - 1, metres * top, metres * size.low.z - 1,
            metres * size.high.x + 1, metres * size.high.y + 1, metres * size.high.z + 1);
    } else {
        const Extent solid = extent(read_mesh(body));
        text +=
            fmt::format("\n[[body]]\nname = \"body\"\nmesh = {{ type = \"file\", path = {}, "
                        "unit = \"{}\", up = \"y\" }}\n",
                        toml_quoted(path_for_scene(body, file), body), guess_unit(solid.largest()));
    }
    write_file_atomically(file, text);
    const auto is_beside = [&](const std::string& mesh_file) {
        return mesh_file.empty() || is_inside(mesh_file, file.parent_path());
    };
    fmt::print("{}: written; run it with 'muslin run {}{}'\n", file.string(),
               shell_word(file.string()),
               is_beside(cloth) && is_beside(body) ? "" : " --allow-outside");
    return 0;
}

} // namespace muslin::cli
