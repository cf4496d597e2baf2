#include "muslin/model/constraints.h"

#include "muslin/model/body.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
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

// What a shape asks of one particle at the end of a step: the directions in which it is held, the
// point whose coordinates along them it must have, and for each how far the shape moves there over
// the step, which is the velocity to have times h.
struct Hold {
    int count = 0;
    Vec3 direction[3];
    Vec3 travel[3];
    Vec3 point;
    /// What moves so, before the motion: a point of the shape. None: the particle's own place.
    std::optional<Vec3> anchor[3];

    void add(const Vec3& d, const Vec3& t, const std::optional<Vec3>& a = {}) {
        direction[count] = d;
        anchor[count] = a;
        travel[count++] = t;
    }
};

class HoldMaker {
public:
    /// `from` and `to`: where the particle belongs, before the motion, as the step begins and ends.
    HoldMaker(const Motion& motion, double time, double h, const Vec3& from, const Vec3& to,
              const Vec3& x, const Vec3& v)
        : motion_(motion), begin_(time), end_(time + h), from_(from), to_(to),
          predicted_(x + h * v) {}

    Hold operator()(const PointShape&) const {
        const Vec3 all[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        return hold_moving(all);
    }
    Hold operator()(const DirectionsShape& shape) const {
        Vec3 directions[3];
        std::size_t count = 0;
        for (const Vec3& d : shape.directions)
            directions[count++] = turned(d);
        return hold_moving(std::span(directions, count));
    }
    // A shape that turns moves differently from place to place: what counts is where the particle
    // will be. Spin of a round shape in itself is not motion, hence the centre and the axis below.
    Hold operator()(const LineShape& shape) const {
        const Vec3 axis = turned(shape.direction);
        Hold hold;
        hold.point = on_axis(motion_.apply(end_, shape.point), axis);
        const Vec3 across = any_across(axis);
        add_moving(hold, across, hold.point);
        add_moving(hold, cross(axis, across), hold.point);
        return hold;
    }
    Hold operator()(const PlaneShape& shape) const {
        const Vec3 n = turned(shape.normal);
        Hold hold;
        hold.point = predicted_ - dot(n, predicted_ - motion_.apply(end_, shape.point)) * n;
        add_moving(hold, n, hold.point);
        return hold;
    }
    // On curved shapes the particle is held at the place of the shape nearest to where it is
    // heading; the position alteration takes out what the curve leaves the tangent by.
    Hold operator()(const SphereShape& shape) const {
        const Vec3 center = motion_.apply(end_, shape.center);
        const Vec3 n = unit_or(predicted_ - center, {0, 1, 0});
        Hold hold;
        hold.point = center + shape.radius * n;
        add_moving(hold, n, center);
        return hold;
    }
    Hold operator()(const CylinderShape& shape) const {
        const Vec3 axis = turned(shape.axis);
        const Vec3 center = on_axis(motion_.apply(end_, shape.point), axis);
        const Vec3 n = unit_or(predicted_ - center, any_across(axis));
        Hold hold;
        hold.point = center + shape.radius * n;
        add_moving(hold, n, center);
        return hold;
    }
    Hold operator()(const CircleShape& shape) const {
        const Vec3 center = motion_.apply(end_, shape.center);
        const Vec3 axis = turned(shape.normal);
        const Vec3 d = predicted_ - center;
        const Vec3 n = unit_or(d - dot(d, axis) * axis, any_across(axis));
        Hold hold;
        hold.point = center + shape.radius * n;
        add_moving(hold, n, center);
        add_moving(hold, axis, hold.point);
        return hold;
    }

private:
    Vec3 turned(const Vec3& direction) const { return normalized(motion_.turn(end_, direction)); }
    // The point of an axis nearest to where the particle is heading.
    Vec3 on_axis(const Vec3& point, const Vec3& axis) const {
        return point + dot(predicted_ - point, axis) * axis;
    }
    // Held along `direction` as the point of the moving thing is that ends at `place`.
    void add_moving(Hold& hold, const Vec3& direction, const Vec3& place) const {
        const Vec3 point = motion_.undo(end_, place);
        hold.add(direction, motion_.apply(end_, point) - motion_.apply(begin_, point), point);
    }
    // Held in the given directions to the particle's own place, which moves.
    Hold hold_moving(std::span<const Vec3> directions) const {
        Hold hold;
        hold.point = motion_.apply(end_, to_);
        const Vec3 motion = hold.point - motion_.apply(begin_, from_);
        for (const Vec3& d : directions)
            hold.add(d, motion);
        return hold;
    }

    const Motion& motion_;
    double begin_, end_;
    Vec3 from_, to_, predicted_;
};

// Where a pin's own particles belong at a time, before its motion.
class PinPlaces {
public:
    PinPlaces(const Pin& pin, double time)
        : pin_(pin), at_(pin.frames.empty() ? FrameInterval{0, 0, 0} : find_interval(pin, time)) {}
    Vec3 operator()(std::size_t i) const {
        if (pin_.frames.empty())
            return pin_.start[i];
        const Vec3& a = pin_.frames[at_.first][i];
        return at_.weight > 0 ? (1 - at_.weight) * a + at_.weight * pin_.frames[at_.second][i] : a;
    }

private:
    const Pin& pin_;
    FrameInterval at_;
};

/// Where what a pin holds one particle by is at the times of a step.
class PinPath {
public:
    PinPath(const Pin& pin, std::size_t i, const std::optional<Vec3>& anchor)
        : pin_(pin), i_(i), anchor_(anchor) {}
    Vec3 at(double time) const {
        return pin_.motion.apply(time, anchor_ ? *anchor_ : PinPlaces(pin_, time)(i_));
    }
    /// From before the time alone: a formula need not have a value after it.
    Vec3 velocity(double time, double apart) const {
        return (0.5 / apart) * (3.0 * at(time) - 4.0 * at(time - apart) + at(time - 2 * apart));
    }

private:
    const Pin& pin_;
    std::size_t i_;
    std::optional<Vec3> anchor_;
};

bool stands_still(const Pin& pin) {
    return pin.frames.size() <= 1 && pin.motion.translation.is_constant() &&
           pin.motion.rotation.is_constant();
}

void add_path(const Pin& pin, std::size_t i, const Hold& hold, double time, double h,
              ParticleConstraint& c) {
    c.has_path = true;
    for (int k = 0; k < c.count; ++k) {
        c.middle[k] = c.position[k];
        if (stands_still(pin))
            continue;
        const PinPath path(pin, i, hold.anchor[k]);
        const double apart = 1e-3 * h, middle = time + 0.5 * h, end = time + h;
        const Vec3& d = hold.direction[k];
        c.middle[k] += dot(d, path.at(middle) - path.at(end));
        c.middle_velocity[k] = dot(d, path.velocity(middle, apart));
        c.end_velocity[k] = dot(d, path.velocity(end, apart));
    }
}

// Adds the directions of `b` that `a` leaves free.
void merge(ParticleConstraint& a, const ParticleConstraint& b) {
    for (int k = 0; k < b.count && a.count < 3; ++k) {
        Vec3 d = b.direction[k];
        double velocity = b.velocity[k], position = b.position[k];
        double middle = b.middle[k], middle_velocity = b.middle_velocity[k];
        double end_velocity = b.end_velocity[k];
        for (int i = 0; i < a.count; ++i) {
            const double along = dot(d, a.direction[i]);
            d -= along * a.direction[i];
            velocity -= along * a.velocity[i];
            position -= along * a.position[i];
            middle -= along * a.middle[i];
            middle_velocity -= along * a.middle_velocity[i];
            end_velocity -= along * a.end_velocity[i];
        }
        const double length = norm(d);
        // Nearly the same direction again: along what is left of it, a small disagreement of the
        // two would throw the particle far away.
        if (length < 1e-3)
            continue;
        a.direction[a.count] = (1 / length) * d;
        a.velocity[a.count] = velocity / length;
        a.position[a.count] = position / length;
        a.middle[a.count] = middle / length;
        a.middle_velocity[a.count] = middle_velocity / length;
        a.end_velocity[a.count] = end_velocity / length;
        ++a.count;
    }
    a.has_path = a.has_path && b.has_path;
}

} // namespace

void ConstraintSet::add_pin(const Pin& pin, int source, const State& begin, double h) {
    // A step belongs to a window if it starts in it, so that windows that meet hold without gap.
    if (!pin.window.contains(begin.time))
        return;
    const PinPlaces from(pin, begin.time), to(pin, begin.time + h);
    for (std::size_t i = 0; i < pin.particles.size(); ++i) {
        const int p = pin.particles[i];
        const Hold hold = std::visit(HoldMaker(pin.motion, begin.time, h, from(i), to(i),
                                               begin.positions[p], begin.velocities[p]),
                                     pin.shape);
        ParticleConstraint raw;
        raw.particle = p;
        raw.count = hold.count;
        raw.source = source;
        for (int k = 0; k < hold.count; ++k) {
            raw.direction[k] = hold.direction[k];
            raw.velocity[k] = dot(hold.direction[k], hold.travel[k]) / h;
            raw.position[k] = dot(hold.direction[k], hold.point);
        }
        if (keep_paths_)
            add_path(pin, i, hold, begin.time, h, raw);
        ParticleConstraint orthonormal;
        orthonormal.particle = p;
        orthonormal.source = source;
        orthonormal.has_path = raw.has_path;
        merge(orthonormal, raw);
        add(orthonormal);
    }
}

void ConstraintSet::set_part(const ConstraintSet& whole, double part, std::span<const Vec3> begin,
                             double h) {
    constraints_ = whole.constraints_;
    for (ParticleConstraint& c : constraints_)
        for (int k = 0; k < c.count; ++k) {
            const double from = dot(c.direction[k], begin[c.particle]);
            c.velocity[k] = (c.position[k] - from) / h;
            c.position[k] = from + part * (c.position[k] - from);
        }
}

void ConstraintSet::merge_by_particle() {
    order_.clear();
    for (std::size_t i = 0; i < constraints_.size(); ++i)
        order_.push_back({constraints_[i].particle, static_cast<int>(i)});
    std::sort(order_.begin(), order_.end());
    sorted_.clear();
    for (const auto& [particle, i] : order_) {
        if (!sorted_.empty() && sorted_.back().particle == particle)
            merge(sorted_.back(), constraints_[i]);
        else
            sorted_.push_back(constraints_[i]);
    }
    constraints_.swap(sorted_);
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

void ConstraintSet::set_velocity_change(std::span<const Vec3> velocities, std::span<Vec3> z) const {
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
