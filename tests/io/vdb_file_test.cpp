#include "muslin/io/vdb_file.h"

#include "muslin/base/error.h"
#include "muslin/io/atomic_file.h"
#include "muslin/io/level_set_cache.h"
#include "muslin/io/read_file.h"

#include "levelset/shapes.h"

#include <gtest/gtest.h>

#include <functional>
#include <unistd.h>

using namespace muslin;
using namespace muslin::levelset_testing;
namespace fs = std::filesystem;

namespace {

class vdb_file : public ::testing::Test {
protected:
    vdb_file() : folder_(fs::temp_directory_path() / ("muslin_vdb_" + std::to_string(::getpid()))) {
        fs::create_directories(folder_);
    }
    ~vdb_file() override { fs::remove_all(folder_); }

    fs::path folder_;
    TriangleMesh mesh_ = moved(torus(0.3, 0.12, 32, 16), {0.333, 0.21, -0.7});
    LevelSet made_ = LevelSet::from_mesh(view(mesh_), {0.02, 0.06, true});
};

using level_set_cache = vdb_file;

void expect_same(const LevelSet& a, const LevelSet& b) {
    // The box of the blocks may differ by empty rows: compare what is stored, and where.
    ASSERT_EQ(a.grid().block_count(), b.grid().block_count());
    EXPECT_EQ(a.grid().values, b.grid().values);
    EXPECT_EQ(a.grid().nearest_triangle, b.grid().nearest_triangle);
    EXPECT_EQ(a.voxel_size(), b.voxel_size());
    EXPECT_EQ(a.band(), b.band());
    for (std::size_t i = 0; i < a.grid().block_count(); ++i)
        EXPECT_LT(norm(a.grid().position(i, 0) - b.grid().position(i, 0)), 1e-12);
    for (double x = -0.2; x < 0.9; x += 0.013)
        for (double y = 0; y < 0.5; y += 0.017)
            EXPECT_NEAR(a.distance({x, y, -0.7}), b.distance({x, y, -0.7}), 1e-9);
}

std::string message_of(const std::function<void()>& act) {
    try {
        act();
    } catch (const InputError& error) {
        return error.what();
    } catch (const FileError& error) {
        return std::string("FileError ") + error.what();
    }
    return "";
}

} // namespace

TEST_F(vdb_file, gives_back_what_was_written) {
    const fs::path file = folder_ / "torus.vdb";
    write_vdb(file, made_);
    const LevelSetFile back = read_vdb(file);
    EXPECT_EQ(back.grid, "distance");
    EXPECT_TRUE(back.others.empty());
    expect_same(back.level_set, made_);
    expect_same(read_vdb(file, "distance").level_set, made_);
    EXPECT_TRUE(read_file(file) == vdb_bytes(made_)); // every run makes the same bytes
}

TEST_F(vdb_file, tells_what_is_in_it) {
    const fs::path file = folder_ / "torus.vdb";
    write_vdb(file, made_);
    const std::vector<VdbGrid> grids = describe_vdb(file);
    ASSERT_EQ(grids.size(), 2u);
    EXPECT_EQ(grids[0].name, "distance");
    EXPECT_EQ(grids[0].type, "float");
    EXPECT_EQ(grids[0].kind, "level set");
    EXPECT_EQ(grids[1].name, "nearest_triangle");
    EXPECT_EQ(grids[1].type, "int32");
    EXPECT_NEAR(grids[0].voxel.x, 0.02, 1e-12);
    std::size_t active = 0; // nodes nearer than the end of what is known, counted once
    const float far = static_cast<float>(0.06 + 2 * 0.02);
    for (std::size_t b = 0; b < made_.grid().block_count(); ++b)
        for (int z = 0; z < 8; ++z)
            for (int y = 0; y < 8; ++y)
                for (int x = 0; x < 8; ++x)
                    active += std::abs(made_.grid().values[b * 729 + (z * 9 + y) * 9 + x]) < far;
    EXPECT_EQ(grids[0].active_voxels, active);
    EXPECT_EQ(grids[1].active_voxels, active);
    // The torus reaches 0.42 m from its middle, the band and two voxels 0.1 m more.
    EXPECT_NEAR(grids[0].bounds.low.x, 0.333 - 0.52, 0.021);
    EXPECT_NEAR(grids[0].bounds.high.y, 0.21 + 0.22, 0.021);
}

TEST_F(vdb_file, refuses_what_it_cannot_use) {
    const fs::path file = folder_ / "torus.vdb";
    write_vdb(file, made_);
    EXPECT_NE(message_of([&] { read_vdb(folder_ / "absent.vdb"); }).find("FileError"),
              std::string::npos);
    EXPECT_NE(message_of([&] { read_vdb(folder_); }).find("FileError"), std::string::npos);
    const std::string missing = message_of([&] { read_vdb(file, "surface"); });
    EXPECT_NE(missing.find("grid 'surface': expected a grid of this name"), std::string::npos);
    EXPECT_NE(missing.find("'distance' (float, level set)"), std::string::npos);
    EXPECT_NE(message_of([&] { read_vdb(file, "nearest_triangle"); }).find("class level set"),
              std::string::npos);

    const std::string bytes = read_file(file);
    write_file_atomically(folder_ / "text.vdb", "solid, but no grid at all, however long it is");
    EXPECT_NE(message_of([&] { read_vdb(folder_ / "text.vdb"); }).find("an OpenVDB file"),
              std::string::npos);
    for (const double part : {0.0, 0.001, 0.01, 0.1, 0.3, 0.5, 0.9, 0.999}) {
        const auto size = static_cast<std::size_t>(part * static_cast<double>(bytes.size()));
        write_file_atomically(folder_ / "short.vdb", bytes.substr(0, size));
        EXPECT_NE(message_of([&] {
                      read_vdb(folder_ / "short.vdb");
                  }).find(size == 0 ? "found an empty one" : "found one that breaks off"),
                  std::string::npos)
            << part;
    }
}

TEST_F(level_set_cache, second_run_makes_nothing) {
    const fs::path cache = folder_ / "cache" / "body";
    const auto frame = [&](int k) { return moved(mesh_, {0.01 * k, 0, 0}); };
    LevelSetCache first(cache);
    for (int k = 0; k < 4; ++k)
        first.get_or_make(view(frame(k)), {0.02, 0.06, true});
    EXPECT_EQ(first.made(), 4u);
    EXPECT_EQ(first.read(), 0u);
    LevelSetCache second(cache);
    for (int k = 0; k < 4; ++k) {
        const LevelSet s = second.get_or_make(view(frame(k)), {0.02, 0.06, true});
        expect_same(s, LevelSet::from_mesh(view(frame(k)), {0.02, 0.06, true}));
    }
    EXPECT_EQ(second.made(), 0u);
    EXPECT_EQ(second.read(), 4u);
    EXPECT_TRUE(second.warnings().empty());
    // A file of the cache is a .vdb file like any other.
    for (const auto& entry : fs::directory_iterator(cache))
        EXPECT_EQ(describe_vdb(entry.path()).size(), 2u);
}

TEST_F(level_set_cache, a_key_stands_for_all_that_matters) {
    const auto key = level_set_key(view(mesh_), {0.02, 0.06});
    EXPECT_EQ(level_set_key(view(mesh_), {0.02, 0.06}), key);
    EXPECT_NE(level_set_key(view(mesh_), {0.021, 0.06}), key);
    EXPECT_NE(level_set_key(view(mesh_), {0.02, 0.061}), key);
    EXPECT_NE(level_set_key(view(mesh_), {0.02, 0.06, true}), key);
    TriangleMesh other = mesh_;
    other.positions[100].z = std::nextafter(other.positions[100].z, 1.0);
    EXPECT_NE(level_set_key(view(other), {0.02, 0.06}), key);
    other = mesh_;
    std::swap(other.triangles[0], other.triangles[1]);
    EXPECT_NE(level_set_key(view(other), {0.02, 0.06}), key);
}

TEST_F(level_set_cache, broken_files_are_made_anew) {
    const fs::path cache = folder_ / "cache";
    LevelSetCache(cache).get_or_make(7, [&] { return made_; });
    const fs::path file = cache / "0000000000000007.vdb";
    const std::string good = read_file(file);
    const auto damaged = [&](const std::string& bytes) {
        write_file_atomically(file, bytes);
        LevelSetCache again(cache);
        expect_same(again.get_or_make(7, [&] { return made_; }), made_);
        EXPECT_EQ(again.made(), 1u);
        EXPECT_EQ(again.read(), 0u);
        EXPECT_EQ(again.warnings().size(), 1u);
        EXPECT_TRUE(read_file(file) == good);
    };
    damaged("");
    damaged(good.substr(0, good.size() / 2));
    std::string flipped = good;
    flipped[good.size() / 2] ^= 1;
    damaged(flipped);
    damaged(good + "x");
    // Whole, but of another key.
    LevelSetCache(cache).get_or_make(8, [&] { return made_; });
    damaged(read_file(cache / "0000000000000008.vdb"));
}

// OpenVDB takes small voxels for flat ones, by their volume. The level set serves all the same.
TEST_F(level_set_cache, what_openvdb_cannot_hold_is_not_kept) {
    const TriangleMesh ball = sphere(1e-4, 20);
    const LevelSetSettings tiny{1e-5, 3e-5, false};
    EXPECT_NE(message_of([&] {
                  vdb_bytes(LevelSet::from_mesh(view(ball), tiny));
              }).find("one that OpenVDB can hold"),
              std::string::npos);
    LevelSetCache cache(folder_);
    for (int i = 0; i < 2; ++i)
        EXPECT_NEAR(cache.get_or_make(view(ball), tiny).distance({0, 1.1e-4, 0}), 1e-5, 2e-6);
    EXPECT_EQ(cache.made(), 2u);
    ASSERT_EQ(cache.warnings().size(), 1u) << "one reason, once";
    EXPECT_NE(cache.warnings().front().find("not kept"), std::string::npos);
}

TEST_F(level_set_cache, without_a_folder_it_makes_each_time) {
    LevelSetCache none("");
    none.get_or_make(7, [&] { return made_; });
    none.get_or_make(7, [&] { return made_; });
    EXPECT_EQ(none.made(), 2u);
    write_file_atomically(folder_ / "file", "in the way");
    LevelSetCache blocked(folder_ / "file" / "cache");
    EXPECT_THROW(blocked.get_or_make(7, [&] { return made_; }), FileError);
}
