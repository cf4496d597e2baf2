#include "muslin/mesh/subdivide.h"
#include "muslin/render/renderer.h"

#include <benchmark/benchmark.h>

#include <cmath>

// Pictures of 1280 x 720 pixels, without a display: what a frame of `muslin render` costs.

namespace muslin {
namespace {

/// A folded sheet of n x n vertices.
RenderMesh folded_sheet(int n) {
    RenderMesh mesh;
    const auto uv = [&](int v) {
        return Vec2{static_cast<double>(v % n) / (n - 1), static_cast<double>(v / n) / (n - 1)};
    };
    for (int v = 0; v < n * n; ++v) {
        const auto [x, y] = uv(v);
        mesh.positions.push_back(
            {x, y, 0.08 * y * std::sin(14 * x + 3 * y) + 0.03 * std::sin(31 * x)});
    }
    for (int j = 0; j + 1 < n; ++j)
        for (int i = 0; i + 1 < n; ++i) {
            const int a = j * n + i, b = a + 1, c = a + n, d = c + 1;
            for (const auto& t : {std::array{a, b, d}, std::array{a, d, c}}) {
                mesh.triangles.push_back(t);
                mesh.material.push_back({uv(t[0]), uv(t[1]), uv(t[2])});
            }
        }
    return mesh;
}

void draw(benchmark::State& state, const RenderSettings& settings) {
    std::vector<RenderMesh> meshes = {folded_sheet(static_cast<int>(state.range(0)))};
    Box box;
    box.add(meshes[0].positions);
    const Camera camera = frame_camera(box, {});
    Renderer renderer;
    renderer.draw(meshes, camera, settings); // the driver compiles its programs
    double sway = 0;
    for (auto _ : state) {
        meshes[0].positions[0].z = sway += 1e-6;
        benchmark::DoNotOptimize(renderer.draw(meshes, camera, settings));
    }
}

void draw_cloth(benchmark::State& state) {
    draw(state, {});
}
BENCHMARK(draw_cloth)
    ->Arg(51)
    ->Arg(101)
    ->Arg(201)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

void draw_checker(benchmark::State& state) {
    RenderSettings settings;
    settings.checker = true;
    draw(state, settings);
}
BENCHMARK(draw_checker)
    ->Arg(201)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

void draw_wireframe(benchmark::State& state) {
    RenderSettings settings;
    settings.wireframe = true;
    draw(state, settings);
}
BENCHMARK(draw_wireframe)
    ->Arg(201)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

void write_picture(benchmark::State& state) {
    const std::vector<RenderMesh> meshes = {folded_sheet(201)};
    Box box;
    box.add(meshes[0].positions);
    const Image image = Renderer().draw(meshes, frame_camera(box, {}));
    for (auto _ : state)
        benchmark::DoNotOptimize(encode_png(image));
}
BENCHMARK(write_picture)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();

void subdivide_twice(benchmark::State& state) {
    const RenderMesh mesh = folded_sheet(101);
    const Subdivision finer(mesh.positions.size(), mesh.triangles, mesh.material, 2);
    std::vector<Vec3> fine;
    for (auto _ : state) {
        finer.apply(mesh.positions, fine);
        benchmark::DoNotOptimize(fine.data());
    }
}
BENCHMARK(subdivide_twice)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();

} // namespace
} // namespace muslin
