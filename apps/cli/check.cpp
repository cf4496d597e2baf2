#include "commands.h"

#include "muslin/forces/bend.h"
#include "muslin/forces/springs.h"
#include "muslin/mesh/penetration.h"
#include "muslin/scene/load.h"
#include "muslin/scene/sewn_sides.h"
#include "muslin/sim/judge.h"
#include "muslin/sim/level_sets.h"
#include "muslin/sim/recipe.h"
#include "muslin/sim/run_post.h"
#include "muslin/sim/untangle_start.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace muslin::cli {

using Json = nlohmann::ordered_json;

namespace {

/// How well the sides of garments' seams fit each other; gathers apart.
void check_seams(const SceneDescription& scene, bool json, Json& out) {
    const std::vector<SewnSides> seams = sewn_sides(scene);
    if (seams.empty())
        return;
    double worst = 0, fullest = 0;
    int gathered = 0;
    std::string where;
    for (const SewnSides& seam : seams) {
        const double error = seam.length_error();
        if (seam.is_gathered()) {
            ++gathered;
            fullest = std::max(fullest, 1 + error);
        } else if (where.empty() || error > worst) {
            worst = error;
            where = seam.seam;
        }
    }
    out["seams"] = {{"count", seams.size()},
                    {"length_error", worst},
                    {"worst", where},
                    {"gathered", gathered},
                    {"fullest", fullest}};
    if (json)
        return;
    fmt::print("  {} seams", seams.size());
    if (!where.empty())
        fmt::print(": sides differ by {:.2g} % at most, those of '{}'", 100 * worst, where);
    if (gathered > 0)
        fmt::print("; {} gathered, up to {:.3g} to 1", gathered, fullest);
    fmt::print("\n");
}

} // namespace

int check(const std::string& name, const std::vector<std::string>& overrides, bool json,
          bool allow_outside) {
    const SceneDescription scene = load_scene(name, overrides, {.allow_outside = allow_outside});
    const Recipe recipe = choose_recipe(scene.recipe, scene.parts);
    std::optional<StartUntangling> untangled;
    const BuiltScene built = build_start(scene, &untangled);
    const Model& model = built.model;
    const std::vector<Tangle> tangles = check_start(scene, model, built.start);
    if (untangled)
        complain("warning: the start is tangled and will be untangled: " +
                 describe(untangled->report));
    for (const Tangle& tangle : tangles)
        complain("warning: the start is tangled: " + describe(tangle));
    check_post(scene, recipe, model);
    std::vector<LevelSetPlan> plans; // one per body, where they are met so
    if (recipe.parts.at("contact") == "forecast_contact")
        for (const Body& body : model.bodies)
            plans.push_back(plan_level_sets(scene, model, body));
    const Verdict start = Judge(model).judge(built.start.positions, built.start.time);
    double mass = 0;
    for (double m : model.mass)
        mass += m;
    Json out = {{"scene", scene.name},
                {"recipe", recipe.name},
                {"particles", model.particle_count()},
                {"triangles", model.dynamics.triangles.size()},
                {"mass", mass},
                {"frames", scene.time.frames},
                {"self_intersections", start.self_intersections},
                {"body_intersections", start.body_intersections}};
    if (!json) {
        fmt::print("{}: {}. Recipe {}, {} frames at {} Hz\n", scene.name,
                   tangles.empty() ? "sound" : "tangled at the start", recipe.name,
                   scene.time.frames, scene.time.frame_rate);
        fmt::print("  {} particles, {} triangles, {:.4g} kg, {} pins, {} bodies\n",
                   model.particle_count(), model.dynamics.triangles.size(), mass, model.pins.size(),
                   model.bodies.size());
    }
    if (recipe.parts.at("in_plane") == "mass_spring" ||
        recipe.parts.at("bending") == "flexion_springs") {
        const SpringNetwork springs = spring_network(model);
        out["springs"] = {{"structural", springs.structural.size()},
                          {"shear", springs.shear.size()},
                          {"flexion", springs.flexion.size()}};
        if (!json)
            fmt::print("  {} springs: {} structural, {} shear, {} flexion\n",
                       springs.spring_count(), springs.structural.size(), springs.shear.size(),
                       springs.flexion.size());
    }
    if (!model.dynamics.links.empty()) {
        out["links"] = model.dynamics.links.size();
        if (!json)
            fmt::print("  {} superimposed connections\n", model.dynamics.links.size());
    }
    for (const Body& body : model.bodies) {
        const bool closed = is_closed({body.mesh.positions, body.triangles});
        out["bodies"].push_back({{"name", body.name},
                                 {"triangles", body.triangles.size()},
                                 {"closed", closed},
                                 {"moving", is_moving(body)}});
        std::size_t parted = 0; // in the frame with most
        for (const auto& frame : body.parted)
            parted = std::max(parted, frame.size());
        out["bodies"].back()["parted_vertices"] = parted;
        if (!json)
            fmt::print("  body '{}': {} triangles, {}, {}{}\n", body.name, body.triangles.size(),
                       closed ? "closed" : "open (depth in it is not judged)",
                       is_moving(body) ? "moving" : "still",
                       parted == 0 ? ""
                                   : fmt::format(", cuts into itself: {} vertices are parted "
                                                 "for contact",
                                                 parted));
        if (plans.empty())
            continue;
        const LevelSetPlan& plan = plans[&body - model.bodies.data()];
        out["bodies"].back()["level_set"] = {{"voxel", plan.grid.voxel},
                                             {"band", plan.grid.band},
                                             {"count", plan.count},
                                             {"bytes", plan.bytes}};
        if (!json)
            fmt::print("    level set: {} of voxel {:.3g} m, known to {:.3g} m, about {:.3g} MB "
                       "each\n",
                       plan.count, plan.grid.voxel, plan.grid.band, 1e-6 * plan.bytes);
    }
    check_seams(scene, json, out);
    for (std::size_t c = 0; c < model.cloths.size(); ++c) {
        const BendCalibration bend = bend_calibration(model, static_cast<int>(c));
        const bool even = bend.lowest >= 0.9 && bend.highest <= 1.1;
        out["cloths"].push_back({{"name", model.cloths[c].name},
                                 {"bend_lowest", bend.lowest},
                                 {"bend_highest", bend.highest},
                                 {"bend_even", even}});
        if (!json)
            fmt::print("  cloth '{}': bending: {:.2f} to {:.2f} of the asked D by direction{}\n",
                       model.cloths[c].name, bend.lowest, bend.highest,
                       even ? ""
                            : "; warning: more than 10 % off: fine meshes of type 'lattice' or "
                              "'irregular' bend alike in all directions");
    }
    if (json)
        fmt::print("{}\n", out.dump(2, ' ', false, Json::error_handler_t::replace));
    return 0;
}

} // namespace muslin::cli
