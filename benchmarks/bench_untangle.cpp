// Crossed states, reached by motion and frozen: how many return to zero crossings. And how long it
// takes to separate large sheets. `--states N` makes N states, half of them with their history
// erased (default 40; `make untangle-states`: 200); `--keep DIR` writes those that fail as scenes.

#include "crossed_states.h"

#include "muslin/base/error.h"
#include "muslin/collision/response/correction_contact.h"
#include "muslin/engine/start.h"
#include "muslin/mesh/measure.h"
#include "muslin/model/build_model.h"
#include "muslin/pattern/irregular_sheet.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace {

using namespace muslin;
using namespace muslin::bench;
using Clock = std::chrono::steady_clock;

constexpr int depths = 5;

double seconds_since(Clock::time_point began) {
    return std::chrono::duration<double>(Clock::now() - began).count();
}

/// Shares of success by depth and by kind.
struct Table {
    std::string title;
    std::array<std::array<int, 2>, depths> by_depth{};
    std::array<std::array<int, 2>, kinds> by_kind{};
    double seconds = 0;

    void add(const CrossedState& state, bool success) {
        auto& depth = by_depth[state.depth - 1];
        auto& kind = by_kind[static_cast<int>(state.run->kind)];
        depth[0] += success;
        kind[0] += success;
        ++depth[1];
        ++kind[1];
    }
    void print() const {
        if (seconds == 0)
            return; // no state for this row
        int good = 0, all = 0;
        for (const auto& [g, n] : by_depth) {
            good += g;
            all += n;
        }
        fmt::print("{:46}", title);
        for (const auto& [g, n] : by_depth)
            fmt::print(" {:3}/{:<3}", g, n);
        fmt::print(" |");
        for (const auto& [g, n] : by_kind)
            fmt::print(" {:3}/{:<3}", g, n);
        fmt::print(" | {:3}/{:<3} {:5.1f} % {:6.2f} s each\n", good, all, 100.0 * good / all,
                   seconds / all);
    }
};

std::vector<CrossedState> make_states(const std::vector<CleanRun>& runs, int count) {
    std::vector<CrossedState> out;
    std::mt19937 random(20);
    for (int i = 0; static_cast<int>(out.size()) < count && i < 20 * count; ++i) {
        CrossedState state;
        const int n = static_cast<int>(out.size());
        // Kinds change fastest, then depths, then runs of a kind.
        const int kind = n % kinds, depth = 1 + n / kinds % depths;
        std::vector<const CleanRun*> of_kind;
        for (const CleanRun& run : runs)
            if (static_cast<int>(run.kind) == kind)
                of_kind.push_back(&run);
        if (push_through(*of_kind[random() % of_kind.size()], depth, random, state))
            out.push_back(std::move(state));
    }
    return out;
}

bool by_contours(const CrossedState& state) {
    const Model& model = state.run->simulation->model();
    State result = state.crossed;
    untangle_start(model, state.run->simulation->conditions(), result);
    return count_tangled(model, result) == 0;
}

/// The contact of recipe volino95 from the frozen state on, with the sides that were remembered
/// before the push or without them, until nothing crosses or 0.1 s have passed.
bool by_correction(const CrossedState& state, bool history, bool consistency) {
    SceneDescription scene = state.run->scene;
    scene.parts["contact"] = {"correction_contact"};
    scene.contact.consistency = consistency;
    scene.time.min_step = 2e-5; // what needs shorter steps has failed
    const Model& model = state.run->simulation->model();
    State start = state.crossed;
    start.parts = {}; // those of another contact
    if (history)
        start.sides = CorrectionContact(model, {}).history_of(state.clean, 1e-3);
    Simulation simulation(scene);
    simulation.continue_from(start,
                             static_cast<int>(std::lround(start.time * scene.time.frame_rate)));
    const double end = start.time + 0.1;
    try {
        while (simulation.state().time < end) {
            simulation.advance_frame();
            if (count_tangled(model, simulation.state()) == 0)
                return true;
        }
    } catch (const SimulationError&) {
    }
    return false;
}

struct Options {
    int states = 40;
    std::string keep;
};

void run_states(const Options& options) {
    std::vector<CleanRun> runs;
    for (int kind = 0; kind < kinds; ++kind)
        for (unsigned seed : {1u, 2u})
            runs.push_back(make_clean_run(static_cast<Kind>(kind), seed));
    for (const CleanRun& run : runs)
        fmt::print("{}: {} triangles, {} clean frames\n", name_of(run.kind),
                   run.simulation->model().dynamics.triangles.size(), run.frames.size());
    const std::vector<CrossedState> states = make_states(runs, options.states);
    fmt::print("{} crossed states\n\n{:46}   1       2       3       4       5    |", states.size(),
               "returned to zero crossings, by thicknesses");
    for (int kind = 0; kind < kinds; ++kind)
        fmt::print(" {:7}", name_of(static_cast<Kind>(kind)));
    fmt::print(" | all\n");

    struct Method {
        const char* title;
        bool erased; ///< for the half without history
        bool keep;   ///< failures as scenes
        std::function<bool(const CrossedState&)> run;
    };
    const std::vector<Method> methods = {
        {"history erased: by contours (muslin untangle)", true, true, by_contours},
        {"with history: consistency", false, true,
         [](const CrossedState& s) { return by_correction(s, true, true); }},
        {"with history: without the correction", false, false,
         [](const CrossedState& s) { return by_correction(s, true, false); }},
        {"history erased: consistency", true, false,
         [](const CrossedState& s) { return by_correction(s, false, true); }},
    };
    for (const Method& method : methods) {
        Table table;
        table.title = method.title;
        for (std::size_t i = 0; i < states.size(); ++i) {
            // Halves alternate over blocks of all kinds and depths.
            if ((i / (kinds * depths) % 2 == 1) != method.erased)
                continue;
            const auto began = Clock::now();
            const bool good = method.run(states[i]);
            table.seconds += seconds_since(began);
            table.add(states[i], good);
            if (!good && method.keep && !options.keep.empty())
                keep_as_scene(*states[i].run, states[i].crossed, options.keep,
                              fmt::format("crossed-{}-{}", i, name_of(states[i].run->kind)));
        }
        table.print();
        std::fflush(stdout);
    }
}

/// Two wavy sheets that cross in many places.
void time_large(int vertices) {
    std::vector<ClothInput> cloths(2);
    for (int k = 0; k < 2; ++k) {
        cloths[k].name = k == 0 ? "lower" : "upper";
        cloths[k].mesh = make_irregular(
            {.width = 1, .depth = 1, .vertices = vertices / 2, .seed = unsigned(k + 1)});
        cloths[k].rest = RestShape::positions;
        cloths[k].material.thickness = 1e-3;
        for (Vec3& p : cloths[k].mesh.positions)
            p.y = k == 0 ? 0.02 * std::sin(9 * p.x)
                         : 0.006 + 0.02 * std::sin(9 * p.x) +
                               0.012 * std::sin(20 * p.z) * std::cos(11 * p.x);
    }
    State start;
    const Model model = build_model(cloths, {}, start);
    const auto began = Clock::now();
    const StartUntangling done = untangle_start(model, {}, start);
    fmt::print("{:7} vertices: {} crossings on {} contours, {} left after {} iterations and {:.2f} "
               "s; moved by {:.3g} m at most, edges by {:.2g} %\n",
               model.particle_count(), done.report.crossings_before, done.report.contours_before,
               done.report.crossings, done.report.iterations, seconds_since(began),
               done.report.largest_move, 100 * done.report.strain);
}

} // namespace

int main(int argc, char** argv) {
    Options options;
    for (int i = 1; i + 1 < argc; ++i) {
        if (std::strcmp(argv[i], "--states") == 0)
            options.states = std::stoi(argv[i + 1]);
        if (std::strcmp(argv[i], "--keep") == 0)
            options.keep = argv[i + 1];
    }
    run_states(options);
    fmt::print("\n");
    for (int vertices : {2500, 10000, 40000})
        time_large(vertices);
}
