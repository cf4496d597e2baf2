#include "commands.h"

#include "muslin/engine/level_sets.h"
#include "muslin/engine/recipe.h"
#include "muslin/engine/start.h"
#include "muslin/forces/bend_shape_fit.h"
#include "muslin/forces/springs.h"
#include "muslin/mesh/penetration.h"
#include "muslin/run/judge.h"
#include "muslin/run/run_post.h"
#include "muslin/scene/load.h"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace muslin::cli {

using Json = nlohmann::ordered_json;

namespace {

/// How well the sides of garments' seams fit each other; gathers apart.
void check_seams(const Model& model, bool json, Json& out) {
    double worst = 0, fullest = 0;
    int count = 0, gathered = 0;
    std::string where;
    for (const Seam& seam : model.seams) {
        if (!seam.sides)
            continue;
        ++count;
        const double error = seam.sides->length_error();
        if (seam.sides->is_gathered()) {
            ++gathered;
            fullest = std::max(fullest, 1 + error);
        } else if (where.empty() || error > worst) {
            worst = error;
            where = seam.name;
        }
    }
    if (count == 0)
        return;
    out["seams"] = {{"count", count},
                    {"length_error", worst},
                    {"worst", where},
                    {"gathered", gathered},
                    {"fullest", fullest}};
    if (json)
        return;
    fmt::print("  {} seams", count);
    if (!where.empty())
        fmt::print(": sides differ by {:.2g} % at most, those of '{}'", 100 * worst, where);
    if (gathered > 0)
        fmt::print("; {} gathered, up to {:.3g} to 1", gathered, fullest);
    fmt::print("\n");
}

/// The mean edge of a cloth's triangles in its pattern [m].
double mean_edge(const DynamicsLayer& layer, int cloth) {
    double sum = 0, count = 0;
    for (std::size_t t = 0; t < layer.triangles.size(); ++t)
        if (layer.triangle_cloth[t] == cloth)
            for (int i = 0; i < 3; ++i) {
                sum += norm(layer.pattern[t][(i + 1) % 3] - layer.pattern[t][i]);
                count += 1;
            }
    return count > 0 ? sum / count : 0;
}

/// What each cloth's mesh makes of its rigidity, and whether it is fine enough for its folds.
void check_bending(const Recipe& recipe, const BuiltScene& built, bool json, Json& out) {
    const Model& model = built.model;
    const bool by_shape = recipe.parts.at("bending") == "bend_shape";
    for (int c = 0; c < static_cast<int>(model.cloths.size()); ++c) {
        const Cloth& cloth = model.cloths[c];
        const BendCalibration bend =
            by_shape ? bend_shape_calibration(model, c) : bend_calibration(model, c);
        const bool even = bend.lowest >= 0.9 && bend.highest <= 1.1;
        // Cloth folds over lengths of (D / (rho g))^(1/3); three edges resolve one.
        const Material& m = cloth.material;
        const double weight = m.density * norm(built.conditions.gravity);
        const double length =
            weight > 0 ? std::cbrt(std::min(m.bend_u, m.bend_v) / weight) : HUGE_VAL;
        const double edge = mean_edge(model.dynamics, c);
        const bool fine = edge <= length / 3;
        out["cloths"].push_back({{"name", cloth.name},
                                 {"bend_lowest", bend.lowest},
                                 {"bend_highest", bend.highest},
                                 {"bend_even", even},
                                 {"mean_edge", edge},
                                 {"folds_resolved", fine}});
        if (weight > 0)
            out["cloths"].back()["bending_length"] = length;
        if (json)
            continue;
        fmt::print("  cloth '{}': bending: {:.2f} to {:.2f} of the asked D by direction{}\n",
                   cloth.name, bend.lowest, bend.highest,
                   even ? ""
                        : "; warning: more than 10 % off: fine meshes of type 'lattice' or "
                          "'irregular' bend alike in all directions");
        if (!fine)
            fmt::print("    warning: edges of {:.3g} mm are too long for the folds of this fabric, "
                       "whose bending length is {:.3g} mm: edges of {:.2g} mm resolve them\n",
                       1e3 * edge, 1e3 * length, 1e3 * length / 3);
    }
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
    for (const std::string& warning : mesh_warnings(model))
        complain("warning: " + warning);
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
                   model.particle_count(), model.dynamics.triangles.size(), mass,
                   built.conditions.pins.size(), model.bodies.size());
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
    check_seams(model, json, out);
    check_bending(recipe, built, json, out);
    if (json)
        fmt::print("{}\n", out.dump(2, ' ', false, Json::error_handler_t::replace));
    return 0;
}

} // namespace muslin::cli
