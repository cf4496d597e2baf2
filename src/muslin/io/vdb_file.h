#pragma once

#include "muslin/levelset/level_set.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace muslin {

// OpenVDB's files of grids. A level set is written as the grid "distance" of 32-bit numbers in
// metres, class level set, and where the nearest triangles are known the grid "nearest_triangle".
// Its background, two voxels more than the band, stands for everything farther.

/// The bytes of such a file. Throws InputError where OpenVDB cannot hold the level set: it takes
/// voxels below 1.5e-5 m for flat ones.
std::string vdb_bytes(const LevelSet& level_set);
LevelSet level_set_from_vdb(const std::string& bytes, const std::string& file);

/// The file appears whole or not at all. Throws FileError, and InputError as vdb_bytes does.
/// The program only reads such files; tests make theirs by it.
void write_vdb(const std::filesystem::path& file, const LevelSet& level_set);

struct LevelSetFile {
    LevelSet level_set;
    std::string grid;                ///< the name of the one taken
    std::vector<std::string> others; ///< level sets of the file that were passed over
};

/// The level set `grid` of a file; without a name the first one. Distances are in the file's world
/// units, taken as metres. The band of a file of another program ends two voxels before its
/// background, as all eight nodes around a place are known up to there: OpenVDB's usual half width
/// of 3 voxels leaves 1. Throws FileError when the file cannot be read, and InputError when it is
/// no OpenVDB file, breaks off, or has no such grid; when the grid is not of 32-bit numbers or no
/// level set, has values that are not finite, or its voxels are not cubes along the axes.
LevelSetFile read_vdb(const std::filesystem::path& file, const std::string& grid = "");

/// What a grid of a file is.
struct VdbGrid {
    std::string name, type, kind; ///< e.g. "distance", "float", "level set"
    Vec3 voxel;                   ///< [world units]
    std::uint64_t active_voxels = 0;
    std::uint64_t memory = 0; ///< [bytes]
    Bounds bounds;            ///< of the active voxels' nodes [world units]
};
/// Throws as read_vdb does.
std::vector<VdbGrid> describe_vdb(const std::filesystem::path& file);

} // namespace muslin
