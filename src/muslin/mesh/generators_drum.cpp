// The drum of a dryer.
#include "muslin/mesh/generators.h"
#include "muslin/mesh/mesh_builder.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace muslin {
namespace {

/// The inner wall across the axis, once around: (angle, radius).
std::vector<Vec2> make_profile(const DrumSettings& s) {
    const double turn = 2 * std::numbers::pi;
    std::vector<Vec2> out;
    if (s.paddles == 0) {
        for (int k = 0; k < s.segments; ++k)
            out.push_back({turn * k / s.segments, s.radius});
        return out;
    }
    const double base = s.paddle_width / 2 / s.radius, top = 0.4 * base;
    const double arc = turn / s.paddles - 2 * base;
    const int steps = std::max(1, static_cast<int>(std::lround(s.segments * arc / turn)));
    for (int p = 0; p < s.paddles; ++p) {
        const double middle = turn * p / s.paddles;
        out.push_back({middle - base, s.radius});
        out.push_back({middle - top, s.radius - s.paddle_height});
        out.push_back({middle + top, s.radius - s.paddle_height});
        for (int k = 0; k < steps; ++k)
            out.push_back({middle + base + arc * k / steps, s.radius});
    }
    return out;
}

class DrumMaker {
public:
    explicit DrumMaker(const DrumSettings& settings)
        : s_(settings), profile_(make_profile(settings)),
          count_(static_cast<int>(profile_.size())) {}

    PolygonMesh make() {
        const double low = -s_.height / 2, high = s_.height / 2, outside = s_.radius + s_.wall;
        const double clear = s_.radius - (s_.paddles > 0 ? s_.paddle_height : 0.0);
        int ring = add_profile(low);
        add_disc(ring, clear, low, true);
        for (int b = 1; b <= s_.bands; ++b)
            ring = join(add_profile(low + s_.height * b / s_.bands), ring);
        ring = join(add_ring(outside, high), ring);
        for (int b = s_.bands - 1; b >= 0; --b)
            ring = join(add_ring(outside, low + s_.height * b / s_.bands), ring);
        ring = join(add_ring(outside, low - s_.wall), ring);
        add_disc(ring, outside, low - s_.wall, false);
        return std::move(mesh_);
    }

private:
    int add_profile(double y) {
        return add([&](const Vec2& p) { return p.y; }, y);
    }
    int add_ring(double radius, double y) {
        return add([&](const Vec2&) { return radius; }, y);
    }
    template <class Radius>
    int add(const Radius& radius, double y) {
        const int first = static_cast<int>(mesh_.positions.size());
        for (const Vec2& p : profile_)
            mesh_.positions.push_back({radius(p) * std::cos(p.x), y, -radius(p) * std::sin(p.x)});
        return first;
    }
    void add_face(int a, int b, int c) {
        mesh_.corner_vertex.insert(mesh_.corner_vertex.end(), {a, b, c});
        mesh_.face_begin.push_back(static_cast<int>(mesh_.corner_vertex.size()));
    }
    /// A band of triangles that faces along: the way around (counter-clockwise from above) times
    /// the way from ring `from` to ring `to`. Returns `from`, the ring to go on from.
    int join(int from, int to) {
        for (int k = 0; k < count_; ++k) {
            const int n = (k + 1) % count_;
            const int a = from + k, b = from + n, c = to + n, d = to + k;
            if (k % 2 == 0) {
                add_face(a, b, c);
                add_face(a, c, d);
            } else {
                add_face(a, b, d);
                add_face(b, c, d);
            }
        }
        return from;
    }
    /// Closes a ring with rings ever nearer to the axis and a fan, facing up or down.
    void add_disc(int ring, double radius, double y, bool up) {
        const int rings = 3;
        for (int r = rings - 1; r >= 1; --r) {
            const int inner = add_ring(radius * r / rings, y);
            up ? join(ring, inner) : join(inner, ring);
            ring = inner;
        }
        const int middle = static_cast<int>(mesh_.positions.size());
        mesh_.positions.push_back({0, y, 0});
        for (int k = 0; k < count_; ++k) {
            const int a = ring + k, b = ring + (k + 1) % count_;
            up ? add_face(a, b, middle) : add_face(b, a, middle);
        }
    }

    const DrumSettings& s_;
    std::vector<Vec2> profile_;
    int count_;
    PolygonMesh mesh_;
};

} // namespace

PolygonMesh make_drum(const DrumSettings& s) {
    require_length("radius", s.radius);
    require_length("height", s.height);
    require_length("wall", s.wall);
    require_count("segments", s.segments, 8);
    require_count("bands", s.bands, 1);
    require(s.paddles >= 0 && s.paddles <= s.segments / 2, "paddles",
            "a number from 0 to half of segments", s.paddles);
    require_size("bands", 2.0 * (s.bands + 5) * s.segments);
    if (s.paddles > 0) {
        require_length("paddle_height", s.paddle_height);
        require_length("paddle_width", s.paddle_width);
        require(s.paddle_height <= 0.6 * s.radius, "paddle_height",
                "at most six tenths of the radius", s.paddle_height);
        require(s.paddle_width <= 0.8 * 2 * std::numbers::pi * s.radius / s.paddles, "paddle_width",
                "paddles that leave a fifth of the wall free", s.paddle_width);
    }
    return DrumMaker(s).make();
}

} // namespace muslin
