#include "muslin/io/vdb_file.h"

#include "muslin/base/error.h"
#include "muslin/base/hash.h"
#include "muslin/io/atomic_file.h"
#include "muslin/io/read_file.h"
#include "muslin/io/vdb_check.h"

#include <fmt/format.h>
#include <openvdb/io/Compression.h>
#include <openvdb/io/Stream.h>
#include <openvdb/openvdb.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <streambuf>

// The only file that includes OpenVDB: its headers take long to compile.

namespace muslin {
namespace {

using openvdb::Coord;
using openvdb::FloatGrid;
using openvdb::Int32Grid;
constexpr int side = BlockGrid::side, row = BlockGrid::row;
constexpr const char* distance_name = "distance";
constexpr const char* nearest_name = "nearest_triangle";
constexpr const char* band_key = "muslin_band";
// Blocks in the box of a grid: any grid may have so many, each stored block allows for some more.
// Surfaces have hundreds to each that is stored; a few bytes should not take much memory.
constexpr std::size_t max_table = std::size_t{1} << 25;
constexpr std::size_t any_table = std::size_t{1} << 20, table_per_block = 4096;

void start() {
    static const bool started = (openvdb::initialize(), true);
    (void)started;
}

[[noreturn]] void fail(const std::string& file, const std::string& key, const std::string& expected,
                       const std::string& found, const std::string& hint = "") {
    throw InputError(Problem{{file, 0, 0}, key, expected, found, hint});
}

Coord first_node(const BlockGrid& grid, int place) {
    const auto& n = grid.blocks;
    return Coord(place % n[0], place / n[0] % n[1], place / (n[0] * n[1])) << 3;
}

/// A tree with the values of blocks; `active` says which are more than the background. A leaf has z
/// fastest, a block x.
template <class Grid, class Array, class Active>
typename Grid::Ptr to_vdb(const BlockGrid& grid, const Array& values,
                          typename Grid::ValueType background, Active&& active) {
    auto out = Grid::create(background);
    for (std::size_t b = 0; b < grid.block_count(); ++b) {
        auto* leaf = out->tree().touchLeaf(first_node(grid, grid.place[b]));
        for (int z = 0; z < side; ++z)
            for (int y = 0; y < side; ++y)
                for (int x = 0; x < side; ++x) {
                    const auto value = values[b * BlockGrid::nodes + (z * row + y) * row + x];
                    const auto at = static_cast<openvdb::Index>((x * side + y) * side + z);
                    if (active(value))
                        leaf->setValueOn(at, value);
                    else
                        leaf->setValueOff(at, value);
                }
    }
    auto transform = openvdb::math::Transform::createLinearTransform(grid.voxel);
    transform->postTranslate({grid.origin.x, grid.origin.y, grid.origin.z});
    out->setTransform(transform);
    return out;
}

/// A stream over bytes that stay where they are.
class Bytes : public std::streambuf {
public:
    explicit Bytes(std::string_view bytes) {
        char* begin = const_cast<char*>(bytes.data()); // never written: there is no area to put to
        setg(begin, begin, begin + bytes.size());
    }
};

bool unpacks(std::string_view block, std::size_t size, bool blosc) {
    Bytes bytes(block);
    std::istream stream(&bytes);
    std::vector<char> values(size + 1); // no place at all would mean: skip
    try {
        if (blosc)
            openvdb::io::bloscFromStream(stream, values.data(), size);
        else
            openvdb::io::unzipFromStream(stream, values.data(), size);
        return true;
    } catch (const openvdb::Exception&) {
        return false;
    }
}

/// Everything in a file, in its order.
openvdb::GridPtrVecPtr read_grids(const std::string& bytes, const std::string& file) {
    start();
    std::istringstream stream(checked_vdb(bytes, file, unpacks));
    // A file that breaks off must not pass for one full of zeros.
    stream.exceptions(std::ios::failbit | std::ios::badbit | std::ios::eofbit);
    try {
        return openvdb::io::Stream(stream, /*delayLoad=*/false).getGrids();
    } catch (const std::ios::failure&) {
        fail(file, "", "an OpenVDB file", bytes.empty() ? "an empty one" : "one that breaks off");
    } catch (const std::exception& error) {
        fail(file, "", "an OpenVDB file", error.what());
    }
}

std::string class_of(const openvdb::GridBase& grid) {
    return openvdb::GridBase::gridClassToString(grid.getGridClass());
}

bool is_level_set(const openvdb::GridBase& grid) {
    return grid.getGridClass() == openvdb::GRID_LEVEL_SET;
}

struct Choice {
    FloatGrid::Ptr grid;
    std::vector<std::string> others;
};

Choice choose(const openvdb::GridPtrVec& grids, const std::string& name, const std::string& file) {
    std::vector<std::string> all;
    openvdb::GridBase::Ptr taken;
    Choice out;
    for (const auto& grid : grids) {
        all.push_back(
            fmt::format("'{}' ({}, {})", grid->getName(), grid->valueType(), class_of(*grid)));
        const bool wanted = name.empty() ? is_level_set(*grid) : grid->getName() == name;
        if (wanted && !taken)
            taken = grid;
        else if (is_level_set(*grid))
            out.others.push_back(grid->getName());
    }
    const std::string key = name.empty() ? "" : "grid '" + name + "'";
    if (!taken)
        fail(file, key, name.empty() ? "a grid of class level set" : "a grid of this name",
             all.empty() ? "no grids" : fmt::format("{}", fmt::join(all, ", ")));
    if (!is_level_set(*taken))
        fail(file, key, "a grid of class level set", class_of(*taken));
    out.grid = openvdb::gridPtrCast<FloatGrid>(taken);
    if (!out.grid)
        fail(file, "grid '" + taken->getName() + "'", "32-bit numbers (float)", taken->valueType());
    return out;
}

/// Takes the size and place of the voxels.
void take_transform(const openvdb::GridBase& grid, BlockGrid& out, const Coord& corner,
                    const std::string& file) {
    const std::string key = "grid '" + grid.getName() + "'";
    const std::string cubes_expected = "voxels that are cubes along the axes";
    openvdb::Mat4d m;
    try {
        m = grid.transform().baseMap()->getAffineMap()->getMat4();
    } catch (const openvdb::Exception&) { // of a matrix that cannot be inverted
        fail(file, key, cubes_expected, "a transform that makes them flat");
    }
    const double h = m(0, 0);
    bool cubes = grid.transform().isLinear() && h > 0 && std::isfinite(h);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            cubes = cubes && std::abs(m(i, j) - (i == j ? h : 0)) <= 1e-6 * h;
    if (!cubes)
        fail(file, key, cubes_expected, "a transform that turns or stretches them",
             "resample the grid");
    const openvdb::Vec3d origin = grid.transform().indexToWorld(corner);
    out.voxel = h;
    out.origin = {origin.x(), origin.y(), origin.z()};
    if (!is_finite(out.origin))
        fail(file, key, "a finite place", "a transform without one");
}

Coord block_of(const Coord& node, const Coord& low) {
    // Of a box that fits into the table; the corners of a tile may be farther off.
    const auto along = [&](int k) {
        const std::int64_t blocks = (std::int64_t{node[k]} - low[k]) >> 3;
        return static_cast<int>(std::clamp<std::int64_t>(blocks, -1, 1 << 30));
    };
    return {along(0), along(1), along(2)};
}

/// Marks the blocks that tiles of a tree with a negative value cover.
void fill_inside(const FloatGrid::TreeType& tree, const Coord& low, BlockGrid& out) {
    auto tile = tree.cbeginValueAll();
    tile.setMaxDepth(decltype(tile)::LEAF_DEPTH - 1);
    for (; tile; ++tile) {
        if (!(*tile < 0))
            continue;
        const openvdb::CoordBBox box = tile.getBoundingBox();
        const Coord first = block_of(box.min(), low), last = block_of(box.max(), low);
        const auto range = [&](int k) {
            return std::pair(std::max(first[k], 0), std::min(last[k], out.blocks[k] - 1));
        };
        const auto [x0, x1] = range(0);
        for (auto [z, z1] = range(2); z <= z1; ++z)
            for (auto [y, y1] = range(1); y <= y1 && x0 <= x1; ++y) {
                const auto row_at = out.table.begin() + (z * out.blocks[1] + y) * out.blocks[0];
                std::fill(row_at + x0, row_at + x1 + 1, BlockGrid::inside);
            }
    }
}

/// The block of each leaf of a tree, and the side of everything else in the box of all leaves.
/// Gives the index of the first block's first node.
Coord lay_out(const FloatGrid& grid, BlockGrid& out, const std::string& file) {
    const auto& tree = grid.tree();
    Coord low = Coord::max(), high = Coord::min();
    std::size_t stored = 0;
    for (auto leaf = tree.cbeginLeaf(); leaf; ++leaf, ++stored) {
        low.minComponent(leaf->origin());
        high.maxComponent(leaf->origin());
    }
    const std::string key = "grid '" + grid.getName() + "'";
    if (stored == 0)
        fail(file, key, "a surface", "no voxels near one");
    // A grid that was written with empty blocks in front keeps its first node, so that all nodes
    // have the coordinates they had, to the last bit.
    for (int k = 0; k < 3; ++k)
        if (low[k] > 0 && low[k] <= 2 * side)
            low[k] = 0;
    double total = 1;
    for (int k = 0; k < 3; ++k) {
        const double blocks = (double(high[k]) - low[k]) / side + 1;
        total *= blocks;
        out.blocks[k] = static_cast<int>(std::min(blocks, 1e9));
    }
    const std::size_t limit = std::min(max_table, any_table + stored * table_per_block);
    if (total > static_cast<double>(limit))
        fail(file, key,
             fmt::format("no more than {} blocks of 8^3 voxels in the box of {}", limit, stored),
             fmt::format("{:.3g}", total), "resample the grid with larger voxels");
    out.table.assign(static_cast<std::size_t>(total), BlockGrid::outside);
    fill_inside(tree, low, out);
    for (auto leaf = tree.cbeginLeaf(); leaf; ++leaf) {
        const Coord place = block_of(leaf->origin(), low);
        out.place.push_back((place.z() * out.blocks[1] + place.y()) * out.blocks[0] + place.x());
    }
    std::sort(out.place.begin(), out.place.end());
    for (std::size_t b = 0; b < out.place.size(); ++b)
        out.table[static_cast<std::size_t>(out.place[b])] = static_cast<int>(b);
    return low;
}

template <class Tree, class Array, class Value>
void copy_values(const Tree& tree, const BlockGrid& grid, const Coord& corner, Array& out,
                 Value outside, Value inside) {
    out.assign(grid.block_count() * BlockGrid::nodes, outside);
    for (std::size_t b = 0; b < grid.block_count(); ++b) {
        const auto* leaf = tree.probeConstLeaf(corner + first_node(grid, grid.place[b]));
        if (leaf == nullptr)
            continue;
        const auto* from = leaf->buffer().data();
        for (int z = 0; z < side; ++z)
            for (int y = 0; y < side; ++y)
                for (int x = 0; x < side; ++x)
                    out[b * BlockGrid::nodes + (z * row + y) * row + x] =
                        from[(x * side + y) * side + z];
    }
    fill_repeated_nodes(grid, out, outside, inside);
}

BlockGrid to_blocks(const FloatGrid& grid, const openvdb::GridPtrVec& all,
                    const std::string& file) {
    BlockGrid out;
    const Coord corner = lay_out(grid, out, file);
    take_transform(grid, out, corner, file);
    const float far = grid.background();
    copy_values(grid.tree(), out, corner, out.values, far, -far);
    const std::string key = "grid '" + grid.getName() + "'";
    if (!std::all_of(out.values.begin(), out.values.end(),
                     [](float v) { return std::isfinite(v); }))
        fail(file, key, "finite distances", "one that is not a finite number");
    const auto band = grid.getMetadata<openvdb::DoubleMetadata>(band_key);
    out.band = band ? band->value() : far - 2 * out.voxel;
    if (!(out.band >= 0.5 * out.voxel) || !(out.band < far))
        fail(file, key, "a background of 2.5 voxels or more",
             fmt::format("{:g} with voxels of {:g}", far, out.voxel),
             "write it with a wider narrow band");
    for (const auto& other : all)
        if (const auto nearest = openvdb::gridPtrCast<Int32Grid>(other);
            nearest && nearest->getName() == nearest_name && band)
            copy_values(nearest->tree(), out, corner, out.nearest_triangle, -1, -1);
    return out;
}

/// OpenVDB gives each file a random identity, 36 characters after the magic number, three versions
/// and a flag. The same grids make the same file: a digest takes its place.
std::string without_chance(std::string bytes) {
    constexpr std::size_t at = 21, length = 36;
    if (bytes.size() < at + length)
        return bytes;
    std::string identity(length, '0');
    for (const std::size_t i : {8u, 13u, 18u, 23u})
        identity[i] = '-';
    bytes.replace(at, length, identity);
    Hash64 hash;
    hash.add(bytes.data(), bytes.size());
    bytes.replace(at, 8, hash.hex(), 0, 8);
    bytes.replace(at + 24, 8, hash.hex(), 8, 8);
    return bytes;
}

LevelSetFile read_level_set(const std::string& bytes, const std::string& file,
                            const std::string& name) {
    const openvdb::GridPtrVecPtr grids = read_grids(bytes, file);
    Choice choice = choose(*grids, name, file);
    return {LevelSet(to_blocks(*choice.grid, *grids, file)), choice.grid->getName(),
            std::move(choice.others)};
}

} // namespace

namespace {

std::string to_bytes(const BlockGrid& grid) {
    const auto far = static_cast<float>(grid.band + 2 * grid.voxel);
    auto distance =
        to_vdb<FloatGrid>(grid, grid.values, far, [far](float v) { return std::abs(v) < far; });
    for (std::size_t i = 0; i < grid.table.size(); ++i)
        if (grid.table[i] == BlockGrid::inside)
            distance->tree().addTile(1, first_node(grid, static_cast<int>(i)), -far, false);
    distance->setName(distance_name);
    distance->setGridClass(openvdb::GRID_LEVEL_SET);
    distance->insertMeta(band_key, openvdb::DoubleMetadata(grid.band));
    openvdb::GridPtrVec grids = {distance};
    if (!grid.nearest_triangle.empty()) {
        auto nearest = to_vdb<Int32Grid>(grid, grid.nearest_triangle, -1,
                                         [](int triangle) { return triangle >= 0; });
        nearest->setName(nearest_name);
        grids.push_back(nearest);
    }
    std::ostringstream out(std::ios::binary);
    openvdb::io::Stream stream(out);
    stream.setCompression(openvdb::io::COMPRESS_ACTIVE_MASK | openvdb::io::COMPRESS_BLOSC);
    stream.write(grids);
    return without_chance(std::move(out).str());
}

} // namespace

std::string vdb_bytes(const LevelSet& level_set) {
    start();
    try {
        return to_bytes(level_set.grid());
    } catch (const openvdb::Exception& error) {
        fail("", "level set", "one that OpenVDB can hold", error.what());
    }
}

LevelSet level_set_from_vdb(const std::string& bytes, const std::string& file) {
    return read_level_set(bytes, file, distance_name).level_set;
}

void write_vdb(const std::filesystem::path& file, const LevelSet& level_set) {
    write_file_atomically(file, vdb_bytes(level_set));
}

LevelSetFile read_vdb(const std::filesystem::path& file, const std::string& grid) {
    return read_level_set(read_file(file), file.string(), grid);
}

std::vector<VdbGrid> describe_vdb(const std::filesystem::path& file) {
    const openvdb::GridPtrVecPtr grids = read_grids(read_file(file), file.string());
    std::vector<VdbGrid> out;
    for (const auto& grid : *grids) {
        VdbGrid info;
        info.name = grid->getName();
        info.type = grid->valueType();
        info.kind = class_of(*grid);
        const openvdb::Vec3d voxel = grid->voxelSize();
        info.voxel = {voxel.x(), voxel.y(), voxel.z()};
        info.active_voxels = grid->activeVoxelCount();
        info.memory = grid->memUsage();
        if (info.active_voxels > 0) {
            const openvdb::CoordBBox box = grid->evalActiveVoxelBoundingBox();
            const openvdb::BBoxd world = grid->transform().indexToWorld(
                openvdb::BBoxd(box.min().asVec3d(), box.max().asVec3d()));
            for (int k = 0; k < 3; ++k) {
                info.bounds.low[k] = world.min()[k];
                info.bounds.high[k] = world.max()[k];
            }
        }
        out.push_back(info);
    }
    return out;
}

} // namespace muslin
