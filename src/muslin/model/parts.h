#pragma once

#include "muslin/base/error.h"
#include "muslin/model/choices.h"

#include <array>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// What the parts and recipes are called, and which keys of a scene each part reads. Those of Muslin
// are listed in builtin_parts.cpp; programs may register their own before they load a scene. What
// makes a part is registered with the engine (engine/recipe.h).

namespace muslin {

/// The stages that a recipe gives a part, in the order of their forces.
inline constexpr std::array<std::string_view, 9> stages = {
    "in_plane",   "bending",      "weight",       "air",    "outside",
    "integrator", "strain_limit", "step_control", "contact"};

/// In place of a stage: a force that scenes add to those of their recipe, [[force]]. Any number of
/// them act at once; Muslin has none by itself.
inline constexpr std::string_view added_force = "force";

/// A part that a stage can be given. The name is that of its file, its test and its docs page.
struct Part {
    std::string stage;
    std::string name;
    std::string summary;
    /// The keys that it reads, of those that not every scene reads: "material.shear". A key that
    /// some part lists may be written only in scenes with a part that does.
    std::vector<std::string> reads = {};
    /// Of a part of the stage `contact` that acts within the implicit step: the integrators that
    /// it goes with. Empty: any.
    std::vector<std::string> integrators = {};
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
    bool accepts_shortest_steps = false;
    /// Whether frames are pushed out of bodies before they are written, where contact lets cloth
    /// into them (forecast_contact).
    bool post = false;
    /// How long steps may be while all is calm [s]; 0: no longer than others.
    double calm_step = 0;
    /// The error of an acceleration that implicit solves may leave [m/s^2]; 0: by the tolerance.
    double accuracy = 0;
};

/// The part that a scene gives a stage in place of its recipe's.
struct PartChoice {
    std::string part;
    Source where = {};
};

/// Those of Muslin, then those that were registered, in that order. What is returned lasts until
/// the next registration; any number of threads may read between registrations.
std::span<const Part> parts();
std::span<const Recipe> recipes();

/// Makes a part known. Throws std::logic_error for an unknown stage and for a name that the stage
/// has already.
void register_part(Part part);
/// Makes a recipe known: a part for every stage. Throws std::logic_error where one is missing or
/// unknown, and for a name that another recipe has.
void register_recipe(Recipe recipe);

/// The recipe of that name with some stages given to other parts. Throws InputError for a name
/// that is not known, with the known ones.
Recipe choose_recipe(const std::string& name,
                     const std::map<std::string, PartChoice>& overrides = {});

} // namespace muslin
