#include "muslin/collision/response/separation.h"

#include "muslin/kernels/distance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace muslin {
namespace {

TrianglePoints corners(const Surfaces& surfaces, std::span<const Vec3> points, int triangle) {
    const auto& [a, b, c] = surfaces.triangles[triangle];
    return {points[a], points[b], points[c]};
}

double way_past_all(const Surfaces& surfaces, std::span<const Vec3> points, int first,
                    std::span<const int> others, const Vec3& direction) {
    const TrianglePoints t = corners(surfaces, points, first);
    double way = -HUGE_VAL;
    for (const int other : others)
        way = std::max(way, way_past(t, corners(surfaces, points, other), direction));
    return way;
}

// From the second triangle to the first, where they are closest; nothing where they touch.
Vec3 closest_difference(const TrianglePoints& a, const TrianglePoints& b) {
    double least = HUGE_VAL;
    Vec3 difference = {0, 0, 0};
    const auto keep = [&](double squared, const Vec3& d) {
        if (squared < least) {
            least = squared;
            difference = d;
        }
    };
    const auto on = [](const TrianglePoints& t, const Vec3& w) {
        return w.x * t[0] + w.y * t[1] + w.z * t[2];
    };
    for (int k = 0; k < 3; ++k) {
        const auto of_a = vertex_face_distance(a[k], b[0], b[1], b[2]);
        keep(of_a.squared, a[k] - on(b, of_a.weights));
        const auto of_b = vertex_face_distance(b[k], a[0], a[1], a[2]);
        keep(of_b.squared, on(a, of_b.weights) - b[k]);
        for (int j = 0; j < 3; ++j) {
            const Vec3 &p = a[k], &q = a[(k + 1) % 3], &r = b[j], &s = b[(j + 1) % 3];
            const auto d = edge_edge_distance(p, q, r, s);
            keep(d.squared, (p + d.s * (q - p)) - (r + d.t * (s - r)));
        }
    }
    return difference;
}

// How far the corners of a triangle and of polygons moved against each other, at most.
double way_of_step(const Surfaces& surfaces, std::span<const Vec3> begin, std::span<const Vec3> end,
                   int triangle, std::span<const int> polygons) {
    const auto furthest = [&](int t) {
        double most = 0;
        for (const int p : surfaces.triangles[t])
            most = std::max(most, norm(end[p] - begin[p]));
        return most;
    };
    double others = 0;
    for (const int polygon : polygons)
        others = std::max(others, furthest(polygon));
    return furthest(triangle) + others;
}

Contact corner_contact(const Surfaces& surfaces, int point, int triangle, const Vec3& weights,
                       const Vec3& normal) {
    Contact c = make_contact(surfaces, {point, triangle}, false);
    c.weights = {1, -weights.x, -weights.y, -weights.z};
    c.normal = normal;
    return c;
}

// Edge k of a triangle runs from its corner k; the edge of the surfaces may run the other way.
std::array<double, 2> along_edge(const Surfaces& surfaces, int triangle, int k,
                                 const Vec3& weights) {
    const int from = surfaces.triangles[triangle][k];
    const double s = weights[k], t = weights[(k + 1) % 3];
    return surfaces.edges[surfaces.triangle_edges[triangle][k]][0] == from ? std::array{s, t}
                                                                           : std::array{t, s};
}

Contact meeting_contact(const Surfaces& surfaces, int first, int second, const Meeting& m,
                        const Vec3& direction) {
    if (m.kind == Meeting::Kind::corner_of_first)
        return corner_contact(surfaces, surfaces.triangles[first][m.first], second,
                              m.second_weights, direction);
    if (m.kind == Meeting::Kind::corner_of_second)
        return corner_contact(surfaces, surfaces.triangles[second][m.second], first,
                              m.first_weights, -direction);
    Contact c = make_contact(
        surfaces,
        {surfaces.triangle_edges[first][m.first], surfaces.triangle_edges[second][m.second]}, true);
    const auto of_first = along_edge(surfaces, first, m.first, m.first_weights);
    const auto of_second = along_edge(surfaces, second, m.second, m.second_weights);
    c.weights = {of_first[0], of_first[1], -of_second[0], -of_second[1]};
    c.normal = direction;
    return c;
}

} // namespace

Vec3 triangle_normal(const Surfaces& surfaces, std::span<const Vec3> points, int triangle) {
    const auto& [a, b, c] = surfaces.triangles[triangle];
    const Vec3 n = cross(points[b] - points[a], points[c] - points[a]);
    const double length = norm(n);
    return length > 0 ? (1 / length) * n : Vec3{0, 0, 0};
}

WayOut mean_normal_way(const Surfaces& surfaces, std::span<const Vec3> begin,
                       std::span<const Vec3> end, int triangle, std::span<const int> polygons) {
    // Bodies of many small polygons: any few of them speak for the rest.
    constexpr std::size_t most_tried = 8;
    const auto tried = polygons.first(std::min(polygons.size(), most_tried));
    WayOut best = {{0, 0, 0}, HUGE_VAL};
    // A little shorter is no reason to leave what came before, the mean first of all.
    const auto try_direction = [&](const Vec3& direction) {
        if (const double way = way_past_all(surfaces, end, triangle, polygons, direction);
            way < 0.9 * best.way)
            best = {direction, way};
    };
    Vec3 sum = {0, 0, 0};
    for (const int polygon : polygons)
        sum += triangle_normal(surfaces, end, polygon);
    if (const double length = norm(sum); length > 0.1 * static_cast<double>(polygons.size()))
        try_direction((1 / length) * sum);
    if (polygons.size() > 1)
        for (const int polygon : tried)
            if (const Vec3 n = triangle_normal(surfaces, end, polygon); dot(n, n) > 0)
                try_direction(n);
    if (best.way <= 1.5 * way_of_step(surfaces, begin, end, triangle, polygons))
        return best;
    const TrianglePoints before = corners(surfaces, begin, triangle);
    for (const int polygon : tried) {
        const Vec3 d = closest_difference(before, corners(surfaces, begin, polygon));
        if (const double length = norm(d); length > 1e-9 * norm(before[1] - before[0]))
            try_direction((1 / length) * d);
    }
    return best;
}

WayOut way_apart(const Surfaces& surfaces, std::span<const Vec3> begin, std::span<const Vec3> end,
                 int first, int second, bool crossed_before) {
    const TrianglePoints a = corners(surfaces, end, first), b = corners(surfaces, end, second);
    if (!crossed_before) {
        const Vec3 d =
            closest_difference(corners(surfaces, begin, first), corners(surfaces, begin, second));
        const double length = norm(d);
        if (length > 1e-12 * (norm(a[1] - a[0]) + norm(b[1] - b[0]))) {
            const Vec3 direction = (1 / length) * d;
            return {direction, way_past(a, b, direction)};
        }
    }
    WayOut best = {{0, 0, 0}, HUGE_VAL};
    for (const int t : {first, second})
        for (const double sign : {1.0, -1.0}) {
            const Vec3 n = sign * triangle_normal(surfaces, end, t);
            if (!(dot(n, n) > 0))
                continue;
            if (const double way = way_past(a, b, n); way < best.way)
                best = {n, way};
        }
    return best;
}

void append_contacts(const Surfaces& surfaces, std::span<const Vec3> points, int first,
                     std::span<const int> others, const Vec3& direction, double gap,
                     std::vector<Contact>& out) {
    struct Found {
        Meeting meeting;
        int other;
    };
    const TrianglePoints t = corners(surfaces, points, first);
    std::array<std::optional<Found>, 3> corner; // the furthest of each corner of the first
    std::optional<Found> furthest;              // of the rest
    const auto keep = [](std::optional<Found>& kept, const Meeting& m, int other) {
        if (m.way > 0 && (!kept || m.way > kept->meeting.way))
            kept = {m, other};
    };
    for (const int other : others)
        visit_meetings(t, corners(surfaces, points, other), direction, [&](const Meeting& m) {
            keep(m.kind == Meeting::Kind::corner_of_first ? corner[m.first] : furthest, m, other);
        });
    double deepest = 0;
    const auto add = [&](const Found& found) {
        out.push_back(meeting_contact(surfaces, first, found.other, found.meeting, direction));
        out.back().thickness = gap;
        deepest = std::max(deepest, found.meeting.way);
    };
    for (const auto& found : corner)
        if (found)
            add(*found);
    // Where a corner lies on an edge of the other, edges cross there too.
    if (furthest && furthest->meeting.way > (1 + 1e-6) * deepest)
        add(*furthest);
}

} // namespace muslin
