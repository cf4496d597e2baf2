// Where the points of a tangle are to go: the displacements of one iteration.
#include "muslin/collision/untangle/untangle.h"

#include "muslin/base/parallel.h"
#include "muslin/collision/detect/contact.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

// How far from a contour the other surface may be met by what comes back [edges].
constexpr int target_rings = 3;
// How far a contour is shortened at once, in mean edges.
constexpr double longest_shortening = 0.08;
// What goes back through a surface stops beyond it at this many thicknesses.
constexpr double beyond = 1.1;

} // namespace

// Moves the four points of a pair so that the two places it weighs change their difference by
// `way`; what is easier to move moves more.
bool Untangler::add_pair(const std::array<int, 4>& points, const std::array<double, 4>& weights,
                         const Vec3& way) {
    double sum = 0;
    for (int k = 0; k < 4; ++k)
        sum += weights[k] * weights[k] * mobility(points[k]);
    if (!(sum > 0))
        return false;
    for (int k = 0; k < 4; ++k) {
        const double share = weights[k] * mobility(points[k]) / sum;
        if (share == 0)
            continue;
        // A corner that hardly takes part does not count as one that wants to stay.
        moves_.move[points[k]] += (std::abs(weights[k]) * share) * way;
        moves_.weight[points[k]] += std::abs(weights[k]);
    }
    return true;
}

void Untangler::mark(const Contour& contour) {
    for (int side = 0; side < 2; ++side) {
        for (int t : contour.triangles[side])
            for (int p : surfaces_.triangles[t]) {
                tangles_.marks[p] = 1;
                for (int e : adjacency_.point_edges[p])
                    tangles_.marks[other_end(e, p)] = 1;
            }
        for (int p : contour.regions[side].points)
            tangles_.marks[p] = 1;
    }
}

// Draws what has passed through on one side back through the other surface, each point by its
// shortest way. False where there is nothing to draw.
bool Untangler::pull_region(const Contour& contour, int side) {
    const std::vector<int>& region = contour.regions[side].points;
    if (region.empty())
        return false;
    std::vector<int> targets = contour.triangles[1 - side];
    for (int p : contour.regions[1 - side].points)
        for (int t : adjacency_.point_triangles[p])
            targets.push_back(t);
    std::sort(targets.begin(), targets.end());
    targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
    for (int ring = 0; ring < target_rings; ++ring) {
        std::vector<int> more;
        for (int t : targets)
            for (int p : surfaces_.triangles[t])
                for (int u : adjacency_.point_triangles[p])
                    more.push_back(u);
        std::sort(more.begin(), more.end());
        more.erase(std::unique(more.begin(), more.end()), more.end());
        targets = std::move(more);
    }
    std::vector<std::array<int, 3>> faces;
    for (int t : targets)
        faces.push_back(surfaces_.triangles[t]);
    const judging::BoxTree tree(TriangleView{x_, faces});
    struct Way {
        int face = -1;
        Vec3 weights, offset;
    };
    std::vector<Way> ways(region.size());
    parallel_for(region.size(), 16, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const int v = region[i];
            double bound = HUGE_VAL;
            tree.approach(x_[v], bound, [&](int f, double& best) {
                const auto& [a, b, c] = faces[f];
                if (a == v || b == v || c == v)
                    return;
                const VertexFaceDistance d = vertex_face_distance(x_[v], x_[a], x_[b], x_[c]);
                if (d.squared < best) {
                    best = d.squared;
                    const Vec3 foot =
                        d.weights.x * x_[a] + d.weights.y * x_[b] + d.weights.z * x_[c];
                    ways[i] = {f, d.weights, foot - x_[v]};
                }
            });
        }
    });
    Vec3 common = {0, 0, 0};
    for (const Way& way : ways)
        if (const double size = norm(way.offset); way.face >= 0 && size > 0)
            common += (1 / size) * way.offset;
    if (norm(common) > 0)
        common = normalized(common);
    bool any = false;
    for (std::size_t i = 0; i < region.size(); ++i) {
        const Way& way = ways[i];
        if (way.face < 0)
            continue;
        const int v = region[i];
        const double depth = norm(way.offset);
        const double gap = beyond * (surfaces_.half_thickness[v] +
                                     surfaces_.triangle_half_thickness[targets[way.face]]);
        const Vec3 direction =
            depth > 1e-9 * elastic_.mean_edge ? (1 / depth) * way.offset : common;
        const double length = std::min(depth + gap, longest_pull * elastic_.mean_edge);
        const auto& [a, b, c] = faces[way.face];
        any = add_pair({v, a, b, c}, {1, -way.weights.x, -way.weights.y, -way.weights.z},
                       length * direction) ||
              any;
    }
    return any;
}

// The whole contour gives one direction and each of its crossings another: the first is what moves
// one surface off the other, the second follows how they lie.
void Untangler::shorten(const Contour& contour) {
    std::vector<Vec3> ways(contour.crossings.size());
    Vec3 whole = {0, 0, 0};
    for (std::size_t i = 0; i < ways.size(); ++i) {
        ways[i] = way_out(surfaces_, adjacency_, contour.crossings[i], x_);
        whole += (contour.side[i] == 0 ? 1.0 : -1.0) * ways[i];
    }
    const double size = norm(whole);
    if (contour.one_sided || !(size > 1e-3 * static_cast<double>(ways.size())))
        whole = {0, 0, 0};
    else
        whole = (1 / size) * whole;
    for (std::size_t i = 0; i < ways.size(); ++i) {
        Vec3 way = ways[i] + (contour.side[i] == 0 ? 1.0 : -1.0) * whole;
        const double length = norm(way);
        if (!(length > 1e-6))
            continue;
        way = (longest_shortening * elastic_.mean_edge / length) * way;
        const auto [p, q] = surfaces_.edges[contour.crossings[i].edge];
        const auto& [a, b, c] = surfaces_.triangles[contour.crossings[i].triangle];
        const bool fixed =
            mobility(a) + mobility(b) + mobility(c) == 0 || mobility(p) + mobility(q) == 0;
        const auto push = [&](int point, double sign) {
            moves_.move[point] += (sign * mobility(point) * (fixed ? 1.0 : 0.5)) * way;
            moves_.weight[point] += mobility(point);
        };
        push(p, 1);
        push(q, 1);
        push(a, -1);
        push(b, -1);
        push(c, -1);
    }
}

void Untangler::pull_contour(const Contour& contour) {
    mark(contour);
    if (shorten_all_) {
        shorten(contour);
        return;
    }
    bool with_closed_body = false;
    for (int side = 0; side < 2; ++side)
        with_closed_body = with_closed_body || is_in_closed_body(contour.triangles[side].front());
    if (!with_closed_body) {
        const bool first = pull_region(contour, 0), second = pull_region(contour, 1);
        if (!first && !second)
            shorten(contour);
        return;
    }
    // Points inside find their own way out; without any, the body pokes through the cloth.
    const int cloth_side = is_in_closed_body(contour.triangles[0].front()) ? 1 : 0;
    for (int t : contour.triangles[cloth_side])
        for (int p : surfaces_.triangles[t])
            if (tangles_.in_body[p])
                return;
    if (!pull_region(contour, 1 - cloth_side))
        shorten(contour);
}

void Untangler::leave_bodies() {
    for (const auto& [p, b] : tangles_.inside) {
        tangles_.marks[p] = 1;
        const Body& body = bodies_[b];
        double bound = HUGE_VAL;
        int face = -1;
        Vec3 weights = {1, 0, 0};
        body.tree->approach(x_[p], bound, [&](int f, double& best) {
            const auto& [i, j, k] = body.faces[f];
            const VertexFaceDistance d = vertex_face_distance(x_[p], x_[i], x_[j], x_[k]);
            if (d.squared < best) {
                best = d.squared;
                face = f;
                weights = d.weights;
            }
        });
        const auto& [i, j, k] = body.faces[face];
        const Vec3 offset = weights.x * x_[i] + weights.y * x_[j] + weights.z * x_[k] - x_[p];
        const double depth = norm(offset);
        const Vec3 n = cross(x_[j] - x_[i], x_[k] - x_[i]);
        const Vec3 direction = depth > 1e-9 * elastic_.mean_edge ? (1 / depth) * offset
                               : norm(n) > 0                     ? normalized(n)
                                                                 : Vec3{0, 0, 0};
        const double gap = beyond * (surfaces_.half_thickness[p] + surfaces_.half_thickness[i]);
        add_pair({p, i, j, k}, {1, -weights.x, -weights.y, -weights.z},
                 std::min(depth + gap, longest_pull * elastic_.mean_edge) * direction);
    }
}

// Pairs that do not cross and are nearer than their thickness move apart. What is part of a tangle
// has no right side yet.
void Untangler::keep_apart() {
    detector_.set_motion(x_, x_, 0);
    detector_.find_self(candidates_);
    detector_.append_body(candidates_);
    near_ = 0;
    const std::size_t count = candidates_.size();
    struct Found {
        Contact contact;
        double distance;
    };
    constexpr std::size_t grain = 512;
    std::vector<std::vector<Found>> found((count + grain - 1) / grain);
    parallel_for(count, grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            Contact contact = make_contact(surfaces_, candidates_, k);
            double distance = 0;
            if (!set_closest(contact, x_, distance) || !(distance < contact.thickness))
                continue;
            bool tangled = true;
            for (int p : contact.points)
                tangled = tangled && (tangles_.marks[p] || !surfaces_.is_cloth(p));
            if (!tangled)
                found[begin / grain].push_back({contact, distance});
        }
    });
    for (const auto& chunk : found)
        for (const auto& [contact, distance] : chunk) {
            near_ += add_pair(contact.points, contact.weights,
                              (1.05 * contact.thickness - distance) * contact.normal);
        }
}

void Untangler::pull() {
    tangles_.marks.assign(x_.size(), 0);
    moves_.move.assign(x_.size(), {0, 0, 0});
    moves_.weight.assign(x_.size(), 0);
    for (const Contour& contour : tangles_.contours)
        pull_contour(contour);
    leave_bodies();
    keep_apart();
    spread(longest_pull * elastic_.mean_edge);
    relax(Relaxation::shape);
}

} // namespace muslin
