#include "muslin/base/parallel.h"
#include "muslin/mesh/character.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <random>

// Poses of a character as large as a walking human of 13,380 vertices, 31 joints and four joints
// per vertex, the sampling of its clip included.

namespace muslin {
namespace {

Character chain_of_joints(int vertices, int joints) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> number(-1, 1);
    Character out;
    CharacterPart part;
    Clip clip;
    clip.duration = 1;
    for (int j = 0; j < joints; ++j) {
        out.nodes.push_back({"joint", j - 1, {{0, 0.05, 0}, {}, {1, 1, 1}}});
        part.joints.push_back(j);
        part.inverse_bind.push_back({});
        part.inverse_bind.back().offset = {0, -0.05 * (j + 1), 0};
        ClipChannel channel;
        channel.node = j;
        channel.path = ClipChannel::Path::rotation;
        for (int k = 0; k < 100; ++k) {
            channel.times.push_back(k / 99.0);
            const double half = 0.1 * std::sin(0.1 * k + j);
            channel.values.insert(channel.values.end(), {0, 0, std::sin(half), std::cos(half)});
        }
        clip.channels.push_back(std::move(channel));
    }
    part.vertex_count = vertices;
    part.influence_begin = {0};
    for (int v = 0; v < vertices; ++v) {
        out.mesh.positions.push_back({number(random), number(random), number(random)});
        for (int i = 0; i < 4; ++i) {
            part.influence_joint.push_back((v * joints / vertices + i) % joints);
            part.influence_weight.push_back(0.25);
        }
        part.influence_begin.push_back(4 * v + 4);
    }
    out.parts.push_back(std::move(part));
    out.clips.push_back(std::move(clip));
    return out;
}

void pose(benchmark::State& state) {
    const Character body = chain_of_joints(13380, 31);
    std::vector<Vec3> at(body.mesh.positions.size());
    set_thread_count(static_cast<int>(state.range(0)));
    double time = 0;
    for (auto _ : state) {
        pose_character(body, sample_clip(body, body.clips[0], time), at);
        benchmark::DoNotOptimize(at.data());
        time = time < 1 ? time + 0.013 : 0;
    }
    set_thread_count(0);
}
BENCHMARK(pose)
    ->Name("skinning/threads")
    ->Arg(1)
    ->Arg(2)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

} // namespace
} // namespace muslin
