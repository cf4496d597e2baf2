#include "muslin/run/cloth_fields.h"

#include "muslin/garment/fit.h"
#include "muslin/mesh/fields.h"
#include "muslin/mesh/measure.h"
#include "muslin/model/cut.h"

#include <algorithm>
#include <array>

namespace muslin {
namespace {

/// Half the length of the edges at each particle that lie on the edge of the cloth with both ends
/// sewn.
std::vector<double> seam_lengths(const Model& cut, const std::vector<char>& sewn) {
    const PatternEdges pattern = pattern_edges(cut.dynamics.triangles, cut.dynamics.pattern);
    std::vector<double> out(cut.mass.size(), 0);
    for (auto edge : build_topology(cut.dynamics.triangles).boundary_edges) {
        if (!sewn[edge[0]] || !sewn[edge[1]])
            continue;
        std::sort(edge.begin(), edge.end());
        const auto at = std::lower_bound(pattern.edges.begin(), pattern.edges.end(), edge);
        for (const int p : edge)
            out[p] += 0.5 * pattern.lengths[at - pattern.edges.begin()];
    }
    return out;
}

} // namespace

SeamTension::SeamTension(const Simulation& simulation)
    : cut_(cut_apart(simulation.start_model())),
      forces_(make_forces(simulation.recipe(), cut_, {})), sewn_(cut_.cloths.size(), 0),
      positions_(cut_.mass.size()), velocities_(cut_.mass.size(), Vec3{0, 0, 0}) {
    const Model& sewn = simulation.model();
    std::vector<char> joined(sewn.mass.size(), 0);
    for (const Seam& seam : sewn.seams)
        for (const auto& joint : seam.joints)
            for (const int p : joint)
                joined[p] = 1;
    for (std::size_t c = 0; c < sewn_.size(); ++c)
        for (const int p : sewn.cloths[c].particles)
            if (joined[p])
                sewn_[c] = 1;
    take_joints(sewn);
    for (std::size_t c = 0; c < sewn_.size(); ++c)
        if (!seams_[c].empty())
            sewn_[c] = 1;
}

void SeamTension::take_joints(const Model& sewn) {
    seams_.assign(cut_.cloths.size(), {});
    std::vector<char> is_sewn(cut_.mass.size(), 0);
    const auto cut_particle = [&](const StitchingLayer::Vertex& v) {
        return cut_.cloths[v.cloth].particles[v.vertex];
    };
    for (const auto& joint : sewn.stitching.joints)
        for (const auto& vertex : joint)
            is_sewn[cut_particle(vertex)] = 1;
    const std::vector<double> lengths = seam_lengths(cut_, is_sewn);
    for (const auto& joint : sewn.stitching.joints)
        for (const auto& vertex : joint)
            if (const double length = lengths[cut_particle(vertex)]; length > 0)
                seams_[vertex.cloth].push_back({vertex.vertex, length});
}

void SeamTension::update(const Simulation& simulation) {
    const State& state = simulation.state();
    if (merges_ != simulation.merges()) {
        take_joints(simulation.model());
        merges_ = simulation.merges();
    }
    for (std::size_t c = 0; c < cut_.cloths.size(); ++c) {
        const auto& from = simulation.model().cloths[c].particles;
        const auto& to = cut_.cloths[c].particles;
        for (std::size_t v = 0; v < from.size(); ++v)
            positions_[to[v]] = state.positions[from[v]];
    }
    force_.assign(positions_.size(), Vec3{0, 0, 0});
    for (const auto& force : forces_.forces)
        if (forces_.watched && force->capabilities().stretch == forces_.watched) {
            force->prepare(state.time);
            force->add_force({positions_, velocities_}, force_);
        }
}

void SeamTension::read(std::size_t cloth, std::vector<double>& values) const {
    const auto& particle = cut_.cloths[cloth].surface.vertex_particle;
    values.assign(particle.size(), 0);
    for (const SewnVertex& s : seams_[cloth])
        if (s.vertex < static_cast<int>(particle.size()))
            values[s.vertex] = norm(force_[particle[s.vertex]]) / s.length;
}

ClothFields::ClothFields(const Simulation& simulation) : simulation_(simulation) {
    const Model& model = simulation.model();
    const Model& start = simulation.start_model();
    if (!start.stitching.joints.empty() || !start.seams.empty())
        seams_.emplace(simulation);
    for (std::size_t c = 0; c < model.cloths.size(); ++c) {
        names_.emplace_back();
        if (simulation.contact())
            names_.back() = {"contact", "pinch"};
        if (seams_ && seams_->has(c))
            names_.back().emplace_back("seam");
        if (has_panels(model.cloths[c])) {
            names_.back().emplace_back("tension");
            has_panels_ = true;
        }
    }
    particle_area_ =
        vertex_areas(model.mass.size(), model.collision.triangles, model.collision_pattern());
    merges_ = simulation.merges();
}

void ClothFields::update() {
    if (merges_ != simulation_.merges()) {
        const Model& model = simulation_.model();
        particle_area_ =
            vertex_areas(model.mass.size(), model.collision.triangles, model.collision_pattern());
        merges_ = simulation_.merges();
    }
    if (seams_)
        seams_->update(simulation_);
    if (has_panels_)
        tensions_ = triangle_tensions(simulation_.model(), simulation_.state(),
                                      thread_law(simulation_.recipe()));
}

void ClothFields::read(std::size_t cloth, std::vector<std::vector<double>>& values) const {
    const auto& particle = simulation_.model().cloths[cloth].surface.vertex_particle;
    const std::vector<double>& force = simulation_.state().contact_force;
    const auto released = simulation_.contact() ? simulation_.contact()->released_marks()
                                                : std::span<const std::uint8_t>();
    values.resize(names_[cloth].size());
    for (std::size_t f = 0; f < values.size(); ++f) {
        const std::string& name = names_[cloth][f];
        if (name == "seam") {
            seams_->read(cloth, values[f]);
            continue;
        }
        if (name == "tension") {
            tension_field(simulation_.model(), tensions_, cloth, values[f]);
            continue;
        }
        values[f].assign(particle.size(), 0);
        for (std::size_t v = 0; v < particle.size(); ++v) {
            const int p = particle[v];
            if (name == "pinch")
                values[f][v] = !released.empty() && released[p] != 0 ? 1 : 0;
            else if (!force.empty() && particle_area_[p] > 0)
                values[f][v] = force[p] / particle_area_[p];
        }
    }
}

} // namespace muslin
