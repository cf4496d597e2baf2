#include "muslin/collision/response/contact_elements.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace muslin {
namespace {

// How far layers may close in on each other in one step, in lengths of an element.
constexpr double longest_approach = 4;
// Impact zones may move a particle by 0.2 thicknesses or 1 % of an edge, whichever is larger (a
// tilt of 0.01 rad is invisible), before the step is taken again; and how often that is done.
constexpr double bearable_move = 0.2, bearable_turn = 0.01;
constexpr int most_repeats = 2;
// How far a normal may turn in a step that contact leaves as long as it is [rad], where the curve
// has that many elements to its radius, or more: cloth that is coarser does not follow it.
constexpr double usual_turn = 0.1;
constexpr double resolved = 5;

} // namespace

void ContactElements::start(const ContactStep& step, std::span<const Contact> contacts) {
    elements_.clear();
    longest_step_ = HUGE_VAL;
    repeats_ = 0;
    h_ = step.h;
    shape_.place(step.points.begin);
    crowding_.assign(surfaces_.particle_count(), 0.0);
    for (const Contact& c : contacts)
        if (!shape_.leans(c))
            add(step, c);
    for (ContactElement& element : elements_) {
        element.pressure.force = shared_force(element.contact, step.start.contact_force);
        if (element.pressure.force > 0)
            longest_step_ = std::min(longest_step_, longest_turn(step.start, element));
        // A step in which layers close in by many times their size would crumple them.
        const double most = longest_approach * std::sqrt(element.start.area);
        if (h_ * element.start.closing > most)
            longest_step_ = std::min(longest_step_, most / element.start.closing);
    }
}

// Appends the element of a contact that can give way; false where none of it can.
bool ContactElements::add(const ContactStep& step, const Contact& c) {
    const ContactElement element = make_element(step, c);
    if (element.start.area <= 0)
        return false;
    elements_.push_back(element);
    for (int k = 0; k < 4; ++k)
        if (surfaces_.is_cloth(c.points[k]))
            crowding_[c.points[k]] += std::abs(c.weights[k]);
    return true;
}

// An impact that is stopped by its own few particles leaves them out of place among their
// neighbours.
bool ContactElements::stiffen_against_impacts(const ContactStep& step,
                                              std::span<const Contact> impacts,
                                              double largest_move) {
    double thickness = HUGE_VAL, edge = HUGE_VAL;
    for (const Contact& c : impacts) {
        thickness = std::min(thickness, c.thickness);
        double area = 0; // of a vertex; those at a rim have less
        for (const int p : c.points)
            if (surfaces_.is_cloth(p))
                area = std::max(area, surfaces_.area[p]);
        edge = std::min(edge, std::sqrt(area));
    }
    if (largest_move <= std::max(bearable_move * thickness, bearable_turn * edge) ||
        repeats_ >= most_repeats)
        return false;
    ++repeats_;
    for (const Contact& c : impacts)
        if (add(step, c)) {
            ContactElement::Start& start = elements_.back().start;
            start.is_impact = true;
            start.closing = std::max(start.closing, start.gap / h_);
        }
    return true;
}

ContactElement ContactElements::make_element(const ContactStep& step, const Contact& c) {
    ContactElement element;
    ContactElement::Start& start = element.start;
    Vec3& normal = element.plane.normal;
    element.contact = c;
    element.contact.normal = normal = shape_.normal(c);
    start.body_velocity = {0, 0, 0};
    double inverse_area = 0, inverse_mass = 0;
    for (int k = 0; k < 4; ++k) {
        const int p = c.points[k];
        if (surfaces_.is_cloth(p)) {
            const double w2 = c.weights[k] * c.weights[k];
            if (start.particle < 0) {
                start.particle = p;
                start.side = k < (c.edges ? 2 : 1) ? 1 : -1;
            }
            if (step.mobility.moves(p)) {
                inverse_area += w2 / surfaces_.area[p];
                inverse_mass += w2 / surfaces_.mass[p];
            }
            continue;
        }
        start.body_velocity += (c.weights[k] / h_) * (step.points.end[p] - step.points.begin[p]);
    }
    const Vec3 apart = c.difference(step.points.begin);
    start.gap = element.plane.still_gap = element.pressure.gap = dot(normal, apart);
    start.offset = tangential(apart, normal);
    start.curvature = shape_.curvature(element.contact);
    start.area = inverse_area > 0 ? 1 / inverse_area : 0;
    start.mass = inverse_mass > 0 ? 1 / inverse_mass : 0;
    start.closing = std::max(0.0, -dot(normal, element.relative_velocity(step.start.velocities)));
    return element;
}

// The step in which the normal turns by as much as it should in one.
double ContactElements::longest_turn(const State& start, const ContactElement& element) const {
    const Vec3 slip = tangential(element.relative_velocity(start.velocities), element.plane.normal);
    const double rate = norm(element.start.curvature * slip);
    const bool follows = resolved * std::sqrt(element.start.area) * rate < norm(slip);
    return follows && rate > 0 ? usual_turn / rate : HUGE_VAL;
}

// The normal force that the particles of a contact bore, shared among the contacts that they have
// now.
double ContactElements::shared_force(const Contact& c, std::span<const double> of_particles) const {
    if (of_particles.empty())
        return 0;
    double least = HUGE_VAL;
    const int second = c.edges ? 2 : 1;
    for (const auto& [from, to] : {std::pair{0, second}, std::pair{second, 4}}) {
        if (!surfaces_.is_cloth(c.points[from]))
            continue;
        double side = 0;
        for (int k = from; k < to; ++k)
            side += std::abs(c.weights[k]) * of_particles[c.points[k]] /
                    std::max(1.0, crowding_[c.points[k]]);
        least = std::min(least, side);
    }
    return least;
}

} // namespace muslin
