#pragma once

#include "muslin/engine/dressing.h"
#include "muslin/engine/frame_report.h"
#include "muslin/model/conditions.h"
#include "muslin/model/merge.h"
#include "muslin/model/model.h"
#include "muslin/model/state.h"

#include <memory>
#include <optional>
#include <vector>

namespace muslin {

/// Makes one particle of the particles of each joint of a seam that have met [Ohta95]: another
/// model and state, with which a stepper goes on. It knows no stepper.
class SeamMerger {
public:
    /// `start`: the model before anything merged. `contact`: whether what would cross must wait.
    /// The dressing must outlive it.
    SeamMerger(std::shared_ptr<const Model> start, const Dressing& dressing, bool contact)
        : start_(std::move(start)), dressing_(dressing), contact_(contact) {}

    /// Where a scene is now: what merge() reads and changes.
    struct Scene {
        const Model& model;
        int frame; ///< the last that has ended
        Conditions& conditions;
        State& state;
    };

    /// Whether so many joints of a garment have met within a frame that they are merged at once.
    bool wants_to_merge(const Model& model, const State& state, int frame) const;
    /// Merges joints that have met. If any has: conditions and state are those of the model that is
    /// returned, which is as the scene has it, not as sewing changes it. `at_end`: of a frame, when
    /// joints that have long met may close although layers beside them cross by that.
    std::optional<Model> merge(const Scene& scene, bool at_end, FrameReport& report) const;
    /// The model as the scene has it in which the particles of a state have merged.
    Model model_of(const State& state) const;
    /// Adds the joints that are open and merged to a report.
    void count_joints(const Model& model, const State& state, FrameReport& report) const;

private:
    struct Trial {
        std::vector<Vec3> moves;   ///< of the particle of each joint [m]
        std::vector<char> crosses; ///< whether a joint does where none of its particles did
    };
    Trial try_merge(const Scene& scene, const ParticleGroups& groups,
                    const std::vector<double>& lifts,
                    const std::vector<char>& crossed_before) const;
    std::vector<Vec3> find_room(const Scene& scene, ParticleGroups& groups, bool may_lift) const;
    ParticleGroups joints_to_merge(const Scene& scene, const ParticleMap& now, double reach) const;
    double seam_reach(const Model& model, int frame) const;
    bool may_lift(const Model& model, int frame) const;
    bool is_impatient(const Model& model, int frame) const;

    std::shared_ptr<const Model> start_;
    const Dressing& dressing_;
    bool contact_;
};

} // namespace muslin
