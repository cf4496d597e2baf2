#include "muslin/base/parallel.h"
#include "muslin/io/vdb_file.h"
#include "muslin/levelset/fast_marching.h"
#include "muslin/levelset/velocity_extension.h"
#include "muslin/mesh/generators.h"
#include "muslin/mesh/triangle_mesh.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <random>

// One thread, so that figures are per core. A sphere of 1 m, as a body; `voxel` is the first
// argument in millimetres.

namespace muslin {
namespace {

struct Ball {
    TriangleMesh mesh;
    TriangleView view() const { return {mesh.positions, mesh.triangles}; }
};

const Ball& ball(int rings) {
    static std::vector<std::pair<int, Ball>> made;
    for (const auto& entry : made)
        if (entry.first == rings)
            return entry.second;
    made.reserve(16);
    made.emplace_back(
        rings,
        Ball{triangulate(make_sphere({.radius = 0.5, .rings = rings, .segments = 2 * rings}))});
    return made.back().second;
}

LevelSetSettings settings(std::int64_t millimetres, bool nearest = false) {
    const double voxel = 1e-3 * static_cast<double>(millimetres);
    return {voxel, 5 * voxel, nearest};
}

/// The vertices of a cloth of 100 x 100 that lies around the ball at half a voxel to one.
std::vector<Vec3> cloth_places(double voxel) {
    std::vector<Vec3> out;
    for (int i = 0; i < 100; ++i)
        for (int j = 0; j < 100; ++j) {
            const double a = 0.01 * i, b = 0.01 * j;
            const double r = 0.5 + voxel * (0.75 + 0.25 * std::sin(0.7 * i + 0.3 * j));
            out.push_back(r *
                          Vec3{std::cos(a) * std::cos(b), std::sin(a), std::cos(a) * std::sin(b)});
        }
    return out;
}

/// Anywhere in the band, in no order.
std::vector<Vec3> random_places(double voxel, std::size_t count) {
    std::mt19937 random(1);
    std::normal_distribution<double> any;
    std::uniform_real_distribution<double> deep(-4, 4);
    std::vector<Vec3> out(count);
    for (Vec3& p : out) {
        const Vec3 way = {any(random), any(random), any(random)};
        p = (0.5 + voxel * deep(random)) * normalized(way);
    }
    return out;
}

void ask(benchmark::State& state, const LevelSet& level_set, const std::vector<Vec3>& places) {
    set_thread_count(1);
    std::vector<LevelSetSample> out(places.size());
    for (auto _ : state) {
        level_set.sample(places, out);
        benchmark::DoNotOptimize(out.data());
    }
    state.counters["per_place"] = benchmark::Counter(static_cast<double>(places.size()),
                                                     benchmark::Counter::kIsIterationInvariantRate |
                                                         benchmark::Counter::kInvert);
    state.counters["MB"] = 1e-6 * static_cast<double>(level_set.memory());
}

void query_cloth(benchmark::State& state) {
    const LevelSet s = LevelSet::from_mesh(ball(64).view(), settings(state.range(0)));
    ask(state, s, cloth_places(s.voxel_size()));
}
BENCHMARK(query_cloth)->Arg(20)->Arg(10)->Arg(5);

void query_random(benchmark::State& state) {
    const LevelSet s = LevelSet::from_mesh(ball(64).view(), settings(state.range(0)));
    ask(state, s, random_places(s.voxel_size(), 200000));
}
BENCHMARK(query_random)->Arg(20)->Arg(10)->Arg(5)->Unit(benchmark::kMillisecond);

void velocity_cloth(benchmark::State& state) {
    const Ball& b = ball(64);
    const LevelSet s = LevelSet::from_mesh(b.view(), settings(state.range(0), true));
    const VelocityExtension extension(s, b.view(), b.mesh.positions);
    const std::vector<Vec3> places = cloth_places(s.voxel_size());
    for (auto _ : state)
        for (const Vec3& p : places)
            benchmark::DoNotOptimize(extension.at(p));
    state.counters["per_place"] = benchmark::Counter(static_cast<double>(places.size()),
                                                     benchmark::Counter::kIsIterationInvariantRate |
                                                         benchmark::Counter::kInvert);
}
BENCHMARK(velocity_cloth)->Arg(20)->Arg(10);

/// Arguments: voxel, rings of the ball (4 rings^2 triangles).
void make(benchmark::State& state) {
    set_thread_count(1);
    const Ball& b = ball(static_cast<int>(state.range(1)));
    LevelSet made;
    for (auto _ : state)
        made = LevelSet::from_mesh(b.view(), settings(state.range(0)));
    std::size_t near = 0;
    for (const float v : made.grid().values)
        near += std::abs(v) < made.band() + 2 * made.voxel_size();
    state.counters["triangles"] = static_cast<double>(b.mesh.triangles.size());
    state.counters["nodes_in_band"] = static_cast<double>(near);
    state.counters["MB"] = 1e-6 * static_cast<double>(made.memory());
}
BENCHMARK(make)
    ->Args({40, 64})
    ->Args({20, 64})
    ->Args({10, 64})
    ->Args({5, 64})
    ->Args({5, 160})
    ->Unit(benchmark::kMillisecond);

/// The same by the referee, which fills the whole box.
void make_dense(benchmark::State& state) {
    set_thread_count(1);
    const Ball& b = ball(64);
    DenseGrid made;
    for (auto _ : state)
        made = make_marched_distance(b.view(), settings(state.range(0)));
    state.counters["nodes"] = static_cast<double>(made.distance.size());
    state.counters["MB"] = 1e-6 * static_cast<double>(made.distance.size() * sizeof(double));
}
BENCHMARK(make_dense)->Arg(40)->Arg(20)->Arg(10)->Unit(benchmark::kMillisecond);

void write_file(benchmark::State& state) {
    const LevelSet s = LevelSet::from_mesh(ball(64).view(), settings(state.range(0), true));
    std::string bytes;
    for (auto _ : state)
        bytes = vdb_bytes(s);
    state.counters["MB"] = 1e-6 * static_cast<double>(bytes.size());
}
BENCHMARK(write_file)->Arg(10)->Unit(benchmark::kMillisecond);

void read_file(benchmark::State& state) {
    const LevelSet s = LevelSet::from_mesh(ball(64).view(), settings(state.range(0), true));
    const std::string bytes = vdb_bytes(s);
    for (auto _ : state)
        benchmark::DoNotOptimize(level_set_from_vdb(bytes, "bytes"));
}
BENCHMARK(read_file)->Arg(10)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace muslin
