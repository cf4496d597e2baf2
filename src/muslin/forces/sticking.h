#pragma once

#include "muslin/forces/capabilities.h"
#include "muslin/model/model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace muslin {

/// The place that a bond draws its particle to, and how it moves with the triangle's corners x_i:
///     t = sum w_i x_i + height n,   dt/dx_i = w_i I + (height / |N|) (e_i x n) n^T,
/// N = (x_1 - x_0) x (x_2 - x_0), n = N / |N|, e_i the edge opposite to corner i. It translates and
/// turns with the triangle and lies at the same place of it however it stretches.
struct StickTarget {
    Vec3 place;        ///< [m]
    Mat3 by_corner[3]; ///< dt/dx_i
};

inline StickTarget stick_target(const Vec3 (&x)[3], const Vec3& weights, double height) {
    const Vec3 area_vector = cross(x[1] - x[0], x[2] - x[0]);
    const double area = norm(area_vector);
    // A triangle without area has no normal: the place is then one of its plane's.
    const double scale = area > 0 ? 1 / area : 0;
    const Vec3 n = scale * area_vector;
    StickTarget out;
    out.place = height * n;
    for (int i = 0; i < 3; ++i) {
        out.place += weights[i] * x[i];
        const Vec3 edge = x[(i + 2) % 3] - x[(i + 1) % 3];
        out.by_corner[i] = Mat3::diagonal(weights[i]) + (height * scale) * outer(cross(edge, n), n);
    }
    return out;
}

/// Where a point is in the frame of a triangle.
struct StickOffset {
    Vec3 weights;  ///< of the corners, sum 1
    double height; ///< along the normal [m]
};

/// stick_target() of it is the point again; in a triangle without area, its first corner.
inline StickOffset stick_offset(const Vec3 (&x)[3], const Vec3& point) {
    const Vec3 u = x[1] - x[0], v = x[2] - x[0], d = point - x[0], normal = cross(u, v);
    const double squared = dot(normal, normal);
    if (!(squared > 0))
        return {{1, 0, 0}, 0};
    const double second = dot(cross(d, v), normal) / squared;
    const double third = dot(cross(u, d), normal) / squared;
    return {{1 - second - third, second, third}, dot(d, normal) / std::sqrt(squared)};
}

/// How the spring constant fades with the length d of a bond that breaks at D [Bridson03 6]:
/// phi = (1 - d^2 / D^2)^2, which is zero with its slope at D. Infinite D: no fading.
struct StickFade {
    double factor; ///< phi
    double slope;  ///< phi' / d: phi changes by it times d for each metre [1/m^2]
    double energy; ///< the integral of phi d from 0 to d [m^2]
};

inline StickFade stick_fade(double squared_length, double break_distance) {
    if (std::isinf(break_distance))
        return {1, 0, 0.5 * squared_length};
    const double squared = break_distance * break_distance;
    const double rest = squared_length < squared ? 1 - squared_length / squared : 0;
    return {rest * rest, -4 * rest / squared, squared / 6 * (1 - rest * rest * rest)};
}

/// What a bond does, with C = x - t the way from the target to the particle, C' its rate, tau the
/// interval, k stiffness and c damping with all factors. A spring without rest length between the
/// predicted places x + tau v and t + tau t' pulls with
///     f = -phi k (C + tau C') - phi c C' = -phi k C - phi (k tau + c) C':
/// the prediction is damping by k tau. C' is taken in the triangle's frame, against the place of
/// the frame where the particle is: so the two turn together freely, and what the triangle's
/// corners take, -(dt/dx_i)^T of each part with t its own place, keeps linear and angular momentum.
/// Where f does work, the energy k times StickFade::energy pays.
struct StickResponse {
    Vec3 elastic;     ///< on the particle [N]
    double stiffness; ///< for the solver: phi k [N/m]
    double damping;   ///< what C' is multiplied by [N s/m]
};

struct StickParameters {
    double stiffness = 0;      ///< k [N/m]
    double damping = 0;        ///< k tau + c [N s/m]
    double break_distance = 0; ///< [m]
};

/// Declared: along C the exact stiffness is less by what fading takes, and negative beyond
/// D / sqrt(5). The solver gets the secant instead, which is never less and exact where C is zero:
/// a long step of a body would else throw the particle past it. The change of the damping with C
/// is left out too.
///
/// `fades_at` is the C that the fading is taken at.
inline StickResponse stick_response(const Vec3& c, const Vec3& fades_at, const StickParameters& p) {
    const double factor = stick_fade(dot(fades_at, fades_at), p.break_distance).factor;
    return {(-factor * p.stiffness) * c, factor * p.stiffness, factor * p.damping};
}

/// Dynamic sticking constraints [Bridson03 6]: each bond draws its particle to its place on a
/// triangle of a body or of cloth.
///
/// Which bonds there are is history; the simulation hands them over before each step
/// (collision/response/sticking_bonds.h forms and breaks them after it).
class StickingForce final : public Force,
                            public LinearisedForce,
                            public DampedForce,
                            public StiffeningForce {
public:
    explicit StickingForce(const Model& model);
    std::string_view name() const override { return "sticking"; }
    ForceKind kind() const override { return ForceKind::sticking; }
    ForceCapabilities capabilities() override {
        return {.linearised = this, .damped = this, .stiffening = this};
    }

    /// The bonds that act from now on.
    void set_bonds(std::span<const Bond> bonds);

    void prepare(double time) override;
    double energy(std::span<const Vec3> positions) const override;
    void add_force(const Kinematics& at, std::span<Vec3> f) const override;
    void add_linearised(const Kinematics& at, const Linearisation& step, std::span<Vec3> f,
                        BlockMatrix& a) const override;
    void cache_damping(const Kinematics& at) override;
    void add_damping(std::span<const Vec3> w, std::span<Vec3> f) const override;
    /// Of bonds that may form before the next frame.
    double added_eigenvalue() const override;

private:
    /// A bond where it is now.
    struct Pull {
        StickTarget target; ///< of the elastic part
        StickTarget here;   ///< the particle's own place: of the damping
        StickResponse response;
        Vec3 drag; ///< the damping part of the force [N]
    };
    StickParameters parameters(const Bond& bond) const;
    void find_corners(const Bond& bond, std::span<const Vec3> positions, Vec3 (&x)[3]) const;
    void find_pulls(const Kinematics& at, std::span<const Vec3> displacement,
                    std::vector<Pull>& pulls) const;
    void add_entries(const Bond& bond, const std::array<int, 3>& corners, const StickTarget& target,
                     double factor) const;

    const Model& model_;
    std::vector<Bond> bonds_;
    double time_ = 0;
    bool prepared_ = false;
    std::vector<double> strength_;                ///< of each sticking at the time
    std::vector<std::vector<Vec3>> place_, rate_; ///< of the vertices of sticky bodies
    std::vector<Vec3> before_;                    ///< where they were a moment ago
    mutable std::vector<Pull> pulls_;             ///< of add_force and add_linearised
    std::vector<Pull> cached_;                    ///< of cache_damping
    mutable std::vector<BlockEntry> entries_;     ///< blocks of bonds between cloth
};

} // namespace muslin
