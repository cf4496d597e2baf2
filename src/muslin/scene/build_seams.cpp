// [[seam]] and the seams of garments: which particles are drawn together, and how hard.
#include "muslin/base/error.h"
#include "muslin/model/merge.h"
#include "muslin/scene/build_parts.h"
#include "muslin/scene/dressing.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>

namespace muslin {
namespace {

// What a seam is when the scene does not say. Each is a part of something that the cloth has, so
// that fine cloth is sewn as gently as coarse.
/// The most that a seam pulls with stretches the cloth by this.
constexpr double bearable_strain = 0.1;
/// How fast particles then come nearer to their middle where nothing holds them [m/s].
constexpr double closing_speed = 2;
/// And where a seam that pulls harder and harder has come to its most.
constexpr double hauling_speed = 4;
/// Within as many thicknesses particles have met: folds that are caught in the seam keep them as
/// far apart. In parts of an edge, between these.
constexpr double meeting_layers = 2, least_meeting = 0.01, most_meeting = 0.1;
/// The part of an edge that is open between particles which are held back as hard as the seam
/// pulls.
constexpr double open_part = 0.01;
/// Seams of garments pull gently at first, so that panels come together without being thrown, and
/// then as hard as a tight garment needs: over `garment_ramp` [s] up to `garment_haul` times what
/// the cloth bears with ease.
constexpr double garment_ramp = 2, garment_haul = 6;

/// How a seam pulls; what is not given is chosen by the cloth.
struct SeamSettings {
    std::optional<double> stiffness, damping, max_force, meet_distance;
    double ramp = 2;
    double haul = 1; ///< max_force, if not given, is as many times what the cloth bears with ease
    TimeWindow window;
};

[[noreturn]] void reject(const Source& where, const std::string& key, const std::string& expected,
                         const std::string& found, const std::string& hint = {}) {
    throw InputError({where, key, expected, found, hint});
}

template <class Named>
int index_of(const std::vector<Named>& all, const std::string& name) {
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].name == name)
            return static_cast<int>(i);
    throw std::logic_error("the scene loader let the unknown name '" + name + "' through");
}

/// A row of particles along the border of a cloth, as the triangles beside it run.
struct Chain {
    std::vector<int> particles;
    double length = 0; ///< in the pattern [m]
};

/// The edges of one triangle alone with both ends in a region: from -> (to, length).
std::map<int, std::pair<int, double>> border_steps(const Model& model, const Region& region) {
    std::map<std::array<int, 2>, double> edges;
    const auto [begin, end] = model.cloths[region.cloth].triangle_range;
    for (int t = begin; t < end; ++t)
        for (int i = 0; i < 3; ++i) {
            const auto& corners = model.dynamics.triangles[t];
            const auto& pattern = model.dynamics.pattern[t];
            const int j = (i + 1) % 3;
            edges[{corners[i], corners[j]}] = norm(pattern[j] - pattern[i]);
        }
    const auto holds = [&](int p) {
        return std::binary_search(region.particles.begin(), region.particles.end(), p);
    };
    std::map<int, std::pair<int, double>> out;
    for (const auto& [edge, length] : edges)
        if (holds(edge[0]) && holds(edge[1]) && !edges.contains({edge[1], edge[0]}))
            out[edge[0]] = {edge[1], length};
    return out;
}

Chain find_chain(const SeamDescription& d, const Model& model, const Region& region) {
    const auto steps = border_steps(model, region);
    std::set<int> ends; // of steps
    for (const auto& [from, step] : steps)
        ends.insert(step.first);
    int first = -1, starts = 0;
    for (const auto& [from, step] : steps)
        if (!ends.contains(from)) {
            first = from;
            ++starts;
        }
    Chain out;
    if (first >= 0) {
        out.particles = {first};
        for (auto at = steps.find(first); at != steps.end(); at = steps.find(at->second.first)) {
            out.particles.push_back(at->second.first);
            out.length += at->second.second;
        }
    }
    if (starts != 1 || out.particles.size() != region.particles.size())
        reject(d.where, "seam.regions",
               fmt::format("vertices of cloth '{}' in one row along its border, from end to end",
                           model.cloths[region.cloth].name),
               fmt::format("region '{}' of {} vertices, {}", region.name, region.particles.size(),
                           steps.empty() ? "none of them side by side on the border"
                           : starts == 0 ? "all around the border"
                           : starts == 1 ? "some off that row"
                                         : fmt::format("in {} rows", starts)));
    return out;
}

double pairing_distance(const Chain& a, const Chain& b, bool against, const State& start) {
    double sum = 0;
    const std::size_t n = a.particles.size();
    for (std::size_t i = 0; i < n; ++i)
        sum += norm(start.positions[a.particles[i]] -
                    start.positions[b.particles[against ? n - 1 - i : i]]);
    return sum;
}

/// What a seam's settings are taken from.
struct Fabric {
    double stretch = std::numeric_limits<double>::infinity(); ///< of the softest cloth [N/m]
    double thickness = 0;                                     ///< of the thickest [m]
    double edge = 0;                                          ///< mean length along the seam [m]
    void add(const Material& m) {
        stretch = std::min({stretch, m.stretch_u, m.stretch_v});
        thickness = std::max(thickness, m.thickness);
    }
};

// Two borders of one surface run against each other: only so do faces look the same way across the
// seam. Which vertex goes to which is decided by that.
ParticleGroups join_regions(const SeamDescription& d, const Model& model, const State& start,
                            Fabric& fabric) {
    const Region& first = model.regions[index_of(model.regions, d.regions[0])];
    const Region& second = model.regions[index_of(model.regions, d.regions[1])];
    const Chain a = find_chain(d, model, first), b = find_chain(d, model, second);
    const std::size_t n = a.particles.size();
    if (n != b.particles.size())
        reject(d.where, "seam.regions", "as many vertices in both regions",
               fmt::format("{} in '{}' and {} in '{}'", n, first.name, b.particles.size(),
                           second.name),
               "'counts' of a panel says how many edges a side has");
    const double good = pairing_distance(a, b, true, start);
    const double bad = pairing_distance(a, b, false, start);
    if (good > 1.001 * bad)
        reject(d.where, "seam.regions", "borders of cloths that face the same way across the seam",
               fmt::format("'{}' and '{}', which would have to be crossed over: {:.3g} m from "
                           "vertex to vertex instead of {:.3g} m",
                           first.name, second.name, good / static_cast<double>(n),
                           bad / static_cast<double>(n)),
               "turn one of the cloths around");
    for (const Region* region : {&first, &second})
        fabric.add(model.cloths[region->cloth].material);
    fabric.edge = (a.length + b.length) / static_cast<double>(2 * (n - 1));
    ParticleGroups out;
    for (std::size_t i = 0; i < n; ++i)
        out.push_back({a.particles[i], b.particles[n - 1 - i]});
    return out;
}

/// Of a seam whose joints are given vertex by vertex.
Fabric fabric_of(const std::set<int>& cloths, const Model& model) {
    Fabric fabric;
    double sum = 0;
    int count = 0;
    for (const int c : cloths) {
        fabric.add(model.cloths[c].material);
        const auto [begin, end] = model.cloths[c].triangle_range;
        for (int t = begin; t < end; ++t, ++count)
            sum += norm(model.dynamics.pattern[t][1] - model.dynamics.pattern[t][0]);
    }
    fabric.edge = sum / std::max(1, count);
    return fabric;
}

ParticleGroups join_vertices(const SeamDescription& d, const Model& model, Fabric& fabric) {
    ParticleGroups out;
    std::set<int> cloths;
    for (const auto& joint : d.joints) {
        std::vector<int>& particles = out.emplace_back();
        for (const SeamDescription::Vertex& v : joint) {
            const int cloth = index_of(model.cloths, v.cloth);
            const auto& particle = model.cloths[cloth].particles;
            if (v.vertex >= static_cast<int>(particle.size()))
                reject(d.where, "seam.joints",
                       fmt::format("vertex numbers 0 to {} of cloth '{}'", particle.size() - 1,
                                   v.cloth),
                       std::to_string(v.vertex));
            particles.push_back(particle[v.vertex]);
            cloths.insert(cloth);
        }
    }
    fabric = fabric_of(cloths, model);
    return out;
}

std::string name_of(const SeamDescription& d, std::size_t number) {
    return !d.name.empty() ? d.name
           : !d.regions.empty() && d.regions[0].find('[') == std::string::npos
               ? d.regions[0] + "-" + d.regions[1]
               : fmt::format("seam[{}]", number);
}

Seam make_seam(const std::string& name, const SeamSettings& d, const Fabric& fabric) {
    Seam seam;
    seam.name = name;
    const double bearable = bearable_strain * fabric.stretch * fabric.edge; // [N]
    seam.max_force = d.max_force.value_or(d.haul * bearable);
    seam.damping =
        d.damping.value_or(seam.max_force / (d.haul > 1 ? hauling_speed : closing_speed));
    seam.ramp = d.ramp;
    // Never so near that contact would keep them apart.
    seam.meet_distance = d.meet_distance.value_or(
        std::max(1.2 * fabric.thickness,
                 std::clamp(meeting_layers * fabric.thickness, least_meeting * fabric.edge,
                            most_meeting * fabric.edge)));
    seam.stiffness = d.stiffness.value_or(seam.max_force / (open_part * fabric.edge));
    seam.window = d.window;
    return seam;
}

/// As the sides are cut: `pattern` has the vertices of the garment [m].
SeamSides sides_of(const GarmentMesh::Seam& seam, int cloth, const std::vector<Vec2>& pattern) {
    SeamSides sides;
    sides.cloth = cloth;
    for (std::size_t i = 0; i < seam.joints.size(); ++i)
        for (int k = 0; k < 2; ++k) {
            sides.vertices[k].push_back(seam.joints[i][k]);
            if (i > 0)
                sides.lengths[k] +=
                    norm(pattern[seam.joints[i][k]] - pattern[seam.joints[i - 1][k]]);
        }
    return sides;
}

void add_garment_seams(const SceneDescription& scene, const CutGarment& cut, Model& model,
                       std::vector<ParticleGroups>& joints) {
    const GarmentDescription& garment = *cut.description;
    const DressingFrames frames = dressing_frames(scene);
    const int cloth = index_of(model.cloths, garment.cloth);
    const std::vector<int>& particle = model.cloths[cloth].particles;
    const Fabric fabric = fabric_of({cloth}, model);
    for (const GarmentMesh::Seam& seam : cut.garment.seams) {
        SeamSettings settings = {.stiffness = garment.stiffness,
                                 .damping = {},
                                 .max_force = garment.max_force,
                                 .meet_distance = {},
                                 .ramp = garment_ramp,
                                 .haul = garment_haul,
                                 .window = {}};
        settings.window.start = (frames.sewn(dressing_round(scene, garment.layer)) - frames.sew) /
                                    scene.time.frame_rate +
                                seam.stage * scene.dressing.stage;
        model.seams.push_back(
            make_seam(scene.garments.size() == 1 ? seam.name : garment.cloth + ": " + seam.name,
                      settings, fabric));
        model.seams.back().sides = sides_of(seam, cloth, cut.garment.mesh.texcoords);
        ParticleGroups& own = joints.emplace_back();
        for (const auto& [a, b] : seam.joints)
            own.push_back({particle[a], particle[b]});
    }
}

/// Joints with a particle in common are one: where four sections meet, four particles do [Ohta95,
/// Examples]. It is of the seam that begins last, the first of several: a corner is not drawn to a
/// section before the border beside it is.
void share_out(const std::vector<ParticleGroups>& joints, Model& model) {
    ParticleGroups all;
    for (const ParticleGroups& own : joints)
        all.insert(all.end(), own.begin(), own.end());
    const ParticleMap map = map_particles(model.particle_count(), all);
    std::vector<std::vector<int>> united(map.count);
    for (std::size_t p = 0; p < map.to.size(); ++p)
        united[map.to[p]].push_back(static_cast<int>(p));
    std::vector<std::size_t> order(joints.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return model.seams[a].window.start > model.seams[b].window.start;
    });
    for (const std::size_t s : order)
        for (const std::vector<int>& joint : joints[s]) {
            std::vector<int>& whole = united[map.to[joint.front()]];
            if (whole.size() > 1)
                model.seams[s].joints.push_back(std::move(whole));
            whole.clear(); // taken
        }
}

} // namespace

void add_seams(const SceneDescription& scene, const std::vector<CutGarment>& garments, Model& model,
               const State& start) {
    std::vector<ParticleGroups> joints;
    for (std::size_t s = 0; s < scene.seams.size(); ++s) {
        const SeamDescription& d = scene.seams[s];
        Fabric fabric;
        joints.push_back(d.regions.empty() ? join_vertices(d, model, fabric)
                                           : join_regions(d, model, start, fabric));
        const SeamSettings settings = {.stiffness = d.stiffness,
                                       .damping = d.damping,
                                       .max_force = d.max_force,
                                       .meet_distance = d.meet_distance,
                                       .ramp = d.ramp,
                                       .haul = 1,
                                       .window = d.window};
        model.seams.push_back(make_seam(name_of(d, s), settings, fabric));
    }
    for (const CutGarment& cut : garments)
        add_garment_seams(scene, cut, model, joints);
    share_out(joints, model);
}

} // namespace muslin
