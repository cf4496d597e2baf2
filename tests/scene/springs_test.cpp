// The springs of a fabric: constants, elongation limit and potentials, and what is wrong in them.

#include "scene/scene_testing.h"

namespace muslin {
namespace {

using testing::parse;
using testing::problem_in;

/// The material's table begins on line 3.
std::string with_material(const std::string& keys) {
    return "[[cloth]]\nmesh = { type = \"grid\" }\n[cloth.material]\nbase = \"cotton\"\n" + keys +
           "[parts]\nin_plane = \"mass_spring\"\nbending = \"flexion_springs\"\n";
}
Material material(const std::string& keys) {
    return parse(with_material(keys)).cloths.at(0).material;
}

TEST(SpringKeys, AreReadIntoTheMaterial) {
    const Material none = material("");
    EXPECT_EQ(none.spring_structural, 0);
    EXPECT_EQ(none.spring_damping, 0);
    EXPECT_TRUE(std::isinf(none.elongation_limit));
    EXPECT_EQ(none.elongation_law, ElongationLaw::allowed);
    EXPECT_EQ(none.potential.law, Potential::Law::quadratic);
    const Material m = material("spring_structural = 50\nspring_shear = 20\nspring_flexion = 2\n"
                                "spring_damping = 0.1\nelongation_limit = 0.1\n"
                                "elongation_law = \"rest\"\npotential = \"quadratic\"\n");
    EXPECT_EQ(m.spring_structural, 50);
    EXPECT_EQ(m.spring_shear, 20);
    EXPECT_EQ(m.spring_flexion, 2);
    EXPECT_EQ(m.spring_damping, 0.1);
    EXPECT_EQ(m.elongation_limit, 0.1);
    EXPECT_EQ(m.elongation_law, ElongationLaw::rest);
    const Material knit = material("potential = \"exponential\"\nsharpness = 8\n");
    EXPECT_EQ(knit.potential.law, Potential::Law::exponential);
    EXPECT_EQ(knit.potential.sharpness, 8);
    const Material own = material("potential = \"k/2*(d - l)^2 + s^4\"\n");
    EXPECT_EQ(own.potential.law, Potential::Law::formula);
    EXPECT_EQ(own.potential.formula->text(), "k/2*(d - l)^2 + s^4");
}

TEST(SpringKeys, OfABaseCanBeChanged) {
    const Material m = material("potential = \"exponential\"\nsharpness = 3\n");
    EXPECT_EQ(m.potential.sharpness, 3);
    EXPECT_EQ(material("potential = \"exponential\"\n").potential.sharpness, 1);
}

TEST(SpringKeys, RangesAndChoices) {
    EXPECT_EQ(problem_in(with_material("spring_shear = -1\n")).key,
              "cloth[0].material.spring_shear");
    EXPECT_EQ(problem_in(with_material("elongation_limit = 20\n")).key,
              "cloth[0].material.elongation_limit");
    EXPECT_EQ(problem_in(with_material("elongation_law = \"current\"\n")).where.line, 5);
    EXPECT_EQ(problem_in(with_material("potential = \"exponential\"\nsharpness = 0\n")).key,
              "cloth[0].material.sharpness");
    EXPECT_EQ(problem_in(with_material("sharpness = 4\n")).expected,
              "potential = \"exponential\" with a sharpness");
    EXPECT_EQ(problem_in(with_material("potential = 3\n")).key, "cloth[0].material.potential");
    const Problem both =
        problem_in(with_material("elongation_limit = 0.1\npotential = \"k*s^2\"\n"));
    EXPECT_EQ(both.where.line, 6);
    EXPECT_EQ(both.key, "cloth[0].material.potential");
}

// The column is that of the formula, the line that of the scene.
TEST(SpringKeys, ParseErrorsPointAtTheColumn) {
    const Problem p =
        problem_in(with_material("spring_damping = 1\npotential = \"k/2*(d - x)^2\"\n"));
    EXPECT_EQ(p.where.file, "test.toml");
    EXPECT_EQ(p.where.line, 6);
    EXPECT_EQ(p.key, "cloth[0].material.potential");
    EXPECT_NE(p.found.find("at column 10 of \"k/2*(d - x)^2\""), std::string::npos) << p.found;
    const Problem misspelt = problem_in(with_material("potential = \"exponental\"\n"));
    EXPECT_NE(misspelt.found.find("at column 1 "), std::string::npos) << misspelt.found;
    EXPECT_NE(misspelt.hint.find("exponential"), std::string::npos) << misspelt.hint;
    EXPECT_NE(problem_in(with_material("potential = \"k*(d - l\"\n")).found.find("at column 9"),
              std::string::npos);
    EXPECT_NE(problem_in(with_material("potential = \"\"\n")).found.find("at column 1"),
              std::string::npos);
}

TEST(SpringKeys, AFormulaMustHaveAValueNearRest) {
    for (const char* text : {"1/s", "k*l/(d - l)", "log(s)", "sqrt(s)", "exp(1e6*d)", "log(-d)",
                             "k*s^2 + 0/0", "abs(s)^0.5"}) {
        const Problem p = problem_in(with_material("potential = \"" + std::string(text) + "\"\n"));
        EXPECT_EQ(p.where.line, 5) << text;
        EXPECT_EQ(p.expected, "a formula with a finite energy, force and stiffness near rest")
            << text;
        EXPECT_NE(p.found.find(text), std::string::npos) << p.found;
    }
    // A pole elsewhere is a limit, an overflow elsewhere a wall.
    EXPECT_NO_THROW(material("potential = \"-k*l^2*log(1 - s)\"\n"));
    EXPECT_NO_THROW(material("potential = \"k*exp(1e4*s)\"\n"));
}

} // namespace
} // namespace muslin
