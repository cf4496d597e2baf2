// The two sweeps of section 8 of Baraff and Witkin, on two-corner-sheet, beside the paper's
// figures.

#include "muslin/base/parallel.h"
#include "muslin/scene/load.h"
#include "muslin/sim/judge.h"
#include "muslin/sim/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace {

using namespace muslin;

struct Cost {
    int particles = 0, steps = 0, rejected = 0;
    long cg = 0;
    double seconds = 0, forces = 0, solve = 0; ///< per frame [s]
    Verdict worst, last;
};

Cost run(const std::vector<std::string>& changes) {
    const SceneDescription scene = load_scene("two-corner-sheet", changes);
    Simulation simulation(scene);
    const Judge judge(simulation.model());
    Cost cost;
    cost.particles = simulation.model().particle_count();
    Profile profile;
    for (int k = 0; k < scene.time.frames; ++k) {
        const FrameReport report = simulation.advance_frame();
        cost.steps += report.steps;
        cost.rejected += report.rejected_steps;
        cost.cg += report.cg_iterations;
        profile += report.seconds;
        cost.last = judge.judge(simulation.state().positions, simulation.state().time);
        cost.worst.stretch_max = std::max(cost.worst.stretch_max, cost.last.stretch_max);
        cost.worst.stretch_min = std::min(cost.worst.stretch_min, cost.last.stretch_min);
        cost.worst.principal_max = std::max(cost.worst.principal_max, cost.last.principal_max);
        cost.worst.principal_min = std::min(cost.worst.principal_min, cost.last.principal_min);
    }
    cost.seconds = profile.total() / scene.time.frames;
    cost.forces = profile.seconds[static_cast<std::size_t>(Task::forces)] / scene.time.frames;
    cost.solve = profile.seconds[static_cast<std::size_t>(Task::solve)] / scene.time.frames;
    return cost;
}

void print_row(const std::string& what, const Cost& c, const std::string& paper) {
    fmt::print("{:>12} {:>6}/{:<3} {:>8} {:>10.2f} {:>5.1f}/{:<5.1f} {:.3f}..{:.3f} "
               "{:.3f}..{:.3f}  {}\n",
               what, c.steps, c.rejected, c.cg, 1e3 * c.seconds, 100 * c.forces / c.seconds,
               100 * c.solve / c.seconds, c.last.stretch_min, c.last.stretch_max,
               c.worst.principal_min, c.worst.principal_max, paper);
}

void header(const std::string& title) {
    fmt::print("\n{}\n{:>12} {:>10} {:>8} {:>10} {:>11} {:>12} {:>12}  {}\n", title, "",
               "steps/rej", "CG", "ms/frame", "EVAL/CG %", "edges at 75", "worst princ.", "paper");
}

void bend_sweep(const std::string& title, const std::vector<std::string>& solver) {
    const Material cotton = load_material("cotton");
    header("Bend stiffness, 2,602 particles, 75 frames, " + title);
    std::vector<Cost> costs;
    for (double factor : {0.1, 1.0, 10.0, 100.0, 1000.0}) {
        std::vector<std::string> changes = solver;
        for (const auto& [key, value] :
             {std::pair("bend_u", cotton.bend_u), std::pair("bend_v", cotton.bend_v),
              std::pair("bend_damping", cotton.bend_damping)})
            changes.push_back(fmt::format("cloth.sheet.material.{}={:.17g}", key, factor * value));
        costs.push_back(run(changes));
        print_row(fmt::format("x{:g}", factor), costs.back(), "time within 5 % of the others");
    }
    const auto by_cg = [](const Cost& a, const Cost& b) { return a.cg < b.cg; };
    const auto by_time = [](const Cost& a, const Cost& b) { return a.seconds < b.seconds; };
    const auto [least, most] = std::minmax_element(costs.begin(), costs.end(), by_cg);
    const auto [fast, slow] = std::minmax_element(costs.begin(), costs.end(), by_time);
    fmt::print("CG iterations: most / least {:.2f} (goal 1.5); time: slowest / fastest {:.2f}\n",
               static_cast<double>(most->cg) / static_cast<double>(least->cg),
               slow->seconds / fast->seconds);
}

void size_sweep() {
    header("Number of particles, 75 frames");
    const std::vector<std::pair<int, double>> paper = {
        {500, 0.23}, {899, 0.46}, {2602, 2.23}, {7359, 10.3}};
    std::vector<Cost> costs;
    for (const auto& [vertices, seconds] : paper) {
        costs.push_back(run({fmt::format("cloth.sheet.mesh.vertices={}", vertices)}));
        print_row(std::to_string(vertices), costs.back(), fmt::format("{} s/frame", seconds));
    }
    const double size =
        std::log(static_cast<double>(costs.back().particles) / costs.front().particles);
    const double work = std::log(costs.back().seconds / costs.front().seconds);
    const double counted =
        std::log(static_cast<double>(costs.back().cg) * costs.back().particles /
                 (static_cast<double>(costs.front().cg) * costs.front().particles));
    fmt::print("work grows as n^{:.2f} in CG iterations times particles, n^{:.2f} in time; paper "
               "n^{:.2f}, goal 1.55\n",
               counted / size, work / size, std::log(10.3 / 0.23) / std::log(7359.0 / 500.0));
}

} // namespace

int main() {
    fmt::print("two-corner-sheet, {} threads ({})\n", thread_count(), parallel_backend());
    bend_sweep("with the scene's solver", {});
    // The paper preconditions by the diagonal alone; the tolerance here gives the same accuracy.
    bend_sweep("preconditioned by the diagonal blocks alone",
               {"solver.preconditioner=block_jacobi", "solver.tolerance=5e-4"});
    size_sweep();
}
