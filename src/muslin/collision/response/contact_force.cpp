#include "muslin/collision/response/contact_force.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

// An error of friction always acts along the slide, so it accumulates: longer steps than this may
// have no larger error of velocity than one of this length [s].
constexpr double usual_step = 1.0 / 120;

PressureLaw::Layers layers_of(const ContactElement& element) {
    return {element.contact.thickness, element.start.area};
}

void share(const ContactElement& element, const Vec3& force, std::span<Vec3> f) {
    const Contact& c = element.contact;
    for (int k = 0; k < 4; ++k)
        if (c.points[k] < static_cast<int>(f.size()))
            f[c.points[k]] += c.weights[k] * force;
}

void append_blocks(const Contact& c, const Mat3& block, int particles,
                   std::vector<BlockEntry>& out) {
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
            const double w = c.weights[i] * c.weights[j];
            if (w != 0 && c.points[i] < particles && c.points[j] < particles)
                out.push_back({c.points[i], c.points[j], w * block});
        }
}

} // namespace

ContactForce::ContactForce(ContactElements& elements, const PressureLaw& pressure,
                           const ContactFriction& friction)
    : elements_(elements), pressure_(pressure), friction_(friction) {
    const Surfaces& surfaces = elements.surfaces();
    patch_mass_.assign((surfaces.particle_count() + judged_together - 1) / judged_together, 0.0);
    for (int i = 0; i < surfaces.particle_count(); ++i)
        patch_mass_[i / judged_together] += surfaces.mass[i];
}

void ContactForce::add_force(const Kinematics& at, std::span<Vec3> f) const {
    for (const ContactElement& element : elements_.all())
        if (element.pressure.acts)
            share(element, element.force(element.relative_velocity(at.velocities), elements_.h()),
                  f);
}

void ContactForce::add_linearised(const Kinematics& at, const Linearisation& step,
                                  std::span<Vec3> f, BlockMatrix& a) const {
    entries_.clear();
    for (ContactElement& element : elements_.all()) {
        const Vec3 velocity = element.relative_velocity(at.velocities);
        linearise(element, velocity);
        if (!element.pressure.acts)
            continue;
        friction_.choose(element, at.velocities,
                         {elements_.h(), step.last, elements_.crowding(element.start.particle)});
        share(element, element.force(velocity, elements_.h()), f);
        append_blocks(element.contact, element.matrix(step.h), static_cast<int>(f.size()),
                      entries_);
    }
    a.add_overlay(entries_);
}

// Sets the pressure of an element for the next solve, and whether it acts.
void ContactForce::linearise(ContactElement& element, const Vec3& velocity) const {
    const double h = elements_.h(), thickness = element.contact.thickness;
    const ContactElement::Start& start = element.start;
    ContactElement::Pressure& pressure = element.pressure;
    element.follow_surface(velocity, h);
    const double gap = element.gap_ahead(velocity, h);
    const PressureLaw::Layers layers = layers_of(element);
    const PressureLaw::Tangent tangent = pressure_.tangent(
        pressure.is_new ? start.gap : pressure_.gap_under(pressure.borne, layers), layers);
    pressure.stiffness = tangent.stiffness;
    pressure.target = tangent.target;
    // Layers that come in fast are to be stopped within half their thickness.
    if (pressure.is_new || start.is_impact)
        pressure.stiffness =
            std::max(pressure.stiffness, 2 * start.mass * start.closing / (h * thickness));
    // A contact that carried load at the start still does: on its straight way past a body that
    // turns, cloth is clear of it by more than the layers are pressed.
    const bool carried_load = pressure.force > 0 && start.gap < thickness;
    pressure.begins = !pressure.acts;
    pressure.acts = gap < thickness || (pressure.is_new && carried_load);
    if (!pressure.acts) {
        pressure.presses = false;
        pressure.borne = pressure.force = 0;
        element.friction.drag = 0;
        element.friction.way = {0, 0, 0};
    }
}

void ContactForce::update(const Kinematics& at) {
    const double h = elements_.h();
    patch_unbalanced_.assign(patch_mass_.size(), {0, 0, 0});
    for (ContactElement& element : elements_.all()) {
        ContactElement::Pressure& pressure = element.pressure;
        const Vec3 velocity = element.relative_velocity(at.velocities);
        const double gap = pressure.gap = element.gap_ahead(velocity, h);
        pressure.is_new = false;
        if (!pressure.acts)
            continue;
        pressure.presses = gap < pressure.target;
        pressure.borne = std::max(0.0, pressure.stiffness * (pressure.target - gap));
        pressure.force = element.lasting_force(gap, dot(element.plane.normal, velocity), h);
        patch_unbalanced_[element.start.particle / judged_together] +=
            element.start.side * unbalanced_friction(element, velocity);
    }
}

bool ContactForce::has_converged(std::span<const double> open) const {
    const double part = std::min(1.0, usual_step / elements_.h());
    for (std::size_t k = 0; k < patch_mass_.size(); ++k)
        if (norm(patch_unbalanced_[k]) > part * open[k] * patch_mass_[k])
            return false;
    return true;
}

int add_normal_forces(const ContactElements& elements, std::span<double> contact_force) {
    int pressed = 0;
    for (const ContactElement& element : elements.all()) {
        if (!element.pressure.presses)
            continue;
        ++pressed;
        // What an impact took does not last.
        const double lasting =
            element.pressure.force - element.start.mass * element.start.closing / elements.h();
        if (lasting <= 0)
            continue;
        const Contact& c = element.contact;
        for (int k = 0; k < 4; ++k)
            if (elements.surfaces().is_cloth(c.points[k]))
                contact_force[c.points[k]] += std::abs(c.weights[k]) * lasting;
    }
    return pressed;
}

double released_energy(const ContactElements& elements, const PressureLaw& pressure) {
    double sum = 0;
    for (const ContactElement& element : elements.all()) {
        const PressureLaw::Layers layers = layers_of(element);
        sum += pressure.energy(element.start.gap, layers) -
               pressure.energy(element.pressure.gap, layers);
    }
    return sum;
}

} // namespace muslin
