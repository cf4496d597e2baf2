#include "muslin/integrators/implicit_stage.h"

#include "muslin/base/error.h"
#include "muslin/integrators/loops.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

// How much less accurate solves are that only tell where the next one linearises: what comes to
// touch or to slide there changes the residual by more. Where accurate solves are asked for, all
// are: panels that nothing holds yet would drift.
constexpr double approximate = 3;
constexpr double accurate = 5e-3; // tolerances below are
// The same where the error of the acceleration is judged: the part of its own change that such a
// solve leaves in a patch. With contact each solve finds half of what the one before did, however
// accurate both are.
constexpr double loose = 0.1, loose_with_contact = 0.3;
// With contact a patch may also be off by these parts of what the stage changes its velocity by:
// what hits something changes it by far more than the accuracy. The first is for its mean velocity,
// which tells how cloth as a whole moves; the second for the root mean square over its particles:
// single vertices that snap from one side of a wrinkle to the other can settle in the next step.
// A solve may leave the third.
constexpr double part_of_mean = 0.05, part_of_motion = 0.2, part_of_solve = 0.1;
// Patches that move by less than the accuracy are solved to this part of their motion, down to this
// part of the accuracy (PcgAccuracy).
constexpr double of_motion = 0.1, least_error = 0.1;
// The part of its change that a solve is taken to leave to the next one at the most.
constexpr double slowest = 0.95;
// A solve takes back what the one before did where it undoes more than this part of it.
constexpr double most_of_it = 0.5;
// With contact, a patch that swings may do so by this many times what it may be off by: that is as
// often to one side as to the other, and does not add up from step to step.
constexpr double most_swing = 4;

static_assert(judged_together == PcgAccuracy::patch);

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

ImplicitStage::ImplicitStage(const Model& model, const std::vector<std::unique_ptr<Force>>& forces,
                             const ImplicitSettings& settings)
    : model_(model), forces_(forces), settings_(settings) {
    std::vector<std::array<int, 2>> pairs;
    std::vector<const RecordedElements*> recorded;
    for (const auto& force : forces) {
        const std::size_t before = pairs.size();
        LinearisedForce& part = linearised(*force);
        part.append_pairs(pairs);
        const ForceCapabilities can = force->capabilities();
        if (can.altered)
            altering_.push_back(can.altered);
        if (can.adaptive)
            others_.adapting.push_back(can.adaptive);
        if (can.recorded) {
            recorded.push_back(can.recorded);
            continue;
        }
        others_.add_pairs = others_.add_pairs || pairs.size() > before;
        (can.adaptive ? others_.adaptive : others_.plain).push_back(&part);
    }
    matrix_.set_pattern(model.particle_count(), pairs);
    rows_ = RowAssembly(matrix_, std::move(recorded));
    for (const auto& force : forces) // all: each can also be asked alone
        linearised(*force).bind(matrix_);
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

PcgSettings ImplicitStage::pcg_settings(const StageStart& from, const Solve& which) const {
    PcgSettings pcg = settings_.pcg;
    pcg.again = !which.first;
    if (settings_.accuracy > 0) {
        pcg.accuracy.mass = model_.mass;
        pcg.accuracy.error = settings_.accuracy * from.h;
        pcg.accuracy.relative = of_motion;
        pcg.accuracy.least = least_error;
        pcg.accuracy.errors = errors_;
        if (!accurate_ && !which.last)
            pcg.accuracy.reduction = has_contact() ? loose_with_contact : loose;
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
                          const Solve& which, State& at, StepReport& report, Profile& profile) {
    {
        const ProfileScope scope(profile, Task::forces);
        assemble(from, at, which);
    }
    const ProfileScope scope(profile, Task::solve);
    change_.assign(at.positions.size(), {0, 0, 0});
    constraints.set_velocity_change(at.velocities, change_);
    const PcgReport solved =
        pcg_.solve(matrix_, right_side_, filter_, pcg_settings(from, which), change_);
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
    for (AdaptiveForce* force : others_.adapting)
        force->update({at.positions, at.velocities});
    taken_ = 1;
    if (settings_.accuracy > 0) {
        if (changed_ > 0 && !which.last)
            take_part(damp_swing(), from, at);
        last_change_ = change_;
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
    changed_ = 0;
    errors_.clear();
    accurate_ = false;
}

bool ImplicitStage::has_converged(const StageStart& from, State& at) {
    if (settings_.accuracy <= 0)
        return false;
    const Change last = judge_patches(from, at);
    const double change = has_contact() ? last.mean : std::max(last.mean, last.all);
    const double smaller = changed_ > 0 ? std::min(change / changed_, slowest) : loose;
    changed_ = change;
    // What later solves would still change, if each found the same part of what the last did; a
    // swing does not add up.
    const double left = taken_ < 1 ? change : change * std::max(1.0, smaller / (1 - smaller));
    if (accurate_ && left <= 1 && last.all <= 1 &&
        std::all_of(others_.adapting.begin(), others_.adapting.end(),
                    [&](const AdaptiveForce* force) { return force->has_converged(open_); })) {
        // A solve of which a part was taken is not a solution: neither what contacts bear nor the
        // forces of constraints are those of the end of the stage.
        take_part(1, from, at);
        return true;
    }
    // The next solve is accurate where it is likely to be the last.
    accurate_ = accurate_ || left * smaller <= 1;
    return false;
}

// The part of its change that is taken of the last solve. Contacts that come and go, and threads
// that become taut and slack, swing between two states. Where a solve takes back a part r of what
// the one before did in the patch that it changes most, both aim beyond the solution that lies
// between, and 1 / (1 + r) of the way leads there [Aitken].
double ImplicitStage::damp_swing() {
    swings_.resize((change_.size() + judged_together - 1) / judged_together);
    parallel_for(change_.size(), judged_together, [&](std::size_t begin, std::size_t end) {
        double now = 0, along = 0, before = 0;
        for (std::size_t i = begin; i < end; ++i) {
            now += dot(change_[i], change_[i]);
            along += dot(change_[i], last_change_[i]);
            before += dot(last_change_[i], last_change_[i]);
        }
        swings_[begin / judged_together] = {now, before > 0 ? -along / before : 0};
    });
    const double taken_back = std::max_element(swings_.begin(), swings_.end())->taken_back;
    return taken_back > most_of_it ? 1 / (1 + taken_back) : 1;
}

void ImplicitStage::Change::operator+=(const Change& other) {
    mean = std::max(mean, other.mean);
    all = std::max(all, other.all);
}

// Also sets the errors that accurate solves may leave.
ImplicitStage::Change ImplicitStage::judge_patches(const StageStart& from, const State& at) {
    const std::size_t patches = (change_.size() + judged_together - 1) / judged_together;
    errors_.resize(patches);
    open_.resize(patches);
    const double most = settings_.accuracy * from.h;
    const bool touches = has_contact();
    const double part = touches ? part_of_mean : 0, rms_part = touches ? part_of_motion : 0,
                 solve_part = touches ? part_of_solve : 0;
    return parallel_sum<Change>(
        change_.size(), judged_together, [&](std::size_t begin, std::size_t end) {
            double last = 0, all = 0;
            Vec3 sum = {0, 0, 0};
            for (std::size_t i = begin; i < end; ++i) {
                const Vec3 so_far = at.velocities[i] - from.velocities[i];
                sum += change_[i];
                last += dot(change_[i], change_[i]);
                all += dot(so_far, so_far);
            }
            const double count = static_cast<double>(end - begin);
            const double motion = std::sqrt(all / count);
            const std::size_t patch = begin / judged_together;
            const double open = std::max(most, part * motion);
            open_[patch] = open / from.h;
            errors_[patch] = std::max(std::clamp(of_motion * motion, least_error * most, most),
                                      solve_part * motion);
            const bool swings = touches && taken_ < 1 && swings_[patch].taken_back > most_of_it;
            const double whole = 1 / (swings ? most_swing * taken_ : taken_);
            return Change{whole * norm(sum) / count / open,
                          whole * std::sqrt(last / count) / std::max(most, rms_part * motion)};
        });
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
    const Linearisation step = {from.h, displacement_, which.iteration, which.last};
    right_side_.assign(n, {0, 0, 0});
    rows_.set(model_.mass, kinematics, step, right_side_, matrix_);
    add(others_.plain, kinematics, step);
    if (others_.add_pairs)
        matrix_.mirror_pairs();
    add(others_.adaptive, kinematics, step);
    for_particles(n, [&](std::size_t i) {
        right_side_[i] =
            from.h * right_side_[i] - model_.mass[i] * (at.velocities[i] - from.velocities[i]);
    });
}

// What forces add that are not assembled by rows.
void ImplicitStage::add(std::span<LinearisedForce* const> parts, const Kinematics& at,
                        const Linearisation& step) {
    for (const LinearisedForce* part : parts)
        part->add_linearised(at, step, right_side_, matrix_);
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
    return std::any_of(others_.adapting.begin(), others_.adapting.end(),
                       [](const AdaptiveForce* force) { return force->is_active(); });
}

bool ImplicitIntegrator::solve_stage(const StageStart& from, const ConstraintSet& constraints,
                                     ImplicitStage::Solve which, State& at, StepReport& report,
                                     Profile& profile) {
    const int most = std::min(settings_.newton_iterations, most_solves_);
    stage_.start_solves();
    for (int k = 0; k < most; ++k, ++which.iteration) {
        which.last = k + 1 == most;
        if (!stage_.solve(from, constraints, which, at, report, profile)) {
            if (k == 0)
                return false;
            // A refining solve that breaks down leaves the last solution in place: the step control
            // judges it, and names torn cloth as such.
            report.status = StepReport::Status::ok;
            break;
        }
        if (stage_.has_converged(from, at))
            return true;
        which.first = false;
    }
    if (settings_.accuracy > 0)
        ++report.unconverged;
    return true;
}

StepReport ImplicitIntegrator::take_one_stage(const State& begin, double h,
                                              const ConstraintSet& constraints, bool again,
                                              State& end, Profile& profile) {
    const StageStart from = {begin.positions, begin.velocities, h};
    stage_.start(from, begin.time + h, constraints);
    ImplicitStage::Solve first;
    if (again) { // a later solve of the same stage
        first.iteration = 1;
    } else {
        end = begin;
        first.first = true;
    }
    if (again || settings_.linearise_at == LineariseAt::predicted)
        stage_.place(from, end);
    StepReport report;
    if (!solve_stage(from, constraints, first, end, report, profile))
        return report;
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
