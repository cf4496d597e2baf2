#pragma once

#include "muslin/mesh/measure.h"
#include "muslin/model/model.h"

#include <array>
#include <vector>

namespace muslin {

/// What a frame is worth, measured on its positions alone.
struct Verdict {
    double stretch_max = 1;     ///< longest edge over its rest length
    double stretch_min = 1;     ///< shortest
    double stretch_99 = 1;      ///< the ratio that 99 % of the edges stay below
    double principal_max = 1;   ///< largest principal stretch of any triangle
    double principal_min = 1;   ///< smallest
    int self_intersections = 0; ///< pairs of cloth triangles that cross
    int body_intersections = 0; ///< pairs of a cloth and a body triangle that cross
};

/// Measures states of one model. It knows nothing of the solver.
class Judge {
public:
    explicit Judge(const Model& model);
    Verdict judge(std::span<const Vec3> positions) const;

private:
    const Model& model_;
    PatternEdges edges_;
    struct BodyTriangles {
        std::vector<Vec3> positions;
        std::vector<std::array<int, 3>> triangles;
    };
    std::vector<BodyTriangles> bodies_;
};

} // namespace muslin
