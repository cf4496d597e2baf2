#pragma once

#include "muslin/math/rotation.h"
#include "muslin/pattern/panel_mesh.h"

#include <cmath>
#include <numbers>

namespace muslin {

/// A point as a panel sees it: where on the panel, and how far in front of its outer side.
struct SeenPoint {
    Vec2 at;       ///< [m]
    double height; ///< [m]
};

/// Where a panel stands: flat, or wrapped around an axis behind it.
class PanelFrame {
public:
    /// The panel must outlive it.
    explicit PanelFrame(const PatternPanel& panel)
        : panel_(panel), turn_(rotation_degrees(panel.rotation)),
          up_(doubled_area(panel) >= 0 ? 1.0 : -1.0) {
        const double angle = panel.wrap.angle * std::numbers::pi / 180;
        across_ = {std::cos(angle), std::sin(angle)};
    }

    /// Out of the outer side, where the panel is not wrapped, or at its origin.
    Vec3 normal() const { return turn_ * Vec3{0, 0, up_}; }

    /// Where a point of the panel is. The line through the panel's origin along the axis of a wrap
    /// stays; both sides bend away from the outer side.
    Vec3 place(const Vec2& p) const {
        Vec3 at = {p.x, p.y, 0};
        if (const double radius = panel_.wrap.radius; radius > 0) {
            const double s = dot(across_, p);
            const double off = radius * std::sin(s / radius) - s;
            at = {p.x + off * across_.x, p.y + off * across_.y,
                  -up_ * radius * (1 - std::cos(s / radius))};
        }
        return turn_ * at + panel_.translation;
    }

    /// The other way.
    SeenPoint see(const Vec3& world) const {
        const Vec3 local = transpose(turn_) * (world - panel_.translation);
        Vec2 at = {local.x, local.y};
        const double radius = panel_.wrap.radius;
        if (radius <= 0)
            return {at, up_ * local.z};
        const double s = dot(across_, at), depth = radius + up_ * local.z;
        const double unrolled = radius * std::atan2(s, depth);
        at = at + (unrolled - s) * across_;
        return {at, std::hypot(s, depth) - radius};
    }

private:
    const PatternPanel& panel_;
    Mat3 turn_;
    double up_;   ///< 1 where the outer side is +z of the panel, else -1
    Vec2 across_; ///< across the axis of the wrap
};

} // namespace muslin
