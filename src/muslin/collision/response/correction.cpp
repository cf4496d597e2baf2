#include "muslin/collision/response/correction.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace muslin {
namespace {

/// Changes a quantity of the contact's points by an impulse on the first feature and its opposite
/// on the second.
template <class C>
void push_points(const C& c, const Mobility& mobility, const Vec3& impulse,
                 std::span<Vec3> quantity) {
    for (std::size_t k = 0; k < c.points.size(); ++k)
        if (c.weights[k] != 0 && mobility.moves(c.points[k]))
            quantity[c.points[k]] += mobility.response(c.points[k], c.weights[k] * impulse);
}

template <class C>
double inverse_mass_along(const C& c, const Mobility& mobility, const Vec3& direction) {
    double sum = 0;
    for (std::size_t k = 0; k < c.points.size(); ++k)
        sum += c.weights[k] * c.weights[k] * mobility.along(c.points[k], direction);
    return sum;
}

// A point of each feature.
template <class C>
int first_point(const C& c) {
    return c.points[0];
}
template <class C>
int second_point(const C& c) {
    std::size_t k = 1;
    while (k + 1 < c.points.size() && !(c.weights[k] < 0))
        ++k;
    return c.points[k];
}

template <class C>
bool is_free(const C& c, const Mobility& mobility) {
    for (std::size_t k = 0; k < c.points.size(); ++k)
        if (c.weights[k] != 0 && !mobility.moves_freely(c.points[k]))
            return false;
    return true;
}

} // namespace

template <class C>
typename CorrectionOf<C>::Report
CorrectionOf<C>::apply(std::span<const Oriented<C>> contacts, const Mobility& mobility, double h,
                       std::span<const Vec3> begin, std::span<Vec3> end,
                       std::span<Vec3> velocities) {
    Report report;
    choose(contacts, mobility, h, begin, end, velocities);
    if (active_.empty())
        return report;
    report.rounds = separate(mobility, end, report.left);
    for (Active& a : active_) {
        a.pressing = a.push > 0 || a.contact.gap(end) <= a.contact.thickness;
        a.angular = cross(a.push * a.contact.normal, a.contact.difference(velocities));
    }
    report.rounds += stop(mobility, velocities);
    account(end, velocities, h);
    drag_along(mobility, h, end);
    turn_back(mobility, end, velocities);
    for (const Active& a : active_)
        report.contacts += a.push > 0 || a.impulse > 0;
    return report;
}

// Contacts that are closed, or so near that another collision may close them.
template <class C>
void CorrectionOf<C>::choose(std::span<const Oriented<C>> contacts, const Mobility& mobility,
                             double h, std::span<const Vec3> begin, std::span<const Vec3> end,
                             std::span<const Vec3> velocities) {
    constexpr double near = 1.2; // thicknesses
    active_.clear();
    for (const Oriented<C>& oriented : contacts) {
        const C& c = oriented.contact;
        const double gap = c.gap(end);
        if (gap > near * c.thickness)
            continue;
        const double inverse_mass = inverse_mass_along(c, mobility, c.normal);
        if (inverse_mass <= 0)
            continue;
        const double before = c.gap(begin);
        const double gain =
            std::min(settings_.recovery * h, settings_.longest_recovery * c.thickness);
        const double target = std::min(c.thickness, before + gain);
        const double speed = dot(c.normal, c.difference(velocities));
        const double pace = speed < 0 ? std::clamp((gap - before) / (h * speed), 0.0, 1.0) : 0.0;
        active_.push_back(
            {c, oriented.wrong, false, inverse_mass, target, pace, 0, 0, {0, 0, 0}, {0, 0, 0}});
    }
}

template <class C>
int CorrectionOf<C>::separate(const Mobility& mobility, std::span<Vec3> end, double& left) {
    const std::size_t n = active_.size();
    for (int sweep = 0;; ++sweep) {
        left = 0;
        bool done = true;
        for (std::size_t k = 0; k < n; ++k) {
            // To and fro, so that neither end of a stack comes first.
            Active& a = active_[sweep % 2 == 0 ? k : n - 1 - k];
            const double lacks = a.target - a.contact.gap(end);
            if (lacks <= 0)
                continue;
            left = std::max(left, lacks);
            done = done && lacks <= settings_.position_tolerance * a.contact.thickness;
            if (sweep == settings_.position_sweeps)
                continue; // only a look at what is left
            const double push = lacks / a.inverse_mass;
            push_points(a.contact, mobility, push * a.contact.normal, end);
            a.push += push;
        }
        if (done || sweep == settings_.position_sweeps)
            return sweep;
    }
}

template <class C>
int CorrectionOf<C>::stop(const Mobility& mobility, std::span<Vec3> velocities) {
    const std::size_t n = active_.size();
    double first = 0;
    for (int sweep = 0; sweep < settings_.speed_sweeps; ++sweep) {
        double largest = 0;
        for (std::size_t k = 0; k < n; ++k) {
            Active& a = active_[sweep % 2 == 0 ? k : n - 1 - k];
            if (a.pressing)
                largest = std::max(largest, stop(a, mobility, velocities));
        }
        if (sweep == 0)
            first = largest;
        if (largest <= settings_.speed_tolerance * first)
            return sweep + 1;
    }
    return settings_.speed_sweeps;
}

// The impulses so far count as one: what later ones made superfluous is taken back, and friction is
// bounded by the whole of the normal impulse. Returns by how much it changed the relative speed.
template <class C>
double CorrectionOf<C>::stop(Active& a, const Mobility& mobility,
                             std::span<Vec3> velocities) const {
    const C& c = a.contact;
    const double approach = -dot(c.normal, c.difference(velocities));
    const double wanted = std::max(0.0, a.impulse + approach / a.inverse_mass);
    const double change = wanted - a.impulse;
    double largest = 0;
    if (change != 0) {
        a.impulse = wanted;
        push_points(c, mobility, change * c.normal, velocities);
        largest = std::abs(change) * a.inverse_mass;
    }
    if (a.wrong || !(c.friction > 0) || (a.impulse == 0 && dot(a.friction, a.friction) == 0))
        return largest;
    const Vec3 sliding = tangential(c.difference(velocities), c.normal);
    const double speed = norm(sliding);
    double inverse_mass = a.inverse_mass;
    if (speed > 0)
        inverse_mass = inverse_mass_along(c, mobility, (1 / speed) * sliding);
    if (!(inverse_mass > 0))
        return largest;
    Vec3 friction = a.friction - (1 / inverse_mass) * sliding;
    const double most = c.friction * a.impulse, size = norm(friction);
    if (size > most)
        friction *= most / size;
    const Vec3 more = friction - a.friction;
    a.friction = friction;
    push_points(c, mobility, more, velocities);
    return std::max(largest, norm(more) * inverse_mass);
}

// What friction did to speeds, done to the way of the step: all of it where the integrator moves
// points by the speed at the end, half of it where by the mean of both ends.
template <class C>
void CorrectionOf<C>::drag_along(const Mobility& mobility, double h, std::span<Vec3> end) {
    for (const Active& a : active_)
        if (a.impulse > 0)
            push_points(a.contact, mobility, (a.pace * h) * a.friction, end);
}

// What impulses at `positions`, and the moves that friction is about to make at these velocities,
// add to the angular momentum.
template <class C>
void CorrectionOf<C>::account(std::span<const Vec3> positions, std::span<const Vec3> velocities,
                              double h) {
    for (Active& a : active_)
        if (a.impulse > 0) {
            const C& c = a.contact;
            a.angular += cross(c.difference(positions), a.impulse * c.normal + a.friction);
            a.angular += cross((a.pace * h) * a.friction, c.difference(velocities));
        }
}

// Takes the angular momentum back by turning a triangle at each of the two features as if both were
// one rigid body: no linear momentum, and no speed between the closest points but across their
// distance.
template <class C>
void CorrectionOf<C>::turn_back(const Mobility& mobility, std::span<const Vec3> positions,
                                std::span<Vec3> velocities) const {
    for (const Active& a : active_) {
        if (dot(a.angular, a.angular) == 0 || !is_free(a.contact, mobility))
            continue;
        std::array<int, 6> points;
        int count = 0;
        bool free = true;
        for (const int corner : {first_point(a.contact), second_point(a.contact)})
            for (const int p : surfaces_.triangles[surfaces_.triangle_of_point(corner)]) {
                free = free && mobility.moves_freely(p);
                if (std::find(points.begin(), points.begin() + count, p) == points.begin() + count)
                    points[count++] = p;
            }
        if (!free)
            continue;
        double mass = 0;
        Vec3 centre = {0, 0, 0};
        for (const int p : std::span(points).first(count)) {
            mass += surfaces_.mass[p];
            centre += surfaces_.mass[p] * positions[p];
        }
        centre *= 1 / mass;
        Mat3 inertia = Mat3::zero();
        for (const int p : std::span(points).first(count)) {
            const Vec3 r = positions[p] - centre;
            inertia += surfaces_.mass[p] * (Mat3::diagonal(dot(r, r)) - outer(r, r));
        }
        const double size = inertia(0, 0) + inertia(1, 1) + inertia(2, 2);
        if (!(determinant(inertia) > 1e-9 * size * size * size))
            continue; // all in one line
        const Vec3 turn = -(inverse(inertia) * a.angular);
        for (const int p : std::span(points).first(count))
            velocities[p] += cross(turn, positions[p] - centre);
    }
}

template <class C>
void CorrectionOf<C>::add_normal_forces(double h, std::span<double> forces) const {
    for (const Active& a : active_)
        for (std::size_t k = 0; k < a.contact.points.size(); ++k)
            if (a.impulse > 0 && surfaces_.is_cloth(a.contact.points[k]))
                forces[a.contact.points[k]] += std::abs(a.contact.weights[k]) * a.impulse / h;
}

template class CorrectionOf<Contact>;
template class CorrectionOf<SpreadContact>;

} // namespace muslin
