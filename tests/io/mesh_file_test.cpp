#include "mesh_samples.h"

#include "muslin/io/mesh_convert.h"

#include <limits>
#include <stdexcept>

namespace muslin::test {
namespace {

using MeshFile = TemporaryDirectory;

std::string file_error_of(const std::function<void()>& body) {
    try {
        body();
    } catch (const FileError& error) {
        return error.what();
    }
    ADD_FAILURE() << "no FileError was thrown";
    return {};
}

TEST_F(MeshFile, EndingsInAnyCase) {
    for (const char* name : {"a.OBJ", "b.Ply", "c.oFF"}) {
        write_mesh(path(name), sample_mesh());
        expect_same_positions(read_mesh(path(name)), sample_mesh());
    }
}

TEST_F(MeshFile, UnknownEndingsListTheKnownOnes) {
    for (const auto& [name, found] : {std::pair{"a.stl", "'.stl'"}, {"a", "no ending"}}) {
        const std::string file = path(name).string();
        EXPECT_PROBLEM(problem_of([&] { write_mesh(file, sample_mesh()); }), file, 0, "",
                       ".obj, .ply or .off", found);
        EXPECT_EQ(files(), 0u);
        write_file_atomically(file, "solid");
        EXPECT_PROBLEM(problem_of([&] { read_mesh(file); }), file, 0, "",
                       ".obj, .ply, .off, .gltf or .glb", found);
        std::filesystem::remove(file);
        EXPECT_NE(file_error_of([&] { read_mesh(file); }).find("No such file"), std::string::npos);
    }
}

TEST_F(MeshFile, FilesThatCannotBeRead) {
    for (const char* ending : {".obj", ".ply", ".off"}) {
        const auto missing = path(std::string("missing") + ending);
        EXPECT_NE(file_error_of([&] { read_mesh(missing); }).find("No such file"),
                  std::string::npos);
        const auto directory = path(std::string("directory") + ending);
        std::filesystem::create_directory(directory);
        EXPECT_NE(file_error_of([&] { read_mesh(directory); }).find("is a directory"),
                  std::string::npos);
        const auto device = path(std::string("device") + ending);
        std::filesystem::create_symlink("/dev/zero", device);
        EXPECT_NE(file_error_of([&] { read_mesh(device); }).find("not a regular file"),
                  std::string::npos);
    }
}

TEST_F(MeshFile, FilesThatMayNotBeRead) {
    if (::geteuid() == 0)
        GTEST_SKIP() << "the superuser may read everything";
    write_mesh(path("a.obj"), sample_mesh());
    std::filesystem::permissions(path("a.obj"), std::filesystem::perms::none);
    EXPECT_NE(file_error_of([&] { read_mesh(path("a.obj")); }).find("Permission denied"),
              std::string::npos);
}

TEST_F(MeshFile, FilesThatCannotBeWritten) {
    EXPECT_NE(file_error_of([&] {
                  write_mesh(path("no/such/a.obj"), sample_mesh());
              }).find("No such file or directory"),
              std::string::npos);
    std::filesystem::create_directory(path("a.obj"));
    EXPECT_NE(file_error_of([&] { write_mesh(path("a.obj"), sample_mesh()); }).find("directory"),
              std::string::npos);
    std::filesystem::create_symlink("/dev/full", path("full.obj"));
    EXPECT_NE(
        file_error_of([&] { write_mesh(path("full.obj"), sample_mesh()); }).find("No space left"),
        std::string::npos);
}

TEST_F(MeshFile, AMeshThatIsNotSoundIsNeverWritten) {
    const std::function<void(PolygonMesh&)> spoilers[] = {
        [](PolygonMesh& m) { m.positions[1].y = std::numeric_limits<double>::quiet_NaN(); },
        [](PolygonMesh& m) { m.texcoords[0].x = std::numeric_limits<double>::infinity(); },
        [](PolygonMesh& m) { m.corner_vertex[2] = 6; },
        [](PolygonMesh& m) { m.corner_vertex[2] = -1; },
        [](PolygonMesh& m) { m.corner_texcoord[2] = 7; },
        [](PolygonMesh& m) { m.corner_texcoord.pop_back(); },
        [](PolygonMesh& m) { m.face_begin[1] = 2; },
        [](PolygonMesh& m) { m.face_begin.pop_back(); },
        [](PolygonMesh& m) { m.face_begin.clear(); },
        [](PolygonMesh& m) {
            m.face_group = {0, 0, 0};
        },
        [](PolygonMesh& m) {
            m.face_group = {-1, -1};
        },
        [](PolygonMesh& m) { m.vertex_maps["red"] = {1}; },
        [](PolygonMesh& m) {
            m.vertex_maps["red"].assign(6, std::numeric_limits<double>::quiet_NaN());
        },
    };
    for (const auto& spoil : spoilers)
        for (const char* name : {"a.obj", "a.ply", "a.off"}) {
            PolygonMesh mesh = textured_mesh();
            spoil(mesh);
            EXPECT_THROW(write_mesh(path(name), mesh), std::logic_error);
        }
    EXPECT_EQ(files(), 0u);
}

TEST_F(MeshFile, FormatsAgree) {
    write_mesh(path("a.obj"), textured_mesh());
    write_mesh(path("a.ply"), read_mesh(path("a.obj")));
    write_mesh(path("a.off"), read_mesh(path("a.ply")));
    const PolygonMesh ply = read_mesh(path("a.ply")), off = read_mesh(path("a.off"));
    expect_same_texcoords(ply, textured_mesh());
    expect_same_positions(off, sample_mesh());
    expect_same_polygons(off, sample_mesh());
}

TEST(MeshConvert, UnitsAndAxes) {
    PolygonMesh mesh;
    mesh.positions = {{100, 200, 300}};
    to_metres_y_up(mesh, 0.01, true);
    EXPECT_DOUBLE_EQ(mesh.positions[0].x, 1);
    EXPECT_DOUBLE_EQ(mesh.positions[0].y, 3);
    EXPECT_DOUBLE_EQ(mesh.positions[0].z, -2);
}

TEST(MeshConvert, OneUnitAndYUpChangeNothing) {
    PolygonMesh mesh = sample_mesh();
    to_metres_y_up(mesh, 1, false);
    expect_same_positions(mesh, sample_mesh());
}

TEST(MeshConvert, TheTurnKeepsHandedness) {
    PolygonMesh mesh;
    mesh.positions = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    to_metres_y_up(mesh, 1, true);
    EXPECT_EQ(dot(cross(mesh.positions[0], mesh.positions[1]), mesh.positions[2]), 1);
    EXPECT_EQ(mesh.positions[2].y, 1) << "up is up";
}

TEST(MeshConvert, AUnitIsAPositiveLength) {
    PolygonMesh mesh = sample_mesh();
    for (double unit : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
        EXPECT_THROW(to_metres_y_up(mesh, unit, false), std::logic_error);
    }
}

} // namespace
} // namespace muslin::test
