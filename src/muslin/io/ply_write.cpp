#include "muslin/io/bytes.h"
#include "muslin/io/mesh_formats.h"

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <vector>

namespace muslin {
namespace {

/// How the texture coordinates of a mesh go into a PLY file.
enum class Texcoords { none, per_vertex, per_corner };

// Per vertex is what other programs read; it needs one coordinate per vertex, in its order.
Texcoords choose_texcoords(const PolygonMesh& mesh) {
    if (mesh.corner_texcoord.empty())
        return Texcoords::none;
    const bool same = mesh.texcoords.size() == mesh.positions.size() &&
                      mesh.corner_texcoord == mesh.corner_vertex;
    return same ? Texcoords::per_vertex : Texcoords::per_corner;
}

/// The names of the maps as properties: single words, each once, none that a reader takes for
/// something else.
std::vector<std::string> property_names(const PolygonMesh& mesh) {
    std::set<std::string> taken = {"x", "y",  "z",  "s",  "t",         "u",
                                   "v", "nx", "ny", "nz", "texture_u", "texture_v"};
    std::vector<std::string> names;
    for (const auto& [map, values] : mesh.vertex_maps) {
        std::string name;
        for (char c : map)
            name += c > ' ' && c <= '~' && c != '#' ? c : '_';
        while (name.empty() || !taken.insert(name).second)
            name += '_';
        names.push_back(name);
    }
    return names;
}

template <class T>
void put(ByteSink& sink, T value) {
    const auto bytes = to_bytes(value, std::endian::little);
    sink.put({bytes.data(), bytes.size()});
}

/// The length of a list: a byte when every list of the file allows it, as most readers expect.
struct ListLength {
    bool wide;
    const char* type() const { return wide ? "uint" : "uchar"; }
    void put(ByteSink& sink, std::size_t length) const {
        if (wide)
            muslin::put(sink, static_cast<std::uint32_t>(length));
        else
            muslin::put(sink, static_cast<std::uint8_t>(length));
    }
};

ListLength choose_list_length(const PolygonMesh& mesh, Texcoords texcoords) {
    int most = 0;
    for (int f = 0; f < mesh.face_count(); ++f)
        most = std::max(most, mesh.face_begin[f + 1] - mesh.face_begin[f]);
    const int values = texcoords == Texcoords::per_corner ? 2 * most : most;
    return {values > std::numeric_limits<std::uint8_t>::max()};
}

void print_head(ByteSink& sink, const PolygonMesh& mesh, Texcoords texcoords, ListLength length) {
    sink.put("ply\nformat binary_little_endian 1.0\ncomment Muslin\n");
    sink.print("element vertex {}\n", mesh.positions.size());
    sink.put("property double x\nproperty double y\nproperty double z\n");
    if (texcoords == Texcoords::per_vertex)
        sink.put("property double s\nproperty double t\n");
    for (const std::string& name : property_names(mesh))
        sink.print("property double {}\n", name);
    sink.print("element face {}\nproperty list {} int vertex_indices\n", mesh.face_count(),
               length.type());
    if (texcoords == Texcoords::per_corner)
        sink.print("property list {} double texcoord\n", length.type());
    sink.put("end_header\n");
}

void put_vertices(ByteSink& sink, const PolygonMesh& mesh, Texcoords texcoords) {
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
        for (int axis = 0; axis < 3; ++axis)
            put(sink, mesh.positions[i][axis]);
        if (texcoords == Texcoords::per_vertex) {
            put(sink, mesh.texcoords[i].x);
            put(sink, mesh.texcoords[i].y);
        }
        for (const auto& [name, values] : mesh.vertex_maps)
            put(sink, values[i]);
    }
}

/// An empty list for a face of which any corner has none: the format has no half of a list.
void put_face_texcoords(ByteSink& sink, const PolygonMesh& mesh, int face, ListLength length) {
    const auto begin = mesh.corner_texcoord.begin() + mesh.face_begin[face];
    const auto end = mesh.corner_texcoord.begin() + mesh.face_begin[face + 1];
    if (std::find(begin, end, -1) != end) {
        length.put(sink, 0);
        return;
    }
    length.put(sink, 2 * static_cast<std::size_t>(end - begin));
    for (auto t = begin; t != end; ++t) {
        put(sink, mesh.texcoords[*t].x);
        put(sink, mesh.texcoords[*t].y);
    }
}

} // namespace

void print_ply(ByteSink& sink, const PolygonMesh& mesh) {
    const Texcoords texcoords = choose_texcoords(mesh);
    const ListLength length = choose_list_length(mesh, texcoords);
    print_head(sink, mesh, texcoords, length);
    put_vertices(sink, mesh, texcoords);
    for (int f = 0; f < mesh.face_count(); ++f) {
        length.put(sink, static_cast<std::size_t>(mesh.face_begin[f + 1] - mesh.face_begin[f]));
        for (int c = mesh.face_begin[f]; c < mesh.face_begin[f + 1]; ++c)
            put(sink, static_cast<std::int32_t>(mesh.corner_vertex[c]));
        if (texcoords == Texcoords::per_corner)
            put_face_texcoords(sink, mesh, f, length);
    }
}

} // namespace muslin
