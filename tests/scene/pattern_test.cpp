// Sewing patterns in TOML: what the keys mean, that built-in ones can be sewn, and that
// docs/pattern-format.md says what the loader does.

#include "scene/key_docs.h"
#include "scene/scene_testing.h"

#include "muslin/math/rotation.h"
#include "muslin/pattern/panel_mesh.h"
#include "muslin/scene/builtin.h"
#include "muslin/scene/load_pattern.h"
#include "muslin/scene/pattern_keys.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

namespace muslin {
namespace {

Pattern parse_text(const std::string& text, std::span<const PatternSize> sizes = {}) {
    return parse_pattern(text, "test.toml", "test", sizes);
}

const PatternPanel& panel_of(const Pattern& pattern, const std::string& name) {
    for (const PatternPanel& panel : pattern.panels)
        if (panel.name == name)
            return panel;
    throw std::logic_error("no panel " + name);
}

double length_of(const Pattern& pattern, const PatternStitch::Side& side) {
    return edge_length(pattern.panels[side.panel], side.edge);
}

/// Where the middle of a sewn edge is in the world, of a panel that is not turned.
double middle_x(const Pattern& pattern, const PatternStitch::Side& side) {
    const PatternPanel& panel = pattern.panels[side.panel];
    return panel.translation.x + sample_edge(panel, side.edge, 2)[1].x;
}

const std::string halves = R"(unit = "cm"
sew = [["front.side", "back.side"], ["front.dart_in", "front.dart_out"]]
[sizes]
width = 30
length = "2*width"
[[panel]]
name = "front"
position = [0, 0, 20]
points = [[0, 0], ["width", 0], ["width", "length"], [22, "length"], [20, "length - 20"], [18, "length"], [0, "length"]]
edges = ["hem", "side", "outer", "dart_out", "dart_in", "inner", "center"]
fold = "center"
[[panel]]
name = "back"
like = "front"
position = [0, 0, -20]
outer = "down"
)";

TEST(PatternToml, HalvesAreUnfoldedAndSewnOnBothSides) {
    const Pattern pattern = parse_text(halves);
    ASSERT_EQ(pattern.panels.size(), 2u);
    const PatternPanel &front = panel_of(pattern, "front"), &back = panel_of(pattern, "back");
    EXPECT_EQ(front.edges.size(), 12u);
    EXPECT_NEAR(doubled_area(front), 4 * (0.3 * 0.6 - 0.5 * 0.04 * 0.2), 1e-12);
    EXPECT_NEAR(doubled_area(back), -doubled_area(front), 1e-12); // its outer side is down
    EXPECT_DOUBLE_EQ(back.translation.z, -0.2);
    ASSERT_EQ(pattern.stitches.size(), 4u); // each seam and its image
    for (const PatternStitch& seam : pattern.stitches) {
        EXPECT_NEAR(length_of(pattern, seam.sides[0]), length_of(pattern, seam.sides[1]), 1e-12);
        EXPECT_GT(middle_x(pattern, seam.sides[0]) * middle_x(pattern, seam.sides[1]), 0)
            << "a seam across the body";
    }
    // Start meets end, in the world: the side runs up in front and down at the back.
    const auto& [a, b] = pattern.stitches[0].sides;
    const PatternPanel& p = pattern.panels[a.panel];
    const PatternPanel& q = pattern.panels[b.panel];
    EXPECT_NEAR(p.vertices[p.edges[a.edge].start].y, q.vertices[q.edges[b.edge].end].y, 1e-12);
    EXPECT_NEAR(p.vertices[p.edges[a.edge].start].x, q.vertices[q.edges[b.edge].end].x, 1e-12);
    EXPECT_EQ(p.edges[a.edge].label, "side");
}

TEST(PatternToml, SizesCanBeGivenByWhoLoadsIt) {
    const PatternSize sizes[] = {{"width", 40}};
    const Pattern pattern = parse_text(halves, sizes);
    EXPECT_NEAR(doubled_area(pattern.panels[0]), 4 * (0.4 * 0.8 - 0.5 * 0.04 * 0.2), 1e-12);
    const PatternSize unknown[] = {{"widht", 40}};
    const Problem problem = testing::problem_of([&] { parse_text(halves, unknown); });
    EXPECT_NE(problem.hint.find("width"), std::string::npos);
}

TEST(PatternToml, PairsAreImagesInTheWorld) {
    const Pattern pattern = parse_text(R"(unit = "m"
sew = [["leg.crotch", "leg.mirror.crotch"], ["leg.out", "leg.in"]]
[[panel]]
name = "leg"
position = [0.1, 0.2, 0.3]
rotation = [10, 20, 30]
points = [[0, 0], [0.2, 0], [0.2, 1], [-0.1, 0.8], [0, 0.7]]
edges = [{ name = "hem", bulge = 0.02 }, "out", "waist",
         { name = "crotch", cubic = [[-0.1, 0.75], [-0.02, 0.72]] }, { name = "in", quadratic = [0.05, 0.4] }]
mirror = true
)");
    ASSERT_EQ(pattern.panels.size(), 2u);
    const PatternPanel &leg = pattern.panels[0], &image = panel_of(pattern, "leg.mirror");
    EXPECT_NEAR(doubled_area(leg), doubled_area(image), 1e-12); // the same side is outer
    const auto world = [](const PatternPanel& panel, const Vec2& p) {
        return rotation_degrees(panel.rotation) * Vec3{p.x, p.y, 0} + panel.translation;
    };
    for (int e = 0; e < 5; ++e) {
        int other = 0;
        while (image.edges[other].label != leg.edges[e].label)
            ++other;
        const std::vector<Vec2> points = sample_edge(leg, e, 4);
        const std::vector<Vec2> images = sample_edge(image, other, 4);
        for (std::size_t i = 0; i < points.size(); ++i) { // it runs the other way
            const Vec3 p = world(leg, points[i]), q = world(image, images[4 - i]);
            EXPECT_LT(norm(p - Vec3{-q.x, q.y, q.z}), 1e-9) << leg.edges[e].label;
        }
    }
    // The seam in the middle once, the other one in both legs.
    ASSERT_EQ(pattern.stitches.size(), 3u);
    EXPECT_NE(pattern.stitches[0].sides[0].panel, pattern.stitches[0].sides[1].panel);
    EXPECT_EQ(pattern.stitches[1].sides[0].panel, 0);
    EXPECT_EQ(pattern.stitches[2].sides[0].panel, 1);
    EXPECT_EQ(pattern.stitches[2].sides[1].panel, 1);
}

TEST(PatternToml, ArcsBulgeToTheRight) {
    const Pattern pattern = parse_text(R"(unit = "m"
[[panel]]
name = "p"
points = [[0, 0], [2, 0], [2, 2], [0, 2]]
edges = [{ bulge = 0.5 }, { radius = 1 }, { radius = -1.25, large = false }, { bulge = -0.25 }]
)");
    const PatternPanel& p = pattern.panels[0];
    EXPECT_NEAR(sample_edge(p, 0, 2)[1].y, -0.5, 1e-12);
    EXPECT_NEAR(p.edges[0].curve.radius, 1.25, 1e-12); // (1 + 0.25) / (2 * 0.5)
    EXPECT_NEAR(sample_edge(p, 1, 2)[1].x, 3, 1e-9);
    EXPECT_NEAR(edge_length(p, 1), std::numbers::pi, 1e-9);
    EXPECT_NEAR(sample_edge(p, 2, 2)[1].y, 1.5, 1e-9); // below: to the left of its way
    EXPECT_NEAR(sample_edge(p, 3, 2)[1].x, 0.25, 1e-9);
}

struct BadCase {
    const char* name;
    std::string text;
    std::vector<std::string> words;
};

std::string panel(const std::string& points, const std::string& more = {}) {
    return "unit = \"m\"\n" + more + "[[panel]]\nname = \"p\"\npoints = " + points + "\n";
}

TEST(PatternToml, BadPatternsNamePanelAndEdge) {
    const std::string square = "[[0, 0], [1, 0], [1, 1], [0, 1]]";
    const BadCase cases[] = {
        {"no_unit", "[[panel]]\nname = \"p\"\npoints = " + square, {"unit", "nothing"}},
        {"no_panel", "unit = \"m\"\n", {"[[panel]]", "none"}},
        {"unknown_key", panel(square) + "foldd = 3\n", {"test.toml:5", "fold"}},
        {"nan", panel("[[0, 0], [nan, 0], [1, 1]]"), {"test.toml:4", "points", "nan"}},
        {"bad_formula", panel("[[0, 0], [\"waist\", 0], [1, 1]]"), {"test.toml:4", "waist"}},
        {"zero_length",
         panel("[[0, 0], [1, 0], [1, 0], [0, 1]]"),
         {"test.toml:2", "panel 'p', edge 1", "length"}},
        {"crossing",
         panel("[[0, 0], [1, 1], [1, 0], [0, 2]]"),
         {"test.toml:2", "panel 'p', edge 0", "edge 2"}},
        {"missing_edge",
         panel(square, "sew = [[\"p.0\", \"p.sid\"]]\n"),
         {"test.toml:2", "panel 'p'", "p.sid"}},
        {"missing_panel", panel(square, "sew = [[\"p.0\", \"q.0\"]]\n"), {"test.toml:2", "'q'"}},
        {"no_image", panel(square, "sew = [[\"p.0\", \"p.mirror.0\"]]\n"), {"fold", "mirror"}},
        {"unequal",
         panel("[[0, 0], [1, 0], [1, 0.1], [0, 0.1]]", "sew = [[\"p.0\", \"p.1\"]]\n"),
         {"test.toml:2", "panel 'p', edge 0", "edge 1", "0.1 m"}},
        {"twice",
         panel(square, "sew = [[\"p.0\", \"p.1\"], [\"p.2\", \"p.1\"]]\n"),
         {"seam 1", "panel 'p', edge 1", "seam 0"}},
        {"edges_count", panel(square) + "edges = [\"a\", \"b\"]\n", {"test.toml:5", "4 edges"}},
        {"same_names", panel(square) + "edges = [\"a\", \"b\", \"a\", \"c\"]\n", {"'a' again"}},
        {"bad_fold", panel(square) + "fold = \"middle\"\n", {"test.toml:5", "edge"}},
        {"curved_fold",
         panel(square) +
             "edges = [{ name = \"a\", bulge = 0.1 }, \"b\", \"c\", \"d\"]\nfold = \"a\"\n",
         {"panel 'p'", "fold"}},
        {"two_curves",
         panel(square) + "edges = [{ bulge = 0.1, radius = 3 }, \"b\", \"c\", \"d\"]\n",
         {"test.toml:5", "second"}},
        {"large_alone",
         panel(square) + "edges = [{ large = true }, \"b\", \"c\", \"d\"]\n",
         {"large"}},
        {"like_later", panel(square) + "like = \"q\"\n", {"test.toml:5", "earlier"}},
        {"hole_outside",
         panel(square) + "[[panel.hole]]\npoints = [[2, 2], [3, 2], [3, 3]]\n",
         {"panel 'p', edge 4", "hole"}},
    };
    for (const BadCase& bad : cases) {
        SCOPED_TRACE(bad.name);
        const Problem problem = testing::problem_of([&] { parse_text(bad.text); });
        const std::string message = describe(problem);
        for (const std::string& word : bad.words)
            EXPECT_NE(message.find(word), std::string::npos) << word << " in: " << message;
    }
    EXPECT_NE(testing::problem_of([] { load_pattern("skrit"); }).hint.find("skirt"),
              std::string::npos);
    EXPECT_THROW(load_pattern("none.toml", "no/folder"), FileError);
}

TEST(BuiltinPatterns, CanBeCutAndSewn) {
    std::set<std::string> names;
    for (const BuiltinFile& file : builtin_patterns()) {
        SCOPED_TRACE(file.name);
        names.insert(std::string(file.name));
        const Pattern pattern = load_pattern(std::string(file.name));
        for (const PatternPanel& panel : pattern.panels)
            EXPECT_GT(mesh_panel(panel, 0.03).triangles.size(), 1u) << panel.name;
        double most = 1;
        for (const PatternStitch& seam : pattern.stitches) {
            const double a = length_of(pattern, seam.sides[0]);
            const double b = length_of(pattern, seam.sides[1]);
            const double ratio = std::max(a, b) / std::min(a, b);
            most = std::max(most, ratio);
            const std::string& label =
                pattern.panels[seam.sides[0].panel].edges[seam.sides[0].edge].label;
            // Sleeves are gathered into cuffs; everything else fits.
            EXPECT_LT(ratio, label == "hem" ? 1.6 : 1.025) << label;
        }
        std::printf("  %-12s %zu panels, %zu seams, largest ratio %.3f\n", pattern.name.c_str(),
                    pattern.panels.size(), pattern.stitches.size(), most);
    }
    for (const char* name :
         {"skirt", "long-skirt", "dress", "tunic", "shirt", "blouse", "trousers"})
        EXPECT_TRUE(names.contains(name)) << name;
}

std::string manual() {
    return testing::read_file(std::filesystem::path(test::source_directory()) / "docs" /
                              "pattern-format.md");
}

// "## [[panel]]", "## edge" and "## pattern: the top level" head the sections of key groups.
TEST(PatternFormat, TablesAreThoseOfTheKeysAndExamplesLoad) {
    EXPECT_EQ(testing::with_key_tables(manual(), pattern_keys::all()), manual())
        << "run `make scene-docs`";
    std::string example, all;
    bool inside = false;
    int number = 0, examples = 0;
    std::istringstream lines(manual());
    for (std::string line; std::getline(lines, line);) {
        ++number;
        if (line == "```toml") {
            inside = true;
            example.clear();
        } else if (line == "```" && inside) {
            inside = false;
            ++examples;
            EXPECT_NO_THROW(parse_text(example)) << "the example that ends at line " << number;
            all += example;
        } else if (inside) {
            example += line + '\n';
        }
    }
    EXPECT_GE(examples, 5);
    for (const KeyGroup* group : pattern_keys::all())
        for (const Key& row : group->keys) {
            const std::string key(row.name);
            EXPECT_TRUE(all.find(key + " =") != std::string::npos ||
                        all.find("[" + key + "]") != std::string::npos ||
                        all.find("." + key + "]") != std::string::npos)
                << "no example of " << key;
        }
}

} // namespace
} // namespace muslin
