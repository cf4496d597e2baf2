#include "muslin/collision/response/repulsion_contact.h"

namespace muslin {

RepulsionContact::RepulsionContact(const Model& model, RepulsionContactSettings settings)
    : settings_(settings), surfaces_(model), tangles_(surfaces_),
      finder_(model, surfaces_, ContactFinder::Foresight::none),
      failsafe_(surfaces_, finder_, tangles_, settings.zones) {}

void RepulsionContact::sense(const StepInput& step, Profile& profile) {
    {
        const ProfileScope scope(profile, Task::other);
        points_.expect(surfaces_, step);
        mobility_.set(surfaces_, step.constraints);
        tangles_.update(points_.begin);
    }
    finder_.find(points_, step, tangles_.released_marks(), contacts_, profile);
}

ContactReport RepulsionContact::resolve(const ProposedStep& step, State& end, Profile& profile) {
    const ProfileScope scope(profile, Task::resolve);
    ContactReport report;
    points_.propose(end);
    if (tangles_.any())
        tangles_.draw_out(points_.begin, mobility_, step.h, points_.end);
    report.crossings = static_cast<int>(tangles_.crossings());
    report.contacts = repel(contacts_, settings_.repulsion, surfaces_, mobility_, step.h, points_);
    failsafe_.stop_impacts(points_, mobility_, report);
    if (failsafe_.accept_or_release(step, points_, mobility_, report))
        points_.hand_over(step.h, end);
    return report;
}

void RepulsionContact::store(ContactHistory& history) const {
    tangles_.store(history);
    finder_.store(history);
}

void RepulsionContact::recall(const ContactHistory& history) {
    tangles_.recall(history);
    finder_.recall(history);
}

} // namespace muslin
