#pragma once

#include "collision/detect/pair_referee.h"
#include "math/random.h"
#include "muslin/collision/detect/proximity_detector.h"
#include "muslin/math/rotation.h"
#include "muslin/mesh/generators.h"
#include "muslin/model/build_model.h"
#include "muslin/pattern/irregular_sheet.h"

#include <array>
#include <cmath>
#include <string>
#include <vector>

// Cloth in shapes that make proximities and interferences, and all of them by comparing every
// feature with every other.

namespace muslin::test {

inline ClothInput irregular_sheet(const std::string& name, int vertices, double thickness,
                                  unsigned seed) {
    ClothInput cloth;
    cloth.name = name;
    cloth.mesh = make_irregular({.vertices = vertices, .seed = seed, .jitter = 0.4});
    cloth.material.thickness = thickness;
    return cloth;
}

inline Body body_of(const std::string& name, PolygonMesh mesh, double thickness) {
    Body body;
    body.name = name;
    body.triangles = triangulate(mesh).triangles;
    body.mesh = std::move(mesh);
    body.thickness = thickness;
    return body;
}

/// A smooth map that crumples cloth, different for every seed.
class Crumple {
public:
    Crumple(std::uint64_t seed, double strength) : strength_(strength) {
        testing_math::Random random(seed);
        for (auto& wave : waves_) {
            wave.vector = 7.0 * random.vec3();
            wave.phase = 3 * random.number();
            wave.size = random.vec3();
        }
    }
    Vec3 at(const Vec3& x) const {
        Vec3 moved = x;
        for (const auto& wave : waves_)
            moved += strength_ * std::sin(dot(wave.vector, x) + wave.phase) * wave.size;
        return moved;
    }

private:
    struct Wave {
        Vec3 vector, size;
        double phase;
    };
    std::array<Wave, 5> waves_;
    double strength_;
};

/// All proximities and interferences, sorted as the detector sorts them: every pair of features of
/// which one is of cloth, but for those that one coordinate alone keeps apart.
class AllProximities {
public:
    explicit AllProximities(const Surfaces& surfaces)
        : surfaces_(surfaces), adjacency_(surfaces), closeness_(surfaces, adjacency_) {}

    void find(std::span<const Vec3> at, double margin, std::vector<Proximity>& near,
              std::vector<Interference>& crossing) const {
        near.clear();
        crossing.clear();
        double thickest = 0;
        for (double half : surfaces_.half_thickness)
            thickest = std::max(thickest, half);
        std::vector<std::array<int, 1>> points(surfaces_.point_count());
        for (int i = 0; i < surfaces_.point_count(); ++i)
            points[i] = {i};
        const double reach = thickest + margin / 2;
        const auto compare = [&](const auto& a, const auto& b, auto&& test) {
            std::vector<SweptBox> boxes;
            for (const auto& feature : b)
                boxes.push_back(AllPairs::box_of(std::span(feature), at, at, reach));
            for (std::size_t i = 0; i < a.size(); ++i) {
                const SweptBox box = AllPairs::box_of(std::span(a[i]), at, at, reach);
                for (std::size_t j = 0; j < b.size(); ++j)
                    if (overlap(box, boxes[j]) &&
                        (surfaces_.is_cloth(a[i][0]) || surfaces_.is_cloth(b[j][0])))
                        test(static_cast<int>(i), static_cast<int>(j));
            }
        };
        Proximity p;
        const auto keep = [&](bool is_near) {
            if (is_near)
                near.push_back(p);
        };
        compare(points, surfaces_.triangles,
                [&](int v, int t) { keep(closeness_.vertex_triangle(v, t, at, margin, p)); });
        compare(surfaces_.edges, surfaces_.edges,
                [&](int e, int f) { keep(e < f && closeness_.edge_edge(e, f, at, margin, p)); });
        compare(points, surfaces_.edges,
                [&](int v, int e) { keep(closeness_.vertex_edge(v, e, at, margin, p)); });
        compare(points, points, [&](int v, int w) {
            keep(v < w && closeness_.vertex_vertex(v, w, at, margin, p));
        });
        compare(surfaces_.edges, surfaces_.triangles, [&](int e, int t) {
            if (closeness_.interferes({e, t}, at))
                crossing.push_back({e, t});
        });
        std::sort(near.begin(), near.end(),
                  [](const Proximity& a, const Proximity& b) { return a.pair() < b.pair(); });
    }

private:
    const Surfaces& surfaces_;
    Adjacency adjacency_;
    Closeness closeness_;
};

/// The least distance between two triangles that do not cross [m].
inline double triangle_distance(const Surfaces& s, int a, int b, std::span<const Vec3> at) {
    double least = HUGE_VAL;
    const auto& ta = s.triangles[a];
    const auto& tb = s.triangles[b];
    for (int k = 0; k < 3; ++k) {
        least = std::min(least,
                         vertex_face_distance(at[ta[k]], at[tb[0]], at[tb[1]], at[tb[2]]).squared);
        least = std::min(least,
                         vertex_face_distance(at[tb[k]], at[ta[0]], at[ta[1]], at[ta[2]]).squared);
        for (int l = 0; l < 3; ++l)
            least = std::min(least, edge_edge_distance(at[ta[k]], at[ta[(k + 1) % 3]], at[tb[l]],
                                                       at[tb[(l + 1) % 3]])
                                        .squared);
    }
    return std::sqrt(least);
}

} // namespace muslin::test
