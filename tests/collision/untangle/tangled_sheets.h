#pragma once

#include "muslin/collision/detect/surfaces.h"
#include "muslin/mesh/generators.h"
#include "muslin/mesh/measure.h"
#include "muslin/mesh/penetration.h"
#include "muslin/model/build_model.h"
#include "muslin/pattern/irregular_sheet.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace muslin::test {

/// Cloths and bodies as one set of points, and the independent judge of what crosses.
struct TangledScene {
    Model model;
    State start;
    std::unique_ptr<Surfaces> surfaces;
    std::vector<Vec3> points;

    void finish() {
        surfaces = std::make_unique<Surfaces>(model);
        points.assign(surfaces->point_count(), {0, 0, 0});
        surfaces->place_bodies(0, points);
        std::copy(start.positions.begin(), start.positions.end(), points.begin());
    }
    std::size_t pairs(std::span<const Vec3> x) const {
        const auto cloth = std::span(surfaces->triangles).first(surfaces->cloth_triangle_count());
        std::size_t count = count_self_intersections(x, cloth);
        for (int b = 0; b < surfaces->body_count(); ++b) {
            const auto [begin, end] = surfaces->body_triangles(b);
            count += count_intersections_between(
                {x, cloth}, {x, std::span(surfaces->triangles).subspan(begin, end - begin)});
        }
        return count;
    }
    std::size_t inside(std::span<const Vec3> x, int body) const {
        const auto [begin, end] = surfaces->body_triangles(body);
        return find_penetration(x.first(surfaces->particle_count()),
                                {x, std::span(surfaces->triangles).subspan(begin, end - begin)})
            .inside;
    }
};

inline ClothInput sheet_input(const char* name, PolygonMesh mesh, double thickness) {
    ClothInput cloth;
    cloth.name = name;
    cloth.mesh = std::move(mesh);
    cloth.rest = RestShape::positions;
    cloth.material.thickness = thickness;
    return cloth;
}

inline PolygonMesh small_sheet(int vertices, unsigned seed, double width = 0.2,
                               double depth = 0.2) {
    return make_irregular(
        {.width = width, .depth = depth, .vertices = vertices, .seed = seed, .jitter = 0.35});
}

/// A sheet a thickness above another, its middle pressed `depth` below it [m].
inline TangledScene pressed_sheets(double thickness, double depth, int vertices = 400) {
    PolygonMesh lower = small_sheet(vertices, 1), upper = small_sheet(vertices, 2);
    for (Vec3& p : upper.positions) {
        const double r = std::sqrt(p.x * p.x + p.z * p.z) / 0.06;
        p.y = thickness - (thickness + depth) * std::exp(-r * r);
    }
    TangledScene out;
    out.model = build_model(
        {sheet_input("lower", lower, thickness), sheet_input("upper", upper, thickness)}, {},
        out.start);
    out.finish();
    return out;
}

} // namespace muslin::test
