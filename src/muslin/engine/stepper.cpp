#include "muslin/engine/stepper.h"

#include "muslin/base/error.h"
#include "muslin/base/hash.h"
#include "muslin/collision/response/sticking_bonds.h"
#include "muslin/forces/seams.h"
#include "muslin/forces/sticking.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

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
int most_solves(const SolverDescription& solver, DressingPhase phase) {
    constexpr int while_dressing = 2;
    const bool dresses = phase == DressingPhase::sew || phase == DressingPhase::settle;
    return dresses && solver.newton_iterations == 0 ? while_dressing
                                                    : std::numeric_limits<int>::max();
}

Hash64 hash_state(const State& state) {
    Hash64 hash;
    hash.add(state.positions.data(), state.positions.size() * sizeof(Vec3));
    hash.add(state.velocities.data(), state.velocities.size() * sizeof(Vec3));
    return hash;
}

} // namespace

Stepper::Stepper(std::shared_ptr<const SceneDescription> scene, const Recipe& recipe)
    : scene_(std::move(scene)), recipe_(recipe), control_(control_settings(scene_->time, recipe)) {}

Stepper::~Stepper() = default;

void Stepper::start(std::shared_ptr<const Model> model, const Conditions& conditions,
                    const State& state) {
    judge_.reset();
    integrator_.reset(); // all of which refer to the model
    contact_.reset();
    bonds_.reset();
    model_ = std::move(model);
    conditions_ = &conditions;
    constraints_.clear();
    make_parts(conditions);
    set_state(state);
    for (const auto& force : integrator_->forces())
        force->prepare(state_.time);
    recall_history();
}

// The parts of the recipe over the model as it is. They refer to it, and the integrator's forces to
// the contact.
void Stepper::make_parts(const Conditions& conditions) {
    contact_ = make_contact(recipe_, *scene_, *model_);
    if (!model_->stickings.empty())
        bonds_ = std::make_unique<StickingBonds>(*model_);
    ForceSet set = make_forces(recipe_, *model_, conditions, scene_->forces);
    const StretchMeasure* watched = set.watched;
    if (bonds_) {
        auto force = std::make_unique<StickingForce>(*model_);
        sticking_ = force.get();
        set.forces.push_back(std::move(force));
    }
    const auto is_open = [](const Seam& seam) { return !seam.joints.empty(); };
    if (std::any_of(model_->seams.begin(), model_->seams.end(), is_open))
        set.forces.push_back(std::make_unique<SeamForce>(*model_));
    if (contact_)
        if (auto force = contact_->make_force())
            set.forces.push_back(std::move(force));
    integrator_ =
        make_integrator(recipe_, solver_settings(scene_->solver, recipe_, conditions.phase),
                        *model_, std::move(set.forces));
    integrator_->set_conditions(conditions);
    constraints_.keep_paths(integrator_->follows_paths());
    if (contact_)
        integrator_->set_evaluation_corrector(contact_->evaluation_corrector());
    judge_.emplace(StepJudge::Parts{*scene_, recipe_, *model_, control_, *integrator_, *watched});
}

void Stepper::set_state(const State& state) {
    control_.recall(state.parts.step_size);
    if (contact_)
        contact_->recall(state.parts.contact);
    state_ = state;
    state_.parts = {}; // the parts have it now; read() takes it back
    if (bonds_)
        bonds_->keep_fitting(state_.bonds);
    else
        state_.bonds.clear();
}

void Stepper::read(State& state) const {
    PartHistory parts = std::move(state.parts);
    state = state_;
    state.parts = std::move(parts);
    control_.store(state.parts.step_size);
    if (contact_)
        contact_->store(state.parts.contact);
}

void Stepper::prepare(double until, const std::function<void(int, int)>& progress) {
    if (contact_)
        contact_->prepare(until, progress);
}

bool Stepper::advance(const FrameOrder& order, const Conditions& conditions, FrameReport& report) {
    conditions_ = &conditions;
    // What is left of a frame below this is rounding.
    const double grain = 1e-9 / scene_->time.frame_rate;
    if (!order.resumes)
        begin_frame(report);
    else
        now_.stable_step = integrator_->longest_step_now(conditions, state_);
    while (order.end - state_.time > grain) {
        const int steps = report.steps;
        take_step(order, report);
        if (report.steps == steps)
            continue; // another try, with a smaller step
        if (order.pause && order.end - state_.time > grain && order.pause(state_))
            return false;
        now_.stable_step = integrator_->longest_step_now(conditions, state_);
    }
    state_.time = order.end; // frames never drift from their times
    sum_pin_forces(report);
    return true;
}

void Stepper::begin_frame(FrameReport& report) {
    integrator_->limit_solves(most_solves(scene_->solver, conditions_->phase));
    recall_history();
    stick(report); // what is near from the start, or was brought near between frames
    now_.stable_step = integrator_->longest_step(*conditions_, state_);
    now_.too_short = 0;
    now_.held_back.clear();
}

void Stepper::take_step(const FrameOrder& order, FrameReport& report) {
    check_length(order, report);
    const double left = order.end - state_.time;
    double h = whole_part(control_.next(left), now_.stable_step, left);
    animate(h, report.seconds);
    sense(h, report.seconds);
    if (const double shorter = shorten(h, left); shorter < h) {
        h = shorter;
        animate(h, report.seconds);
        sense(h, report.seconds);
    }
    StepReport step = advance(h, report.seconds);
    ContactReport contact = resolve(h, step, report.seconds);
    while (contact.repeat) {
        report.cg_iterations += step.cg_iterations;
        step = integrator_->repeat(input(h), next_, report.seconds);
        contact = resolve(h, step, report.seconds);
    }
    if (accept(h, step, contact, order, report))
        record(h, step, contact, report);
}

// Moves what moves by itself: the constraints of the step.
void Stepper::animate(double h, Profile& profile) {
    const std::vector<Pin>& pins = conditions_->pins;
    constraints_.clear();
    for (std::size_t i = 0; i < pins.size(); ++i)
        constraints_.add_pin(pins[i], static_cast<int>(i), state_, h);
    constraints_.add_pin(conditions_->waiting, -1, state_, h);
    if (contact_)
        contact_->constrain(*conditions_, state_, h, constraints_, profile);
    constraints_.merge_by_particle();
}

void Stepper::sense(double h, Profile& profile) {
    if (contact_)
        contact_->sense(input(h), profile);
}

// The step that contact can answer for, as a whole part of what is left of the frame.
double Stepper::shorten(double h, double remaining) const {
    if (!contact_)
        return h;
    return whole_part(h,
                      std::max(contact_->longest_step(), judge_->contact_floor(conditions_->phase)),
                      remaining);
}

StepReport Stepper::advance(double h, Profile& profile) {
    return integrator_->step(input(h), next_, profile);
}

// Cloth that the integrator has torn to shreds is not given to contact: it would meet itself
// everywhere, for minutes, and the step is to be judged by its stretch. At the shortest steps
// alone, where this is affordable and hardly any change of stretch is refused.
ContactReport Stepper::resolve(double h, const StepReport& step, Profile& profile) {
    if (!contact_ || step.status != StepReport::Status::ok || judge_->is_torn(input(h), next_))
        return {};
    return contact_->resolve(
        {*conditions_, state_, h, constraints_, integrator_->constraint_forces(),
         h <= judge_->contact_floor(conditions_->phase), integrator_->forces()},
        next_, profile);
}

// Whether the step is taken. Else the next one that is tried is shorter, or nothing can go on.
bool Stepper::accept(double h, const StepReport& step, const ContactReport& contact,
                     const FrameOrder& order, FrameReport& report) {
    std::string reason;
    const Trouble trouble = judge_->judge({input(h), next_, step, contact}, reason);
    if (trouble == Trouble::none)
        return true;
    ++report.rejected_steps;
    report.cg_iterations += step.cg_iterations;
    now_.held_back = reason;
    if (trouble == Trouble::inaccurate)
        now_.stable_step = step.longest_step; // the integrator knows what would do
    if (trouble == Trouble::inaccurate ? now_.stable_step < control_.smallest()
                                       : !control_.reject(h))
        give_up(order.frame, h, trouble, reason, contact.particle);
    return false;
}

void Stepper::record(double h, const StepReport& step, const ContactReport& contact,
                     FrameReport& report) {
    for (const auto& force : integrator_->forces())
        if (HistoryForce* history = force->capabilities().history) {
            history->remember(h, next_);
            history->recall(next_);
        }
    control_.accept(judge_->is_calm({input(h), next_, step, contact}));
    std::swap(state_, next_);
    if (contact_)
        contact_->accept(state_);
    stick(report);
    report.contacts = contact.contacts;
    report.impacts += contact.impacts;
    report.crossings = contact.crossings;
    report.released.insert(report.released.end(), contact.released.begin(), contact.released.end());
    report.step_min = report.steps == 0 ? h : std::min(report.step_min, h);
    report.step_max = std::max(report.step_max, h);
    ++report.steps;
    report.unconverged_steps += step.unconverged > 0;
    report.cg_iterations += step.cg_iterations;
    report.sweeps += step.sweeps;
    report.damped_particles += step.damped_particles;
    report.element_evaluations += step.element_evaluations;
    report.most_sweeps = std::max(report.most_sweeps, step.sweeps);
}

void Stepper::recall_history() {
    for (const auto& force : integrator_->forces())
        if (HistoryForce* history = force->capabilities().history)
            history->recall(state_);
}

// Forms and breaks bonds where the state is now.
void Stepper::stick(FrameReport& report) {
    if (!bonds_)
        return;
    const ProfileScope scope(report.seconds, Task::detect_body);
    const StickingBonds::Change change = bonds_->update(state_);
    sticking_->set_bonds(state_.bonds);
    report.bonds = static_cast<int>(state_.bonds.size());
    report.bonds_formed += change.formed;
    report.bonds_broken += change.broken;
}

// Ends a frame that would take too many steps.
void Stepper::check_length(const FrameOrder& order, const FrameReport& report) {
    constexpr int patience = 100; // steps: what is very stiff for a moment may not last
    const int most = scene_->time.max_steps, tried = report.steps + report.rejected_steps;
    const double left = order.end - state_.time, stable = now_.stable_step;
    const std::string& held_back = now_.held_back;
    now_.too_short = left / stable > most ? now_.too_short + 1 : 0;
    if (control_.hopeless(stable) || now_.too_short > patience)
        give_up(order.frame, stable, Trouble::unstable,
                fmt::format("no longer step is {}, and a frame of them is more than "
                            "time.max_steps = {}",
                            held_back.empty() ? "stable: a force is too stiff for its mass there"
                                              : "possible: " + held_back,
                            most));
    if (tried >= most)
        give_up(order.frame, control_.size(), Trouble::many_steps,
                fmt::format("time.max_steps = {} did not end the frame{}{}", most,
                            held_back.empty() ? "" : "; the last that failed: ", held_back));
    if (order.progress)
        order.progress(
            {order.frame, tried, left, control_.size(), control_.largest(), stable, held_back});
}

void Stepper::give_up(int frame, double h, Trouble trouble, const std::string& reason,
                      int particle) const {
    if (particle < 0)
        particle = find_culprit(trouble, *model_, state_, next_);
    throw SimulationError(fmt::format("frame {}, time {:.6g} s, {}: {} (steps of {:.3g} s). {}",
                                      frame, state_.time, name_particle(*model_, particle), reason,
                                      h, advise(trouble, *model_, particle)));
}

void Stepper::measure(FrameReport& report) const {
    const ProfileScope scope(report.seconds, Task::other);
    report.time = state_.time;
    const Energy energy = judge_->energy_of(state_);
    report.kinetic = energy.kinetic;
    report.elastic = energy.elastic;
    report.gravity = energy.gravity;
    if (!std::isfinite(report.kinetic + report.gravity + report.elastic))
        give_up(report.frame, report.step_min, Trouble::not_finite, "the energy became infinite");
    hash_state(state_).hex(report.hash);
}

void Stepper::sum_pin_forces(FrameReport& report) const {
    const std::vector<Pin>& pins = conditions_->pins;
    report.pin_forces.resize(pins.size());
    for (std::size_t i = 0; i < pins.size(); ++i) {
        report.pin_forces[i].region = pins[i].name;
        report.pin_forces[i].force = {0, 0, 0};
    }
    const auto forces = integrator_->constraint_forces();
    for (std::size_t i = 0; i < forces.size(); ++i)
        if (const int source = constraints_.list()[i].source; source >= 0)
            report.pin_forces[source].force += forces[i];
}

} // namespace muslin
