// Triangles that intersect [Bayraktar07 3, 4]: the test of two triangles beside that of the judge
// and against exact arithmetic on a million hard pairs, then trees of boxes beside trees of balls.
// One thread but for the referee; times are of the processor, the best of several rounds.
//
//     bench_triangles [--pairs N] [--referee]
//
// The exit status is 1 where a pair is decided wrongly.

#include "processor_time.h"

#include "kernels/triangle_samples.h"
#include "muslin/base/parallel.h"
#include "muslin/collision/detect/triangle_pairs.h"
#include "muslin/kernels/triangle_triangle.h"
#include "muslin/mesh/generators.h"
#include "muslin/mesh/triangle_mesh.h"
#include "muslin/model/build_model.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <memory>
#include <numbers>
#include <string_view>

namespace {

using namespace muslin;
using bench::milliseconds;
using test::TrianglePoints;
using test::TriangleSample;
using test::TriangleSamples;

Corners corners(const TrianglePoints& t) {
    return {&t[0], &t[1], &t[2]};
}

double percent(std::size_t part, std::size_t whole) {
    return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

// ------------------------------------------------------------------------------- the referee

struct Tally {
    std::size_t pairs = 0, met = 0, exact = 0, wrong = 0;
    Tally& operator+=(const Tally& b) {
        pairs += b.pairs;
        met += b.met;
        exact += b.exact;
        wrong += b.wrong;
        return *this;
    }
};

Tally judge(int kind, std::size_t count, std::uint64_t seed) {
    TriangleSamples samples(seed);
    Tally tally;
    for (std::size_t i = 0; i < count; ++i) {
        const TriangleSample s = samples.next(kind);
        const bool expected = test::exact_triangles_meet(s.a, s.b);
        bool exact = false;
        const bool found = triangles_intersect(corners(s.a), corners(s.b), exact);
        const bool swapped = triangles_intersect(corners(s.b), corners(s.a));
        ++tally.pairs;
        tally.met += expected;
        tally.exact += exact;
        tally.wrong += found != expected || swapped != expected;
    }
    return tally;
}

bool exact_referee(std::size_t pairs) {
    fmt::print("\nTwo triangles against exact arithmetic\n{:30} {:>9} {:>10} {:>8} {:>8}\n", "kind",
               "pairs", "intersect", "exact", "wrong");
    constexpr std::size_t block = 1000;
    const std::size_t blocks = (pairs / TriangleSamples::kinds + block) / block;
    std::vector<Tally> tallies(TriangleSamples::kinds * blocks);
    parallel_for(tallies.size(), 1, [&](std::size_t i, std::size_t) {
        tallies[i] = judge(static_cast<int>(i / blocks), block, 1000003 * (i + 1));
    });
    Tally all;
    for (int kind = 0; kind < TriangleSamples::kinds; ++kind) {
        Tally sum;
        for (std::size_t i = 0; i < blocks; ++i)
            sum += tallies[kind * blocks + i];
        all += sum;
        fmt::print("{:30} {:9} {:8.1f} % {:6.1f} % {:8}\n", TriangleSamples::name(kind), sum.pairs,
                   percent(sum.met, sum.pairs), percent(sum.exact, sum.pairs), sum.wrong);
    }
    fmt::print("{:30} {:9} {:8.1f} % {:6.1f} % {:8}\n", "all", all.pairs,
               percent(all.met, all.pairs), percent(all.exact, all.pairs), all.wrong);
    return all.wrong == 0;
}

void time_of_a_test() {
    fmt::print(
        "\nTime of one test [ns]; the judge tests edges against triangles\n{:30} {:>8} {:>8} "
        "{:>8}\n",
        "kind", "ours", "judge", "ratio");
    for (const int kind : {0, 2, 4, 6, 7, 9, 15}) {
        TriangleSamples samples(5);
        std::vector<TriangleSample> pairs;
        for (int i = 0; i < 20000; ++i)
            pairs.push_back(samples.next(kind));
        std::size_t met = 0;
        const auto run = [&](auto&& test) {
            return milliseconds(
                       [&] {
                           for (const TriangleSample& s : pairs)
                               met += test(corners(s.a), corners(s.b));
                       },
                       15) *
                   1e6 / static_cast<double>(pairs.size());
        };
        const double ours =
            run([](const Corners& a, const Corners& b) { return triangles_intersect(a, b); });
        const double theirs = run(triangles_meet);
        fmt::print("{:30} {:8.0f} {:8.0f} {:8.2f}\n", TriangleSamples::name(kind), ours, theirs,
                   ours / theirs);
        if (met == 0)
            fmt::print("(none intersect)\n");
    }
}

// --------------------------------------------------------------------------- boxes and balls

struct Scene {
    Scene(int side, double radius, const std::function<Vec3(const Vec3&)>& shape) {
        ClothInput cloth;
        cloth.name = "sheet";
        cloth.mesh = make_grid({.columns = side, .rows = side, .diagonals = Diagonals::one});
        model = build_model({{cloth}}, {}, start);
        Body body;
        body.name = "ball";
        const int rings = std::max(24, side / 3);
        body.mesh = make_sphere({.radius = radius, .rings = rings, .segments = 2 * rings});
        body.triangles = triangulate(body.mesh).triangles;
        model.bodies.push_back(body);
        surfaces = std::make_unique<Surfaces>(model);
        flat.resize(surfaces->point_count());
        surfaces->place_bodies(0, flat);
        std::copy(start.positions.begin(), start.positions.end(), flat.begin());
        at = flat;
        for (std::size_t i = 0; i < start.positions.size(); ++i)
            at[i] = shape(flat[i]);
    }
    Model model;
    State start;
    std::unique_ptr<Surfaces> surfaces;
    std::vector<Vec3> flat, at;
};

Vec3 crumpled(const Vec3& x) {
    const double u = 6 * x.x, v = 6 * x.z;
    return 0.5 * Vec3{std::sin(1.1 * u + 0.9 * std::sin(2 * v)),
                      std::sin(1.3 * v + 0.7 * std::sin(1.7 * u)), std::sin(0.8 * u + 1.2 * v)};
}

// Over a ball, its middle sunk into it, in waves below its equator.
Vec3 draped(const Vec3& x, double radius) {
    const double r = std::hypot(x.x, x.z), turn = std::atan2(x.z, x.x);
    const double reach = 0.5 * std::numbers::pi * radius;
    if (r < reach)
        return {radius * std::sin(r / radius) * std::cos(turn),
                radius * std::cos(r / radius) - 0.003,
                radius * std::sin(r / radius) * std::sin(turn)};
    const double below = r - reach;
    const double out = radius + 0.35 * below * (1 + std::sin(10 * turn));
    const double swing = 0.25 * below * std::cos(10 * turn) / out;
    return {out * std::cos(turn + swing), -below - 0.003, out * std::sin(turn + swing)};
}

void compare(const char* name, const Scene& scene, PairTest test) {
    const int rounds = scene.at.size() > 30000 ? 7 : 31;
    for (const PairVolume volume : {PairVolume::boxes, PairVolume::spheres}) {
        TrianglePairs pairs(*scene.surfaces, {.volume = volume, .test = test});
        std::vector<TrianglePair> bodies, cloth;
        // The structure is that of the flat sheet, as it is in a run. For the vertices: a step of 5
        // millimetres down.
        pairs.update(scene.flat, scene.flat);
        std::vector<Vec3> before = scene.at;
        for (int i = 0; i < scene.surfaces->particle_count(); ++i)
            before[i].y += 0.005;
        const double fit = milliseconds([&] { pairs.update(before, scene.at); }, rounds);
        const double body =
            milliseconds([&] { pairs.find_body_pairs(before, scene.at, bodies); }, rounds);
        const double self =
            milliseconds([&] { pairs.find_cloth_pairs(before, scene.at, cloth); }, rounds);
        TrianglePairs::Work work = pairs.body_work();
        work += pairs.cloth_work();
        fmt::print("{:10} {:8} {:8} {:9} {:9} {:6.1f} % {:7} {:7} {:8.3f} {:8.3f} {:8.3f}\n", name,
                   volume == PairVolume::boxes ? "boxes" : "balls",
                   scene.surfaces->cloth_triangle_count(), work.candidates, work.tests,
                   percent(work.exact, work.tests), bodies.size(), cloth.size(), fit, body, self);
    }
}

void trees() {
    const auto header = [](const char* what) {
        fmt::print("\n{}\n{:10} {:8} {:>8} {:>9} {:>9} {:>8} {:>7} {:>7} {:>8} {:>8} {:>8}\n", what,
                   "cloth", "volumes", "triangles", "overlap", "tested", "exact", "body", "self",
                   "fit ms", "body ms", "self ms");
    };
    for (const PairTest test : {PairTest::triangles, PairTest::vertices}) {
        header(test == PairTest::triangles ? "Triangles against triangles"
                                           : "Vertices on their way against triangles");
        for (const int side : {26, 48, 101, 225}) {
            const double radius = 0.25;
            compare("draped", Scene(side, radius, [&](const Vec3& x) { return draped(x, radius); }),
                    test);
        }
        for (const int side : {26, 101})
            compare("crumpled", Scene(side, 0.3, crumpled), test);
    }
}

} // namespace

int main(int argc, char** argv) {
    std::size_t pairs = 1000000;
    bool all = true;
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        if (argument == "--pairs" && i + 1 < argc)
            pairs = std::strtoull(argv[++i], nullptr, 10);
        else if (argument == "--referee")
            all = false;
    }
    if (all) {
        set_thread_count(1);
        time_of_a_test();
        trees();
        set_thread_count(0);
    }
    return exact_referee(pairs) ? 0 : 1;
}
