// The tables of numbers that a scene has once: world, time, solver, contact and what comes with
// them.
#include "muslin/scene/load_parts.h"

#include <fmt/format.h>

namespace muslin {

std::string read_cache_folder(const Place& place, const FileScope& scope) {
    constexpr const char* expected = "\"auto\", \"none\" or the path of a folder";
    const std::string text = place.text(expected);
    if (text.empty())
        place.fail(expected);
    return text == "auto" || text == "none" ? text : scoped_path(place, text, scope).string();
}

WorldDescription read_world(const Place& place) {
    TableReader reader(place, keys::world);
    WorldDescription out;
    reader.read("gravity", out.gravity);
    if (const auto wind = reader.get("wind"))
        out.wind = wind->field();
    reader.read("air_density", out.air_density);
    reader.read("drag_coefficient", out.drag_coefficient);
    reader.read("linear_drag", out.linear_drag);
    reader.read("viscous_drag", out.viscous_drag);
    return out;
}

TimeDescription read_time(const Place& place) {
    TableReader reader(place, keys::time);
    TimeDescription out;
    reader.read("frames", out.frames);
    reader.read("frame_rate", out.frame_rate);
    const double frame = 1 / out.frame_rate;
    // So that a frame's length may be written in decimals, rounded up.
    constexpr double slack = 1 + 1e-3;
    if (const auto step = reader.get("max_step")) {
        out.max_step = step->number();
        if (out.max_step > frame * slack)
            step->fail(fmt::format("at most one frame, {:.4g} [s]", frame),
                       fmt::format("frame_rate = {}", out.frame_rate));
    }
    const double longest = out.max_step > 0 ? out.max_step : frame;
    if (const auto step = reader.get("min_step")) {
        out.min_step = step->number();
        if (out.min_step > longest * slack)
            step->fail(fmt::format("at most the longest step, {:.4g} [s]", longest));
    }
    reader.read("stretch_change_limit", out.stretch_change_limit);
    reader.read("max_steps", out.max_steps);
    return out;
}

SolverDescription read_solver(const Place& place) {
    TableReader reader(place, keys::solver);
    SolverDescription out;
    reader.read("tolerance", out.tolerance);
    reader.read("accuracy", out.accuracy);
    reader.read("max_iterations", out.max_iterations);
    reader.read("preconditioner", out.preconditioner);
    reader.read("newton_iterations", out.newton_iterations);
    reader.read("linearise_at", out.linearise_at);
    reader.read("local_rates", out.local_rates);
    reader.read("stability_control", out.stability_control);
    reader.read("limit_damping", out.limit_damping);
    reader.read("adaptive", out.adaptive);
    reader.read("error", out.error);
    return out;
}

ContactDescription read_contact(const Place& place) {
    TableReader reader(place, keys::contact);
    ContactDescription out;
    reader.read("allow_tangled", out.allow_tangled);
    reader.read("untangle", out.untangle);
    reader.read("relaxation", out.relaxation);
    reader.read("consistency", out.consistency);
    reader.read("memory", out.memory);
    reader.read("sphere_radius", out.sphere_radius);
    reader.read("bodies", out.bodies);
    reader.read("test", out.test);
    reader.read("volume", out.volume);
    reader.read("resolve_at", out.resolve_at);
    reader.read("friction_law", out.friction_law);
    reader.read("self_response", out.self_response);
    return out;
}

LevelSetsDescription read_level_sets(const Place& place, const FileScope& scope) {
    TableReader reader(place, keys::level_sets);
    LevelSetsDescription out;
    reader.read("voxel", out.voxel);
    if (const auto band = reader.get("band")) {
        out.band = band->number();
        if (out.voxel > 0 && out.band < 3 * out.voxel)
            band->fail(fmt::format("at least three voxels, {:.4g} [m]", 3 * out.voxel));
    }
    if (const auto cache = reader.get("cache"))
        out.cache = read_cache_folder(*cache, scope);
    return out;
}

PostDescription read_post(const Place& place) {
    TableReader reader(place, keys::post);
    PostDescription out;
    reader.read("enabled", out.enabled);
    reader.read("epsilon", out.epsilon);
    if (const auto tau = reader.get("tau")) {
        out.tau = tau->number();
        if (out.epsilon && *out.tau < 1.5 * *out.epsilon)
            tau->fail(fmt::format("at least one and a half times epsilon, {:.4g} [m]",
                                  1.5 * *out.epsilon));
    }
    reader.read("depth", out.depth);
    reader.read("subdivide", out.subdivide);
    return out;
}

LimitsDescription read_limits(const Place& place) {
    TableReader reader(place, keys::limits);
    LimitsDescription out;
    reader.read("stretch_min", out.stretch_min);
    if (const auto max = reader.get("stretch_max")) {
        out.stretch_max = max->number();
        if (out.stretch_min && *out.stretch_max < *out.stretch_min)
            max->fail(fmt::format("at least stretch_min = {}", *out.stretch_min));
    }
    reader.read("self_intersections", out.self_intersections);
    reader.read("body_intersections", out.body_intersections);
    reader.read("body_penetration_max", out.body_penetration_max);
    reader.read("seams_open", out.seams_open);
    return out;
}

} // namespace muslin
