// Self-detection by regions and their curvature beside a plain box tree [Volino95 4.1]: sheets in
// folds that hang over by more than 90 degrees without contact, and the share of detection that
// self-collision takes beside cloth and body (the paper's fig. 3: less than 5 %). Then detection
// step after step [4.4]. One thread; times are of the
// processor, the best of several rounds.

#include "processor_time.h"

#include "collision/broad/meander.h"
#include "muslin/base/parallel.h"
#include "muslin/collision/detect/proximity_tracker.h"
#include "muslin/mesh/generators.h"
#include "muslin/mesh/triangle_mesh.h"
#include "muslin/model/build_model.h"
#include "muslin/pattern/irregular_sheet.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <memory>
#include <numbers>

namespace {

using namespace muslin;
using bench::milliseconds;

struct Scene {
    Scene(PolygonMesh mesh, double thickness, const std::function<Vec3(const Vec3&)>& shape) {
        ClothInput cloth;
        cloth.name = "sheet";
        cloth.mesh = std::move(mesh);
        cloth.material.thickness = thickness;
        model = build_model({{cloth}}, {}, start);
        for (Vec3& x : start.positions)
            x = shape(x);
    }
    void add_ball(double radius, int rings) {
        Body body;
        body.name = "ball";
        body.mesh = make_sphere({.radius = radius, .rings = rings, .segments = 2 * rings});
        body.triangles = triangulate(body.mesh).triangles;
        model.bodies.push_back(body);
    }
    void finish() {
        surfaces = std::make_unique<Surfaces>(model);
        at.resize(surfaces->point_count());
        std::copy(start.positions.begin(), start.positions.end(), at.begin());
        surfaces->place_bodies(0, at);
    }
    Model model;
    State start;
    std::unique_ptr<Surfaces> surfaces;
    std::vector<Vec3> at;
};

struct Measured {
    std::size_t self_pairs, body_pairs, near;
    double boxes_ms, self_ms, body_ms, kinds_ms;
    double all_ms() const { return boxes_ms + self_ms + body_ms + kinds_ms; }
};

Measured measure(const Scene& scene, SelfSearch search) {
    ProximityDetector detector(*scene.surfaces, search);
    std::vector<Proximity> near;
    std::vector<Interference> crossing;
    ProximityCandidates candidates;
    detector.find_all(scene.at, 0, near, crossing);
    Measured m;
    const int rounds = scene.at.size() > 30000 ? 9 : 31;
    m.boxes_ms = milliseconds([&] { detector.set_boxes(scene.at, 0); }, rounds);
    m.self_ms = milliseconds([&] { detector.find_self(candidates); }, rounds);
    m.body_ms = milliseconds([&] { detector.append_body(candidates); }, rounds);
    detector.find_candidates(scene.at, 0, candidates);
    m.kinds_ms =
        milliseconds([&] { detector.evaluate(candidates, scene.at, 0, near, crossing); }, rounds);
    m.self_pairs = detector.work().self_pairs;
    m.body_pairs = detector.work().body_pairs;
    m.near = near.size();
    return m;
}

PolygonMesh sheet(int triangles, double width) {
    return make_irregular({.width = width, .depth = 1, .vertices = triangles / 2});
}

void compare(const char* name, const Scene& scene) {
    const Measured boxes = measure(scene, SelfSearch::boxes);
    const Measured regions = measure(scene, SelfSearch::regions);
    fmt::print("{:24} {:8} {:9} {:9} {:7.2f} % {:8.3f} {:8.3f} {:6.2f} {:6}\n", name,
               scene.surfaces->cloth_triangle_count(), boxes.self_pairs, regions.self_pairs,
               100.0 * static_cast<double>(regions.self_pairs) /
                   static_cast<double>(boxes.self_pairs),
               boxes.self_ms, regions.self_ms, regions.self_ms / boxes.self_ms, regions.near);
}

void folded_sheets() {
    fmt::print("\nSelf-detection, folds beyond 90 degrees without contact\n"
               "{:24} {:>8} {:>9} {:>9} {:>9} {:>8} {:>8} {:>6} {:>6}\n",
               "sheet", "triangles", "pairs:box", "regions", "share", "ms: box", "regions", "ratio",
               "near");
    for (int triangles : {1000, 10000, 100000}) {
        const test::Meander two(1, 2, 110);
        Scene scene(sheet(triangles, 1), 1e-3, [&](const Vec3& x) { return two.at(x); });
        scene.finish();
        compare("2 folds", scene);
    }
    // As many folds as the mesh can carry: those of the first one, again and again.
    for (int triangles : {1000, 10000, 100000}) {
        const double folds = 2 * std::sqrt(triangles / 1000.0);
        const test::Meander many(1, folds, 110);
        Scene scene(sheet(triangles, 1), 1e-3 / std::sqrt(triangles / 1000.0),
                    [&](const Vec3& x) { return many.at(x); });
        scene.finish();
        compare(fmt::format("{:.0f} folds", folds).c_str(), scene);
    }
    // Folds that touch: what is compared grows with what is near, not with the sheet.
    for (int triangles : {1000, 10000, 100000}) {
        const test::Meander closed(1, 2, 124.4);
        Scene scene(sheet(triangles, 1), 1e-3, [&](const Vec3& x) { return closed.at(x); });
        scene.finish();
        compare("2 folds that touch", scene);
    }
    // Rolled up, forty thicknesses from turn to turn.
    for (int triangles : {1000, 10000, 100000}) {
        const auto roll = [](const Vec3& x) {
            const double pitch = 0.04 / (2 * std::numbers::pi);
            const double turn = std::sqrt(2 * (x.x + 0.6) / pitch);
            return Vec3{pitch * turn * std::cos(turn), pitch * turn * std::sin(turn), x.z};
        };
        Scene scene(sheet(triangles, 1), 1e-3, roll);
        scene.finish();
        compare("rolled up", scene);
    }
}

// A cloth over a ball, in waves below its equator.
Vec3 over_ball(const Vec3& x, double radius) {
    const double r = std::hypot(x.x, x.z), turn = std::atan2(x.z, x.x);
    const double reach = 0.5 * std::numbers::pi * radius;
    if (r < reach)
        return {radius * std::sin(r / radius) * std::cos(turn), radius * std::cos(r / radius),
                radius * std::sin(r / radius) * std::sin(turn)};
    const double below = r - reach;
    const double out = radius + 0.35 * below * (1 + std::sin(10 * turn));
    const double swing = 0.25 * below * std::cos(10 * turn) / out;
    return {out * std::cos(turn + swing), -below, out * std::sin(turn + swing)};
}

void with_body() {
    fmt::print("\nShare of self-collision in detection (cloth over a ball; paper: less than 5 %)\n"
               "{:>9} {:>6} {:>9} {:>9} | {:>8} {:>8} {:>8} {:>8} {:>7} | {:>8} {:>7}\n",
               "triangles", "body", "self", "body", "boxes ms", "self ms", "body ms", "kinds ms",
               "share", "box tree", "share");
    for (int triangles : {1000, 10000, 100000}) {
        const double radius = 0.3, thickness = 4e-4;
        Scene scene(sheet(triangles, 1), thickness,
                    [&](const Vec3& x) { return over_ball(x, radius + 0.4 * thickness); });
        scene.add_ball(radius, static_cast<int>(std::sqrt(triangles / 4.0)));
        scene.finish();
        const Measured boxes = measure(scene, SelfSearch::boxes);
        const Measured regions = measure(scene, SelfSearch::regions);
        fmt::print(
            "{:9} {:6} {:9} {:9} | {:8.3f} {:8.3f} {:8.3f} {:8.3f} {:5.1f} % | {:8.3f} {:5.1f} %\n",
            scene.surfaces->cloth_triangle_count(), scene.surfaces->body_triangle_count(),
            regions.self_pairs, regions.body_pairs, regions.boxes_ms, regions.self_ms,
            regions.body_ms, regions.kinds_ms, 100 * regions.self_ms / regions.all_ms(),
            boxes.self_ms, 100 * boxes.self_ms / boxes.all_ms());
    }
}

// A patch that slides over a sheet: a search in every step, following, and tracking.
void step_after_step() {
    fmt::print(
        "\nStep after step: a patch of 1,000 triangles slides over a sheet, 200 steps of 0.1 mm\n"
        "{:>9} {:>9} {:>9} {:>9} {:>9} {:>9}\n",
        "triangles", "near", "full ms", "follow", "tracker", "searches");
    for (int triangles : {1000, 10000, 100000}) {
        ClothInput below, above;
        below.name = "sheet";
        below.mesh = sheet(triangles, 1);
        above.name = "patch";
        above.mesh = sheet(1000, 1);
        below.material.thickness = above.material.thickness = 1e-3;
        const double size = std::sqrt(1000.0 / triangles) * 0.99;
        for (Vec3& x : above.mesh.positions)
            x = size * x + Vec3{0, 0.8e-3, 0};
        State start;
        const Model model = build_model({{below, above}}, {}, start);
        const Surfaces surfaces(model);
        std::vector<int> moving = model.cloths[1].surface.vertex_particle;
        const auto run = [&](auto&& step) {
            std::vector<Vec3> at = start.positions;
            return milliseconds(
                       [&] {
                           for (int i = 0; i < 200; ++i) {
                               for (int p : moving)
                                   at[p].x += 1e-4;
                               step(at);
                           }
                       },
                       1) /
                   200;
        };
        ProximityDetector detector(surfaces);
        ProximityTracker tracker(surfaces);
        std::vector<Proximity> near;
        std::vector<Interference> crossing;
        detector.find_all(start.positions, 0, near, crossing);
        const double follow = run([&](auto& at) { detector.follow(at, 0, near, crossing); });
        const double full = run([&](auto& at) { detector.find_all(at, 0, near, crossing); });
        const double tracked = run([&](auto& at) { tracker.update(at, 0, near, crossing); });
        fmt::print("{:9} {:9} {:9.3f} {:9.3f} {:9.3f} {:9}\n", surfaces.cloth_triangle_count(),
                   near.size(), full, follow, tracked, tracker.searches());
    }
}

} // namespace

int main() {
    set_thread_count(1);
    folded_sheets();
    with_body();
    step_after_step();
}
