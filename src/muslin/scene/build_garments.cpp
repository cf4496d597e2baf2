// [[garment]]: patterns cut and laid out around bodies, and what is sewn.
#include "muslin/base/error.h"
#include "muslin/garment/stand_off.h"
#include "muslin/math/rotation.h"
#include "muslin/scene/build_parts.h"
#include "muslin/scene/dressing.h"
#include "muslin/scene/sewn_sides.h"

#include <algorithm>
#include <fmt/format.h>

namespace muslin {
namespace {

// Seams pull gently at first, so that panels come together without being thrown, and then as hard
// as a tight garment needs: over `seam_ramp` [s] up to `seam_haul` times what the cloth bears with
// ease.
constexpr double seam_ramp = 2;
constexpr double seam_haul = 6;

const ClothDescription& cloth_of(const SceneDescription& scene, const std::string& name) {
    return *std::find_if(scene.cloths.begin(), scene.cloths.end(),
                         [&](const ClothDescription& cloth) { return cloth.name == name; });
}

/// What a garment must be laid out around, in the frame of its pattern: the body that wears it, and
/// garments below.
std::vector<Vec3> find_obstacles(const SceneDescription& scene, const GarmentDescription& garment,
                                 const std::vector<Body>& bodies,
                                 const std::vector<CutGarment>& made) {
    std::vector<Vec3> out;
    for (const Body& body : bodies)
        if (body.name == garment.body)
            out.insert(out.end(), body.mesh.positions.begin(), body.mesh.positions.end());
    for (const CutGarment& other : made)
        if (other.description->layer < garment.layer)
            out.insert(out.end(), other.garment.mesh.positions.begin(),
                       other.garment.mesh.positions.end());
    const Placement& placement = cloth_of(scene, garment.cloth).placement;
    const Mat3 back = transpose(rotation_degrees(placement.rotation));
    for (Vec3& p : out)
        p = (1 / placement.scale) * (back * (p - placement.position));
    return out;
}

void add_edge_maps(const SceneDescription& scene, const std::string& cloth, const Pattern& pattern,
                   GarmentMesh& garment) {
    for (const RegionDescription& region : scene.regions)
        if (region.cloth == cloth && region.map)
            if (auto map = edge_map(pattern, garment, region.map->name); !map.empty())
                garment.mesh.vertex_maps[region.map->name] = std::move(map);
}

std::string seam_name(const SceneDescription& scene, const std::string& cloth,
                      const GarmentMesh::Seam& seam) {
    return scene.garments.size() == 1 ? seam.name : cloth + ": " + seam.name;
}

} // namespace

std::vector<CutGarment> cut_garments(const SceneDescription& scene,
                                     const std::vector<Body>& bodies) {
    std::vector<const GarmentDescription*> order; // those below first
    for (const GarmentDescription& garment : scene.garments)
        order.push_back(&garment);
    std::stable_sort(order.begin(), order.end(),
                     [](const auto* a, const auto* b) { return a->layer < b->layer; });
    std::vector<CutGarment> out;
    for (const GarmentDescription* description : order) {
        const ClothDescription& cloth = cloth_of(scene, description->cloth);
        const PatternMesh& source = std::get<PatternMesh>(cloth.mesh);
        Pattern pattern = source.pattern;
        const double scale = cloth.placement.scale;
        stand_off(pattern, find_obstacles(scene, *description, bodies, out),
                  description->clearance / scale);
        CutGarment cut;
        cut.description = description;
        try {
            cut.garment = make_garment(pattern, source.edge / scale);
        } catch (const InputError& error) {
            Problem problem = error.problem();
            if (problem.where.file.empty())
                problem.where = cloth.where;
            throw InputError(problem);
        }
        add_edge_maps(scene, cloth.name, pattern, cut.garment);
        place_mesh(cut.garment.mesh, cloth.placement, RestShape::texcoords);
        for (auto& seam : cut.garment.seams)
            for (double& length : seam.lengths)
                length *= scale;
        out.push_back(std::move(cut));
    }
    return out;
}

// A seam that closes catches what stands out below it, as the side seam of wide trousers does. So
// what is worn below clings to the body meanwhile.
Animated<double> drawn_in(const SceneDescription& scene, const GarmentDescription& garment) {
    constexpr double drawn = 0.9, within = 0.5; // [s]
    const DressingFrames frames = dressing_frames(scene);
    const double rate = scene.time.frame_rate;
    std::vector<std::pair<double, double>> keys = {{-frames.all() / rate, 1.0}};
    for (int round = dressing_round(scene, garment.layer) + 1; round < frames.rounds; ++round) {
        const double sewn = frames.sewn(round) / rate, begins = sewn - frames.sew / rate;
        keys.insert(keys.end(), {{begins, 1.0},
                                 {begins + std::min(within, frames.sew / (2 * rate)), drawn},
                                 {sewn, drawn},
                                 {sewn + frames.settle / (2 * rate), 1.0}});
    }
    return Animated<double>(std::move(keys));
}

std::vector<SeamDescription> garment_seams(const SceneDescription& scene,
                                           const std::vector<CutGarment>& garments) {
    const DressingFrames frames = dressing_frames(scene);
    std::vector<SeamDescription> out;
    for (const CutGarment& cut : garments)
        for (const GarmentMesh::Seam& seam : cut.garment.seams) {
            SeamDescription& d = out.emplace_back();
            const std::string& cloth = cut.description->cloth;
            d.where = cut.description->where;
            d.name = seam_name(scene, cloth, seam);
            for (const auto& [a, b] : seam.joints)
                d.joints.push_back({{cloth, a}, {cloth, b}});
            d.stiffness = cut.description->stiffness;
            d.max_force = cut.description->max_force;
            d.ramp = seam_ramp;
            d.haul = seam_haul;
            const int round = dressing_round(scene, cut.description->layer);
            d.window.start = (frames.sewn(round) - frames.sew) / scene.time.frame_rate +
                             seam.stage * scene.dressing.stage;
        }
    return out;
}

// Where panels stand does not change how they are cut: no bodies are needed.
std::vector<SewnSides> sewn_sides(const SceneDescription& scene) {
    std::vector<SewnSides> out;
    for (const CutGarment& cut : cut_garments(scene, {}))
        for (const GarmentMesh::Seam& seam : cut.garment.seams) {
            SewnSides& sides = out.emplace_back();
            sides.cloth = cut.description->cloth;
            sides.seam = seam_name(scene, sides.cloth, seam);
            const std::vector<Vec2>& pattern = cut.garment.mesh.texcoords;
            for (std::size_t i = 0; i < seam.joints.size(); ++i)
                for (int k = 0; k < 2; ++k) {
                    sides.vertices[k].push_back(seam.joints[i][k]);
                    if (i > 0)
                        sides.lengths[k] +=
                            norm(pattern[seam.joints[i][k]] - pattern[seam.joints[i - 1][k]]);
                }
        }
    return out;
}

} // namespace muslin
