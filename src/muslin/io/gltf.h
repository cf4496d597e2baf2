#pragma once

#include "muslin/io/mesh_file.h"
#include "muslin/mesh/character.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace muslin {

/// Reads a glTF 2.0 file, .gltf or .glb: the triangles (lists, strips, fans) of the meshes in its
/// scene, its nodes, skins, morph targets and animations. Data may be in the file or beside it.
/// - Each node with a mesh is a part, and a group of the mesh; vertices that the format splits are
///   one again (io/gltf_part.h), those in no triangle are left out.
/// - A file without a scene gives all nodes, one without nodes all meshes.
/// - Animations without a name are "clip0", ..., morph targets without one "morph0", ...
/// - Weights of joints are scaled to a sum of 1.
/// What was mended or left out is said in the mesh's `warnings`. Materials, pictures, normals,
/// colours, cameras and lights are passed over.
/// Throws FileError when a file cannot be read and InputError, with the element ("accessors[3]"),
/// when its content is wrong or it has no triangle.
Character read_gltf(const std::filesystem::path& file);

/// The same from the bytes of the file; `file` is for messages and for the files beside it.
Character parse_gltf(std::string_view bytes, const std::string& file, const ReadLimits& limits);

/// Whether a file's name ends in .gltf or .glb.
bool is_gltf(const std::filesystem::path& file);

} // namespace muslin
