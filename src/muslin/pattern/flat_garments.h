#pragma once

#include "muslin/mesh/polygon_mesh.h"

namespace muslin {

// What mesh/generators.h says of texture coordinates, faces and settings out of their range holds
// for this one too.

// Garments without patterns: two panels of one outline, sewn along its seams, that lie flat on each
// other, `gap` apart, face outward: the front up. The texture coordinates are the panels. Both lie
// as their sheets would: u along +x, v along -z, the neck or waist towards -z.

/// A shirt: seams along shoulders and sleeves and down the sides; open at neck, cuffs and hem.
struct ShirtSettings {
    double width = 0.5;   ///< from side to side [m]
    double length = 0.65; ///< from neck to hem [m]
    double neck = 0.18;   ///< width of the opening [m]
    double sleeve = 0.2;  ///< length of a sleeve [m]
    double cuff = 0.15;   ///< width of a sleeve at its end [m]
    double edge = 0.025;  ///< of triangles, about [m]
    double gap = 0.01;    ///< between front and back [m]
};
PolygonMesh make_shirt(const ShirtSettings&);

/// Shorts: seams down the sides and along the insides of the legs; open at waist and hems.
struct ShortsSettings {
    double width = 0.4;  ///< of the waist [m]
    double length = 0.4; ///< from waist to hem [m]
    double rise = 0.25;  ///< from waist to crotch [m]
    double leg = 0.2;    ///< width of a leg at its end [m]
    double edge = 0.025; ///< of triangles, about [m]
    double gap = 0.01;   ///< between front and back [m]
};
PolygonMesh make_shorts(const ShortsSettings&);

} // namespace muslin
