#include "muslin/integrators/implicit_stage.h"

#include "muslin/integrators/loops.h"

#include <algorithm>

namespace muslin {
namespace {

// How much less accurate solves are that only tell where the next one linearises: what comes to
// touch or to slide there changes the residual by more. Where accurate solves are asked for, all
// are: panels that nothing holds yet would drift.
constexpr double approximate = 3;
constexpr double accurate = 5e-3; // tolerances below are

} // namespace

ImplicitStage::ImplicitStage(const Model& model, const std::vector<std::unique_ptr<Force>>& forces,
                             const ImplicitSettings& settings)
    : model_(model), forces_(forces), settings_(settings),
      learns_(std::any_of(forces.begin(), forces.end(),
                          [](const auto& force) { return force->learns(); })) {
    std::vector<std::array<int, 2>> pairs;
    std::vector<const RecordedElements*> recorded;
    for (const auto& force : forces) {
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
    for (const auto& force : forces) // all: each can also be asked alone
        force->bind(matrix_);
}

void ImplicitStage::start(const StageStart& from, double end_time,
                          const ConstraintSet& constraints) {
    constraints.make_filter(filter_);
    alteration_.assign(from.positions.size(), {0, 0, 0});
    for (const auto& force : forces_) {
        force->prepare(end_time);
        force->add_alteration(alteration_);
    }
    // Constraints come last: they say exactly where their particles go.
    constraints.set_position_alteration(from.positions, from.h, alteration_);
}

void ImplicitStage::place(const StageStart& from, State& at) const {
    for_particles(at.positions.size(), [&](std::size_t i) {
        at.positions[i] = from.positions[i] + from.h * at.velocities[i] + alteration_[i];
    });
}

PcgSettings ImplicitStage::pcg_settings(const StageStart& from, const Solve& which) const {
    PcgSettings pcg = settings_.pcg;
    pcg.again = !which.first || which.again;
    if (settings_.accuracy > 0) {
        pcg.accuracy.mass = model_.mass;
        pcg.accuracy.error = settings_.accuracy * from.h * (which.last ? 1 : approximate);
        return pcg;
    }
    if (!which.last && pcg.tolerance >= accurate)
        pcg.tolerance *= approximate;
    if (which.first && which.again)
        pcg.yardstick = first_residual_;
    else if (!which.first)
        // Later solves refine: their residual is measured by the first one's. A tenth of it, since
        // they decide what slides and what sticks.
        pcg.yardstick = 0.1 * first_residual_;
    return pcg;
}

bool ImplicitStage::solve(const StageStart& from, const ConstraintSet& constraints,
                          const Solve& which, State& at, StepReport& report, Profile& profile) {
    {
        const ProfileScope scope(profile, Task::forces);
        assemble(from, at, which);
    }
    const ProfileScope scope(profile, Task::solve);
    change_.assign(at.positions.size(), {0, 0, 0});
    constraints.set_velocity_change(at.velocities, change_);
    if (which.again)
        change_ = kept_.change;
    const PcgReport solved =
        pcg_.solve(matrix_, right_side_, filter_, pcg_settings(from, which), change_);
    if (which.first && !which.again)
        first_residual_ = solved.start;
    if (keeps_)
        kept_.change = change_;
    ++report.solves;
    report.cg_iterations += solved.iterations;
    report.cg_residual = solved.residual;
    // A solve that stopped at its iteration limit is a coarser step, not a wrong one: the
    // constraints hold all the same [BW98 5.3], and the step control judges the outcome.
    if (solved.status == PcgReport::Status::breakdown) {
        report.status = StepReport::Status::solver_failed;
        return false;
    }
    for_particles(at.positions.size(), [&](std::size_t i) { at.velocities[i] += change_[i]; });
    place(from, at);
    for (Force* force : others_)
        if (force->learns())
            force->note_solution({at.positions, at.velocities});
    return true;
}

// Sets A and the right side for the linearisation point `at`.
void ImplicitStage::assemble(const StageStart& from, const State& at, const Solve& which) {
    const std::size_t n = at.positions.size();
    displacement_.resize(n);
    for_particles(n, [&](std::size_t i) {
        displacement_[i] =
            from.positions[i] + from.h * at.velocities[i] + alteration_[i] - at.positions[i];
    });
    const Kinematics kinematics = {at.positions, at.velocities};
    const Linearisation step = {from.h, displacement_, which.iteration};
    if (which.again) {
        matrix_.restore(kept_.matrix);
        right_side_ = kept_.right_side;
    } else {
        right_side_.assign(n, {0, 0, 0});
        rows_.set(model_.mass, kinematics, step, right_side_, matrix_);
        add(false, kinematics, step);
        if (others_add_pairs_)
            matrix_.finish();
        if (keeps_) {
            matrix_.save(kept_.matrix);
            kept_.right_side = right_side_;
        }
    }
    add(true, kinematics, step);
    for_particles(n, [&](std::size_t i) {
        right_side_[i] =
            from.h * right_side_[i] - model_.mass[i] * (at.velocities[i] - from.velocities[i]);
    });
}

// What forces add that are not assembled by rows.
void ImplicitStage::add(bool learning, const Kinematics& at, const Linearisation& step) {
    for (const Force* force : others_)
        if (force->learns() == learning)
            force->add_linearised(at, step, right_side_, matrix_);
}

void ImplicitStage::find_constraint_forces(double h, const ConstraintSet& constraints,
                                           std::vector<Vec3>& out) {
    product_.resize(change_.size());
    out.clear();
    for (const ParticleConstraint& c : constraints.list()) {
        matrix_.multiply_rows(c.particle, c.particle + 1, change_.data(), product_.data());
        out.push_back((1 / h) * (product_[c.particle] - right_side_[c.particle]));
    }
}

bool ImplicitStage::has_contact() const {
    return std::any_of(others_.begin(), others_.end(),
                       [](const Force* force) { return force->learns() && force->acts(); });
}

StepReport ImplicitIntegrator::take_one_stage(const State& begin, double h,
                                              const ConstraintSet& constraints, bool again,
                                              State& end, Profile& profile) {
    const StageStart from = {begin.positions, begin.velocities, h};
    stage_.start(from, begin.time + h, constraints);
    end = begin;
    if (settings_.linearise_at == LineariseAt::predicted)
        stage_.place(from, end);
    StepReport report;
    for (int k = 0; k < settings_.newton_iterations; ++k) {
        const bool first = k == 0;
        stage_.keep_for_repeat(first);
        if (!stage_.solve(from, constraints,
                          {k, k + 1 == settings_.newton_iterations, first, first && again}, end,
                          report, profile))
            return report;
    }
    end.time = begin.time + h;
    stage_.find_constraint_forces(h, constraints, constraint_forces_);
    finish(from, end, report, profile);
    return report;
}

void ImplicitIntegrator::finish(const StageStart& from, State& end, StepReport& report,
                                Profile& profile) {
    if (!modifiers_.empty()) {
        const std::size_t n = end.positions.size();
        places_.resize(n);
        for (std::size_t i = 0; i < n; ++i)
            places_[i] = from.positions[i] + stage_.alteration()[i];
        modify(places_, from.h, stage_.filter(), end.velocities, report, profile);
        for (std::size_t i = 0; i < n; ++i)
            end.positions[i] = places_[i] + from.h * end.velocities[i];
    }
    if (!all_finite(end))
        report.status = StepReport::Status::not_finite;
}

} // namespace muslin
