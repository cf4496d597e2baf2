#pragma once

#include "muslin/api/guard.h"
#include "muslin/base/thread_team.h"
#include "muslin/run/live.h"
#include "muslin/simulation.h"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace muslin::api {

struct State::Parts {
    LiveSnapshot snapshot;
};

struct Simulation::Parts {
    Parts(const Scene& scene, int threads);
    /// Tells of a step that is about to be tried. Throws Cancelled.
    void look(const FrameProgress& step);
    /// To a time [s], with errors of the public face.
    FrameReport step_to(double time);

    /// On the simulation's own threads, with errors of the public face.
    template <class Work>
    decltype(auto) call(Work&& work) const {
        const TeamScope scope(team.get());
        return guarded(&scene.parts(), std::forward<Work>(work));
    }

    /// Throws InputError of the engine while garments are not dressed.
    void require_dressed(const char* what) const;

    // By name. They throw InputError of the public face.
    int cloth_index(const std::string& name) const;
    const muslin::Cloth& cloth(const std::string& name) const;
    const muslin::Body& body(const std::string& name) const;
    int pin_index(const std::string& name) const;

    const Model& model() const { return live.simulation().model(); }
    const muslin::State& state() const { return live.simulation().state(); }

    std::unique_ptr<ThreadTeam> team;
    Scene scene;
    LiveSimulation live;
    FrameReport report;
    std::function<void(const Progress&)> progress;
    std::atomic<bool> cancelled = false;
    double begin = 0, end = 0; ///< of the call that steps [s]
};

/// The vertices that a pin of the scene holds, increasing, with the places of their particles in
/// the pin.
struct HeldVertex {
    int vertex, place;
};
std::vector<HeldVertex> held_vertices(const LiveSimulation& live, int pin);

FrameReport to_public(const muslin::FrameReport& report);
Verdict to_public(const muslin::Verdict& verdict);

} // namespace muslin::api
