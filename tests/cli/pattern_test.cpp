// `muslin info` of sewing patterns: numbers, drawings, and bad patterns.

#include "cli/command_line.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>

namespace {

using muslin::testing::muslin;
using muslin::testing::Outcome;
using muslin::testing::Scratch;

std::string json_pattern(const std::string& units, const std::string& vertices,
                         const std::string& edges, const std::string& stitches) {
    return R"({"properties": {"units_in_meter": )" + units +
           R"(}, "pattern": {"panels": {"front": {"vertices": )" + vertices + R"(, "edges": )" +
           edges + R"(}}, "stitches": )" + stitches + "}}";
}

std::string toml_pattern(const std::string& points, const std::string& sew) {
    return "unit = \"cm\"\nsew = [" + sew + "]\n[[panel]]\nname = \"front\"\npoints = " + points +
           "\n";
}

TEST(BadPatterns, EndWithCodeTwoAndOneLineThatNamesPanelAndEdge) {
    const Scratch folder("bad-patterns");
    const std::string loop =
        R"([{"endpoints":[0,1]},{"endpoints":[1,2]},{"endpoints":[2,3]},{"endpoints":[3,0]}])";
    const std::string square = "[[0,0],[100,0],[100,100],[0,100]]";
    struct Case {
        const char* name;
        std::string text;
        std::vector<std::string> words;
    };
    const Case cases[] = {
        {"open-loop.json",
         json_pattern("100", square,
                      R"([{"endpoints":[0,1]},{"endpoints":[1,2]},{"endpoints":[2,3]}])", "[]"),
         {"panel 'front', edge 2"}},
        {"crossing.json",
         json_pattern("100", "[[0,0],[100,100],[100,0],[0,200]]", loop, "[]"),
         {"panel 'front', edge 0"}},
        {"crossing.toml",
         toml_pattern("[[0,0],[100,100],[100,0],[0,200]]", ""),
         {"panel 'front', edge 0"}},
        {"missing-edge.json",
         json_pattern("100", square, loop,
                      R"([[{"panel":"front","edge":1},{"panel":"front","edge":4}]])"),
         {"panel 'front', edge 4"}},
        {"missing-edge.toml",
         toml_pattern(square, "[\"front.1\", \"front.4\"]"),
         {"panel 'front'", "front.4"}},
        {"zero-length.json",
         json_pattern("100", "[[0,0],[100,0],[100,0],[0,100]]", loop, "[]"),
         {"panel 'front', edge 1"}},
        {"zero-length.toml",
         toml_pattern("[[0,0],[100,0],[100,0],[0,100]]", ""),
         {"panel 'front', edge 1"}},
        {"zero-units.json", json_pattern("0", square, loop, "[]"), {"units_in_meter"}},
        {"nan.json",
         json_pattern("100", "[[0,0],[100,0],[100,NaN],[0,100]]", loop, "[]"),
         {"panel 'front', edge 2", "NaN"}},
        {"nan.toml",
         toml_pattern("[[0,0],[100,0],[100,nan],[0,100]]", ""),
         {"nan.toml:5", "panel[0].points[2]"}},
        {"unequal.json",
         json_pattern("100", "[[0,0],[100,0],[100,10],[0,10]]", loop,
                      R"([[{"panel":"front","edge":0},{"panel":"front","edge":1}]])"),
         {"panel 'front', edge 0", "panel 'front', edge 1", "1 m", "0.1 m"}},
        {"unequal.toml",
         toml_pattern("[[0,0],[100,0],[100,10],[0,10]]", "[\"front.0\", \"front.1\"]"),
         {"panel 'front', edge 0", "panel 'front', edge 1", "1 m", "0.1 m"}},
    };
    for (const Case& bad : cases) {
        SCOPED_TRACE(bad.name);
        const Outcome out = muslin("info " + folder.write(bad.name, bad.text));
        EXPECT_EQ(out.code, 2) << out.text;
        EXPECT_EQ(std::count(out.text.begin(), out.text.end(), '\n'), 1) << out.text;
        EXPECT_NE(out.text.find(bad.name), std::string::npos) << out.text;
        for (const std::string& word : bad.words)
            EXPECT_NE(out.text.find(word), std::string::npos) << word << " in: " << out.text;
    }
}

TEST(InfoPattern, TellsAndDraws) {
    const Scratch folder("info-pattern");
    const Outcome text = muslin("info skirt");
    EXPECT_EQ(text.code, 0) << text.text;
    EXPECT_NE(text.text.find("4 panels, 18 seams"), std::string::npos) << text.text;
    EXPECT_NE(text.text.find("-o skirt.svg"), std::string::npos) << text.text;

    const Outcome json = muslin("info --json skirt -o " + (folder / "s.svg"));
    EXPECT_EQ(json.code, 0) << json.text;
    const auto found = nlohmann::json::parse(json.text);
    EXPECT_EQ(found["panels"].size(), 4u);
    EXPECT_EQ(found["seams"].size(), 18u);
    EXPECT_EQ(found["panels"][1]["outer"], "down");
    EXPECT_NEAR(found["seams"][4]["ratio"].get<double>(), 1, 0.01);

    std::ifstream stream(folder / "s.svg");
    std::ostringstream svg;
    svg << stream.rdbuf();
    for (const char* part : {"<svg", ">band_front</text>", ">17</text>", "</svg>"})
        EXPECT_NE(svg.str().find(part), std::string::npos) << part;
    // A disc on both sides of each seam, one for both sides of each of four darts.
    std::size_t discs = 0;
    for (std::size_t at = 0; (at = svg.str().find("<circle", at)) != std::string::npos; ++at)
        ++discs;
    EXPECT_EQ(discs, 36u);
    EXPECT_EQ(muslin("info skirt -o " + (folder / "s.png")).code, 0);
    EXPECT_GT(std::filesystem::file_size(folder / "s.png"), 10'000u);

    EXPECT_EQ(muslin("info skirt -o " + (folder / "s.pdf")).code, 2);
    EXPECT_EQ(muslin("info skirt -o " + (folder / "none/s.svg")).code, 4);
}

} // namespace
