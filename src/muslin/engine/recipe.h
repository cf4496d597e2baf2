#pragma once

#include "muslin/collision/response/contact_response.h"
#include "muslin/forces/capabilities.h"
#include "muslin/garment/tension.h"
#include "muslin/integrators/integrator.h"
#include "muslin/model/model.h"
#include "muslin/scene/description.h"

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace muslin {

/// A part that a stage can be given. The name is that of its file, its test and its docs page.
struct Part {
    std::string stage;
    std::string name;
    std::string summary;
};

/// A recipe names the part for each stage of a step.
struct Recipe {
    std::string name;
    std::string title;
    std::string source;                       ///< the paper
    std::map<std::string, std::string> parts; ///< stage -> part
    // What a scene that does not say gets.
    double max_step = 0; ///< [s]; 0: one frame
    int newton_iterations = 1;
    LineariseAt linearise_at = LineariseAt::start;
    double tolerance = 1e-3;           ///< of a linear solve
    double stretch_change_limit = 0.2; ///< of a triangle in one step
    /// Whether a step that changes stretch by more is taken all the same when it is as short as
    /// contact needs; else it is halved down to the smallest step, where the run ends.
    bool goes_on = false;
    /// Whether frames are pushed out of bodies before they are written, where contact lets cloth
    /// into them (forecast_contact).
    bool post = false;
    /// How long steps may be while all is calm [s]; 0: no longer than others.
    double calm_step = 0;
    /// The error of an acceleration that implicit solves may leave [m/s^2]; 0: by the tolerance.
    double accuracy = 0;
};

std::span<const Part> parts();
std::span<const Recipe> recipes();

/// The recipe of that name with some stages given to other parts. Throws InputError for a name
/// that is not known, with the known ones.
Recipe choose_recipe(const std::string& name,
                     const std::map<std::string, PartChoice>& overrides = {});

/// The forces of a recipe over a model, and the links that are superimposed on it. `watched`, one
/// of them, judges stretch for step control. The conditions say whether there is air.
struct ForceSet {
    std::vector<std::unique_ptr<Force>> forces;
    const StretchMeasure* watched = nullptr;
};
ForceSet make_forces(const Recipe& recipe, const Model& model, const Conditions& conditions);

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
