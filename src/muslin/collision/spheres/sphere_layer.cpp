#include "muslin/collision/spheres/sphere_layer.h"

#include "muslin/base/error.h"
#include "muslin/collision/spheres/sphere_cover.h"
#include "muslin/mesh/topology.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <numbers>

namespace muslin {
namespace {

double longest_edge(const RestTriangle& t) {
    return std::max({norm(t[1] - t[0]), norm(t[2] - t[1]), norm(t[0] - t[2])});
}

double mean_edge(std::span<const RestTriangle> rest) {
    double sum = 0;
    for (const RestTriangle& t : rest)
        sum += norm(t[1] - t[0]) + norm(t[2] - t[1]) + norm(t[0] - t[2]);
    return sum / (3 * std::max<double>(1, static_cast<double>(rest.size())));
}

std::size_t index_of(const std::vector<std::array<int, 2>>& edges, int a, int b) {
    const std::array<int, 2> edge = {std::min(a, b), std::max(a, b)};
    return std::lower_bound(edges.begin(), edges.end(), edge) - edges.begin();
}

// Where the middle of one of its spheres lies in the plane of a triangle.
Vec2 place_in(const std::array<int, 3>& triangle, const RestTriangle& rest,
              const SurfaceSphere& sphere) {
    Vec2 sum = {0, 0};
    for (int k = 0; k < 3; ++k)
        for (int corner = 0; corner < 3; ++corner)
            if (sphere.weights[k] != 0 && triangle[corner] == sphere.points[k])
                sum = sum + sphere.weights[k] * rest[corner];
    return sum;
}

} // namespace

SphereLayer::SphereLayer(std::span<const std::array<int, 3>> triangles,
                         std::span<const RestTriangle> rest, const SphereLayerSettings& settings)
    : radius_(settings.radius > 0 ? settings.radius : mean_edge(rest) / 2) {
    check_count(rest, settings);
    const double covered = radius_ / (1 + settings.stretch);
    std::vector<std::array<int, 2>> of; // (triangle, sphere)

    for (const auto& triangle : triangles)
        for (const int p : triangle) {
            if (static_cast<std::size_t>(p) >= at_point_.size())
                at_point_.resize(p + 1, -1);
            if (at_point_[p] < 0) {
                at_point_[p] = count();
                spheres_.push_back({{p, p, p}, {1, 0, 0}});
            }
        }

    const std::vector<std::array<int, 2>> edges = build_topology(triangles).edges;
    std::vector<double> lengths(edges.size(), 0.0); // the longer, where panels differ
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (int k = 0; k < 3; ++k) {
            double& length = lengths[index_of(edges, triangles[t][k], triangles[t][(k + 1) % 3])];
            length = std::max(length, norm(rest[t][(k + 1) % 3] - rest[t][k]));
        }
    std::vector<int> first_of_edge(edges.size() + 1);
    for (std::size_t e = 0; e < edges.size(); ++e) {
        first_of_edge[e] = count();
        const int parts = edge_parts(lengths[e], covered);
        for (int k = 1; k < parts; ++k) {
            const double along = static_cast<double>(k) / parts;
            spheres_.push_back({{edges[e][0], edges[e][1], edges[e][0]}, {1 - along, along, 0}});
        }
    }
    first_of_edge[edges.size()] = count();

    TriangleCover cover(covered);
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        const auto& triangle = triangles[t];
        const std::size_t first = of.size();
        const int id = static_cast<int>(t);
        for (int k = 0; k < 3; ++k) {
            of.push_back({id, at_point_[triangle[k]]});
            const std::size_t e = index_of(edges, triangle[k], triangle[(k + 1) % 3]);
            for (int s = first_of_edge[e]; s < first_of_edge[e + 1]; ++s)
                of.push_back({id, s});
        }
        cover.start(rest[t]);
        for (std::size_t k = first; k < of.size(); ++k)
            cover.add(place_in(triangle, rest[t], spheres_[of[k][1]]));
        for (const Vec3& w : cover.fill()) {
            of.push_back({id, count()});
            spheres_.push_back({triangle, {w.x, w.y, w.z}});
        }
    }
    of_triangle_.build(triangles.size(), [&](auto&& pair) {
        for (const auto& [triangle, sphere] : of)
            pair(triangle, sphere);
    });
}

// A guess from below, before time and memory are spent.
void SphereLayer::check_count(std::span<const RestTriangle> rest,
                              const SphereLayerSettings& settings) const {
    const double covered = radius_ / (1 + settings.stretch);
    double spheres = 0, area = 0;
    for (const RestTriangle& t : rest) {
        area += std::abs(cross(t[1] - t[0], t[2] - t[0])) / 2;
        // Its edges, half of them its own, where it is too thin to have an inside.
        spheres += 0.5 * longest_edge(t) / (std::numbers::sqrt3 * covered);
    }
    spheres += area / (1.5 * std::numbers::sqrt3 * covered * covered);
    if (!(spheres <= static_cast<double>(settings.most)))
        throw InputError({{},
                          "contact.sphere_radius",
                          fmt::format("a radius with which {} spheres suffice", settings.most),
                          fmt::format("{:.3g} m, which needs about {:.2g} on {:.3g} m^2", radius_,
                                      spheres, area),
                          "their number grows as area / radius^2"});
}

Rows SphereLayer::neighbours(std::span<const std::array<int, 3>> triangles,
                             std::span<const RestTriangle> rest, double reach,
                             std::span<const std::vector<int>> joints) const {
    // A graph of middles that are near within a triangle.
    struct Hop {
        int to;
        double length;
    };
    std::vector<std::vector<Hop>> links(spheres_.size());
    const auto join = [&](int a, int b, double length) {
        links[a].push_back({b, length});
        links[b].push_back({a, length});
    };
    std::vector<std::pair<Vec2, int>> places;
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        places.clear();
        for (const int s : of_triangle(t))
            places.push_back({place_in(triangles[t], rest[t], spheres_[s]), s});
        std::sort(places.begin(), places.end(), [](const auto& a, const auto& b) {
            return a.first.x != b.first.x ? a.first.x < b.first.x : a.second < b.second;
        });
        for (std::size_t i = 0; i < places.size(); ++i)
            for (std::size_t j = i + 1; j < places.size(); ++j) {
                if (places[j].first.x - places[i].first.x > reach)
                    break;
                const double length = norm(places[j].first - places[i].first);
                if (length <= reach)
                    join(places[i].second, places[j].second, length);
            }
    }
    for (const std::vector<int>& joint : joints)
        for (const int p : joint)
            if (const int a = at_point(joint.front()), b = at_point(p); a >= 0 && b >= 0 && a != b)
                join(a, b, 0);

    // Dijkstra's shortest paths from each, as far as `reach`.
    std::vector<std::array<int, 2>> near;
    std::vector<double> distance(spheres_.size(), HUGE_VAL);
    std::vector<int> met;
    using Item = std::pair<double, int>;
    std::vector<Item> heap;
    for (int from = 0; from < count(); ++from) {
        met.assign(1, from);
        distance[from] = 0;
        heap.assign(1, {0.0, from});
        while (!heap.empty()) {
            std::pop_heap(heap.begin(), heap.end(), std::greater<>());
            const auto [d, s] = heap.back();
            heap.pop_back();
            if (d > distance[s])
                continue;
            for (const auto& [to, length] : links[s]) {
                const double longer = d + length;
                if (longer > reach || longer >= distance[to])
                    continue;
                if (distance[to] == HUGE_VAL)
                    met.push_back(to);
                distance[to] = longer;
                heap.push_back({longer, to});
                std::push_heap(heap.begin(), heap.end(), std::greater<>());
            }
        }
        std::sort(met.begin(), met.end());
        for (const int s : met) {
            distance[s] = HUGE_VAL;
            if (s != from)
                near.push_back({from, s});
        }
    }
    Rows rows;
    rows.build(spheres_.size(), [&](auto&& pair) {
        for (const auto& [from, to] : near)
            pair(from, to);
    });
    return rows;
}

RestTriangle flatten(const Vec3& a, const Vec3& b, const Vec3& c) {
    const double length = norm(b - a);
    if (length == 0)
        return {Vec2{0, 0}, Vec2{0, 0}, Vec2{norm(c - a), 0}};
    const Vec3 u = (1 / length) * (b - a);
    const double along = dot(c - a, u);
    return {Vec2{0, 0}, Vec2{length, 0}, Vec2{along, norm(c - a - along * u)}};
}

} // namespace muslin
