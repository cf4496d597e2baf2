#pragma once

#include "muslin/collision/detect/motion_bound.h"
#include "muslin/collision/detect/proximity_detector.h"

#include <array>
#include <span>
#include <vector>

namespace muslin {

struct TrackingSettings {
    double margin = 0;      ///< that a search reaches beyond what is asked for [m]; 0: by itself
    int updates_aimed = 24; ///< without a margin: searches are to come this many updates apart
};

/// Proximities and interferences step after step [Volino95 4.4]. A search reaches further by a
/// margin than what counts as near; the pairs it finds are measured again in every step, and the
/// next search comes when features can have come together that were further apart than the margin:
/// when two points have moved by that much against each other. For the same reason a pair that was
/// further apart than what has been moved since sleeps until then. So nothing is lost however the
/// surfaces move, and what update() returns is bit for bit what ProximityDetector::find_all()
/// would: it does not depend on what was asked before.
class ProximityTracker {
public:
    explicit ProximityTracker(const Surfaces& surfaces, TrackingSettings settings = {});

    ProximityDetector& detector() { return detector_; }
    const ProximityDetector& detector() const { return detector_; }

    /// As ProximityDetector::find_all.
    void update(std::span<const Vec3> positions, double margin, std::vector<Proximity>& near,
                std::vector<Interference>& crossing);

    long updates() const { return updates_; }
    long searches() const { return searches_; }

private:
    void choose_margin(double moved);
    void put_to_sleep(std::span<const Vec3> positions);
    void wake(double moved, double margin);

    /// A candidate, and its clearance at the search: the motion that wakes it [m].
    struct Sleeper {
        double clearance;
        int first, second;
    };

    TrackingSettings settings_;
    ProximityDetector detector_;
    ProximityCandidates candidates_; ///< of the search, then those that are awake
    /// By kind; edges and triangles last.
    std::array<std::vector<Sleeper>, 5> sleepers_;
    MotionBound motion_; ///< since the search
    double reach_ = -1;  ///< of the candidates beyond the thickness [m]
    double margin_ = 0;  ///< the part of it that is for motion
    double largest_ = 0; ///< that the margin may be [m]
    long updates_ = 0, searches_ = 0, since_search_ = 0;
};

} // namespace muslin
