#include "muslin/integrators/stage_system.h"

#include "muslin/base/error.h"
#include "muslin/integrators/loops.h"

#include <algorithm>

namespace muslin {
namespace {

LinearisedForce& linearised(Force& force) {
    LinearisedForce* part = force.capabilities().linearised;
    if (!part)
        throw InputError({{},
                          "parts.integrator",
                          "an integrator that takes the force '" + std::string(force.name()) +
                              "', which cannot be linearised: an explicit one",
                          "an implicit one",
                          "or let the force implement LinearisedForce (forces/capabilities.h)"});
    return *part;
}

} // namespace

StageSystem::StageSystem(const Model& model, const std::vector<std::unique_ptr<Force>>& forces)
    : model_(model) {
    std::vector<std::array<int, 2>> pairs;
    std::vector<const RecordedElements*> recorded;
    for (const auto& force : forces) {
        const std::size_t before = pairs.size();
        LinearisedForce& part = linearised(*force);
        part.append_pairs(pairs);
        const ForceCapabilities can = force->capabilities();
        if (can.adaptive)
            adapting_.push_back(can.adaptive);
        if (can.recorded) {
            recorded.push_back(can.recorded);
            continue;
        }
        add_pairs_ = add_pairs_ || pairs.size() > before;
        (can.adaptive ? adaptive_ : plain_).push_back(&part);
    }
    matrix_.set_pattern(model.particle_count(), pairs);
    rows_ = RowAssembly(matrix_, std::move(recorded));
    for (const auto& force : forces) // all: each can also be asked alone
        linearised(*force).bind(matrix_);
}

void StageSystem::assemble(const StageStart& from, std::span<const Vec3> alteration,
                           const State& at, const StageSolve& which) {
    const std::size_t n = at.positions.size();
    displacement_.resize(n);
    for_particles(n, [&](std::size_t i) {
        displacement_[i] =
            from.positions[i] + from.h * at.velocities[i] + alteration[i] - at.positions[i];
    });
    const Kinematics kinematics = {at.positions, at.velocities};
    const Linearisation step = {from.h, displacement_, which.iteration, which.last};
    right_side_.assign(n, {0, 0, 0});
    rows_.set(model_.mass, kinematics, step, right_side_, matrix_);
    add(plain_, kinematics, step);
    if (add_pairs_)
        matrix_.mirror_pairs();
    add(adaptive_, kinematics, step);
    for_particles(n, [&](std::size_t i) {
        right_side_[i] =
            from.h * right_side_[i] - model_.mass[i] * (at.velocities[i] - from.velocities[i]);
    });
}

// What forces add that are not assembled by rows.
void StageSystem::add(std::span<LinearisedForce* const> parts, const Kinematics& at,
                      const Linearisation& step) {
    for (const LinearisedForce* part : parts)
        part->add_linearised(at, step, right_side_, matrix_);
}

void StageSystem::find_constraint_forces(double h, std::span<const Vec3> change,
                                         const ConstraintSet& constraints, std::vector<Vec3>& out) {
    product_.resize(change.size());
    out.clear();
    for (const ParticleConstraint& c : constraints.list()) {
        matrix_.multiply_rows(c.particle, c.particle + 1, change.data(), product_.data());
        out.push_back((1 / h) * (product_[c.particle] - right_side_[c.particle]));
    }
}

bool StageSystem::has_contact() const {
    return std::any_of(adapting_.begin(), adapting_.end(),
                       [](const AdaptiveForce* force) { return force->is_active(); });
}

void StageSystem::update(const Kinematics& at) {
    for (AdaptiveForce* force : adapting_)
        force->update(at);
}

bool StageSystem::forces_have_converged(std::span<const double> open) const {
    return std::all_of(adapting_.begin(), adapting_.end(),
                       [&](const AdaptiveForce* force) { return force->has_converged(open); });
}

} // namespace muslin
