// One iteration of the conjugate gradient solver, in nanoseconds per vertex, beside the floor that
// the machine's memory sets (docs/performance.md says how the floor is reckoned), as it was
// measured once and as it is in the same run.

#include "muslin/base/large_array.h"
#include "muslin/base/parallel.h"
#include "muslin/linalg/pcg.h"
#include "muslin/math/pack.h"

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

// What an iteration moves for each vertex with seven blocks a row [bytes], all in one precision;
// thirteen blocks move 456 bytes more in double precision.
constexpr double bytes_in_double = 1015, bytes_of_hinges = 456;

// Nanoseconds per vertex that memory alone takes for an iteration, measured on a quiet machine.
double floor_ns(int side, bool hinges, int threads, bool single) {
    const bool large = side >= 1000;
    const double in_double = large ? (threads == 1 ? 29 : 16) : (threads == 1 ? 10.8 : 5.2);
    const double in_single = large ? (threads == 1 ? 15 : 8.3) : (threads == 1 ? 5.6 : 2.7);
    return (single ? in_single : in_double) *
           (hinges ? (bytes_in_double + bytes_of_hinges) / bytes_in_double : 1.0);
}

// The same as the machine is now: the time to read as many bytes, the best of some tries.
class MemoryNow {
public:
    MemoryNow(std::size_t vertices, bool hinges, bool single) : vertices_(vertices) {
        const double bytes =
            (bytes_in_double + (hinges ? bytes_of_hinges : 0.0)) * (single ? 0.5 : 1.0);
        numbers_.resize(static_cast<std::size_t>(bytes * static_cast<double>(vertices)) /
                        sizeof(double));
        std::fill(numbers_.begin(), numbers_.end(), 1.0);
    }
    void read() {
        const auto start = std::chrono::steady_clock::now();
        const double sum = parallel_sum<double>(
            numbers_.size(), grain, partials_, [&](std::size_t from, std::size_t to) {
                Pack4::Native sums[8] = {};
                std::size_t i = from;
                for (; i + 32 <= to; i += 32)
                    for (std::size_t k = 0; k < 8; ++k)
                        sums[k] += load4(&numbers_[i + 4 * k]).v;
                Pack4::Native all = {};
                for (const Pack4::Native& s : sums)
                    all += s;
                return all[0] + all[1] + all[2] + all[3];
            });
        benchmark::DoNotOptimize(sum);
        best_ = std::min(
            best_, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    double ns() const { return 1e9 * best_ / static_cast<double>(vertices_); }

private:
    static constexpr std::size_t grain = 16384;
    std::size_t vertices_;
    LargeArray<double> numbers_;
    Partials<double> partials_;
    double best_ = std::numeric_limits<double>::infinity();
};

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
    MemoryNow memory(n, hinges, single);
    double few = std::numeric_limits<double>::infinity(), many = few;
    for (auto _ : state) {
        for (int k = 0; k < (side >= 1000 ? 4 : 1); ++k) { // large ones run once or twice else
            few = std::min(few, seconds(10));
            many = std::min(many, seconds(60));
        }
        for (int k = 0; k < 5; ++k)
            memory.read();
        state.SetIterationTime(many);
    }
    const double best = (many - few) / 50;
    const double ns = 1e9 * best / static_cast<double>(n),
                 floor = floor_ns(side, hinges, threads, single);
    state.counters["ns/vertex"] = ns;
    state.counters["floor"] = floor;
    state.counters["ratio"] = ns / floor;
    state.counters["floor_now"] = memory.ns();
    state.counters["ratio_now"] = ns / memory.ns();
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
