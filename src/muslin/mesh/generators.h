#pragma once

#include "muslin/base/enum_names.h"
#include "muslin/mesh/polygon_mesh.h"

#include <string>
#include <vector>

namespace muslin {

// Meshes by formula. Sheets and discs lie in the plane y = 0 around the origin, face up (+y), with
// u = x and v = -z, both in metres, as texture coordinates; `texcoords` are the pattern. Closed
// bodies are centred at the origin with outward faces. All faces are triangles. A setting out of
// its range throws InputError with the setting's name as key.

/// How the quads of a regular grid are cut.
enum class Diagonals { one, alternating, crossed };
template <>
inline constexpr std::array<std::string_view, 3> enum_names<Diagonals> = {"one", "alternating",
                                                                          "crossed"};

struct GridSettings {
    double width = 1, depth = 1;                  ///< along x and z [m]
    int columns = 51, rows = 51;                  ///< vertices along x and z, >= 2
    Diagonals diagonals = Diagonals::alternating; ///< crossed adds a vertex in each quad's middle
    /// Creases along z, evenly spaced, at which the sheet turns down and up in turn; the pattern
    /// stays flat. They lie on columns: columns - 1 is a multiple of folds + 1.
    int folds = 0;
    double fold_angle = 90; ///< [degrees] by which it turns, below 180
};
/// Vertex `row * columns + column` is at x = width (column / (columns - 1) - 1/2), and z alike; the
/// middles of crossed quads follow, row by row. A folded grid is centred in x, its lowest at y = 0.
PolygonMesh make_grid(const GridSettings&);

/// A sheet of nearly equilateral triangles in rows, one edge family along x (mesh M1 of the
/// validation protocols), or along z when `along_z` (M2). Rows are equally spaced; the short
/// edges are cut straight by half triangles.
struct LatticeSettings {
    double width = 1, depth = 1; ///< along x and z [m]
    int rows = 40;               ///< rows of triangles across the depth (width when along_z)
    bool along_z = false;
};
/// Vertices are in lines along the rows, from the lowest z (x when along_z) up.
PolygonMesh make_lattice(const LatticeSettings&);

struct SphereSettings {
    double radius = 0.5; ///< [m]
    int rings = 16;      ///< bands from pole to pole, >= 2
    int segments = 32;   ///< around the axis, >= 3
};
/// A sphere of latitude bands: rings 11 and segments 32 give 322 vertices and 640 triangles.
/// Vertices go from the bottom pole (-y) up. Texture coordinates are longitude and latitude times
/// the radius.
PolygonMesh make_sphere(const SphereSettings&);

struct CylinderSettings {
    double radius = 0.5, height = 1; ///< axis along y [m]
    int segments = 32;               ///< around the axis, >= 3
    int bands = 1;                   ///< along the axis, >= 1
    bool capped = true;
    /// Every other ring is turned by half a segment: near-equilateral triangles, which bend alike
    /// in all directions, when bands / segments is about height / (5.4 radius). Their rest shape is
    /// that of their positions; the texture coordinates only give the grain.
    bool staggered = false;
};
/// Vertices go around band by band from the bottom, then the middles of the two caps. The texture
/// coordinates are the wall rolled out flat (a pattern: an open cylinder is a sleeve), and the
/// caps.
PolygonMesh make_cylinder(const CylinderSettings&);

/// A profile turned around the y axis. One that ends where it began makes a ring, such as a funnel
/// with a wall; one that begins and ends on the axis a solid, such as a bottle: both are closed,
/// their faces outward whichever way the profile runs. Any other is open, its outside on the right
/// of the way from the first point to the last, with the radius drawn to the right and y up. A
/// profile that crosses itself is not noticed.
struct RevolutionSettings {
    /// (radius, y) [m]; radii of zero only at the ends of an open profile, or at both of a solid's.
    std::vector<Vec2> profile = {{0, -0.5}, {0.5, 0}, {0, 0.5}};
    int segments = 32; ///< around the axis, >= 3
};
/// Vertices go around point by point in the order of the profile, or its reverse where that is
/// outward; a point on the axis is one vertex. Texture coordinates are the way around at the
/// largest radius, and along the profile.
PolygonMesh make_revolution(const RevolutionSettings&);

struct SculptureBall {
    Vec3 center;   ///< [m]
    double radius; ///< [m]
};
struct SculptureSettings {
    std::vector<SculptureBall> balls = {{{0, 0, 0}, 0.5}};
    double blend = 0.02; ///< width over which balls flow together [m]
    int frequency = 16;  ///< 10 frequency^2 + 2 vertices
};
/// One closed shape that balls flow together to, in triangles of like size: the vertices of a
/// geodesic sphere drawn onto the shape and evened out along it. There are no texture coordinates.
/// Throws InputError where parts hide others from its middle.
PolygonMesh make_sculpture(const SculptureSettings&);

/// The drum of a dryer: a cylinder open at its upper end (+y), seen from inside, of solid walls,
/// with ridges along its inner wall that lift what tumbles in it.
struct DrumSettings {
    double radius = 0.3;         ///< of the room inside [m]
    double height = 0.4;         ///< of the room inside, along y [m]
    double wall = 0.03;          ///< thickness of wall and floor [m]
    int paddles = 3;             ///< ridges; 0: none
    double paddle_height = 0.06; ///< towards the axis [m]
    double paddle_width = 0.1;   ///< at the wall [m]; at the top two fifths of that
    int segments = 48;           ///< around the axis, >= 8 and two for each paddle
    int bands = 4;               ///< along the axis, >= 1
};
/// A closed mesh without texture coordinates; the room inside is centred at the origin.
PolygonMesh make_drum(const DrumSettings&);

/// A human-like figure of 200 triangles in three closed pieces: the torso with head and hips, and
/// two arms, whose upper ends are inside it [Ohta95, Examples]. It stands on y = 0, faces +z, and
/// has no legs.
enum class FigurePart { all, torso, left_arm, right_arm };
template <>
inline constexpr std::array<std::string_view, 4> enum_names<FigurePart> = {"all", "torso",
                                                                           "left_arm", "right_arm"};
struct FigureSettings {
    double height = 1.7;   ///< [m]
    double arm_angle = 45; ///< of the arms below the horizontal [degrees]
    FigurePart part = FigurePart::all;
};
/// Without texture coordinates. The left arm is on +x.
PolygonMesh make_figure(const FigureSettings&);
/// The joint that an arm turns about; of other parts the origin [m].
Vec3 figure_shoulder(const FigureSettings&);

struct BoxSettings {
    Vec3 size = {1, 1, 1}; ///< [m]
    int divisions = 1;     ///< quads along each edge, >= 1
};
/// Texture coordinates lay each side flat, in metres.
PolygonMesh make_box(const BoxSettings&);

// Furniture stands on the plane y = 0, around the axis y. Each piece is a closed prism; legs and
// back reach into the slab they are fixed to. There are no texture coordinates.

struct TableSettings {
    double width = 1, depth = 1; ///< of the top, along x and z [m]
    double height = 0.75;        ///< of its upper side [m]
    double thickness = 0.04;     ///< of the top [m], less than the height
    int sides = 4;               ///< of the top, >= 3: 4 is a rectangle, 8 an octagon
    int legs = 4;                ///< 1: a column in the middle; as many as sides: at the corners
    double leg_size = 0.06;      ///< how wide a leg is [m], up to a quarter of width and depth
    int leg_sides = 4;           ///< of a leg's section, >= 3
};
/// 4 sides - 4 triangles of the top, then 4 leg_sides - 4 of each leg: an octagon on a column of
/// six sides has 48.
PolygonMesh make_table(const TableSettings&);

/// A seat on four legs, its back towards -z.
struct ChairSettings {
    double width = 0.45, depth = 0.45; ///< of the seat, along x and z [m]
    double height = 0.45;              ///< of the seat's upper side [m]
    double thickness = 0.04;           ///< of seat and back [m]
    double leg_size = 0.045;           ///< how wide a leg is [m]
    double back = 0.45;                ///< how high the back is above the seat [m]; 0: a stool
};
/// Six boxes of 12 triangles.
PolygonMesh make_chair(const ChairSettings&);

} // namespace muslin
