#pragma once

#include "muslin/api/guard.h"
#include "muslin/base/thread_team.h"
#include "muslin/run/live.h"
#include "muslin/simulation.h"

#include <memory>
#include <string>
#include <utility>

namespace muslin::api {

struct Simulation::Parts {
    Parts(const Scene& scene, int threads);

    /// On the simulation's own threads, with errors of the public face.
    template <class Work>
    decltype(auto) call(Work&& work) const {
        const TeamScope scope(team.get());
        return guarded(&scene.parts(), std::forward<Work>(work));
    }

    // By name. They throw InputError of the public face.
    int cloth_index(const std::string& name) const;
    const muslin::Cloth& cloth(const std::string& name) const;
    const muslin::Body& body(const std::string& name) const;
    int pin_index(const std::string& name) const;

    const Model& model() const { return live.simulation().model(); }
    const State& state() const { return live.simulation().state(); }

    std::unique_ptr<ThreadTeam> team;
    Scene scene;
    LiveSimulation live;
    FrameReport report;
};

FrameReport to_public(const muslin::FrameReport& report);
Verdict to_public(const muslin::Verdict& verdict);

} // namespace muslin::api
