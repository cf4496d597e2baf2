// Sewing patterns in JSON: what is read, against lengths known otherwise, and what is refused.

#include "muslin/pattern/pattern_file.h"

#include "muslin/base/error.h"
#include "muslin/pattern/panel_mesh.h"
#include "test_data.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <numbers>

namespace muslin {
namespace {

std::filesystem::path write(const std::string& text) {
    const std::filesystem::path file =
        std::filesystem::path(::testing::TempDir()) /
        (std::string("muslin_") + ::testing::UnitTest::GetInstance()->current_test_info()->name() +
         ".json");
    std::ofstream(file, std::ios::binary) << text;
    return file;
}

Pattern read(const std::string& text) {
    return read_pattern_json(write(text));
}

/// Two squares of one metre, "a" counter-clockwise and "b" clockwise.
std::string squares(
    const std::string& properties = R"("units_in_meter": 100)",
    const std::string& edge = R"({"endpoints": [0, 1]})",
    const std::string& stitches = R"([[{"panel": "a", "edge": 1}, {"panel": "b", "edge": 0}]])") {
    return R"({"pattern": {"panel_order": ["b"], "panels": {
        "a": {"translation": [0, 100, 20], "rotation": [0, 90, 0], "label": "body",
              "vertices": [[0, 0], [100, 0], [100, 100], [0, 100]],
              "edges": [)" +
           edge + R"(, {"endpoints": [1, 2], "label": "side"},
                        {"endpoints": [2, 3]}, {"endpoints": [3, 0]}]},
        "b": {"vertices": [[0, 0], [0, 100], [100, 100], [100, 0]],
              "edges": [{"endpoints": [0, 1]}, {"endpoints": [1, 2]}, {"endpoints": [2, 3]},
                        {"endpoints": [3, 0]}]}},
        "stitches": )" +
           stitches + "}, \"properties\": {" + properties + "}}";
}

TEST(GarmentCode, PanelsAndStitchesAreRead) {
    const Pattern pattern = read(squares());
    ASSERT_EQ(pattern.panels.size(), 2u);
    EXPECT_EQ(pattern.panels[0].name, "b"); // the order of panel_order
    const PatternPanel& a = pattern.panels[1];
    EXPECT_EQ(a.label, "body");
    EXPECT_EQ(a.edges[1].label, "side");
    EXPECT_DOUBLE_EQ(a.translation.y, 1);
    EXPECT_DOUBLE_EQ(a.translation.z, 0.2);
    EXPECT_DOUBLE_EQ(a.rotation.y, 90);
    EXPECT_DOUBLE_EQ(doubled_area(a), 2);
    EXPECT_DOUBLE_EQ(doubled_area(pattern.panels[0]), -2); // its outer side is down
    ASSERT_EQ(pattern.stitches.size(), 1u);
    EXPECT_EQ(pattern.stitches[0].sides[0].panel, 1);
    EXPECT_EQ(pattern.stitches[0].sides[0].edge, 1);
    EXPECT_FALSE(pattern.stitches[0].direct);
    const Pattern direct =
        read(squares(R"("units_in_meter": 50)", R"({"endpoints": [0, 1]})",
                     R"([[{"panel": "a", "edge": 1}, {"panel": "b", "edge": 0}, "right_wrong"]])"));
    EXPECT_TRUE(direct.stitches[0].direct);
    EXPECT_DOUBLE_EQ(doubled_area(direct.panels[1]), 8);
}

TEST(GarmentCode, NormalizedPanelsCountFromTheirMiddle) {
    const Pattern pattern =
        read(squares(R"("units_in_meter": 100, "normalize_panel_translation": true,
                        "curvature_coords": "absolute")",
                     R"({"endpoints": [0, 1], "curvature": [50, -20]})"));
    const PatternPanel& a = pattern.panels[1];
    EXPECT_DOUBLE_EQ(a.vertices[0].x, -0.5);
    EXPECT_DOUBLE_EQ(a.translation.x, 0.5);
    EXPECT_DOUBLE_EQ(a.translation.y, 1.5);
    EXPECT_NEAR(a.edges[0].curve.controls[0].x, 0, 1e-15); // moved with the vertices
    EXPECT_NEAR(a.edges[0].curve.controls[0].y, -0.7, 1e-15);
}

TEST(GarmentCode, CurvesAreTheOnesOfTheFormat) {
    // The same parabola three ways: 0.2 below the middle, so control points at twice the depth.
    const std::string forms[] = {
        R"({"endpoints": [0, 1], "curvature": [0.5, -0.4]})",
        R"({"endpoints": [0, 1], "curvature": {"type": "quadratic", "params": [[0.5, -0.4]]}})",
        R"({"endpoints": [0, 1], "curvature": {"type": "cubic", "params":
            [[0.33333333333333333, -0.26666666666666666], [0.66666666666666666, -0.26666666666666666]]}})"};
    for (const std::string& form : forms) {
        const Pattern pattern = read(squares(R"("units_in_meter": 100)", form));
        const PatternPanel& a = pattern.panels[1];
        EXPECT_NEAR(sample_edge(a, 0, 2)[1].y, -0.2, 1e-12);
        // y = 0.8 (x^2 - x): slope 0.8 (2 x - 1), from -0.8 to 0.8.
        const double q = 0.8;
        EXPECT_NEAR(edge_length(a, 0), 0.5 * std::sqrt(1 + q * q) + std::asinh(q) / (2 * q), 1e-9);
    }
    // Half a circle to the right of its way, which is below; and to the left, within the square.
    for (const int right : {1, 0}) {
        const std::string circle = R"({"endpoints": [0, 1], "curvature": {"type": "circle",
            "params": [50, 0, )" + std::to_string(right) +
                                   "]}}";
        const Pattern pattern = read(squares(R"("units_in_meter": 100)", circle));
        const PatternPanel& a = pattern.panels[1];
        EXPECT_NEAR(edge_length(a, 0), 0.5 * std::numbers::pi, 1e-9);
        EXPECT_NEAR(sample_edge(a, 0, 2)[1].y, right ? -0.5 : 0.5, 1e-12);
    }
}

struct BadCase {
    const char* name;
    std::string text;
    std::vector<std::string> words;
};

std::vector<BadCase> bad_cases() {
    const std::string cm = R"("units_in_meter": 100)", straight = R"({"endpoints": [0, 1]})";
    const auto stitches = [&](const std::string& text) { return squares(cm, straight, text); };
    const auto edge = [&](const std::string& text) { return squares(cm, text); };
    const auto square = [](const std::string& vertices, const std::string& edges) {
        return R"({"properties": {"units_in_meter": 1}, "pattern": {"panels": {"p": {"vertices": )" +
               vertices + ", \"edges\": " + edges + "}}}}";
    };
    const std::string loop =
        R"([{"endpoints":[0,1]},{"endpoints":[1,2]},{"endpoints":[2,3]},{"endpoints":[3,0]}])";
    return {
        {"not_json", "{\n  \"pattern\": nonsense", {":2:", "JSON"}},
        {"neither_format", R"({"meshes": 3})", {"pattern", "parts", "neither"}},
        {"no_panels",
         R"({"pattern": {"panels": {}}, "properties": {"units_in_meter": 1}})",
         {"panels", "none"}},
        {"no_units", squares(R"("curvature_coords": "relative")"), {"units_in_meter", "nothing"}},
        {"zero_units", squares(R"("units_in_meter": 0)"), {"units_in_meter", "positive", "0"}},
        {"text_units", squares(R"("units_in_meter": "100")"), {"units_in_meter", "\"100\""}},
        {"open_loop", edge(R"({"endpoints": [0, 2]})"), {"panel 'a', edge 0", "open"}},
        {"missing_vertex", edge(R"({"endpoints": [0, 9]})"), {"panel 'a', edge 0", "9", "0 to 3"}},
        {"zero_length", square("[[0,0],[0,0],[1,1],[0,1]]", loop), {"panel 'p', edge 0", "length"}},
        {"crossing", square("[[0,0],[1,1],[1,0],[0,2]]", loop), {"panel 'p', edge 0", "edge 2"}},
        {"nan_vertex",
         square("[[0,0],[1,NaN],[1,1],[0,1]]", loop),
         {"panel 'p', edge 1, vertex 1", "NaN"}},
        {"infinite_vertex",
         square("[[0,0],[1,0],[-Infinity,1],[0,1]]", loop),
         {"panel 'p', edge 2, vertex 2", "-Infinity"}},
        {"null_vertex",
         square("[[0,0],[1,0],[null,1],[0,1]]", loop),
         {"panel 'p', edge 2, vertex 2", "null"}},
        {"huge_number", square("[[0,0],[1,0],[1e999,1],[0,1]]", loop), {".json:1:", "1e999"}},
        {"unknown_curve",
         edge(R"({"endpoints": [0, 1], "curvature": {"type": "spiral", "params": []}})"),
         {"panel 'a', edge 0", "spiral"}},
        {"one_control",
         edge(R"({"endpoints": [0, 1], "curvature": {"type": "cubic",
                                 "params": [[0.5, 0.1]]}})"),
         {"panel 'a', edge 0", "2 control points"}},
        {"small_circle",
         edge(R"({"endpoints": [0, 1], "curvature": {"type": "circle",
                                  "params": [20, 0, 1]}})"),
         {"panel 'a', edge 0", "radius", "0.2"}},
        {"missing_panel",
         stitches(R"([[{"panel": "a", "edge": 1}, {"panel": "c", "edge": 0}]])"),
         {"seam 0", "panel 'c', edge 0"}},
        {"missing_edge",
         stitches(R"([[{"panel": "a", "edge": 1}, {"panel": "b", "edge": 7}]])"),
         {"seam 0", "panel 'b', edge 7", "0 to 3"}},
        {"edge_twice",
         stitches(R"([[{"panel": "a", "edge": 1}, {"panel": "b", "edge": 0}],
                                    [{"panel": "a", "edge": 1}, {"panel": "b", "edge": 2}]])"),
         {"seam 1", "panel 'a', edge 1 'side'", "seam 0"}},
        {"with_itself",
         stitches(R"([[{"panel": "a", "edge": 1}, {"panel": "a", "edge": 1}]])"),
         {"seam 0", "panel 'a', edge 1", "twice"}},
        {"unequal",
         R"({"properties": {"units_in_meter": 100}, "pattern": {"panels": {
              "p": {"vertices": [[0,0],[100,0],[100,10],[0,10]], "edges": )" +
             loop + R"(}},
              "stitches": [[{"panel": "p", "edge": 0}, {"panel": "p", "edge": 1}]]}})",
         {"seam 0", "panel 'p', edge 0", "1 m", "0.1 m of panel 'p', edge 1", "4 times"}},
        {"open_path",
         R"({"parts": {"x": {"paths": {"seam": {"class": "fabric", "ops": [
              {"type": "move", "to": [0, 0]}, {"type": "line", "to": [9, 0]},
              {"type": "line", "to": [9, 9]}]}}}}})",
         {"panel 'x', edge 1", "closed"}},
    };
}

TEST(PatternFile, BadPatternsNamePanelAndEdge) {
    for (const BadCase& bad : bad_cases()) {
        SCOPED_TRACE(bad.name);
        try {
            read(bad.text);
            ADD_FAILURE() << "was read";
        } catch (const InputError& error) {
            const std::string message = error.what();
            EXPECT_NE(message.find(".json"), std::string::npos) << message;
            for (const std::string& word : bad.words)
                EXPECT_NE(message.find(word), std::string::npos) << word << " in: " << message;
        }
    }
    EXPECT_THROW(read_pattern_json("no/such/file.json"), FileError);
}

// Every prefix and every changed byte of a pattern is read or refused, nothing else.
TEST(PatternFile, CorruptedPatternsNeverCrash) {
    const std::string good =
        squares(R"("units_in_meter": 100)", R"({"endpoints": [0, 1], "curvature": [0.5, -0.4]})");
    const auto attempt = [](const std::string& text) {
        try {
            read(text);
        } catch (const InputError&) {
        }
    };
    for (std::size_t n = 0; n < good.size(); n += 7)
        attempt(good.substr(0, n));
    for (std::size_t i = 0; i < good.size(); i += 4)
        for (const char c : {'9', '"'}) {
            std::string text = good;
            text[i] = c;
            attempt(text);
        }
}

TEST(FreeSewing, HalvesAreUnfoldedAndPairsAreMirrored) {
    const Pattern pattern = read(R"({"units": "mm", "y_axis": "down", "parts": {
        "half": {"paths": {"seam": {"class": "fabric", "ops": [
            {"type": "move", "to": [0, 0]}, {"type": "line", "to": [0, 400]},
            {"type": "line", "to": [300, 400]}, {"type": "line", "to": [200, 0]},
            {"type": "close"}]}},
          "cut": {"materials": {"fabric": [{"cut": 1, "onFold": true}]},
                  "cutOnFold": [{"x": 0, "y": 50}, {"x": 0, "y": 350}]}},
        "pair": {"paths": {"note": {"class": "note", "ops": []}, "seam": {"class": "fabric", "ops": [
            {"type": "move", "to": [0, 0]}, {"type": "line", "to": [100, 0]},
            {"type": "curve", "cp1": [100, 50], "cp2": [50, 100], "to": [0, 100]},
            {"type": "line", "to": [0, 0]}]}},
          "cut": {"materials": {"fabric": [{"cut": 2}]}}},
        "notes": {"paths": {"seam": {"class": "note", "ops": []}}}}})");
    ASSERT_EQ(pattern.panels.size(), 3u);
    const PatternPanel& half = pattern.panels[0];
    EXPECT_EQ(half.edges.size(), 6u);
    EXPECT_EQ(half.vertices.size(), 6u);
    EXPECT_NEAR(std::abs(doubled_area(half)), 4 * 0.1, 1e-12); // two trapezia of 0.1 m^2
    EXPECT_NEAR(edge_length(half, 1), edge_length(half, 4), 1e-12);
    const PatternPanel &left = pattern.panels[1], &right = pattern.panels[2];
    EXPECT_EQ(left.name, "pair");
    EXPECT_EQ(right.name, "pair.2");
    EXPECT_NEAR(doubled_area(left), doubled_area(right), 1e-12); // the same side is outer
    EXPECT_LT(doubled_area(left), 0);                            // y was down
    EXPECT_NEAR(right.vertices[right.edges[1].start].x, -0.1, 0.1);
}

TEST(PatternFile, SharedPatterns) {
    struct Known {
        const char* file;
        std::size_t panels, seams;
        double largest_ratio;
    };
    for (const Known& known :
         {Known{"garmentcode_shirt_mean", 8, 18, 1.05}, Known{"gpg2021_dress", 8, 18, 1.05},
          Known{"gpg2021_tee", 6, 12, 1.05}, Known{"gpg2021_pants_straight_sides", 4, 6, 1.05},
          Known{"gpg2021_skirt_2_panels", 2, 4, 1.05},
          Known{"gpg2021_skirt_waistband", 4, 6, 2.23}}) {
        SCOPED_TRACE(known.file);
        MUSLIN_NEED_DATA(file, std::string("patterns/") + known.file + ".json");
        const Pattern pattern = read_pattern_json(file);
        EXPECT_EQ(pattern.panels.size(), known.panels);
        EXPECT_EQ(pattern.stitches.size(), known.seams);
        double largest = 1;
        for (const PatternStitch& seam : pattern.stitches) {
            const double a = edge_length(pattern.panels[seam.sides[0].panel], seam.sides[0].edge);
            const double b = edge_length(pattern.panels[seam.sides[1].panel], seam.sides[1].edge);
            largest = std::max({largest, a / b, b / a});
        }
        EXPECT_LT(largest, known.largest_ratio);
        EXPECT_GT(largest, known.largest_ratio > 2 ? 2.2 : 0);
    }
}

// FreeSewing measured its outlines itself, which tells of every curve.
TEST(PatternFile, SharedOutlinesHaveTheLengthThatFreeSewingMeasured) {
    for (const char* name : {"freesewing_teagan", "freesewing_titan"}) {
        MUSLIN_NEED_DATA(file, std::string("patterns/") + name + ".json");
        const Pattern pattern = read_pattern_json(file);
        std::ifstream stream(file);
        const auto json = nlohmann::json::parse(stream);
        EXPECT_EQ(pattern.panels.size(), 4u);
        EXPECT_TRUE(pattern.stitches.empty());
        for (const PatternPanel& panel : pattern.panels) {
            std::string part = panel.name;
            if (part.ends_with(".2"))
                part.resize(part.size() - 2);
            const auto& source = json["parts"][part];
            double length = 0, fold = 0;
            for (int e = 0; e < static_cast<int>(panel.edges.size()); ++e)
                length += edge_length(panel, e);
            if (source["cut"]["materials"]["fabric"][0]["onFold"]) {
                // The half has the fold, once; the unfolded panel has it nowhere.
                double low = 1e9, high = -1e9;
                for (const Vec2& p : panel.vertices)
                    if (std::abs(p.x) < 1e-6) {
                        low = std::min(low, p.y);
                        high = std::max(high, p.y);
                    }
                fold = high - low;
                length /= 2;
            }
            EXPECT_NEAR(length + fold, 1e-3 * source["paths"]["seam"]["length_mm"].get<double>(),
                        2e-5)
                << panel.name;
        }
    }
}

} // namespace
} // namespace muslin
