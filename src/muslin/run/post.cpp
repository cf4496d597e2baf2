#include "muslin/run/post.h"

#include "muslin/engine/level_sets.h"
#include "muslin/mesh/corner_split.h"
#include "muslin/mesh/penetration.h"
#include "muslin/mesh/quality.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace muslin {
namespace {

using Json = nlohmann::ordered_json;

constexpr double least_epsilon = 0.5e-3; // what pictures need to show cloth outside [m]
// What a scene may ask for at most: level sets that are known farther out take gigabytes [m].
constexpr double largest_tau = 0.5;
// Vertices of a seam's two sides are as near in the start; subdivision rounds [m].
constexpr double weld_distance = 1e-6;

/// Triangles with corners on the texture, as a mesh that files can hold.
PolygonMesh polygon_mesh(std::vector<Vec3> positions,
                         const std::vector<std::array<int, 3>>& triangles,
                         const std::vector<std::array<Vec2, 3>>& texture) {
    PolygonMesh out;
    for (const auto& t : triangles) {
        out.corner_vertex.insert(out.corner_vertex.end(), t.begin(), t.end());
        out.face_begin.push_back(static_cast<int>(out.corner_vertex.size()));
    }
    if (!texture.empty()) {
        const CornerSplit split = split_corners(positions.size(), triangles, texture);
        out.texcoords = split.uv;
        for (const auto& t : split.triangles)
            out.corner_texcoord.insert(out.corner_texcoord.end(), t.begin(), t.end());
    }
    out.positions = std::move(positions);
    return out;
}

Vec3 as_single(const Vec3& p) {
    return {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
}

} // namespace

FoldSettings fold_settings(const PostDescription& post, const PostMeasures& measures) {
    FoldSettings out;
    FoldBand& band = out.band;
    band.epsilon = post.epsilon.value_or(std::max(least_epsilon, measures.thickness / 2));
    if (post.tau) // a small one leaves the rest to follow
        band.epsilon = std::min(band.epsilon, *post.tau / 1.5);
    band.depth = post.depth.value_or(measures.depth);
    band.tau = post.tau.value_or(std::min(usual_tau(band.epsilon, band.depth), largest_tau));
    out.tolerance = std::min(out.tolerance, band.epsilon / 100);
    // An edge of the cloth around a sharp edge of a body cuts it to half of its length at most.
    out.max_raise = std::clamp(measures.edge / 2, 2 * band.epsilon, 10e-3 + 2 * band.epsilon);
    return out;
}

BodyFieldsSettings fields_for(const FoldSettings& fold, const LevelSetsDescription& level_sets,
                              std::span<const Body> bodies) {
    BodyFieldsSettings out = body_fields_settings(level_sets);
    BodyFieldsSettings any_band = out; // a small one is widened below
    any_band.band = 0;
    double voxel = 0;
    for (const Body& body : bodies)
        voxel = std::max(voxel, level_set_settings(body, any_band).voxel);
    // Distances next to the end of the band are those of the end: three voxels are clear of it.
    out.band = std::max({out.band, reach(fold) + voxel, fold.band.depth + voxel, 3 * voxel});
    return out;
}

void PostSummary::serialise(Archive& archive) {
    archive(frames);
    for (std::size_t* count : {&moved, &pinched, &unreached, &raised, &wrinkle.points})
        archive(*count);
    for (double* figure : {&unreached_worst, &largest_move, &largest_raise, &deepest_before,
                           &wrinkle.before, &wrinkle.after, &wrinkle.plain, &seconds})
        archive(*figure);
    archive(self_intersections_before);
    archive(body_intersections_before);
}

void PostSummary::add(const PostFrame& frame) {
    const FoldReport& f = frame.fold;
    ++frames;
    moved = std::max(moved, f.moved);
    pinched = std::max(pinched, f.pinched);
    unreached = std::max(unreached, f.unreached);
    raised = std::max(raised, f.raised);
    unreached_worst = std::max(unreached_worst, f.unreached_worst);
    largest_move = std::max(largest_move, f.largest_move);
    largest_raise = std::max(largest_raise, f.largest_raise);
    deepest_before = std::max(deepest_before, f.deepest_before);
    self_intersections_before =
        std::max(self_intersections_before, frame.self_intersections_before);
    body_intersections_before =
        std::max(body_intersections_before, frame.body_intersections_before);
    const double old = static_cast<double>(wrinkle.points),
                 now = static_cast<double>(f.wrinkle.points), all = old + now;
    if (now > 0) {
        const auto mix = [&](double& sum, double part) {
            sum = std::sqrt((old * sum * sum + now * part * part) / all);
        };
        mix(wrinkle.before, f.wrinkle.before);
        mix(wrinkle.after, f.wrinkle.after);
        mix(wrinkle.plain, f.wrinkle.plain);
        wrinkle.points += f.wrinkle.points;
    }
}

PostProcess::PostProcess(std::vector<PostCloth> cloths, int subdivide) : levels_(subdivide) {
    std::vector<Vec3> start;
    for (PostCloth& cloth : cloths) {
        TriangleMesh triangles = triangulate(cloth.mesh);
        set_material_coordinates(triangles, cloth.mesh, cloth.rest);
        Shown& shown = cloths_.emplace_back();
        if (subdivide > 0) {
            const auto texture = texture_corners(cloth.mesh, triangles);
            shown.finer.emplace(triangles.positions.size(), triangles.triangles,
                                texture.empty() ? triangles.material : texture, subdivide);
            shown.finer->apply(cloth.mesh.positions, fine_);
            shown.mesh = polygon_mesh(fine_, shown.finer->triangles(),
                                      texture.empty() ? texture : shown.finer->material());
            triangles = triangulate(shown.mesh);
            set_material_coordinates(triangles, shown.mesh, cloth.rest);
            shown.finer->apply(cloth.start, fine_);
        } else {
            shown.mesh = std::move(cloth.mesh);
            fine_ = std::move(cloth.start);
        }
        shown.first = start.size();
        shown.count = fine_.size();
        start.insert(start.end(), fine_.begin(), fine_.end());
        const int first = static_cast<int>(shown.first);
        for (const auto& t : triangles.triangles)
            triangles_.push_back({t[0] + first, t[1] + first, t[2] + first});
        pattern_.insert(pattern_.end(), triangles.material.begin(), triangles.material.end());
    }
    weld(start);
    mean_edge_ = measure_quality(start, triangles_).mean_edge;
    judge_.emplace(triangles_, pattern_);
    positions_ = std::move(start);
}

/// Lets triangles on both sides of a seam share its vertices, as they share its particles.
void PostProcess::weld(const std::vector<Vec3>& start) {
    std::vector<int> order(start.size()), same(start.size());
    std::iota(order.begin(), order.end(), 0);
    same = order;
    // Along a slanted axis, as sheets often stand square to x, y or z.
    const auto along = [&](int v) { return dot(start[v], Vec3{0.5418, 0.6372, 0.5482}); };
    std::sort(order.begin(), order.end(),
              [&](int a, int b) { return std::pair(along(a), a) < std::pair(along(b), b); });
    for (std::size_t i = 0; i < order.size(); ++i)
        for (std::size_t j = i + 1;
             j < order.size() && along(order[j]) - along(order[i]) <= weld_distance; ++j)
            if (norm(start[order[j]] - start[order[i]]) <= weld_distance) {
                const auto [low, high] = std::minmax(order[i], order[j]);
                same[high] = std::min(same[high], same[low]);
            }
    for (auto& t : triangles_) {
        const std::array<int, 3> welded = {same[t[0]], same[t[1]], same[t[2]]};
        if (welded[0] != welded[1] && welded[1] != welded[2] && welded[2] != welded[0])
            t = welded;
    }
}

void PostProcess::take(std::span<const std::vector<Vec3>> simulated) {
    for (std::size_t c = 0; c < cloths_.size(); ++c) {
        const Shown& shown = cloths_[c];
        if (shown.finer)
            shown.finer->apply(simulated[c], fine_);
        const std::vector<Vec3>& from = shown.finer ? fine_ : simulated[c];
        if (from.size() != shown.count)
            throw std::logic_error("a cloth has as many vertices in every frame");
        std::copy(from.begin(), from.end(),
                  positions_.begin() + static_cast<std::ptrdiff_t>(shown.first));
    }
}

double PostProcess::depth(std::span<const PlacedBody> bodies) const {
    std::vector<int> inside(positions_.size(), 0); // of how many bodies
    for (const PlacedBody& body : bodies)
        for (const int v : find_inside(positions_, body.surface))
            ++inside[static_cast<std::size_t>(v)];
    std::vector<Vec3> points;
    for (std::size_t v = 0; v < positions_.size(); ++v)
        if (inside[v] == 1)
            points.push_back(positions_[v]);
    double out = 0;
    for (const PlacedBody& body : bodies)
        out = std::max(out, find_penetration(points, body.surface).depth);
    return out;
}

void PostProcess::set_projection(const FoldSettings& settings) {
    projection_.emplace(settings, triangles_);
}

PostFrame PostProcess::project_and_judge(const DistanceField* field,
                                         std::span<const PlacedBody> bodies) {
    PostFrame out;
    if (projection_ && field) {
        out.self_intersections_before =
            static_cast<int>(count_self_intersections(positions_, triangles_));
        std::vector<TriangleView> surfaces;
        for (const PlacedBody& body : bodies) {
            surfaces.push_back(body.surface);
            out.body_intersections_before += static_cast<int>(
                count_intersections_between({positions_, triangles_}, body.surface));
        }
        out.fold = projection_->project(*field, surfaces, positions_);
    }
    for (Vec3& p : positions_)
        p = as_single(p);
    out.verdict = judge_->judge(positions_, bodies);
    return out;
}

std::span<const Vec3> PostProcess::positions(std::size_t cloth) const {
    return std::span(positions_).subspan(cloths_[cloth].first, cloths_[cloth].count);
}

void PostProcess::refine(std::size_t cloth, const std::vector<double>& simulated,
                         std::vector<double>& shown) const {
    if (cloths_[cloth].finer)
        cloths_[cloth].finer->apply(simulated, shown);
    else
        shown = simulated;
}

namespace {

Json wrinkle_json(const WrinkleHeight& w) {
    return {{"points", w.points}, {"before", w.before}, {"after", w.after}, {"plain", w.plain}};
}

} // namespace

Json post_json(const PostFrame& frame) {
    const FoldReport& f = frame.fold;
    return {{"moved", f.moved},
            {"pinched", f.pinched},
            {"unreached", f.unreached},
            {"unreached_worst", f.unreached_worst},
            {"raised", f.raised},
            {"largest_raise", f.largest_raise},
            {"largest_move", f.largest_move},
            {"deepest_before", f.deepest_before},
            {"iterations", f.iterations},
            {"rounds", f.rounds},
            {"self_intersections_before", frame.self_intersections_before},
            {"body_intersections_before", frame.body_intersections_before},
            {"wrinkle", wrinkle_json(f.wrinkle)}};
}

Json post_json(const PostSummary& s, const PostProcess& process) {
    Json out;
    if (process.projection()) {
        const FoldBand& band = process.projection()->settings().band;
        out = {{"epsilon", band.epsilon},
               {"tau", band.tau},
               {"depth", band.depth},
               {"slope", FoldMap(band).slope()}};
    }
    out["subdivide"] = process.subdivide();
    out["vertices"] = process.vertices();
    out["triangles"] = process.triangles();
    out["moved"] = s.moved;
    out["pinched"] = s.pinched;
    out["unreached"] = s.unreached;
    out["unreached_worst"] = s.unreached_worst;
    out["raised"] = s.raised;
    out["largest_raise"] = s.largest_raise;
    out["largest_move"] = s.largest_move;
    out["deepest_before"] = s.deepest_before;
    out["self_intersections_before"] = s.self_intersections_before;
    out["body_intersections_before"] = s.body_intersections_before;
    out["wrinkle"] = wrinkle_json(s.wrinkle);
    out["seconds"] = s.seconds;
    return out;
}

} // namespace muslin
