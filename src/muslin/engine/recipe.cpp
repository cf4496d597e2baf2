#include "muslin/engine/recipe.h"

#include "muslin/base/error.h"
#include "muslin/collision/response/bw98_contact.h"
#include "muslin/collision/response/correction_contact.h"
#include "muslin/collision/response/forecast_contact.h"
#include "muslin/collision/response/implicit_contact.h"
#include "muslin/collision/response/repulsion_contact.h"
#include "muslin/collision/response/sphere_contact.h"
#include "muslin/collision/response/triangle_contact.h"
#include "muslin/engine/level_sets.h"
#include "muslin/forces/air_vertices.h"
#include "muslin/forces/bend.h"
#include "muslin/forces/bend_shape.h"
#include "muslin/forces/bend_volino.h"
#include "muslin/forces/curvature_energy.h"
#include "muslin/forces/edge_springs.h"
#include "muslin/forces/outside.h"
#include "muslin/forces/springs.h"
#include "muslin/forces/strain_rosette.h"
#include "muslin/forces/stretch_shear.h"
#include "muslin/integrators/backward_euler.h"
#include "muslin/integrators/euler_cromer.h"
#include "muslin/integrators/mixed.h"
#include "muslin/integrators/runge_kutta.h"
#include "muslin/integrators/sdirk2.h"
#include "muslin/integrators/strain_limit.h"

namespace muslin {
namespace {

using MakeForce = std::unique_ptr<Force> (*)(const Model&);

template <class T>
std::unique_ptr<Force> make(const Model& model) {
    return std::make_unique<T>(model);
}

// Parts that are forces, with what makes them. A part that the model gives nothing to do (no
// hinge, no air, no load) is left out, which saves its matrix blocks.
struct ForcePart {
    const char* stage;
    const char* name;
    const char* summary;
    MakeForce create;
    bool (*needed)(const Model&, const Conditions&);
};

bool always(const Model&, const Conditions&) {
    return true;
}

bool has_hinges(const Model& model, const Conditions&) {
    return !model.dynamics.hinges.empty();
}

constexpr double thread_limit = 0.1; // of stretch_shear_limited and stretch_shear_buckling

const ForcePart force_parts[] = {
    {"in_plane", "stretch_shear_bw", "stretch and shear conditions with b_u, b_v [BW98 4.2, 4.3]",
     make<StretchShearForce>, always},
    {"in_plane", "stretch_shear_limited",
     "the same, stiffer where threads are longer than their strain limit of 10 %",
     [](const Model& model) -> std::unique_ptr<Force> {
         return std::make_unique<StretchShearForce>(model, thread_limit);
     },
     always},
    {"in_plane", "stretch_shear_buckling",
     "the same, and threads give way in compression where they would buckle between vertices",
     [](const Model& model) -> std::unique_ptr<Force> {
         return std::make_unique<StretchShearForce>(model, thread_limit,
                                                    StretchShearForce::Compression::buckling);
     },
     always},
    {"in_plane", "edge_springs", "damped springs along the edges [Bridson03 3]",
     make<EdgeSpringForce>, always},
    {"in_plane", "strain_rosette", "an isotropic sheet, soft in compression [Volino95 3.3]",
     make<StrainRosetteForce>, always},
    {"in_plane", "mass_spring", "structural and shear springs of grids and meshes [Bayraktar07 2]",
     make<MassSpringForce>, always},
    {"bending", "bend_shape",
     "by the curvature of the cloth, with its rigidities on any mesh (docs/forces/bend_shape.md)",
     make<BendShapeForce>, has_hinges},
    {"bending", "bend_bw", "angle condition with rigidity by direction [BW98 4.3]", make<BendForce>,
     has_hinges},
    {"bending", "bend_bridson", "by the sine of half the angle, with rest angles [Bridson03 4]",
     [](const Model& model) -> std::unique_ptr<Force> {
         return std::make_unique<BendForce>(model, BendLaw::half_angle);
     },
     has_hinges},
    {"bending", "bend_volino", "by the curvature of an arc, with a limit [Volino95 3.3]",
     make<BendVolinoForce>, has_hinges},
    {"bending", "flexion_springs", "springs between second neighbours [Bayraktar07 2]",
     make<FlexionSpringForce>, always},
    {"bending", "curvature_energy", "second differences along lines of the pattern [Ohta95 (3)]",
     make<CurvatureEnergyForce>, always},
    {"bending", "none", "cloth without bending stiffness", nullptr, nullptr},
    {"weight", "gravity", "weight of the particles", make<GravityForce>, always},
    {"air", "air_drag", "drag and wind along the normal of each triangle [BW98 4.4]",
     make<AirDragForce>,
     [](const Model&, const Conditions& c) {
         return c.air.linear_drag > 0 || c.air.quadratic_drag > 0;
     }},
    {"air", "air_vertices",
     "viscous drag, and wind along the normal of each vertex [Bayraktar07 2]",
     make<AirVerticesForce>,
     [](const Model&, const Conditions& c) {
         return c.air.linear_drag > 0 || c.air.quadratic_drag > 0 || c.air.viscous_drag > 0;
     }},
    {"air", "none", "no air", nullptr, nullptr},
    {"outside", "outside", "springs to moving points and given loads [BW98 4.4]",
     make<OutsideForce>, always}, // a hand may pull later, and no blocks are to be saved
};

// Parts of the stage `contact`.
struct ContactPart {
    const char* name;
    const char* summary;
    std::unique_ptr<ContactResponse> (*create)(const Model&, const SceneDescription&);
};

const ContactPart contact_parts[] = {
    {"none", "no contact: cloth passes through itself and bodies", nullptr},
    {"implicit_contact", "stiff contact with friction in the implicit step, then impact zones",
     [](const Model& model, const SceneDescription&) -> std::unique_ptr<ContactResponse> {
         return std::make_unique<ImplicitContact>(model, ImplicitContactSettings{});
     }},
    {"repulsion_contact", "repulsion, continuous collisions and impact zones [Bridson02, Harmon08]",
     [](const Model& model, const SceneDescription&) -> std::unique_ptr<ContactResponse> {
         return std::make_unique<RepulsionContact>(model, RepulsionContactSettings{});
     }},
    {"bw98_contact", "constraints on bodies, springs between cloth [BW98 2.4, 5.4, 6]",
     [](const Model& model, const SceneDescription&) -> std::unique_ptr<ContactResponse> {
         return std::make_unique<Bw98Contact>(model, Bw98ContactSettings{});
     }},
    {"forecast_contact",
     "bodies as level sets, met by forecasting; then repulsion_contact of cloth [Bridson03 5.2]",
     [](const Model& model, const SceneDescription& scene) -> std::unique_ptr<ContactResponse> {
         ForecastContactSettings settings;
         settings.relaxation = scene.contact.relaxation;
         return std::make_unique<ForecastContact>(model, settings, make_body_fields(scene, model));
     }},
    {"correction_contact",
     "positions and speeds corrected after the step; sides remembered [Volino95 3.5, 4.3]",
     [](const Model& model, const SceneDescription& scene) -> std::unique_ptr<ContactResponse> {
         CorrectionContactSettings settings;
         settings.consistency.enabled = scene.contact.consistency;
         settings.consistency.memory = scene.contact.memory;
         return std::make_unique<CorrectionContact>(model, settings);
     }},
    {"sphere_contact",
     "cloth against cloth by spheres that cover it, against bodies by a sweep [Ohta95]",
     [](const Model& model, const SceneDescription& scene) -> std::unique_ptr<ContactResponse> {
         SphereContactSettings settings;
         settings.spheres.layer.radius = scene.contact.sphere_radius;
         settings.bodies = scene.contact.bodies;
         return std::make_unique<SphereContact>(model, settings);
     }},
    {"triangle_contact", "triangles that intersect move along the mean normal [Bayraktar07 3, 4]",
     [](const Model& model, const SceneDescription& scene) -> std::unique_ptr<ContactResponse> {
         const ContactDescription& c = scene.contact;
         TriangleContactSettings settings;
         settings.volume = c.volume;
         settings.test = c.test;
         settings.at_evaluations = c.resolve_at == ResolveAt::evaluation;
         settings.friction = c.friction_law;
         settings.self_response = c.self_response;
         return std::make_unique<TriangleContact>(model, settings);
     }},
};

// Parts of the stage `integrator` besides backward_euler.
struct MixedPart {
    const char* name;
    const char* summary;
    MixedScheme scheme;
};

const MixedPart mixed_parts[] = {
    {"leapfrog_trapezoidal", "elastic forces explicit, damping implicit [Bridson03 3, first]",
     MixedScheme::leapfrog_trapezoidal},
    {"central_newmark", "the same, the implicit half step first [Bridson03 3, second]",
     MixedScheme::central_newmark},
    {"variable_step", "the same, of second order for any steps [Bridson03 3, third]",
     MixedScheme::variable_step},
};

ImplicitSettings implicit_settings(const SolverDescription& solver, const Recipe& recipe) {
    ImplicitSettings settings;
    settings.newton_iterations =
        solver.newton_iterations > 0 ? solver.newton_iterations : recipe.newton_iterations;
    settings.linearise_at = solver.linearise_at.value_or(recipe.linearise_at);
    settings.pcg.tolerance = solver.tolerance > 0 ? solver.tolerance : recipe.tolerance;
    settings.accuracy = solver.accuracy > 0    ? solver.accuracy
                        : solver.tolerance > 0 ? 0
                                               : recipe.accuracy;
    // Beyond this a solve stagnates; the step control judges what it has reached.
    constexpr int most_iterations = 3000;
    settings.pcg.max_iterations =
        solver.max_iterations > 0 ? solver.max_iterations : most_iterations;
    settings.pcg.preconditioner = solver.preconditioner;
    return settings;
}

std::vector<Part> list_parts() {
    std::vector<Part> all;
    for (const ForcePart& p : force_parts)
        all.push_back({p.stage, p.name, p.summary});
    all.push_back({"integrator", "backward_euler",
                   "implicit step with position alteration [BW98 3, 5, 6.2]"});
    all.push_back(
        {"integrator", "sdirk2", "implicit step of second order in two stages [Alexander 1977]"});
    for (const MixedPart& p : mixed_parts)
        all.push_back({"integrator", p.name, p.summary});
    all.push_back({"integrator", "euler_cromer",
                   "explicit midpoint step, fast elements more often [Volino95 3.2, 3.6]"});
    all.push_back({"integrator", "runge_kutta",
                   "explicit step of fourth order with a given error [Bayraktar07 2]"});
    all.push_back({"strain_limit", "none", "strain is limited by forces alone"});
    all.push_back({"strain_limit", "strain_limit",
                   "edges grow by 10 % and shrink by nothing, by impulses [Bridson03 3]"});
    all.push_back({"step_control", "stretch_change", "halve, retry, wait [BW98 7]"});
    for (const ContactPart& p : contact_parts)
        all.push_back({"contact", p.name, p.summary});
    return all;
}

std::vector<Recipe> list_recipes() {
    return {
        {
            .name = "muslin",
            .title = "the default: nothing passes through anything",
            .source = "implicit step of bw98 with contact of its own (docs/recipes/muslin.md)",
            .parts = {{"in_plane", "stretch_shear_buckling"},
                      {"bending", "bend_shape"},
                      {"weight", "gravity"},
                      {"air", "air_drag"},
                      {"outside", "outside"},
                      {"integrator", "sdirk2"},
                      {"strain_limit", "none"},
                      {"step_control", "stretch_change"},
                      {"contact", "implicit_contact"}},
            .max_step = 1.0 / 120,
            .newton_iterations = 20,
            .linearise_at = LineariseAt::predicted,
            .tolerance = 8e-3,
            .stretch_change_limit = 0.05,
            .goes_on = true,
            .calm_step = 1.0 / 30,
            .accuracy = 0.005 * 9.81 // half a percent of weight
        },
        {.name = "bw98",
         .title = "large steps: implicit integration with exactly kept constraints",
         .source = "Baraff, Witkin: Large Steps in Cloth Simulation, SIGGRAPH 1998",
         .parts = {{"in_plane", "stretch_shear_bw"},
                   {"bending", "bend_bw"},
                   {"weight", "gravity"},
                   {"air", "air_drag"},
                   {"outside", "outside"},
                   {"integrator", "backward_euler"},
                   {"strain_limit", "none"},
                   {"step_control", "stretch_change"},
                   {"contact", "bw98_contact"}}},
        {.name = "bridson03",
         .title = "folds and wrinkles: explicit elasticity, implicit damping, strain limits",
         .source =
             "Bridson, Marino, Fedkiw: Simulation of Clothing with Folds and Wrinkles, SCA 2003",
         .parts = {{"in_plane", "edge_springs"},
                   {"bending", "bend_bridson"},
                   {"weight", "gravity"},
                   {"air", "air_drag"},
                   {"outside", "outside"},
                   {"integrator", "variable_step"},
                   {"strain_limit", "strain_limit"},
                   {"step_control", "stretch_change"},
                   {"contact", "forecast_contact"}},
         .post = true},
        {.name = "volino95",
         .title = "any surface, any situation: explicit steps, collisions that know their side",
         .source = "Volino, Courchesne, Magnenat-Thalmann: Versatile and Efficient Techniques for "
                   "Simulating Cloth and Other Deformable Objects, SIGGRAPH 1995",
         .parts = {{"in_plane", "strain_rosette"},
                   {"bending", "bend_volino"},
                   {"weight", "gravity"},
                   {"air", "air_drag"},
                   {"outside", "outside"},
                   {"integrator", "euler_cromer"},
                   {"strain_limit", "none"},
                   {"step_control", "stretch_change"},
                   {"contact", "correction_contact"}},
         // A sixteenth of it is the shortest step that contact asks for: 2 mm of thickness are
         // not crossed at 8 m/s.
         .max_step = 1.0 / 250},
        {.name = "bayraktar07",
         .title = "mass points and springs, Runge-Kutta steps, triangles moved apart",
         .source =
             "Bayraktar, Güdükbay, Özgüç: Practical and Realistic Animation of Cloth, 3DTV 2007",
         .parts = {{"in_plane", "mass_spring"},
                   {"bending", "flexion_springs"},
                   {"weight", "gravity"},
                   {"air", "air_vertices"},
                   {"outside", "outside"},
                   {"integrator", "runge_kutta"},
                   {"strain_limit", "none"},
                   {"step_control", "stretch_change"},
                   {"contact", "triangle_contact"}}},
        {.name = "ohta95",
         .title =
             "layers over mass points: any connections, spheres that touch, sections that merge",
         .source =
             "Ohta: Use of multiple representations for simulating cloth shapes and motions: An "
             "overview, IBM Journal of Research and Development 39, 1995",
         .parts = {{"in_plane", "mass_spring"},
                   {"bending", "curvature_energy"},
                   {"weight", "gravity"},
                   {"air", "air_vertices"},
                   {"outside", "outside"},
                   {"integrator", "leapfrog_trapezoidal"},
                   {"strain_limit", "none"},
                   {"step_control", "stretch_change"},
                   {"contact", "sphere_contact"}}}};
}

template <class Range, class Name>
std::string quoted_list(const Range& range, Name name) {
    std::string text;
    for (const auto& item : range)
        if (const std::string n = name(item); !n.empty())
            text += (text.empty() ? "'" : ", '") + n + "'";
    return text;
}

} // namespace

std::span<const Part> parts() {
    static const std::vector<Part> all = list_parts();
    return all;
}

std::span<const Recipe> recipes() {
    static const std::vector<Recipe> all = list_recipes();
    return all;
}

Recipe choose_recipe(const std::string& name, const std::map<std::string, PartChoice>& overrides) {
    const auto known = recipes();
    const auto it =
        std::find_if(known.begin(), known.end(), [&](const Recipe& r) { return r.name == name; });
    if (it == known.end())
        throw InputError({{},
                          "recipe",
                          "one of " + quoted_list(known, [](const Recipe& r) { return r.name; }),
                          "'" + name + "'",
                          {}});
    Recipe recipe = *it;
    for (const auto& [stage, choice] : overrides) {
        if (!recipe.parts.count(stage))
            throw InputError({choice.where,
                              "parts." + stage,
                              "one of the stages " +
                                  quoted_list(recipe.parts, [](const auto& p) { return p.first; }),
                              "'" + stage + "'",
                              {}});
        const std::string choices = quoted_list(parts(), [&, s = stage](const Part& p) {
            return p.stage == s ? p.name : std::string();
        });
        if (choices.find("'" + choice.part + "'") == std::string::npos)
            throw InputError(
                {choice.where, "parts." + stage, "one of " + choices, "'" + choice.part + "'", {}});
        recipe.parts[stage] = choice.part;
    }
    // Contact that is part of the implicit system needs one.
    const std::string &integrator = recipe.parts.at("integrator"),
                      &contact = recipe.parts.at("contact");
    const bool fits = integrator == "backward_euler" ||
                      (integrator == "sdirk2" && contact != "bw98_contact") ||
                      (contact != "implicit_contact" && contact != "bw98_contact");
    if (!fits) {
        const auto chosen = overrides.find(overrides.count("contact") ? "contact" : "integrator");
        throw InputError(
            {chosen == overrides.end() ? Source{} : chosen->second.where,
             "parts.contact",
             "'forecast_contact', 'repulsion_contact', 'correction_contact', "
             "'sphere_contact', 'triangle_contact' or 'none' with the integrator '" +
                 integrator + "'",
             "'" + contact + "', which needs " +
                 (contact == "bw98_contact" ? "'backward_euler'" : "'sdirk2' or 'backward_euler'"),
             {}});
    }
    return recipe;
}

std::unique_ptr<Integrator> make_integrator(const Recipe& recipe, const SolverDescription& solver,
                                            const Model& model,
                                            std::vector<std::unique_ptr<Force>> forces) {
    std::unique_ptr<Integrator> out;
    for (const MixedPart& part : mixed_parts)
        if (recipe.parts.at("integrator") == part.name) {
            MixedSettings settings;
            settings.scheme = part.scheme;
            settings.tolerance = solver.tolerance > 0 ? solver.tolerance : recipe.tolerance;
            if (solver.max_iterations > 0)
                settings.max_iterations = solver.max_iterations;
            out = std::make_unique<MixedIntegrator>(model, std::move(forces), settings);
        }
    if (recipe.parts.at("integrator") == "euler_cromer") {
        EulerCromerSettings settings;
        settings.local_rates = solver.local_rates;
        settings.stability_control = solver.stability_control;
        settings.limit_damping = solver.limit_damping;
        out = std::make_unique<EulerCromer>(model, std::move(forces), settings);
    }
    if (recipe.parts.at("integrator") == "runge_kutta")
        out =
            std::make_unique<RungeKutta>(model, std::move(forces),
                                         RungeKuttaSettings{.adaptive = solver.adaptive,
                                                            .error = solver.error,
                                                            .limit_damping = solver.limit_damping});
    if (recipe.parts.at("integrator") == "sdirk2")
        out = std::make_unique<Sdirk2>(model, std::move(forces), implicit_settings(solver, recipe));
    if (!out)
        out = std::make_unique<BackwardEuler>(model, std::move(forces),
                                              implicit_settings(solver, recipe));
    if (recipe.parts.at("strain_limit") == "strain_limit")
        out->add_modifier(std::make_unique<StrainLimit>(model, StrainLimitSettings{}));
    return out;
}

std::unique_ptr<ContactResponse> make_contact(const Recipe& recipe, const SceneDescription& scene,
                                              const Model& model) {
    for (const ContactPart& part : contact_parts)
        if (recipe.parts.at("contact") == part.name && part.create)
            return part.create(model, scene);
    return nullptr;
}

ThreadLaw thread_law(const Recipe& recipe) {
    const std::string& part = recipe.parts.at("in_plane");
    if (part != "stretch_shear_limited" && part != "stretch_shear_buckling")
        return {};
    return {thread_limit, StretchShearForce::limit_stiffening};
}

ForceSet make_forces(const Recipe& recipe, const Model& model, const Conditions& conditions) {
    ForceSet set;
    for (const ForcePart& part : force_parts) {
        const auto chosen = recipe.parts.find(part.stage);
        if (chosen == recipe.parts.end() || chosen->second != part.name || !part.create ||
            !part.needed(model, conditions))
            continue;
        set.forces.push_back(part.create(model));
        if (part.stage == std::string_view("in_plane"))
            set.watched = set.forces.back()->capabilities().stretch;
    }
    if (!model.dynamics.links.empty())
        set.forces.push_back(std::make_unique<SuperimposedLinkForce>(model));
    return set;
}

} // namespace muslin
