// Closed shapes blended from balls.
#include "muslin/mesh/generators.h"
#include "muslin/mesh/mesh_builder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

namespace muslin {
namespace {

/// The surface that balls blend to: the zero of -blend log(sum exp(-d_i / blend)), d_i being the
/// distance to ball i.
class Blend {
public:
    explicit Blend(const SculptureSettings& s) : balls_(s.balls), width_(s.blend) {}

    struct Value {
        double distance;
        Vec3 gradient;
    };
    Value at(const Vec3& x) const {
        double nearest = HUGE_VAL;
        for (const SculptureBall& ball : balls_)
            nearest = std::min(nearest, norm(x - ball.center) - ball.radius);
        double sum = 0;
        Vec3 gradient = {0, 0, 0};
        for (const SculptureBall& ball : balls_) {
            const Vec3 away = x - ball.center;
            const double r = norm(away);
            const double weight = std::exp((nearest - (r - ball.radius)) / width_);
            sum += weight;
            if (r > 0)
                gradient += (weight / r) * away;
        }
        return {nearest - width_ * std::log(sum), (1 / sum) * gradient};
    }

    /// The last place outside on the way from far along `direction` to `from`.
    Vec3 seen_from(const Vec3& from, const Vec3& direction) const {
        double t = 0;
        for (const SculptureBall& ball : balls_)
            t = std::max(t, norm(ball.center - from) + ball.radius);
        t += width_ * std::log(double(balls_.size())) + width_;
        for (int k = 0; k < 200 && t > 0; ++k) { // the blend is nowhere steeper than a distance
            const double left = at(from + t * direction).distance;
            t -= left;
            if (left < 1e-9)
                break;
        }
        return from + std::max(t, 0.0) * direction;
    }

    /// The place of the surface that the gradient leads to.
    Vec3 onto(Vec3 x) const {
        for (int k = 0; k < 4; ++k) {
            const Value value = at(x);
            const double steep = dot(value.gradient, value.gradient);
            if (steep < 1e-4 || std::abs(value.distance) < 1e-12 * width_)
                break;
            x -= (value.distance / steep) * value.gradient;
        }
        return x;
    }

private:
    const std::vector<SculptureBall>& balls_;
    double width_;
};

/// The geodesic sphere: each side of an icosahedron cut in `frequency` parts.
class Geodesic {
public:
    explicit Geodesic(int frequency) : n_(frequency) {
        const double g = (1 + std::sqrt(5.0)) / 2;
        for (const double a : {-1.0, 1.0})
            for (const double b : {-g, g})
                for (const Vec3& corner : {Vec3{0, a, b}, Vec3{a, b, 0}, Vec3{b, 0, a}})
                    corners_.push_back(corner);
        for (int i = 0; i < 12; ++i)
            for (int j = i + 1; j < 12; ++j)
                for (int k = j + 1; k < 12; ++k)
                    if (adjacent(i, j) && adjacent(j, k) && adjacent(k, i)) {
                        const Vec3 normal =
                            cross(corners_[j] - corners_[i], corners_[k] - corners_[i]);
                        dot(normal, corners_[i]) > 0 ? cut(i, j, k) : cut(i, k, j);
                    }
    }
    std::vector<Vec3> directions;
    std::vector<std::array<int, 3>> triangles;

private:
    bool adjacent(int i, int j) const {
        return std::abs(norm(corners_[i] - corners_[j]) - 2) < 0.1;
    }

    /// The vertex with whole weights a, b, c of three corners, which add up to the frequency.
    int vertex(std::array<std::pair<int, int>, 3> parts) {
        std::sort(parts.begin(), parts.end());
        std::array<int, 6> key{};
        Vec3 sum = {0, 0, 0};
        std::size_t used = 0;
        for (const auto& [corner, weight] : parts)
            if (weight > 0) {
                key[used++] = corner + 1;
                key[used++] = weight;
                sum += double(weight) * corners_[corner];
            }
        const auto [place, added] = known_.try_emplace(key, static_cast<int>(directions.size()));
        if (added)
            directions.push_back((1 / norm(sum)) * sum);
        return place->second;
    }

    void cut(int i, int j, int k) {
        const auto at = [&](int a, int b) { return vertex({{{i, n_ - a - b}, {j, a}, {k, b}}}); };
        for (int b = 0; b < n_; ++b)
            for (int a = 0; a + b < n_; ++a) {
                triangles.push_back({at(a, b), at(a + 1, b), at(a, b + 1)});
                if (a + b + 1 < n_)
                    triangles.push_back({at(a + 1, b), at(a + 1, b + 1), at(a, b + 1)});
            }
    }

    int n_;
    std::vector<Vec3> corners_;
    std::map<std::array<int, 6>, int> known_;
};

/// The angle of the triangle a, b, c at a [rad].
double angle_at(const Vec3& a, const Vec3& b, const Vec3& c) {
    return std::atan2(norm(cross(b - a, c - a)), dot(b - a, c - a));
}

/// Turns edges whose two opposite angles add up to more than half a turn, as Delaunay asks; a
/// triangle changes once a pass.
void turn_edges(std::vector<std::array<int, 3>>& triangles, const std::vector<Vec3>& x) {
    std::map<std::array<int, 2>, std::array<int, 2>> sides; // directed edge: triangle, corner
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (int c = 0; c < 3; ++c)
            sides[{triangles[t][c], triangles[t][(c + 1) % 3]}] = {static_cast<int>(t), c};
    std::vector<char> changed(triangles.size());
    for (const auto& [edge, side] : sides) {
        const auto [a, b] = edge;
        if (a > b)
            continue;
        const auto other = sides.at({b, a});
        const int c = triangles[side[0]][(side[1] + 2) % 3];
        const int d = triangles[other[0]][(other[1] + 2) % 3];
        if (changed[side[0]] || changed[other[0]] || sides.count({c, d}) || sides.count({d, c}) ||
            angle_at(x[c], x[a], x[b]) + angle_at(x[d], x[b], x[a]) < std::numbers::pi + 1e-6)
            continue;
        triangles[side[0]] = {a, d, c};
        triangles[other[0]] = {d, b, c};
        changed[side[0]] = changed[other[0]] = 1;
    }
}

/// Moves vertices along the surface towards the middle of their neighbours, which makes edges of
/// like length, round after round, and turns edges meanwhile.
void even_out(const Blend& blend, std::vector<std::array<int, 3>>& triangles,
              std::vector<Vec3>& x) {
    constexpr int rounds = 80, rounds_a_turn = 8;
    std::vector<Vec3> sum(x.size());
    std::vector<double> weight(x.size());
    for (int round = 0; round < rounds; ++round) {
        std::fill(sum.begin(), sum.end(), Vec3{0, 0, 0});
        std::fill(weight.begin(), weight.end(), 0.0);
        for (const auto& t : triangles)
            for (int c = 0; c < 3; ++c) {
                const Vec3& other = x[t[(c + 1) % 3]];
                const Vec3 edge = other - x[t[c]];
                const double w = dot(edge, edge); // long edges draw harder than short ones
                sum[t[c]] += w * other;
                weight[t[c]] += w;
            }
        for (std::size_t i = 0; i < x.size(); ++i)
            x[i] = blend.onto(x[i] + 0.5 * ((1 / weight[i]) * sum[i] - x[i]));
        if (round % rounds_a_turn == rounds_a_turn - 1)
            turn_edges(triangles, x);
    }
}

void check_outward(const Blend& blend, const std::vector<std::array<int, 3>>& triangles,
                   const std::vector<Vec3>& x) {
    for (const auto& [i, j, k] : triangles) {
        const Vec3 normal = cross(x[j] - x[i], x[k] - x[i]);
        const Vec3 middle = (1.0 / 3) * (x[i] + x[j] + x[k]);
        if (!(dot(normal, blend.at(middle).gradient) > 0))
            reject("balls", "balls that make one shape, seen whole from its middle",
                   "a shape with parts that hide others");
    }
}

} // namespace

PolygonMesh make_sculpture(const SculptureSettings& settings) {
    if (settings.balls.empty())
        reject("balls", "one ball or more", "none");
    for (const SculptureBall& ball : settings.balls)
        require_length("balls", ball.radius);
    require_length("blend", settings.blend);
    require_count("frequency", settings.frequency, 1);
    require_size("frequency", 10.0 * settings.frequency * settings.frequency);

    const Blend blend(settings);
    Geodesic sphere(settings.frequency);
    double volume = 0;
    Vec3 middle = {0, 0, 0};
    for (const SculptureBall& ball : settings.balls) {
        const double weight = ball.radius * ball.radius * ball.radius;
        volume += weight;
        middle += weight * ball.center;
    }
    middle = (1 / volume) * middle;

    PolygonMesh mesh;
    for (const Vec3& direction : sphere.directions)
        mesh.positions.push_back(blend.onto(blend.seen_from(middle, direction)));
    even_out(blend, sphere.triangles, mesh.positions);
    check_outward(blend, sphere.triangles, mesh.positions);
    for (const auto& [i, j, k] : sphere.triangles) {
        for (const int vertex : {i, j, k})
            mesh.corner_vertex.push_back(vertex);
        mesh.face_begin.push_back(static_cast<int>(mesh.corner_vertex.size()));
    }
    return mesh;
}

} // namespace muslin
