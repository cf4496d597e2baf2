#include "samples.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace fs = std::filesystem;

TEST(Run, WritesFilesAndACertificate) {
    const samples::Folder folder;
    muslin::Scene scene = samples::drape(8);
    scene.settings({.frames = 4});
    int frames = 0, told = 0;
    const muslin::Certificate certificate =
        muslin::run(scene, {.directory = folder.path(),
                            .progress = [&](const muslin::Progress& p) { told += p.most == 4; },
                            .frame =
                                [&](const muslin::FrameReport& report, const muslin::Verdict& v) {
                                    EXPECT_EQ(report.frame, ++frames);
                                    EXPECT_EQ(v.body_intersections, 0);
                                }});
    EXPECT_EQ(frames, 4);
    EXPECT_EQ(told, 4);
    EXPECT_EQ(certificate.frames, 4);
    EXPECT_TRUE(certificate.passed);
    EXPECT_EQ(certificate.hash, samples::hash_after(samples::drape(8), 4));
    for (const char* name : {"report.json", "stats.jsonl", "sheet.pc2", "body-ball.obj"})
        EXPECT_GT(fs::file_size(folder.path() / name), 0u) << name;
    const fs::path out = muslin::export_run(folder.path(), "usda");
    EXPECT_EQ(out, folder.path() / "drape.usda");
    EXPECT_GT(fs::file_size(out), 1000u);
}

TEST(Run, StopsAndResumesWithTheSameBits) {
    const samples::Folder folder;
    muslin::Scene scene = samples::drape(8);
    scene.settings({.frames = 4});
    int frames = 0;
    const muslin::Certificate part =
        muslin::run(scene, {.directory = folder.path(), .stop = [&] { return ++frames == 2; }});
    EXPECT_TRUE(part.interrupted);
    EXPECT_EQ(part.frames, 2);
    const muslin::Certificate whole =
        muslin::run(scene, {.directory = folder.path(), .resume = true});
    EXPECT_EQ(whole.frames, 4);
    EXPECT_EQ(whole.hash, samples::hash_after(samples::drape(8), 4));
}

TEST(Run, DoesNotResumeWithAnotherMesh) {
    const samples::Folder folder;
    const auto scene = [](double height) {
        muslin::Mesh sheet = samples::sheet(6);
        sheet.positions[0].y = height;
        muslin::Scene out("run");
        out.add(muslin::Cloth{.name = "sheet", .mesh = sheet}).settings({.frames = 2});
        return out;
    };
    int frames = 0;
    muslin::run(scene(0), {.directory = folder.path(), .stop = [&] { return ++frames == 1; }});
    EXPECT_THROW(muslin::run(scene(0.01), {.directory = folder.path(), .resume = true}),
                 muslin::InputError);
}

TEST(Picture, ShowsTheScene) {
    muslin::Simulation simulation(samples::drape(8));
    for (int i = 0; i < 10; ++i)
        simulation.step_frame();
    muslin::Picture plain;
    try {
        plain = muslin::render(simulation, {.width = 160, .height = 120});
    } catch (const muslin::FileError& error) {
        GTEST_SKIP() << error.what();
    }
    ASSERT_EQ(plain.rgb.size(), 3u * 160 * 120);
    const auto pixel = [](const muslin::Picture& picture, int x, int y) {
        const std::uint8_t* p = &picture.rgb[3 * (static_cast<std::size_t>(y) * picture.width + x)];
        return std::array<int, 3>{p[0], p[1], p[2]};
    };
    EXPECT_NE(pixel(plain, 80, 60), pixel(plain, 2, 2)); // cloth in the middle, nothing at the rim
    const muslin::Picture coloured =
        muslin::render(simulation, {.width = 160, .height = 120, .color = "stretch"});
    EXPECT_NE(coloured.rgb, plain.rgb);
    EXPECT_EQ(pixel(coloured, 2, 2), pixel(plain, 2, 2));
    EXPECT_THROW((void)muslin::render(simulation, {.width = 4}), muslin::InputError);
    EXPECT_THROW((void)muslin::render(simulation, {.color = "love"}), muslin::InputError);

    const samples::Folder folder;
    muslin::write_png(folder.path() / "picture.png", plain);
    std::ifstream file(folder.path() / "picture.png", std::ios::binary);
    std::string bytes(8, '\0');
    file.read(bytes.data(), 8);
    EXPECT_EQ(bytes.substr(1, 3), "PNG");
}
