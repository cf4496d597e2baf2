#pragma once

#include "muslin/mesh/polygon_mesh.h"
#include "muslin/model/given_path.h"
#include "muslin/model/shape.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace muslin {

/// A vertex that contact has elsewhere than where it is shown: parts of a body that cut into each
/// other step back for contact.
struct PartedVertex {
    int vertex;
    Vec3 back; ///< from where it is for contact to where it is shown [m]
};

/// A solid that the cloth touches: still, moved as a whole, or deformed frame by frame.
struct Body {
    std::string name;
    PolygonMesh mesh; ///< placed, before any motion [m]
    /// The mesh in triangles: vertices of mesh.positions, counter-clockwise seen from outside.
    std::vector<std::array<int, 3>> triangles;
    std::optional<double> friction; ///< Coulomb coefficient; none: the cloth's own
    double thickness = 0;           ///< how far its surface reaches outward [m]
    Motion motion;                  ///< of the whole, after `frames`
    /// Deformation: frame k holds every vertex k / frame_rate after frames_start [m], the pause not
    /// counted. Empty: mesh.positions.
    std::vector<std::vector<Vec3>> frames;
    /// Of each frame, of mesh.positions where there are none: the vertices that have stepped back,
    /// increasing. Empty: none ever.
    std::vector<std::vector<PartedVertex>> parted;
    double frame_rate = 30;  ///< of `frames` [1/s]
    double frames_start = 0; ///< [s]
    struct Pause {
        double end = 0, length = 0; ///< [s]
    };
    Pause pause;         ///< in which time passes and frames do not
    bool visible = true; ///< whether pictures show it
    /// In place of frames and motion: where a program has the vertices go. Whoever runs the scene
    /// writes it, between steps alone; copies of a model share it. None, or an empty one: the body
    /// goes as the scene has it.
    std::shared_ptr<const GivenPath> path;

    bool is_given() const { return path && !path->empty(); }
};

/// How far a body is in its frames [s]: k / frame_rate at frame k.
double time_in_frames(const Body& body, double time);

/// Of frames k at k / frame_rate [s]: the first before them, the last after them.
FrameInterval find_interval(std::size_t frames, double frame_rate, double time);

/// Before the start of a scene bodies wait where their motion begins [s].
inline double motion_time(double time) {
    return std::max(time, 0.0);
}

/// Whether the body is ever at two places.
bool is_moving(const Body& body);

/// Where the vertices are at `time` [s]: linear between frames, the first before them and the last
/// after them, then moved by the motion. A turning body is turned by the angle of that time, so
/// its shape is kept exactly at whatever times a step begins and ends. `out` has one place for
/// every vertex of the mesh. This is what contact meets.
void body_positions(const Body& body, double time, std::span<Vec3> out);

/// What is written, drawn and judged: the same, but with no vertex stepped back.
void shown_positions(const Body& body, double time, std::span<Vec3> out);

} // namespace muslin
