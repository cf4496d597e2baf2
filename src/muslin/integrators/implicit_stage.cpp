#include "muslin/integrators/implicit_stage.h"

#include "muslin/integrators/loops.h"

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
    : model_(model), forces_(forces), settings_(settings), system_(model, forces),
      convergence_(settings.accuracy) {
    for (const auto& force : forces)
        if (AlteredPositions* altered = force->capabilities().altered)
            altering_.push_back(altered);
}

void ImplicitStage::start(const StageStart& from, double end_time,
                          const ConstraintSet& constraints) {
    constraints.make_filter(filter_);
    alteration_.assign(from.positions.size(), {0, 0, 0});
    for (const auto& force : forces_)
        force->prepare(end_time);
    for (const AlteredPositions* force : altering_)
        force->add_alteration(alteration_);
    // Constraints come last: they say exactly where their particles go.
    constraints.set_position_alteration(from.positions, from.h, alteration_);
}

void ImplicitStage::place(const StageStart& from, State& at) const {
    for_particles(at.positions.size(), [&](std::size_t i) {
        at.positions[i] = from.positions[i] + from.h * at.velocities[i] + alteration_[i];
    });
}

PcgSettings ImplicitStage::pcg_settings(const StageStart& from, const StageSolve& which) const {
    PcgSettings pcg = settings_.pcg;
    pcg.again = !which.first;
    if (convergence_.is_used()) {
        pcg.accuracy =
            convergence_.next_accuracy(model_, from.h, which.last, system_.has_contact());
        return pcg;
    }
    if (!which.last && pcg.tolerance >= accurate)
        pcg.tolerance *= approximate;
    if (!which.first)
        // Later solves refine: their residual is measured by the first one's. A tenth of it, since
        // they decide what slides and what sticks.
        pcg.yardstick = 0.1 * first_residual_;
    return pcg;
}

bool ImplicitStage::solve(const StageStart& from, const ConstraintSet& constraints,
                          const StageSolve& which, State& at, StepReport& report,
                          Profile& profile) {
    {
        const ProfileScope scope(profile, Task::forces);
        system_.assemble(from, alteration_, at, which);
    }
    const ProfileScope scope(profile, Task::solve);
    change_.assign(at.positions.size(), {0, 0, 0});
    constraints.set_velocity_change(at.velocities, change_);
    const PcgReport solved = pcg_.solve(system_.matrix(), system_.right_side(), filter_,
                                        pcg_settings(from, which), change_);
    if (which.first)
        first_residual_ = solved.start;
    ++report.solves;
    report.cg_iterations += solved.iterations;
    report.cg_residual = solved.residual;
    // A solve that stopped at its iteration limit is a coarser step, not a wrong one: the
    // constraints hold all the same [BW98 5.3], and the step control judges the outcome.
    if (solved.status == PcgReport::Status::breakdown) {
        report.status = StepReport::Status::solver_failed;
        return false;
    }
    add_change(1, from, at);
    // What a force bears is told by the whole solution, whatever part of it is taken.
    system_.update({at.positions, at.velocities});
    taken_ = 1;
    if (convergence_.is_used()) {
        if (!which.last)
            take_part(convergence_.part_to_take(change_), from, at);
        convergence_.remember(change_);
    }
    return true;
}

void ImplicitStage::add_change(double part, const StageStart& from, State& at) const {
    for_particles(at.positions.size(),
                  [&](std::size_t i) { at.velocities[i] += part * change_[i]; });
    place(from, at);
}

// Leaves this part of the last solve's whole change.
void ImplicitStage::take_part(double part, const StageStart& from, State& at) {
    if (part == taken_)
        return;
    add_change(part / taken_ - 1, from, at);
    for_particles(change_.size(),
                  [&](std::size_t i) { change_[i] = (part / taken_) * change_[i]; });
    taken_ = part;
}

void ImplicitStage::start_solves() {
    convergence_.start();
}

bool ImplicitStage::has_converged(const StageStart& from, State& at) {
    if (!convergence_.is_used() || !convergence_.judge(from, at, {change_, taken_}, system_))
        return false;
    // A solve of which a part was taken is not a solution: neither what contacts bear nor the
    // forces of constraints are those of the end of the stage.
    take_part(1, from, at);
    return true;
}

void ImplicitStage::find_constraint_forces(double h, const ConstraintSet& constraints,
                                           std::vector<Vec3>& out) {
    system_.find_constraint_forces(h, change_, constraints, out);
}

} // namespace muslin
