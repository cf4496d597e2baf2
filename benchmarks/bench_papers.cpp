// Table 1 and section 5 of Bayraktar, Gudukbay and Ozguc 2007 and the times of Ohta 1995, beside
// the papers' figures.

#include "muslin/base/parallel.h"
#include "muslin/engine/simulation.h"
#include "muslin/scene/builtin.h"
#include "muslin/scene/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace muslin;

struct Cost {
    int particles = 0, frames = 0;
    long steps = 0, rejected = 0;
    double seconds = 0; ///< all frames
    double forces = 0;  ///< share of it in forces [%]
};

bool is_built_in(const std::string& name) {
    const auto scenes = builtin_scenes();
    return std::any_of(scenes.begin(), scenes.end(),
                       [&](const BuiltinFile& scene) { return scene.name == name; });
}

/// Runs a built-in scene; none, with the reason printed, where there is no such scene or it ends
/// early.
std::optional<Cost> run(const std::string& name) {
    if (!is_built_in(name)) {
        fmt::print("{:>28}  skipped: no such scene\n", name);
        return {};
    }
    try {
        const SceneDescription scene = load_scene(name);
        Simulation simulation(scene);
        Cost cost;
        cost.particles = simulation.model().particle_count();
        Profile profile;
        const auto start = std::chrono::steady_clock::now();
        for (; cost.frames < scene.time.frames; ++cost.frames) {
            const FrameReport report = simulation.advance_frame();
            cost.steps += report.steps;
            cost.rejected += report.rejected_steps;
            profile += report.seconds;
        }
        cost.seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        cost.forces =
            100 * profile.seconds[static_cast<std::size_t>(Task::forces)] / profile.total();
        return cost;
    } catch (const std::exception& error) {
        fmt::print("{:>28}  skipped: {}\n", name, error.what());
        return {};
    }
}

struct Row {
    std::string scene;
    double paper; ///< frames per second
};

/// Prints a row and returns its cost.
std::optional<Cost> compare(const Row& row) {
    const auto cost = run(row.scene);
    if (cost)
        fmt::print("{:>28} {:>7} {:>7} {:>9.2f} {:>9.1f} {:>9.0f} {:>8.1f} {:>7.1f} {:>7.1f}\n",
                   row.scene, cost->particles, cost->frames, cost->seconds,
                   cost->frames / cost->seconds, static_cast<double>(cost->steps) / cost->seconds,
                   static_cast<double>(cost->steps) / cost->frames,
                   100.0 * static_cast<double>(cost->rejected) /
                       static_cast<double>(cost->steps + cost->rejected),
                   row.paper);
    return cost;
}

void bayraktar07() {
    fmt::print("Bayraktar 2007, section 5 (paper: Pentium 4 at 1.5 GHz, drawing included). The "
               "paper counts \"iterations\", each drawn:\nfor us that is a frame; a frame has "
               "several Runge-Kutta steps, contact resolved after each.\n"
               "{:>28} {:>7} {:>7} {:>9} {:>9} {:>9} {:>8} {:>7} {:>7}\n",
               "", "points", "frames", "s", "frames/s", "steps/s", "steps/f", "rej. %", "paper");
    compare({"bayraktar07/hanging-24x30", 27});
    std::vector<Cost> tables;
    for (const Row& row : {Row{"bayraktar07/table-26x26", 18.75},
                           Row{"bayraktar07/table-36x36", 10}, Row{"bayraktar07/table-48x48", 5.2}})
        if (const auto cost = compare(row))
            tables.push_back(*cost);
    if (tables.size() < 2)
        return;
    const auto power = [&](double work) {
        return std::log(work) /
               std::log(static_cast<double>(tables.back().particles) / tables.front().particles);
    };
    const auto per_frame = [](const Cost& c) { return c.seconds / c.frames; };
    const auto per_step = [](const Cost& c) { return c.seconds / static_cast<double>(c.steps); };
    fmt::print("a frame takes points^{:.2f}, a step points^{:.2f}; paper: an iteration "
               "points^{:.2f}\n",
               power(per_frame(tables.back()) / per_frame(tables.front())),
               power(per_step(tables.back()) / per_step(tables.front())),
               std::log(86.0 / 24) / std::log(2304.0 / 676));
}

void ohta95() {
    fmt::print(
        "\nOhta 1995 (paper: RISC System/6000 Type 550)\n{:>28} {:>7} {:>7} {:>9} {:>9}  {}\n", "",
        "points", "frames", "s", "frames/s", "paper");
    struct Claim {
        const char *scene, *paper;
    };
    for (const Claim& claim :
         {Claim{"ohta95/three-corners", "several minutes (a rectangle, no objects)"},
          Claim{"ohta95/six-sections", ""}, Claim{"ohta95/eight-sections", "about three hours"},
          Claim{"ohta95/re-posed", "several minutes (a garment already shaped)"}})
        if (const auto cost = run(claim.scene))
            fmt::print("{:>28} {:>7} {:>7} {:>9.2f} {:>9.1f}  {}\n", claim.scene, cost->particles,
                       cost->frames, cost->seconds, cost->frames / cost->seconds, claim.paper);
}

} // namespace

int main() {
    fmt::print("{} threads ({})\n", thread_count(), parallel_backend());
    bayraktar07();
    ohta95();
}
