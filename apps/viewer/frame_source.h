#pragma once

#include "muslin/mesh/fields.h"
#include "muslin/render/camera.h"
#include "viewer/timeline.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace muslin::viewer {

class LiveSource;

/// What is drawn, apart from where it is: a cloth or a body, in the user's own vertex order.
struct Surface {
    std::string name;
    bool is_body = false;
    std::vector<Vec3> start; ///< where it is at the start [m]
    std::vector<std::array<int, 3>> triangles;
    std::vector<std::array<Vec2, 3>> material; ///< of a cloth [m]
    std::vector<Hinge> hinges;                 ///< of a cloth
};

/// Where everything is at one frame. Single precision, as in a run's caches: a recording keeps
/// many.
struct Frame {
    using Point = std::array<float, 3>;
    int number = 0;
    double time = 0;                           ///< [s]
    std::vector<std::vector<Point>> positions; ///< by surface; empty for one that stands still
    /// Of a simulation, by surface, one value per vertex where known: contact pressure [N/m^2],
    /// seam tension and tension [N/m]. A finished run has them in its files.
    std::vector<std::vector<float>> contact, seam, tension;
    std::size_t bytes() const;
};

/// Positions as a frame keeps them.
std::vector<Frame::Point> to_single(const std::vector<Vec3>& points);

/// The positions of a surface at a frame.
std::vector<Vec3> positions_of(const Surface& surface, const Frame& frame, std::size_t index);

/// Something whose frames can be shown: a finished run, or a simulation that goes on.
class FrameSource {
public:
    virtual ~FrameSource() = default;

    const std::vector<Surface>& surfaces() const { return surfaces_; }
    virtual std::string title() const = 0; ///< for the window's and the pane's headings
    virtual std::string name() const = 0;  ///< for file names
    virtual std::string recipe() const = 0;
    virtual double frame_rate() const = 0; ///< [1/s]
    virtual FrameRange frames() const = 0;
    /// The frame of that number, or the nearest there is; never null.
    virtual std::shared_ptr<const Frame> frame(int number) = 0;

    virtual bool has_field(Field field) const = 0;
    /// One value per vertex of a cloth; empty where the frame does not hold it.
    virtual std::vector<double> field(Field field, std::size_t surface, int number) = 0;

    virtual LiveSource* live() { return nullptr; }

protected:
    /// Those fields that follow from positions.
    std::vector<double> geometric_field(Field field, std::size_t surface, int number);

    std::vector<Surface> surfaces_;
};

/// The box of everything at a frame [m].
SceneBounds box_of(const FrameSource& source, const Frame& frame);

} // namespace muslin::viewer
