#pragma once

#include "muslin/collision/detect/surfaces.h"
#include "muslin/collision/response/mobility.h"
#include "muslin/collision/untangle/contours.h"

#include <cstdint>
#include <span>
#include <vector>

namespace muslin {

/// What has crossed and must get out again. Continuous tests keep apart what is apart; where cloth
/// starts tangled, or a body left it no room, they would keep it tangled. Contacts there are let go
/// until the crossing is gone, and the cloth is drawn out of it.
///
/// The way out follows the contour along which two surfaces cross: each edge that pierces a face is
/// moved so that the contour grows shorter (collision/untangle/contours.h). No inside or outside is
/// needed.
class Tangles {
public:
    explicit Tangles(const Surfaces& surfaces);

    bool any() const { return any_; }
    /// Marks, per point: contacts between marked points alone are not to be held.
    std::span<const std::uint8_t> marks() const { return marks_; }
    /// Crossings of an edge and a face at the last look.
    std::size_t crossings() const { return crossings_.size(); }

    /// Lets go of the contacts among these points from now on. They are not drawn out: what has no
    /// room waits until it has.
    void release(std::span<const int> points);
    /// Looks at all triangles, or only at those near marked points: what does not cross any more is
    /// held again.
    void update(std::span<const Vec3> positions, bool everywhere);
    /// Moves the ends of a step of h seconds so that contours grow shorter.
    void draw_out(std::span<const Vec3> begin, const Mobility& mobility, double h,
                  std::span<Vec3> end) const;

    /// The marks, for ContactHistory; none where nothing is marked.
    void store(std::vector<std::uint8_t>& marks) const;
    void recall(std::span<const std::uint8_t> marks);

private:
    const Surfaces& surfaces_;
    bool any_ = false;
    enum Mark : std::uint8_t { held = 0, tangled = 1, squeezed = 2 };
    std::vector<std::uint8_t> marks_;
    std::vector<Interference> crossings_;
    CrossingFinder finder_;
};

} // namespace muslin
