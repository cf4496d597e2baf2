#include "muslin/model/merge.h"

#include "muslin/base/find_root.h"
#include "muslin/mesh/topology.h"
#include "muslin/model/build_model.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <stdexcept>

namespace muslin {
namespace {

/// The new numbers of some particles, increasing, each once.
std::vector<int> mapped(const std::vector<int>& particles, const ParticleMap& map) {
    std::vector<int> out;
    out.reserve(particles.size());
    for (const int p : particles)
        out.push_back(map.to[p]);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

void map_triangles(std::vector<std::array<int, 3>>& triangles, const ParticleMap& map) {
    for (auto& triangle : triangles)
        for (int& p : triangle)
            p = map.to[p];
}

/// Numbers of hinges that stay, by the two triangles that they join.
class HingeNumbers {
public:
    explicit HingeNumbers(const std::vector<Hinge>& hinges) {
        for (std::size_t h = 0; h < hinges.size(); ++h)
            numbers_[hinges[h].t] = h;
    }
    /// The values of the old hinges on the new ones; zero on those that are new.
    std::vector<double> take(const std::vector<double>& old,
                             const std::vector<Hinge>& hinges) const {
        std::vector<double> out;
        for (const Hinge& hinge : hinges) {
            const auto found = numbers_.find(hinge.t);
            out.push_back(found == numbers_.end() ? 0.0 : old[found->second]);
        }
        return out;
    }

private:
    std::map<std::array<int, 2>, std::size_t> numbers_;
};

void merge_collision(CollisionLayer& layer, const ParticleMap& map) {
    map_triangles(layer.triangles, map);
    const CollisionLayer old = layer;
    layer.thickness.assign(map.count, 0);
    layer.friction.assign(map.count, 0);
    std::vector<int> share(map.count, 0);
    for (const int to : map.to)
        ++share[to];
    for (std::size_t p = 0; p < map.to.size(); ++p) {
        const int to = map.to[p];
        layer.thickness[to] = std::max(layer.thickness[to], old.thickness[p]);
        layer.friction[to] += old.friction[p] / share[to];
    }
}

void merge_links(std::vector<Link>& links, const ParticleMap& map) {
    for (Link& link : links)
        for (int& p : link.particles)
            p = map.to[p];
    std::erase_if(links, [](const Link& l) { return l.particles[0] == l.particles[1]; });
}

/// Vertices that come to share a particle by the map, whether or not they shared one before.
void add_joints(const Model& before, const ParticleMap& map, StitchingLayer& layer) {
    const ParticleGroups groups = map.groups();
    std::vector<int> joint_of(map.count, -1);
    for (const auto& group : groups) {
        joint_of[map.to[group.front()]] = static_cast<int>(layer.joints.size());
        layer.joints.emplace_back();
    }
    for (std::size_t c = 0; c < before.cloths.size(); ++c) {
        const auto& particle = before.cloths[c].particles;
        for (std::size_t v = 0; v < particle.size(); ++v)
            if (const int joint = joint_of[map.to[particle[v]]]; joint >= 0)
                layer.joints[joint].push_back({static_cast<int>(c), static_cast<int>(v)});
    }
}

void merge_seams(std::vector<Seam>& seams, const ParticleMap& map) {
    for (Seam& seam : seams) {
        for (auto& joint : seam.joints)
            joint = mapped(joint, map);
        std::erase_if(seam.joints, [](const auto& joint) { return joint.size() < 2; });
    }
}

std::vector<Pin> merge_pins(const std::vector<Pin>& pins, const ParticleMap& map) {
    std::vector<Pin> out = pins;
    for (std::size_t i = 0; i < pins.size(); ++i) {
        // Of pinned particles that become one the first has its place.
        std::map<int, std::size_t> first;
        for (std::size_t k = 0; k < pins[i].particles.size(); ++k)
            first.emplace(map.to[pins[i].particles[k]], k);
        Pin& pin = out[i];
        pin.particles.clear();
        pin.start.clear();
        for (auto& frame : pin.frames)
            frame.clear();
        for (const auto& [particle, k] : first) {
            pin.particles.push_back(particle);
            pin.start.push_back(pins[i].start[k]);
            for (std::size_t f = 0; f < pin.frames.size(); ++f)
                pin.frames[f].push_back(pins[i].frames[f][k]);
        }
    }
    return out;
}

std::vector<Pull> merge_pulls(const std::vector<Pull>& pulls, const ParticleMap& map) {
    std::vector<Pull> out = pulls;
    for (Pull& pull : out)
        pull.particles = mapped(pull.particles, map);
    return out;
}

} // namespace

ParticleGroups ParticleMap::groups() const {
    std::vector<int> first(count, -1), number(count, -1);
    ParticleGroups out;
    for (std::size_t p = 0; p < to.size(); ++p) {
        const int q = to[p];
        if (first[q] < 0) {
            first[q] = static_cast<int>(p);
            continue;
        }
        if (number[q] < 0) {
            number[q] = static_cast<int>(out.size());
            out.push_back({first[q]});
        }
        out[number[q]].push_back(static_cast<int>(p));
    }
    std::sort(out.begin(), out.end());
    return out;
}

ParticleMap map_particles(int particles, const ParticleGroups& groups) {
    std::vector<int> parent(particles);
    std::iota(parent.begin(), parent.end(), 0);
    for (const auto& group : groups)
        for (const int p : group) {
            if (p < 0 || p >= particles)
                throw std::logic_error("map_particles: no such particle");
            const int a = find_root(parent, group.front()), b = find_root(parent, p);
            parent[std::max(a, b)] = std::min(a, b); // so that roots are the first of their sets
        }
    ParticleMap out;
    out.to.resize(particles);
    for (int p = 0; p < particles; ++p) {
        const int root = find_root(parent, p);
        out.to[p] = root == p ? out.count++ : out.to[root];
    }
    return out;
}

ParticleMap compose(const ParticleMap& first, const ParticleMap& second) {
    ParticleMap out;
    out.count = second.count;
    for (const int p : first.to)
        out.to.push_back(second.to[p]);
    return out;
}

Model merge_particles(const Model& model, const ParticleMap& map) {
    Model out = model;
    out.mass.assign(map.count, 0);
    for (std::size_t p = 0; p < map.to.size(); ++p)
        out.mass[map.to[p]] += model.mass[p];
    for (Cloth& cloth : out.cloths)
        for (std::vector<int>* particles : {&cloth.surface.vertex_particle, &cloth.particles})
            for (int& p : *particles)
                p = map.to[p];

    DynamicsLayer& dynamics = out.dynamics;
    map_triangles(dynamics.triangles, map);
    set_hinges(dynamics);
    if (!dynamics.rest_angles.empty())
        dynamics.rest_angles =
            HingeNumbers(model.dynamics.hinges).take(dynamics.rest_angles, dynamics.hinges);
    merge_links(dynamics.links, map);
    merge_collision(out.collision, map);
    add_joints(model, map, out.stitching);

    for (Region& region : out.regions)
        region.particles = mapped(region.particles, map);
    merge_seams(out.seams, map);
    for (Load& load : out.loads)
        load.particles = mapped(load.particles, map);
    for (Sticking& sticking : out.stickings) {
        sticking.particles = mapped(sticking.particles, map);
        if (sticking.body < 0)
            map_triangles(sticking.triangles, map);
    }
    return out;
}

void merge_conditions(const ParticleMap& map, Conditions& conditions) {
    conditions.pins = merge_pins(conditions.pins, map);
    conditions.pulls = merge_pulls(conditions.pulls, map);
}

void merge_state(const Model& before, const Model& after, const ParticleMap& map, State& state) {
    const State old = state;
    state.positions.assign(map.count, {0, 0, 0});
    state.velocities.assign(map.count, {0, 0, 0});
    std::vector<int> share(map.count, 0);
    std::vector<double> mass(map.count, 0);
    for (std::size_t p = 0; p < map.to.size(); ++p) {
        ++share[map.to[p]];
        mass[map.to[p]] += before.mass[p];
    }
    for (std::size_t p = 0; p < map.to.size(); ++p) {
        const int to = map.to[p];
        // What does not merge keeps every bit.
        const double part = share[to] == 1 ? 1.0 : before.mass[p] / mass[to];
        state.positions[to] += part * old.positions[p];
        state.velocities[to] += part * old.velocities[p];
    }
    if (!old.contact_force.empty()) {
        state.contact_force.assign(map.count, 0);
        for (std::size_t p = 0; p < map.to.size(); ++p)
            state.contact_force[map.to[p]] += old.contact_force[p];
    }
    for (Bond& bond : state.bonds)
        bond.particle = map.to[bond.particle];
    // One bond of a particle with a triangle; that of the first particle stays.
    std::stable_sort(state.bonds.begin(), state.bonds.end(), [](const Bond& a, const Bond& b) {
        return std::array{a.sticking, a.particle, a.triangle} <
               std::array{b.sticking, b.particle, b.triangle};
    });
    const auto same = [](const Bond& a, const Bond& b) {
        return a.sticking == b.sticking && a.particle == b.particle && a.triangle == b.triangle;
    };
    state.bonds.erase(std::unique(state.bonds.begin(), state.bonds.end(), same), state.bonds.end());
    if (!old.strain_history.hinges.empty())
        state.strain_history.hinges = HingeNumbers(before.dynamics.hinges)
                                          .take(old.strain_history.hinges, after.dynamics.hinges);
    state.parts.contact = {};
}

namespace {

/// What no cloth can be, of the triangles of a layer once particles are merged.
std::optional<std::string> find_layer_defect(std::vector<std::array<int, 3>> triangles,
                                             const ParticleMap& map) {
    map_triangles(triangles, map);
    const auto defect = find_defect(triangles, map.count);
    // Particles that no triangle has may be inner points of a layer.
    if (!defect || defect->kind == MeshDefect::Kind::unused_vertex)
        return std::nullopt;
    switch (defect->kind) {
    case MeshDefect::Kind::repeated_corner:
        return "a triangle would have the same particle at two corners";
    case MeshDefect::Kind::non_manifold_edge:
        return "an edge would have more than two triangles";
    default:
        return "two triangles would face opposite ways";
    }
}

std::optional<std::string> find_merge_defect(const Model& model, const ParticleGroups& groups) {
    const ParticleMap map = map_particles(model.particle_count(), groups);
    auto defect = find_layer_defect(model.dynamics.triangles, map);
    if (!defect && !model.collision.pattern.empty()) // a layer of its own
        defect = find_layer_defect(model.collision.triangles, map);
    return defect;
}

/// Takes those of groups[begin, end) that can be taken after the ones taken before.
void take_groups(const Model& model, const ParticleGroups& groups, std::size_t begin,
                 std::size_t end, MergeChoice& out) {
    if (begin == end)
        return;
    ParticleGroups tried = out.groups;
    tried.insert(tried.end(), groups.begin() + static_cast<std::ptrdiff_t>(begin),
                 groups.begin() + static_cast<std::ptrdiff_t>(end));
    const auto defect = find_merge_defect(model, tried);
    if (!defect) {
        out.groups = std::move(tried);
        return;
    }
    if (end - begin == 1) {
        out.refused.push_back({groups[begin], *defect});
        return;
    }
    const std::size_t middle = begin + (end - begin) / 2;
    take_groups(model, groups, begin, middle, out);
    take_groups(model, groups, middle, end, out);
}

} // namespace

MergeChoice choose_groups(const Model& model, const ParticleGroups& groups) {
    MergeChoice out;
    take_groups(model, groups, 0, groups.size(), out);
    return out;
}

double joint_width(const std::vector<int>& joint, const std::vector<Vec3>& positions) {
    Vec3 middle = {0, 0, 0};
    for (const int p : joint)
        middle += (1.0 / static_cast<double>(joint.size())) * positions[p];
    double farthest = 0;
    for (const int p : joint)
        farthest = std::max(farthest, norm(positions[p] - middle));
    return 2 * farthest;
}

ParticleGroups joints_that_met(const Model& model, const State& state, double reach) {
    ParticleGroups out;
    for (const Seam& seam : model.seams)
        if (seam.window.contains(state.time))
            for (const auto& joint : seam.joints)
                if (joint_width(joint, state.positions) <= reach * seam.meet_distance)
                    out.push_back(joint);
    return out;
}

} // namespace muslin
