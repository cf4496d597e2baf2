#include "mesh_samples.h"

#include "muslin/io/atomic_file.h"
#include "muslin/io/mesh_file.h"
#include "muslin/io/run_reader.h"
#include "muslin/mesh/generators.h"

namespace muslin::test {
namespace {

constexpr int frames = 4;

/// A run in miniature: a sheet that is stretched by 5 % and moved by 0.1 m a frame, and a ball.
class RunReaderTest : public TemporaryDirectory {
protected:
    RunReaderTest() {
        mesh_ = make_grid({1, 1, 5, 5, Diagonals::alternating});
        write_mesh(path("sheet.obj"), mesh_);
        Pc2Writer cache(path("sheet.pc2"), 25);
        FieldCacheWriter fields(path("sheet.fields"), 25, {"contact", "pinch"});
        for (int frame = 0; frame < frames; ++frame) {
            cache.append(positions(frame));
            fields.append(std::vector{std::vector<double>(25, frame), std::vector<double>(25, 1)});
        }
        write_mesh(path("body-ball.obj"), make_sphere({}));
        write_mesh(path("stray.obj"), mesh_); // without a cache: no part of the run
        write_file_atomically(path("stats.jsonl"),
                              "{\"frame\":1,\"time\":0.04,\"steps\":3,\"seconds\":{\"total\":0.5},"
                              "\"energy\":{\"kinetic\":2},\"self_intersections\":7,"
                              "\"body_intersections\":null}\n{\"frame\":2,\"ti");
        write_file_atomically(path("report.json"), R"({"scene": "tiny", "frame_rate": 25,
            "self_intersections": 7, "body_intersections": null, "stretch_max": 1.05,
            "passed": true, "cloths": [{"name": "sheet", "rest": "texcoords"}]})");
    }
    std::vector<Vec3> positions(int frame) const {
        std::vector<Vec3> out;
        for (const Vec3& p : mesh_.positions)
            out.push_back({1.05 * p.x, 0.1 * frame, p.z});
        return out;
    }
    std::filesystem::path directory() const { return path("."); }

    PolygonMesh mesh_;
};

TEST_F(RunReaderTest, KnowsObjectsFramesAndCertificate) {
    RunReader run(directory());
    EXPECT_EQ(run.name(), "tiny");
    EXPECT_EQ(run.frames(), frames);
    EXPECT_EQ(run.frame_rate(), 25);
    ASSERT_EQ(run.cloths().size(), 1U);
    ASSERT_EQ(run.bodies().size(), 1U);
    EXPECT_EQ(run.cloths()[0].name(), "sheet");
    EXPECT_TRUE(run.cloths()[0].moves());
    EXPECT_EQ(run.bodies()[0].name(), "ball");
    EXPECT_FALSE(run.bodies()[0].moves());
    ASSERT_TRUE(run.certificate());
    EXPECT_EQ(run.certificate()->self_intersections, 7);
    EXPECT_FALSE(run.certificate()->body_intersections);
    EXPECT_TRUE(run.certificate()->passed);
    ASSERT_EQ(run.figures().size(), 1U); // the second line is not whole
    EXPECT_EQ(run.figures()[0].steps, 3);
    EXPECT_EQ(run.figures()[0].seconds, 0.5);
    EXPECT_EQ(run.figures()[0].kinetic, 2);
    EXPECT_EQ(run.figures()[0].self_intersections, 7);
    EXPECT_EQ(run.figures()[0].body_intersections, 0);
}

TEST_F(RunReaderTest, GivesPositionsAndFields) {
    RunReader run(directory());
    std::vector<Vec3> x;
    run.bodies()[0].read(3, x);
    EXPECT_EQ(x.size(), run.bodies()[0].mesh().positions.size());
    run.cloths()[0].read(2, x);
    EXPECT_NEAR(x[7].y, 0.2, 1e-7);
    std::vector<double> values;
    const auto expect_field = [&](Field field, int frame, double expected, double tolerance) {
        ASSERT_TRUE(run.has_field(0, field));
        run.read_field(0, field, frame, values);
        ASSERT_EQ(values.size(), 25U);
        for (const double value : values)
            EXPECT_NEAR(value, expected, tolerance) << info(field).name;
    };
    expect_field(Field::stretch, 1, 5, 1e-4);
    expect_field(Field::shear, 1, 0, 1e-4);
    expect_field(Field::bending, 1, 0, 1e-4);
    expect_field(Field::speed, 0, 0, 0);
    expect_field(Field::speed, 3, 2.5, 1e-5);
    expect_field(Field::contact, 3, 3, 0);
    EXPECT_FALSE(run.has_field(0, Field::seam));
    EXPECT_THROW(run.read_field(0, Field::seam, 0, values), std::out_of_range);
    EXPECT_TRUE(run.read_pinch(0, 1, values));
    EXPECT_EQ(values, std::vector<double>(25, 1));
}

TEST_F(RunReaderTest, WithoutReportOrFieldsTheRestIsThere) {
    for (const char* name : {"report.json", "stats.jsonl", "sheet.fields"})
        std::filesystem::remove(path(name));
    RunReader run(directory());
    EXPECT_FALSE(run.certificate());
    EXPECT_EQ(run.frame_rate(), 30);
    EXPECT_FALSE(run.has_field(0, Field::contact));
    EXPECT_TRUE(run.has_field(0, Field::stretch));
    std::vector<double> values;
    EXPECT_FALSE(run.read_pinch(0, 0, values));
}

TEST_F(RunReaderTest, AReportOfAnotherShapeIsNoTrouble) {
    write_file_atomically(path("report.json"),
                          R"({"scene": 3, "frames": "many", "cloths": [1, {"rest": 2}]})");
    EXPECT_EQ(RunReader(directory()).certificate()->frames, 0);
}

// Without it the frame rate and the shape at rest would be guesses, and colours wrong.
TEST_F(RunReaderTest, ADamagedReportIsRefused) {
    const std::string name = path("./report.json").string();
    for (const char* text : {"[]", "", "{\"frame_rate\": 2"}) {
        write_file_atomically(path("report.json"), text);
        EXPECT_PROBLEM(problem_of([&] { RunReader run(directory()); }), name, 0, "",
                       "the report of a run", *text == '[' ? "array" : "no JSON");
    }
    std::filesystem::remove(path("report.json"));
    std::filesystem::create_directory(path("report.json"));
    EXPECT_THROW(RunReader{directory()}, FileError);
}

TEST_F(RunReaderTest, ARunThatHasNotEndedIsReadAsItsReportSays) {
    write_file_atomically(path("report.json"), R"({"scene": "tiny", "frame_rate": 60,
        "cloths": [{"name": "sheet", "rest": "texcoords"}], "bodies": [], "ended": false})");
    RunReader run(directory());
    EXPECT_FALSE(run.certificate());
    EXPECT_EQ(run.frame_rate(), 60);
    EXPECT_EQ(run.name(), "tiny");
    EXPECT_TRUE(run.bodies().empty()) << "the ball is no part of this run";
}

TEST_F(RunReaderTest, WhatTheReportListsMustBeThereAndNothingElse) {
    write_mesh(path("other.obj"), mesh_);
    std::filesystem::copy(path("sheet.pc2"), path("other.pc2"));
    EXPECT_EQ(RunReader(directory()).cloths().size(), 1U) << "of another run";
    write_file_atomically(path("report.json"),
                          R"({"cloths": [{"name": "sheet"}], "bodies": [{"name": "gone"}]})");
    EXPECT_PROBLEM(problem_of([&] { RunReader run(directory()); }), path(".").string(), 0, "",
                   "body-gone.obj", "missing");
}

TEST_F(RunReaderTest, FilesThatDoNotBelongTogetherAreRefused) {
    { FieldCacheWriter other(path("sheet.fields"), 24, {"contact"}); }
    EXPECT_PROBLEM(problem_of([&] { RunReader run(directory()); }), path("./sheet.fields").string(),
                   0, "points", "25 vertices of sheet.obj", "24");
    { Pc2Writer other(path("sheet.pc2"), 26); }
    EXPECT_PROBLEM(problem_of([&] { RunReader run(directory()); }), path("./sheet.pc2").string(), 0,
                   "points", "25 vertices of sheet.obj", "26");
    std::filesystem::remove(path("sheet.pc2"));
    EXPECT_PROBLEM(problem_of([&] { RunReader run(directory()); }), path(".").string(), 0, "",
                   "sheet.obj and sheet.pc2", "missing");
    std::filesystem::remove(path("report.json"));
    EXPECT_PROBLEM(problem_of([&] { RunReader run(directory()); }), path(".").string(), 0, "",
                   "NAME.obj and NAME.pc2", "no such pair");
    EXPECT_THROW(RunReader(path("nowhere")), FileError);
    EXPECT_THROW(RunReader(path("sheet.obj")), FileError);
}

TEST_F(RunReaderTest, ACutOffRunHasTheFramesThatAllFilesHave) {
    {
        FieldCacheWriter fields(path("sheet.fields"), 25, {"contact"});
        fields.append(std::vector(1, std::vector<double>(25, 0)));
        fields.append(std::vector(1, std::vector<double>(25, 0)));
    }
    EXPECT_EQ(RunReader(directory()).frames(), 2);
    { Pc2Writer empty(path("sheet.pc2"), 25); }
    EXPECT_THROW(RunReader{directory()}, InputError);
}

} // namespace
} // namespace muslin::test
