#include "muslin/garment/slim_body.h"

#include "muslin/base/parallel.h"
#include "muslin/garment/touching_ball.h"
#include "muslin/mesh/normals.h"

#include <algorithm>

namespace muslin {
namespace {

/// How often the depth is made more like that of the neighbours: normals of real bodies are noisy.
constexpr int smoothing = 4;

/// Half the radius of the ball that touches the surface in p from within and holds no other vertex,
/// but no more than `most`.
double depth_at(std::span<const Vec3> positions, std::size_t p, const Vec3& normal, double most) {
    double twice_radius = 4 * most;
    for (std::size_t q = 0; q < positions.size(); ++q)
        shrink_ball(positions[p] - positions[q], normal, twice_radius);
    return twice_radius / 4;
}

} // namespace

std::vector<Vec3> slim_body(std::span<const Vec3> positions,
                            std::span<const std::array<int, 3>> triangles, double amount) {
    const std::size_t n = positions.size();
    std::vector<Vec3> normals;
    vertex_normals(positions, triangles, normals);
    std::vector<double> depth(n), sum(n);
    std::vector<int> count(n);
    parallel_for(n, 256, [&](std::size_t begin, std::size_t end) {
        for (std::size_t p = begin; p < end; ++p)
            depth[p] = depth_at(positions, p, normals[p], amount);
    });
    for (int pass = 0; pass < smoothing; ++pass) {
        std::fill(sum.begin(), sum.end(), 0.0);
        std::fill(count.begin(), count.end(), 0);
        for (const auto& corners : triangles)
            for (int k = 0; k < 3; ++k) {
                sum[corners[k]] += depth[corners[(k + 1) % 3]] + depth[corners[(k + 2) % 3]];
                count[corners[k]] += 2;
            }
        for (std::size_t p = 0; p < n; ++p)
            if (count[p] > 0)
                depth[p] = std::min(depth[p], sum[p] / count[p]);
    }
    std::vector<Vec3> out(n);
    for (std::size_t p = 0; p < n; ++p)
        out[p] = positions[p] - depth[p] * normals[p];
    return out;
}

} // namespace muslin
