// One question of continuous collision, in nanoseconds: pairs as a broad phase hands them over in a
// crumpled cloth (edges of 1 cm, motions of some mm a step, boxes around the motions that overlap),
// apart by whether they meet.

#include "muslin/kernels/continuous.h"

#include <benchmark/benchmark.h>

#include <random>
#include <vector>

namespace {

using namespace muslin;

struct Pair {
    std::array<Vec3, 4> begin, end;
};

std::optional<Impact> ask(const Pair& pair, bool edges, const ContinuousSettings& settings) {
    return edges ? edge_edge_impact(pair.begin, pair.end, settings)
                 : vertex_face_impact(pair.begin, pair.end, settings);
}

// Whether the boxes around the motions of both sides overlap; the first `split` corners are one
// side.
bool boxes_overlap(const Pair& pair, int split, double separation) {
    for (int axis = 0; axis < 3; ++axis) {
        std::array<double, 2> low = {1e9, 1e9}, high = {-1e9, -1e9};
        for (int i = 0; i < 4; ++i) {
            const int side = i < split ? 0 : 1;
            for (const double x : {pair.begin[i][axis], pair.end[i][axis]}) {
                low[side] = std::min(low[side], x);
                high[side] = std::max(high[side], x);
            }
        }
        if (low[0] > high[1] + separation || low[1] > high[0] + separation)
            return false;
    }
    return true;
}

// `count` candidates that do, or do not, meet.
std::vector<Pair> candidates(bool edges, bool hit, const ContinuousSettings& settings,
                             std::size_t count) {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> number(-1, 1);
    const auto vec = [&](double size) {
        return Vec3{size * number(random), size * number(random), size * number(random)};
    };
    std::vector<Pair> pairs;
    while (pairs.size() < count) {
        Pair pair;
        const Vec3 near = vec(5e-3), place = vec(1), common = vec(5e-3);
        for (int i = 0; i < 4; ++i) {
            pair.begin[i] = place + vec(6e-3) + (i < (edges ? 2 : 1) ? near : Vec3{0, 0, 0});
            pair.end[i] = pair.begin[i] + common + vec(1e-3);
        }
        if (boxes_overlap(pair, edges ? 2 : 1, settings.separation) &&
            ask(pair, edges, settings).has_value() == hit)
            pairs.push_back(pair);
    }
    return pairs;
}

// Arguments: edges (0, 1), hit (0, 1), separation [um], resolution [1e-12 m].
void continuous(benchmark::State& state) {
    const bool edges = state.range(0) != 0, hit = state.range(1) != 0;
    ContinuousSettings settings;
    settings.separation = 1e-6 * static_cast<double>(state.range(2));
    settings.resolution = 1e-12 * static_cast<double>(state.range(3));
    const auto pairs = candidates(edges, hit, settings, 2000);
    std::size_t i = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(ask(pairs[i], edges, settings));
        i = i + 1 < pairs.size() ? i + 1 : 0;
    }
}
BENCHMARK(continuous)
    ->ArgNames({"edges", "hit", "separation_um", "resolution_pm"})
    ->ArgsProduct({{0, 1}, {0, 1}, {0, 500}, {0, 1000}});

} // namespace
