// Bodies: their meshes, and where their vertices are over time.
#include "muslin/base/error.h"
#include "muslin/garment/part_body.h"
#include "muslin/garment/slim_body.h"
#include "muslin/io/gltf.h"
#include "muslin/io/mesh_convert.h"
#include "muslin/scene/build_parts.h"
#include "muslin/scene/build_scene.h"
#include "muslin/scene/dressing.h"
#include "muslin/scene/load_parts.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace muslin {
namespace {

/// Poses are sampled at least so often; between samples vertices move straight [1/s].
constexpr double least_rate = 60;

/// From 0 to 1 without a jerk at either end.
double ease(double share) {
    return share * share * (3 - 2 * share);
}

/// A body with a skeleton, posed, in the scene's frame.
class PosedBody {
public:
    PosedBody(const BodyDescription& body) : description_(body) {
        if (const auto* file = std::get_if<MeshFile>(&body.mesh))
            character_ = read_gltf(file->path);
        else
            character_ = make_mannequin(std::get<MannequinSettings>(body.mesh));
    }
    const Character& character() const { return character_; }

    PolygonMesh mesh() const {
        PolygonMesh out = character_.mesh;
        out.positions = positions(rest_pose(character_));
        return out;
    }
    std::vector<Vec3> positions(const CharacterPose& pose) const {
        PolygonMesh out;
        out.positions.resize(character_.mesh.positions.size());
        pose_character(character_, pose, out.positions);
        if (const auto* file = std::get_if<MeshFile>(&description_.mesh))
            to_metres_y_up(out, file->unit, file->z_up);
        place_mesh(out, description_.placement, RestShape::positions);
        return std::move(out.positions);
    }
    CharacterPose pose_at(const Clip& clip, double time) const {
        const FramesDescription& a = *description_.animation;
        double at = a.start + a.speed * time;
        if (a.loop && clip.duration > 0)
            at = std::fmod(at, clip.duration);
        return sample_clip(character_, clip, at);
    }

private:
    const BodyDescription& description_;
    Character character_;
};

const Clip& clip_of(const BodyDescription& body, const Character& character) {
    try {
        return find_clip(character, body.animation->clip);
    } catch (const InputError& error) {
        Problem problem = error.problem();
        problem.where = body.animation->where;
        problem.key = fmt::format("body '{}': animation.clip", body.name);
        throw InputError(problem);
    }
}

void play_clip(const BodyDescription& description, const PosedBody& posed,
               const SceneDescription& scene, Body& body) {
    const Clip& clip = clip_of(description, posed.character());
    const double scene_rate = scene.time.frame_rate;
    body.frame_rate = scene_rate * std::ceil(least_rate / scene_rate);
    const double lead = dressing_frames(scene).preroll / scene_rate;
    const int before = static_cast<int>(std::lround(lead * body.frame_rate));
    const int after =
        static_cast<int>(std::lround(scene.time.frames / scene_rate * body.frame_rate));
    const CharacterPose rest = rest_pose(posed.character()), first = posed.pose_at(clip, 0);
    for (int k = 0; k < before; ++k)
        body.frames.push_back(posed.positions(blend_poses(rest, first, ease(double(k) / before))));
    for (int k = 0; k <= after; ++k)
        body.frames.push_back(posed.positions(posed.pose_at(clip, k / body.frame_rate)));
    body.frames_start = -before / body.frame_rate;
}

/// Frames of a file; garments come to the first one from the body's mesh.
void play_frames(const BodyDescription& description, const SceneDescription& scene, Body& body) {
    Frames frames =
        read_frames(*description.animation, fmt::format("body '{}': animation", description.name),
                    {description.mesh, description.placement, body.mesh}, scene.time.frame_rate);
    body.frame_rate = frames.rate;
    const double lead = dressing_frames(scene).preroll / scene.time.frame_rate;
    const int before = static_cast<int>(std::ceil(lead * frames.rate - 1e-9));
    const std::vector<Vec3>& first = frames.frames.front();
    for (int k = 0; k < before; ++k) {
        const double share = ease(double(k) / before);
        std::vector<Vec3>& between = body.frames.emplace_back(body.mesh.positions);
        for (std::size_t i = 0; i < between.size(); ++i)
            between[i] = (1 - share) * between[i] + share * first[i];
    }
    body.frames_start = -before / body.frame_rate;
    std::move(frames.frames.begin(), frames.frames.end(), std::back_inserter(body.frames));
}

/// Room for two layers of cloth between parts of a body [m].
double parting_gap(const SceneDescription& scene, const Body& body) {
    double thickest = 0;
    for (const ClothDescription& cloth : scene.cloths)
        thickest = std::max(thickest, cloth.material.thickness);
    return std::max(4e-3, 4 * (thickest / 2 + body.thickness) + 2e-3);
}

/// Puts before the frames those in which a body that was slim while garments were sewn on it grows
/// to its size, in the first half of the time to settle. Those of higher layers are sewn on it as
/// it is then.
void grow(const SceneDescription& scene, Body& body) {
    const DressingFrames phases = dressing_frames(scene);
    if (phases.all() == 0 || scene.dressing.slim == 0)
        return;
    const double rest_at = -phases.preroll / scene.time.frame_rate; // [s]
    const double settle = phases.settle / scene.time.frame_rate;
    const std::vector<PartedVertex> rest =
        body.parted.empty() ? std::vector<PartedVertex>() : body.parted.front();
    if (body.frames.empty()) {
        body.frames.push_back(body.mesh.positions);
        body.frame_rate = least_rate;
        body.frames_start = rest_at;
    }
    const std::vector<Vec3> slim =
        slim_body(body.mesh.positions, body.triangles, scene.dressing.slim);
    const int all = static_cast<int>(std::lround(settle * body.frame_rate));
    const int growing = std::max(1, all / 2);
    std::vector<std::vector<Vec3>> frames;
    std::vector<std::vector<PartedVertex>> parted;
    for (int k = 0; k < std::max(1, all); ++k) {
        const double share = ease(std::min(1.0, double(k) / growing));
        std::vector<Vec3>& at = frames.emplace_back(body.mesh.positions);
        for (std::size_t i = 0; i < at.size(); ++i)
            at[i] = (1 - share) * slim[i] + share * at[i];
        for (PartedVertex& p : parted.emplace_back(rest))
            p.back = share * p.back;
    }
    if (!body.parted.empty())
        body.parted.insert(body.parted.begin(), parted.begin(), parted.end());
    body.pause = {rest_at,
                  (phases.rounds - 1) * (phases.sew + phases.settle) / scene.time.frame_rate};
    body.frames_start -= static_cast<double>(frames.size()) / body.frame_rate + body.pause.length;
    body.frames.insert(body.frames.begin(), std::make_move_iterator(frames.begin()),
                       std::make_move_iterator(frames.end()));
}

} // namespace

Body make_body(const BodyDescription& description, const SceneDescription& scene) {
    Body body;
    body.name = description.name;
    std::optional<PosedBody> posed;
    if (has_skeleton(description.mesh)) {
        posed.emplace(description);
        body.mesh = posed->mesh();
    } else {
        body.mesh = make_mesh(description.mesh);
        place_mesh(body.mesh, description.placement, RestShape::positions);
    }
    body.triangles = triangulate(body.mesh).triangles;
    body.friction = description.friction;
    body.thickness = description.thickness;
    body.motion = description.motion;
    body.visible = description.visible;
    if (description.animation && !description.animation->clip.empty())
        play_clip(description, *posed, scene, body);
    else if (description.animation)
        play_frames(description, scene, body);
    if (!scene.garments.empty())
        part_body(body, parting_gap(scene, body));
    grow(scene, body);
    return body;
}

} // namespace muslin
