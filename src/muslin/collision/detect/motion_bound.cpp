#include "muslin/collision/detect/motion_bound.h"

#include "muslin/base/parallel.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

constexpr std::size_t grain = 4096;

Vec3 least_of(const Vec3& a, const Vec3& b) {
    return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
}
Vec3 most_of(const Vec3& a, const Vec3& b) {
    return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)};
}

} // namespace

MotionBound::Drift MotionBound::drift(std::span<const Vec3> positions, std::size_t from,
                                      std::size_t to) {
    const std::size_t count = to - from;
    if (count == 0)
        return {};
    partials_.assign((count + grain - 1) / grain, {});
    parallel_for(count, grain, [&](std::size_t begin, std::size_t end) {
        const Vec3 first = positions[from + begin] - start_[from + begin];
        Drift d = {first, first};
        for (std::size_t i = from + begin + 1; i < from + end; ++i) {
            const Vec3 moved = positions[i] - start_[i];
            d = {least_of(d.least, moved), most_of(d.most, moved)};
        }
        partials_[begin / grain] = d;
    });
    Drift all = partials_[0];
    for (const Drift& d : partials_)
        all = {least_of(all.least, d.least), most_of(all.most, d.most)};
    return all;
}

double MotionBound::since_start(std::span<const Vec3> positions) {
    const std::size_t cloth = surfaces_.particle_count(), all = positions.size();
    const Drift of_cloth = drift(positions, 0, cloth);
    const double moved = norm(of_cloth.most - of_cloth.least);
    if (cloth == all)
        return moved;
    const Drift of_bodies = surfaces_.bodies_move() ? drift(positions, cloth, all) : Drift{};
    return std::max(
        moved, norm(most_of(of_cloth.most - of_bodies.least, of_bodies.most - of_cloth.least)));
}

double MotionBound::furthest(std::span<const Vec3> positions) {
    const std::size_t count =
        surfaces_.bodies_move() ? positions.size() : std::size_t(surfaces_.particle_count());
    furthest_.assign((count + grain - 1) / grain, 0.0);
    parallel_for(count, grain, [&](std::size_t begin, std::size_t end) {
        double most = 0;
        for (std::size_t i = begin; i < end; ++i) {
            const Vec3 moved = positions[i] - start_[i];
            most = std::max(most, dot(moved, moved));
        }
        furthest_[begin / grain] = most;
    });
    double most = 0;
    for (const double m : furthest_)
        most = std::max(most, m);
    return std::sqrt(most);
}

} // namespace muslin
