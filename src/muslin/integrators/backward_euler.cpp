#include "muslin/integrators/backward_euler.h"

#include "muslin/base/parallel.h"

#include <algorithm>

namespace muslin {
namespace {

constexpr std::size_t grain = 1024;

// How much less accurate solves are that only tell where the next one linearises: what comes to
// touch or to slide there changes the residual by more. Where accurate solves are asked for, as
// while garments are sewn, all are: panels that nothing holds yet would drift.
constexpr double approximate = 3;
constexpr double accurate = 5e-3; // tolerances below are

} // namespace

BackwardEuler::BackwardEuler(const Model& model, std::vector<std::unique_ptr<Force>> forces,
                             BackwardEulerSettings settings)
    : Integrator(model, std::move(forces)), settings_(settings),
      learns_(std::any_of(forces_.begin(), forces_.end(),
                          [](const auto& force) { return force->learns(); })) {
    std::vector<std::array<int, 2>> pairs;
    std::vector<const RecordedElements*> recorded;
    for (const auto& force : forces_) {
        const std::size_t before = pairs.size();
        force->append_pairs(pairs);
        if (const auto* elements = dynamic_cast<const RecordedElements*>(force.get())) {
            recorded.push_back(elements);
        } else {
            others_.push_back(force.get());
            others_add_pairs_ = others_add_pairs_ || pairs.size() > before;
        }
    }
    matrix_.set_pattern(model.particle_count(), pairs);
    rows_ = RowAssembly(matrix_, std::move(recorded));
    for (const auto& force : forces_) // all: each can also be asked alone
        force->bind(matrix_);
}

StepReport BackwardEuler::step(const State& begin, double h, const ConstraintSet& constraints,
                               State& end, Profile& profile) {
    return take(begin, h, constraints, false, end, profile);
}

StepReport BackwardEuler::repeat(const State& begin, double h, const ConstraintSet& constraints,
                                 State& end, Profile& profile) {
    return take(begin, h, constraints, learns_, end, profile);
}

StepReport BackwardEuler::take(const State& begin, double h, const ConstraintSet& constraints,
                               bool again, State& end, Profile& profile) {
    const std::size_t n = begin.positions.size();
    constraints.make_filter(filter_);
    alteration_.assign(n, {0, 0, 0});
    for (const auto& force : forces_) {
        force->prepare(begin.time + h);
        force->add_alteration(alteration_);
    }
    // Constraints come last: they say exactly where their particles go.
    constraints.set_position_alteration(begin.positions, h, alteration_);

    end = begin;
    if (settings_.linearise_at == LineariseAt::predicted)
        parallel_for(n, grain, [&](std::size_t from, std::size_t to) {
            for (std::size_t i = from; i < to; ++i)
                end.positions[i] += h * begin.velocities[i] + alteration_[i];
        });
    StepReport report;
    for (int k = 0; k < settings_.newton_iterations; ++k) {
        {
            const ProfileScope scope(profile, Task::forces);
            assemble(begin, h, end, k, again);
        }
        const ProfileScope scope(profile, Task::solve);
        change_.assign(n, {0, 0, 0});
        constraints.set_velocity_change(end.velocities, change_);
        PcgSettings pcg = settings_.pcg;
        pcg.again = k > 0 || again;
        if (k + 1 < settings_.newton_iterations && pcg.tolerance >= accurate)
            pcg.tolerance *= approximate;
        if (k == 0 && again) {
            change_ = first_.change;
            pcg.yardstick = first_.residual;
        } else if (k > 0) {
            // Later solves refine: their residual is measured by the first one's. A tenth of it,
            // since they decide what slides and what sticks.
            pcg.yardstick = 0.1 * first_.residual;
        }
        const PcgReport solved = pcg_.solve(matrix_, right_side_, filter_, pcg, change_);
        if (k == 0 && !again)
            first_.residual = solved.start;
        if (k == 0 && learns_)
            first_.change = change_;
        ++report.solves;
        report.cg_iterations += solved.iterations;
        report.cg_residual = solved.residual;
        // A solve that stopped at its iteration limit is a coarser step, not a wrong one: the
        // constraints hold all the same [BW98 5.3], and the step control judges the outcome.
        if (solved.status == PcgReport::Status::breakdown) {
            report.status = StepReport::Status::solver_failed;
            return report;
        }
        parallel_for(n, grain, [&](std::size_t from, std::size_t to) {
            for (std::size_t i = from; i < to; ++i) {
                end.velocities[i] += change_[i];
                end.positions[i] = begin.positions[i] + h * end.velocities[i] + alteration_[i];
            }
        });
    }
    end.time = begin.time + h;
    find_constraint_forces(h, constraints);
    if (!modifiers_.empty()) {
        // The places from which the velocities will move what is not held.
        displacement_.resize(n);
        for (std::size_t i = 0; i < n; ++i)
            displacement_[i] = begin.positions[i] + alteration_[i];
        modify(displacement_, h, filter_, end.velocities, report, profile);
        for (std::size_t i = 0; i < n; ++i)
            end.positions[i] = displacement_[i] + h * end.velocities[i];
    }
    if (!all_finite(end))
        report.status = StepReport::Status::not_finite;
    return report;
}

// Sets A and the right side for the linearisation point `at`.
void BackwardEuler::assemble(const State& begin, double h, const State& at, int iteration,
                             bool again) {
    const std::size_t n = begin.positions.size();
    displacement_.resize(n);
    parallel_for(n, grain, [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i)
            displacement_[i] =
                begin.positions[i] + h * at.velocities[i] + alteration_[i] - at.positions[i];
    });
    const Kinematics kinematics = {at.positions, at.velocities};
    const Linearisation step = {h, displacement_, iteration};
    if (iteration == 0 && again) {
        matrix_.restore(first_.matrix);
        right_side_ = first_.right_side;
    } else {
        right_side_.assign(n, {0, 0, 0});
        rows_.set(model_.mass, kinematics, step, right_side_, matrix_);
        add(false, kinematics, step);
        if (others_add_pairs_)
            matrix_.finish();
        if (iteration == 0 && learns_) {
            matrix_.save(first_.matrix);
            first_.right_side = right_side_;
        }
    }
    add(true, kinematics, step);
    parallel_for(n, grain, [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i)
            right_side_[i] =
                h * right_side_[i] - model_.mass[i] * (at.velocities[i] - begin.velocities[i]);
    });
}

// What forces add that are not assembled by rows.
void BackwardEuler::add(bool learning, const Kinematics& at, const Linearisation& step) {
    for (const Force* force : others_)
        if (force->learns() == learning)
            force->add_linearised(at, step, right_side_, matrix_);
}

void BackwardEuler::find_constraint_forces(double h, const ConstraintSet& constraints) {
    product_.resize(change_.size());
    constraint_forces_.clear();
    for (const ParticleConstraint& c : constraints.list()) {
        matrix_.multiply_rows(c.particle, c.particle + 1, change_.data(), product_.data());
        constraint_forces_.push_back((1 / h) * (product_[c.particle] - right_side_[c.particle]));
    }
}

} // namespace muslin
