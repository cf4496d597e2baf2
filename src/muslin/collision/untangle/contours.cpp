#include "muslin/collision/untangle/contours.h"

#include "muslin/kernels/crossing.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

void sort_unique(std::vector<int>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
}

} // namespace

CrossingFinder::CrossingFinder(const Surfaces& surfaces)
    : surfaces_(surfaces), adjacency_(surfaces) {}

void CrossingFinder::test_pair(int a, int b, std::span<const Vec3> x,
                               std::vector<Interference>& out) const {
    const auto pierce = [&](int from, int face) {
        const auto& [f0, f1, f2] = surfaces_.triangles[face];
        for (int k = 0; k < 3; ++k) {
            const int e = surfaces_.triangle_edges[from][k];
            const auto [p, q] = surfaces_.edges[e];
            if ((surfaces_.owned[from] >> (3 + k) & 1) &&
                !surfaces_.share_point(surfaces_.triangles[face], surfaces_.edges[e]) &&
                segment_crosses_triangle(x[p], x[q], x[f0], x[f1], x[f2]))
                out.push_back({e, face});
        }
    };
    pierce(a, b);
    pierce(b, a);
}

void CrossingFinder::find(std::span<const Vec3> positions, std::vector<Interference>& out,
                          const std::function<bool(int)>& looked_at) {
    const int cloth = surfaces_.cloth_triangle_count();
    const int all = static_cast<int>(surfaces_.triangles.size());
    boxes_.resize(all);
    for (int t = 0; t < all; ++t) {
        const auto& [a, b, c] = surfaces_.triangles[t];
        boxes_[t] = Box::around(positions[a], positions[b], positions[c]);
    }
    const std::span<const Box> boxes = boxes_;
    cloth_.build(boxes.first(cloth));
    bodies_.build(boxes.subspan(cloth));
    pairs_.resize(cloth_.chunk_count());
    for (auto& chunk : pairs_)
        chunk.clear();
    cloth_.visit_self_pairs([&](std::size_t chunk, int a, int b) {
        pairs_[chunk].push_back({a, b});
    });
    if (all > cloth)
        cloth_.visit_pairs(bodies_, [&](std::size_t chunk, int a, int b) {
            pairs_[chunk].push_back({a, cloth + b});
        });
    out.clear();
    for (const auto& chunk : pairs_)
        for (const auto& [a, b] : chunk)
            if (!looked_at || (looked_at(a) && looked_at(b)))
                test_pair(a, b, positions, out);
}

// For each triangle at the edge, with R the direction in which the contour runs on in it,
// R - 2 (E.R)/(E.N) N.
Vec3 way_out(const Surfaces& surfaces, const Adjacency& adjacency, const Interference& crossing,
             std::span<const Vec3> x) {
    const auto [p, q] = surfaces.edges[crossing.edge];
    const auto& [f0, f1, f2] = surfaces.triangles[crossing.triangle];
    const Vec3 n = cross(x[f1] - x[f0], x[f2] - x[f0]), e = x[q] - x[p];
    const double area = norm(n), length = norm(e);
    if (!(area > 0) || !(length > 0))
        return {0, 0, 0};
    const Vec3 normal = (1 / area) * n, edge = (1 / length) * e;
    Vec3 sum = {0, 0, 0};
    for (int t : adjacency.edge_triangles[crossing.edge]) {
        const auto& [a, b, c] = surfaces.triangles[t];
        const int third = a != p && a != q ? a : (b != p && b != q ? b : c);
        const Vec3 across = cross(x[b] - x[a], x[c] - x[a]);
        Vec3 along = cross(normal, across); // lies in both planes
        const double size = norm(along);
        if (!(size > 1e-9 * norm(across)))
            continue;
        along = (1 / size) * along;
        // Into the triangle, away from its edge.
        const Vec3 inward = (x[third] - x[p]) - dot(x[third] - x[p], edge) * edge;
        if (dot(along, inward) < 0)
            along = -along;
        const double slope = dot(edge, normal);
        // An edge that nearly lies in the face would be sent far along it.
        const double steep = std::copysign(std::max(std::abs(slope), 0.2), slope);
        sum += along - (2 * dot(edge, along) / steep) * normal;
    }
    const double size = norm(sum);
    return size > 0 ? (1 / size) * sum : Vec3{0, 0, 0};
}

ContourTracer::ContourTracer(const Surfaces& surfaces, const Adjacency& adjacency)
    : surfaces_(surfaces), adjacency_(adjacency), colour_(surfaces.point_count(), -1) {}

// Two triangles cross along a segment. Its ends are crossings; so crossings that share a pair of
// triangles follow each other on a contour.
void ContourTracer::link(std::span<const Interference> crossings) {
    links_.clear();
    for (std::size_t c = 0; c < crossings.size(); ++c)
        for (int t : adjacency_.edge_triangles[crossings[c].edge]) {
            const auto low = std::uint64_t(std::min(t, crossings[c].triangle));
            const auto high = std::uint64_t(std::max(t, crossings[c].triangle));
            links_.push_back({low << 32 | high, static_cast<int>(c), t});
        }
    std::stable_sort(links_.begin(), links_.end(),
                     [](const Link& a, const Link& b) { return a.pair < b.pair; });
    next_.resize(std::max(next_.size(), crossings.size()));
    for (std::size_t c = 0; c < crossings.size(); ++c)
        next_[c].clear();
    for (std::size_t i = 1; i < links_.size(); ++i) {
        const Link &a = links_[i - 1], &b = links_[i];
        if (a.pair != b.pair || a.crossing == b.crossing)
            continue;
        const int turns = a.of_edge != b.of_edge;
        next_[a.crossing].push_back({b.crossing, turns});
        next_[b.crossing].push_back({a.crossing, turns});
    }
}

Contour ContourTracer::gather(std::span<const Interference> crossings, int first) {
    Contour out;
    out.closed = true;
    std::vector<int> waiting = {first};
    side_[first] = 0;
    for (std::size_t i = 0; i < waiting.size(); ++i) {
        const int c = waiting[i];
        out.crossings.push_back(crossings[c]);
        out.side.push_back(static_cast<std::uint8_t>(side_[c]));
        out.closed = out.closed && next_[c].size() > 1;
        for (const auto& [other, turns] : next_[c]) {
            const auto side = static_cast<std::int8_t>(side_[c] ^ turns);
            if (side_[other] < 0) {
                side_[other] = side;
                waiting.push_back(other);
            } else if (side_[other] != side) {
                out.one_sided = true;
            }
        }
        out.triangles[1 - side_[c]].push_back(crossings[c].triangle);
        for (int t : adjacency_.edge_triangles[crossings[c].edge])
            out.triangles[side_[c]].push_back(t);
    }
    for (auto& list : out.triangles)
        sort_unique(list);
    return out;
}

bool ContourTracer::is_cut(int a, int b) const {
    return std::binary_search(cut_.begin(), cut_.end(),
                              std::array<int, 2>{std::min(a, b), std::max(a, b)});
}

// Gives the corners of the triangles along a contour the colour of their side of it. False where
// the two sides run into each other.
bool ContourTracer::colour_rim(const Contour& contour, int side, std::vector<int>& rim) {
    const auto on_contour = [&](int t) {
        return std::binary_search(contour.triangles[side].begin(), contour.triangles[side].end(),
                                  t);
    };
    for (const auto& edge : cut_) {
        if (colour_[edge[0]] >= 0)
            continue;
        // More than one piece of rim: a contour that leaves a surface and comes back. Which colour
        // of one goes with which of the other cannot be told here; the fill finds out.
        if (!rim.empty())
            return false;
        colour_[edge[0]] = 0;
        rim.push_back(edge[0]);
        for (std::size_t i = rim.size() - 1; i < rim.size(); ++i)
            for (int t : adjacency_.point_triangles[rim[i]]) {
                if (!on_contour(t))
                    continue;
                for (int p : surfaces_.triangles[t]) {
                    if (p == rim[i])
                        continue;
                    const auto colour =
                        static_cast<std::int8_t>(colour_[rim[i]] ^ int(is_cut(rim[i], p)));
                    if (colour_[p] < 0) {
                        colour_[p] = colour;
                        rim.push_back(p);
                    } else if (colour_[p] != colour) {
                        return false;
                    }
                }
            }
    }
    return true;
}

// Both sides grow point by point; the one that is complete first is the smaller one.
void ContourTracer::fill(ContourRegion& region, const std::vector<int>& rim) {
    std::array<std::vector<int>, 2> found;
    for (int p : rim)
        found[colour_[p]].push_back(p);
    std::array<std::size_t, 2> at = {0, 0};
    bool meets = false;
    int done = -1;
    while (!meets && done < 0) {
        for (int c = 0; c < 2 && !meets && done < 0; ++c) {
            if (at[c] == found[c].size()) {
                done = c;
                break;
            }
            const int p = found[c][at[c]++];
            for (int e : adjacency_.point_edges[p]) {
                const int q = surfaces_.edges[e][0] + surfaces_.edges[e][1] - p;
                if (is_cut(p, q))
                    continue;
                if (colour_[q] < 0) {
                    colour_[q] = static_cast<std::int8_t>(c);
                    found[c].push_back(q);
                } else if (colour_[q] != c) {
                    meets = true;
                }
            }
        }
    }
    for (const auto& list : found)
        for (int p : list)
            colour_[p] = -1;
    if (meets)
        return;
    region.encloses = true;
    region.points = std::move(found[done]);
    std::sort(region.points.begin(), region.points.end());
}

void ContourTracer::enclose(Contour& contour, int side) {
    cut_.clear();
    for (std::size_t i = 0; i < contour.crossings.size(); ++i)
        if (contour.side[i] == side)
            cut_.push_back(surfaces_.edges[contour.crossings[i].edge]);
    std::sort(cut_.begin(), cut_.end());
    // An edge that is cut twice has its ends on the same side.
    std::size_t kept = 0;
    for (std::size_t i = 0; i < cut_.size();) {
        std::size_t end = i;
        while (end < cut_.size() && cut_[end] == cut_[i])
            ++end;
        if ((end - i) % 2 == 1)
            cut_[kept++] = cut_[i];
        i = end;
    }
    cut_.resize(kept);
    if (cut_.empty()) {
        contour.regions[side].encloses = contour.closed;
        return;
    }
    std::vector<int> rim;
    if (colour_rim(contour, side, rim))
        fill(contour.regions[side], rim);
    for (int p : rim)
        colour_[p] = -1;
}

void ContourTracer::trace(std::span<const Interference> crossings, std::vector<Contour>& out) {
    out.clear();
    link(crossings);
    side_.assign(crossings.size(), -1);
    for (std::size_t c = 0; c < crossings.size(); ++c) {
        if (side_[c] >= 0)
            continue;
        out.push_back(gather(crossings, static_cast<int>(c)));
        if (!out.back().one_sided)
            for (int side = 0; side < 2; ++side)
                enclose(out.back(), side);
    }
}

} // namespace muslin
