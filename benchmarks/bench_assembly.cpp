// Assembly of the implicit system from stretch, shear and bending, in nanoseconds per triangle.

#include "muslin/base/parallel.h"
#include "muslin/engine/simulation.h"
#include "muslin/integrators/backward_euler.h"
#include "muslin/scene/load.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <string>
#include <vector>

namespace {

using namespace muslin;

void assembly(benchmark::State& state) {
    set_thread_count(static_cast<int>(state.range(1)));
    const std::vector<std::string> changes(
        1, fmt::format("cloth.sheet.mesh.vertices={}", state.range(0)));
    Simulation simulation(load_scene("two-corner-sheet", changes));
    const Model& model = simulation.model();
    const State& at = simulation.state();
    const auto& integrator = dynamic_cast<const BackwardEuler&>(simulation.integrator());
    BlockMatrix a = integrator.stage().system().matrix();
    std::vector<Vec3> f(at.positions.size()), d(at.positions.size(), {0, 0, 0});
    for (auto _ : state) {
        integrator.stage().system().rows().set(model.mass, {at.positions, at.velocities},
                                               {1.0 / 30, d}, f, a);
        benchmark::ClobberMemory();
    }
    state.counters["ns/triangle"] = benchmark::Counter(
        1e-9 * static_cast<double>(model.dynamics.triangles.size()),
        benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
    set_thread_count(0);
}

BENCHMARK(assembly)
    ->ArgNames({"vertices", "threads"})
    ->ArgsProduct({{2602, 40000}, {1, 2}})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

} // namespace
