#include "muslin/simulation.h"

#include "muslin/api/convert.h"
#include "muslin/api/guard.h"
#include "muslin/api/simulation_parts.h"
#include "muslin/mesh/measure.h"
#include "muslin/model/body.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace muslin::api {
namespace {

/// Of a list of things with names, the one that is called so.
template <class Named>
int find_named(const std::vector<Named>& all, const std::string& name, const char* what) {
    std::string known;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].name == name)
            return static_cast<int>(i);
        known += fmt::format("{}'{}'", i > 0 ? ", " : "", all[i].name);
    }
    reject(what, fmt::format("the name of a {} of the scene", what), fmt::format("'{}'", name),
           known.empty() ? "it has none" : "known: " + known);
}

template <class Named>
std::vector<std::string> names_of(const std::vector<Named>& all) {
    std::vector<std::string> out;
    for (const Named& one : all)
        out.push_back(one.name);
    return out;
}

Strain strain_of(const std::array<muslin::Vec3, 3>& x, const std::array<muslin::Vec2, 3>& uv) {
    // The deformation gradient: the columns w_u, w_v [BW98 4.2].
    const muslin::Vec3 a = x[1] - x[0], b = x[2] - x[0];
    const muslin::Vec2 p = uv[1] - uv[0], q = uv[2] - uv[0];
    const double area = muslin::cross(p, q);
    const muslin::Vec3 wu = (1 / area) * (q.y * a - p.y * b);
    const muslin::Vec3 wv = (1 / area) * (p.x * b - q.x * a);
    const PrincipalStretch principal = principal_stretch(x, uv);
    const double u = muslin::norm(wu), v = muslin::norm(wv);
    return {v - 1, u - 1, u > 0 && v > 0 ? muslin::dot(wu, wv) / (u * v) : 0, principal.max - 1,
            principal.min - 1};
}

} // namespace

FrameReport to_public(const muslin::FrameReport& r) {
    FrameReport out;
    out.frame = r.frame;
    out.time = r.time;
    out.steps = r.steps;
    out.rejected_steps = r.rejected_steps;
    out.step_min = r.step_min;
    out.step_max = r.step_max;
    out.iterations = r.cg_iterations;
    out.contacts = r.contacts;
    out.crossings = r.crossings;
    out.seams_open = r.joints_open;
    out.seam_gap = r.seam_gap;
    out.energies = {r.kinetic, r.elastic, r.gravity};
    for (const muslin::PinForce& pin : r.pin_forces)
        out.pin_forces.push_back({pin.region, to_public(pin.force)});
    out.released = r.released;
    out.seconds = r.seconds.total();
    out.hash = r.hash;
    return out;
}

Verdict to_public(const muslin::Verdict& v) {
    return {v.stretch_max,        v.stretch_min,        v.principal_max,       v.principal_min,
            v.self_intersections, v.body_intersections, v.body_penetration_max};
}

Simulation::Parts::Parts(const Scene& of, int threads)
    : team(std::make_unique<ThreadTeam>(threads)), scene(of),
      live(call([&] { return LiveSimulation(read(of)); })) {
    live.on_progress([this](const FrameProgress& step) { look(step); });
}

void Simulation::Parts::look(const FrameProgress& step) {
    if (progress) {
        const double of_frame = live.frame_time(step.frame);
        const bool dresses = live.frame() < 0;
        const double from = dresses ? live.frame_time(live.frame()) : begin,
                     to = dresses ? of_frame : end;
        const double now = std::min(of_frame, to) - step.left;
        progress({dresses ? phase_name(live.simulation().phase()) : "step", step.tried, 0,
                  std::clamp((now - from) / (to - from), 0.0, 1.0)});
    }
    if (cancelled.exchange(false))
        throw Cancelled("cancelled: the state is that of the last good step");
}

void Simulation::Parts::require_dressed(const char* what) const {
    if (live.frame() < 0)
        reject(what, "garments that are dressed", fmt::format("frame {}", live.frame()),
               "call dress() first");
}

FrameReport Simulation::Parts::step_to(double time) {
    return call([&] {
        begin = state().time;
        end = time;
        const bool whole = time == live.frame_time(live.frame() + 1);
        if (whole ? !live.step_frame() : !live.step_to(time))
            throw muslin::SimulationError(live.status());
        return report = to_public(live.report());
    });
}

int Simulation::Parts::cloth_index(const std::string& name) const {
    return call([&] { return find_named(model().cloths, name, "cloth"); });
}

const muslin::Cloth& Simulation::Parts::cloth(const std::string& name) const {
    return model().cloths[cloth_index(name)];
}

const muslin::Body& Simulation::Parts::body(const std::string& name) const {
    return call([&]() -> const muslin::Body& {
        return model().bodies[find_named(model().bodies, name, "body")];
    });
}

int Simulation::Parts::pin_index(const std::string& name) const {
    return call([&] { return find_named(live.pins(), name, "pin"); });
}

Simulation::Simulation(const Scene& scene, int threads)
    : parts_(std::make_unique<Parts>(scene, threads)) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

int Simulation::frame() const {
    return parts_->live.frame();
}
double Simulation::time() const {
    return parts_->state().time;
}

FrameReport Simulation::step_frame() {
    return parts_->step_to(parts_->live.frame_time(frame() + 1));
}

FrameReport Simulation::step(double seconds) {
    parts_->call([&] {
        constexpr double least = 1e-6, most = 1e6;
        if (!(seconds >= least && seconds <= most))
            reject("seconds", fmt::format("a number from {} to {} [s]", least, most),
                   fmt::format("{}", seconds));
        parts_->require_dressed("step()");
    });
    return parts_->step_to(time() + seconds);
}

void Simulation::cancel() {
    parts_->cancelled = true;
}

void Simulation::on_progress(std::function<void(const Progress&)> progress) {
    parts_->progress = std::move(progress);
}

void Simulation::dress(const std::function<void(const Progress&)>& progress) {
    DressOptions options;
    if (progress)
        options.progress = [&](DressingPhase phase, int done, int most,
                               const muslin::FrameReport&) {
            progress(
                {phase_name(phase), done, most, most > 0 ? static_cast<double>(done) / most : 1});
        };
    parts_->call([&] { parts_->live.dress(options); });
}

std::vector<std::string> Simulation::cloths() const {
    return names_of(parts_->model().cloths);
}
std::vector<std::string> Simulation::bodies() const {
    return names_of(parts_->model().bodies);
}
std::vector<std::string> Simulation::pins() const {
    return names_of(parts_->live.pins());
}

namespace {

/// What the particles of a cloth have, vertex by vertex of its mesh.
template <class T>
std::vector<T> by_vertex(const muslin::Cloth& cloth, const std::vector<T>& of_particles) {
    std::vector<T> out;
    for (const int p : cloth.surface.vertex_particle)
        out.push_back(of_particles.empty() ? T{} : of_particles[p]);
    return out;
}

/// The triangles of a cloth by its vertices, and points that it has besides.
std::vector<std::array<int, 3>> vertex_triangles(const Model& model, const muslin::Cloth& cloth) {
    std::vector<int> vertex(model.mass.size(), -1);
    for (std::size_t v = cloth.particles.size(); v-- > 0;) // of several, the first
        vertex[cloth.particles[v]] = static_cast<int>(v);
    std::vector<std::array<int, 3>> out;
    for (int t = cloth.triangle_range[0]; t < cloth.triangle_range[1]; ++t) {
        const auto& [a, b, c] = model.dynamics.triangles[t];
        out.push_back({vertex[a], vertex[b], vertex[c]});
    }
    return out;
}

} // namespace

std::vector<Vec3> Simulation::positions(const std::string& name) const {
    return to_public(by_vertex(parts_->cloth(name), parts_->state().positions));
}

std::vector<Vec3> Simulation::velocities(const std::string& name) const {
    return to_public(by_vertex(parts_->cloth(name), parts_->state().velocities));
}

std::vector<double> Simulation::contact_forces(const std::string& name) const {
    return by_vertex(parts_->cloth(name), parts_->state().contact_force);
}

std::vector<Vec3> Simulation::body_positions(const std::string& name) const {
    const muslin::Body& body = parts_->body(name);
    std::vector<muslin::Vec3> out(body.mesh.positions.size());
    shown_positions(body, parts_->state().time, out);
    return to_public(out);
}

std::vector<std::array<int, 3>> Simulation::triangles(const std::string& name) const {
    return vertex_triangles(parts_->model(), parts_->cloth(name));
}

std::vector<Strain> Simulation::strains(const std::string& name) const {
    const muslin::Cloth& cloth = parts_->cloth(name);
    const DynamicsLayer& layer = parts_->model().dynamics;
    const auto& x = parts_->state().positions;
    std::vector<Strain> out;
    for (int t = cloth.triangle_range[0]; t < cloth.triangle_range[1]; ++t) {
        const auto& [a, b, c] = layer.triangles[t];
        out.push_back(strain_of({x[a], x[b], x[c]}, layer.pattern[t]));
    }
    return out;
}

Energies Simulation::energies() const {
    return parts_->call([&] {
        const auto& mass = parts_->model().mass;
        const muslin::State& state = parts_->state();
        Energies out;
        for (std::size_t i = 0; i < mass.size(); ++i)
            out.kinetic += 0.5 * mass[i] * muslin::dot(state.velocities[i], state.velocities[i]);
        for (const auto& force : parts_->live.simulation().integrator().forces())
            (force->kind() == ForceKind::gravity ? out.gravity : out.elastic) +=
                force->energy(state.positions);
        return out;
    });
}

Verdict Simulation::judge() const {
    return parts_->call([&] { return to_public(parts_->live.judge()); });
}

const FrameReport& Simulation::report() const {
    return parts_->report;
}

const std::vector<std::string>& Simulation::warnings() const {
    return parts_->live.warnings();
}

} // namespace muslin::api
