#include "muslin/collision/spheres/sphere_pairs.h"

#include "muslin/base/parallel.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

constexpr std::size_t sphere_grain = 2048, pair_grain = 1024;

SphereLayer cover_bodies(const Surfaces& surfaces, const Model& model,
                         SphereLayerSettings settings) {
    std::vector<Vec3> places;
    for (const Body& body : model.bodies)
        places.insert(places.end(), body.mesh.positions.begin(), body.mesh.positions.end());
    const auto triangles = std::span(surfaces.triangles).subspan(surfaces.cloth_triangle_count());
    std::vector<RestTriangle> rest;
    for (const auto& [a, b, c] : triangles) {
        const int first = surfaces.particle_count();
        rest.push_back(flatten(places[a - first], places[b - first], places[c - first]));
    }
    return SphereLayer(triangles, rest, settings);
}

std::vector<std::vector<int>> joints_of(const Model& model) {
    std::vector<std::vector<int>> joints;
    for (const Seam& seam : model.seams)
        joints.insert(joints.end(), seam.joints.begin(), seam.joints.end());
    return joints;
}

} // namespace

SpherePairs::SpherePairs(const Model& model, const Surfaces& surfaces,
                         const SpherePairSettings& settings)
    : surfaces_(surfaces), settings_(settings),
      cloth_(model.collision.triangles, model.collision_pattern(), settings.layer),
      motion_(surfaces), range_{cloth_.radius() / 4, 1.5 * cloth_.radius()} {
    if (settings.bodies && surfaces.body_triangle_count() > 0) {
        SphereLayerSettings layer = settings.layer;
        layer.radius = cloth_.radius();
        bodies_ = cover_bodies(surfaces, model, layer);
    }
    neighbours_ = cloth_.neighbours(model.collision.triangles, model.collision_pattern(),
                                    settings.neighbour_reach * cloth_.radius(), joints_of(model));
    middles_.resize(count());
    boxes_.resize(count());
}

bool SpherePairs::are_neighbours(int a, int b) const {
    if (!is_cloth(a) || !is_cloth(b))
        return false;
    const std::span<const int> near = neighbours_[a];
    return std::binary_search(near.begin(), near.end(), b);
}

void SpherePairs::set_boxes(std::span<const Vec3> positions, double reach) {
    parallel_for(middles_.size(), sphere_grain, [&](std::size_t from, std::size_t to) {
        for (std::size_t s = from; s < to; ++s) {
            middles_[s] = middle(static_cast<int>(s), positions);
            boxes_[s] = Box::around(middles_[s]);
            boxes_[s].grow(reach / 2);
        }
    });
    const std::span<const Box> boxes = boxes_;
    cloth_tree_.follow(boxes.first(cloth_.count()));
    if (bodies_)
        body_tree_.follow(boxes.subspan(cloth_.count()));
}

void SpherePairs::search(std::span<const Vec3> positions, double reach) {
    set_boxes(positions, reach);
    chunks_.resize(cloth_tree_.chunk_count());
    for (auto& chunk : chunks_)
        chunk.clear();
    const auto consider = [&](std::size_t chunk, int a, int b) {
        const double distance = norm(middles_[a] - middles_[b]);
        if (distance <= reach && !are_neighbours(a, b))
            chunks_[chunk].push_back({a, b, distance - 2 * radius()});
    };
    cloth_tree_.visit_self_pairs(consider);
    if (bodies_)
        cloth_tree_.visit_pairs(body_tree_, [&](std::size_t chunk, int a, int b) {
            consider(chunk, a, cloth_.count() + b);
        });
    pairs_.clear();
    for (const auto& chunk : chunks_)
        pairs_.insert(pairs_.end(), chunk.begin(), chunk.end());
    std::sort(pairs_.begin(), pairs_.end(),
              [](const Pair& x, const Pair& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; });
}

// A wide margin makes searches rare and lists long: it follows the speed.
void SpherePairs::choose_margin(double moved) {
    if (counts_.since_search > 0)
        range_.margin =
            std::clamp(settings_.updates_aimed * moved / static_cast<double>(counts_.since_search),
                       range_.largest / 16, range_.largest);
}

SpreadContact SpherePairs::contact(int a, int b, const Vec3& apart, double distance) const {
    const SurfaceSphere &first = sphere(a), &second = sphere(b);
    SpreadContact c;
    for (int k = 0; k < 3; ++k) {
        c.points[k] = first.points[k];
        c.weights[k] = first.weights[k];
        c.points[3 + k] = second.points[k];
        c.weights[3 + k] = -second.weights[k];
    }
    c.normal = (1 / distance) * apart;
    c.thickness = 2 * radius();
    c.friction = surfaces_.friction_between(first.points[0], second.points[0]);
    return c;
}

void SpherePairs::find(std::span<const Vec3> positions, double slack,
                       std::vector<Oriented<SpreadContact>>& out) {
    ++counts_.updates;
    ++counts_.since_search;
    const bool none = motion_.start().empty();
    const auto watched = bodies_ ? positions : positions.first(surfaces_.particle_count());
    double moved = none ? 0 : (1 + 1e-9) * motion_.since_start(watched);
    const double wanted = 2 * radius() + slack;
    if (none || !(moved + wanted <= range_.reach)) {
        choose_margin(moved);
        range_.reach = wanted + range_.margin;
        motion_.set_start(watched);
        search(positions, (1 + 1e-9) * range_.reach);
        ++counts_.searches;
        counts_.since_search = 0;
        moved = 0;
    }
    found_.resize((pairs_.size() + pair_grain - 1) / pair_grain);
    parallel_for(pairs_.size(), pair_grain, [&](std::size_t from, std::size_t to) {
        auto& found = found_[from / pair_grain];
        found.clear();
        for (std::size_t k = from; k < to; ++k) {
            const Pair& pair = pairs_[k];
            // Middles are mixtures of points: they move against each other by no more.
            if (pair.clearance > moved + slack + 1e-12)
                continue;
            const Vec3 apart = middle(pair.a, positions) - middle(pair.b, positions);
            const double distance = norm(apart);
            if (distance <= wanted && distance > 1e-9 * radius())
                found.push_back({contact(pair.a, pair.b, apart, distance), false});
        }
    });
    out.clear();
    for (const auto& found : found_)
        out.insert(out.end(), found.begin(), found.end());
}

} // namespace muslin
