#include "mesh_samples.h"
#include "test_data.h"

#include <set>

namespace muslin::test {
namespace {

struct RealFile {
    const char* name;
    std::size_t vertices;
    int faces;
    std::size_t texcoords;
    std::size_t groups;
};

void PrintTo(const RealFile& file, std::ostream* out) {
    *out << file.name;
}

class RealFiles : public ::testing::TestWithParam<RealFile> {};

TEST_P(RealFiles, AreReadWhole) {
    const RealFile& expected = GetParam();
    MUSLIN_NEED_DATA(file, expected.name);
    const PolygonMesh mesh = read_mesh(file);
    expect_sound(mesh);
    EXPECT_EQ(mesh.positions.size(), expected.vertices);
    EXPECT_EQ(mesh.face_count(), expected.faces);
    EXPECT_EQ(mesh.texcoords.size(), expected.texcoords);
    EXPECT_EQ(mesh.group_names.size(), expected.groups);
}

// The numbers were counted from the files' lines (text) and heads (PLY), not by these readers.
INSTANTIATE_TEST_SUITE_P(
    Data, RealFiles,
    ::testing::Values(RealFile{"garments/pants.obj", 109, 188, 564, 0},
                      RealFile{"garments/tshirt-m.obj", 426, 604, 0, 0},
                      RealFile{"garments/tshirt-w.obj", 426, 604, 0, 1},
                      RealFile{"garments/tshirt.obj", 330, 604, 1812, 0},
                      RealFile{"bodies/f_smpl_template.obj", 6890, 13776, 0, 0},
                      RealFile{"meshes/spot.obj", 2930, 5856, 3225, 0},
                      RealFile{"meshes/bunny_3k.off", 3485, 6966, 0, 0},
                      RealFile{"ccd/two-cubes-close.ply", 262, 480, 0, 0},
                      RealFile{"ccd/two-cubes-far.ply", 262, 480, 0, 0},
                      RealFile{"ccd/two-cubes-intersecting.ply", 262, 480, 0, 0},
                      RealFile{"ccd/cloth-funnel/frames/227.ply", 9450, 18484, 0, 0},
                      RealFile{"ccd/cloth-funnel/frames/228.ply", 9450, 18484, 0, 0}));

TEST(RealFile, TheShirtsPatternIsItsTexcoords) {
    MUSLIN_NEED_DATA(file, "garments/tshirt.obj");
    const PolygonMesh mesh = read_mesh(file);
    ASSERT_EQ(mesh.corner_texcoord.size(), mesh.corner_vertex.size());
    for (int t : mesh.corner_texcoord)
        EXPECT_GE(t, 0);
}

TEST(RealFile, MalformedObjFilesAreReadOrRefused) {
    MUSLIN_NEED_DATA(directory, "malformed/tinyobjloader/models");
    const std::set<std::string> must_be_refused = {
        "invalid-face-definition.obj",         // faces of one and two corners
        "invalid-relative-texture-index.obj",  // before the first vt
        "invalid-relative-vertex-index.obj",   // before the first v
        "issue-140-zero-face-idx.obj",         // indices count from 1
        "issue-356-leading-spaces-newmtl.obj", // no geometry
        "line-prim.obj",                       // lines alone
        "points-prim.obj",                     // points alone
        "test-nan.obj",                        // coordinates not finite
    };
    std::set<std::string> refused;
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(directory)) {
        if (entry.path().extension() != ".obj")
            continue;
        ++files;
        try {
            expect_sound(read_mesh(entry.path()));
        } catch (const InputError& error) {
            EXPECT_EQ(error.problem().where.file, entry.path().string());
            refused.insert(entry.path().filename().string());
        }
    }
    EXPECT_GT(files, 30);
    EXPECT_EQ(refused, must_be_refused);
}

TEST(RealFile, ValidationCurvesAreBesideTheData) {
    MUSLIN_NEED_VALIDATION(file, "catenary.csv");
    EXPECT_FALSE(read_file(file).empty());
}

} // namespace
} // namespace muslin::test
