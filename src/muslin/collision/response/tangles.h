#pragma once

#include "muslin/collision/detect/surfaces.h"
#include "muslin/collision/response/mobility.h"
#include "muslin/collision/untangle/contours.h"
#include "muslin/model/contact_history.h"

#include <cstdint>
#include <span>
#include <vector>

namespace muslin {

/// What has crossed and must get out again. Continuous tests keep apart what is apart; where cloth
/// starts tangled, or a body left it no room, they would keep it tangled. Contacts there are
/// released until the crossing is gone, and the cloth is drawn out of it.
///
/// The way out follows the contour along which two surfaces cross: each edge that pierces a face is
/// moved so that the contour grows shorter (collision/untangle/contours.h). No inside or outside is
/// needed.
class Tangles {
public:
    explicit Tangles(const Surfaces& surfaces);

    bool any() const { return any_; }
    /// Marks, per point: contacts between marked points alone are released. Empty: none are.
    std::span<const std::uint8_t> released_marks() const {
        return any_ ? marks_ : std::span<const std::uint8_t>();
    }
    /// Crossings of an edge and a face at the last search.
    std::size_t crossings() const { return crossings_.size(); }

    /// Releases the contacts among these points from now on. They are not drawn out: what has no
    /// room waits until it has.
    void release(std::span<const int> points);
    /// Looks for crossings at the start of a step, the first time everywhere and later near marked
    /// points: contacts of what does not cross any more hold again.
    void update(std::span<const Vec3> positions);
    /// Moves the ends of a step of h seconds so that contours grow shorter.
    void draw_out(std::span<const Vec3> begin, const Mobility& mobility, double h,
                  std::span<Vec3> end) const;

    /// What the next step depends on: whether the start was searched, and the marks.
    void store(ContactHistory& history) const;
    void recall(const ContactHistory& history);

private:
    void find_crossings(std::span<const Vec3> positions);

    const Surfaces& surfaces_;
    bool searched_ = false; ///< everywhere, at the start of the run
    bool any_ = false;
    enum Mark : std::uint8_t { held = 0, tangled = 1, squeezed = 2 };
    std::vector<std::uint8_t> marks_;
    std::vector<Interference> crossings_;
    CrossingFinder finder_;
};

} // namespace muslin
