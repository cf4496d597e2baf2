#include "muslin/collision/detect/triangle_pairs.h"

#include "muslin/kernels/continuous.h"
#include "muslin/kernels/crossing.h"
#include "muslin/kernels/triangle_triangle.h"

#include <algorithm>

namespace muslin {
namespace {

constexpr std::size_t grain = 1024; // volumes per parallel range

bool same(const Vec3& a, const Vec3& b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

template <class Volume>
Volume swept(const Volume& before, const Volume& now);
template <>
Box swept(const Box& before, const Box& now) {
    Box both = before;
    both.merge(now);
    return both;
}
template <>
Sphere swept(const Sphere& before, const Sphere& now) {
    return Sphere::around(before, now);
}

} // namespace

TrianglePairs::TrianglePairs(const Surfaces& surfaces, const TrianglePairsSettings& settings)
    : surfaces_(surfaces), settings_(settings) {
    if (settings.test == PairTest::vertices)
        cloth_at_.build(surfaces.particle_count(), [&](auto&& add) {
            for (int t = 0; t < surfaces.cloth_triangle_count(); ++t)
                for (int p : surfaces.triangles[t])
                    add(p, t);
        });
}

void TrianglePairs::update(Points before, Points now) {
    if (settings_.volume == PairVolume::boxes)
        fit(boxes_, before, now);
    else
        fit(spheres_, before, now);
}

template <class Volume, class Tree>
void TrianglePairs::fit(Trees<Volume, Tree>& trees, Points before, Points now) {
    const bool motion = settings_.test == PairTest::vertices;
    const std::size_t triangles = surfaces_.triangles.size();
    const std::size_t cloth = surfaces_.cloth_triangle_count();
    trees.volumes.resize(triangles + (motion ? surfaces_.particle_count() : 0));
    parallel_for(trees.volumes.size(), grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            if (i >= triangles) {
                trees.volumes[i] = Volume::around(before[i - triangles], now[i - triangles]);
                continue;
            }
            const auto& [a, b, c] = surfaces_.triangles[i];
            trees.volumes[i] = Volume::around(now[a], now[b], now[c]);
            if (motion)
                trees.volumes[i] =
                    swept(Volume::around(before[a], before[b], before[c]), trees.volumes[i]);
        }
    });
    const std::span<const Volume> volumes = trees.volumes;
    const auto follow = [&](Tree& tree, std::span<const Volume> of) {
        if (trees.built)
            tree.refit(of);
        else
            tree.build(of);
    };
    follow(trees.cloth, volumes.first(cloth));
    follow(trees.bodies, volumes.subspan(cloth, triangles - cloth));
    if (motion)
        follow(trees.particles, volumes.subspan(triangles));
    trees.built = true;
}

bool TrianglePairs::share_point(int a, int b) const {
    for (int p : surfaces_.triangles[a])
        for (int q : surfaces_.triangles[b])
            if (p == q)
                return true;
    return false;
}

bool TrianglePairs::intersect(int a, int b, Points now, bool& exact) const {
    const auto corners = [&](int t) {
        const auto& [i, j, k] = surfaces_.triangles[t];
        return Corners{&now[i], &now[j], &now[k]};
    };
    return triangles_intersect(corners(a), corners(b), exact);
}

bool TrianglePairs::passes(int vertex, int triangle, Points before, Points now) const {
    const auto& [a, b, c] = surfaces_.triangles[triangle];
    if (same(before[a], now[a]) && same(before[b], now[b]) && same(before[c], now[c]))
        return segment_crosses_triangle(before[vertex], now[vertex], now[a], now[b], now[c]);
    constexpr double finest = 1e-9; // [m]
    const ContinuousSettings settings = {.tolerance = finest, .resolution = finest};
    return vertex_face_impact({before[vertex], before[a], before[b], before[c]},
                              {now[vertex], now[a], now[b], now[c]}, settings)
        .has_value();
}

bool TrianglePairs::is_pair(const TrianglePair& pair, Points before, Points now) const {
    if (settings_.test == PairTest::triangles) {
        bool exact = false;
        return intersect(pair.cloth, pair.other, now, exact);
    }
    const auto any_passes = [&](int of, int through) {
        const auto& corners = surfaces_.triangles[of];
        return std::any_of(corners.begin(), corners.end(),
                           [&](int v) { return passes(v, through, before, now); });
    };
    return any_passes(pair.cloth, pair.other) ||
           (pair.other < surfaces_.cloth_triangle_count() && any_passes(pair.other, pair.cloth));
}

void TrianglePairs::test_triangles(std::size_t chunk, int a, int b, Points now) {
    Part& part = parts_[chunk];
    ++part.work.candidates;
    if (share_point(a, b)) {
        ++part.work.adjacent;
        return;
    }
    ++part.work.tests;
    bool exact = false;
    if (intersect(a, b, now, exact))
        part.pairs.push_back({a, b});
    part.work.exact += exact;
}

void TrianglePairs::test_vertex(std::size_t chunk, int vertex, int triangle, Points before,
                                Points now) {
    Part& part = parts_[chunk];
    ++part.work.candidates;
    const auto& [a, b, c] = surfaces_.triangles[triangle];
    if (vertex == a || vertex == b || vertex == c) {
        ++part.work.adjacent;
        return;
    }
    ++part.work.tests;
    if (!passes(vertex, triangle, before, now))
        return;
    for (int t : cloth_at_[vertex])
        if (!share_point(t, triangle))
            part.pairs.push_back({std::min(t, triangle), std::max(t, triangle)});
}

template <class Volume, class Tree>
void TrianglePairs::search_bodies(const Trees<Volume, Tree>& trees, Points before, Points now) {
    const int first = surfaces_.cloth_triangle_count();
    if (settings_.test == PairTest::triangles) {
        parts_.resize(part_count_ = trees.cloth.chunk_count());
        trees.cloth.visit_pairs(trees.bodies, [&](std::size_t chunk, int a, int b) {
            test_triangles(chunk, a, first + b, now);
        });
    } else {
        parts_.resize(part_count_ = trees.particles.chunk_count());
        trees.particles.visit_pairs(trees.bodies, [&](std::size_t chunk, int v, int b) {
            test_vertex(chunk, v, first + b, before, now);
        });
    }
}

template <class Volume, class Tree>
void TrianglePairs::search_cloth(const Trees<Volume, Tree>& trees, Points before, Points now) {
    if (settings_.test == PairTest::triangles) {
        parts_.resize(part_count_ = trees.cloth.chunk_count());
        trees.cloth.visit_self_pairs(
            [&](std::size_t chunk, int a, int b) { test_triangles(chunk, a, b, now); });
    } else {
        parts_.resize(part_count_ = trees.particles.chunk_count());
        trees.particles.visit_pairs(trees.cloth, [&](std::size_t chunk, int v, int t) {
            test_vertex(chunk, v, t, before, now);
        });
    }
}

/// Empties the parts. A pair that several vertices found is one.
TrianglePairs::Work TrianglePairs::gather(std::vector<TrianglePair>& out) {
    Work work;
    out.clear();
    for (std::size_t i = 0; i < part_count_; ++i) {
        work += parts_[i].work;
        out.insert(out.end(), parts_[i].pairs.begin(), parts_[i].pairs.end());
        parts_[i].work = {};
        parts_[i].pairs.clear();
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return work;
}

void TrianglePairs::find_body_pairs(Points before, Points now, std::vector<TrianglePair>& out) {
    if (settings_.volume == PairVolume::boxes)
        search_bodies(boxes_, before, now);
    else
        search_bodies(spheres_, before, now);
    body_work_ = gather(out);
}

void TrianglePairs::find_cloth_pairs(Points before, Points now, std::vector<TrianglePair>& out) {
    if (settings_.volume == PairVolume::boxes)
        search_cloth(boxes_, before, now);
    else
        search_cloth(spheres_, before, now);
    cloth_work_ = gather(out);
}

} // namespace muslin
