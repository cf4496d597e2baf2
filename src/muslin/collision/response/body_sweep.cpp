#include "muslin/collision/response/body_sweep.h"

#include "muslin/base/parallel.h"
#include "muslin/kernels/sweep.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

constexpr std::size_t pair_grain = 512;

// Contacts up to this many thicknesses apart at the end of the step matter to the correction.
constexpr double near_reach = 1.2;

bool before(const FeaturePair& a, const FeaturePair& b) {
    return a.first != b.first ? a.first < b.first : a.second < b.second;
}

void sort_if_needed(std::vector<FeaturePair>& pairs) {
    if (!std::is_sorted(pairs.begin(), pairs.end(), before))
        std::sort(pairs.begin(), pairs.end(), before);
}

} // namespace

BodySweep::BodySweep(const Surfaces& surfaces, const BodySweepSettings& settings)
    : surfaces_(surfaces), settings_(settings), detector_(surfaces, Detector::Scope::bodies),
      zones_(surfaces, detector_, candidates_, settings.zones), motion_(surfaces), step_(surfaces),
      margin_(0) {
    double thickest = 0;
    for (const double half : surfaces.half_thickness)
        thickest = std::max(thickest, 2 * half);
    margin_ = std::max(thickest, 1e-4);
}

// As ProximityTracker: a wide margin makes searches rare and lists long.
void BodySweep::choose_margin(double moved) {
    if (largest_ == 0) {
        double length = 0;
        for (int e = 0; e < surfaces_.cloth_edge_count(); ++e)
            length += norm(motion_.start()[surfaces_.edges[e][0]] -
                           motion_.start()[surfaces_.edges[e][1]]);
        largest_ = std::max(margin_, 0.3 * length / std::max(1, surfaces_.cloth_edge_count()));
    } else if (since_search_ > 0) {
        margin_ = std::clamp(settings_.updates_aimed * moved / static_cast<double>(since_search_),
                             largest_ / 32, largest_);
    }
}

void BodySweep::update(std::span<const Vec3> begin, std::span<const Vec3> end) {
    ++updates_;
    ++since_search_;
    const bool none = motion_.start().empty();
    const double moved =
        none ? 0 : std::max(motion_.furthest(begin), motion_.furthest(end)) * (1 + 1e-9);
    if (none || moved > margin_) {
        motion_.set_start(end);
        choose_margin(moved);
        detector_.set_motion(begin, end, margin_);
        candidates_.clear();
        detector_.append_body(candidates_);
        ++searches_;
        since_search_ = 0;
    }
    // An order that does not depend on when the search was.
    sort_if_needed(candidates_.vertex_face);
    sort_if_needed(candidates_.edge_edge);
}

double BodySweep::largest_way(std::span<const Vec3> begin, std::span<const Vec3> end) {
    step_.set_start(begin);
    return 2 * step_.furthest(end);
}

void BodySweep::append(std::span<const Vec3> begin, std::span<const Vec3> end,
                       std::vector<Oriented<SpreadContact>>& out) {
    if (surfaces_.body_triangle_count() == 0)
        return;
    update(begin, end);
    const double way = largest_way(begin, end);
    const std::size_t pairs =
        settings_.points_alone ? candidates_.vertex_face.size() : candidates_.size();
    found_.resize((pairs + pair_grain - 1) / pair_grain);
    parallel_for(pairs, pair_grain, [&](std::size_t from, std::size_t to) {
        std::vector<Contact>& found = found_[from / pair_grain];
        found.clear();
        for (std::size_t k = from; k < to; ++k) {
            Contact c = make_contact(surfaces_, candidates_, k);
            if (settings_.points_alone ? sweeps_into(c, begin, end) : touches(c, begin, end, way))
                found.push_back(c);
        }
    });
    for (const auto& found : found_)
        for (const Contact& c : found)
            out.push_back({spread(c), false});
}

// Near at the begin and facing each other: the correction looks at the gap at the end. What is near
// in another way, or moves further than it is away, may meet on the way.
bool BodySweep::touches(Contact& c, std::span<const Vec3> begin, std::span<const Vec3> end,
                        double way) const {
    double distance;
    const bool facing = set_closest(c, begin, distance);
    if (distance > near_reach * c.thickness + way)
        return false;
    if (facing)
        return c.gap(end) <= near_reach * c.thickness;
    if (distance > way)
        return false;
    const auto impact = find_impact(c, begin, end);
    if (!impact)
        return false;
    set_impact(c, *impact, begin, end);
    return true;
}

// [Ohta95 (4)], the way made longer by the thickness; the triangle where it is at the end.
bool BodySweep::sweeps_into(Contact& c, std::span<const Vec3> begin,
                            std::span<const Vec3> end) const {
    const auto& [p, a, b, d] = c.points;
    if (!surfaces_.is_cloth(p))
        return false;
    const Vec3 across = cross(end[b] - end[a], end[d] - end[a]);
    const double size = norm(across);
    if (!(size > 0))
        return false;
    Vec3 normal = (1 / size) * across;
    if (dot(normal, begin[p] - end[a]) < 0)
        normal = -normal;
    const auto hit = point_triangle_sweep(begin[p], end[p] - near_reach * c.thickness * normal,
                                          end[a], end[b], end[d]);
    if (!hit)
        return false;
    c.normal = normal;
    c.weights = {1, hit->u + hit->v - 1, -hit->u, -hit->v};
    return true;
}

ImpactZones::Report BodySweep::stop(std::span<const Vec3> begin, std::span<const Vec3> solved,
                                    const Mobility& mobility, std::span<Vec3> end) {
    if (settings_.points_alone || surfaces_.body_triangle_count() == 0)
        return {};
    return zones_.resolve(begin, solved, mobility, end);
}

} // namespace muslin
