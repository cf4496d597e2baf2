// The broad phase on a sheet that folds over itself: all pairs of overlapping boxes of its
// triangles, each grown by a tenth of its size, and what it costs to follow or rebuild them.
// `ns/(n lg n)` is the time over n log2 n: level where the growth is n log n.

#include "muslin/collision/broad/box_tree.h"
#include "muslin/collision/broad/sort_and_sweep.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

namespace {

using namespace muslin;

std::vector<Vec3> crumpled_points(int side, double time) {
    std::vector<Vec3> points;
    for (int j = 0; j <= side; ++j)
        for (int i = 0; i <= side; ++i) {
            const double u = 6.0 * i / side, v = 6.0 * j / side;
            points.push_back({std::sin(1.1 * u + 0.9 * std::sin(2 * v + time)),
                              std::sin(1.3 * v + 0.7 * std::sin(1.7 * u - time)),
                              std::sin(0.8 * u + 1.2 * v + time)});
        }
    return points;
}

void make_boxes(int side, const std::vector<Vec3>& points, std::vector<Box>& boxes) {
    boxes.clear();
    for (int j = 0; j < side; ++j)
        for (int i = 0; i < side; ++i) {
            const Vec3 *row = &points[j * (side + 1) + i], *next = row + side + 1;
            boxes.push_back(Box::around(row[0], row[1], next[0]));
            boxes.push_back(Box::around(row[1], next[1], next[0]));
        }
    for (Box& box : boxes)
        box.grow(0.6 / side);
}

std::vector<Box> crumpled_boxes(int side, double time) {
    std::vector<Box> boxes;
    make_boxes(side, crumpled_points(side, time), boxes);
    return boxes;
}

int side_of(std::int64_t count) {
    return static_cast<int>(std::lround(std::sqrt(static_cast<double>(count) / 2)));
}

void report_growth(benchmark::State& state, std::size_t count) {
    const double n = static_cast<double>(count);
    state.counters["boxes"] = n;
    state.counters["ns/(n lg n)"] =
        benchmark::Counter(1e-9 * n * std::log2(n), benchmark::Counter::kIsIterationInvariantRate |
                                                        benchmark::Counter::kInvert);
}

void broad_boxes(benchmark::State& state) {
    const int side = side_of(state.range(0));
    const auto points = crumpled_points(side, 0);
    std::vector<Box> boxes;
    for (auto _ : state) {
        make_boxes(side, points, boxes);
        benchmark::DoNotOptimize(boxes.data());
    }
    state.counters["boxes"] = static_cast<double>(boxes.size());
}

template <class Broad>
void broad_build(benchmark::State& state) {
    set_thread_count(static_cast<int>(state.range(1)));
    const auto boxes = crumpled_boxes(side_of(state.range(0)), 0);
    Broad broad;
    for (auto _ : state)
        broad.build(boxes);
    report_growth(state, boxes.size());
    set_thread_count(0);
}

// Between two positions a step apart, a hundredth of the sheet's size.
template <class Broad>
void broad_refit(benchmark::State& state) {
    set_thread_count(static_cast<int>(state.range(1)));
    const auto boxes = crumpled_boxes(side_of(state.range(0)), 0);
    const auto next = crumpled_boxes(side_of(state.range(0)), 0.01);
    Broad broad;
    broad.build(boxes);
    bool odd = false;
    for (auto _ : state)
        broad.refit((odd = !odd) ? next : boxes);
    report_growth(state, boxes.size());
    set_thread_count(0);
}

template <class Broad>
void broad_self_pairs(benchmark::State& state) {
    set_thread_count(static_cast<int>(state.range(1)));
    const auto boxes = crumpled_boxes(side_of(state.range(0)), 0);
    Broad broad;
    broad.build(boxes);
    Partials<std::size_t> counts;
    counts.resize(broad.chunk_count());
    std::size_t pairs = 0;
    for (auto _ : state) {
        for (std::size_t i = 0; i < broad.chunk_count(); ++i)
            counts[i] = 0;
        broad.visit_self_pairs([&](std::size_t chunk, int, int) { ++counts[chunk]; });
        pairs = 0;
        for (std::size_t i = 0; i < broad.chunk_count(); ++i)
            pairs += counts[i];
        benchmark::DoNotOptimize(pairs);
    }
    state.counters["pairs"] = static_cast<double>(pairs);
    report_growth(state, boxes.size());
    set_thread_count(0);
}

void sizes_and_threads(benchmark::internal::Benchmark* b) {
    b->ArgNames({"boxes", "threads"})
        ->ArgsProduct({{5000, 10000, 100000}, {1, 2}})
        ->Unit(benchmark::kMicrosecond)
        ->UseRealTime();
}

BENCHMARK(broad_boxes)->ArgName("boxes")->Arg(5000)->Arg(100000)->Unit(benchmark::kMicrosecond);
BENCHMARK(broad_build<BoxTree>)->Apply(sizes_and_threads);
BENCHMARK(broad_refit<BoxTree>)->Apply(sizes_and_threads);
BENCHMARK(broad_self_pairs<BoxTree>)->Apply(sizes_and_threads);
BENCHMARK(broad_build<SortAndSweep>)->Apply(sizes_and_threads);
BENCHMARK(broad_refit<SortAndSweep>)->Apply(sizes_and_threads);
BENCHMARK(broad_self_pairs<SortAndSweep>)->Apply(sizes_and_threads);

} // namespace
