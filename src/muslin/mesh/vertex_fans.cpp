#include "muslin/mesh/vertex_fans.h"

#include "muslin/mesh/topology.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

using Triangles = std::span<const std::array<int, 3>>;
using Pattern = std::span<const std::array<Vec2, 3>>;

int corner_of(const std::array<int, 3>& triangle, int vertex) {
    return triangle[0] == vertex ? 0 : triangle[1] == vertex ? 1 : 2;
}

/// Which triangle lies beyond each side; side k runs from corner k to the next.
std::vector<std::array<int, 3>> triangles_beyond(Triangles triangles) {
    std::vector<std::array<int, 3>> out(triangles.size(), {-1, -1, -1});
    for (const Hinge& hinge : build_topology(triangles).hinges)
        for (int i = 0; i < 2; ++i) {
            const auto& t = triangles[hinge.t[i]];
            const int third = corner_of(t, hinge.v[2 + i]);
            out[hinge.t[i]][(third + 1) % 3] = hinge.t[1 - i];
        }
    return out;
}

class FanBuilder {
public:
    FanBuilder(Triangles triangles, Pattern pattern)
        : triangles_(triangles), pattern_(pattern), beyond_(triangles_beyond(triangles)),
          seen_(triangles.size(), {false, false, false}) {}

    /// The fan that begins in a triangle at the spoke `first`; -1: any of the two.
    VertexFan walk(int vertex, int triangle, int first) {
        VertexFan fan = {vertex, false, 0, {}};
        if (first < 0)
            first = triangles_[triangle][(corner_of(triangles_[triangle], vertex) + 1) % 3];
        fan.spokes.push_back({first, 0, length(triangle, vertex, first), {triangle, triangle}});
        for (int spoke = first;;) {
            const auto& t = triangles_[triangle];
            const int c = corner_of(t, vertex);
            seen_[triangle][c] = true;
            const int next = t[(c + 1) % 3] == spoke ? t[(c + 2) % 3] : t[(c + 1) % 3];
            fan.turn += corner_angle(pattern_[triangle], c);
            const int after = across(triangle, vertex, next);
            if (next == first) {
                fan.closed = true;
                add_triangle(fan.spokes.front(), triangle, 0, vertex);
                return fan;
            }
            fan.spokes.push_back(
                {next, fan.turn, length(triangle, vertex, next), {triangle, triangle}});
            if (after < 0 || seen_[after][corner_of(triangles_[after], vertex)])
                return fan;
            add_triangle(fan.spokes.back(), after, 1, vertex);
            spoke = next;
            triangle = after;
        }
    }
    bool seen(int triangle, int vertex) const {
        return seen_[triangle][corner_of(triangles_[triangle], vertex)];
    }
    /// A spoke of this corner at which the cloth ends, or -1.
    int end_spoke(int triangle, int vertex) const {
        const auto& t = triangles_[triangle];
        const int c = corner_of(t, vertex);
        for (const int k : {1, 2})
            if (across(triangle, vertex, t[(c + k) % 3]) < 0)
                return t[(c + k) % 3];
        return -1;
    }

private:
    /// The triangle on the other side of the edge from `vertex` to `spoke`.
    int across(int triangle, int vertex, int spoke) const {
        const int c = corner_of(triangles_[triangle], vertex);
        return beyond_[triangle][triangles_[triangle][(c + 1) % 3] == spoke ? c : (c + 2) % 3];
    }
    double length(int triangle, int a, int b) const {
        const auto& t = triangles_[triangle];
        const auto& p = pattern_[triangle];
        return norm(p[corner_of(t, b)] - p[corner_of(t, a)]);
    }
    /// Makes one of the two triangles of a spoke another one.
    void add_triangle(Spoke& spoke, int triangle, int place, int vertex) const {
        spoke.triangles[place] = triangle;
        spoke.length = 0.5 * (spoke.length + length(triangle, vertex, spoke.vertex));
    }

    Triangles triangles_;
    Pattern pattern_;
    std::vector<std::array<int, 3>> beyond_;
    std::vector<std::array<bool, 3>> seen_;
};

} // namespace

double corner_angle(const std::array<Vec2, 3>& triangle, int corner) {
    const Vec2 a = triangle[(corner + 1) % 3] - triangle[corner];
    const Vec2 b = triangle[(corner + 2) % 3] - triangle[corner];
    return std::atan2(std::abs(cross(a, b)), dot(a, b));
}

std::vector<VertexFan> build_vertex_fans(Triangles triangles, Pattern pattern) {
    int vertices = 0;
    for (const auto& t : triangles)
        vertices = std::max({vertices, t[0] + 1, t[1] + 1, t[2] + 1});
    std::vector<std::vector<int>> around(vertices);
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (const int v : triangles[t])
            around[v].push_back(static_cast<int>(t));
    FanBuilder builder(triangles, pattern);
    std::vector<VertexFan> fans;
    for (int v = 0; v < vertices; ++v) {
        for (const int t : around[v])
            if (const int end = builder.end_spoke(t, v); end >= 0 && !builder.seen(t, v))
                fans.push_back(builder.walk(v, t, end));
        for (const int t : around[v])
            if (!builder.seen(t, v))
                fans.push_back(builder.walk(v, t, -1));
    }
    return fans;
}

} // namespace muslin
