#include "cli/command_line.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace {

using muslin::testing::muslin;
using muslin::testing::Outcome;
using muslin::testing::Scratch;
using Json = nlohmann::json;

constexpr const char* scene = "run two-corner-sheet --frames 3 --quiet --set "
                              "cloth.sheet.mesh.vertices=100 -o ";

std::string contents(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

void expect_refusal(const Outcome& outcome, int code, std::initializer_list<const char*> words) {
    EXPECT_EQ(outcome.code, code) << outcome.text;
    for (const char* word : words)
        EXPECT_NE(outcome.text.find(word), std::string::npos) << word << ": " << outcome.text;
}

TEST(Convert, RunExportsWhatConvertMakesOfItsDirectory) {
    const Scratch scratch("export");
    const std::string out = scratch / "out";
    const Outcome outcome = muslin(scene + out + " --export mdd,obj,ply --export usda,glb,vtu");
    ASSERT_EQ(outcome.code, 0) << outcome.text;
    EXPECT_EQ(outcome.text, "");
    for (const char* file : {"sheet.mdd", "obj/sheet.0000.obj", "obj/sheet.0003.obj",
                             "ply/sheet.0003.ply", "two-corner-sheet.usda", "two-corner-sheet.glb",
                             "vtu/two-corner-sheet.pvd", "vtu/two-corner-sheet/sheet.0003.vtu"})
        EXPECT_TRUE(std::filesystem::exists(out + "/" + file)) << file;
    const auto same = [&](const std::string& name, const std::string& exported) {
        const Outcome made = muslin("convert " + out + " " + (scratch / name));
        EXPECT_EQ(made.code, 0) << made.text;
        EXPECT_EQ(contents(scratch / name), contents(out + "/" + exported)) << name;
    };
    same("a.mdd", "sheet.mdd");
    same("a.usda", "two-corner-sheet.usda");
    same("a.glb", "two-corner-sheet.glb");
    // By way of another cache and its mesh: the same points.
    ASSERT_EQ(muslin("convert " + (scratch / "a.mdd") + " " + (scratch / "b.pc2")).code, 0);
    EXPECT_EQ(contents(scratch / "b.pc2"), contents(out + "/sheet.pc2"));
    ASSERT_EQ(muslin("convert '" + out + "/obj/sheet.####.obj' " + (scratch / "c.pc2")).code, 0);
    EXPECT_EQ(contents(scratch / "c.pc2"), contents(out + "/sheet.pc2"));
}

TEST(Convert, ANewRunRemovesTheExportsOfTheOldOne) {
    const Scratch scratch("stale");
    const std::string out = scratch / "out";
    ASSERT_EQ(muslin(scene + out + " --export mdd,obj,usda,vtu").code, 0);
    scratch.write("out/obj/mine.obj", "v 0 0 0\n");
    ASSERT_EQ(muslin("run two-corner-sheet --frames 1 --quiet --export obj --set "
                     "cloth.sheet.mesh.vertices=100 -o " +
                     out)
                  .code,
              0);
    EXPECT_TRUE(std::filesystem::exists(out + "/obj/sheet.0001.obj"));
    EXPECT_TRUE(std::filesystem::exists(out + "/obj/mine.obj")) << "not ours";
    for (const char* file : {"obj/sheet.0002.obj", "sheet.mdd", "two-corner-sheet.usda", "vtu"})
        EXPECT_FALSE(std::filesystem::exists(out + "/" + file)) << file;
}

TEST(Convert, ARunThatIsKilledLeavesNoExportsOfTheOneBefore) {
    const Scratch scratch("killed");
    const std::string out = scratch / "out";
    ASSERT_EQ(muslin(scene + out + " --export mdd").code, 0);
    const std::string command = std::string("timeout -s KILL 1 ") + muslin::test::program() +
                                " run two-corner-sheet --frames 100000 --quiet --set "
                                "cloth.sheet.mesh.vertices=100 --set time.frame_rate=60 -o " +
                                out + " 2> " + (scratch / "words");
    EXPECT_NE(std::system(command.c_str()), 0);
    EXPECT_FALSE(std::filesystem::exists(out + "/sheet.mdd"));
    const Outcome info = muslin("info --json " + out);
    ASSERT_EQ(info.code, 0) << info.text;
    EXPECT_EQ(Json::parse(info.text)["frame_rate"], 60);
    EXPECT_GT(Json::parse(info.text)["frames"], 1);
}

TEST(Convert, InfoSaysWhatAFileIs) {
    const Scratch scratch("info");
    const std::string out = scratch / "out";
    ASSERT_EQ(muslin(scene + out + " --export mdd,usda,glb,vtu,obj").code, 0);
    const auto info = [&](const std::string& file) {
        const Outcome outcome = muslin("info --json " + out + "/" + file);
        EXPECT_EQ(outcome.code, 0) << outcome.text;
        EXPECT_EQ(muslin("info " + out + "/" + file).code, 0);
        return Json::parse(outcome.text);
    };
    EXPECT_EQ(info("sheet.mdd")["samples"], 4);
    EXPECT_NEAR(info("sheet.mdd")["frame_rate"], 30, 1e-3);
    EXPECT_EQ(info("two-corner-sheet.usda")["endTimeCode"], "3");
    EXPECT_EQ(info("two-corner-sheet.usda")["meshes"][0]["name"], "sheet");
    EXPECT_EQ(info("two-corner-sheet.glb")["meshes"][0]["targets"], 3);
    EXPECT_EQ(info("two-corner-sheet.glb")["clips"][0]["keys"], 4);
    EXPECT_EQ(info("two-corner-sheet.glb")["clips"][0]["seconds"], 0.1);
    EXPECT_EQ(info("vtu/two-corner-sheet.pvd")["times"], 4);
    EXPECT_EQ(info("vtu/two-corner-sheet/sheet.0001.vtu")["vertices"], "100");
    EXPECT_EQ(info("vtu/two-corner-sheet/sheet.0001.vtu")["fields"][0], "stretch");
    EXPECT_EQ(info("")["objects"][0]["moving"], true);
    EXPECT_EQ(info("obj")["frames"], 4);
    const std::string drape = scratch / "drape";
    ASSERT_EQ(muslin("run drape-sphere --frames 1 --quiet --set cloth.sheet.mesh.resolution=8 -o " +
                     drape)
                  .code,
              0);
    const Json fields = Json::parse(muslin("info --json " + drape + "/sheet.fields").text);
    EXPECT_EQ(fields["samples"], 2);
    EXPECT_EQ(fields["points"], 64);
    EXPECT_EQ(fields["fields"][0], "contact");
    const std::string foreign = scratch.write("x.glb", "not a glTF file at all, but long enough");
    expect_refusal(muslin("info " + foreign), 2, {"x.glb", "glTF 2.0"});
    expect_refusal(muslin("info " + scratch.write("x.usda", "PXR-USDC")), 2, {"#usda"});
    expect_refusal(muslin("info " + scratch.write("x.pvd", "<xml/>")), 2, {"VTK collection"});
    expect_refusal(muslin("info " + (scratch / "none.usda")), 4, {"none.usda"});
}

// A value as long as a file took all of the stack.
TEST(Convert, InfoOfFilesWithEndlessLines) {
    const Scratch scratch("endless");
    const std::string run = "type=\"Collection\" <DataSet timestep=\"" + std::string(2000000, '1');
    const std::string end = "\n</VTKFile>\n";
    EXPECT_EQ(muslin("info " + scratch.write("a.pvd", run + end)).code, 0);
    EXPECT_EQ(muslin("info " + scratch.write("b.pvd", run + "\" name=\"x\"/>" + end)).code, 0);
    expect_refusal(muslin("info " + scratch.write("c.vtu", run)), 2, {"unstructured grid"});
    const Outcome usda = muslin("info " + scratch.write("d.usda", "#usda 1.0\nmeshes = 3\n"
                                                                  "def Mesh \"a\"\n{\n}\n"));
    EXPECT_EQ(usda.code, 0) << usda.text;
    EXPECT_NE(usda.text.find("'a'"), std::string::npos) << usda.text;
}

TEST(Convert, FramesFormatsAndObjects) {
    const Scratch scratch("select");
    const std::string out = scratch / "out";
    ASSERT_EQ(
        muslin("run drape-sphere --frames 2 --quiet --set cloth.sheet.mesh.resolution=8 -o " + out)
            .code,
        0);
    ASSERT_EQ(muslin("convert --frame 1 " + out + " " + (scratch / "one.usda")).code, 0);
    EXPECT_EQ(contents(scratch / "one.usda").find("timeSamples"), std::string::npos);
    ASSERT_EQ(muslin("convert " + out + " --cloth ball " + (scratch / "ball.off")).code, 0);
    EXPECT_EQ(Json::parse(muslin("info --json " + (scratch / "ball.off")).text)["vertices"], 322);
    ASSERT_EQ(muslin("convert " + out + " " + (scratch / "last.vtu")).code, 0)
        << "the only cloth, at the last frame";
    ASSERT_EQ(muslin("convert " + out + " --format obj " + (scratch / "seq")).code, 0);
    EXPECT_TRUE(std::filesystem::exists(scratch / "seq/body-ball.obj"));
    std::filesystem::create_directory(scratch / "into");
    ASSERT_EQ(muslin("convert " + (scratch / "seq") + " --format glb " + (scratch / "into")).code,
              0);
    EXPECT_TRUE(std::filesystem::exists(scratch / "into/seq.glb")) << "named after the folder";
    ASSERT_EQ(muslin("convert " + (scratch / "ball.off") + " " + (scratch / "ball.glb")).code, 0)
        << "a mesh is an animation of one frame";
}

TEST(Convert, AFolderIsMadeWhereAFormatIsOneFileToo) {
    const Scratch scratch("folders");
    const std::string out = scratch / "out";
    ASSERT_EQ(muslin(scene + out).code, 0);
    for (const char* file : {"new-usda/two-corner-sheet.usda", "new-glb/two-corner-sheet.glb",
                             "new-vtu/two-corner-sheet.pvd", "new-mdd/sheet.mdd"}) {
        const std::string folder = std::string(file).substr(0, std::string(file).find('/'));
        const Outcome made =
            muslin("convert " + out + " " + (scratch / folder) + " --format " + folder.substr(4));
        EXPECT_EQ(made.code, 0) << made.text;
        EXPECT_TRUE(std::filesystem::exists(scratch / file)) << file;
    }
}

TEST(Convert, InfoRefusesFilesThatAreCutOff) {
    const Scratch scratch("cut");
    const std::string out = scratch / "out";
    ASSERT_EQ(muslin(scene + out + " --export usda,glb,vtu").code, 0);
    for (const char* name : {"two-corner-sheet.usda", "two-corner-sheet.glb",
                             "vtu/two-corner-sheet.pvd", "vtu/two-corner-sheet/sheet.0001.vtu"}) {
        const std::string file = out + "/" + name;
        std::filesystem::resize_file(file, std::filesystem::file_size(file) * 3 / 4);
        expect_refusal(muslin("info " + file), 2, {name, "expected"});
    }
}

TEST(Convert, WhatIsMissingIsSaid) {
    const Scratch scratch("refuse");
    const std::string out = scratch / "out";
    ASSERT_EQ(muslin(scene + out).code, 0);
    expect_refusal(muslin("run two-corner-sheet --export mdd,ubj -o " + (scratch / "no")), 2,
                   {"--export", "pc2, mdd, obj", "'ubj'", "did you mean 'obj'"});
    EXPECT_FALSE(std::filesystem::exists(scratch / "no")) << "before anything is simulated";
    std::filesystem::copy_file(out + "/sheet.pc2", scratch / "alone.pc2");
    expect_refusal(muslin("convert " + (scratch / "alone.pc2") + " " + (scratch / "a.glb")), 2,
                   {"alone.pc2", "--mesh", "glb", "no alone.obj"});
    expect_refusal(muslin("convert " + (scratch / "alone.pc2") + " " + (scratch / "a.obj")), 2,
                   {"alone.pc2", "--mesh", "no alone.obj"});
    EXPECT_EQ(muslin("convert " + (scratch / "alone.pc2") + " --mesh " + out + "/sheet.obj " +
                     (scratch / "a.glb"))
                  .code,
              0);
    expect_refusal(muslin("convert " + out + " " + (scratch / "a.xyz")), 2, {"a.xyz", "'.xyz'"});
    expect_refusal(muslin("convert " + out + " --format abc " + (scratch / "a")), 2,
                   {"--format", "'abc'"});
    expect_refusal(muslin("convert " + out + " --frame 9 " + (scratch / "a.obj")), 2,
                   {"--frame", "0 to 3", "9"});
    expect_refusal(muslin("convert " + out + " --cloth shirt " + (scratch / "a.glb")), 2,
                   {"--cloth", "'sheet'", "'shirt'"});
    expect_refusal(muslin("convert " + (scratch / "none.pc2") + " " + (scratch / "a.mdd")), 4,
                   {"none.pc2"});
    expect_refusal(muslin("convert " + out + " " + (scratch / "no/such/a.glb")), 4, {"a.glb"});
    expect_refusal(muslin("convert " + out + " /dev/full.pvd"), 4, {"/dev/full"});
    const std::string cut = scratch.write("cut.mdd", contents(out + "/sheet.pc2").substr(0, 500));
    expect_refusal(muslin("convert " + cut + " " + (scratch / "a.pc2")), 2, {"cut.mdd"});
}

} // namespace
