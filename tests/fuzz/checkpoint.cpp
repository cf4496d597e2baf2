#include "fuzz.h"

#include "muslin/base/hash.h"
#include "muslin/run/checkpoint.h"

#include <cstring>

using namespace muslin;

namespace {

/// What the seeds are states of.
Model small_model() {
    Model model;
    model.mass.assign(4, 1);
    model.dynamics.triangles = {{0, 1, 2}, {1, 3, 2}};
    model.dynamics.pattern = {{Vec2{0, 0}, Vec2{1, 0}, Vec2{0, 1}},
                              {Vec2{1, 0}, Vec2{1, 1}, Vec2{0, 1}}};
    model.dynamics.triangle_cloth = {0, 0};
    model.dynamics.hinges.resize(1);
    model.dynamics.hinges[0] = {{0, 1, 2, 3}, {0, 1}};
    model.collision.triangles = model.dynamics.triangles;
    model.collision.thickness.assign(4, 1e-3);
    model.collision.friction.assign(4, 0.3);
    model.cloths.resize(1);
    model.cloths[0].triangle_range = {0, 2};
    model.cloths[0].particles = {0, 1, 2, 3};
    model.stickings.resize(1);
    model.stickings[0].triangles = {{0, 1, 2}};
    return model;
}

/// With the digest that fits at its end: what it says of the rest would be all that is tried.
std::string sealed(std::string_view bytes) {
    constexpr std::size_t sum_size = sizeof(std::uint64_t);
    std::string out(bytes);
    if (out.size() < sum_size)
        return out;
    Hash64 hash;
    hash.add(out.data(), out.size() - sum_size);
    const std::uint64_t sum = hash.value();
    std::memcpy(out.data() + out.size() - sum_size, &sum, sum_size);
    return out;
}

void check_state(const State& s) {
    fuzz::require(std::isfinite(s.time), "a finite time");
    fuzz::require(s.velocities.size() == s.positions.size(), "a velocity for every position");
    for (std::size_t i = 0; i < s.positions.size(); ++i)
        fuzz::require(is_finite(s.positions[i]) && is_finite(s.velocities[i]), "a finite state");
    fuzz::require(fuzz::all_finite(s.contact_force), "finite forces");
    fuzz::require(fuzz::all_finite(s.strain_history.hinges), "finite curvatures");
    for (const Vec3& strain : s.strain_history.triangles)
        fuzz::require(is_finite(strain), "finite strains");
    for (const Bond& bond : s.bonds)
        fuzz::require(is_finite(bond.weights) && std::isfinite(bond.height) &&
                          std::isfinite(bond.share),
                      "finite bonds");
    for (const RememberedSide& side : s.sides)
        fuzz::require(std::isfinite(side.seen) && (side.side == 1 || side.side == -1), "sides");
    for (const SolidTouch& touch : s.parts.contact.bw98.touches)
        fuzz::require(is_finite(touch.offset) && std::isfinite(touch.normal_force),
                      "finite contacts");
}

} // namespace

FUZZ_TARGET(checkpoint) {
    static const fuzz::MemoryFile file;
    static const Model model = small_model();
    for (const std::string& whole : {std::string(bytes), sealed(bytes)})
        fuzz::accepts([&] { check_state(load_state(file(whole), model).state); });
}
