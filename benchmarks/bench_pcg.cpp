// One iteration of the conjugate gradient solver, in nanoseconds per vertex, beside the floor that
// the machine's memory sets (docs/performance.md says how the floor is reckoned).

#include "muslin/linalg/pcg.h"

#include <benchmark/benchmark.h>

#include <array>
#include <vector>

namespace {

using namespace muslin;

// A sheet of triangles, columns x rows: each vertex is joined to its six neighbours (stretch and
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

void pcg_iteration(benchmark::State& state) {
    const int side = static_cast<int>(state.range(0));
    const bool hinges = state.range(1) != 0;
    set_thread_count(static_cast<int>(state.range(2)));
    const BlockMatrix a = sheet_matrix(side, hinges);
    const std::size_t n = static_cast<std::size_t>(side) * side;
    std::vector<Vec3> b(n), x(n);
    for (std::size_t i = 0; i < n; ++i)
        b[i] = {std::sin(0.1 * static_cast<double>(i)), 1, std::cos(0.3 * static_cast<double>(i))};
    const Filter none;
    PcgSettings settings;
    settings.tolerance = 0;
    settings.max_iterations = 50;
    Pcg pcg;
    double iterations = 0;
    for (auto _ : state) {
        std::fill(x.begin(), x.end(), Vec3{0, 0, 0});
        iterations += pcg.solve(a, b, none, settings, x).iterations;
        benchmark::DoNotOptimize(x.data());
    }
    state.counters["ns/vertex"] =
        benchmark::Counter(1e-9 * iterations * static_cast<double>(n),
                           benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
    state.counters["blocks/row"] = static_cast<double>(a.block_count()) / static_cast<double>(n);
}

BENCHMARK(pcg_iteration)
    ->ArgNames({"side", "hinges", "threads"})
    ->ArgsProduct({{100, 1000}, {0, 1}, {1, 2}})
    ->UseRealTime()
    ->MinTime(1.0);

} // namespace
