#include "muslin/io/mesh_file.h"

#include "muslin/io/mesh_formats.h"
#include "muslin/io/read_file.h"
#include "muslin/io/text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace muslin {
namespace {

struct Format {
    std::string_view ending;
    PolygonMesh (*parse)(std::string_view, const std::string&, const ReadLimits&);
    void (*print)(ByteSink&, const PolygonMesh&);
};

constexpr Format formats[] = {
    {".obj", parse_obj, print_obj},     {".ply", parse_ply, print_ply},
    {".off", parse_off, print_off},     {".gltf", parse_gltf_mesh, nullptr},
    {".glb", parse_gltf_mesh, nullptr},
};

enum class Use { read, write };

const Format& format_of(const std::filesystem::path& file, Use use) {
    const std::string ending = lower_case_ending(file);
    for (const Format& format : formats)
        if (format.ending == ending && (use == Use::read || format.print != nullptr))
            return format;
    fail_input(file.string(), 0, {},
               use == Use::read ? "a mesh file that ends in .obj, .ply, .off, .gltf or .glb"
                                : "a mesh file that ends in .obj, .ply or .off",
               ending.empty() ? "no ending" : quote(ending));
}

void require(bool condition, const char* what) {
    if (!condition)
        throw std::logic_error(std::string("write_mesh: ") + what);
}

void require_sound_faces(const PolygonMesh& mesh) {
    require(!mesh.face_begin.empty() && mesh.face_begin.front() == 0 &&
                mesh.face_begin.back() == static_cast<int>(mesh.corner_vertex.size()),
            "face_begin does not span corner_vertex");
    for (std::size_t f = 1; f < mesh.face_begin.size(); ++f)
        require(mesh.face_begin[f] - mesh.face_begin[f - 1] >= 3, "a face has under 3 corners");
    const int vertices = static_cast<int>(mesh.positions.size());
    for (int v : mesh.corner_vertex)
        require(v >= 0 && v < vertices, "corner_vertex is out of range");
    require(mesh.corner_texcoord.empty() ||
                mesh.corner_texcoord.size() == mesh.corner_vertex.size(),
            "corner_texcoord and corner_vertex differ in length");
    const int texcoords = static_cast<int>(mesh.texcoords.size());
    for (int t : mesh.corner_texcoord)
        require(t >= -1 && t < texcoords, "corner_texcoord is out of range");
    require(mesh.face_group.empty() ||
                static_cast<int>(mesh.face_group.size()) == mesh.face_count(),
            "face_group and the faces differ in length");
    const int groups = static_cast<int>(mesh.group_names.size());
    for (int g : mesh.face_group)
        require(g >= -1 && g < groups, "face_group is out of range");
}

void require_sound(const PolygonMesh& mesh) {
    require_sound_faces(mesh);
    for (const Vec3& p : mesh.positions)
        require(is_finite(p), "a position is not finite");
    for (const Vec2& t : mesh.texcoords)
        require(std::isfinite(t.x) && std::isfinite(t.y), "a texture coordinate is not finite");
    for (const auto& [name, values] : mesh.vertex_maps) {
        require(values.size() == mesh.positions.size(),
                "a vertex map and positions differ in length");
        for (double value : values)
            require(std::isfinite(value), "a vertex map is not finite");
    }
}

} // namespace

std::size_t index_limit(std::size_t limit) {
    return std::min(limit, static_cast<std::size_t>(std::numeric_limits<int>::max()));
}

void check_vertex_limit(std::uint64_t count, const ReadLimits& limits, const std::string& file,
                        int line) {
    const std::size_t most = index_limit(limits.max_vertices);
    if (count > most)
        fail_input(file, line, "vertices", fmt::format("at most {} vertices", most),
                   fmt::format("{}", count));
}

void check_corner_limit(std::uint64_t count, const ReadLimits& limits, const std::string& file,
                        int line) {
    const std::size_t most = index_limit(limits.max_corners);
    if (count > most)
        fail_input(file, line, "faces", fmt::format("at most {} corners in all faces", most),
                   fmt::format("{}", count));
}

PolygonMesh parse_mesh(std::string_view bytes, const std::filesystem::path& file,
                       const ReadLimits& limits) {
    PolygonMesh mesh = format_of(file, Use::read).parse(bytes, file.string(), limits);
    if (mesh.positions.empty())
        fail_input(file.string(), 0, {}, "a mesh with vertices", "an empty mesh: no vertex");
    if (mesh.face_count() == 0)
        fail_input(file.string(), 0, {}, "a mesh with faces",
                   fmt::format("an empty mesh: {} vertices and no face", mesh.positions.size()));
    return mesh;
}

PolygonMesh read_mesh(const std::filesystem::path& file, const ReadLimits& limits) {
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored)) // one that is missing is not of the wrong kind
        format_of(file, Use::read);
    return parse_mesh(read_file(file), file, limits);
}

void write_mesh(const std::filesystem::path& file, const PolygonMesh& mesh) {
    const Format& format = format_of(file, Use::write);
    require_sound(mesh);
    write_file_atomically(file, [&](ByteSink& sink) { format.print(sink, mesh); });
}

} // namespace muslin
