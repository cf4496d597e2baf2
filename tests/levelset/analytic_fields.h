#pragma once

#include "muslin/levelset/distance_field.h"

#include <algorithm>
#include <cmath>
#include <functional>

// Fields with known values, to test what stands on them.

namespace muslin::testing {

/// One sample at a time, from a function of the place.
class FunctionField : public DistanceField {
public:
    explicit FunctionField(std::function<FieldSample(const Vec3&)> at) : at_(std::move(at)) {}
    void sample(std::span<const Vec3> places, std::span<FieldSample> out) const override {
        for (std::size_t i = 0; i < places.size(); ++i)
            out[i] = at_(places[i]);
    }

private:
    std::function<FieldSample(const Vec3&)> at_;
};

inline FieldSample sphere_sample(const Vec3& p, const Vec3& center, double radius, int body = 0) {
    const Vec3 d = p - center;
    const double r = norm(d);
    return {r - radius, r > 0 ? (1 / r) * d : Vec3{0, 0, 0}, {0, 0, 0}, body, false};
}

inline FunctionField sphere_field(double radius) {
    return FunctionField([radius](const Vec3& p) { return sphere_sample(p, {0, 0, 0}, radius); });
}

/// Of a cube around the origin, exact outside and inside.
inline FunctionField cube_field(double half) {
    return FunctionField([half](const Vec3& p) {
        const Vec3 q = {std::abs(p.x) - half, std::abs(p.y) - half, std::abs(p.z) - half};
        const Vec3 out = {std::max(q.x, 0.0), std::max(q.y, 0.0), std::max(q.z, 0.0)};
        FieldSample s;
        s.body = 0;
        Vec3 n = out;
        if (const double d = norm(out); d > 0) {
            s.distance = d;
        } else {
            s.distance = std::max({q.x, q.y, q.z});
            n = q.x == s.distance   ? Vec3{1, 0, 0}
                : q.y == s.distance ? Vec3{0, 1, 0}
                                    : Vec3{0, 0, 1};
        }
        n = {std::copysign(n.x, p.x), std::copysign(n.y, p.y), std::copysign(n.z, p.z)};
        s.normal = (1 / norm(n)) * n;
        return s;
    });
}

} // namespace muslin::testing
