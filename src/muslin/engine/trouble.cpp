#include "muslin/engine/trouble.h"

#include "muslin/base/largest_number.h"
#include "muslin/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace muslin {
namespace {

bool fits(const Vec3& a) {
    return std::abs(a.x) <= largest_number && std::abs(a.y) <= largest_number &&
           std::abs(a.z) <= largest_number; // false also for what is not a number
}

/// The index of the largest of count values; what is not a number is the largest.
template <class Value>
int largest_of(std::size_t count, const Value& value) {
    int best = 0;
    double most = -1;
    for (std::size_t i = 0; i < count; ++i) {
        const double found = value(i);
        if (!(found <= most)) {
            best = static_cast<int>(i);
            if (std::isnan(found))
                break;
            most = found;
        }
    }
    return best;
}

int out_of_range(const State& state) {
    for (std::size_t i = 0; i < state.positions.size(); ++i)
        if (!fits(state.positions[i]) || !fits(state.velocities[i]))
            return static_cast<int>(i);
    return -1;
}

double pattern_length(const std::array<Vec2, 3>& corners, int k) {
    const Vec2 edge = corners[(k + 1) % 3] - corners[k];
    return std::hypot(edge.x, edge.y);
}

int most_stretched(const Model& model, const State& begin, const State& end) {
    const DynamicsLayer& layer = model.dynamics;
    const int worst = largest_of(3 * layer.triangles.size(), [&](std::size_t i) {
        const auto& t = layer.triangles[i / 3];
        const int k = static_cast<int>(i % 3), a = t[k], b = t[(k + 1) % 3];
        const double change = norm(end.positions[b] - end.positions[a]) -
                              norm(begin.positions[b] - begin.positions[a]);
        return std::abs(change) / pattern_length(layer.pattern[i / 3], k);
    });
    return layer.triangles[worst / 3][worst % 3];
}

// By how fast a corner can vibrate: stiffness of the threads, more where a triangle is narrow, over
// its mass.
int stiffest(const Model& model) {
    const DynamicsLayer& layer = model.dynamics;
    const int worst = largest_of(3 * layer.triangles.size(), [&](std::size_t i) {
        const auto& corners = layer.pattern[i / 3];
        const Vec2 u = corners[1] - corners[0], v = corners[2] - corners[0];
        const double area = 0.5 * std::abs(u.x * v.y - u.y * v.x);
        double longest = 0;
        for (int k = 0; k < 3; ++k)
            longest = std::max(longest, pattern_length(corners, k));
        const Material& m = model.cloths[layer.triangle_cloth[i / 3]].material;
        const double bend = std::max(m.bend_u, m.bend_v) / area;
        return (std::max({m.stretch_u, m.stretch_v, m.shear, bend}) * longest * longest) /
               (area * model.mass[layer.triangles[i / 3][i % 3]]);
    });
    return layer.triangles[worst / 3][worst % 3];
}

struct Place {
    const Cloth* cloth;
    std::size_t vertex;
};

Place place_of(const Model& model, int particle) {
    for (const Cloth& cloth : model.cloths) {
        const auto at = std::find(cloth.particles.begin(), cloth.particles.end(), particle);
        if (at != cloth.particles.end())
            return {&cloth, static_cast<std::size_t>(at - cloth.particles.begin())};
    }
    return {&model.cloths.front(), 0};
}

} // namespace

std::string describe(const Stall& stall) {
    return fmt::format("frame {} is slow: {:.0f} % of it done after {} steps, which are now {:.3g} "
                       "s long: {}",
                       stall.frame, 100 * stall.done, stall.steps, stall.step, stall.reason);
}

bool in_range(const State& state) {
    return parallel_sum<int>(state.positions.size(), 1024, [&](std::size_t from, std::size_t to) {
               int wrong = 0;
               for (std::size_t i = from; i < to; ++i)
                   wrong += fits(state.positions[i]) && fits(state.velocities[i]) ? 0 : 1;
               return wrong;
           }) == 0;
}

int find_culprit(Trouble trouble, const Model& model, const State& begin, const State& end) {
    const bool whole = end.positions.size() == begin.positions.size() &&
                       end.velocities.size() == begin.velocities.size();
    if (whole)
        if (const int wrong = out_of_range(end); wrong >= 0)
            return wrong;
    const bool has_triangles = !model.dynamics.triangles.empty();
    if (trouble == Trouble::stretch && whole && has_triangles)
        return most_stretched(model, begin, end);
    if ((trouble == Trouble::unstable || trouble == Trouble::not_definite || !whole) &&
        has_triangles)
        return stiffest(model);
    return largest_of(begin.velocities.size(), [&](std::size_t i) {
        return whole ? norm(end.velocities[i] - begin.velocities[i]) : norm(begin.velocities[i]);
    });
}

std::string name_particle(const Model& model, int particle) {
    const Place place = place_of(model, particle);
    return fmt::format("cloth '{}', vertex {}", place.cloth->name, place.vertex);
}

std::string advise(Trouble trouble, const Model& model, int particle) {
    const std::string material =
        fmt::format("cloth.{}.material", place_of(model, particle).cloth->name);
    switch (trouble) {
    case Trouble::not_definite:
        return fmt::format("Lower time.max_step, or bring the stiffnesses of {0} nearer to each "
                           "other, or raise {0}.density",
                           material);
    case Trouble::not_finite:
        return fmt::format("Lower time.max_step, or what drives the cloth: world.gravity, "
                           "world.wind, loads and pulls, {}.stretch_u and stretch_v",
                           material);
    case Trouble::inaccurate:
        return fmt::format("Raise solver.error, lower time.min_step, or soften {}", material);
    case Trouble::contact:
        return fmt::format("Slow what moves (body.motion, pin.motion), lower time.min_step, or "
                           "give the cloth room: {}.thickness",
                           material);
    case Trouble::undefined:
        return "Change the potential, or what stretches it (time.min_step)";
    case Trouble::unstable:
        return fmt::format("Soften {0} (stretch_u, stretch_v, shear, bend_u, bend_v, damping), "
                           "raise {0}.density, make the triangles there larger or less narrow, or "
                           "take an implicit recipe, such as recipe = \"muslin\"; time.min_step "
                           "lets steps be shorter",
                           material);
    case Trouble::many_steps:
        return fmt::format("Raise time.max_steps, or time.frame_rate, which makes frames shorter; "
                           "or soften {} and slow what moves",
                           material);
    case Trouble::none:
    case Trouble::stretch:
    case Trouble::hasty:
    case Trouble::gained:
        break;
    }
    return fmt::format("Lower time.min_step, raise time.stretch_change_limit, slow what moves "
                       "(pin.motion, body.motion), lower what pulls (world.gravity, world.wind, "
                       "loads), or stiffen {0} (stretch_u, stretch_v) against it",
                       material);
}

} // namespace muslin
