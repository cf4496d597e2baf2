#include "muslin/collision/response/corrected_points.h"

#include <algorithm>
#include <cmath>

namespace muslin {

CorrectedPoints::CorrectedPoints(const Surfaces& surfaces) {
    for (std::vector<Vec3>* vectors : {&begin, &end, &velocities})
        vectors->assign(surfaces.point_count(), Vec3{0, 0, 0});
}

void CorrectedPoints::start(const State& state) {
    std::copy(state.positions.begin(), state.positions.end(), begin.begin());
}

void CorrectedPoints::propose(std::span<const Vec3> positions, std::span<const Vec3> speeds) {
    std::copy(positions.begin(), positions.end(), end.begin());
    std::copy(speeds.begin(), speeds.end(), velocities.begin());
}

void CorrectedPoints::move_bodies(std::size_t particles, double h) {
    for (std::size_t i = particles; i < end.size(); ++i)
        velocities[i] = (1 / h) * (end[i] - begin[i]);
}

double CorrectedPoints::largest_body_speed(std::size_t particles, double h) const {
    double largest = 0;
    for (std::size_t i = particles; i < end.size(); ++i)
        largest = std::max(largest, norm(end[i] - begin[i]) / h);
    return largest;
}

void CorrectedPoints::hand_over(std::span<Vec3> positions, std::span<Vec3> speeds) const {
    std::copy_n(end.begin(), positions.size(), positions.begin());
    std::copy_n(velocities.begin(), speeds.size(), speeds.begin());
}

double largest_norm(std::span<const Vec3> vectors) {
    double largest = 0;
    for (const Vec3& v : vectors)
        largest = std::max(largest, dot(v, v));
    return std::sqrt(largest);
}

} // namespace muslin
