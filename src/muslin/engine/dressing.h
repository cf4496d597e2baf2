#pragma once

#include "muslin/model/conditions.h"
#include "muslin/model/model.h"
#include "muslin/model/state.h"
#include "muslin/scene/description.h"
#include "muslin/scene/dressing.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace muslin {

/// How the garments of a scene come onto their bodies, frame by frame: the model with which they
/// are sewn, the conditions of a phase, and when it ends. It knows no stepper. Where a scene has no
/// garments, all frames are those of the scene itself.
class Dressing {
public:
    explicit Dressing(const SceneDescription& scene);

    bool any() const { return frames_.all() > 0; }
    const DressingFrames& frames() const { return frames_; }
    /// What the frame after `frame` does.
    DressingPhase phase(int frame) const { return phase_after(frames_, frame); }

    /// The model of the frame after `frame`, of one as the scene has it: that for sewing, or the
    /// same.
    Model model_for(Model model, int frame, bool ironing) const;
    /// Gravity's share, drag and phase for the frame after `frame`; `scene` has them as the scene
    /// says. What nothing carries yet must not fall, and what seams pull must not fly about.
    void update_conditions(const Conditions& scene, const Model& model, int frame,
                           Conditions& conditions) const;
    /// Holds panels of higher layers where they are until those below are worn.
    void hold_waiting(const Model& model, const State& state, int frame,
                      Conditions& conditions) const;

    /// How long the last of all seams of the round that are open has pulled [s].
    double sewing_time(const Model& model, int frame) const;
    /// Whether what is open now has resisted its seams for so long, or to the end of sewing.
    bool holds_out(const Model& model, int frame, double seconds) const;
    /// Whether what crosses is to be taken apart at the end of `frame`, once and for all.
    bool untangles_after(int frame, int crossings) const;

    /// What comes after a frame that has ended. The bodies are still while garments are sewn, so
    /// that time may jump to the next phase once all of a round is sewn.
    struct Next {
        int frame;        ///< that has ended, where time jumps another one
        bool ironing;     ///< whether folds in seams are ironed out from here on
        bool other_model; ///< whether the next phase has another model
    };
    Next after(const Model& model, int frame, const SewingHistory& sewing) const;

private:
    int round(int frame) const { return round_after(frames_, frame); }
    int round_of(const Cloth& cloth) const;

    DressingFrames frames_;
    DressingDescription description_;
    double frame_rate_;                               ///< [1/s]
    std::vector<std::pair<std::string, int>> rounds_; ///< of the cloths of garments
};

} // namespace muslin
