#include "muslin/collision/response/implicit_contact.h"

#include "muslin/collision/response/contact_force.h"
#include "muslin/collision/response/parting.h"

namespace muslin {

ImplicitContact::ImplicitContact(const Model& model, ImplicitContactSettings settings)
    : settings_(settings), surfaces_(model), tangles_(surfaces_),
      finder_(model, surfaces_, ContactFinder::Foresight::all_that_meet), elements_(surfaces_),
      failsafe_(surfaces_, finder_, tangles_, settings.zones), spin_(model) {}

std::unique_ptr<Force> ImplicitContact::make_force() {
    return std::make_unique<ContactForce>(elements_, settings_.pressure, settings_.friction);
}

void ImplicitContact::sense(const StepInput& step, Profile& profile) {
    {
        const ProfileScope scope(profile, Task::other);
        points_.expect(surfaces_, step);
        mobility_.set(surfaces_, step.constraints);
        tangles_.update(points_.begin);
    }
    finder_.find(points_, step, tangles_.released_marks(), contacts_, profile);
    const ProfileScope scope(profile, Task::detect_self);
    elements_.start({step.begin, step.h, points_, mobility_}, contacts_);
}

ContactReport ImplicitContact::resolve(const ProposedStep& step, State& end, Profile& profile) {
    const ProfileScope scope(profile, Task::resolve);
    ContactReport report;
    points_.propose(end);
    const bool tangled = tangles_.any();
    if (tangled)
        tangles_.draw_out(points_.begin, mobility_, step.h, points_.end);
    report.crossings = static_cast<int>(tangles_.crossings());
    end.contact_force.assign(surfaces_.particle_count(), 0.0);
    report.contacts = add_normal_forces(elements_, end.contact_force);
    report.released_energy = released_energy(elements_, settings_.pressure);
    failsafe_.stop_impacts(points_, mobility_, report);
    report.repeat = elements_.stiffen_against_impacts(
        {step.begin, step.h, points_, mobility_}, failsafe_.impacts(), failsafe_.largest_move());
    if (report.repeat || !failsafe_.accept_or_release(step, points_, mobility_, report))
        return report;
    points_.hand_over(step.h, end);
    stop_parting(elements_, points_, mobility_, end);
    // What is drawn out or stands still is not where the motion leads.
    if (!elements_.empty() && !tangled && failsafe_.resolved())
        restore_spin(step, end);
    return report;
}

void ImplicitContact::restore_spin(const ProposedStep& step, State& end) {
    spin_.start(step.conditions.pulls, end);
    for (int i = 0; i < surfaces_.particle_count(); ++i)
        if (!mobility_.moves_freely(i))
            spin_.hold(i);
    for (const ContactElement& element : elements_.all())
        if (element.pressure.acts)
            spin_.touch(element.contact);
    for (const Contact& impact : failsafe_.impacts())
        spin_.touch(impact);
    spin_.restore(step.begin, step.h, step.forces, end);
}

void ImplicitContact::store(ContactHistory& history) const {
    tangles_.store(history);
    finder_.store(history);
}

void ImplicitContact::recall(const ContactHistory& history) {
    tangles_.recall(history);
    finder_.recall(history);
}

} // namespace muslin
