#include "muslin/engine/level_sets.h"

#include "muslin/base/error.h"
#include "muslin/io/cache_folder.h"
#include "muslin/mesh/penetration.h"

#include <fmt/format.h>

namespace muslin {
namespace {

Source place_of(const SceneDescription& scene, const Model& model, const Body& body) {
    const std::size_t b = static_cast<std::size_t>(&body - model.bodies.data());
    return b < scene.bodies.size() ? scene.bodies[b].where : Source{scene.file.string(), 0, 0};
}

// A surface that has no inside has no signed distance.
void expect_closed(const SceneDescription& scene, const Model& model, const Body& body) {
    if (is_closed({body.mesh.positions, body.triangles}))
        return;
    throw InputError(
        {place_of(scene, model, body), fmt::format("body '{}'", body.name),
         "a closed mesh, which a level set can be made of", "an open one",
         "close its holes, or give [parts] contact = \"repulsion_contact\", which meets its "
         "faces"});
}

// The grid of a body, or why it can have none and where the scene says so.
LevelSetSettings grid_of(const SceneDescription& scene, const Model& model, const Body& body) {
    expect_closed(scene, model, body);
    try {
        const LevelSetSettings out =
            level_set_settings(body, {scene.level_sets.voxel, scene.level_sets.band, {}});
        check_level_set({body.mesh.positions, body.triangles}, out);
        return out;
    } catch (const InputError& error) {
        Problem problem = error.problem();
        problem.where = place_of(scene, model, body);
        if (problem.key != "level_sets.band")
            problem.key = fmt::format("body '{}': {}", body.name, problem.key);
        throw InputError(problem);
    }
}

} // namespace

BodyFieldsSettings body_fields_settings(const LevelSetsDescription& description) {
    BodyFieldsSettings out;
    out.voxel = description.voxel;
    out.band = description.band;
    out.cache = cache_folder(description.cache);
    return out;
}

std::unique_ptr<BodyFields> make_body_fields(const SceneDescription& scene, const Model& model) {
    for (const Body& body : model.bodies)
        grid_of(scene, model, body);
    return std::make_unique<BodyFields>(model.bodies, body_fields_settings(scene.level_sets));
}

LevelSetPlan plan_level_sets(const SceneDescription& scene, const Model& model, const Body& body) {
    LevelSetPlan out;
    out.grid = grid_of(scene, model, body);
    out.bytes = level_set_bytes(body, out.grid);
    out.count = level_set_count(body, out.grid, scene.time.frames / scene.time.frame_rate);
    return out;
}

} // namespace muslin
