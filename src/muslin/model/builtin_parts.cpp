#include "muslin/model/builtin_parts.h"

namespace muslin {
namespace {

using Keys = std::vector<std::string>;

Keys operator+(Keys first, const Keys& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

Keys threads() {
    return {"material.stretch_u",       "material.stretch_v",     "material.shear",
            "material.stretch_damping", "material.shear_damping", "scene.rest_stretch"};
}

Keys springs() {
    return {"material.spring_damping", "material.elongation_limit", "material.elongation_law"};
}

Keys rigidities() {
    return {"material.bend_u", "material.bend_v"};
}

Keys hinges() {
    return {"material.bend_u", "material.bend_v", "material.bend_damping", "scene.rest_angle",
            "cloth.rest_angles"};
}

Keys wind() {
    return {"world.wind", "world.air_density", "world.drag_coefficient", "world.linear_drag"};
}

Keys linear_solve() {
    return {"solver.tolerance", "solver.max_iterations"};
}

Keys implicit_step() {
    return linear_solve() + Keys{"solver.accuracy", "solver.preconditioner",
                                 "solver.newton_iterations", "solver.linearise_at"};
}

Keys friction() {
    return {"material.friction", "body.friction"};
}

std::vector<Part> in_plane_parts() {
    const std::string stage = "in_plane";
    return {
        {stage, "stretch_shear_bw", "stretch and shear conditions with b_u, b_v [BW98 4.2, 4.3]",
         threads()},
        {stage, "stretch_shear_limited",
         "the same, stiffer where threads are longer than their strain limit of 10 %", threads()},
        {stage, "stretch_shear_buckling",
         "the same, and threads give way in compression where they would buckle between vertices",
         threads() + rigidities()},
        {stage,
         "edge_springs",
         "damped springs along the edges [Bridson03 3]",
         {"material.stretch_u", "material.stretch_v", "material.stretch_damping"}},
        {stage,
         "strain_rosette",
         "an isotropic sheet, soft in compression [Volino95 3.3]",
         {"material.stretch_u", "material.stretch_v", "material.stretch_damping",
          "material.poisson", "material.compression_stiffness", "material.soft_extension",
          "material.yield_stretch", "material.relaxation_time", "scene.rest_stretch"}},
        {stage, "mass_spring", "structural and shear springs of grids and meshes [Bayraktar07 2]",
         Keys{"material.stretch_u", "material.stretch_v", "material.shear",
              "material.stretch_damping", "material.shear_damping", "material.spring_structural",
              "material.spring_shear", "material.potential", "material.sharpness"} +
             springs()},
    };
}

std::vector<Part> bending_parts() {
    const std::string stage = "bending";
    return {
        {stage, "bend_shape",
         "by the curvature of the cloth, with its rigidities on any mesh "
         "(docs/forces/bend_shape.md)",
         hinges()},
        {stage, "bend_bw", "angle condition with rigidity by direction [BW98 4.3]", hinges()},
        {stage, "bend_bridson", "by the sine of half the angle, with rest angles [Bridson03 4]",
         hinges() + Keys{"material.bend_stiffening", "material.bend_rate_stiffening"}},
        {stage, "bend_volino", "by the curvature of an arc, with a limit [Volino95 3.3]",
         hinges() + Keys{"material.stretch_u", "material.stretch_v", "material.poisson",
                         "material.bend_factor", "material.curvature_limit", "material.yield_bend",
                         "material.relaxation_time"}},
        {stage, "flexion_springs", "springs between second neighbours [Bayraktar07 2]",
         Keys{"material.bend_u", "material.bend_v", "material.bend_damping",
              "material.spring_flexion"} +
             springs()},
        {stage,
         "curvature_energy",
         "second differences along lines of the pattern [Ohta95 (3)]",
         {"material.bend_u", "material.bend_v", "material.bend_damping"}},
        {stage, "none", "cloth without bending stiffness"},
    };
}

std::vector<Part> outer_parts() {
    return {
        {"weight", "gravity", "weight of the particles"},
        {"air", "air_drag", "drag and wind along the normal of each triangle [BW98 4.4]", wind()},
        {"air", "air_vertices",
         "viscous drag, and wind along the normal of each vertex [Bayraktar07 2]",
         wind() + Keys{"world.viscous_drag"}},
        {"air", "none", "no air"},
        {"outside", "outside", "springs to moving points and given loads [BW98 4.4]"},
    };
}

std::vector<Part> stepping_parts() {
    const std::string stage = "integrator";
    return {
        {stage, "backward_euler", "implicit step with position alteration [BW98 3, 5, 6.2]",
         implicit_step()},
        {stage, "sdirk2", "implicit step of second order in two stages [Alexander 1977]",
         implicit_step()},
        {stage, "leapfrog_trapezoidal",
         "elastic forces explicit, damping implicit [Bridson03 3, first]", linear_solve()},
        {stage, "central_newmark", "the same, the implicit half step first [Bridson03 3, second]",
         linear_solve()},
        {stage, "variable_step", "the same, of second order for any steps [Bridson03 3, third]",
         linear_solve()},
        {stage,
         "euler_cromer",
         "explicit midpoint step, fast elements more often [Volino95 3.2, 3.6]",
         {"solver.local_rates", "solver.stability_control", "solver.limit_damping"}},
        {stage,
         "runge_kutta",
         "explicit step of fourth order with a given error [Bayraktar07 2]",
         {"solver.adaptive", "solver.error", "solver.limit_damping"}},
        {"strain_limit", "none", "strain is limited by forces alone"},
        {"strain_limit", "strain_limit",
         "edges grow by 10 % and shrink by nothing, by impulses [Bridson03 3]"},
        {"step_control", "stretch_change", "halve, retry, wait [BW98 7]"},
    };
}

std::vector<Part> contact_parts() {
    const std::string stage = "contact";
    return {
        {stage, "none", "no contact: cloth passes through itself and bodies"},
        {stage,
         "implicit_contact",
         "stiff contact with friction in the implicit step, then impact zones",
         friction(),
         {"sdirk2", "backward_euler"}},
        {stage, "repulsion_contact",
         "repulsion, continuous collisions and impact zones [Bridson02, Harmon08]", friction()},
        {stage,
         "bw98_contact",
         "constraints on bodies, springs between cloth [BW98 2.4, 5.4, 6]",
         friction(),
         {"backward_euler"}},
        {stage, "forecast_contact",
         "bodies as level sets, met by forecasting; then repulsion_contact of cloth [Bridson03 "
         "5.2]",
         friction() + Keys{"contact.relaxation", "level_sets.voxel", "level_sets.band"}},
        {stage, "correction_contact",
         "positions and speeds corrected after the step; sides remembered [Volino95 3.5, 4.3]",
         friction() + Keys{"contact.consistency", "contact.memory"}},
        {stage, "sphere_contact",
         "cloth against cloth by spheres that cover it, against bodies by a sweep [Ohta95]",
         friction() + Keys{"contact.sphere_radius", "contact.bodies"}},
        {stage, "triangle_contact",
         "triangles that intersect move along the mean normal [Bayraktar07 3, 4]",
         friction() + Keys{"contact.test", "contact.volume", "contact.resolve_at",
                           "contact.friction_law", "contact.self_response"}},
    };
}

} // namespace

std::vector<Part> builtin_parts() {
    std::vector<Part> out;
    for (const auto& list :
         {in_plane_parts(), bending_parts(), outer_parts(), stepping_parts(), contact_parts()})
        out.insert(out.end(), list.begin(), list.end());
    return out;
}

std::vector<Recipe> builtin_recipes() {
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
            .accepts_shortest_steps = true,
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

} // namespace muslin
