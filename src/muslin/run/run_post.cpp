#include "muslin/run/run_post.h"

#include "muslin/base/error.h"
#include "muslin/mesh/penetration.h"
#include "muslin/model/build_model.h"

#include <algorithm>
#include <chrono>

namespace muslin {
namespace {

// A run cannot know how deep its cloth will be; forecasting keeps particles above this [m].
constexpr double usual_depth = 0.5e-3;

std::vector<PostCloth> cloths_of(const Simulation& simulation) {
    std::vector<PostCloth> out;
    for (const Cloth& cloth : simulation.model().cloths) {
        out.push_back({cloth.surface.mesh, cloth.surface.rest, {}});
        surface_positions(cloth, simulation.state(), out.back().start);
    }
    return out;
}

double thickest(const Model& model) {
    double out = 0;
    for (const Cloth& cloth : model.cloths)
        out = std::max(out, cloth.material.thickness);
    return out;
}

} // namespace

bool wants_post(const SceneDescription& scene, const Recipe& recipe) {
    const bool usual = recipe.post && recipe.parts.at("contact") == "forecast_contact";
    return scene.post.enabled.value_or(usual) &&
           (!scene.bodies.empty() || scene.post.subdivide > 0);
}

void check_post(const SceneDescription& scene, const Recipe& recipe, const Model& model) {
    if (!wants_post(scene, recipe))
        return;
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        const Body& body = model.bodies[b];
        if (!is_closed({body.mesh.positions, body.triangles}))
            throw InputError({scene.bodies[b].where, "body '" + body.name + "'",
                              "a closed mesh, so that [post] knows its inside", "an open one",
                              "close its holes, or give [post] enabled = false"});
    }
}

std::unique_ptr<RunPost> RunPost::make(const SceneDescription& scene,
                                       const Simulation& simulation) {
    if (!wants_post(scene, simulation.recipe()))
        return nullptr;
    check_post(scene, simulation.recipe(), simulation.model());
    return std::unique_ptr<RunPost>(new RunPost(scene, simulation));
}

RunPost::RunPost(const SceneDescription& scene, const Simulation& simulation)
    : simulation_(simulation), process_(cloths_of(simulation), scene.post.subdivide) {
    const Model& model = simulation.model();
    cloths_.resize(model.cloths.size());
    bodies_.resize(model.bodies.size());
    placed_.resize(model.bodies.size());
    if (model.bodies.empty())
        return;
    const FoldSettings settings =
        fold_settings(scene.post, {thickest(model), usual_depth, process_.mean_edge()});
    process_.set_projection(settings);
    for (PlacedBody& body : placed_)
        body.closed = true;
    fields_ = std::make_unique<BodyFields>(model.bodies,
                                           fields_for(settings, scene.level_sets, model.bodies));
}

PostFrame RunPost::process_frame() {
    const auto began = std::chrono::steady_clock::now();
    const Model& model = simulation_.model();
    const State& state = simulation_.state();
    for (std::size_t c = 0; c < cloths_.size(); ++c)
        surface_positions(model.cloths[c], state, cloths_[c]);
    process_.take(cloths_);
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
        bodies_[b].resize(model.bodies[b].mesh.positions.size());
        body_positions(model.bodies[b], state.time, bodies_[b]);
        placed_[b].surface = {bodies_[b], model.bodies[b].triangles};
    }
    if (fields_)
        fields_->set_time(state.time);
    const PostFrame out = process_.project_and_judge(fields_.get(), placed_);
    summary_.add(out);
    summary_.seconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return out;
}

} // namespace muslin
