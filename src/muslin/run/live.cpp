#include "muslin/run/live.h"

#include "muslin/base/error.h"
#include "muslin/engine/start_check.h"
#include "muslin/model/build_model.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <stdexcept>

namespace muslin {
namespace {

constexpr double earth = 9.81; // [m/s^2]; a hand is as firm where the scene has no gravity

double weight_of(const Model& model, int cloth) {
    if (!model.stitching.joints.empty()) { // whoever lifts a panel lifts what is sewn to it
        double mass = 0;
        for (double m : model.mass)
            mass += m;
        return earth * mass;
    }
    std::vector<int> particles = model.cloths[cloth].particles;
    std::sort(particles.begin(), particles.end());
    particles.erase(std::unique(particles.begin(), particles.end()), particles.end());
    double mass = 0;
    for (int p : particles)
        mass += model.mass[p];
    return earth * mass;
}

// Particles of one cloth within `reach` of `start` along edges at rest, with their distances [m].
std::vector<std::pair<int, double>> surroundings(const Model& model, int cloth, int start,
                                                 double reach) {
    std::vector<double> distance(model.mass.size(), std::numeric_limits<double>::infinity());
    distance[start] = 0;
    const auto [begin, end] = model.cloths[cloth].triangle_range;
    for (bool changed = true; changed;) {
        changed = false;
        for (int t = begin; t < end; ++t)
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j) {
                    const auto& corner = model.dynamics.triangles[t];
                    const auto& uv = model.dynamics.pattern[t];
                    const double way = distance[corner[i]] + norm(uv[j] - uv[i]);
                    if (way < reach && way < distance[corner[j]]) {
                        distance[corner[j]] = way;
                        changed = true;
                    }
                }
    }
    std::vector<std::pair<int, double>> out;
    for (std::size_t p = 0; p < distance.size(); ++p)
        if (distance[p] < reach)
            out.emplace_back(static_cast<int>(p), distance[p]);
    return out;
}

LiveStatistics statistics_of(const FrameReport& report) {
    LiveStatistics out;
    out.frame = report.frame;
    out.time = report.time;
    out.kinetic = report.kinetic;
    out.elastic = report.elastic;
    out.gravity = report.gravity;
    out.steps = report.steps;
    out.rejected_steps = report.rejected_steps;
    out.cg_iterations = report.cg_iterations;
    out.contacts = report.contacts;
    out.seconds = report.seconds.total();
    return out;
}

// Adds the steps that were taken before those of a report.
void add_steps(const FrameReport& before, FrameReport& report) {
    if (before.steps > 0) {
        report.step_min =
            report.steps > 0 ? std::min(before.step_min, report.step_min) : before.step_min;
        report.step_max = std::max(before.step_max, report.step_max);
    }
    report.steps += before.steps;
    report.rejected_steps += before.rejected_steps;
    report.cg_iterations += before.cg_iterations;
    report.unconverged_steps += before.unconverged_steps;
    report.sweeps += before.sweeps;
    report.most_sweeps = std::max(report.most_sweeps, before.most_sweeps);
    report.damped_particles += before.damped_particles;
    report.element_evaluations += before.element_evaluations;
    report.impacts += before.impacts;
    report.bonds_formed += before.bonds_formed;
    report.bonds_broken += before.bonds_broken;
    report.joints_refused.insert(report.joints_refused.begin(), before.joints_refused.begin(),
                                 before.joints_refused.end());
    report.released.insert(report.released.begin(), before.released.begin(), before.released.end());
    report.seconds += before.seconds;
}

} // namespace

LiveSimulation::LiveSimulation(SceneDescription scene) : scene_(std::move(scene)) {
    build(scene_, false);
    warnings_ = mesh_warnings(simulation_->model());
    if (const auto& done = simulation_->untangled())
        warnings_.push_back("the start was tangled: " + describe(done->report));
    for (const Tangle& tangle : check_start(scene_, simulation_->model(), simulation_->state()))
        warnings_.push_back("the start is tangled: " + describe(tangle));
}

bool LiveSimulation::step_frame() {
    return advance(frame_time(frame() + 1), [this] { simulation_->advance_frame(report_); });
}

bool LiveSimulation::step_to(double time) {
    const double grain = 1e-9 / scene_.time.frame_rate; // what is left below this is rounding
    const auto nearest = static_cast<int>(std::lround(time * scene_.time.frame_rate));
    if (std::abs(time - frame_time(nearest)) < grain)
        time = frame_time(nearest);
    return advance(time, [&] {
        FrameReport way;
        while (simulation_->state().time < time - grain) {
            if (time >= frame_time(frame() + 1))
                simulation_->advance_frame(report_);
            else
                simulation_->advance_within_frame(time, report_);
            add_steps(way, report_);
            way = report_;
        }
    });
}

bool LiveSimulation::advance(double end, const std::function<void()>& steps) {
    if (stopped_ && *stopped_ != end)
        halt_hand();
    if (!stopped_)
        move_hand(end);
    stopped_.reset();
    begin_moves(end);
    apply_controls();
    const int merges = simulation_->merges();
    const auto follow_merges = [&] {
        if (simulation_->merges() != merges)
            take_controls();
    };
    try {
        steps();
        follow_merges();
        history_.push_back(statistics_of(report_));
        if (history_.size() > history_size)
            history_.pop_front();
        status_.clear();
    } catch (const SimulationError& error) {
        follow_merges();
        status_ = error.what();
    } catch (...) {
        follow_merges();
        stopped_ = end;
        throw;
    }
    if (Pin* pin = now_.grabbed ? own_pin_of(particle(*now_.grabbed)) : nullptr) {
        pin->start.front() = pin->motion.apply(simulation_->state().time, pin->start.front());
        pin->motion = {};
        now_.target = pin->start.front();
    }
    now_.last_target = now_.target;
    return status_.empty();
}

void LiveSimulation::on_progress(std::function<void(const FrameProgress&)> tell) {
    progress_ = std::move(tell);
    simulation_->on_progress(progress_);
}

// Hands the simulation what was changed since the last frame.
void LiveSimulation::apply_controls() {
    std::vector<Pull> pulls = now_.pulls;
    for (const LiveControls::Finger& finger_pull : now_.hand)
        pulls.push_back(finger_pull.pull);
    simulation_->set_pulls(std::move(pulls));
    simulation_->set_pins(now_.pins);
    if (wind_.uniform)
        simulation_->set_wind(Animated<Vec3>(*wind_.uniform));
    simulation_->set_wind_field(wind_.field);
}

// Seams have merged particles: takes the controls back with the numbers that particles have now.
void LiveSimulation::take_controls() {
    const Conditions& conditions = simulation_->conditions();
    now_.pins = conditions.pins;
    const auto hand = conditions.pulls.begin() + static_cast<std::ptrdiff_t>(now_.pulls.size());
    now_.pulls.assign(conditions.pulls.begin(), hand);
    for (std::size_t i = 0; i < now_.hand.size(); ++i) {
        now_.hand[i].pull = *(hand + static_cast<std::ptrdiff_t>(i));
        now_.hand[i].particle = now_.hand[i].pull.particles.front();
    }
}

void LiveSimulation::build(const SceneDescription& scene, bool go_on) {
    auto built = std::make_unique<Simulation>(scene);
    built->on_progress(progress_);
    stopped_.reset();
    if (go_on) {
        for (std::size_t b = 0; b < now_.bodies.size(); ++b)
            built->set_body_path(static_cast<int>(b), now_.bodies[b]);
        State state = simulation_->state();
        state.parts = {}; // of other parts than those that go on
        built->restore(state, simulation_->frame());
    } else {
        now_.bodies.assign(built->model().bodies.size(), {});
        wanted_ = {};
        now_.pins = built->conditions().pins;
        scene_pins_ = now_.pins.size();
        history_.clear();
        release();
    }
    now_.pulls = built->conditions().pulls;
    simulation_ = std::move(built);
    ++builds_;
    scene_ = scene;
    status_.clear();
    if (now_.grabbed) // the weight and stiffness that the hand answers to may be others now
        make_hand(particle(*now_.grabbed));
    move_hand(frame_time(frame() + 1));
    apply_controls();
}

int LiveSimulation::particle(const LiveVertex& vertex) const {
    const auto& cloths = simulation_->model().cloths;
    if (vertex.cloth < 0 || vertex.cloth >= static_cast<int>(cloths.size()) || vertex.vertex < 0 ||
        vertex.vertex >= static_cast<int>(cloths[vertex.cloth].surface.vertex_particle.size()))
        throw std::logic_error("LiveSimulation: no such vertex");
    return cloths[vertex.cloth].surface.vertex_particle[vertex.vertex];
}

void LiveSimulation::grab(const LiveVertex& vertex) {
    const int p = particle(vertex);
    stopped_.reset();
    now_.grabbed = vertex;
    now_.target = now_.last_target = simulation_->state().positions[p];
    make_hand(p);
}

void LiveSimulation::drag(const Vec3& target) {
    if (!now_.grabbed || !is_finite(target))
        return;
    halt_hand();
    now_.target = target;
}

void LiveSimulation::release() {
    now_.grabbed.reset();
    now_.hand.clear();
}

// The springs of the hand. Together they hold the weight of the cloth 5 mm below the point, and
// pull at most with what stretches a strip as wide as the fingers by 4 %, yet enough to lift the
// cloth with ease and never so much that it is thrown about.
void LiveSimulation::make_hand(int p) {
    const Model& model = simulation_->model();
    const Material& material = scene_.cloths[now_.grabbed->cloth].material;
    const double weight = weight_of(model, now_.grabbed->cloth);
    const double stiffness = weight / 0.005;
    const double bears = 0.04 * std::min(material.stretch_u, material.stretch_v) * 2 * finger;
    const double most = std::clamp(bears, 3 * weight, 10 * weight);

    const auto held = surroundings(model, now_.grabbed->cloth, p, finger);
    std::vector<double> share;
    double sum = 0, mass = 0;
    for (const auto& [q, distance] : held) {
        const double s = 1 - (distance / finger) * (distance / finger);
        share.push_back(s * s);
        sum += share.back();
        mass += model.mass[q];
    }
    const double damping = std::sqrt(stiffness * mass); // of those held alone: half the critical
    const auto& x = simulation_->state().positions;
    now_.hand.clear();
    for (std::size_t i = 0; i < held.size(); ++i) {
        const int q = held[i].first;
        const double part = share[i] / sum;
        LiveControls::Finger one{q, x[q] - x[p], {}};
        one.pull.particles = {q};
        one.pull.stiffness = part * stiffness;
        one.pull.damping = part * damping;
        one.pull.max_force = part * most;
        now_.hand.push_back(std::move(one));
    }
}

// Leads the springs, or the pin that is held, from where the hand was to where it is now, over the
// frame that comes: a jump would be a blow.
void LiveSimulation::move_hand(double end) {
    if (!now_.grabbed)
        return;
    const double now = simulation_->state().time;
    const double frame_seconds = is_whole_frame(end) ? 1 / scene_.time.frame_rate : end - now;
    const double then = now + frame_seconds;
    if (Pin* pin = own_pin_of(particle(*now_.grabbed))) {
        // A pin goes where it is told, so it must not be told to go faster than cloth can follow.
        constexpr double fastest = 3; // [m/s]
        Vec3 way = now_.target - pin->start.front();
        if (const double length = norm(way); length > fastest * frame_seconds)
            way = (fastest * frame_seconds / length) * way;
        pin->motion.translation = Animated<Vec3>({{now, Vec3{0, 0, 0}}, {then, way}});
        for (LiveControls::Finger& one : now_.hand)
            one.pull.window.end = now; // the pin alone acts
        return;
    }
    for (LiveControls::Finger& one : now_.hand) {
        one.pull.window = {};
        one.pull.target = Animated<Vec3>(
            {{now, now_.last_target + one.offset}, {then, now_.target + one.offset}});
    }
}

Pin* LiveSimulation::own_pin_of(int p) {
    for (std::size_t i = scene_pins_; i < now_.pins.size(); ++i)
        if (now_.pins[i].particles.front() == p)
            return &now_.pins[i];
    return nullptr;
}

void LiveSimulation::pin(const LiveVertex& vertex) {
    if (is_pinned(vertex))
        return;
    const int p = particle(vertex);
    Pin pin;
    pin.name = fmt::format("{}[{}]", scene_.cloths[vertex.cloth].name, vertex.vertex);
    pin.particles = {p};
    pin.start = {simulation_->state().positions[p]};
    now_.pins.push_back(std::move(pin));
    move_hand(frame_time(frame() + 1));
    apply_controls();
}

void LiveSimulation::unpin(const LiveVertex& vertex) {
    const int p = particle(vertex);
    for (Pin& pin : now_.pins)
        for (std::size_t i = pin.particles.size(); i-- > 0;)
            if (pin.particles[i] == p) {
                pin.particles.erase(pin.particles.begin() + static_cast<std::ptrdiff_t>(i));
                pin.start.erase(pin.start.begin() + static_cast<std::ptrdiff_t>(i));
            }
    // An empty pin of the scene keeps its place: reports count them.
    const auto own = now_.pins.begin() + static_cast<std::ptrdiff_t>(scene_pins_);
    now_.pins.erase(
        std::remove_if(own, now_.pins.end(), [](const Pin& q) { return q.particles.empty(); }),
        now_.pins.end());
    apply_controls();
}

bool LiveSimulation::is_pinned(const LiveVertex& vertex) const {
    const int p = particle(vertex);
    const double time = simulation_->state().time;
    return std::any_of(now_.pins.begin(), now_.pins.end(), [&](const Pin& pin) {
        return pin.window.contains(time) &&
               std::find(pin.particles.begin(), pin.particles.end(), p) != pin.particles.end();
    });
}

std::vector<LiveVertex> LiveSimulation::pinned() const {
    std::vector<char> held(simulation_->model().mass.size(), 0);
    for (const Pin& pin : now_.pins)
        if (pin.window.contains(simulation_->state().time))
            for (int p : pin.particles)
                held[p] = 1;
    std::vector<LiveVertex> out;
    const auto& cloths = simulation_->model().cloths;
    for (int c = 0; c < static_cast<int>(cloths.size()); ++c) {
        const auto& particles = cloths[c].surface.vertex_particle;
        for (int v = 0; v < static_cast<int>(particles.size()); ++v)
            if (held[particles[v]])
                out.push_back({c, v});
    }
    return out;
}

void LiveSimulation::set_wind(const Vec3& wind) {
    wind_ = {wind, nullptr};
    apply_controls();
}

void LiveSimulation::set_wind_field(std::shared_ptr<const WindField> field) {
    wind_.field = std::move(field);
    apply_controls();
}

Vec3 LiveSimulation::wind() const {
    const Animated<Vec3>& wind = simulation_->conditions().air.wind;
    const State& state = simulation_->state();
    if (wind_.field && !state.positions.empty()) {
        Vec3 out = {0, 0, 0};
        wind_.field->find(state.time, {state.positions.data(), 1}, {&out, 1});
        return out;
    }
    return wind.is_uniform() || state.positions.empty()
               ? wind.at(state.time)
               : wind.at_place(state.time, state.positions.front());
}

bool LiveSimulation::has_air() const {
    const Air& air = simulation_->conditions().air;
    return (air.linear_drag > 0 || air.quadratic_drag > 0) &&
           simulation_->recipe().parts.at("air") != "none";
}

void LiveSimulation::set_material(int cloth, const Material& material) {
    SceneDescription scene = scene_;
    scene.cloths.at(cloth).material = material;
    build(scene, true);
}

void LiveSimulation::set_recipe(const std::string& recipe) {
    SceneDescription scene = scene_;
    scene.recipe = recipe;
    build(scene, true);
}

void LiveSimulation::set_accuracy(double max_step, double tolerance) {
    SceneDescription scene = scene_;
    scene.time.max_step = max_step;
    scene.solver.tolerance = tolerance;
    build(scene, true);
}

double LiveSimulation::max_step() const {
    const double frame = 1 / scene_.time.frame_rate;
    const double wanted =
        scene_.time.max_step > 0 ? scene_.time.max_step : simulation_->recipe().max_step;
    return wanted > 0 ? std::min(wanted, frame) : frame;
}

double LiveSimulation::tolerance() const {
    return scene_.solver.tolerance > 0 ? scene_.solver.tolerance : simulation_->recipe().tolerance;
}

void LiveSimulation::dress(const DressOptions& options) {
    try {
        muslin::dress(scene_, *simulation_, options);
    } catch (...) {
        take_controls();
        throw;
    }
    take_controls();
}

void LiveSimulation::restart() {
    build(SceneDescription(scene_), false);
}

ParticleReport LiveSimulation::report(const LiveVertex& vertex) const {
    const Model& model = simulation_->model();
    const State& state = simulation_->state();
    ParticleReport out;
    const int p = out.particle = particle(vertex);
    out.mass = model.mass[p];
    out.position = state.positions[p];
    out.velocity = state.velocities[p];
    out.pinned = is_pinned(vertex);
    for (const Region& region : model.regions)
        if (std::binary_search(region.particles.begin(), region.particles.end(), p))
            out.regions.push_back(region.name);
    std::vector<Vec3> force(model.mass.size());
    for (const auto& part : simulation_->integrator().forces()) {
        std::fill(force.begin(), force.end(), Vec3{0, 0, 0});
        part->add_force({state.positions, state.velocities}, force);
        out.forces.push_back({std::string(part->name()), force[p]});
        out.total += force[p];
    }
    const auto held = simulation_->integrator().constraint_forces();
    for (std::size_t i = 0; i < held.size(); ++i) {
        const ParticleConstraint& c = simulation_->constraints().list()[i];
        if (c.particle != p)
            continue;
        out.forces.push_back({c.source >= 0 ? "pin" : "contact", held[i]});
        out.total += held[i];
    }
    if (!state.contact_force.empty())
        out.contact_normal = state.contact_force[p];
    return out;
}

Verdict LiveSimulation::judge() const {
    return Judge(simulation_->model())
        .judge(simulation_->state().positions, simulation_->state().time);
}

} // namespace muslin
