#pragma once

#include "muslin/collision/detect/proximity_detector.h"
#include "muslin/model/model.h"

#include <algorithm>
#include <vector>

namespace muslin::test {

/// How many edges pass through triangles, of cloth and bodies where they are at the state's time.
inline int interferences(const Model& model, const State& state) {
    const Surfaces surfaces(model);
    ProximityDetector detector(surfaces);
    std::vector<Vec3> points(surfaces.point_count());
    std::copy(state.positions.begin(), state.positions.end(), points.begin());
    surfaces.place_bodies(state.time, points);
    std::vector<Proximity> near;
    std::vector<Interference> crossing;
    detector.find_all(points, 0, near, crossing);
    return static_cast<int>(crossing.size());
}

} // namespace muslin::test
