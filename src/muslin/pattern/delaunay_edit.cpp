// Fixed sides, vertices that come and go, and changes that can be taken back.
#include "muslin/pattern/delaunay.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace muslin {
namespace {

int sign(std::int64_t x) {
    return (x > 0) - (x < 0);
}

} // namespace

/// A triangle at a vertex from which all others are reached counter-clockwise.
int Delaunay::first_at(int vertex) const {
    const int start = triangle_of_[vertex];
    for (int t = start;;) {
        const int before = neighbours_[t][(corner_of(t, vertex) + 2) % 3];
        if (before < 0 || before == start)
            return t;
        t = before;
    }
}

std::array<int, 2> Delaunay::find_side(int a, int b) const {
    const int start = first_at(a);
    int t = start;
    do {
        const int k = corner_of(t, a);
        if (triangles_[t][(k + 1) % 3] == b)
            return {t, (k + 2) % 3};
        t = neighbours_[t][(k + 1) % 3];
    } while (t != start && t >= 0);
    return {-1, -1};
}

/// The sides that the segment from a to b crosses, from right to left; false where it runs through
/// a vertex or crosses a fixed side.
bool Delaunay::find_crossed(int a, int b, std::vector<std::array<int, 2>>& crossed) const {
    const auto side_of = [&](int v) {
        return sign(doubled_area(points_[a], points_[b], points_[v]));
    };
    int t = first_at(a);
    const int start = t;
    for (;;) {
        const int k = corner_of(t, a);
        if (side_of(triangles_[t][(k + 1) % 3]) < 0 && side_of(triangles_[t][(k + 2) % 3]) > 0)
            break; // the segment leaves a through this triangle
        t = neighbours_[t][(k + 1) % 3];
        if (t == start || t < 0)
            return false;
    }
    int corner = corner_of(t, a);
    for (;;) {
        if (is_fixed(t, corner))
            return false;
        const int right = triangles_[t][(corner + 1) % 3], left = triangles_[t][(corner + 2) % 3];
        crossed.push_back({right, left});
        const int u = neighbours_[t][corner], apex = triangles_[u][corner_towards(u, t)];
        if (apex == b)
            return true;
        const int side = side_of(apex);
        if (side == 0)
            return false;
        corner = corner_of(u, side > 0 ? left : right);
        t = u;
    }
}

bool Delaunay::fix(int a, int b) {
    // Sides that cross the segment flip until none does (Sloan 1993).
    std::vector<std::array<int, 2>> crossed;
    if (find_side(a, b)[0] < 0 && find_side(b, a)[0] < 0 && !find_crossed(a, b, crossed))
        return false;
    const auto side_of = [&](int v) {
        return sign(doubled_area(points_[a], points_[b], points_[v]));
    };
    const std::size_t limit = 64 + 16 * crossed.size() * crossed.size();
    for (std::size_t next = 0; next < crossed.size(); ++next) {
        if (next > limit)
            return false;
        const auto [right, left] = crossed[next];
        const auto [t, corner] = find_side(right, left);
        const int u = neighbours_[t][corner], j = corner_towards(u, t);
        const int p = triangles_[t][corner], q = triangles_[u][j];
        if (doubled_area(points_[p], points_[right], points_[q]) <= 0 ||
            doubled_area(points_[q], points_[left], points_[p]) <= 0) {
            crossed.push_back({right, left});
            continue;
        }
        flip(t, corner, u, j);
        const int p_side = p == a || p == b ? 0 : side_of(p),
                  q_side = q == a || q == b ? 0 : side_of(q);
        if (p_side * q_side < 0)
            crossed.push_back(p_side < 0 ? std::array{p, q} : std::array{q, p});
    }
    auto side = find_side(a, b);
    if (side[0] < 0)
        side = find_side(b, a);
    const auto [t, corner] = side;
    if (t < 0)
        return false;
    const int u = neighbours_[t][corner];
    fixed_[t] = static_cast<std::uint8_t>(fixed_[t] | 1 << corner);
    if (u >= 0)
        fixed_[u] = static_cast<std::uint8_t>(fixed_[u] | 1 << corner_towards(u, t));
    return true;
}

void Delaunay::mark_inside() {
    std::vector<std::uint8_t> seen(triangles_.size(), 0);
    std::vector<int> now, next; // triangles at this depth, and across fixed sides from them
    for (int t = 0; t < static_cast<int>(triangles_.size()); ++t)
        if (triangles_[t][0] >= 0 &&
            *std::min_element(neighbours_[t].begin(), neighbours_[t].end()) < 0)
            now.push_back(t);
    for (std::uint8_t inside = 0; !now.empty(); inside ^= 1) {
        while (!now.empty()) {
            const int t = now.back();
            now.pop_back();
            if (seen[t])
                continue;
            seen[t] = 1;
            inside_[t] = inside;
            for (int k = 0; k < 3; ++k)
                if (const int u = neighbours_[t][k]; u >= 0 && !seen[u])
                    (is_fixed(t, k) ? next : now).push_back(u);
        }
        now.swap(next);
    }
}

/// The neighbour to go to from a triangle to come nearer to a point, `turn` saying which side is
/// looked at first; the triangle itself where it holds the point.
int Delaunay::step_towards(int t, LatticePoint p, std::size_t turn) const {
    const auto& v = triangles_[t];
    for (std::size_t n = 0; n < 3; ++n) {
        const std::size_t k = (n + turn) % 3;
        if (doubled_area(points_[v[(k + 1) % 3]], points_[v[(k + 2) % 3]], p) < 0)
            return neighbours_[t][k];
    }
    return t;
}

int Delaunay::locate(LatticePoint p) {
    const int count = static_cast<int>(triangles_.size());
    int t = walk_from_;
    if (t >= count || triangles_[t][0] < 0)
        for (t = 0; triangles_[t][0] < 0;)
            ++t;
    // Fixed sides can send a walk in circles: it has an end, and then all are looked at.
    for (std::size_t step = 0; step < 64 + triangles_.size() / 4 && t >= 0; ++step) {
        const int next = step_towards(t, p, step);
        if (next == t)
            return walk_from_ = t;
        t = next;
    }
    for (t = 0; t < count; ++t)
        if (triangles_[t][0] >= 0 && step_towards(t, p, 0) == t)
            return walk_from_ = t;
    throw std::logic_error("Delaunay::locate: a point outside the hull");
}

int Delaunay::new_triangle() {
    int t;
    if (!spare_.empty() && !record_.on) {
        t = spare_.back();
        spare_.pop_back();
    } else {
        t = static_cast<int>(triangles_.size());
        triangles_.push_back({-1, -1, -1});
        neighbours_.push_back({-1, -1, -1});
        fixed_.push_back(0);
        inside_.push_back(0);
        if (record_.on)
            record_.noted.push_back(1);
    }
    return t;
}

int Delaunay::insert(LatticePoint p) {
    static constexpr std::array<std::array<int, 2>, 5> nudges = {
        {{0, 0}, {2, 1}, {-1, 2}, {-2, -1}, {1, -2}}};
    for (const auto& [x, y] : nudges) {
        const LatticePoint at = {p.x + x, p.y + y};
        const int t = locate(at);
        const auto& v = triangles_[t];
        if (doubled_area(points_[v[0]], points_[v[1]], at) > 0 &&
            doubled_area(points_[v[1]], points_[v[2]], at) > 0 &&
            doubled_area(points_[v[2]], points_[v[0]], at) > 0)
            return split(t, at);
    }
    return -1;
}

int Delaunay::split(int t, LatticePoint p) {
    if (record_.on)
        note(t);
    const int v = static_cast<int>(points_.size());
    points_.push_back(p);
    triangle_of_.push_back(t);
    const auto [a, b, c] = triangles_[t];
    const auto [across_a, across_b, across_c] = neighbours_[t];
    const std::uint8_t fixed = fixed_[t];
    const int u = new_triangle(), w = new_triangle();
    // t = (a, b, v), u = (b, c, v), w = (c, a, v).
    triangles_[t] = {a, b, v};
    triangles_[u] = {b, c, v};
    triangles_[w] = {c, a, v};
    neighbours_[t] = {u, w, across_c};
    neighbours_[u] = {w, t, across_a};
    neighbours_[w] = {t, u, across_b};
    fixed_[t] = static_cast<std::uint8_t>((fixed >> 2 & 1) << 2);
    fixed_[u] = static_cast<std::uint8_t>((fixed & 1) << 2);
    fixed_[w] = static_cast<std::uint8_t>((fixed >> 1 & 1) << 2);
    inside_[u] = inside_[w] = inside_[t];
    for (const auto& [across, mine] : {std::pair{across_a, u}, std::pair{across_b, w}})
        if (across >= 0) {
            if (record_.on)
                note(across);
            neighbours_[across][corner_towards(across, t)] = mine;
        }
    triangle_of_[a] = w;
    triangle_of_[b] = triangle_of_[c] = u;
    pending_.insert(pending_.end(), {t, u, w});
    restore_pending();
    return v;
}

/// Flips a side at a vertex away, so that the vertex has one neighbour less.
bool Delaunay::cut_ear(int vertex, bool last) {
    const int start = triangle_of_[vertex];
    int t = start;
    do {
        // t = (vertex, before, at), u = (vertex, at, after).
        const int k = corner_of(t, vertex), u = neighbours_[t][(k + 1) % 3];
        const LatticePoint before = points_[triangles_[t][(k + 1) % 3]],
                           at = points_[triangles_[t][(k + 2) % 3]],
                           after = points_[triangles_[u][(corner_of(u, vertex) + 2) % 3]];
        const auto rest = doubled_area(before, after, points_[vertex]);
        if (doubled_area(before, at, after) > 0 && (rest > 0 || (last && rest == 0))) {
            flip(t, (k + 1) % 3, u, corner_towards(u, t));
            return true;
        }
        t = u;
    } while (t != start);
    return false;
}

void Delaunay::remove(int vertex) {
    const auto view = ring(vertex);
    const std::vector<int> around(view.begin(), view.end());
    for (std::size_t degree = around.size(); degree > 3; --degree)
        if (!cut_ear(vertex, degree == 4))
            throw std::logic_error("Delaunay::remove: not an inner vertex");
    const int t = triangle_of_[vertex], k = corner_of(t, vertex);
    const int u = neighbours_[t][(k + 1) % 3], w = neighbours_[t][(k + 2) % 3];
    // t = (vertex, a, b), u = (vertex, b, c), w = (vertex, c, a) become t = (c, a, b).
    const int a = triangles_[t][(k + 1) % 3], b = triangles_[t][(k + 2) % 3];
    const int ku = corner_of(u, vertex), kw = corner_of(w, vertex), c = triangles_[u][(ku + 2) % 3];
    const int across_u = neighbours_[u][ku], across_w = neighbours_[w][kw],
              across_t = neighbours_[t][k];
    const int fixed =
        (fixed_[t] >> k & 1) | (fixed_[u] >> ku & 1) << 1 | (fixed_[w] >> kw & 1) << 2;
    if (record_.on)
        for (const int x : {t, u, w})
            note(x);
    for (const auto& [across, mine] : {std::pair{across_u, u}, std::pair{across_w, w}})
        if (across >= 0) {
            if (record_.on)
                note(across);
            neighbours_[across][corner_towards(across, mine)] = t;
        }
    triangles_[t] = {c, a, b};
    neighbours_[t] = {across_t, across_u, across_w};
    fixed_[t] = static_cast<std::uint8_t>(fixed);
    for (const int x : {u, w}) {
        triangles_[x] = {-1, -1, -1};
        spare_.push_back(x);
    }
    triangle_of_[vertex] = -1;
    triangle_of_[a] = triangle_of_[b] = triangle_of_[c] = t;
    walk_from_ = t;
    for (const int x : around)
        restore_around(x);
}

void Delaunay::restore_around(int vertex) {
    const int start = first_at(vertex);
    int t = start;
    do {
        pending_.push_back(t);
        t = neighbours_[t][(corner_of(t, vertex) + 1) % 3];
    } while (t != start && t >= 0);
    restore_pending();
}

void Delaunay::record() {
    record_.noted.resize(triangles_.size(), 0);
    record_.on = true;
    record_.first_new = static_cast<int>(triangles_.size());
    record_.spare_before = spare_.size();
    record_.points_before = points_.size();
}

void Delaunay::accept() {
    for (const Before& b : record_.changed)
        record_.noted[b.triangle] = 0;
    std::fill(record_.noted.begin() + record_.first_new, record_.noted.end(), std::uint8_t{0});
    record_.changed.clear();
    record_.moved.clear();
    record_.on = false;
}

void Delaunay::note(int triangle) {
    if (record_.noted[triangle])
        return;
    record_.noted[triangle] = 1;
    record_.changed.push_back({triangle, triangles_[triangle], neighbours_[triangle],
                               fixed_[triangle], inside_[triangle]});
}

void Delaunay::note_ring(int vertex) {
    const int start = triangle_of_[vertex];
    int t = start;
    do {
        note(t);
        t = neighbours_[t][(corner_of(t, vertex) + 1) % 3];
    } while (t != start);
}

LatticePoint Delaunay::point_before(int vertex) const {
    for (const Place& place : record_.moved)
        if (place.vertex == vertex)
            return place.point;
    return points_[vertex];
}

void Delaunay::undo() {
    for (auto place = record_.moved.rbegin(); place != record_.moved.rend(); ++place)
        points_[place->vertex] = place->point;
    points_.resize(record_.points_before);
    triangle_of_.resize(record_.points_before);
    triangles_.resize(record_.first_new);
    neighbours_.resize(record_.first_new);
    fixed_.resize(record_.first_new);
    inside_.resize(record_.first_new);
    record_.noted.resize(record_.first_new);
    spare_.resize(record_.spare_before);
    for (const Before& b : record_.changed) {
        triangles_[b.triangle] = b.corners;
        neighbours_[b.triangle] = b.neighbours;
        fixed_[b.triangle] = b.fixed;
        inside_[b.triangle] = b.inside;
        for (const int v : b.corners)
            triangle_of_[v] = b.triangle;
        record_.noted[b.triangle] = 0;
    }
    record_.changed.clear();
    record_.moved.clear();
    walk_from_ = 0;
    record_.on = false;
}

} // namespace muslin
