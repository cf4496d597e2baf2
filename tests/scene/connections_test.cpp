// [[connections]]: what is read, which links are made, what is refused.
#include "muslin/scene/build_scene.h"
#include "scene_testing.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace muslin {
namespace {

using testing::parse;
using testing::problem_in;
using testing::problem_of;

const std::string sheet = R"(
[[cloth]]
mesh = { type = "grid", width = 0.4, depth = 0.3, columns = 5, rows = 4, diagonals = "one" }
)";

BuiltScene build(const std::string& text) {
    return build_scene(parse(text));
}

/// The links as pairs of the user's points.
std::map<std::array<int, 2>, double> rest_by_points(const Model& model, int cloth = 0) {
    std::map<int, int> point;
    const auto& particles = model.cloths[cloth].particles;
    for (std::size_t i = 0; i < particles.size(); ++i)
        point[particles[i]] = static_cast<int>(i);
    std::map<std::array<int, 2>, double> out;
    for (const Link& link : model.dynamics.links) {
        const int a = point.at(link.particles[0]), b = point.at(link.particles[1]);
        out[{std::min(a, b), std::max(a, b)}] = link.rest;
    }
    return out;
}

TEST(Connections, OfEdges) {
    const Model model = build(sheet + R"(
[[connections]]
rule = "edges"
stiffness = 7
)")
                            .model;
    // 4 x 4 along rows, 3 x 5 along columns, 3 x 4 diagonals.
    EXPECT_EQ(model.dynamics.links.size(), 16u + 15u + 12u);
    const auto rest = rest_by_points(model);
    EXPECT_EQ(rest.size(), model.dynamics.links.size()) << "none twice";
    EXPECT_NEAR(rest.at({0, 1}), 0.1, 1e-12);
    for (const Link& link : model.dynamics.links) {
        EXPECT_EQ(link.stiffness, 7);
        EXPECT_NEAR(link.damping, 7e-3, 1e-15);
        EXPECT_EQ(link.potential, 0);
    }
    ASSERT_EQ(model.dynamics.potentials.size(), 1u);
    EXPECT_EQ(model.dynamics.potentials[0].law, Potential::Law::quadratic);
}

TEST(Connections, OfSecondNearest) {
    const Model model = build(sheet + R"(
[[connections]]
rule = "second_nearest"
stiffness = 1
damping = 0.5
)")
                            .model;
    const auto rest = rest_by_points(model);
    EXPECT_NEAR(rest.at({0, 2}), 0.2, 1e-12) << "straight on along a row";
    EXPECT_NEAR(rest.at({0, 10}), 0.2, 1e-12) << "along a column";
    EXPECT_NEAR(rest.contains({1, 5}) ? rest.at({1, 5}) : rest.at({0, 6}), std::sqrt(0.02), 1e-12)
        << "the other diagonal of a cell";
    EXPECT_FALSE(rest.contains({0, 1})) << "an edge is no second neighbour";
    for (int r = 0; r < 4; ++r)
        for (int c = 0; c + 2 < 5; ++c)
            EXPECT_TRUE(rest.contains({5 * r + c, 5 * r + c + 2}));
    EXPECT_EQ(model.dynamics.links[0].damping, 0.5);
}

TEST(Connections, RestAtTheStartOrOnThePattern) {
    const std::string folded = R"(
[[cloth]]
mesh = { type = "grid", width = 0.4, depth = 0.3, columns = 5, rows = 4, folds = 1, fold_angle = 90 }
[[connections]]
rule = "second_nearest"
stiffness = 1
)";
    const auto start = rest_by_points(build(folded).model);
    const auto flat = rest_by_points(build(folded + "rest = \"pattern\"\n").model);
    ASSERT_EQ(start.size(), flat.size());
    EXPECT_NEAR(start.at({1, 3}), 0.1 * std::sqrt(2), 1e-12) << "across the crease";
    EXPECT_NEAR(flat.at({1, 3}), 0.2, 1e-12);
    EXPECT_NEAR(start.at({0, 2}), 0.2, 1e-12);
    for (const auto& [pair, length] : start)
        EXPECT_LE(length, flat.at(pair) + 1e-12);
}

TEST(Connections, RestAtTheStartFollowsTheStartFile) {
    const testing::TemporaryFolder folder;
    folder.write("half.obj", "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 4 3 2\n");
    folder.write("apart.obj", "v 0 0 0\nv 5 0 0\nv 1 0 1\nv 0 0 1\nf 1 4 3 2\n");
    const Model model = build_scene(parse_scene(R"(
[[cloth]]
mesh = "half.obj"
[[start]]
path = "apart.obj"
[[connections]]
rule = "pairs"
pairs = [[0, 1]]
stiffness = 1
)",
                                                "test", folder.path(), "test"))
                            .model;
    EXPECT_NEAR(rest_by_points(model).at({0, 1}), 5, 1e-12);
}

// Every pair, the slow way.
TEST(Connections, WithinADistanceAndNearestAgreeWithAllPairs) {
    const std::string block = R"(
[[cloth]]
mesh = { type = "irregular", width = 0.5, depth = 0.4, vertices = 80 }
[[cloth.points]]
name = "low"
spacing = 0.13
box = { min = [-0.2, -0.3, -0.2], max = [0.2, -0.1, 0.2] }
mass = 1
[[region]]
name = "skin"
box = { min = [-9, -0.01, -9], max = [9, 9, 9] }
[[connections]]
)";
    const BuiltScene within = build(block + "rule = \"within\"\ndistance = 0.14\nstiffness = 1\n");
    const auto& x = within.start.positions;
    std::set<std::array<int, 2>> expected, found;
    for (int a = 0; a < within.model.particle_count(); ++a)
        for (int b = a + 1; b < within.model.particle_count(); ++b)
            if (norm(x[b] - x[a]) <= 0.14)
                expected.insert({a, b});
    for (const Link& link : within.model.dynamics.links)
        found.insert(link.particles);
    EXPECT_EQ(found, expected);

    const BuiltScene nearest = build(
        block + "between = [\"skin\", \"low\"]\nrule = \"nearest\"\ncount = 3\nstiffness = 1\n");
    std::map<int, int> count;
    const auto& skin = nearest.model.regions[1].name == "skin" ? nearest.model.regions[1]
                                                               : nearest.model.regions[0];
    for (const Link& link : nearest.model.dynamics.links) {
        const bool first =
            std::binary_search(skin.particles.begin(), skin.particles.end(), link.particles[0]);
        const bool second =
            std::binary_search(skin.particles.begin(), skin.particles.end(), link.particles[1]);
        EXPECT_NE(first, second) << "from one region to the other";
        ++count[link.particles[first ? 0 : 1]];
    }
    EXPECT_EQ(count.size(), 80u);
    for (const auto& [p, n] : count)
        EXPECT_EQ(n, 3);
}

TEST(Connections, RegionsHoldBothEnds) {
    const Model model = build(sheet + R"(
[[region]]
name = "left"
box = { min = [-1, -1, -1], max = [-0.05, 1, 1] }
[[connections]]
region = "left"
rule = "edges"
stiffness = 1
[[connections]]
vertices = [0, 1, 19]
rule = "edges"
stiffness = 2
)")
                            .model;
    std::size_t whole = 0, two = 0;
    for (const Link& link : model.dynamics.links) {
        whole += link.potential == 0;
        two += link.potential == 1;
    }
    EXPECT_EQ(whole, 4u + 6u + 3u) << "two columns of four";
    EXPECT_EQ(two, 1u);
}

// 1/2 E V strain^2 (all directions) in whatever lattice.
TEST(Connections, OfOneModulusStoreTheSameInAnyLattice) {
    const auto energy = [](const std::string& spacing, const std::string& reach, int axis) {
        const BuiltScene built = build(R"(
[[cloth]]
mesh = { type = "box", size = [1, 1, 1], divisions = 1 }
collision = "none"
[[cloth.points]]
name = "foam"
box = { min = [-0.5, -0.5, -0.5], max = [0.5, 0.5, 0.5] }
mass = 1
spacing = )" + spacing + R"(
[[connections]]
region = "foam"
rule = "within"
modulus = 1000
distance = )" + reach + "\n");
        // Stretched by a little along one axis, without getting thinner: C11 = 1.2 E of a solid
        // with Poisson's ratio 1/4.
        const double strain = 1e-4;
        double sum = 0;
        for (const Link& link : built.model.dynamics.links) {
            Vec3 d =
                built.start.positions[link.particles[1]] - built.start.positions[link.particles[0]];
            d[axis] *= 1 + strain;
            sum += 0.5 * link.stiffness * (norm(d) - link.rest) * (norm(d) - link.rest);
        }
        return sum / (0.5 * 1000 * strain * strain);
    };
    const double coarse = energy("0.25", "0.45", 0), fine = energy("0.125", "0.225", 0);
    EXPECT_NEAR(coarse, 1.2, 0.25);
    EXPECT_NEAR(fine, 1.2, 0.25);
    EXPECT_NEAR(fine / coarse, 1, 0.1);
    EXPECT_NEAR(energy("0.25", "0.45", 1) / coarse, 1, 1e-6);
}

TEST(Connections, Energies) {
    const Model model = build(sheet + R"toml(
[[connections]]
rule = "edges"
stiffness = 1
potential = "exponential"
sharpness = 3
[[connections]]
rule = "edges"
stiffness = 1
potential = "k/2 * (d - l)^2 * (1 + s^2)"
)toml")
                            .model;
    ASSERT_EQ(model.dynamics.potentials.size(), 2u);
    EXPECT_EQ(model.dynamics.potentials[0].law, Potential::Law::exponential);
    EXPECT_EQ(model.dynamics.potentials[0].sharpness, 3);
    EXPECT_EQ(model.dynamics.potentials[1].law, Potential::Law::formula);
    ASSERT_TRUE(model.dynamics.potentials[1].formula);
    EXPECT_NEAR((*model.dynamics.potentials[1].formula)(std::array{3.0, 2.0, 0.5, 8.0}), 5, 1e-12);
    EXPECT_EQ(model.dynamics.links.back().potential, 1);
}

TEST(Connections, AFormulaIsReadWithCare) {
    const auto with = [](const std::string& energy) {
        return problem_in(sheet +
                          "[[connections]]\nrule = \"edges\"\nstiffness = 1\npotential = \"" +
                          energy + "\"\n");
    };
    EXPECT_NE(with("k * (d - l)^2 + q").found.find("at column 17 of"), std::string::npos);
    EXPECT_EQ(with("k * (d - l)^2 + q").key, "connections[0].potential");
    EXPECT_NE(with("k / (d - l)").expected.find("near rest"), std::string::npos)
        << "divides by zero at rest";
    EXPECT_NE(with("log(s)").expected.find("near rest"), std::string::npos);
    EXPECT_NE(with("exp(1e5 * d)").expected.find("near rest"), std::string::npos) << "overflows";
    EXPECT_NE(with("cubic").hint.find("exponential"), std::string::npos);
}

TEST(Connections, RefusesWhatCannotBe) {
    const std::string base = sheet + "[[connections]]\n";
    EXPECT_EQ(problem_in(base + "stiffness = 1\n").key, "connections[0].rule");
    EXPECT_EQ(problem_in(base + "rule = \"edges\"\n").found, "none");
    EXPECT_EQ(problem_in(base + "rule = \"edges\"\nstiffness = 1\nmodulus = 2\n").found, "both");
    EXPECT_EQ(problem_in(base + "rule = \"edges\"\nstiffness = -1\n").found, "-1");
    EXPECT_EQ(problem_in(base + "rule = \"edges\"\nstiffness = 1\ncount = 2\n").found, "'count'");
    EXPECT_EQ(problem_in(base + "rule = \"edges\"\nstiffness = 1\nvolume = 2\n").found, "'volume'");
    EXPECT_EQ(problem_in(base + "rule = \"within\"\nstiffness = 1\n").key,
              "connections[0].distance");
    EXPECT_EQ(
        problem_in(base + "rule = \"nearest\"\ncount = 2\nrest = \"pattern\"\nstiffness = 1\n").key,
        "connections[0].rest");
    EXPECT_EQ(problem_in(base + "rule = \"edges\"\nstiffness = 1\nbetween = [\"a\", \"b\"]\n").key,
              "connections[0].between[0]");
    EXPECT_EQ(problem_in(base + "rule = \"pairs\"\nstiffness = 1\npairs = [[2, 2]]\n").expected,
              "two vertices");
    EXPECT_EQ(problem_of([&] {
                  build(base + "rule = \"pairs\"\nstiffness = 1\npairs = [[2, 20]]\n");
              }).found,
              "20");
    EXPECT_EQ(problem_of([&] {
                  build(base + "rule = \"within\"\ndistance = 0.01\nstiffness = 1\n");
              }).expected,
              "a rule that joins at least two points");
    EXPECT_EQ(problem_of([&] { build(base + "rule = \"edges\"\nmodulus = 1\n"); }).found,
              "neither");
}

} // namespace
} // namespace muslin
