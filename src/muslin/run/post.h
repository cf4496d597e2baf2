#pragma once

#include "muslin/base/archive.h"
#include "muslin/collision/fields/body_fields.h"
#include "muslin/levelset/fold_projection.h"
#include "muslin/mesh/subdivide.h"
#include "muslin/mesh/triangle_mesh.h"
#include "muslin/run/judge.h"
#include "muslin/scene/description.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <span>
#include <vector>

// Cloth as it is shown: finer than it was simulated where that is wanted, and out of bodies with
// its folds kept [Bridson03 5.3]. `muslin post` and the end of every frame of a run call this.

namespace muslin {

/// What a description leaves open is chosen by the cloth.
struct PostMeasures {
    double thickness = 0; ///< epsilon is half of it, and at least 0.5 mm [m]
    double depth = 0;     ///< [m]; tau follows from it and epsilon
    double edge = 0.01;   ///< mean length of edges [m]; triangles are raised by up to half of it
};
FoldSettings fold_settings(const PostDescription& post, const PostMeasures& measures);

/// Level sets that are known as far from the bodies as a projection goes.
BodyFieldsSettings fields_for(const FoldSettings& fold, const LevelSetsDescription& level_sets,
                              std::span<const Body> bodies);

/// A cloth as a run has it.
struct PostCloth {
    PolygonMesh mesh; ///< at its rest, as NAME.obj holds it
    RestShape rest = RestShape::positions;
    std::vector<Vec3> start; ///< where the vertices are in frame 0 [m]
};

/// What a frame is worth once it is done.
struct PostFrame {
    FoldReport fold;
    Verdict verdict; ///< of what is shown, in the single precision that files keep
    int self_intersections_before = 0, body_intersections_before = 0;
};

/// Over the frames of a run.
struct PostSummary {
    int frames = 0;
    std::size_t moved = 0, pinched = 0, unreached = 0, raised = 0; ///< in the worst frame
    double unreached_worst = 0, largest_move = 0, largest_raise = 0, deepest_before = 0; ///< [m]
    int self_intersections_before = 0, body_intersections_before = 0; ///< in the worst frame
    /// Of all points of all frames, as a root of the mean of squares [m].
    WrinkleHeight wrinkle;
    double seconds = 0;

    void add(const PostFrame& frame);
    void serialise(Archive& archive);
};

/// The cloths of one run, frame by frame.
class PostProcess {
public:
    /// `subdivide`: levels, 0 .. 4.
    PostProcess(std::vector<PostCloth> cloths, int subdivide);
    PostProcess(const PostProcess&) = delete; // its judge refers to its triangles
    PostProcess& operator=(const PostProcess&) = delete;

    /// The mesh to write, with the same rest shape as the cloth that it comes from.
    const PolygonMesh& mesh(std::size_t cloth) const { return cloths_[cloth].mesh; }
    int subdivide() const { return levels_; }
    std::size_t vertices() const { return positions_.size(); }
    std::size_t triangles() const { return triangles_.size(); }
    double mean_edge() const { return mean_edge_; } ///< in frame 0 [m]

    /// Takes the vertices of each cloth as they were simulated [m].
    void take(std::span<const std::vector<Vec3>> simulated);
    /// How deep what was taken is inside bodies, points inside several of them left out [m].
    double depth(std::span<const PlacedBody> bodies) const;
    /// Chooses the projection; before the first frame.
    void set_projection(const FoldSettings& settings);
    const std::optional<FoldProjection>& projection() const { return projection_; }
    /// Moves what was taken out of the bodies; without a projection it is judged as it is.
    PostFrame project_and_judge(const DistanceField* field, std::span<const PlacedBody> bodies);
    /// Of a cloth, as project_and_judge() left it.
    std::span<const Vec3> positions(std::size_t cloth) const;
    /// Numbers of the simulated vertices on those that are shown.
    void refine(std::size_t cloth, const std::vector<double>& simulated,
                std::vector<double>& shown) const;

private:
    struct Shown {
        PolygonMesh mesh;
        std::optional<Subdivision> finer;
        std::size_t first = 0, count = 0; ///< of its vertices among those of all cloths
    };
    void weld(const std::vector<Vec3>& start);

    int levels_;
    std::vector<Shown> cloths_;
    std::vector<std::array<int, 3>> triangles_; ///< of all cloths, seams welded
    std::vector<std::array<Vec2, 3>> pattern_;
    std::optional<ClothJudge> judge_;
    std::optional<FoldProjection> projection_;
    double mean_edge_ = 0; ///< in frame 0 [m]
    std::vector<Vec3> positions_, fine_;
};

/// What stats.jsonl and report.json say under "post".
nlohmann::ordered_json post_json(const PostFrame& frame);
nlohmann::ordered_json post_json(const PostSummary& summary, const PostProcess& process);

} // namespace muslin
