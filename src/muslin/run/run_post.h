#pragma once

#include "muslin/collision/fields/body_fields.h"
#include "muslin/engine/simulation.h"
#include "muslin/run/post.h"
#include "muslin/scene/description.h"

#include <memory>
#include <vector>

namespace muslin {

/// Whether a run pushes cloth out of bodies or refines it, and has what it takes.
bool wants_post(const SceneDescription& scene, const Recipe& recipe);
/// Throws InputError for a body that is not closed where wants_post().
void check_post(const SceneDescription& scene, const Recipe& recipe, const Model& model);

/// The end of every frame of a run whose scene or recipe wants it. The state of the simulation
/// stays as it is.
class RunPost {
public:
    /// Null where nothing is wanted, or nothing is there to be done. The simulation must outlive
    /// it. Throws InputError for a body that is not closed.
    static std::unique_ptr<RunPost> make(const SceneDescription& scene,
                                         const Simulation& simulation);

    const PostProcess& process() const { return process_; }
    /// Takes the cloth as it is now.
    PostFrame process_frame();
    const PostSummary& summary() const { return summary_; }
    void set_summary(const PostSummary& summary) { summary_ = summary; } ///< of a run that goes on
    LevelSetWork level_sets() const { return fields_ ? fields_->work() : LevelSetWork(); }

private:
    RunPost(const SceneDescription& scene, const Simulation& simulation);

    const Simulation& simulation_;
    PostProcess process_;
    std::unique_ptr<BodyFields> fields_; ///< none where there are no bodies
    std::vector<std::vector<Vec3>> cloths_, bodies_;
    std::vector<PlacedBody> placed_;
    PostSummary summary_;
};

} // namespace muslin
