// Bodies and pins that are moved while a scene runs; snapshots of it.
#include "muslin/base/archive.h"
#include "muslin/base/error.h"
#include "muslin/model/merge.h"
#include "muslin/run/checkpoint.h"
#include "muslin/run/live.h"

#include <limits>
#include <stdexcept>
#include <utility>

namespace muslin {
namespace {

/// Where a pin that holds its particles at points has them now [m].
std::vector<Vec3> places_of(const Pin& pin, const State& state) {
    if (pin.path && pin.path->has_ended(state.time))
        return pin.frames.back();
    const bool moves = pin.frames.size() > 1 || !pin.motion.is_constant();
    std::vector<Vec3> out;
    for (std::size_t i = 0; i < pin.particles.size(); ++i)
        out.push_back(moves ? state.positions[pin.particles[i]]
                            : pin.motion.apply(state.time, pin.frames.empty()
                                                               ? pin.start[i]
                                                               : pin.frames.front()[i]));
    return out;
}

std::vector<Vec3> places_of(const Body& body, double time) {
    if (body.is_given() && body.path->time.has_ended(time))
        return body.path->end();
    std::vector<Vec3> out(body.mesh.positions.size());
    body_positions(body, time, out);
    return out;
}

} // namespace

bool LiveSimulation::is_whole_frame(double end) const {
    return simulation_->state().time == frame_time(frame()) && end == frame_time(frame() + 1);
}

// A call that was stopped is not resumed: the hand continues from where it is.
void LiveSimulation::halt_hand() {
    now_.last_target = hand_place();
    stopped_.reset();
}

Vec3 LiveSimulation::hand_place() const {
    if (!stopped_ || now_.hand.empty())
        return now_.last_target;
    const LiveControls::Finger& first = now_.hand.front();
    return first.pull.target.at(simulation_->state().time) - first.offset;
}

void LiveSimulation::switch_pin(int index, bool holds) {
    Pin& pin = now_.pins.at(index);
    pin.window = {};
    if (pin.path) {
        pin.frames.erase(pin.frames.begin());
        pin.path.reset();
    }
    wanted_.pins.erase(index);
    if (!holds) {
        pin.window.end = -std::numeric_limits<double>::infinity();
    } else {
        pin.frames = {{}};
        for (const int p : pin.particles)
            pin.frames.front().push_back(simulation_->state().positions[p]);
        pin.motion = {};
        pin.shape = PointShape{};
    }
    apply_controls();
}

void LiveSimulation::move_pin(int index, std::vector<Vec3> places) {
    if (places.size() != now_.pins.at(index).particles.size())
        throw std::logic_error("move_pin: a place for each particle");
    wanted_.pins[index] = std::move(places);
}

void LiveSimulation::move_body(int index, std::vector<Vec3> places) {
    if (places.size() != simulation_->model().bodies.at(index).mesh.positions.size())
        throw std::logic_error("move_body: a place for each vertex");
    // Contact may refuse a body that moves, and has to know of it before the next step.
    if (now_.bodies[index].empty()) {
        const double time = simulation_->state().time;
        GivenPath& path = now_.bodies[index];
        path.frames.fill(places_of(simulation_->model().bodies[index], time));
        path.time.start = time;
        try {
            simulation_->set_body_path(index, path);
        } catch (const InputError&) {
            path = {};
            throw;
        }
    }
    wanted_.bodies[index] = std::move(places);
}

// Starts the motions that were asked for; they end at a time [s].
void LiveSimulation::begin_moves(double end) {
    const State& state = simulation_->state();
    PathTime way = {state.time, 0, 1 / (end - state.time)};
    if (is_whole_frame(end))
        way = {0, static_cast<double>(frame()), scene_.time.frame_rate};
    for (Pin& pin : now_.pins)
        if (pin.path && pin.path->has_ended(state.time)) { // it has arrived
            pin.frames.erase(pin.frames.begin());
            pin.path.reset();
        }
    for (auto& [index, places] : wanted_.pins) {
        Pin& pin = now_.pins[index];
        pin.frames = {places_of(pin, state), std::move(places)};
        pin.path = way;
        pin.motion = {};
    }
    for (auto& [index, places] : wanted_.bodies) {
        now_.bodies[index] = {
            {places_of(simulation_->model().bodies[index], state.time), std::move(places)}, way};
        simulation_->set_body_path(index, now_.bodies[index]);
    }
    wanted_ = {};
}

LiveSnapshot LiveSimulation::snapshot() const {
    LiveControls controls = now_;
    controls.last_target = hand_place();
    return {simulation_->state(), frame(), write_controls(controls)};
}

void LiveSimulation::restore(const LiveSnapshot& snapshot) {
    const auto refuse = [](const std::string& found) {
        throw InputError({{}, "state", "one of this scene and recipe", found, {}});
    };
    const Model& start = simulation_->start_model();
    if (!snapshot.state.merged.empty() && start.seams.empty())
        refuse("one whose seams have closed");
    check_fits({}, snapshot.state, start);
    Conditions scene = simulation_->start_conditions();
    merge_conditions(map_particles(start.particle_count(), snapshot.state.merged), scene);
    const LiveSnapshot before = this->snapshot();
    const LiveControls held = now_;
    const auto take = [&](const LiveSnapshot& from, LiveControls controls) {
        for (std::size_t b = 0; b < controls.bodies.size(); ++b)
            simulation_->set_body_path(static_cast<int>(b), controls.bodies[b]);
        simulation_->restore(from.state, from.frame);
        now_ = std::move(controls);
    };
    try {
        LiveControls controls = read_controls(snapshot.controls, scene,
                                              static_cast<int>(snapshot.state.positions.size()));
        check_controls(controls);
        take(snapshot, std::move(controls));
    } catch (const ArchiveError& error) {
        refuse(error.what());
    } catch (const HistoryError& error) {
        take(before, held);
        refuse(error.what());
    }
    wanted_ = {};
    stopped_.reset();
    status_.clear();
    move_hand(frame_time(frame() + 1));
    apply_controls();
}

void LiveSimulation::check_controls(const LiveControls& controls) const {
    const auto require = [](bool fits) {
        if (!fits)
            throw ArchiveError("one with other cloths, pins or bodies");
    };
    const Model& model = simulation_->start_model();
    require(controls.pins.size() >= scene_pins_ && controls.bodies.size() == model.bodies.size());
    for (std::size_t b = 0; b < controls.bodies.size(); ++b)
        require(controls.bodies[b].empty() ||
                controls.bodies[b].end().size() == model.bodies[b].mesh.positions.size());
    if (const auto& grabbed = controls.grabbed)
        require(grabbed->cloth >= 0 && grabbed->cloth < static_cast<int>(model.cloths.size()) &&
                grabbed->vertex >= 0 &&
                grabbed->vertex <
                    static_cast<int>(model.cloths[grabbed->cloth].surface.vertex_particle.size()));
}

} // namespace muslin
