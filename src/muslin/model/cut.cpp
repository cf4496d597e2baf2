#include "muslin/model/cut.h"

#include "muslin/model/build_model.h"

#include <algorithm>
#include <vector>

namespace muslin {
namespace {

struct Point {
    int cloth, index;
};

/// All points in the order of their particles, those of one particle as they come: what lies
/// together stays together in memory.
std::vector<Point> points_by_particle(const Model& model) {
    std::vector<Point> out;
    for (std::size_t c = 0; c < model.cloths.size(); ++c)
        for (std::size_t i = 0; i < model.cloths[c].particles.size(); ++i)
            out.push_back({static_cast<int>(c), static_cast<int>(i)});
    std::stable_sort(out.begin(), out.end(), [&](const Point& a, const Point& b) {
        return model.cloths[a.cloth].particles[a.index] < model.cloths[b.cloth].particles[b.index];
    });
    return out;
}

/// The values of the particles that points came from.
std::vector<double> of_points(const std::vector<double>& of_particles, const Model& model,
                              const std::vector<Point>& points) {
    std::vector<double> out;
    for (const Point& p : points)
        out.push_back(of_particles[model.cloths[p.cloth].particles[p.index]]);
    return out;
}

} // namespace

Model cut_apart(const Model& start) {
    const std::vector<Point> points = points_by_particle(start);
    Model out;
    out.mass = of_points(start.mass, start, points);
    out.cloths = start.cloths;
    for (std::size_t p = 0; p < points.size(); ++p)
        out.cloths[points[p].cloth].particles[points[p].index] = static_cast<int>(p);
    for (Cloth& cloth : out.cloths)
        std::copy_n(cloth.particles.begin(), cloth.surface.vertex_particle.size(),
                    cloth.surface.vertex_particle.begin());
    out.dynamics.pattern = start.dynamics.pattern;
    out.dynamics.triangle_cloth = start.dynamics.triangle_cloth;
    for (std::size_t t = 0; t < start.dynamics.triangles.size(); ++t) {
        const auto& particles = out.cloths[start.dynamics.triangle_cloth[t]].particles;
        const auto& [a, b, c] = start.stitching.corners[t];
        out.dynamics.triangles.push_back({particles[a], particles[b], particles[c]});
    }
    set_hinges(out.dynamics);
    out.rest_stretches = start.rest_stretches;
    out.collision.triangles = out.dynamics.triangles;
    out.collision.thickness = of_points(start.collision.thickness, start, points);
    out.collision.friction = of_points(start.collision.friction, start, points);
    return out;
}

} // namespace muslin
