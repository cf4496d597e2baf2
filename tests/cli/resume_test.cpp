// Runs that are killed, stopped, starved of room or branched, by the program itself: what comes out
// is what an undisturbed run gives, and every end has its exit code.
#include "cli/command_line.h"

#include "muslin/io/read_file.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace {

using muslin::read_file;
using muslin::testing::muslin;
using muslin::testing::Outcome;
using muslin::testing::run_command;
using muslin::testing::Scratch;
using Json = nlohmann::json;

std::string scene_of(int frames) {
    return "drape-sphere --set cloth.sheet.mesh.resolution=25 --threads 1 --quiet --frames " +
           std::to_string(frames);
}
const std::string scene = scene_of(24);

/// A command of bash in place of the program's name.
Outcome shell(const std::string& command) {
    return run_command("bash -c '" + command + "'");
}

std::string run_words(const std::string& directory) {
    return std::string(muslin::test::program()) + " run " + scene + " -o " + directory;
}

std::string hashes(const std::string& directory) {
    std::ifstream lines(directory + "/stats.jsonl");
    std::string out;
    for (std::string line; std::getline(lines, line);)
        out += Json::parse(line).at("hash").get<std::string>() + "\n";
    return out;
}

Json report_of(const std::string& directory) {
    return Json::parse(read_file(directory + "/report.json"));
}

/// An undisturbed run, once for all tests of a process.
class Endurance : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        folder_ = new Scratch("endurance");
        ASSERT_EQ(muslin("run " + scene + " -o " + whole()).code, 0);
    }
    static void TearDownTestSuite() { delete folder_; }
    static std::string whole() { return *folder_ / "whole"; }
    static std::string part(const std::string& name) { return *folder_ / name; }

    static void expect_whole(const std::string& directory) {
        EXPECT_EQ(hashes(directory), hashes(whole()));
        for (const char* file : {"/sheet.pc2", "/sheet.fields", "/sheet.obj"})
            EXPECT_TRUE(read_file(directory + file) == read_file(whole() + file)) << file;
        Json found = report_of(directory), expected = report_of(whole());
        for (Json* report : {&found, &expected})
            for (const char* key : {"seconds", "seconds_per_frame", "peak_memory_bytes", "resumed"})
                report->erase(key);
        EXPECT_EQ(found, expected);
        for (const auto& entry : std::filesystem::recursive_directory_iterator(directory))
            EXPECT_NE(entry.path().extension(), ".tmp") << "left behind: " << entry.path();
    }

private:
    static inline Scratch* folder_ = nullptr;
};

TEST_F(Endurance, KilledAtAnyMomentItGoesOn) {
    const std::string directory = part("killed");
    int kills = 0;
    Outcome last;
    do {
        // Later and later, so that it ends even where programs start slowly.
        last = shell("timeout -s KILL " + std::to_string(0.05 + 0.03 * kills) + " " +
                     run_words(directory) + " --resume");
        ++kills;
        ASSERT_TRUE(last.code == 0 || last.code == 137) << last.text;
    } while (last.code != 0 && kills < 200);
    EXPECT_GT(kills, 2);
    expect_whole(directory);
}

TEST_F(Endurance, ASignalEndsAfterTheFrame) {
    const std::pair<const char*, int> signals[] = {{"INT", 130}, {"TERM", 143}};
    for (const auto& [name, code] : signals) {
        const std::string directory = part(name);
        // As soon as there is a first frame.
        const Outcome stopped = shell(
            "set -m; " + run_words(directory) + " & p=$!; until [ -s " + directory +
            "/stats.jsonl ] || ! kill -0 $p; do sleep 0.01; done; kill -" + name + " $p; wait $p");
        EXPECT_EQ(stopped.code, code) << stopped.text;
        EXPECT_NE(stopped.text.find("--resume"), std::string::npos) << stopped.text;
        const Json report = report_of(directory);
        EXPECT_EQ(report.at("ended"), false);
        EXPECT_EQ(report.at("passed"), false);
        const int frames = report.at("frames");
        EXPECT_GT(frames, 0);
        EXPECT_LT(frames, 24);
        EXPECT_EQ(muslin("run " + scene + " --resume -o " + directory).code, 0);
        EXPECT_EQ(report_of(directory).at("resumed").at(0).at("frame"), frames);
        expect_whole(directory);
    }
}

TEST_F(Endurance, WithoutRoomItSaysSoAndGoesOnLater) {
    const std::string directory = part("full");
    const Outcome full = shell("ulimit -f 150; " + run_words(directory)); // blocks of 1,024 bytes
    EXPECT_EQ(full.code, 4) << full.text;
    EXPECT_NE(full.text.find("cannot be written: File too large"), std::string::npos) << full.text;
    EXPECT_FALSE(hashes(directory).empty());
    EXPECT_EQ(muslin("run " + scene + " --resume -o " + directory).code, 0);
    expect_whole(directory);
}

TEST_F(Endurance, AClosedPipeIsAnError) {
    const std::string directory = part("pipe");
    std::string words = run_words(directory);
    words.erase(words.find(" --quiet"), 8);
    const Outcome closed = shell(words + " | true; exit ${PIPESTATUS[0]}");
    EXPECT_EQ(closed.code, 4) << closed.text;
    EXPECT_NE(closed.text.find("standard output: cannot be written"), std::string::npos)
        << closed.text;
    EXPECT_EQ(muslin("run " + scene + " --resume -o " + directory).code, 0);
    expect_whole(directory);
}

TEST_F(Endurance, ASecondRunIntoOneDirectoryIsRefused) {
    const std::string directory = part("twice");
    std::filesystem::create_directories(directory + "/checkpoint");
    const Outcome second =
        shell("flock " + directory + "/checkpoint/lock -c \"" + run_words(directory) + "\"");
    EXPECT_EQ(second.code, 4) << second.text;
    EXPECT_NE(second.text.find("another run"), std::string::npos) << second.text;
    EXPECT_FALSE(std::filesystem::exists(directory + "/stats.jsonl"));
    EXPECT_EQ(muslin("run " + scene + " -o " + directory).code, 0); // the lock is no one's now
}

TEST_F(Endurance, AChangedSceneIsRefusedUnlessThatIsWanted) {
    const std::string directory = part("changed");
    ASSERT_EQ(muslin("run " + scene_of(12) + " -o " + directory).code, 0);
    const std::string before = hashes(directory);
    const std::string other =
        "run " + scene + " --set cloth.sheet.material.shear=300 --resume -o " + directory;
    const Outcome refused = muslin(other);
    EXPECT_EQ(refused.code, 2);
    for (const char* word : {"cloth.sheet.material.shear", "300", "was 1000", "--resume-changed"})
        EXPECT_NE(refused.text.find(word), std::string::npos) << word << " in " << refused.text;
    EXPECT_EQ(hashes(directory), before); // nothing is lost
    const Outcome wanted = muslin(other + " --resume-changed");
    EXPECT_EQ(wanted.code, 0) << wanted.text;
    const Json resumed = report_of(directory).at("resumed").at(0);
    EXPECT_EQ(resumed.at("frame"), 12);
    EXPECT_NE(resumed.at("changes").at(0).get<std::string>().find("shear: 300"), std::string::npos);
    const std::string after = hashes(directory);
    EXPECT_EQ(after.substr(0, before.size()), before);
    EXPECT_NE(after, hashes(whole()));
}

TEST_F(Endurance, ALongerRunGoesOnWithAFinishedOne) {
    const std::string directory = part("longer");
    ASSERT_EQ(muslin("run " + scene_of(9) + " -o " + directory).code, 0);
    EXPECT_EQ(muslin("run " + scene + " --resume -o " + directory).code, 0);
    Json report = report_of(directory);
    EXPECT_EQ(report.at("frames"), 24);
    expect_whole(directory);
}

TEST_F(Endurance, TakesBranchFromAFrameThatWasKept) {
    const std::string directory = part("branch");
    const std::string before = hashes(whole());
    const Outcome taken =
        muslin("run " + scene + " --resume-from " + whole() +
               " --resume-frame 10 --resume-changed --set world.gravity=[0,-5,0] -o " + directory);
    ASSERT_EQ(taken.code, 0) << taken.text;
    EXPECT_EQ(hashes(whole()), before);
    const std::string branch = hashes(directory);
    ASSERT_EQ(branch.size(), before.size());
    const std::size_t kept = before.size() / 24 * 10;
    EXPECT_EQ(branch.substr(0, kept), before.substr(0, kept));
    EXPECT_NE(branch.substr(kept, 17), before.substr(kept, 17));
    // And one that changes nothing is the same run.
    const std::string same = part("same");
    ASSERT_EQ(
        muslin("run " + scene + " --resume-from " + whole() + " --resume-frame 20 -o " + same).code,
        0);
    expect_whole(same);
    const Outcome none =
        muslin("run " + scene + " --resume-from " + whole() + " --resume-frame 11 -o " + same);
    EXPECT_EQ(none.code, 4);
    EXPECT_NE(none.text.find("10, 20, 24"), std::string::npos) << none.text;
}

TEST_F(Endurance, ADamagedCheckpointGivesWayToTheOneBefore) {
    const std::string directory = part("damaged");
    ASSERT_EQ(muslin("run " + scene_of(13) + " -o " + directory).code, 0);
    const std::string last = directory + "/checkpoint/frame-000013.state";
    std::filesystem::resize_file(last, std::filesystem::file_size(last) / 2);
    EXPECT_EQ(muslin("info " + last).code, 4);
    EXPECT_EQ(muslin("run " + scene + " --resume -o " + directory).code, 0);
    EXPECT_EQ(report_of(directory).at("resumed").at(0).at("frame"), 10);
    expect_whole(directory);
}

TEST_F(Endurance, InfoTellsWhatACheckpointHolds) {
    const Outcome told = muslin("info " + whole() + "/checkpoint/frame-000020.state");
    EXPECT_EQ(told.code, 0) << told.text;
    for (const char* word : {"frame 20", "625 particles", "m/s"})
        EXPECT_NE(told.text.find(word), std::string::npos) << word << " in " << told.text;
}

} // namespace
