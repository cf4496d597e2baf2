#pragma once

#include "muslin/collision/response/contact_response.h"
#include "muslin/forces/capabilities.h"
#include "muslin/garment/tension.h"
#include "muslin/integrators/integrator.h"
#include "muslin/model/model.h"
#include "muslin/model/parts.h"
#include "muslin/scene/description.h"

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace muslin {

// What makes the parts that model/parts.h names. Those of Muslin are listed in recipe.cpp, and
// programs register theirs the same way, before they load a scene that names them.

using MakeForce = std::function<std::unique_ptr<Force>(const Model&)>;
/// Whether a force has anything to do over a model: one that has not saves its matrix blocks.
using IsNeeded = bool (*)(const Model&, const Conditions&);
using MakeIntegrator = std::function<std::unique_ptr<Integrator>(
    const Model&, std::vector<std::unique_ptr<Force>>, const SolverDescription&, const Recipe&)>;
using MakeContact =
    std::function<std::unique_ptr<ContactResponse>(const Model&, const SceneDescription&)>;

// Each makes a part known, with what makes it. Throws std::logic_error as register_part does, and
// for a part of another stage. Not while other threads simulate or load.
void register_force_part(Part part, MakeForce create, IsNeeded needed = nullptr);
void register_integrator_part(Part part, MakeIntegrator create);
void register_contact_part(Part part, MakeContact create);

/// A force that scenes add, from the numbers that they give it.
using MakeAddedForce = std::function<std::unique_ptr<Force>(
    const Model&, const std::map<std::string, double>& numbers)>;
/// Makes a force known that scenes may add to those of their recipe. The stage of its part is
/// `added_force`.
void register_added_force(Part part, MakeAddedForce create);

/// The forces of a recipe over a model, those that a scene adds, and the links that are
/// superimposed on the model. `watched`, one of them, judges stretch for step control. The
/// conditions say whether there is air.
struct ForceSet {
    std::vector<std::unique_ptr<Force>> forces;
    const StretchMeasure* watched = nullptr;
};
ForceSet make_forces(const Recipe& recipe, const Model& model, const Conditions& conditions,
                     std::span<const ForceDescription> added = {});

/// How threads answer their strain under a recipe. Where its in-plane part is none of stretch_bw's,
/// as those would.
ThreadLaw thread_law(const Recipe& recipe);

/// The integrator of a recipe over a model, with its strain limit where it has one. `solver` and
/// the recipe's own settings decide how accurately it solves.
std::unique_ptr<Integrator> make_integrator(const Recipe& recipe, const SolverDescription& solver,
                                            const Model& model,
                                            std::vector<std::unique_ptr<Force>> forces);

/// The contact of a recipe over a model; none where cloth passes through everything.
/// Throws InputError for a body that the contact cannot do anything with.
std::unique_ptr<ContactResponse> make_contact(const Recipe& recipe, const SceneDescription& scene,
                                              const Model& model);

} // namespace muslin
