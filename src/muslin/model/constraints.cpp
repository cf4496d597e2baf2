#include "muslin/model/constraints.h"

#include <algorithm>
#include <cmath>
#include <variant>

namespace muslin {
namespace {

Vec3 any_across(const Vec3& n) {
    const Vec3 axis = std::abs(n.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    return normalized(cross(n, axis));
}

// A unit vector from `from` to `to`, or the fallback where they coincide.
Vec3 unit_or(const Vec3& v, const Vec3& fallback) {
    const double length = norm(v);
    return length > 1e-12 ? (1 / length) * v : fallback;
}

// What a shape asks of one particle at the end of a step: the directions in which it is held and
// the point whose coordinates along them it must have; `from` is that point one step earlier
// carried by the shape's motion, so that (point - from) / h is the velocity to have.
struct Hold {
    int count = 0;
    Vec3 direction[3];
    Vec3 point, from;

    void hold_across(const Vec3& axis) {
        count = 2;
        direction[0] = any_across(axis);
        direction[1] = cross(axis, direction[0]);
    }
};

class HoldMaker {
public:
    HoldMaker(const Motion& motion, double time, double h, const Vec3& start, const Vec3& x,
              const Vec3& v)
        : motion_(motion), begin_(time), end_(time + h), start_(start), predicted_(x + h * v) {}

    Hold operator()(const PointShape&) const {
        Hold hold = moved(start_);
        hold.count = 3;
        hold.direction[0] = {1, 0, 0};
        hold.direction[1] = {0, 1, 0};
        hold.direction[2] = {0, 0, 1};
        return hold;
    }
    Hold operator()(const DirectionsShape& shape) const {
        Hold hold = moved(start_);
        for (const Vec3& d : shape.directions)
            hold.direction[hold.count++] = normalized(motion_.turn(end_, d));
        return hold;
    }
    Hold operator()(const LineShape& shape) const {
        Hold hold = moved(shape.point);
        hold.hold_across(normalized(motion_.turn(end_, shape.direction)));
        return hold;
    }
    Hold operator()(const PlaneShape& shape) const {
        Hold hold = moved(shape.point);
        hold.count = 1;
        hold.direction[0] = normalized(motion_.turn(end_, shape.normal));
        return hold;
    }
    // On curved shapes the particle is held at the place of the shape nearest to where it is
    // heading; the position alteration takes out what the curve leaves the tangent by.
    Hold operator()(const SphereShape& shape) const {
        Hold hold = moved(shape.center);
        const Vec3 n = unit_or(predicted_ - hold.point, {0, 1, 0});
        hold.count = 1;
        hold.direction[0] = n;
        return offset(hold, shape.radius * n);
    }
    Hold operator()(const CylinderShape& shape) const {
        Hold hold = moved(shape.point);
        const Vec3 axis = normalized(motion_.turn(end_, shape.axis));
        const Vec3 d = predicted_ - hold.point;
        const Vec3 n = unit_or(d - dot(d, axis) * axis, any_across(axis));
        hold.count = 1;
        hold.direction[0] = n;
        return offset(hold, shape.radius * n);
    }
    Hold operator()(const CircleShape& shape) const {
        Hold hold = moved(shape.center);
        const Vec3 axis = normalized(motion_.turn(end_, shape.normal));
        const Vec3 d = predicted_ - hold.point;
        const Vec3 n = unit_or(d - dot(d, axis) * axis, any_across(axis));
        hold.count = 2;
        hold.direction[0] = n;
        hold.direction[1] = axis;
        return offset(hold, shape.radius * n);
    }

private:
    Hold moved(const Vec3& point) const {
        Hold hold;
        hold.point = motion_.apply(end_, point);
        hold.from = motion_.apply(begin_, point);
        return hold;
    }
    static Hold offset(Hold hold, const Vec3& by) {
        hold.point += by;
        hold.from += by;
        return hold;
    }

    const Motion& motion_;
    double begin_, end_;
    Vec3 start_, predicted_;
};

// Adds the directions of `b` that `a` leaves free.
void merge(ParticleConstraint& a, const ParticleConstraint& b) {
    for (int k = 0; k < b.count && a.count < 3; ++k) {
        Vec3 d = b.direction[k];
        double velocity = b.velocity[k], position = b.position[k];
        for (int i = 0; i < a.count; ++i) {
            const double along = dot(d, a.direction[i]);
            d -= along * a.direction[i];
            velocity -= along * a.velocity[i];
            position -= along * a.position[i];
        }
        const double length = norm(d);
        if (length < 1e-6)
            continue;
        a.direction[a.count] = (1 / length) * d;
        a.velocity[a.count] = velocity / length;
        a.position[a.count] = position / length;
        ++a.count;
    }
}

} // namespace

void ConstraintSet::add_pin(const Pin& pin, int source, const State& begin, double h) {
    // A step belongs to a window if it starts in it, so that windows that meet hold without gap.
    if (!pin.window.contains(begin.time))
        return;
    for (std::size_t i = 0; i < pin.particles.size(); ++i) {
        const int p = pin.particles[i];
        const Hold hold = std::visit(HoldMaker(pin.motion, begin.time, h, pin.start[i],
                                               begin.positions[p], begin.velocities[p]),
                                     pin.shape);
        ParticleConstraint raw;
        raw.particle = p;
        raw.count = hold.count;
        raw.source = source;
        for (int k = 0; k < hold.count; ++k) {
            raw.direction[k] = hold.direction[k];
            raw.velocity[k] = dot(hold.direction[k], hold.point - hold.from) / h;
            raw.position[k] = dot(hold.direction[k], hold.point);
        }
        ParticleConstraint orthonormal;
        orthonormal.particle = p;
        orthonormal.source = source;
        merge(orthonormal, raw);
        add(orthonormal);
    }
}

void ConstraintSet::finish() {
    std::stable_sort(constraints_.begin(), constraints_.end(),
                     [](const auto& a, const auto& b) { return a.particle < b.particle; });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < constraints_.size(); ++i) {
        if (kept > 0 && constraints_[kept - 1].particle == constraints_[i].particle)
            merge(constraints_[kept - 1], constraints_[i]);
        else
            constraints_[kept++] = constraints_[i];
    }
    constraints_.resize(kept);
}

void ConstraintSet::make_filter(Filter& filter) const {
    filter.clear();
    for (const auto& c : constraints_) {
        Mat3 s = Mat3::identity();
        for (int k = 0; k < c.count; ++k)
            s = s - outer(c.direction[k], c.direction[k]);
        filter.particles.push_back(c.particle);
        filter.projection.push_back(c.count == 3 ? Mat3::zero() : s);
    }
}

void ConstraintSet::set_velocity_change(std::span<const Vec3> velocities,
                                        std::span<Vec3> z) const {
    for (const auto& c : constraints_)
        for (int k = 0; k < c.count; ++k)
            z[c.particle] +=
                (c.velocity[k] - dot(c.direction[k], velocities[c.particle] + z[c.particle])) *
                c.direction[k];
}

void ConstraintSet::set_position_alteration(std::span<const Vec3> positions, double h,
                                            std::span<Vec3> y) const {
    for (const auto& c : constraints_)
        for (int k = 0; k < c.count; ++k) {
            const double arrives =
                dot(c.direction[k], positions[c.particle] + y[c.particle]) + h * c.velocity[k];
            y[c.particle] += (c.position[k] - arrives) * c.direction[k];
        }
}

} // namespace muslin
