// [[garment]]: patterns cut and laid out around bodies.
#include "muslin/base/error.h"
#include "muslin/garment/stand_off.h"
#include "muslin/math/rotation.h"
#include "muslin/scene/build_parts.h"
#include "muslin/scene/dressing.h"

#include <algorithm>

namespace muslin {
namespace {

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

} // namespace muslin
