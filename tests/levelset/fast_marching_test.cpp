#include "muslin/levelset/fast_marching.h"

#include "muslin/io/mesh_file.h"

#include "levelset/shapes.h"
#include "test_data.h"

#include <gtest/gtest.h>

using namespace muslin;
using namespace muslin::levelset_testing;

namespace {

struct Comparison {
    std::size_t nodes = 0, other_side = 0;
    double largest = 0, rms = 0; ///< difference in voxels
    double apart = 0;            ///< part of the nodes where it is more than half a voxel
};

/// Marched distances beside those of the narrow band, at the nodes that both know.
Comparison compare(const TriangleView& surface, const LevelSetSettings& settings) {
    const DenseGrid marched = make_marched_distance(surface, settings);
    const LevelSet band = LevelSet::from_mesh(surface, settings);
    Comparison out;
    for (int z = 0; z < marched.nodes[2]; ++z)
        for (int y = 0; y < marched.nodes[1]; ++y)
            for (int x = 0; x < marched.nodes[0]; ++x) {
                const double a = marched.distance[marched.index(x, y, z)];
                // A hair into the cell: rounding must not decide which cell a node is in.
                const double b = band.distance(marched.position(x, y, z) +
                                               1e-6 * settings.voxel * Vec3{1, 1, 1});
                out.other_side += (a < 0) != (b < 0) && std::abs(a) > 1e-5 * settings.voxel;
                if (std::abs(a) > 0.7 * settings.band || std::abs(b) > 0.7 * settings.band)
                    continue;
                const double difference = std::abs(a - b) / settings.voxel;
                out.largest = std::max(out.largest, difference);
                out.rms += difference * difference;
                out.apart += difference > 0.5;
                ++out.nodes;
            }
    out.apart /= static_cast<double>(out.nodes);
    out.rms = std::sqrt(out.rms / static_cast<double>(out.nodes));
    return out;
}

} // namespace

TEST(fast_marching, distance_to_a_plane_is_exact) {
    DenseGrid grid{.voxel = 0.1, .origin = {0, 0, 0}, .nodes = {5, 4, 21}, .distance = {}};
    std::vector<char> known;
    for (int z = 0; z < 21; ++z)
        for (int i = 0; i < 20; ++i) {
            const double d = 0.1 * z - 0.97;
            known.push_back(std::abs(d) < 0.1);
            grid.distance.push_back(known.back() ? d : std::copysign(0.1, d));
        }
    march(grid, known, 0.75);
    for (int z = 0; z < 21; ++z) {
        const double d = 0.1 * z - 0.97;
        EXPECT_NEAR(grid.distance[grid.index(2, 2, z)], std::clamp(d, -0.75, 0.75), 1e-12);
    }
}

TEST(fast_marching, sides_do_not_mix_and_what_is_not_reached_is_far) {
    DenseGrid grid{.voxel = 1, .origin = {0, 0, 0}, .nodes = {5, 1, 1}, .distance = {}};
    grid.distance = {1, 1, 1, -1, -1};
    march(grid, {0, 1, 0, 0, 0}, 10);
    EXPECT_EQ(grid.distance, (std::vector<double>{2, 1, 2, -10, -10}));
    EXPECT_THROW(march(grid, {1}, 10), std::logic_error);
}

// Nodes up to 0.3 m from a sphere of 0.4 m, root mean square and largest error; exact values at the
// nodes next to the surface.
TEST(fast_marching, has_its_order_on_a_sphere) {
    double last[2] = {0, 0};
    for (const int n : {12, 24, 48, 96}) {
        DenseGrid grid;
        grid.voxel = 1.6 / n;
        grid.origin = {-0.8, -0.8, -0.8};
        grid.nodes = {n + 1, n + 1, n + 1};
        std::vector<double> exact;
        std::vector<char> known;
        for (int z = 0; z <= n; ++z)
            for (int y = 0; y <= n; ++y)
                for (int x = 0; x <= n; ++x) {
                    exact.push_back(norm(grid.position(x, y, z)) - 0.4);
                    known.push_back(std::abs(exact.back()) < grid.voxel);
                    grid.distance.push_back(known.back() ? exact.back()
                                                         : std::copysign(1e-3, exact.back()));
                }
        march(grid, known, 0.4);
        double error[2] = {0, 0};
        std::size_t count = 0;
        for (std::size_t i = 0; i < exact.size(); ++i)
            if (std::abs(exact[i]) < 0.3) {
                const double e = std::abs(grid.distance[i] - exact[i]);
                error[0] += e * e;
                error[1] = std::max(error[1], e);
                ++count;
            }
        error[0] = std::sqrt(error[0] / static_cast<double>(count));
        std::printf("voxel %.4f m: rms %.2e largest %.2e m", grid.voxel, error[0], error[1]);
        if (n > 12)
            std::printf("; orders %.2f %.2f", std::log2(last[0] / error[0]),
                        std::log2(last[1] / error[1]));
        std::printf("\n");
        if (n > 24) {
            EXPECT_GE(std::log2(last[0] / error[0]), 0.9) << n;
            EXPECT_GE(std::log2(last[1] / error[1]), 0.8) << n;
        }
        std::copy(error, error + 2, last);
    }
}

TEST(fast_marching, agrees_with_the_narrow_band_on_a_sphere) {
    const Comparison c = compare(view(sphere(0.4, 24)), {0.02, 0.1});
    std::printf("%zu nodes: rms %.3f, largest %.3f voxels; %.2f %% apart\n", c.nodes, c.rms,
                c.largest, 100 * c.apart);
    EXPECT_GT(c.nodes, 20000u);
    EXPECT_EQ(c.other_side, 0u);
    EXPECT_LT(c.rms, 0.05);
    EXPECT_LT(c.largest, 0.2);
}

TEST(fast_marching, agrees_with_the_narrow_band_on_a_body) {
    MUSLIN_NEED_DATA(file, "bodies/f_smpl_template.obj");
    const TriangleMesh mesh = triangulate(read_mesh(file));
    const Comparison c = compare(view(mesh), {0.015, 0.06});
    std::printf("%zu nodes: rms %.3f, largest %.3f voxels; %.2f %% apart\n", c.nodes, c.rms,
                c.largest, 100 * c.apart);
    EXPECT_GT(c.nodes, 20000u);
    EXPECT_EQ(c.other_side, 0u);
    EXPECT_LT(c.rms, 0.15);
    // Marching does not see what is thinner than a voxel, as the gap of an armpit.
    EXPECT_LT(c.apart, 0.01);
}
