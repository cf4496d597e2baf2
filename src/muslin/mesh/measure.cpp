#include "muslin/mesh/measure.h"

#include "muslin/base/parallel.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <map>

namespace muslin {
namespace {

constexpr std::size_t grain = 2048;

} // namespace

PatternEdges pattern_edges(std::span<const std::array<int, 3>> triangles,
                           std::span<const std::array<Vec2, 3>> material) {
    std::map<std::array<int, 2>, std::array<double, 2>> sums; // length, number of sides
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (int i = 0; i < 3; ++i) {
            const int a = triangles[t][i], b = triangles[t][(i + 1) % 3];
            auto& sum = sums[{std::min(a, b), std::max(a, b)}];
            sum[0] += norm(material[t][(i + 1) % 3] - material[t][i]);
            sum[1] += 1;
        }
    PatternEdges out;
    for (const auto& [edge, sum] : sums) {
        out.edges.push_back(edge);
        out.lengths.push_back(sum[0] / sum[1]);
    }
    return out;
}

std::vector<double> edge_lengths(std::span<const Vec3> positions,
                                 std::span<const std::array<int, 2>> edges) {
    std::vector<double> lengths(edges.size());
    parallel_for(edges.size(), grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t e = begin; e < end; ++e)
            lengths[e] = norm(positions[edges[e][1]] - positions[edges[e][0]]);
    });
    return lengths;
}

EdgeStretch edge_stretch(std::span<const Vec3> positions, std::span<const std::array<int, 2>> edges,
                         std::span<const double> rest_lengths) {
    assert(rest_lengths.size() == edges.size());
    EdgeStretch out;
    if (edges.empty())
        return out;
    std::vector<double> ratios = edge_lengths(positions, edges);
    for (std::size_t e = 0; e < ratios.size(); ++e)
        ratios[e] /= rest_lengths[e];
    const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
    out.min = *least;
    out.max = *most;
    // The nearest-rank percentile: the least ratio that 99 % of the edges do not exceed.
    const std::size_t rank = (99 * ratios.size() + 99) / 100;
    const auto nth = ratios.begin() + static_cast<std::ptrdiff_t>(rank - 1);
    std::nth_element(ratios.begin(), nth, ratios.end());
    out.p99 = *nth;
    return out;
}

PrincipalStretch principal_stretch(const std::array<Vec3, 3>& x, const std::array<Vec2, 3>& u) {
    const Vec3 p = x[1] - x[0], q = x[2] - x[0];
    const Vec2 d1 = u[1] - u[0], d2 = u[2] - u[0];
    const double scale = 1 / cross(d1, d2);
    // The columns of the deformation gradient [BW98 4.2].
    const Vec3 wu = scale * (d2.y * p - d1.y * q);
    const Vec3 wv = scale * (d1.x * q - d2.x * p);
    const double mean = 0.5 * (dot(wu, wu) + dot(wv, wv));
    const double difference = 0.5 * (dot(wu, wu) - dot(wv, wv)), mixed = dot(wu, wv);
    const double max = std::sqrt(mean + std::sqrt(difference * difference + mixed * mixed));
    // Their product is the growth of the area. (mean - root) would lose half of the digits.
    const double area = norm(cross(wu, wv));
    return {max > 0 ? area / max : 0, max};
}

std::vector<PrincipalStretch> principal_stretches(std::span<const Vec3> positions,
                                                  std::span<const std::array<int, 3>> triangles,
                                                  std::span<const std::array<Vec2, 3>> material) {
    assert(material.size() == triangles.size());
    std::vector<PrincipalStretch> out(triangles.size());
    parallel_for(triangles.size(), grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t t = begin; t < end; ++t) {
            const auto& v = triangles[t];
            out[t] =
                principal_stretch({positions[v[0]], positions[v[1]], positions[v[2]]}, material[t]);
        }
    });
    return out;
}

PrincipalStretch extreme_stretch(std::span<const Vec3> positions,
                                 std::span<const std::array<int, 3>> triangles,
                                 std::span<const std::array<Vec2, 3>> material) {
    if (triangles.empty())
        return {};
    PrincipalStretch out = {std::numeric_limits<double>::infinity(), 0};
    for (const PrincipalStretch& s : principal_stretches(positions, triangles, material)) {
        out.min = std::min(out.min, s.min);
        out.max = std::max(out.max, s.max);
    }
    return out;
}

} // namespace muslin
