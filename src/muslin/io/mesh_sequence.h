#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace muslin {

/// Mesh files of one name with consecutive numbers: NAME.0000.obj, NAME.0001.obj, ...
struct MeshSequence {
    std::filesystem::path folder;
    std::string before, after; ///< what stands before and after the number
    int digits = 4;            ///< at least so many, filled up with zeros
    int first = 0, count = 0;

    std::string name() const; ///< `before` without the dot, dash or underscore at its end
    std::filesystem::path file(int frame) const; ///< of frame 0 .. count - 1
};

/// "dir/NAME.####.obj" as a sequence without files yet; whether a path is such a pattern.
bool is_pattern(const std::filesystem::path& path);
MeshSequence parse_pattern(const std::filesystem::path& path);

/// The files on disk that a pattern names. Throws InputError when there are none or when a number
/// is missing between the first and the last.
MeshSequence find_sequence(const std::filesystem::path& pattern);

/// The sequences of .obj and .ply files in a folder, by name, and the meshes without a number.
struct FolderMeshes {
    std::vector<MeshSequence> sequences;
    std::vector<std::filesystem::path> still;
};
FolderMeshes find_meshes(const std::filesystem::path& folder);

} // namespace muslin
