// What a run's directory says in JSON: report.json, and line by line stats.jsonl.
#include "fuzz.h"

#include "muslin/io/run_reader.h"

using namespace muslin;

namespace {

constexpr const char* mesh = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\n"
                             "f 1/1 2/2 3/3\n";

const fuzz::Folder& folder() {
    static const fuzz::Folder made;
    static const bool filled = [] {
        made.write("sheet.obj", mesh);
        made.write("body-ball.obj", mesh);
        Pc2Writer(made.path() / "sheet.pc2", 3)
            .append(std::array{Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}});
        return true;
    }();
    (void)filled;
    return made;
}

void check_run(const std::filesystem::path& path) {
    const RunReader run(path);
    fuzz::require(run.frames() == 1 && std::isfinite(run.frame_rate()) && run.frame_rate() > 0,
                  "frames and their rate");
    for (const FrameFigures& f : run.figures())
        fuzz::require(fuzz::all_finite(std::array{f.time, f.seconds, f.kinetic, f.elastic,
                                                  f.gravity, f.stretch_max, f.stretch_min}),
                      "finite figures");
}

} // namespace

FUZZ_TARGET(run) {
    folder().write("report.json", bytes);
    folder().write("stats.jsonl", bytes);
    if (fuzz::accepts([] { check_run(folder().path()); }))
        return;
    // Most of what the fuzzer makes is no report: what the lines of frames hold is tried without.
    std::filesystem::remove(folder().path() / "report.json");
    fuzz::accepts([] { check_run(folder().path()); });
}
