#include "muslin/engine/simulation.h"

#include "muslin/base/error.h"
#include "muslin/base/hash.h"
#include "muslin/base/parallel.h"
#include "muslin/collision/response/sticking_bonds.h"
#include "muslin/forces/seams.h"
#include "muslin/forces/sticking.h"
#include "muslin/model/build_model.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <stdexcept>

namespace muslin {
namespace {

StepControlSettings control_settings(const TimeDescription& time, const Recipe& recipe) {
    StepControlSettings settings;
    const double frame = 1 / time.frame_rate;
    const double wanted = time.max_step > 0 ? time.max_step : recipe.max_step;
    settings.max_step = wanted > 0 ? std::min(wanted, frame) : frame;
    settings.min_step = time.min_step > 0 ? time.min_step : settings.max_step / 4096;
    if (time.max_step == 0)
        settings.calm_step = std::min(recipe.calm_step, frame);
    return settings;
}

// An implicit step is off by half its length times the change of velocity in it. This much is what
// free fall changes in 1/120 s [m/s]: long steps are no less accurate than those of cloth that
// falls.
constexpr double slight_change = 0.08;

// The part of its velocity that cloth in contact is taken to change in a step: 0.4 m/s at most in a
// step that is longer than usual, 13 mm in 1/30 s.
constexpr double turning_speed = 0.2;

// What a step may gain of the energy that it starts with: what solves leave does no harm.
constexpr double kinetic_gain = 0.01;
constexpr double elastic_gain = 1e-3;

// A change of stretch in one step that no recipe goes on with.
constexpr double no_cloth = 100;

/// h, or where that is too long a whole part of what remains.
double whole_part(double h, double longest, double remaining) {
    return longest < h ? remaining / std::ceil(remaining / longest) : h;
}

// Panels that nothing holds yet stay where they wait only if solves are accurate.
SolverDescription solver_settings(SolverDescription solver, const Recipe& recipe,
                                  DressingPhase phase) {
    constexpr double while_sewing = 1e-3;
    if (phase == DressingPhase::sew && recipe.accuracy == 0)
        solver.tolerance =
            std::min(solver.tolerance > 0 ? solver.tolerance : recipe.tolerance, while_sewing);
    return solver;
}

// While a garment is sewn and settles, where it comes to lie is all that counts: stages need not
// converge, unless the scene says how often they are solved.
int most_solves(const SceneDescription* scene, DressingPhase phase) {
    constexpr int while_dressing = 2;
    const bool dresses = phase == DressingPhase::sew || phase == DressingPhase::settle;
    return dresses && scene && scene->solver.newton_iterations == 0
               ? while_dressing
               : std::numeric_limits<int>::max();
}

void check_size(const State& state, const Model& model) {
    if (state.positions.size() != model.mass.size() || state.velocities.size() != model.mass.size())
        throw std::logic_error("set_state: the number of particles differs");
}

Hash64 hash_state(const State& state) {
    Hash64 hash;
    hash.add(state.positions.data(), state.positions.size() * sizeof(Vec3));
    hash.add(state.velocities.data(), state.velocities.size() * sizeof(Vec3));
    return hash;
}

// As a new report, with the memory of lists and words kept; the end of the frame sets pin_forces.
void restart(FrameReport& report) {
    FrameReport fresh;
    fresh.joints_refused.swap(report.joints_refused);
    fresh.joints_refused.clear();
    fresh.released.swap(report.released);
    fresh.released.clear();
    fresh.pin_forces.swap(report.pin_forces);
    fresh.hash.swap(report.hash);
    fresh.hash.clear();
    report = std::move(fresh);
}

} // namespace

// The scope lasts until all of the construction is over, that of the start included.
Simulation::Simulation(const SceneDescription& scene, std::shared_ptr<ThreadTeam> team)
    : Simulation(TeamScope(team.get()), scene, team) {}

Simulation::Simulation(const TeamScope&, const SceneDescription& scene,
                       std::shared_ptr<ThreadTeam> team)
    : Simulation(scene, Started(scene)) {
    team_ = std::move(team);
}

Simulation::Simulation(const SceneDescription& scene, Started start)
    : recipe_(choose_recipe(scene.recipe, scene.parts)), time_(scene.time),
      dressing_(scene.dressing), dressing_frames_(dressing_frames(scene)),
      gravity_(scene.world.gravity), linear_drag_(scene.world.linear_drag),
      model_(std::move(start.built.model)), state_(std::move(start.built.start)),
      scene_(std::make_unique<SceneDescription>(scene)),
      control_(control_settings(scene.time, recipe_)), untangled_(std::move(start.untangled)) {
    frame_ = -dressing_frames_.all();
    state_.time = frame_ / time_.frame_rate;
    if (!model_.seams.empty() || dressing_frames_.all() > 0)
        start_model_ = std::make_unique<Model>(model_);
    smooth_for_sewing();
    make_parts();
    if (!start_model_)
        scene_.reset();
}

// The parts of the recipe over the model as it is. They refer to it, and the integrator's forces to
// the contact.
void Simulation::make_parts() {
    integrator_.reset();
    contact_.reset();
    bonds_.reset();
    contact_ = make_contact(recipe_, *scene_, model_);
    if (!model_.stickings.empty())
        bonds_ = std::make_unique<StickingBonds>(model_);
    ForceSet set = make_forces(recipe_, model_);
    watched_ = set.watched;
    if (bonds_) {
        auto force = std::make_unique<StickingForce>(model_);
        sticking_ = force.get();
        set.forces.push_back(std::move(force));
    }
    const auto is_open = [](const Seam& seam) { return !seam.joints.empty(); };
    if (std::any_of(model_.seams.begin(), model_.seams.end(), is_open))
        set.forces.push_back(std::make_unique<SeamForce>(model_));
    if (contact_)
        if (auto force = contact_->make_force())
            set.forces.push_back(std::move(force));
    integrator_ = make_integrator(recipe_, solver_settings(scene_->solver, recipe_, phase()),
                                  model_, std::move(set.forces));
    hold_waiting();
    constraints_.keep_paths(integrator_->follows_paths());
    if (contact_)
        integrator_->set_evaluation_corrector(contact_->evaluation_corrector());
}

Simulation::~Simulation() = default;

FrameReport Simulation::advance_frame() {
    FrameReport frame;
    advance_frame(frame);
    return frame;
}

void Simulation::advance_frame(FrameReport& frame) {
    const TeamScope scope(team_.get());
    restart(frame);
    frame.frame = frame_ + 1;
    weigh();
    integrator_->limit_solves(most_solves(scene_.get(), phase()));
    const double end = frame.frame / time_.frame_rate;
    // What is left of a frame below this is rounding.
    const double grain = 1e-9 / time_.frame_rate;
    for (const auto& force : integrator_->forces())
        if (HistoryForce* history = force->capabilities().history)
            history->recall(state_);
    stick(frame); // what is near from the start, or was brought near between frames
    double stable_step = integrator_->longest_step(state_);
    held_back_.clear();
    stalled_at_ = too_short_ = 0;
    frame_began_ = Clock::now();
    told_after_ = std::max(patience_, 4 * slowest_frame_);
    while (end - state_.time > grain) {
        watch(stable_step, end, frame);
        double h = whole_part(control_.next(end - state_.time), stable_step, end - state_.time);
        animate(h, frame.seconds);
        sense(h, frame.seconds);
        if (const double shorter = shorten(h, end - state_.time); shorter < h) {
            h = shorter;
            animate(h, frame.seconds);
            sense(h, frame.seconds);
        }
        StepReport step = advance(h, frame.seconds);
        ContactReport contact = resolve(h, step, frame.seconds);
        while (contact.repeat) {
            frame.cg_iterations += step.cg_iterations;
            step = integrator_->repeat(state_, h, constraints_, next_, frame.seconds);
            contact = resolve(h, step, frame.seconds);
        }
        std::string reason;
        if (const Trouble trouble = judge(h, step, contact, reason); trouble != Trouble::none) {
            ++frame.rejected_steps;
            frame.cg_iterations += step.cg_iterations;
            held_back_ = reason;
            if (trouble == Trouble::inaccurate)
                stable_step = step.longest_step; // the integrator knows what would do
            if (trouble == Trouble::inaccurate ? stable_step < control_.smallest()
                                               : !control_.reject(h))
                give_up(frame.frame, h, trouble, reason, contact.particle);
            continue;
        }
        record(h, step, contact, frame);
        if (end - state_.time > grain)
            merge_early(frame);
        stable_step = integrator_->longest_step_now(state_);
    }
    most_steps_ = std::max(most_steps_, frame.steps + frame.rejected_steps);
    slowest_frame_ = std::max(slowest_frame_, seconds_in_frame());
    state_.time = end; // frames never drift from their times
    ++frame_;
    sum_pin_forces(frame);
    merge_met(frame, is_impatient());
    summarise(frame);
    untangle_settling(frame.crossings);
    end_phase();
}

// Moves what moves by itself: the constraints of the step.
void Simulation::animate(double h, Profile& profile) {
    constraints_.clear();
    for (std::size_t i = 0; i < model_.pins.size(); ++i)
        constraints_.add_pin(model_.pins[i], static_cast<int>(i), state_, h);
    constraints_.add_pin(waiting_, -1, state_, h);
    if (contact_)
        contact_->constrain(state_, h, constraints_, profile);
    constraints_.finish();
}

void Simulation::sense(double h, Profile& profile) {
    if (contact_)
        contact_->sense(state_, h, constraints_, profile);
}

// The step below which contact is not helped by a smaller one. While a garment is sewn, where it
// comes to lie is what counts: cloth that stops for a moment, where impacts cannot all be resolved,
// does no harm there.
double Simulation::contact_floor() const {
    return phase() == DressingPhase::sew
               ? std::max(0.5 * control_.largest(), control_.contact_floor())
               : control_.contact_floor();
}

// The step that contact can answer for, as a whole part of what is left of the frame.
double Simulation::shorten(double h, double remaining) const {
    return contact_ ? whole_part(h, std::max(contact_->longest_step(), contact_floor()), remaining)
                    : h;
}

StepReport Simulation::advance(double h, Profile& profile) {
    return integrator_->step(state_, h, constraints_, next_, profile);
}

// Cloth that the integrator has torn to shreds is not given to contact: it would meet itself
// everywhere, for minutes, and the step is to be judged by its stretch. At the shortest steps
// alone, where this is affordable and all that lets cloth through is `no_cloth`.
ContactReport Simulation::resolve(double h, const StepReport& step, Profile& profile) {
    if (!contact_ || step.status != StepReport::Status::ok)
        return {};
    if (const double limit = stretch_limit(h); limit >= no_cloth && stretch_change() > limit)
        return {};
    return contact_->resolve({state_, h, constraints_, integrator_->constraint_forces(),
                              h <= contact_floor(), integrator_->forces()},
                             next_, profile);
}

// A step is good if it solved, nothing is left to cross, and no triangle's stretch changed
// drastically [BW98 7].
Trouble Simulation::judge(double h, const StepReport& report, const ContactReport& contact,
                          std::string& reason) const {
    if (report.status == StepReport::Status::solver_failed) {
        reason = "the linear system was not positive definite";
        return Trouble::not_definite;
    }
    if (report.status == StepReport::Status::inaccurate) {
        reason = fmt::format("its error is {:.3g} m, more than solver.error", report.error);
        return Trouble::inaccurate;
    }
    if (report.status == StepReport::Status::not_finite || !in_range(next_)) {
        reason = "a position or velocity became infinite, or nearly so";
        return Trouble::not_finite;
    }
    if (!contact.resolved) {
        reason = contact.reason;
        return Trouble::contact;
    }
    for (const auto& force : integrator_->forces()) {
        const LimitedDomain* domain = force->capabilities().domain;
        if (domain && !domain->is_defined(next_.positions)) {
            reason = fmt::format("a potential of '{}' has no finite value at the length of a "
                                 "connection",
                                 force->name());
            return Trouble::undefined;
        }
    }
    if (control_.needs_calm(h) && report.unconverged > 0) {
        reason = "a step that is for calm cloth did not converge";
        return Trouble::hasty;
    }
    if (control_.needs_calm(h) && velocity_change(contact) > slight_change) {
        reason = "velocities changed in a step that is for calm cloth";
        return Trouble::hasty;
    }
    if (h > 2 * control_.contact_floor() && gains_energy(contact)) {
        reason = "the step gained energy that nothing gave";
        return Trouble::gained;
    }
    const double limit = stretch_limit(h), change = stretch_change();
    if (change > limit) {
        reason = fmt::format("a triangle's stretch changed by {:.3g} in one step, more than "
                             "time.stretch_change_limit = {:.3g}",
                             change, limit);
        return Trouble::stretch;
    }
    return Trouble::none;
}

// The change of stretch that a step of this length may have.
double Simulation::stretch_limit(double h) const {
    double limit =
        time_.stretch_change_limit > 0 ? time_.stretch_change_limit : recipe_.stretch_change_limit;
    if (recipe_.goes_on && time_.stretch_change_limit == 0 && h <= contact_floor())
        limit = no_cloth;
    if (phase() == DressingPhase::sew) // what counts is where cloth comes to lie, not on which way
        limit *= 4;
    return limit;
}

double Simulation::stretch_change() const {
    return watched_->largest_stretch_change(state_.positions, next_.positions);
}

// Whether something besides its own forces moves the cloth.
bool Simulation::is_driven() const {
    return phase() != DressingPhase::done ||
           std::any_of(model_.bodies.begin(), model_.bodies.end(), is_moving) ||
           std::any_of(model_.pins.begin(), model_.pins.end(), [](const Pin& pin) {
               return pin.frames.size() > 1 || !pin.motion.is_constant();
           });
}

Simulation::Energy Simulation::energy_of(const State& state) const {
    Energy out;
    for (std::size_t i = 0; i < model_.mass.size(); ++i)
        out.kinetic += 0.5 * model_.mass[i] * dot(state.velocities[i], state.velocities[i]);
    for (const auto& force : integrator_->forces())
        (force->kind() == ForceKind::gravity ? out.gravity : out.elastic) +=
            force->energy(state.positions);
    return out;
}

// A backward-Euler step loses energy, unless it is long beside the buckling of what it compresses:
// cloth then comes out of an impact more crumpled than its speed can pay for.
bool Simulation::gains_energy(const ContactReport& contact) const {
    const Animated<Vec3>& wind = model_.air.wind;
    const bool blows = !wind.is_uniform() || !wind.is_constant() || norm(wind.at(0)) > 0;
    const bool is_loaded =
        std::any_of(model_.loads.begin(), model_.loads.end(), [&](const auto& l) {
            return (l.window.contains(state_.time) || l.window.contains(next_.time)) &&
                   (norm(l.force.at(state_.time)) > 0 || norm(l.force.at(next_.time)) > 0);
        });
    const bool is_fed = is_driven() || bonds_ || blows || is_loaded || !model_.pulls.empty() ||
                        !model_.rest_stretches.empty();
    if (recipe_.calm_step == 0 || is_fed)
        return false;
    const Energy before = energy_of(state_), after = energy_of(next_);
    return after.all() > before.all() + std::max(contact.released_energy, 0.0) +
                             kinetic_gain * before.kinetic + elastic_gain * before.elastic;
}

// By how much the step that ends in next_ changes velocities [m/s], where its length may depend on
// it: infinitely while something is driven, drawn apart or held by bonds, for which steps of the
// usual length are made. Neighbours are judged together, by their root mean square: what one
// particle does against a body may be noise.
double Simulation::velocity_change(const ContactReport& contact) const {
    constexpr std::size_t neighbours = 128; // particles in a row, which lie together
    if (!control_.heeds_calm() || is_driven() || contact.crossings > 0 || bonds_)
        return HUGE_VAL;
    // Cloth that touches follows the surface of the other in steps that are short beside its curve:
    // speed is taken for a change of direction there.
    const double turned = contact.contacts > 0 ? turning_speed : 0;
    const double largest = parallel_largest(
        state_.velocities.size(), neighbours, [&](std::size_t from, std::size_t to) {
            double squares = 0;
            for (std::size_t i = from; i < to; ++i) {
                const Vec3 change = next_.velocities[i] - state_.velocities[i];
                const Vec3 speed = turned * next_.velocities[i];
                squares += dot(change, change) + dot(speed, speed);
            }
            return squares / static_cast<double>(to - from);
        });
    return std::sqrt(largest);
}

void Simulation::record(double h, const StepReport& step, const ContactReport& contact,
                        FrameReport& frame) {
    for (const auto& force : integrator_->forces()) {
        if (HistoryForce* history = force->capabilities().history) {
            history->remember(h, next_);
            history->recall(next_);
        }
    }
    // In twice the step it would be twice as much.
    control_.accept(step.unconverged == 0 && velocity_change(contact) <= 0.5 * slight_change);
    std::swap(state_, next_);
    if (contact_)
        contact_->accept(state_);
    stick(frame);
    frame.contacts = contact.contacts;
    frame.impacts += contact.impacts;
    frame.crossings = contact.crossings;
    frame.released.insert(frame.released.end(), contact.released.begin(), contact.released.end());
    frame.step_min = frame.steps == 0 ? h : std::min(frame.step_min, h);
    frame.step_max = std::max(frame.step_max, h);
    ++frame.steps;
    frame.unconverged_steps += step.unconverged > 0;
    frame.cg_iterations += step.cg_iterations;
    frame.sweeps += step.sweeps;
    frame.damped_particles += step.damped_particles;
    frame.element_evaluations += step.element_evaluations;
    frame.most_sweeps = std::max(frame.most_sweeps, step.sweeps);
}

// Forms and breaks bonds where the state is now.
void Simulation::stick(FrameReport& frame) {
    if (!bonds_)
        return;
    const ProfileScope scope(frame.seconds, Task::detect_body);
    const StickingBonds::Change change = bonds_->update(state_);
    sticking_->set_bonds(state_.bonds);
    frame.bonds = static_cast<int>(state_.bonds.size());
    frame.bonds_formed += change.formed;
    frame.bonds_broken += change.broken;
}

// Ends a frame that would take too many steps, and tells of one that takes far more than others.
void Simulation::watch(double stable_step, double end, const FrameReport& frame) {
    constexpr int usual = 32, far_more = 8; // steps; times
    constexpr int patience = 100;           // steps: what is very stiff for a moment may not last
    const int tried = frame.steps + frame.rejected_steps;
    const double left = end - state_.time;
    too_short_ = left / stable_step > time_.max_steps ? too_short_ + 1 : 0;
    if (control_.hopeless(stable_step) || too_short_ > patience)
        give_up(frame.frame, stable_step, Trouble::unstable,
                fmt::format("no longer step is {}, and a frame of them is more than "
                            "time.max_steps = {}",
                            held_back_.empty() ? "stable: a force is too stiff for its mass there"
                                               : "possible: " + held_back_,
                            time_.max_steps));
    if (tried >= time_.max_steps)
        give_up(frame.frame, control_.size(), Trouble::many_steps,
                fmt::format("time.max_steps = {} did not end the frame{}{}", time_.max_steps,
                            held_back_.empty() ? "" : "; the last that failed: ", held_back_));
    if (stalled_at_ == 0) {
        const double planned = left / std::min(control_.largest(), stable_step);
        const double most = std::max({double(usual), planned, double(most_steps_)});
        stalled_at_ = static_cast<int>(std::min(far_more * most, 1e9));
    }
    const double seconds = seconds_in_frame();
    if (!tell_stall_ || tried == 0 || (tried < stalled_at_ && seconds < told_after_))
        return;
    stalled_at_ = tried < stalled_at_ ? stalled_at_ : 2 * stalled_at_;
    told_after_ = std::max(told_after_, 2 * seconds);
    const double part = 1 - left * time_.frame_rate;
    std::string reason = held_back_;
    if (reason.empty() && stable_step < control_.size())
        reason = "no longer step is stable";
    else if (reason.empty())
        reason = fmt::format("each of them takes {:.2g} s", seconds / tried);
    tell_stall_({frame.frame, tried, part, std::min(control_.size(), stable_step), reason});
}

// For what is told alone: no result depends on it.
double Simulation::seconds_in_frame() const {
    return std::chrono::duration<double>(Clock::now() - frame_began_).count();
}

void Simulation::give_up(int frame, double h, Trouble trouble, const std::string& reason,
                         int particle) const {
    if (particle < 0)
        particle = find_culprit(trouble, model_, state_, next_);
    throw SimulationError(fmt::format("frame {}, time {:.6g} s, {}: {} (steps of {:.3g} s). {}",
                                      frame, state_.time, name_particle(model_, particle), reason,
                                      h, advise(trouble, model_, particle)));
}

void Simulation::summarise(FrameReport& report) const {
    const ProfileScope scope(report.seconds, Task::other);
    report.time = state_.time;
    const Energy energy = energy_of(state_);
    report.kinetic = energy.kinetic;
    report.elastic = energy.elastic;
    report.gravity = energy.gravity;
    if (!std::isfinite(report.kinetic + report.gravity + report.elastic))
        give_up(report.frame, report.step_min, Trouble::not_finite, "the energy became infinite");
    count_joints(report);
    hash_state(state_).hex(report.hash);
}

void Simulation::sum_pin_forces(FrameReport& report) const {
    report.pin_forces.resize(model_.pins.size());
    for (std::size_t i = 0; i < model_.pins.size(); ++i) {
        report.pin_forces[i].region = model_.pins[i].name;
        report.pin_forces[i].force = {0, 0, 0};
    }
    const auto forces = integrator_->constraint_forces();
    for (std::size_t i = 0; i < forces.size(); ++i)
        if (const int source = constraints_.list()[i].source; source >= 0)
            report.pin_forces[source].force += forces[i];
}

void Simulation::set_state(const State& state) {
    const TeamScope scope(team_.get());
    if (state.merged != state_.merged) {
        if (!start_model_)
            throw std::logic_error("set_state: the scene has no seams");
        Model next = merge_particles(*start_model_,
                                     map_particles(start_model_->particle_count(), state.merged));
        check_size(state, next);
        state_.positions = state.positions; // parts are made where particles are
        replace_model(std::move(next));
        refused_.clear();
        state_.merged = state.merged;
        state_.contact_force.clear();
    }
    check_size(state, model_);
    state_.positions = state.positions;
    state_.velocities = state.velocities;
    state_.bonds = state.bonds;
    state_.strain_history = state.strain_history;
    state_.sides = state.sides;
    state_.tangle_watch = state.tangle_watch;
    if (bonds_)
        bonds_->keep_fitting(state_.bonds);
    else
        state_.bonds.clear();
}

void Simulation::continue_from(const State& state, int frame) {
    const TeamScope scope(team_.get());
    frame_ = frame;
    ironing_ = false;
    control_ = StepControl(control_settings(time_, recipe_));
    set_state(state);
    if (start_model_)
        restore_model();
    state_.contact_force = state.contact_force;
    state_.time = frame / time_.frame_rate;
}

std::string Simulation::memory() const {
    Archive archive;
    const_cast<Simulation*>(this)->carry(archive); // it only reads what it writes
    return archive.take();
}

void Simulation::continue_from(const State& state, int frame, const std::string& memory) {
    const TeamScope scope(team_.get());
    // What of it the model depends on comes first.
    Archive archive(memory);
    archive(ironing_);
    const bool ironing = ironing_;
    continue_from(state, frame);
    if (ironing) {
        ironing_ = true;
        restore_model();
        state_.contact_force = state.contact_force;
    }
    Archive whole(memory);
    carry(whole);
    whole.require(whole.left() == 0, "it goes on after its end");
}

void Simulation::carry(Archive& archive) {
    archive(ironing_);
    archive.list(refused_);
    for (const int p : refused_)
        archive.require(p >= 0 && p < start_model().particle_count(), "other joints are refused");
    control_.carry(archive);
    if (contact_)
        contact_->carry(archive);
}

// The model of the scene with what has merged, as the phase has it; parts that remember nothing.
void Simulation::restore_model() {
    const ParticleMap map = map_particles(start_model_->particle_count(), state_.merged);
    Model next = merge_particles(*start_model_, map);
    next.pins = std::move(model_.pins); // may have changed since the start
    next.pulls = std::move(model_.pulls);
    next.air = model_.air;
    replace_model(std::move(next));
}

std::vector<Vec3> Simulation::positions(const std::string& name) const {
    for (const Cloth& cloth : model_.cloths)
        if (cloth.name == name) {
            std::vector<Vec3> out;
            surface_positions(cloth, state_, out);
            return out;
        }
    throw InputError({{}, "cloth", "the name of a cloth of the scene", "'" + name + "'", {}});
}

} // namespace muslin
