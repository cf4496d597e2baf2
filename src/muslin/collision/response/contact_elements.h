#pragma once

#include "muslin/collision/detect/surface_shape.h"
#include "muslin/collision/detect/surfaces.h"
#include "muslin/collision/response/contact_element.h"
#include "muslin/collision/response/mobility.h"
#include "muslin/collision/response/step_points.h"
#include "muslin/model/state.h"

#include <span>
#include <vector>

namespace muslin {

/// The step whose contacts become elements.
struct ContactStep {
    const State& start;
    double h; ///< [s]
    const StepPoints& points;
    const Mobility& mobility;
};

/// The contacts of a step as elements of its implicit system.
class ContactElements {
public:
    explicit ContactElements(const Surfaces& surfaces) : surfaces_(surfaces), shape_(surfaces) {}

    /// Replaces the elements by those of the contacts of a step.
    void start(const ContactStep& step, std::span<const Contact> contacts);
    /// The longest step that the elements can answer well for [s].
    double longest_step() const { return longest_step_; }

    /// Adds the impacts that zones stopped in the step, by moving a particle by up to
    /// `largest_move` [m], where that would show: taken again, the step lets the cloth give way as
    /// a whole. True if so.
    bool stiffen_against_impacts(const ContactStep& step, std::span<const Contact> impacts,
                                 double largest_move);

    double h() const { return h_; } ///< of the step at hand [s]
    const Surfaces& surfaces() const { return surfaces_; }
    std::span<ContactElement> all() { return elements_; }
    std::span<const ContactElement> all() const { return elements_; }
    bool empty() const { return elements_.empty(); }
    /// The weights of the elements on a particle, summed.
    double crowding(int particle) const { return crowding_[particle]; }

private:
    bool add(const ContactStep& step, const Contact& contact);
    ContactElement make_element(const ContactStep& step, const Contact& contact);
    double longest_turn(const State& start, const ContactElement& element) const;
    double shared_force(const Contact& contact, std::span<const double> of_particles) const;

    const Surfaces& surfaces_;
    SurfaceShape shape_;
    double h_ = 0;
    double longest_step_ = 0;
    int repeats_ = 0; ///< of the step at hand
    std::vector<ContactElement> elements_;
    std::vector<double> crowding_; ///< per particle
};

} // namespace muslin
