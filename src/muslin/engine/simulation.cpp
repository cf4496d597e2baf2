#include "muslin/engine/simulation.h"

#include "muslin/base/error.h"
#include "muslin/engine/stepper.h"
#include "muslin/model/build_model.h"
#include "muslin/model/merge.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace muslin {
namespace {

void check_size(const State& state, const Model& model) {
    if (state.positions.size() != model.mass.size() || state.velocities.size() != model.mass.size())
        throw std::logic_error("set_state: the number of particles differs");
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

Simulation::Start::Start(const SceneDescription& scene) {
    BuiltScene built = build_start(scene, &untangled);
    for (Body& body : built.model.bodies) {
        paths.push_back(std::make_shared<GivenPath>());
        body.path = paths.back();
    }
    conditions = std::move(built.conditions);
    model = std::make_shared<const Model>(std::move(built.model));
    state = std::move(built.start);
}

// The scope lasts until all of the construction is over, that of the start included.
Simulation::Simulation(const SceneDescription& scene, std::shared_ptr<ThreadTeam> team)
    : Simulation(TeamScope(team.get()), scene, team) {}

Simulation::Simulation(const TeamScope&, const SceneDescription& scene,
                       std::shared_ptr<ThreadTeam> team)
    : Simulation(scene, Start(scene)) {
    team_ = std::move(team);
}

Simulation::Simulation(const SceneDescription& scene, Start start)
    : scene_(std::make_shared<const SceneDescription>(scene)),
      recipe_(choose_recipe(scene.recipe, scene.parts)), start_(std::move(start)),
      conditions_(start_.conditions), model_(start_.model), dressing_(scene),
      merger_(start_.model, dressing_, recipe_.parts.at("contact") != "none"),
      stepper_(std::make_unique<Stepper>(scene_, recipe_)), state_(std::exchange(start_.state, {})),
      frame_(-dressing_.frames().all()) {
    state_.time = frame_time(frame_);
    if (phase() == DressingPhase::sew)
        model_ = std::make_shared<const Model>(dressing_.model_for(*start_.model, frame_, false));
    // Air and weight are those of the scene until the first frame begins.
    conditions_.phase = phase();
    dressing_.hold_waiting(*model_, state_, frame_, conditions_);
    stepper_->start(model_, conditions_, state_);
    stepper_->read(state_);
}

Simulation::~Simulation() = default;

FrameReport Simulation::advance_frame() {
    FrameReport report;
    advance_frame(report);
    return report;
}

void Simulation::advance_frame(FrameReport& report) {
    const TeamScope scope(team_.get());
    stalls_.begin_frame();
    advance_to(frame_time(frame_ + 1), report);
    stalls_.end_frame(report.steps + report.rejected_steps);
    ++frame_;
    merge_seams(true, report);
    stepper_->measure(report);
    if (has_seams())
        merger_.count_joints(*model_, state_, report);
    end_frame(report.crossings);
}

void Simulation::advance_within_frame(double time, FrameReport& report) {
    const TeamScope scope(team_.get());
    stalls_.begin_frame();
    advance_to(time, report);
    stepper_->measure(report);
    if (has_seams())
        merger_.count_joints(*model_, state_, report);
}

// Of the frame that is under way; what ends one is left.
void Simulation::advance_to(double time, FrameReport& report) {
    restart(report);
    report.frame = frame_ + 1;
    dressing_.update_conditions(start_.conditions, *model_, frame_, conditions_);
    try {
        advance_steps(time, report);
    } catch (const SimulationError&) {
        stepper_->read(state_);
        throw;
    } catch (...) {
        stepper_->read(state_);
        program_.interrupted = true;
        throw;
    }
    stepper_->read(state_);
}

// Where seams close at a run, they merge on the way.
void Simulation::advance_steps(double time, FrameReport& report) {
    FrameOrder order;
    order.frame = report.frame;
    order.end = time;
    order.resumes = std::exchange(program_.interrupted, false);
    order.progress = [this](const FrameProgress& progress) {
        stalls_.look(progress, scene_->time.frame_rate);
        if (program_.progress)
            program_.progress(progress);
    };
    order.pause = [this](const State& now) { return merger_.wants_to_merge(*model_, now, frame_); };
    while (!stepper_->advance(order, conditions_, report)) {
        stepper_->read(state_);
        merge_seams(false, report);
        order.resumes = true;
    }
}

void Simulation::merge_seams(bool at_end, FrameReport& report) {
    if (!has_seams())
        return;
    if (auto next = merger_.merge({*model_, frame_, conditions_, state_}, at_end, report))
        set_model(std::move(*next));
}

// Goes on with a model that is as the scene has it but for what has merged, and with all parts made
// anew: what a part keeps by particle, triangle, hinge or matrix slot has no place to go
// (docs/decisions/0008-merging-rebuilds-the-model.md).
void Simulation::set_model(Model next) {
    model_ = std::make_shared<const Model>(
        dressing_.model_for(std::move(next), frame_, state_.parts.sewing.ironing));
    dressing_.update_conditions(start_.conditions, *model_, frame_, conditions_);
    dressing_.hold_waiting(*model_, state_, frame_, conditions_);
    stepper_->start(model_, conditions_, state_);
    stepper_->read(state_);
    ++merges_;
}

// With the model of the phase, and contact that has no history with it.
void Simulation::begin_phase_anew() {
    state_.parts.contact = {};
    set_model(merger_.model_of(state_));
}

void Simulation::end_frame(int crossings) {
    if (dressing_.untangles_after(frame_, crossings)) {
        constexpr double most_ironed = 5; // of an edge as it is, folded: it springs back
        untangle_start(*model_, conditions_, state_, {.max_strain = most_ironed});
        begin_phase_anew();
    }
    const Dressing::Next next = dressing_.after(*model_, frame_, state_.parts.sewing);
    state_.parts.sewing.ironing = next.ironing;
    if (next.frame != frame_) {
        frame_ = next.frame;
        state_.time = frame_time(frame_);
    }
    if (next.other_model)
        begin_phase_anew();
}

void Simulation::set_state(const State& state) {
    const TeamScope scope(team_.get());
    take_state(state, state_.time, false, false);
}

void Simulation::continue_from(const State& state, int frame) {
    const TeamScope scope(team_.get());
    frame_ = frame;
    take_state(state, frame_time(frame), has_seams(), false);
}

void Simulation::restore(const State& state, int frame) {
    const TeamScope scope(team_.get());
    frame_ = frame;
    take_state(state, state.time, has_seams(), true);
}

// `other_model`: whether the model and all parts are made anew even where the same has merged;
// `remake_parts`: whether the parts are, of the same model.
void Simulation::take_state(const State& state, double time, bool other_model, bool remake_parts) {
    for (const int p : state.parts.sewing.refused)
        require_history(p >= 0 && p < start_.model->particle_count(), "other joints are refused");
    program_.interrupted = false;
    if (state.merged != state_.merged) {
        if (!has_seams())
            throw std::logic_error("set_state: the scene has no seams");
        other_model = true;
        conditions_ = start_.conditions;
        merge_conditions(map_particles(start_.model->particle_count(), state.merged), conditions_);
    }
    if (!other_model && state.parts.sewing.ironing == state_.parts.sewing.ironing) {
        check_size(state, *model_);
        State next = state;
        next.time = time;
        if (remake_parts)
            stepper_->start(model_, conditions_, next);
        else
            stepper_->set_state(next);
        state_ = std::move(next);
        stepper_->read(state_);
        return;
    }
    Model next = merger_.model_of(state);
    check_size(state, next);
    state_ = state;
    state_.time = time;
    set_model(std::move(next));
}

void Simulation::set_body_path(int body, GivenPath path) {
    const TeamScope scope(team_.get());
    GivenPath& now = *start_.paths.at(body);
    if (!path.empty() && recipe_.parts.at("contact") == "forecast_contact")
        throw InputError({{},
                          "body '" + model_->bodies[body].name + "'",
                          "a recipe with another contact than 'forecast_contact', whose level sets "
                          "follow the frames of the scene alone",
                          "a body that a program moves",
                          {}});
    const bool begins = now.empty() != path.empty();
    now = std::move(path);
    if (!begins)
        return;
    // Parts keep what they find of bodies that never move.
    program_.interrupted = false;
    stepper_->start(model_, conditions_, state_);
    stepper_->read(state_);
}

void Simulation::prepare(const std::function<void(int, int)>& progress) {
    const TeamScope scope(team_.get());
    stepper_->prepare(frame_time(scene_->time.frames), progress);
}

std::vector<Vec3> Simulation::positions(const std::string& name) const {
    for (const Cloth& cloth : model_->cloths)
        if (cloth.name == name) {
            std::vector<Vec3> out;
            surface_positions(cloth, state_, out);
            return out;
        }
    throw InputError({{}, "cloth", "the name of a cloth of the scene", "'" + name + "'", {}});
}

} // namespace muslin
