// The measures of a drape on shapes that are known.

#include "referee/protocols/drape.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>

namespace {

using namespace muslin;
using namespace muslin::referee;
using std::numbers::pi;

// A flat star of `points`, r = mean + wave cos(points t), of triangles round the middle.
Shadow star(int points, double mean, double wave) {
    constexpr int n = 720;
    std::vector<Vec3> x = {{0, 0.3, 0}};
    std::vector<std::array<int, 3>> triangles;
    for (int k = 0; k < n; ++k) {
        const double t = 2 * pi * k / n, r = mean + wave * std::cos(points * t);
        x.push_back({r * std::cos(t), -0.1 * t, r * std::sin(t)});
        triangles.push_back({0, k + 1, (k + 1) % n + 1});
    }
    return shadow_of(x, triangles, 0.5, 1e-3);
}

TEST(DrapeMeasures, AreaAndFoldsOfAStar) {
    for (const int points : {3, 8, 11}) {
        const Shadow s = star(points, 0.3, 0.03);
        EXPECT_NEAR(s.area, pi * (0.3 * 0.3 + 0.5 * 0.03 * 0.03), 2e-4);
        EXPECT_EQ(count_folds(s.outline, 0.015), points);
    }
    EXPECT_EQ(count_folds(star(8, 0.3, 0.003).outline, 0.015), 0) << "too small to count";
}

TEST(DrapeMeasures, CoefficientOfAFlatAndOfALimpDisc) {
    EXPECT_NEAR(drape_coefficient(pi * 0.15 * 0.15), 1, 1e-12);
    EXPECT_NEAR(drape_coefficient(pi * 0.09 * 0.09), 0, 1e-12);
}

TEST(DrapeMeasures, MeanAndSpread) {
    const DrapeMean m = mean_of({{0.2, 5, 1e-3, 1}, {0.3, 8, 2e-3, 1}}, [](double s) { return s; });
    EXPECT_NEAR(m.value, 0.25, 1e-12);
    EXPECT_NEAR(m.spread, 0.05, 1e-12);
    EXPECT_EQ(m.folds, 6.5);
    EXPECT_EQ(m.folds_spread, 1.5);
    EXPECT_EQ(m.speed, 2e-3);
}

TEST(DrapeMeasures, ReadsTruthsAndRanges) {
    const auto file = std::filesystem::path(testing::TempDir()) / "referee_truth.csv";
    std::ofstream(file)
        << "# a comment\nsphere,0.185,0.004,10,1,how\ncusick cotton,0.4,0.01,6,1,how\n";
    const auto truths = read_truths(file);
    ASSERT_EQ(truths.size(), 2u);
    EXPECT_EQ(truths.at("sphere").value, 0.185);
    EXPECT_EQ(truths.at("cusick cotton").folds, 6);
    std::ofstream(file) << "# a comment\ncotton,40,70,somebody\n";
    EXPECT_EQ(read_ranges(file).at("cotton").high, 70);
    EXPECT_THROW(read_truths("no such file"), std::runtime_error);
}

} // namespace
