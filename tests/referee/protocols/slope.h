#pragma once

// A sheet on a tilted plane: how far it slides, how soon it stops, whether it creeps.

#include "referee/protocols/scenes.h"

namespace muslin::referee {

struct Slope {
    double angle = 28; ///< of the plane [degrees]
    Mesh mesh = Mesh::irregular;
    int vertices = 2602;
    double size = 0.3;    ///< of the sheet [m]
    double height = 5e-3; ///< over the plane at the start, along its normal; 0: it lies there [m]
    double fps = 30;
    double mu = 0.4;
    double speed = 0;          ///< at the start, down the slope [m/s]
    double density = 0.15;     ///< [kg/m^2]
    bool on_cloth = false;     ///< the plane is a pinned cloth instead of a box
    bool beside_heavy = false; ///< a cloth 40 times as heavy swings beside it

    std::string name() const; ///< "28 degrees, 2602 irregular, dropped, 30 fps"
};

/// The scene alone, for what else is to be asked of it.
SceneDescription describe(const Slope& slope);

/// The centre of mass along the slope, frame by frame, from where it was at the start.
struct Slide {
    std::vector<double> time, way, speed; ///< [s], [m], [m/s]; the first is the start

    double end() const { return way.back(); }
    double at(double when) const; ///< [m] after the frame that ends at or after `when` [s]
};
Slide slide(const Slope& slope, double seconds);

/// The acceleration of x = x0 + v0 t + a t^2 / 2 by least squares.
double fitted_acceleration(const Slide& slide);

/// Where Coulomb has it after the time that the frames really took.
double reference_slide(const Slope& slope, const Slide& measured);

} // namespace muslin::referee
