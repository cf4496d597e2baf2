#pragma once

// What the scenes of the referee share. They name no recipe, no solver and no step: the default
// recipe at default settings is what is measured.

#include "muslin/engine/simulation.h"

#include <functional>
#include <string>
#include <vector>

namespace muslin::referee {

constexpr double gravity = 9.81; // [m/s^2]

/// Of cotton, as in materials/cotton.toml; the scenes say so where they need another.
constexpr double cotton_thickness = 4e-4; // [m]

enum class Mesh { grid, irregular };
const char* name_of(Mesh mesh);

/// A sheet with about so many vertices, as TOML: a square grid, or irregular with a seed.
std::string sheet_mesh(Mesh mesh, int vertices, double width, double depth, int seed = 1);

/// The vertices that a sheet of that kind really has.
int vertex_count(Mesh mesh, int vertices);

std::string list(const Vec3& a); ///< "[x, y, z]"

/// A scene at `fps` frames a second, without air; `more` are overrides as of `muslin run --set`.
SceneDescription scene_of(const std::string& text, double fps,
                          const std::vector<std::string>& more = {});

/// An example scene, as it is.
SceneDescription example(const std::string& name);

/// Overrides of every scene to come, to see what a setting would change: `referee --set`.
void override_scenes(std::vector<std::string> overrides);

/// The frames that reach a time: the last ends at that time or less than a frame later.
int frames_for(double seconds, double fps);

/// Place and velocity of the centre of mass of a cloth.
struct Centre {
    Vec3 place = {0, 0, 0}, velocity = {0, 0, 0};
    double mass = 0;
};
Centre centre_of(const Simulation& simulation, const std::string& cloth);

/// Linear momentum, and angular momentum about the origin, of all cloth.
struct Momenta {
    Vec3 linear = {0, 0, 0}, angular = {0, 0, 0};
};
Momenta momenta_of(const Simulation& simulation);

/// Kinetic energy and that of all forces which have one, as the state is now [J].
double energy_of(const Simulation& simulation);

double largest_speed(const Simulation& simulation); ///< [m/s]
double rms_speed(const Simulation& simulation);     ///< by mass [m/s]

} // namespace muslin::referee
