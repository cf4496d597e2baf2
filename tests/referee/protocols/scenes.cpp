#include "referee/protocols/scenes.h"

#include "muslin/forces/force.h"
#include "muslin/scene/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace muslin::referee {

const char* name_of(Mesh mesh) {
    return mesh == Mesh::grid ? "grid" : "irregular";
}

static int side_of(int vertices) {
    return static_cast<int>(std::lround(std::sqrt(vertices)));
}

int vertex_count(Mesh mesh, int vertices) {
    return mesh == Mesh::grid ? side_of(vertices) * side_of(vertices) : vertices;
}

std::string sheet_mesh(Mesh mesh, int vertices, double width, double depth, int seed) {
    if (mesh == Mesh::grid)
        return fmt::format(
            R"({{ type = "grid", width = {}, depth = {}, columns = {}, rows = {} }})", width, depth,
            side_of(vertices), side_of(vertices));
    return fmt::format(
        R"({{ type = "irregular", width = {}, depth = {}, vertices = {}, seed = {} }})", width,
        depth, vertices, seed);
}

std::string list(const Vec3& a) {
    return fmt::format("[{}, {}, {}]", a.x, a.y, a.z);
}

namespace {
// The one setting of the program that all scenes share; set once, before the first of them.
std::vector<std::string>& common_overrides() {
    static std::vector<std::string> list;
    return list;
}
} // namespace

void override_scenes(std::vector<std::string> overrides) {
    common_overrides() = std::move(overrides);
}

SceneDescription scene_of(const std::string& text, double fps,
                          const std::vector<std::string>& more) {
    std::vector<std::string> overrides = {fmt::format("time.frame_rate={}", fps),
                                          "world.drag_coefficient=0"};
    overrides.insert(overrides.end(), more.begin(), more.end());
    overrides.insert(overrides.end(), common_overrides().begin(), common_overrides().end());
    return parse_scene(text, "referee", ".", "referee", overrides);
}

SceneDescription example(const std::string& name) {
    return load_scene(name, common_overrides());
}

int frames_for(double seconds, double fps) {
    return static_cast<int>(std::ceil(seconds * fps - 1e-9));
}

Centre centre_of(const Simulation& simulation, const std::string& cloth) {
    Centre sum;
    for (const Cloth& one : simulation.model().cloths) {
        if (one.name != cloth)
            continue;
        for (const int i : one.particles) {
            const double m = simulation.model().mass[i];
            sum.place += m * simulation.state().positions[i];
            sum.velocity += m * simulation.state().velocities[i];
            sum.mass += m;
        }
    }
    if (sum.mass == 0)
        throw std::logic_error("no cloth " + cloth);
    sum.place *= 1 / sum.mass;
    sum.velocity *= 1 / sum.mass;
    return sum;
}

Momenta momenta_of(const Simulation& simulation) {
    Momenta sum;
    const State& state = simulation.state();
    for (std::size_t i = 0; i < simulation.model().mass.size(); ++i) {
        const Vec3 p = simulation.model().mass[i] * state.velocities[i];
        sum.linear += p;
        sum.angular += cross(state.positions[i], p);
    }
    return sum;
}

double energy_of(const Simulation& simulation) {
    const State& state = simulation.state();
    double sum = 0;
    for (std::size_t i = 0; i < simulation.model().mass.size(); ++i)
        sum += 0.5 * simulation.model().mass[i] * dot(state.velocities[i], state.velocities[i]);
    for (const auto& force : simulation.integrator().forces())
        sum += force->energy(state.positions);
    return sum;
}

double largest_speed(const Simulation& simulation) {
    double worst = 0;
    for (const Vec3& v : simulation.state().velocities)
        worst = std::max(worst, norm(v));
    return worst;
}

double rms_speed(const Simulation& simulation) {
    double sum = 0, mass = 0;
    for (std::size_t i = 0; i < simulation.model().mass.size(); ++i) {
        const Vec3& v = simulation.state().velocities[i];
        sum += simulation.model().mass[i] * dot(v, v);
        mass += simulation.model().mass[i];
    }
    return std::sqrt(sum / mass);
}

} // namespace muslin::referee
