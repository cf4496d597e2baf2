#pragma once

#include "kernels/exact_triangles.h"
#include "math/random.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace muslin::test {

struct TriangleSample {
    TrianglePoints a, b;
};

/// Pairs of triangles, random, degenerate and nearly so, the same on every machine. The kinds take
/// turns.
class TriangleSamples {
public:
    static constexpr int kinds = 16;
    static const char* name(int kind) {
        constexpr const char* names[kinds] = {"any",
                                              "small grid",
                                              "grid",
                                              "fine grid",
                                              "a corner at a corner",
                                              "an edge at an edge",
                                              "in one plane",
                                              "in one tilted plane",
                                              "an ulp off a plane",
                                              "a corner on a face, rounded",
                                              "a corner on an edge, rounded",
                                              "edges that cross, rounded",
                                              "needles",
                                              "without area",
                                              "tiny or huge",
                                              "far from the origin"};
        return names[kind];
    }

    explicit TriangleSamples(std::uint64_t seed) : random_(seed) {}

    TriangleSample next(int kind) {
        TriangleSample s = {{any(), any(), any()}, {any(), any(), any()}};
        switch (kind) {
        case 0:
            break;
        case 1:
            snap(s, 2);
            break;
        case 2:
            snap(s, 6);
            break;
        case 3:
            snap(s, 0x1p26);
            break;
        case 4: // a corner in common, else any or on a grid
            if (flip())
                snap(s, 4);
            corner(s.b) = corner(s.a);
            if (flip())
                nudge(s);
            break;
        case 5: {
            if (flip())
                snap(s, 4);
            const int i = integer(0, 2), j = integer(0, 2);
            s.b[j] = s.a[i];
            s.b[(j + 1) % 3] = s.a[(i + 1) % 3];
            if (flip())
                nudge(s);
            break;
        }
        case 6:
            flatten(s);
            break;
        case 7:
            tilt(s);
            break;
        case 8:
            flip() ? flatten(s) : tilt(s);
            nudge(s);
            break;
        case 9:
            touch_face(s);
            break;
        case 10:
            touch_edge(s);
            break;
        case 11:
            cross_edges(s);
            break;
        case 12:
            needle(s);
            break;
        case 13:
            collapse(s);
            break;
        case 14:
            scale(s);
            break;
        default:
            shift(s);
            break;
        }
        return s;
    }

private:
    Vec3 any() { return random_.vec3(); }
    bool flip() { return random_.number() < 0; }
    int integer(int low, int high) {
        const double at = 0.5 * (random_.number() + 1) * (high - low + 1);
        return std::min(high, low + static_cast<int>(at));
    }
    Vec3& corner(TrianglePoints& t) { return t[integer(0, 2)]; }

    template <class Change>
    static void change(TriangleSample& s, Change&& f) {
        for (TrianglePoints* t : {&s.a, &s.b})
            for (Vec3& p : *t)
                p = f(p);
    }
    static void snap(TriangleSample& s, double steps) {
        change(s, [&](const Vec3& p) {
            return Vec3{std::round(steps * p.x), std::round(steps * p.y), std::round(steps * p.z)};
        });
    }
    void flatten(TriangleSample& s) {
        const int axis = integer(0, 2);
        const double height = flip() ? 0 : random_.number();
        const bool on_grid = flip();
        if (on_grid)
            snap(s, 3);
        change(s, [&](Vec3 p) {
            p[axis] = height;
            return p;
        });
    }
    /// Exactly in a plane that no axis shows: small integers times two small integer vectors.
    void tilt(TriangleSample& s) {
        snap(s, 8);
        Vec3 u = any(), v = any();
        for (int k = 0; k < 3; ++k) {
            u[k] = std::round(500 * u[k]);
            v[k] = std::round(500 * v[k]);
        }
        change(s, [&](const Vec3& p) { return p.x * u + p.y * v; });
    }
    /// One or a few coordinates by one unit in the last place.
    void nudge(TriangleSample& s) {
        for (int i = integer(1, 3); i > 0; --i) {
            double& x = corner(flip() ? s.a : s.b)[integer(0, 2)];
            const double towards = flip() ? 10000 : -10000;
            x = x == 0 ? 1e-20 * towards : std::nextafter(x, towards);
        }
    }
    void touch_face(TriangleSample& s) {
        double u = 0.5 * (random_.number() + 1), v = 0.5 * (random_.number() + 1);
        if (u + v > 1) {
            u = 1 - u;
            v = 1 - v;
        }
        corner(s.b) = s.a[0] + u * (s.a[1] - s.a[0]) + v * (s.a[2] - s.a[0]);
        if (flip())
            nudge(s);
    }
    void touch_edge(TriangleSample& s) {
        const double u = flip() ? 0.5 : random_.number();
        corner(s.b) = s.a[0] + u * (s.a[1] - s.a[0]);
        if (flip())
            nudge(s);
    }
    /// An edge of b through a point of an edge of a.
    void cross_edges(TriangleSample& s) {
        const Vec3 at = s.a[0] + 0.5 * (random_.number() + 1) * (s.a[1] - s.a[0]);
        s.b[1] = at + (0.5 + 0.5 * random_.number()) * (at - s.b[0]);
        if (flip())
            s.b[2] = s.b[1] + 0.3 * (s.a[0] - s.a[1]); // may stay at the edge alone
        if (flip())
            nudge(s);
    }
    void needle(TriangleSample& s) {
        for (TrianglePoints* t : {&s.a, &s.b}) {
            const double thin = std::ldexp(1.0, -integer(0, 60));
            (*t)[1] = (*t)[0] + thin * any();
            if (flip())
                (*t)[2] = (*t)[0] + 4.0 * ((*t)[2] - (*t)[0]);
        }
        if (flip()) // pointed at each other
            s.b[2] = s.a[2] + std::ldexp(1.0, -integer(20, 60)) * any();
    }
    /// To a segment or a point, one or both of them.
    void collapse(TriangleSample& s) {
        const bool on_grid = flip();
        if (on_grid)
            snap(s, 2);
        const auto flat = [&](TrianglePoints& t) {
            const int how = integer(0, 3);
            if (how == 0)
                t[2] = t[1] = t[0];
            else if (how == 1)
                t[integer(1, 2)] = t[0];
            else
                t[2] = t[0] + (on_grid ? integer(-2, 2) : 0.5) * (t[1] - t[0]);
        };
        flat(flip() ? s.a : s.b);
        if (flip())
            flat(s.a);
        if (!on_grid && flip())
            corner(s.b) = flip() ? corner(s.a) : 0.5 * (s.a[0] + s.a[1]);
    }
    void scale(TriangleSample& s) {
        if (flip())
            snap(s, 3);
        else if (flip())
            touch_face(s);
        const double by = std::ldexp(1.0, integer(-150, 150));
        change(s, [&](const Vec3& p) { return by * p; });
        if (flip())
            nudge_size(s);
    }
    void nudge_size(TriangleSample& s) {
        double& x = corner(s.a)[integer(0, 2)];
        x = std::nextafter(x, flip() ? HUGE_VAL : -HUGE_VAL);
        if (std::abs(x) < 1e-80)
            x = 0;
    }
    /// Small triangles of which a large offset leaves few digits.
    void shift(TriangleSample& s) {
        const Vec3 by = std::ldexp(1.0, integer(10, 44)) * any();
        change(s, [&](const Vec3& p) { return p + by; });
    }

    testing_math::Random random_;
};

} // namespace muslin::test
