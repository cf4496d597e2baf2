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

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

namespace muslin {
namespace {

template <class T>
std::unique_ptr<Force> make(const Model& model) {
    return std::make_unique<T>(model);
}

bool has_hinges(const Model& model, const Conditions&) {
    return !model.dynamics.hinges.empty();
}

bool has_air(const Model&, const Conditions& conditions) {
    return conditions.air.linear_drag > 0 || conditions.air.quadratic_drag > 0;
}

bool has_viscous_air(const Model& model, const Conditions& conditions) {
    return has_air(model, conditions) || conditions.air.viscous_drag > 0;
}

constexpr double thread_limit = 0.1; // of stretch_shear_limited and stretch_shear_buckling

struct ForceMaker {
    std::string stage, name;
    MakeForce create;
    IsNeeded needed = nullptr; ///< null: always
};

std::vector<ForceMaker> builtin_forces() {
    return {
        {"in_plane", "stretch_shear_bw", make<StretchShearForce>},
        {"in_plane", "stretch_shear_limited",
         [](const Model& model) -> std::unique_ptr<Force> {
             return std::make_unique<StretchShearForce>(model, thread_limit);
         }},
        {"in_plane", "stretch_shear_buckling",
         [](const Model& model) -> std::unique_ptr<Force> {
             return std::make_unique<StretchShearForce>(model, thread_limit,
                                                        StretchShearForce::Compression::buckling);
         }},
        {"in_plane", "edge_springs", make<EdgeSpringForce>},
        {"in_plane", "strain_rosette", make<StrainRosetteForce>},
        {"in_plane", "mass_spring", make<MassSpringForce>},
        {"bending", "bend_shape", make<BendShapeForce>, has_hinges},
        {"bending", "bend_bw", make<BendForce>, has_hinges},
        {"bending", "bend_bridson",
         [](const Model& model) -> std::unique_ptr<Force> {
             return std::make_unique<BendForce>(model, BendLaw::half_angle);
         },
         has_hinges},
        {"bending", "bend_volino", make<BendVolinoForce>, has_hinges},
        {"bending", "flexion_springs", make<FlexionSpringForce>},
        {"bending", "curvature_energy", make<CurvatureEnergyForce>},
        {"weight", "gravity", make<GravityForce>},
        {"air", "air_drag", make<AirDragForce>, has_air},
        {"air", "air_vertices", make<AirVerticesForce>, has_viscous_air},
        // A hand may pull later, and no blocks are to be saved.
        {"outside", "outside", make<OutsideForce>},
    };
}

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

template <MixedScheme scheme>
std::unique_ptr<Integrator> make_mixed(const Model& model,
                                       std::vector<std::unique_ptr<Force>> forces,
                                       const SolverDescription& solver, const Recipe& recipe) {
    MixedSettings settings;
    settings.scheme = scheme;
    settings.tolerance = solver.tolerance > 0 ? solver.tolerance : recipe.tolerance;
    if (solver.max_iterations > 0)
        settings.max_iterations = solver.max_iterations;
    return std::make_unique<MixedIntegrator>(model, std::move(forces), settings);
}

template <class T>
std::unique_ptr<Integrator> make_implicit(const Model& model,
                                          std::vector<std::unique_ptr<Force>> forces,
                                          const SolverDescription& solver, const Recipe& recipe) {
    return std::make_unique<T>(model, std::move(forces), implicit_settings(solver, recipe));
}

std::unique_ptr<Integrator> make_euler_cromer(const Model& model,
                                              std::vector<std::unique_ptr<Force>> forces,
                                              const SolverDescription& solver, const Recipe&) {
    EulerCromerSettings settings;
    settings.local_rates = solver.local_rates;
    settings.stability_control = solver.stability_control;
    settings.limit_damping = solver.limit_damping;
    return std::make_unique<EulerCromer>(model, std::move(forces), settings);
}

std::unique_ptr<Integrator> make_runge_kutta(const Model& model,
                                             std::vector<std::unique_ptr<Force>> forces,
                                             const SolverDescription& solver, const Recipe&) {
    return std::make_unique<RungeKutta>(model, std::move(forces),
                                        RungeKuttaSettings{.adaptive = solver.adaptive,
                                                           .error = solver.error,
                                                           .limit_damping = solver.limit_damping});
}

std::map<std::string, MakeIntegrator> builtin_integrators() {
    return {
        {"backward_euler", make_implicit<BackwardEuler>},
        {"sdirk2", make_implicit<Sdirk2>},
        {"leapfrog_trapezoidal", make_mixed<MixedScheme::leapfrog_trapezoidal>},
        {"central_newmark", make_mixed<MixedScheme::central_newmark>},
        {"variable_step", make_mixed<MixedScheme::variable_step>},
        {"euler_cromer", make_euler_cromer},
        {"runge_kutta", make_runge_kutta},
    };
}

template <class T, class Settings>
std::unique_ptr<ContactResponse> make_plain(const Model& model, const SceneDescription&) {
    return std::make_unique<T>(model, Settings{});
}

std::unique_ptr<ContactResponse> make_forecast(const Model& model, const SceneDescription& scene) {
    ForecastContactSettings settings;
    settings.relaxation = scene.contact.relaxation;
    return std::make_unique<ForecastContact>(model, settings, make_body_fields(scene, model));
}

std::unique_ptr<ContactResponse> make_correction(const Model& model,
                                                 const SceneDescription& scene) {
    CorrectionContactSettings settings;
    settings.consistency.enabled = scene.contact.consistency;
    settings.consistency.memory = scene.contact.memory;
    return std::make_unique<CorrectionContact>(model, settings);
}

std::unique_ptr<ContactResponse> make_spheres(const Model& model, const SceneDescription& scene) {
    SphereContactSettings settings;
    settings.spheres.layer.radius = scene.contact.sphere_radius;
    settings.bodies = scene.contact.bodies;
    return std::make_unique<SphereContact>(model, settings);
}

std::unique_ptr<ContactResponse> make_triangles(const Model& model, const SceneDescription& scene) {
    const ContactDescription& c = scene.contact;
    TriangleContactSettings settings;
    settings.volume = c.volume;
    settings.test = c.test;
    settings.at_evaluations = c.resolve_at == ResolveAt::evaluation;
    settings.friction = c.friction_law;
    settings.self_response = c.self_response;
    return std::make_unique<TriangleContact>(model, settings);
}

std::map<std::string, MakeContact> builtin_contacts() {
    return {
        {"implicit_contact", make_plain<ImplicitContact, ImplicitContactSettings>},
        {"repulsion_contact", make_plain<RepulsionContact, RepulsionContactSettings>},
        {"bw98_contact", make_plain<Bw98Contact, Bw98ContactSettings>},
        {"forecast_contact", make_forecast},
        {"correction_contact", make_correction},
        {"sphere_contact", make_spheres},
        {"triangle_contact", make_triangles},
    };
}

/// What makes each part that is not the mere absence of one.
struct Makers {
    std::vector<ForceMaker> forces = builtin_forces();
    std::map<std::string, MakeIntegrator> integrators = builtin_integrators();
    std::map<std::string, MakeContact> contacts = builtin_contacts();
    std::map<std::string, MakeAddedForce> added = {};
};

Makers& makers() {
    static Makers all;
    return all;
}

void require_stage(const Part& part, std::string_view stage) {
    if (part.stage != stage)
        throw std::logic_error("'" + part.name + "' is not of the stage '" + std::string(stage) +
                               "'");
}

} // namespace

void register_force_part(Part part, MakeForce create, IsNeeded needed) {
    constexpr std::array<std::string_view, 5> of_forces = {"in_plane", "bending", "weight", "air",
                                                           "outside"};
    if (std::find(of_forces.begin(), of_forces.end(), part.stage) == of_forces.end())
        throw std::logic_error("'" + part.stage + "' is not a stage of forces");
    register_part(part);
    makers().forces.push_back(
        {std::move(part.stage), std::move(part.name), std::move(create), needed});
}

void register_integrator_part(Part part, MakeIntegrator create) {
    require_stage(part, "integrator");
    register_part(part);
    makers().integrators.emplace(std::move(part.name), std::move(create));
}

void register_contact_part(Part part, MakeContact create) {
    require_stage(part, "contact");
    register_part(part);
    makers().contacts.emplace(std::move(part.name), std::move(create));
}

void register_added_force(Part part, MakeAddedForce create) {
    require_stage(part, added_force);
    register_part(part);
    makers().added.emplace(std::move(part.name), std::move(create));
}

std::unique_ptr<Integrator> make_integrator(const Recipe& recipe, const SolverDescription& solver,
                                            const Model& model,
                                            std::vector<std::unique_ptr<Force>> forces) {
    std::unique_ptr<Integrator> out = makers().integrators.at(recipe.parts.at("integrator"))(
        model, std::move(forces), solver, recipe);
    if (recipe.parts.at("strain_limit") == "strain_limit")
        out->add_modifier(std::make_unique<StrainLimit>(model, StrainLimitSettings{}));
    return out;
}

std::unique_ptr<ContactResponse> make_contact(const Recipe& recipe, const SceneDescription& scene,
                                              const Model& model) {
    const auto found = makers().contacts.find(recipe.parts.at("contact"));
    return found == makers().contacts.end() ? nullptr : found->second(model, scene);
}

ThreadLaw thread_law(const Recipe& recipe) {
    const std::string& part = recipe.parts.at("in_plane");
    if (part != "stretch_shear_limited" && part != "stretch_shear_buckling")
        return {};
    return {thread_limit, StretchShearForce::limit_stiffening};
}

ForceSet make_forces(const Recipe& recipe, const Model& model, const Conditions& conditions,
                     std::span<const ForceDescription> added) {
    ForceSet set;
    // Stage by stage: the order of sums does not depend on when a part was registered.
    for (const std::string_view stage : stages)
        for (const ForceMaker& maker : makers().forces) {
            if (maker.stage != stage || recipe.parts.at(maker.stage) != maker.name ||
                (maker.needed && !maker.needed(model, conditions)))
                continue;
            set.forces.push_back(maker.create(model));
            if (stage == "in_plane")
                set.watched = set.forces.back()->capabilities().stretch;
        }
    for (const ForceDescription& force : added)
        set.forces.push_back(makers().added.at(force.type)(model, force.numbers));
    if (!model.dynamics.links.empty())
        set.forces.push_back(std::make_unique<SuperimposedLinkForce>(model));
    return set;
}

} // namespace muslin
