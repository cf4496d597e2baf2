#include "muslin/engine/start.h"

#include "muslin/collision/untangle/untangle.h"

#include <algorithm>
#include <fmt/format.h>

namespace muslin {
namespace {

std::vector<std::uint8_t> held_particles(const Model& model, const std::vector<Pin>& pins,
                                         double time) {
    std::vector<std::uint8_t> held(model.particle_count(), 0);
    for (const Pin& pin : pins)
        if (pin.window.contains(time))
            for (int p : pin.particles)
                held[p] = 1;
    return held;
}

Vec3 middle_of(const Contour& contour, const Surfaces& surfaces, std::span<const Vec3> points) {
    Vec3 sum = {0, 0, 0};
    for (const Interference& c : contour.crossings) {
        const auto [a, b] = surfaces.edges[c.edge];
        sum += 0.5 * (points[a] + points[b]);
    }
    return (1.0 / static_cast<double>(contour.crossings.size())) * sum;
}

} // namespace

StartUntangling untangle_start(const Model& model, const Conditions& conditions, State& start,
                               const UntangleSettings& settings) {
    StartUntangling out;
    out.before = find_tangles(model, start);
    const Surfaces surfaces(model);
    std::vector<Vec3> points(surfaces.point_count(), Vec3{0, 0, 0});
    surfaces.place_bodies(start.time, points);
    std::copy(start.positions.begin(), start.positions.end(), points.begin());
    Untangler untangler(surfaces, held_particles(model, conditions.pins, start.time), settings);
    out.report = untangler.run(points);
    std::copy_n(points.begin(), start.positions.size(), start.positions.begin());
    for (const Contour& contour : untangler.left())
        out.places.push_back(middle_of(contour, surfaces, points));
    out.left = find_tangles(model, start);
    return out;
}

BuiltScene build_start(const SceneDescription& scene, std::optional<StartUntangling>* done) {
    BuiltScene built = build_scene(scene);
    if (!scene.contact.untangle)
        return built;
    StartUntangling result = untangle_start(built.model, built.conditions, built.start);
    if (done && !result.before.empty())
        *done = std::move(result);
    return built;
}

std::string describe(const UntangleReport& r) {
    const std::string bodies =
        r.inside_before > 0
            ? fmt::format(", {} of {} vertices left in bodies", r.inside, r.inside_before)
            : "";
    return fmt::format(
        "{} of {} crossings on {} of {} contours left{}; {} vertices moved, by {:.3g} "
        "m at most and {:.3g} m in the mean; edges changed by {:.2g} % at most",
        r.crossings, r.crossings_before, r.contours, r.contours_before, bodies, r.moved,
        r.largest_move, r.mean_move, 100 * r.strain);
}

} // namespace muslin
