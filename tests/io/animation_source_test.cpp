#include "animation_samples.h"

#include "muslin/io/mesh_file.h"

#include <fstream>

namespace muslin::test {
namespace {

using AnimationSources = TemporaryDirectory;

/// Positions of every frame are those of the sample animation, as floats or in full.
void expect_sample(AnimationSource& source, std::size_t object, int frames, bool floats) {
    ASSERT_EQ(source.frames(), frames);
    std::vector<Vec3> positions;
    for (int frame = frames - 1; frame >= 0; --frame) {
        source.read(object, frame, positions);
        ASSERT_EQ(positions.size(), 11u);
        for (std::size_t i = 0; i < 11; ++i) {
            const Vec3 p = SampleAnimation::moved(seamed_mesh().positions[i], frame);
            for (int axis = 0; axis < 3; ++axis)
                EXPECT_EQ(positions[i][axis],
                          floats ? static_cast<double>(static_cast<float>(p[axis])) : p[axis]);
        }
    }
}

TEST_F(AnimationSources, CachesTakeTheMeshBesideThem) {
    SampleAnimation sample(5, false);
    write_mesh(path("sheet.obj"), seamed_mesh());
    for (const char* name : {"sheet.pc2", "sheet.mdd"}) {
        write_animation(*animation_format_of(name), path(name), sample);
        const auto source = open_animation(path(name));
        expect_sample(*source, 0, 5, true);
        EXPECT_EQ(source->objects()[0].name, "sheet");
        expect_same_polygons(source->objects()[0].mesh, seamed_mesh());
    }
    EXPECT_EQ(open_animation(path("sheet.mdd"))->frame_rate(), 25) << "from the times";
    EXPECT_EQ(open_animation(path("sheet.pc2"))->frame_rate(), 30) << "the format does not say";
    AnimationOpenOptions options;
    options.frame_rate = 12;
    options.mesh = path("other.ply");
    PolygonMesh other = seamed_mesh();
    write_mesh(options.mesh, other);
    EXPECT_EQ(open_animation(path("sheet.pc2"), options)->frame_rate(), 12);
    EXPECT_EQ(open_animation(path("sheet.mdd"), options)->frame_rate(), 25) << "it knows better";
    // The report of the run is enough: what else lies there may be broken.
    std::ofstream(path("report.json")) << "{\"frame_rate\": 50}";
    std::ofstream(path("broken.obj")) << "no mesh";
    std::ofstream(path("broken.pc2")) << "no cache";
    EXPECT_EQ(open_animation(path("sheet.pc2"), options)->frame_rate(), 50);
    other.positions.push_back({0, 0, 0});
    write_mesh(options.mesh, other);
    EXPECT_PROBLEM(problem_of([&] { open_animation(path("sheet.pc2"), options); }),
                   path("sheet.pc2").string(), 0, "points", "the 12 vertices of", "11");
}

TEST_F(AnimationSources, ACacheWithoutMeshBecomesAnotherCache) {
    SampleAnimation sample(3, false);
    write_animation(AnimationFormat::pc2, path("a.pc2"), sample);
    const auto source = open_animation(path("a.pc2"));
    EXPECT_EQ(source->objects()[0].mesh.face_count(), 0);
    write_animation(AnimationFormat::mdd, path("b.mdd"), *source);
    expect_sample(*open_animation(path("b.mdd")), 0, 3, true);
}

TEST_F(AnimationSources, SequencesByPatternAndByFolder) {
    SampleAnimation sample(12);
    write_animation(AnimationFormat::ply, path("meshes"), sample);
    const auto folder = open_animation(path("meshes"));
    ASSERT_EQ(folder->objects().size(), 2u);
    EXPECT_EQ(folder->objects()[0].name, "sheet");
    EXPECT_EQ(folder->objects()[1].name, "body-rock");
    EXPECT_TRUE(folder->objects()[1].is_body);
    EXPECT_FALSE(folder->objects()[1].moves);
    expect_sample(*folder, 0, 12, false);
    ASSERT_EQ(folder->objects()[0].fields, (std::vector<std::string>{"height", "speed"}));
    std::vector<double> values;
    folder->read_field(0, 1, 7, values);
    EXPECT_EQ(values[10], 7.5);
    std::filesystem::remove(path("meshes/body-rock.ply"));
    const auto pattern = open_animation(path("meshes/sheet.#.ply"));
    expect_sample(*pattern, 0, 12, false);
    EXPECT_EQ(pattern->name(), "sheet");
}

TEST_F(AnimationSources, SequencesThatAreNone) {
    SampleAnimation sample(4, false);
    write_animation(AnimationFormat::obj, path("a"), sample);
    const std::string folder = path("a").string();
    std::filesystem::rename(path("a/sheet.0002.obj"), path("x.obj"));
    EXPECT_PROBLEM(problem_of([&] { open_animation(folder); }), folder, 0, "sheet",
                   "every frame from 0 to 3", "no sheet.0002.obj");
    const std::string pattern = path("a/sheet.####.obj").string();
    EXPECT_PROBLEM(problem_of([&] { open_animation(pattern); }), folder, 0, "sheet", "every frame",
                   "no sheet.0002.obj");
    std::vector<Vec3> positions;
    // Other polygons, then other vertices, in the middle.
    PolygonMesh mesh = seamed_mesh();
    std::swap(mesh.corner_vertex[0], mesh.corner_vertex[1]);
    write_mesh(path("a/sheet.0002.obj"), mesh);
    const std::string third = path("a/sheet.0002.obj").string();
    EXPECT_PROBLEM(problem_of([&] { open_animation(folder)->read(0, 2, positions); }), third, 0,
                   "faces", "the polygons of the first frame", "others");
    mesh = seamed_mesh();
    mesh.positions.push_back({1, 2, 3});
    write_mesh(path("a/sheet.0002.obj"), mesh);
    EXPECT_PROBLEM(problem_of([&] { open_animation(folder)->read(0, 2, positions); }), third, 0,
                   "vertices", "11, as in the first frame", "12");
    EXPECT_THROW(open_animation(path("missing/a.##.obj")), FileError);
    EXPECT_PROBLEM(problem_of([&] { open_animation(path("a/b.##.obj")); }),
                   path("a/b.##.obj").string(), 0, "", "numbers in place of the #", "none");
    EXPECT_PROBLEM(problem_of([&] { open_animation("a.#.#.obj"); }), "a.#.#.obj", 0, "",
                   "one row of #", "more than one");
    std::filesystem::create_directory(path("empty"));
    EXPECT_PROBLEM(problem_of([&] { open_animation(path("empty")); }), path("empty").string(), 0,
                   "", "the directory of a run, or a folder with a sequence", "neither");
}

TEST_F(AnimationSources, SequencesOfUnequalLengthOrOfOneName) {
    SampleAnimation sample(3, false);
    write_animation(AnimationFormat::obj, path("a"), sample);
    write_mesh(path("a/other.0.obj"), seamed_mesh());
    write_mesh(path("a/other.1.obj"), seamed_mesh());
    EXPECT_PROBLEM(problem_of([&] { open_animation(path("a")); }), path("a").string(), 0, "sheet",
                   "2 frames", "3");
    std::filesystem::remove(path("a/other.0.obj"));
    std::filesystem::remove(path("a/other.1.obj"));
    write_animation(AnimationFormat::ply, path("a"), sample);
    EXPECT_PROBLEM(problem_of([&] { open_animation(path("a")); }), path("a").string(), 0, "sheet",
                   "one mesh or sequence", "two");
}

TEST_F(AnimationSources, SelectionsOfObjectAndFrame) {
    const auto sample = [] { return std::make_unique<SampleAnimation>(6); };
    const auto body = select_object(sample(), "rock");
    ASSERT_EQ(body->objects().size(), 1u);
    EXPECT_EQ(body->objects()[0].name, "body-rock");
    const auto one = select_frame(sample(), 4);
    EXPECT_EQ(one->frames(), 1);
    EXPECT_FALSE(one->objects()[0].moves);
    std::vector<Vec3> positions;
    one->read(0, 0, positions);
    EXPECT_EQ(positions[3].y, SampleAnimation::moved(seamed_mesh().positions[3], 4).y);
    EXPECT_EQ(one->objects()[0].mesh.positions[3].y, positions[3].y);
    std::vector<double> values;
    one->read_field(0, 1, 0, values);
    EXPECT_EQ(values[0], 4.5);
    EXPECT_PROBLEM(problem_of([&] { select_frame(sample(), 6); }), "sample", 0, "--frame", "0 to 5",
                   "6");
    EXPECT_PROBLEM(problem_of([&] { select_object(sample(), "shet"); }), "sample", 0, "--cloth",
                   "'sheet', 'body-rock'", "'shet'");
}

} // namespace
} // namespace muslin::test
