#include "muslin/collision/detect/body_offset.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace muslin {
namespace {

// No vertex moves further than this many gaps: a needle would have no end.
constexpr double longest_move = 3;
constexpr int most_rounds = 200;

// The least move that takes a point past all planes: from plane to plane, each giving back what it
// moved too far before, until nothing changes [Hildreth 1957]. `pushed` is scratch: by how much
// each plane pushes.
Vec3 move_past(std::span<const int> triangles, std::span<const Vec3> normals, double gap,
               std::vector<double>& pushed) {
    Vec3 move = {0, 0, 0};
    pushed.assign(triangles.size(), 0.0);
    for (int round = 0; round < most_rounds; ++round) {
        double worst = 0;
        for (std::size_t k = 0; k < triangles.size(); ++k) {
            const Vec3& n = normals[triangles[k]];
            if (!(dot(n, n) > 0))
                continue;
            const double push = std::max(gap - dot(n, move), -pushed[k]);
            pushed[k] += push;
            move += push * n;
            worst = std::max(worst, std::abs(push));
        }
        if (worst <= 1e-6 * gap)
            break;
    }
    // Planes that are nearly one make the last part slow: what little is left, all at once.
    double least = gap;
    for (const int t : triangles)
        if (dot(normals[t], normals[t]) > 0)
            least = std::min(least, dot(normals[t], move));
    if (least > 0)
        move = (gap / least) * move;
    const double length = norm(move);
    return length > longest_move * gap ? (longest_move * gap / length) * move : move;
}

} // namespace

BodyOffset::BodyOffset(const Surfaces& surfaces, double cloth)
    : surfaces_(surfaces), cloth_(cloth) {
    const int particles = surfaces.particle_count();
    std::vector<Vec3> points(surfaces.point_count());
    surfaces.place_bodies(0, points);
    place_.resize(points.size() - particles);
    for (std::size_t i = 0; i < place_.size(); ++i)
        place_[i] = static_cast<int>(i);
    // A mesh cut along its edges is put together again; one that is whole is left alone, as parts
    // of it may touch others.
    for (int body = 0; body < surfaces.body_count(); ++body) {
        if (is_closed_by_index(body))
            continue;
        std::map<std::tuple<double, double, double>, int> first;
        const auto [begin, end] = surfaces.body_triangles(body);
        for (int t = begin; t < end; ++t)
            for (const int p : surfaces.triangles[t]) {
                const Vec3& x = points[p];
                place_[p - particles] =
                    first.try_emplace({x.x, x.y, x.z}, p - particles).first->second;
            }
    }
    const int cloth_triangles = surfaces.cloth_triangle_count();
    triangles_.build(place_.size(), [&](auto&& pair) {
        for (int t = cloth_triangles; t < static_cast<int>(surfaces.triangles.size()); ++t)
            for (const int p : surfaces.triangles[t])
                pair(place_[p - particles], t - cloth_triangles);
    });
    normals_.resize(surfaces.body_triangle_count());
    moves_.resize(place_.size());
}

bool BodyOffset::is_closed_by_index(int body) const {
    std::map<std::array<int, 2>, int> turns;
    const auto [begin, end] = surfaces_.body_triangles(body);
    for (int t = begin; t < end; ++t)
        for (int k = 0; k < 3; ++k) {
            const int a = surfaces_.triangles[t][k], b = surfaces_.triangles[t][(k + 1) % 3];
            turns[{std::min(a, b), std::max(a, b)}] += a < b ? 1 : -1;
        }
    return std::all_of(turns.begin(), turns.end(),
                       [](const auto& edge) { return edge.second == 0; });
}

void BodyOffset::apply(std::span<Vec3> points) {
    if (!known_ || surfaces_.bodies_move())
        find_moves(points);
    known_ = true;
    const auto particles = static_cast<std::size_t>(surfaces_.particle_count());
    for (std::size_t i = 0; i < moves_.size(); ++i)
        points[particles + i] += moves_[place_[i]];
}

void BodyOffset::find_moves(std::span<const Vec3> points) {
    const int first = surfaces_.cloth_triangle_count();
    for (std::size_t t = 0; t < normals_.size(); ++t) {
        const auto& [a, b, c] = surfaces_.triangles[first + t];
        const Vec3 n = cross(points[b] - points[a], points[c] - points[a]);
        const double length = norm(n);
        normals_[t] = length > 0 ? (1 / length) * n : Vec3{0, 0, 0};
    }
    const int particles = surfaces_.particle_count();
    for (std::size_t i = 0; i < moves_.size(); ++i)
        if (place_[i] == static_cast<int>(i))
            moves_[i] = move_past(triangles_[i], normals_,
                                  cloth_ + surfaces_.half_thickness[particles + i], pushed_);
}

} // namespace muslin
