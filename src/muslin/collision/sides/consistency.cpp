#include "muslin/collision/sides/consistency.h"

#include "muslin/base/parallel.h"
#include "muslin/kernels/crossing.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

constexpr std::size_t pair_grain = 256;
constexpr std::uint8_t surest = 255, most_by_memory = 200;
/// Of the votes of a region: from -1, all for one side, to 1, all for the other.
constexpr double least_majority = 0.4;

std::int8_t sign(double x, double least = 0) {
    return static_cast<std::int8_t>(x > least ? 1 : (x < -least ? -1 : 0));
}

ProximityKind kind_of(std::uint64_t pair) {
    return static_cast<ProximityKind>(pair >> 62);
}
int first_of(std::uint64_t pair) {
    return static_cast<int>((pair >> 31) & 0x7fffffff);
}
int second_of(std::uint64_t pair) {
    return static_cast<int>(pair & 0x7fffffff);
}

} // namespace

Consistency::Consistency(const Surfaces& surfaces, const Adjacency& adjacency,
                         ConsistencySettings settings)
    : surfaces_(surfaces), settings_(settings), walk_(surfaces, adjacency),
      normals_(surfaces, adjacency) {
    const int points = surfaces.point_count();
    boundary_edge_.assign(surfaces.edges.size(), 0);
    boundary_point_.assign(points, 0);
    solid_.assign(points, 1);
    std::fill_n(solid_.begin(), surfaces.particle_count(), std::uint8_t(0));
    std::vector<int> open;
    for (std::size_t e = 0; e < surfaces.edges.size(); ++e)
        if (adjacency.edge_triangles[e].size() != 2) {
            boundary_edge_[e] = 1;
            for (const int p : surfaces.edges[e]) {
                boundary_point_[p] = 1;
                if (solid_[p])
                    open.push_back(p);
                solid_[p] = 0;
            }
        }
    // What hangs together with a boundary has no inside.
    while (!open.empty()) {
        const int p = open.back();
        open.pop_back();
        for (const int e : adjacency.point_edges[p])
            for (const int q : surfaces.edges[e])
                if (solid_[q]) {
                    solid_[q] = 0;
                    open.push_back(q);
                }
    }
}

void Consistency::orient(const Step& step, std::span<const Proximity> near,
                         std::span<const Interference> crossing,
                         std::vector<OrientedContact>& out) {
    time_ = step.time;
    merge(step, near);
    parallel_for(pairs_.size(), pair_grain, [&](std::size_t from, std::size_t to) {
        for (std::size_t k = from; k < to; ++k)
            track(step, pairs_[k]);
    });
    turned_ = regions_ = 0;
    crossing_side_.assign(crossing.size(), 0);
    if (!crossing.empty())
        agree(step.end, crossing);
    out.clear();
    append_near(step.end, near, out);
    append_remnants(step.end, out);
    append_crossing(step.end, crossing, out);
}

// What is near and what is remembered, in the order of pairs.
void Consistency::merge(const Step& step, std::span<const Proximity> near) {
    pairs_.clear();
    const auto add = [&](std::uint64_t key) -> Pair& {
        Pair pair;
        pair.key = key;
        pair.kind = kind_of(key);
        pair.first = first_of(key);
        pair.second = second_of(key);
        pairs_.push_back(pair);
        return pairs_.back();
    };
    const auto recall = [&](Pair& pair, const RememberedSide& side) {
        pair.seen = side.seen;
        pair.side = side.side;
        pair.reliability = side.reliability;
    };
    std::size_t s = 0;
    const auto& sides = step.sides;
    const std::size_t remembered = settings_.enabled ? sides.size() : 0;
    const auto add_remnants = [&](std::uint64_t before, bool all) {
        for (; s < remembered && (all || sides[s].pair < before); ++s)
            if (step.time - sides[s].seen <= settings_.memory)
                recall(add(sides[s].pair), sides[s]);
    };
    for (std::size_t i = 0; i < near.size(); ++i) {
        const std::uint64_t key = near[i].pair();
        add_remnants(key, false);
        Pair& pair = add(key);
        if (s < remembered && sides[s].pair == key)
            recall(pair, sides[s++]);
        pair.near = static_cast<int>(i);
        pair.seen = step.time;
    }
    add_remnants(0, true);
}

// Where a pair belongs, by what is known of itself.
void Consistency::track(const Step& step, Pair& pair) const {
    pair.now = side_at(pair, step.end);
    if (const std::int8_t out = outside(pair, step.end); out != 0) {
        pair.side = out;
        pair.reliability = surest;
        return;
    }
    if (!settings_.enabled) {
        pair.side = pair.now;
        return;
    }
    const std::int8_t before = side_at(pair, step.begin);
    const bool changes = before != 0 && pair.now != 0 && before != pair.now;
    const bool crosses = changes && this->crosses(pair, step.begin, step.end);
    if (pair.side == 0) {
        pair.side = crosses ? before : pair.now;
        pair.reliability = 1;
        return;
    }
    if (changes && !crosses)
        pair.side = static_cast<std::int8_t>(-pair.side);
    if (pair.near < 0 || pair.now == 0)
        return;
    // The longer a pair has been where it belongs, the surer that is; and one that cannot be drawn
    // back is let be where it is, in the end.
    if (pair.side == pair.now) {
        if (pair.reliability < most_by_memory)
            ++pair.reliability;
    } else if (--pair.reliability == 0) {
        pair.side = pair.now;
        pair.reliability = 1;
    }
}

std::int8_t Consistency::side_at(const Pair& pair, std::span<const Vec3> at) const {
    constexpr double least_sine = 1e-3, least_cosine = 0.3;
    switch (pair.kind) {
    case ProximityKind::vertex_triangle: {
        const auto [a, b, c] = surfaces_.triangles[pair.second];
        return sign(dot(cross(at[b] - at[a], at[c] - at[a]), at[pair.first] - at[a]));
    }
    case ProximityKind::edge_edge: {
        const auto [a0, a1] = surfaces_.edges[pair.first];
        const auto [b0, b1] = surfaces_.edges[pair.second];
        const Vec3 u = at[a1] - at[a0], v = at[b1] - at[b0], across = cross(u, v);
        if (!(norm(across) > least_sine * norm(u) * norm(v)))
            return 0;
        return sign(dot(across, at[a0] - at[b0]));
    }
    case ProximityKind::vertex_edge: {
        const auto [b0, b1] = surfaces_.edges[pair.second];
        const Vec3& p = at[pair.first];
        const double t = closest_on_edge(p, at[b0], at[b1]);
        const Vec3 offset = p - ((1 - t) * at[b0] + t * at[b1]);
        return sign(dot(offset, normals_.edge(pair.second, at)), least_cosine * norm(offset));
    }
    case ProximityKind::vertex_vertex:
        break;
    }
    const Vec3 offset = at[pair.first] - at[pair.second];
    return sign(dot(offset, normals_.point(pair.second, at)), least_cosine * norm(offset));
}

// Shorter than 1 where it is not quite a direction: edges that are nearly parallel, a ridge.
Vec3 Consistency::reference(const Pair& pair, std::span<const Vec3> at) const {
    switch (pair.kind) {
    case ProximityKind::vertex_triangle:
        return normals_.triangle(pair.second, at);
    case ProximityKind::edge_edge: {
        const auto [a0, a1] = surfaces_.edges[pair.first];
        const auto [b0, b1] = surfaces_.edges[pair.second];
        const Vec3 u = at[a1] - at[a0], v = at[b1] - at[b0];
        const double size = norm(u) * norm(v);
        return size > 0 ? (1 / size) * cross(u, v) : Vec3{0, 0, 0};
    }
    case ProximityKind::vertex_edge:
        return normals_.edge(pair.second, at);
    case ProximityKind::vertex_vertex:
        break;
    }
    return normals_.point(pair.second, at);
}

std::array<Vec3, 2> Consistency::normals(const Pair& pair, std::span<const Vec3> at) const {
    switch (pair.kind) {
    case ProximityKind::vertex_triangle:
        return {normals_.point(pair.first, at), normals_.triangle(pair.second, at)};
    case ProximityKind::edge_edge:
        return {normals_.edge(pair.first, at), normals_.edge(pair.second, at)};
    case ProximityKind::vertex_edge:
        return {normals_.point(pair.first, at), normals_.edge(pair.second, at)};
    case ProximityKind::vertex_vertex:
        break;
    }
    return {normals_.point(pair.first, at), normals_.point(pair.second, at)};
}

// Whether the two met on the way. The marginal kinds pass each other's normal by crossing alone,
// but for boundaries, which can be gone around.
bool Consistency::crosses(const Pair& pair, std::span<const Vec3> begin,
                          std::span<const Vec3> end) const {
    switch (pair.kind) {
    case ProximityKind::vertex_triangle:
    case ProximityKind::edge_edge:
        return find_impact(make_contact(surfaces_, {pair.first, pair.second},
                                        pair.kind == ProximityKind::edge_edge),
                           begin, end)
            .has_value();
    case ProximityKind::vertex_edge:
        return !boundary_edge_[pair.second];
    case ProximityKind::vertex_vertex:
        break;
    }
    return !boundary_point_[pair.second];
}

// The side that is outside of a closed body; 0: none takes part, or its normal does not tell.
std::int8_t Consistency::outside(const Pair& pair, std::span<const Vec3> at) const {
    constexpr double least = 0.1;
    const auto points = walk_.ends(pair);
    const bool second = solid_[points[1][0]];
    if (!second && !solid_[points[0][0]])
        return 0;
    const auto n = normals(pair, at);
    const Vec3 direction = reference(pair, at);
    return second ? sign(dot(direction, n[1]), least) : sign(-dot(direction, n[0]), least);
}

// Walks from every interference over its region and lets it vote [Volino95 4.3].
void Consistency::agree(std::span<const Vec3> at, std::span<const Interference> crossing) {
    walk_.begin(pairs_, crossing);
    for (std::size_t i = 0; i < crossing.size(); ++i) {
        const auto region = walk_.collect(static_cast<int>(pairs_.size() + i), settings_.rings);
        if (region.empty())
            continue; // part of one before
        ++regions_;
        vote(at, crossing, region);
    }
    walk_.end();
}

void Consistency::vote(std::span<const Vec3> at, std::span<const Interference> crossing,
                       std::span<const RegionWalk::Member> region) {
    const int pairs = static_cast<int>(pairs_.size());
    // Of each of the two surfaces: on which side of it the other belongs, and out of how much.
    double votes[2] = {0, 0}, total[2] = {0, 0};
    bool remembered = false; // of any pair, that it has crossed
    for (const auto& [node, swapped] : region) {
        if (node >= pairs || pairs_[node].side == 0)
            continue;
        const Pair& pair = pairs_[node];
        remembered = remembered || (pair.now != 0 && pair.side != pair.now);
        const auto n = normals(pair, at);
        const Vec3 to_first = double(pair.side) * reference(pair, at);
        const double weight = pair.reliability * (pair.reliability == surest ? 100.0 : 1.0);
        votes[!swapped] += weight * dot(to_first, n[1]);
        votes[swapped] -= weight * dot(to_first, n[0]);
        total[!swapped] += weight;
        total[swapped] += weight;
    }
    for (int k = 0; k < 2; ++k)
        votes[k] = total[k] > 0 ? votes[k] / total[k] : 0;
    // Where the votes are divided, the surfaces are crumpled as finely as the mesh, and where
    // nobody remembers a crossing any more, the majority is as likely to be wrong as right: to draw
    // back any of them would tangle others.
    const bool divided =
        !remembered || std::abs(votes[0]) < least_majority || std::abs(votes[1]) < least_majority;
    const auto decide = [&](const Vec3& direction, const std::array<Vec3, 2>& n, bool swapped) {
        return sign(dot(direction, votes[!swapped] * n[1] - votes[swapped] * n[0]), 1e-3);
    };
    for (const auto& [node, swapped] : region) {
        if (node >= pairs) {
            if (divided)
                continue;
            const auto [edge, triangle] = crossing[node - pairs];
            const std::array<Vec3, 2> n = {normals_.edge(edge, at),
                                           normals_.triangle(triangle, at)};
            crossing_side_[node - pairs] = decide(n[1], n, swapped);
            continue;
        }
        Pair& pair = pairs_[node];
        if (!settings_.enabled || pair.reliability == surest)
            continue;
        pair.idle = divided;
        if (divided)
            continue;
        const std::int8_t side = decide(reference(pair, at), normals(pair, at), swapped);
        if (side == 0 || side == pair.side)
            continue;
        pair.side = side;
        pair.reliability = 1;
        ++turned_;
    }
}

void Consistency::append_near(std::span<const Vec3> at, std::span<const Proximity> near,
                              std::vector<OrientedContact>& out) const {
    for (const Pair& pair : pairs_) {
        if (pair.near < 0)
            continue;
        Contact contact = near[pair.near].contact;
        const bool wrong = pair.side != 0 && pair.now != 0 && pair.side != pair.now;
        const bool marginal =
            pair.kind != ProximityKind::vertex_triangle && pair.kind != ProximityKind::edge_edge;
        if (wrong && (marginal || pair.idle))
            continue; // what is nearest at an end has no direction to be drawn back along
        if (!marginal && pair.side != 0) {
            // Not the direction between the closest points: these may touch.
            const Vec3 direction = reference(pair, at);
            if (const double size = norm(direction); size > 0)
                contact.normal = (pair.side / size) * direction;
        }
        out.push_back({contact, wrong});
    }
}

// Vertices that went so far through a triangle that they are not near it any more.
void Consistency::append_remnants(std::span<const Vec3> at,
                                  std::vector<OrientedContact>& out) const {
    for (const Pair& pair : pairs_) {
        if (pair.near >= 0 || pair.kind != ProximityKind::vertex_triangle || pair.side == 0 ||
            pair.now == 0 || pair.side == pair.now || pair.idle)
            continue;
        Contact contact = make_contact(surfaces_, {pair.first, pair.second}, false);
        double distance;
        if (!set_closest(contact, at, distance) || distance > settings_.reach * contact.thickness)
            continue;
        contact.normal = -contact.normal;
        out.push_back({contact, true});
    }
}

// Of an edge that passes through a triangle, the end that is on the wrong side is drawn back.
void Consistency::append_crossing(std::span<const Vec3> at, std::span<const Interference> crossing,
                                  std::vector<OrientedContact>& out) const {
    for (std::size_t i = 0; i < crossing.size(); ++i) {
        const double side = crossing_side_[i];
        if (side == 0)
            continue;
        const auto& [p, q] = surfaces_.edges[crossing[i].edge];
        const auto& [a, b, c] = surfaces_.triangles[crossing[i].triangle];
        const auto place = find_crossing(at[p], at[q], at[a], at[b], at[c]);
        const Vec3 normal = side * normals_.triangle(crossing[i].triangle, at);
        if (!place || dot(normal, normal) == 0)
            continue;
        const double p_height = dot(normal, at[p] - at[a]), q_height = dot(normal, at[q] - at[a]);
        Contact contact =
            make_contact(surfaces_, {p_height < q_height ? p : q, crossing[i].triangle}, false);
        if (std::min(p_height, q_height) < -settings_.reach * contact.thickness)
            continue;
        contact.weights = {1, -place->weights.x, -place->weights.y, -place->weights.z};
        contact.normal = normal;
        out.push_back({contact, true});
    }
}

void Consistency::remember(std::span<const Vec3> end, std::span<const Vec3> final,
                           std::vector<RememberedSide>& sides) {
    sides.clear();
    if (!settings_.enabled)
        return;
    parallel_for(pairs_.size(), pair_grain, [&](std::size_t from, std::size_t to) {
        for (std::size_t k = from; k < to; ++k) {
            Pair& pair = pairs_[k];
            if (pair.side == 0 || pair.reliability == surest || pair.now == 0)
                continue;
            const std::int8_t after = side_at(pair, final);
            if (after != 0 && after != pair.now && !crosses(pair, end, final))
                pair.side = static_cast<std::int8_t>(-pair.side);
        }
    });
    for (const Pair& pair : pairs_)
        if (pair.side != 0 && pair.reliability != surest)
            sides.push_back({pair.key, pair.seen, pair.side, pair.reliability});
}

} // namespace muslin
