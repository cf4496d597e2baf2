// Table 1 of Baraff and Witkin for figures 1 and 2, and the two sweeps of their section 8, beside
// the paper's figures.

#include "muslin/base/parallel.h"
#include "muslin/engine/simulation.h"
#include "muslin/run/judge.h"
#include "muslin/scene/load.h"

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
    double seconds = 0; ///< per frame [s]
    /// Shares of it [%], named as in table 1: forming the system, solving it, cloth against cloth
    /// and against solids, found and answered.
    double eval = 0, solve = 0, cloth_cloth = 0, cloth_solid = 0;
    double step_min = 1, step_max = 0; ///< [s]
    Verdict worst, last;
};

Cost run(const std::string& name, const std::vector<std::string>& changes) {
    const SceneDescription scene = load_scene(name, changes);
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
        cost.step_min = std::min(cost.step_min, report.step_min);
        cost.step_max = std::max(cost.step_max, report.step_max);
        profile += report.seconds;
        cost.last = judge.judge(simulation.state().positions, simulation.state().time);
        cost.worst.stretch_max = std::max(cost.worst.stretch_max, cost.last.stretch_max);
        cost.worst.stretch_min = std::min(cost.worst.stretch_min, cost.last.stretch_min);
        cost.worst.principal_max = std::max(cost.worst.principal_max, cost.last.principal_max);
        cost.worst.principal_min = std::min(cost.worst.principal_min, cost.last.principal_min);
    }
    const auto share = [&](Task task) {
        return 100 * profile.seconds[static_cast<std::size_t>(task)] / profile.total();
    };
    cost.seconds = profile.total() / scene.time.frames;
    cost.eval = share(Task::forces);
    cost.solve = share(Task::solve);
    cost.cloth_cloth = share(Task::detect_self) + share(Task::resolve);
    cost.cloth_solid = share(Task::detect_body);
    return cost;
}

void table_1() {
    fmt::print("Table 1, 2,602 particles, 75 frames (paper: one R10000 at 195 MHz)\n"
               "{:>24} {:>9} {:>15} {:>10} {:>6} {:>6} {:>6} {:>6}\n",
               "", "s/frame", "steps min/max", "steps/rej", "EVAL", "CG", "C/C", "C/S");
    const auto row = [](const std::string& what, const std::string& steps, double seconds,
                        double low, double high, const std::vector<double>& shares) {
        fmt::print("{:>24} {:>9.4f} {:>5.1f}/{:<4.1f} ms {:>10} {:>6.1f} {:>6.1f} {:>6.1f} "
                   "{:>6.1f}\n",
                   what, seconds, 1e3 * low, 1e3 * high, steps, shares[0], shares[1], shares[2],
                   shares[3]);
    };
    const auto ours = [&](const std::string& name) {
        const Cost c = run(name, {});
        row(name, fmt::format("{}/{}", c.steps, c.rejected), c.seconds, c.step_min, c.step_max,
            {c.eval, c.solve, c.cloth_cloth, c.cloth_solid});
    };
    ours("cylinder-drape");
    row("paper, figure 1", "80", 2.23, 0.0165, 0.033, {25.7, 50.4, 18.3, 1.4});
    ours("two-corner-sheet");
    row("paper, figure 2", "80", 3.06, 0.0165, 0.033, {17.9, 63.6, 15.3, 0.2});
}

void print_row(const std::string& what, const Cost& c, const std::string& paper) {
    fmt::print("{:>12} {:>6}/{:<3} {:>8} {:>10.2f} {:>5.1f}/{:<5.1f} {:.3f}..{:.3f} "
               "{:.3f}..{:.3f}  {}\n",
               what, c.steps, c.rejected, c.cg, 1e3 * c.seconds, c.eval, c.solve,
               c.last.stretch_min, c.last.stretch_max, c.worst.principal_min, c.worst.principal_max,
               paper);
}

void header(const std::string& title) {
    fmt::print("\n{}\n{:>12} {:>10} {:>8} {:>10} {:>11} {:>12} {:>12}  {}\n", title, "",
               "steps/rej", "CG", "ms/frame", "EVAL/CG %", "edges at 75", "worst princ.", "paper");
}

/// A scene of one cloth.
struct Subject {
    std::string scene, cloth;
};
const Subject figure_1 = {"cylinder-drape", "cloth"}, figure_2 = {"two-corner-sheet", "sheet"};

void bend_sweep(const Subject& subject, const std::string& title,
                const std::vector<std::string>& solver) {
    const Material cotton = load_material("cotton");
    header("Bend stiffness, " + subject.scene + ", 2,602 particles, 75 frames, " + title);
    std::vector<Cost> costs;
    for (double factor : {0.1, 1.0, 10.0, 100.0, 1000.0}) {
        std::vector<std::string> changes = solver;
        for (const auto& [key, value] :
             {std::pair("bend_u", cotton.bend_u), std::pair("bend_v", cotton.bend_v),
              std::pair("bend_damping", cotton.bend_damping)})
            changes.push_back(
                fmt::format("cloth.{}.material.{}={:.17g}", subject.cloth, key, factor * value));
        costs.push_back(run(subject.scene, changes));
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

void size_sweep(const Subject& subject) {
    header("Number of particles, " + subject.scene + ", 75 frames");
    const std::vector<std::pair<int, double>> paper = {
        {500, 0.23}, {899, 0.46}, {2602, 2.23}, {7359, 10.3}};
    std::vector<Cost> costs;
    for (const auto& [vertices, seconds] : paper) {
        costs.push_back(run(subject.scene,
                            {fmt::format("cloth.{}.mesh.vertices={}", subject.cloth, vertices)}));
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
    fmt::print("{} threads ({})\n", thread_count(), parallel_backend());
    table_1();
    // The paper preconditions by the diagonal alone; the tolerance here gives the same accuracy.
    const std::vector<std::string> one_level = {"solver.preconditioner=block_jacobi",
                                                "solver.tolerance=5e-4"};
    for (const Subject& subject : {figure_1, figure_2}) {
        bend_sweep(subject, "with the scene's solver", {});
        bend_sweep(subject, "preconditioned by the diagonal blocks alone", one_level);
        size_sweep(subject);
    }
}
