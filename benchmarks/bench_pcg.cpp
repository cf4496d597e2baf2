// One iteration of the conjugate gradient solver, in nanoseconds per vertex, beside the floor that
// the machine's memory sets (docs/performance.md says how the floor is reckoned).

#include "muslin/linalg/pcg.h"

#include <benchmark/benchmark.h>

#include <array>
#include <chrono>
#include <limits>
#include <vector>

namespace {

using namespace muslin;

// A sheet of triangles, side x side: each vertex is joined to its six neighbours (stretch and
// shear), and with `hinges` to the six opposite vertices too (bending).
std::vector<std::array<int, 2>> sheet_pairs(int side, bool hinges) {
    std::vector<std::array<int, 2>> offsets = {{1, 0}, {0, 1}, {1, 1}};
    if (hinges)
        offsets.insert(offsets.end(), {{2, 1}, {1, 2}, {1, -1}});
    std::vector<std::array<int, 2>> pairs;
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x)
            for (const auto& [dx, dy] : offsets)
                if (x + dx < side && y + dy >= 0 && y + dy < side)
                    pairs.push_back({y * side + x, (y + dy) * side + x + dx});
    return pairs;
}

// A diagonally dominant matrix on that pattern: well posed, far from converged in 50 iterations.
BlockMatrix sheet_matrix(int side, bool hinges) {
    const auto pairs = sheet_pairs(side, hinges);
    BlockMatrix a;
    a.set_pattern(side * side, pairs);
    a.reset(std::vector<double>(static_cast<std::size_t>(side) * side, 1e-3));
    const Mat3 k = {{{2, 0.3, 0.1}, {0.3, 1.5, 0.2}, {0.1, 0.2, 1}}};
    for (const auto& [i, j] : pairs) {
        a.add(a.slot(i, j), -1.0 * k);
        a.add(a.slot(j, i), -1.0 * k);
        a.add_diagonal(i, k);
        a.add_diagonal(j, k);
    }
    return a;
}

// Nanoseconds per vertex that memory alone takes for an iteration, measured for seven blocks a row;
// thirteen blocks move 456 bytes a row more than the 1015 of seven in double precision.
double floor_ns(int side, bool hinges, int threads, bool single) {
    const bool large = side >= 1000;
    const double in_double = large ? (threads == 1 ? 29 : 16) : (threads == 1 ? 10.8 : 5.2);
    const double in_single = large ? (threads == 1 ? 15 : 8.3) : (threads == 1 ? 5.6 : 2.7);
    return (single ? in_single : in_double) * (hinges ? (1015.0 + 456.0) / 1015.0 : 1.0);
}

void pcg_iteration(benchmark::State& state) {
    const int side = static_cast<int>(state.range(0)), threads = static_cast<int>(state.range(2));
    const bool hinges = state.range(1) != 0, multilevel = state.range(3) != 0;
    const bool single = state.range(4) != 0;
    set_thread_count(threads);
    const BlockMatrix a = sheet_matrix(side, hinges);
    const std::size_t n = static_cast<std::size_t>(side) * side;
    std::vector<Vec3> b(n), x(n);
    for (std::size_t i = 0; i < n; ++i)
        b[i] = {std::sin(0.1 * static_cast<double>(i)), 1, std::cos(0.3 * static_cast<double>(i))};
    const Filter none;
    Pcg pcg;
    // The cost of an iteration is the difference of two solves, which share their set-up.
    const auto seconds = [&](int iterations) {
        PcgSettings settings;
        settings.tolerance = 0;
        settings.max_iterations = iterations;
        settings.preconditioner =
            multilevel ? Preconditioner::multilevel : Preconditioner::block_jacobi;
        settings.precision = single ? Precision::single : Precision::double_;
        std::fill(x.begin(), x.end(), Vec3{0, 0, 0});
        const auto start = std::chrono::steady_clock::now();
        benchmark::DoNotOptimize(pcg.solve(a, b, none, settings, x));
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    double few = std::numeric_limits<double>::infinity(), many = few;
    for (auto _ : state) {
        few = std::min(few, seconds(10));
        many = std::min(many, seconds(60));
        state.SetIterationTime(many);
    }
    const double best = (many - few) / 50;
    const double ns = 1e9 * best / static_cast<double>(n),
                 floor = floor_ns(side, hinges, threads, single);
    state.counters["ns/vertex"] = ns;
    state.counters["floor"] = floor;
    state.counters["ratio"] = ns / floor;
    set_thread_count(0);
}

BENCHMARK(pcg_iteration)
    ->ArgNames({"side", "hinges", "threads", "multilevel", "single"})
    ->ArgsProduct({{100, 1000}, {0, 1}, {1, 2}, {0}, {0, 1}})
    ->ArgsProduct({{100}, {1}, {1, 2}, {1}, {0, 1}})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->MinTime(2.0);

} // namespace
