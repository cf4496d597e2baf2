#include "muslin/base/error.h"
#include "muslin/io/vdb_file.h"

#include <gtest/gtest.h>

#include <openvdb/io/File.h>
#include <openvdb/openvdb.h>

#include <filesystem>
#include <limits>
#include <unistd.h>

// Files as other programs write them: by OpenVDB's own class for files.

using namespace muslin;
namespace fs = std::filesystem;

namespace {

/// A ball of 0.3 m about (1, 2, 3), voxels of 0.05 m, four voxels either side.
template <class Grid>
typename Grid::Ptr ball(const char* name) {
    const double h = 0.05, band = 4 * h;
    auto grid = Grid::create(typename Grid::ValueType(band));
    auto at = grid->getAccessor();
    for (int x = -12; x <= 12; ++x)
        for (int y = -12; y <= 12; ++y)
            for (int z = -12; z <= 12; ++z) {
                const double d = h * std::sqrt(double(x * x + y * y + z * z)) - 0.3;
                if (std::abs(d) < band)
                    at.setValueOn({x, y, z}, typename Grid::ValueType(d));
                else if (d < 0)
                    at.setValueOff({x, y, z}, typename Grid::ValueType(-band));
            }
    auto transform = openvdb::math::Transform::createLinearTransform(h);
    transform->postTranslate({1, 2, 3});
    grid->setTransform(transform);
    grid->setName(name);
    grid->setGridClass(openvdb::GRID_LEVEL_SET);
    return grid;
}

class vdb_foreign : public ::testing::Test {
protected:
    vdb_foreign()
        : file_(fs::temp_directory_path() /
                ("muslin_foreign_" + std::to_string(::getpid()) + ".vdb")) {
        openvdb::initialize();
    }
    ~vdb_foreign() override { fs::remove(file_); }

    void write(const openvdb::GridPtrVec& grids) { openvdb::io::File(file_.string()).write(grids); }
    std::string refusal(const std::string& grid = "") {
        try {
            read_vdb(file_, grid);
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    }

    fs::path file_;
};

} // namespace

TEST_F(vdb_foreign, is_read_in_its_own_space) {
    write({ball<openvdb::FloatGrid>("ball")});
    const LevelSetFile file = read_vdb(file_);
    EXPECT_EQ(file.grid, "ball");
    const LevelSet& s = file.level_set;
    EXPECT_NEAR(s.voxel_size(), 0.05, 1e-12);
    EXPECT_NEAR(s.band(), 0.1, 1e-6); // four voxels less two
    EXPECT_NEAR(s.distance({1.35, 2, 3}), 0.05, 1e-6);
    EXPECT_NEAR(s.distance({1, 2.25, 3}), -0.05, 1e-6);
    EXPECT_GT(s.sample({1, 2, 2.68}).normal.z, -1.001);
    EXPECT_LT(s.sample({1, 2, 2.68}).normal.z, -0.99);
    EXPECT_EQ(s.distance({1, 2, 3}), -s.band());
    EXPECT_EQ(s.distance({0, 0, 0}), s.band());
    EXPECT_TRUE(s.grid().nearest_triangle.empty());
}

TEST_F(vdb_foreign, of_several_the_first_or_the_one_that_is_named) {
    auto fog = ball<openvdb::FloatGrid>("smoke");
    fog->setGridClass(openvdb::GRID_FOG_VOLUME);
    auto short_numbers = ball<openvdb::FloatGrid>("half");
    short_numbers->setSaveFloatAsHalf(true);
    write({fog, ball<openvdb::FloatGrid>("left"), short_numbers});
    EXPECT_EQ(read_vdb(file_).grid, "left");
    EXPECT_EQ(read_vdb(file_).others, std::vector<std::string>{"half"});
    EXPECT_EQ(read_vdb(file_, "half").grid, "half");
    EXPECT_NEAR(read_vdb(file_, "half").level_set.distance({1.35, 2, 3}), 0.05, 1e-4);
    EXPECT_NE(refusal("smoke").find("class level set, found fog volume"), std::string::npos);
    EXPECT_NE(refusal("right").find("'left' (float, level set)"), std::string::npos);
    EXPECT_EQ(describe_vdb(file_).size(), 3u);
    EXPECT_EQ(describe_vdb(file_)[0].kind, "fog volume");
}

TEST_F(vdb_foreign, what_cannot_be_used_is_refused) {
    write({});
    EXPECT_NE(refusal().find("no grids"), std::string::npos);
    write({ball<openvdb::DoubleGrid>("double")});
    EXPECT_NE(refusal().find("grid 'double': expected 32-bit numbers (float), found double"),
              std::string::npos);
    auto turned = ball<openvdb::FloatGrid>("turned");
    turned->transform().postRotate(0.3, openvdb::math::Y_AXIS);
    write({turned});
    EXPECT_NE(refusal().find("cubes along the axes"), std::string::npos);
    auto flat = ball<openvdb::FloatGrid>("flat");
    flat->transform().postScale({1, 2, 1});
    write({flat});
    EXPECT_NE(refusal().find("cubes along the axes"), std::string::npos);
    auto broken = ball<openvdb::FloatGrid>("broken");
    broken->tree().setValueOn({6, 0, 0}, std::numeric_limits<float>::quiet_NaN());
    write({broken});
    EXPECT_NE(refusal().find("finite distances"), std::string::npos);
    auto narrow = ball<openvdb::FloatGrid>("narrow");
    narrow->transform().preScale(2.0);
    write({narrow});
    EXPECT_NE(refusal().find("a background of 2.5 voxels or more"), std::string::npos);
    write({openvdb::FloatGrid::create(0.1f)});
    EXPECT_NE(refusal().find("a grid of class level set"), std::string::npos);
    auto empty = openvdb::FloatGrid::create(0.1f);
    empty->setGridClass(openvdb::GRID_LEVEL_SET);
    write({empty});
    EXPECT_NE(refusal().find("expected a surface"), std::string::npos);
    auto wide = ball<openvdb::FloatGrid>("wide");
    wide->tree().setValueOn({1000000, 1000000, 1000000}, 0.f);
    write({wide});
    EXPECT_NE(refusal().find("larger voxels"), std::string::npos);
}
