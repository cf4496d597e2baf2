// What a program does between frames.
#include "muslin/api/convert.h"
#include "muslin/api/guard.h"
#include "muslin/api/material_text.h"
#include "muslin/api/simulation_parts.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>
#include <variant>

namespace muslin::api {
namespace {

void require_finite(std::span<const Vec3> places, const std::string& key) {
    for (std::size_t i = 0; i < places.size(); ++i)
        if (!is_finite(to_engine(places[i])))
            reject(key, "finite numbers", fmt::format("another at {}", i));
}

/// Throws InputError unless there is a finite place for each of `count` things.
std::vector<muslin::Vec3> read_places(std::span<const Vec3> places, std::size_t count,
                                      const std::string& key, const char* things) {
    if (places.size() != count)
        reject(key, fmt::format("{} places, one for each {}", count, things),
               fmt::format("{}", places.size()));
    require_finite(places, key);
    return to_engine(places);
}

} // namespace

std::vector<HeldVertex> held_vertices(const LiveSimulation& live, int index) {
    const SceneDescription& scene = live.scene();
    const auto region =
        std::find_if(scene.regions.begin(), scene.regions.end(), [&](const RegionDescription& one) {
            return one.name == scene.pins[index].region;
        });
    const std::vector<int>& held = live.pins()[index].particles;
    std::vector<HeldVertex> out;
    for (const muslin::Cloth& cloth : live.simulation().model().cloths) {
        if (cloth.name != region->cloth)
            continue;
        for (std::size_t v = 0; v < cloth.particles.size(); ++v) {
            const auto place = std::lower_bound(held.begin(), held.end(), cloth.particles[v]);
            if (place != held.end() && *place == cloth.particles[v])
                out.push_back({static_cast<int>(v), static_cast<int>(place - held.begin())});
        }
    }
    return out;
}

std::vector<int> Simulation::pin_vertices(const std::string& name) const {
    std::vector<int> out;
    for (const HeldVertex& held : held_vertices(parts_->live, parts_->pin_index(name)))
        out.push_back(held.vertex);
    return out;
}

std::vector<Vec3> Simulation::pin_forces(const std::string& name) const {
    const int pin = parts_->pin_index(name);
    const std::vector<int>& particles = parts_->live.pins()[pin].particles;
    std::vector<muslin::Vec3> of_place(particles.size(), {0, 0, 0});
    const muslin::Simulation& simulation = parts_->live.simulation();
    const auto forces = simulation.integrator().constraint_forces();
    const auto& constraints = simulation.constraints().list();
    for (std::size_t i = 0; i < std::min(forces.size(), constraints.size()); ++i) {
        if (constraints[i].source != pin)
            continue;
        const auto place =
            std::lower_bound(particles.begin(), particles.end(), constraints[i].particle);
        if (place != particles.end() && *place == constraints[i].particle)
            of_place[place - particles.begin()] = forces[i];
    }
    std::vector<Vec3> out;
    for (const HeldVertex& held : held_vertices(parts_->live, pin)) {
        out.push_back(to_public(of_place[held.place]));
        of_place[held.place] = {0, 0, 0}; // another vertex of the particle has none of its own
    }
    return out;
}

void Simulation::move_pin(const std::string& name, std::span<const Vec3> places) {
    parts_->call([&] {
        const int index = parts_->pin_index(name);
        const muslin::Pin& pin = parts_->live.pins()[index];
        const std::string key = fmt::format("pin '{}'", name);
        const auto held = held_vertices(parts_->live, index);
        const auto all = read_places(places, held.size(), key, "of its vertices");
        if (!pin.window.contains(parts_->state().time))
            reject(key, "a pin that holds now", "one that has let go", "switch_pin() holds again");
        if (!std::holds_alternative<PointShape>(pin.shape))
            reject(key, "a pin that holds its vertices at points", "one that lets them slide");
        std::vector<muslin::Vec3> of_place(pin.particles.size());
        for (std::size_t i = held.size(); i-- > 0;) // of vertices that are joined the first counts
            of_place[held[i].place] = all[i];
        parts_->live.move_pin(index, std::move(of_place));
    });
}

void Simulation::move_body(const std::string& name, std::span<const Vec3> places) {
    parts_->call([&] {
        const muslin::Body& body = parts_->body(name);
        auto all = read_places(places, body.mesh.positions.size(), fmt::format("body '{}'", name),
                               "vertex of its mesh");
        parts_->require_dressed("move_body()");
        parts_->live.move_body(static_cast<int>(&body - parts_->model().bodies.data()),
                               std::move(all));
    });
}

void Simulation::switch_pin(const std::string& name, bool holds) {
    parts_->live.switch_pin(parts_->pin_index(name), holds);
}

void Simulation::grab(const std::string& name, int vertex) {
    parts_->call([&] {
        const int cloth = parts_->cloth_index(name);
        const auto count = static_cast<int>(parts_->cloth(name).surface.vertex_particle.size());
        if (vertex < 0 || vertex >= count)
            reject("vertex", fmt::format("vertices 0 to {} of cloth '{}'", count - 1, name),
                   fmt::format("{}", vertex));
        parts_->live.grab({cloth, vertex});
    });
}

void Simulation::drag(const Vec3& target) {
    parts_->call([&] {
        require_finite(std::span(&target, 1), "drag");
        if (!parts_->live.grabbed())
            reject("drag()", "a vertex that is grabbed", "none", "call grab() first");
        parts_->live.drag(to_engine(target));
    });
}

void Simulation::release() {
    parts_->live.release();
}

// The scene's reader makes the fabric, so that what it starts from, what follows from what and what
// is refused are as in a scene.
void Simulation::set_material(const std::string& cloth, const Material& material) {
    parts_->call([&] {
        const int index = parts_->cloth_index(cloth);
        const std::string change = "cloth[0].material=" + material_text(material);
        LoadOptions options;
        options.allow_outside = true;
        options.unread_keys = UnreadKeys::allow; // the parts are those of the simulation
        const SceneDescription scene =
            parse_scene("[[cloth]]\nmesh = { type = \"grid\" }\n", "material", {}, "material",
                        std::span(&change, 1), options);
        parts_->live.set_material(index, scene.cloths.front().material);
    });
}

} // namespace muslin::api
