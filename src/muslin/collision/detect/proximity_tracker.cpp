#include "muslin/collision/detect/proximity_tracker.h"

#include "muslin/base/parallel.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

constexpr std::size_t grain = 4096;

} // namespace

ProximityTracker::ProximityTracker(const Surfaces& surfaces, TrackingSettings settings)
    : settings_(settings), detector_(surfaces), motion_(surfaces), margin_(settings.margin) {}

// A wide margin makes searches rare and lists long: it follows the speed of the surfaces, but stays
// below half of an edge, beyond which neighbours in the same surface would fill the lists.
void ProximityTracker::choose_margin(double moved) {
    if (settings_.margin > 0)
        return;
    const Surfaces& s = detector_.surfaces();
    if (largest_ == 0) {
        double thickest = 0, length = 0;
        for (double half : s.half_thickness)
            thickest = std::max(thickest, 2 * half);
        for (int e = 0; e < s.cloth_edge_count(); ++e)
            length += norm(motion_.start()[s.edges[e][0]] - motion_.start()[s.edges[e][1]]);
        largest_ = std::max(thickest / 2, 0.3 * length / std::max(1, s.cloth_edge_count()));
        margin_ = std::min(largest_, thickest);
    }
    if (since_search_ > 0)
        margin_ = std::clamp(settings_.updates_aimed * moved / static_cast<double>(since_search_),
                             largest_ / 32, largest_);
}

void ProximityTracker::put_to_sleep(std::span<const Vec3> positions) {
    const std::vector<FeaturePair>* lists[] = {&candidates_.vertex_triangle, &candidates_.edge_edge,
                                               &candidates_.vertex_edge,
                                               &candidates_.vertex_vertex};
    const Closeness& closeness = detector_.closeness();
    for (int kind = 0; kind < 5; ++kind) {
        std::vector<Sleeper>& out = sleepers_[kind];
        out.resize(kind < 4 ? lists[kind]->size() : candidates_.edge_triangle.size());
        parallel_for(out.size(), grain / 8, [&](std::size_t from, std::size_t to) {
            for (std::size_t i = from; i < to; ++i)
                if (kind < 4) {
                    const auto [first, second] = (*lists[kind])[i];
                    out[i] = {closeness.clearance(ProximityKind(kind), first, second, positions),
                              first, second};
                } else {
                    const Interference& pair = candidates_.edge_triangle[i];
                    out[i] = {closeness.clearance(pair, positions), pair.edge, pair.triangle};
                }
        });
        std::erase_if(out, [](const Sleeper& s) { return !std::isfinite(s.clearance); });
    }
}

// Makes the candidates those that may be near, or cross, after the motion.
void ProximityTracker::wake(double moved, double margin) {
    std::vector<FeaturePair>* lists[] = {&candidates_.vertex_triangle, &candidates_.edge_edge,
                                         &candidates_.vertex_edge, &candidates_.vertex_vertex};
    // Rounding of the clearances, which are distances of places some metres from the origin.
    constexpr double rounding = 1e-12;
    candidates_.clear();
    for (int kind = 0; kind < 4; ++kind)
        for (const Sleeper& s : sleepers_[kind]) {
            if (s.clearance <= moved + margin + rounding)
                lists[kind]->push_back({s.first, s.second});
        }
    for (const Sleeper& s : sleepers_[4]) {
        if (s.clearance <= moved + rounding)
            candidates_.edge_triangle.push_back({s.first, s.second});
    }
}

void ProximityTracker::update(std::span<const Vec3> positions, double margin,
                              std::vector<Proximity>& near, std::vector<Interference>& crossing) {
    ++updates_;
    ++since_search_;
    const bool none = motion_.start().size() != positions.size();
    double moved = none ? 0 : motion_.since_start(positions);
    // Rounding of the displacements is far below a billionth of the margin.
    if (none || !((1 + 1e-9) * moved + margin <= reach_)) {
        motion_.set_start(positions);
        since_search_ = none ? 0 : since_search_;
        choose_margin(moved);
        reach_ = margin + margin_;
        detector_.find_candidates(positions, reach_, candidates_);
        put_to_sleep(positions);
        ++searches_;
        since_search_ = 0;
        moved = 0;
    }
    wake((1 + 1e-9) * moved, margin);
    detector_.evaluate(candidates_, positions, margin, near, crossing);
}

} // namespace muslin
