#include "muslin/engine/simulation.h"

#include "muslin/base/error.h"
#include "muslin/engine/stepper.h"
#include "muslin/model/build_model.h"
#include "muslin/model/merge.h"

#include <algorithm>
#include <stdexcept>

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

struct Simulation::Started {
    explicit Started(const SceneDescription& scene) : built(build_start(scene, &untangled)) {}
    std::optional<StartUntangling> untangled;
    BuiltScene built;
};

// The scope lasts until all of the construction is over, that of the start included.
Simulation::Simulation(const SceneDescription& scene, std::shared_ptr<ThreadTeam> team)
    : Simulation(TeamScope(team.get()), scene, team) {}

Simulation::Simulation(const TeamScope&, const SceneDescription& scene,
                       std::shared_ptr<ThreadTeam> team)
    : Simulation(scene, Started(scene)) {
    team_ = std::move(team);
}

Simulation::Simulation(const SceneDescription& scene, Started start)
    : scene_(std::make_shared<const SceneDescription>(scene)),
      recipe_(choose_recipe(scene.recipe, scene.parts)), untangled_(std::move(start.untangled)),
      start_conditions_(std::move(start.built.conditions)), conditions_(start_conditions_),
      start_model_(std::make_shared<const Model>(std::move(start.built.model))),
      model_(start_model_), dressing_(scene),
      merger_(start_model_, dressing_, recipe_.parts.at("contact") != "none"),
      stepper_(std::make_unique<Stepper>(scene_, recipe_)), state_(std::move(start.built.start)),
      frame_(-dressing_.frames().all()) {
    state_.time = frame_time(frame_);
    if (phase() == DressingPhase::sew)
        model_ = std::make_shared<const Model>(dressing_.model_for(*start_model_, frame_, false));
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
    restart(report);
    report.frame = frame_ + 1;
    dressing_.update_conditions(start_conditions_, *model_, frame_, conditions_);
    stalls_.begin_frame();
    try {
        advance_steps(report);
    } catch (const SimulationError&) {
        stepper_->read(state_);
        throw;
    }
    stalls_.end_frame(report.steps + report.rejected_steps);
    stepper_->read(state_);
    ++frame_;
    merge_seams(true, report);
    stepper_->measure(report);
    if (has_seams())
        merger_.count_joints(*model_, state_, report);
    end_frame(report.crossings);
}

// To the end of the frame. Where seams close at a run, they merge on the way.
void Simulation::advance_steps(FrameReport& report) {
    FrameOrder order;
    order.frame = report.frame;
    order.end = frame_time(report.frame);
    order.progress = [this](const FrameProgress& progress) {
        stalls_.look(progress, scene_->time.frame_rate);
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
    dressing_.update_conditions(start_conditions_, *model_, frame_, conditions_);
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
    take_state(state, state_.time, false);
}

void Simulation::continue_from(const State& state, int frame) {
    const TeamScope scope(team_.get());
    frame_ = frame;
    take_state(state, frame_time(frame), has_seams());
}

// `remake`: whether the model and all parts are made anew even where the same has merged.
void Simulation::take_state(const State& state, double time, bool remake) {
    for (const int p : state.parts.sewing.refused)
        require_history(p >= 0 && p < start_model_->particle_count(), "other joints are refused");
    if (state.merged != state_.merged) {
        if (!has_seams())
            throw std::logic_error("set_state: the scene has no seams");
        remake = true;
        conditions_ = start_conditions_;
        merge_conditions(map_particles(start_model_->particle_count(), state.merged), conditions_);
    }
    remake = remake || state.parts.sewing.ironing != state_.parts.sewing.ironing;
    if (!remake) {
        check_size(state, *model_);
        State next = state;
        next.time = time;
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
