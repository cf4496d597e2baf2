#include "muslin/collision/response/contact_finder.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

constexpr std::size_t pair_grain = 512;
// Room for the contacts of a range of pairs: steady steps find more now and then, but seldom more.
constexpr std::size_t usual_contacts = 64;
constexpr std::size_t point_grain = 2048;

// A pair up to this many thicknesses apart counts as near if it comes within one in the step.
constexpr double near_reach = 2;
// What keeps a gap of this many thicknesses is not taken for an impact.
constexpr double meeting_gap = 0.01;

// Edges that are shorter than this many thicknesses make neighbours near each other.
constexpr double fine = 4;

// The length of an edge in the pattern that half of them exceed [m].
double median_edge(std::span<const std::array<Vec2, 3>> pattern) {
    std::vector<double> lengths;
    for (const auto& corners : pattern)
        for (int k = 0; k < 3; ++k) {
            const Vec2 edge = corners[(k + 1) % 3] - corners[k];
            lengths.push_back(std::hypot(edge.x, edge.y));
        }
    if (lengths.empty())
        return 0;
    const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
    std::nth_element(lengths.begin(), middle, lengths.end());
    return *middle;
}

} // namespace

ContactFinder::ContactFinder(const Model& model, const Surfaces& surfaces, Foresight foresight)
    : surfaces_(surfaces), foresight_(foresight), detector_(surfaces) {
    for (double thickness : model.collision.thickness)
        thinnest_ = std::min(thinnest_, thickness);
    edge_ = median_edge(model.collision_pattern());
    double thickest = 0;
    for (double thickness : model.collision.thickness)
        thickest = std::max(thickest, thickness);
    if (edge_ < fine * thickest)
        detector_.leave_out_smooth(model.collision_pattern(), edge_);
}

void ContactFinder::find(const StepPoints& points, const StepInput& step,
                         std::span<const std::uint8_t> released, std::vector<Contact>& contacts,
                         Profile& profile) {
    {
        const ProfileScope scope(profile, Task::detect_self);
        detector_.set_motion(points.begin, points.end, margin(step));
        detector_.find_self(candidates_);
    }
    {
        const ProfileScope scope(profile, Task::detect_body);
        detector_.append_body(candidates_);
    }
    const ProfileScope scope(profile, Task::detect_self);
    test_candidates(points, released);
    contacts.clear();
    for (const auto& found : found_)
        contacts.insert(contacts.end(), found.begin(), found.end());
}

// How far from where they are expected ends may be before pairs are looked for again [m]. Forces
// turn what moves; what rests stays, and there pairs that are only near would be a burden. So would
// neighbours in a fine mesh, which a wide margin makes all pairs with each other.
double ContactFinder::margin(const StepInput& step) {
    const auto& [conditions, start, h, constraints] = step;
    constexpr double turned = 0.3;          // of the way of a step
    constexpr double least = 0.5, most = 2; // thicknesses
    constexpr double part_of_edge = 0.1;
    const double squares = parallel_sum<double>(
        start.velocities.size(), point_grain, squares_, [&](std::size_t from, std::size_t to) {
            double sum = 0;
            for (std::size_t i = from; i < to; ++i)
                sum += dot(start.velocities[i], start.velocities[i]);
            return sum;
        });
    const double speed = std::sqrt(squares / static_cast<double>(start.velocities.size()));
    // What falls and what has just come to rest are off by this much.
    const double fall = 1.2 * h * h * norm(conditions.gravity);
    const double widest = std::min(most * thinnest_, std::max(part_of_edge * edge_, fall));
    return std::clamp(turned * h * speed, std::min(least * thinnest_, widest), widest);
}

void ContactFinder::test_candidates(const StepPoints& points,
                                    std::span<const std::uint8_t> released) {
    const std::size_t pairs = candidates_.size();
    // Ranges keep their room when there are fewer of them for a while.
    const std::size_t ranges = (pairs + pair_grain - 1) / pair_grain;
    if (found_.size() < ranges)
        found_.resize(ranges);
    for (std::size_t k = ranges; k < found_.size(); ++k)
        found_[k].clear();
    parallel_for(pairs, pair_grain, [&](std::size_t from, std::size_t to) {
        std::vector<Contact>& found = found_[from / pair_grain];
        found.clear();
        found.reserve(usual_contacts);
        for (std::size_t k = from; k < to; ++k) {
            Contact c = make_contact(surfaces_, candidates_, k);
            if (!all_marked(c, released) && is_contact(c, points))
                found.push_back(c);
        }
    });
}

// Also sets the weights and the normal of those that are.
bool ContactFinder::is_contact(Contact& c, const StepPoints& points) const {
    const std::span<const Vec3> begin = points.begin, end = points.end;
    // Most candidates are neither near nor on their way to meet.
    if (keeps_gap(c, between_middles(c, begin, end), begin, end, near_reach * c.thickness,
                  meeting_gap * c.thickness))
        return false;
    double distance;
    const bool facing = set_closest(c, begin, distance);
    const bool foresees = foresight_ == Foresight::all_that_meet;
    if (distance < (foresees && facing ? near_reach : 1) * c.thickness)
        return facing;
    if (!foresees ||
        keeps_gap(c, c.normal, begin, end, meeting_gap * c.thickness, meeting_gap * c.thickness))
        return false;
    const auto impact = find_impact(c, begin, end);
    if (impact)
        set_impact(c, *impact, begin, end);
    return impact.has_value();
}

} // namespace muslin
