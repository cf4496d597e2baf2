// Where a simulation is, to go back to or to branch from.
#include "muslin/api/guard.h"
#include "muslin/api/simulation_parts.h"

#include <utility>

namespace muslin::api {

State::State(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}

int State::frame() const {
    return parts_->snapshot.frame;
}

double State::time() const {
    return parts_->snapshot.state.time;
}

void State::save(const std::filesystem::path& file) const {
    guarded(nullptr, [&] { save_snapshot(file, parts_->snapshot); });
}

State State::load(const std::filesystem::path& file) {
    return guarded(
        nullptr, [&] { return State(std::make_shared<const Parts>(Parts{load_snapshot(file)})); });
}

State Simulation::state() const {
    return State(std::make_shared<const State::Parts>(State::Parts{parts_->live.snapshot()}));
}

void Simulation::restore(const State& state) {
    parts_->call([&] {
        parts_->live.restore(state.parts().snapshot);
        parts_->report = {};
        parts_->report.frame = frame();
        parts_->report.time = time();
    });
}

} // namespace muslin::api
