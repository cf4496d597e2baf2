// What a program does between frames.
#include "muslin/api/convert.h"
#include "muslin/api/guard.h"
#include "muslin/api/material_text.h"
#include "muslin/api/simulation_parts.h"

#include <algorithm>
#include <fmt/format.h>

namespace muslin::api {
namespace {

void require_finite(std::span<const Vec3> places, const std::string& key) {
    for (std::size_t i = 0; i < places.size(); ++i)
        if (!is_finite(to_engine(places[i])))
            reject(key, "finite numbers", fmt::format("another at {}", i));
}

/// The vertices that a pin of the scene holds, increasing, with their particles.
std::vector<std::pair<int, int>> held_vertices(const LiveSimulation& live, int index) {
    const SceneDescription& scene = live.scene();
    const auto region =
        std::find_if(scene.regions.begin(), scene.regions.end(), [&](const RegionDescription& one) {
            return one.name == scene.pins[index].region;
        });
    const muslin::Pin& pin = live.pins()[index];
    std::vector<std::pair<int, int>> out;
    for (const muslin::Cloth& cloth : live.simulation().model().cloths) {
        if (cloth.name != region->cloth)
            continue;
        for (std::size_t v = 0; v < cloth.particles.size(); ++v)
            if (std::binary_search(pin.particles.begin(), pin.particles.end(), cloth.particles[v]))
                out.emplace_back(static_cast<int>(v), cloth.particles[v]);
    }
    return out;
}

} // namespace

std::vector<int> Simulation::pin_vertices(const std::string& name) const {
    std::vector<int> out;
    for (const auto& [vertex, particle] : held_vertices(parts_->live, parts_->pin_index(name)))
        out.push_back(vertex);
    return out;
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
    parts_->live.drag(to_engine(target));
}

void Simulation::release() {
    parts_->live.release();
}

void Simulation::set_wind(const Vec3& velocity) {
    parts_->call([&] {
        require_finite(std::span(&velocity, 1), "wind");
        parts_->live.set_wind(to_engine(velocity));
    });
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
