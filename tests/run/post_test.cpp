// Runs that are pushed out of their bodies afterwards.
#include "muslin/run/post_run.h"

#include "mesh/mesh_testing.h"
#include "muslin/base/error.h"
#include "muslin/io/mesh_file.h"
#include "muslin/io/run_reader.h"
#include "muslin/math/rotation.h"
#include "muslin/mesh/generators.h"
#include "muslin/mesh/penetration.h"
#include "muslin/model/build_model.h"
#include "muslin/scene/build_scene.h"
#include "muslin/scene/load.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace muslin {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr double radius = 0.3; // of the ball [m]

/// A wrinkled sheet on a ball that was pressed into it: `frames` frames in which the wrinkles grow,
/// and the ball moves along x when `moving`.
class PostTest : public ::testing::Test {
protected:
    PostTest() : folder_(fs::temp_directory_path() / ("muslin-post-" + std::to_string(getpid()))) {
        fs::remove_all(folder_);
        fs::create_directories(folder_ / "run");
    }
    ~PostTest() override { fs::remove_all(folder_); }

    static Vec3 center(int frame, bool moving) { return {moving ? 0.02 * frame : 0, 0, 0}; }
    /// How the ball of a moving run is turned.
    static Mat3 turn(int frame) { return rotation_degrees({10.0 * frame, 30.0 * frame, 0}); }

    static std::vector<Vec3> sheet_at(int n, int frame, bool moving) {
        std::vector<Vec3> x;
        for (int v = 0; v < n * n; ++v) {
            const double s = static_cast<double>(v % n) / (n - 1) - 0.5;
            const double t = static_cast<double>(v / n) / (n - 1) - 0.5;
            const double height =
                -2.2e-3 + 1e-3 * (1 + 0.2 * frame) * std::sin(50 * s + 9 * t) * std::cos(24 * t);
            x.push_back(center(frame, moving) + (radius + height) * normalized(Vec3{s, t, 0.8}));
        }
        return x;
    }

    void write_run(int n, int frames, bool moving = false, const std::string& more = "") {
        const TriangleMesh flat = testing::waved_sheet(n, [](double, double) { return 0.0; });
        PolygonMesh mesh;
        mesh.positions = sheet_at(n, 0, false);
        for (const auto& t : flat.triangles) {
            mesh.corner_vertex.insert(mesh.corner_vertex.end(), t.begin(), t.end());
            mesh.face_begin.push_back(static_cast<int>(mesh.corner_vertex.size()));
        }
        write_mesh(run() / "sheet.obj", mesh);
        const PolygonMesh ball = make_sphere({radius, 60, 120});
        write_mesh(run() / "body-ball.obj", ball);
        Pc2Writer cache(run() / "sheet.pc2", n * n);
        FieldCacheWriter fields(run() / "sheet.fields", n * n, {"contact"});
        std::optional<Pc2Writer> body;
        if (moving)
            body.emplace(run() / "body-ball.pc2", static_cast<int>(ball.positions.size()));
        std::ofstream stats(run() / "stats.jsonl");
        for (int f = 0; f <= frames; ++f) {
            cache.append(sheet_at(n, f, moving));
            const std::vector<double> contact(static_cast<std::size_t>(n) * n, f);
            fields.append(std::span(&contact, 1));
            std::vector<Vec3> x = ball.positions;
            for (Vec3& p : x)
                p = center(f, moving) + turn(f) * p;
            if (body)
                body->append(x);
            if (f > 0)
                stats << "{\"frame\": " << f << ", \"time\": " << f / 25.0
                      << ", \"steps\": 7, \"body_intersections\": 999}\n";
        }
        std::ofstream(run() / "report.json")
            << R"({"scene": "press", "frame_rate": 25, "frames": )" << frames
            << R"(, "cloths": [{"name": "sheet", "thickness": 0.0014, "rest": "positions"}],)"
            << R"("bodies": [{"name": "ball"}], "limits": {"body_intersections": 0})" << more
            << "}";
    }

    fs::path run() const { return folder_ / "run"; }
    PostOptions options() const {
        PostOptions out;
        out.run = run();
        out.directory = folder_ / "out";
        out.level_sets.voxel = 0.004;
        out.level_sets.cache = "none";
        return out;
    }
    Json report() const {
        std::ifstream stream(folder_ / "out/report.json");
        return Json::parse(stream);
    }

    fs::path folder_;
};

TEST_F(PostTest, KeepsFoldsOfTenThousandVerticesOutsideTheBody) {
    write_run(101, 2);
    const PostResult result = post_run(options());
    EXPECT_DOUBLE_EQ(result.band.epsilon, 0.7e-3) << "half of the cloth's thickness";
    EXPECT_NEAR(result.band.depth, 2.2e-3 + 1.4e-3, 2e-4) << "of all frames";
    EXPECT_TRUE(result.passed);
    EXPECT_EQ(result.worst.body_intersections, 0);
    EXPECT_EQ(result.worst.self_intersections, 0);
    EXPECT_EQ(result.worst.body_penetration_max, 0.0);
    EXPECT_GT(result.summary.deepest_before, 3e-3);
    EXPECT_EQ(result.summary.unreached, 0u);
    const WrinkleHeight& w = result.summary.wrinkle;
    EXPECT_GT(w.after, 0.6 * w.before);
    EXPECT_LT(w.plain, 0.2 * w.before);

    // What is on the disk says so too.
    RunReader out(folder_ / "out");
    ASSERT_EQ(out.frames(), 3);
    EXPECT_EQ(out.frame_rate(), 25);
    EXPECT_TRUE(out.certificate()->passed);
    const Json json = report();
    EXPECT_EQ(json["post"]["pinched"], 0);
    EXPECT_EQ(json["post"]["vertices"], 10201);
    EXPECT_GT(json["post"]["wrinkle"]["after"], json["post"]["wrinkle"]["plain"]);
    std::vector<Vec3> before, after;
    RunReader in(run());
    const TriangleMesh ball = triangulate(out.bodies()[0].mesh());
    for (int f = 0; f < 3; ++f) {
        in.cloths()[0].read(f, before);
        out.cloths()[0].read(f, after);
        EXPECT_EQ(count_intersections_between({after, out.cloths()[0].triangles().triangles},
                                              {ball.positions, ball.triangles}),
                  0u);
        // Each point goes straight out, and no point overtakes another.
        std::vector<std::array<double, 2>> heights;
        for (std::size_t v = 0; v < after.size(); ++v) {
            EXPECT_LT(norm(cross(normalized(before[v]), normalized(after[v]))), 1e-3);
            heights.push_back({norm(before[v]) - radius, norm(after[v]) - radius});
        }
        std::sort(heights.begin(), heights.end());
        // The grid's distance differs from the ball's by a few hundredths of a millimetre.
        for (std::size_t v = 0; v + 1 < heights.size(); ++v)
            ASSERT_GT(heights[v + 1][1] - heights[v][1], -0.15e-3);
        EXPECT_GT(heights.front()[1], 0.6e-3);
    }
    // The lines keep what they said of the simulation.
    ASSERT_EQ(out.figures().size(), 2u);
    EXPECT_EQ(out.figures()[1].steps, 7);
    EXPECT_EQ(out.figures()[1].body_intersections, 0);
}

TEST_F(PostTest, FollowsAMovingBodyAndSubdivides) {
    write_run(31, 2, true);
    PostOptions o = options();
    o.post.subdivide = 1;
    int surveyed = 0, posted = 0;
    o.progress = [&](const char* pass, int frame, int frames, const PostFrame* done) {
        EXPECT_EQ(frames, 2);
        (done ? posted : surveyed) += 1;
        EXPECT_STREQ(pass, done ? "post" : "survey");
        EXPECT_EQ(frame, (done ? posted : surveyed) - 1);
    };
    const PostResult result = post_run(o);
    EXPECT_EQ(surveyed, 3);
    EXPECT_EQ(posted, 3);
    EXPECT_EQ(result.worst.body_intersections, 0);
    EXPECT_EQ(result.summary.unreached, 0u);
    RunReader out(folder_ / "out");
    EXPECT_EQ(out.cloths()[0].mesh().positions.size(), 61u * 61u);
    EXPECT_EQ(report()["cloths"][0]["vertices"], 61 * 61);
    std::vector<Vec3> x, body;
    out.cloths()[0].read(2, x);
    out.bodies()[0].read(2, body);
    EXPECT_EQ(find_penetration(x, {body, out.bodies()[0].triangles().triangles}).inside, 0u);
    for (const Vec3& p : x)
        EXPECT_LT(norm(p - center(2, true)), radius + result.band.tau);
    std::vector<double> contact;
    ASSERT_TRUE(out.has_field(0, Field::contact));
    out.read_field(0, Field::contact, 2, contact);
    EXPECT_EQ(contact.size(), 61u * 61u);
    EXPECT_EQ(contact.back(), 2);
    // The finer cloth is judged by its own rest shape.
    EXPECT_LT(result.worst.stretch_max, 1.5);
}

TEST_F(PostTest, TakesTheFirstFramesAndWhatItIsTold) {
    write_run(31, 3);
    PostOptions o = options();
    o.frames = 1;
    o.post = {std::nullopt, 1e-3, 9e-3, 2e-3, 0};
    bool surveyed = false;
    o.progress = [&](const char*, int, int, const PostFrame* done) { surveyed |= !done; };
    const PostResult result = post_run(o);
    EXPECT_FALSE(surveyed) << "the depth is given";
    EXPECT_EQ(result.band.epsilon, 1e-3);
    EXPECT_EQ(result.band.tau, 9e-3);
    EXPECT_EQ(result.band.depth, 2e-3);
    EXPECT_EQ(RunReader(folder_ / "out").frames(), 2);
    EXPECT_EQ(report()["frames"], 1);
}

TEST_F(PostTest, RefusesWhatItCannotDo) {
    EXPECT_THROW(post_run(options()), InputError) << "no run";
    write_run(5, 1, false, ", \"ended\": false");
    EXPECT_THROW(post_run(options()), InputError) << "not ended";
    write_run(5, 1);
    PostOptions same = options();
    same.directory = run();
    EXPECT_THROW(post_run(same), InputError) << "onto itself";
    std::ofstream(folder_ / "file") << "text";
    PostOptions onto_file = options();
    onto_file.directory = folder_ / "file";
    bool surveyed = false;
    onto_file.progress = [&](const char*, int, int, const PostFrame*) { surveyed = true; };
    EXPECT_THROW(post_run(onto_file), FileError);
    EXPECT_FALSE(surveyed) << "said before the work";
    PostOptions none = options();
    none.run = folder_ / "nowhere";
    EXPECT_THROW(post_run(none), FileError);
    write_mesh(run() / "body-ball.obj", make_grid({}));
    EXPECT_THROW(post_run(options()), InputError) << "an open body";
    fs::remove(run() / "body-ball.obj");
    for (const char* text : {"", "{", "[]", "{\"ended\": 3}"}) {
        std::ofstream(run() / "report.json") << text;
        EXPECT_THROW(post_run(options()), InputError) << text;
    }
    std::ofstream(run() / "report.json") << R"({"scene": "press"})";
    EXPECT_THROW(post_run(options()), InputError) << "no bodies";
    EXPECT_FALSE(fs::exists(folder_ / "out")) << "nothing was written";
}

// A depth that no cloth has would else make a band of metres, and level sets of gigabytes.
TEST(PostProcess, TheBandEndsWhereScenesMayLetItEnd) {
    PostDescription post;
    post.depth = 0.5;
    EXPECT_EQ(fold_settings(post, {1e-3, 0, 0.01}).band.tau, 0.5);
    post.depth = 0.01;
    EXPECT_NEAR(fold_settings(post, {1e-3, 0, 0.01}).band.tau, 0.0005 + 4 * 0.0105, 1e-12);
}

/// Cloths sewn to each other are judged as the simulation judges them.
TEST(PostProcess, WeldsSeams) {
    const BuiltScene scene = build_scene(load_scene("sewn-panels"));
    std::vector<PostCloth> cloths;
    std::vector<std::vector<Vec3>> x;
    for (const Cloth& cloth : scene.model.cloths) {
        x.emplace_back();
        surface_positions(cloth, scene.start, x.back());
        cloths.push_back({cloth.surface.mesh, cloth.surface.rest, x.back()});
    }
    ASSERT_FALSE(scene.model.stitching.joints.empty());
    const Verdict expected = Judge(scene.model).judge(scene.start.positions, 0);
    PostProcess process(cloths, 0);
    process.take(x);
    const Verdict found = process.project_and_judge(nullptr, {}).verdict;
    EXPECT_EQ(found.self_intersections, expected.self_intersections);
    EXPECT_NEAR(found.stretch_max, expected.stretch_max, 1e-5);
    EXPECT_NEAR(found.principal_min, expected.principal_min, 1e-5);

    PostProcess finer(cloths, 2);
    finer.take(x);
    EXPECT_EQ(finer.triangles(), 16 * process.triangles());
    EXPECT_EQ(finer.project_and_judge(nullptr, {}).verdict.self_intersections, 0);
}

} // namespace
} // namespace muslin
