#pragma once

#include "muslin/io/atomic_file.h"
#include "muslin/io/mesh_file.h"

#include <string>
#include <string_view>

namespace muslin {

// One reader and one writer per format, behind read_mesh and write_mesh. Readers take the bytes of
// a file and its name for messages; they leave the check for an empty mesh to parse_mesh. Writers
// are given a sound mesh.

PolygonMesh parse_obj(std::string_view bytes, const std::string& file, const ReadLimits& limits);
PolygonMesh parse_ply(std::string_view bytes, const std::string& file, const ReadLimits& limits);
PolygonMesh parse_off(std::string_view bytes, const std::string& file, const ReadLimits& limits);
/// In the pose that the file has without an animation. Reads the files that it names, too.
PolygonMesh parse_gltf_mesh(std::string_view bytes, const std::string& file,
                            const ReadLimits& limits);

void print_obj(ByteSink& sink, const PolygonMesh& mesh);
void print_ply(ByteSink& sink, const PolygonMesh& mesh);
void print_off(ByteSink& sink, const PolygonMesh& mesh);

/// The mesh in `bytes`, in the format that the ending of `file` names; the file is not opened.
PolygonMesh parse_mesh(std::string_view bytes, const std::filesystem::path& file,
                       const ReadLimits& limits = {});

/// The most vertices (or corners) that both the limit and an int index allow.
std::size_t index_limit(std::size_t limit);

/// Throws when a file has, or declares, more vertices than the limit allows.
void check_vertex_limit(std::uint64_t count, const ReadLimits& limits, const std::string& file,
                        int line);
/// The same for the corners of all faces together.
void check_corner_limit(std::uint64_t count, const ReadLimits& limits, const std::string& file,
                        int line);

} // namespace muslin
