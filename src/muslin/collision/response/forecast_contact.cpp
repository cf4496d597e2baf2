#include "muslin/collision/response/forecast_contact.h"

namespace muslin {

ForecastContact::ForecastContact(const Model& model, ForecastContactSettings settings,
                                 std::unique_ptr<MovingField> field)
    : settings_(settings), surfaces_(model, Surfaces::Bodies::none),
      bodies_(model, surfaces_, settings.relaxation, std::move(field)), tangles_(surfaces_),
      finder_(model, surfaces_, ContactFinder::Foresight::none),
      failsafe_(surfaces_, finder_, tangles_, settings.cloth.zones) {}

void ForecastContact::sense(const StepInput& step, Profile& profile) {
    {
        const ProfileScope scope(profile, Task::detect_body);
        bodies_.sense(step.begin, step.h);
    }
    {
        const ProfileScope scope(profile, Task::other);
        points_.expect(surfaces_, step);
        mobility_.set(surfaces_, step.constraints);
        tangles_.update(points_.begin);
    }
    finder_.find(points_, step, tangles_.released_marks(), contacts_, profile);
}

ContactReport ForecastContact::resolve(const ProposedStep& step, State& end, Profile& profile) {
    const ProfileScope scope(profile, Task::resolve);
    ContactReport report;
    points_.propose(end);
    if (tangles_.any())
        tangles_.draw_out(points_.begin, mobility_, step.h, points_.end);
    report.crossings = static_cast<int>(tangles_.crossings());
    report.contacts = bodies_.change_step(step.h, mobility_, points_);
    report.contacts +=
        repel(contacts_, settings_.cloth.repulsion, surfaces_, mobility_, step.h, points_);
    failsafe_.stop_impacts(points_, mobility_, report);
    if (!failsafe_.accept_or_release(step, points_, mobility_, report))
        return report;
    points_.hand_over(step.h, end);
    bodies_.change_end(step.h, mobility_, end);
    return report;
}

void ForecastContact::store(ContactHistory& history) const {
    tangles_.store(history);
    finder_.store(history);
}

void ForecastContact::recall(const ContactHistory& history) {
    tangles_.recall(history);
    finder_.recall(history);
}

} // namespace muslin
