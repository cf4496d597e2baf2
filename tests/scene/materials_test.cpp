#include "scene/scene_testing.h"

#include "muslin/scene/builtin.h"

#include <cmath>

namespace muslin {
namespace {

using testing::problem_of;

void expect_within(double value, double low, double high, const char* what) {
    EXPECT_GE(value, low) << what;
    EXPECT_LE(value, high) << what;
}

TEST(Materials, EveryFabricIsPhysicalAndHasASource) {
    ASSERT_GE(builtin_materials().size(), 12u);
    for (const BuiltinFile& file : builtin_materials()) {
        SCOPED_TRACE(file.name);
        const Material m = load_material(std::string(file.name));
        EXPECT_EQ(m.name, file.name);
        EXPECT_TRUE(m.source.starts_with("Measured") || m.source.starts_with("Representative"))
            << m.source;
        expect_within(m.density, 0.02, 1, "density");
        expect_within(m.stretch_u, 30, 50'000, "stretch_u");
        expect_within(m.stretch_v, 30, 50'000, "stretch_v");
        const double sheared = m.stretch_u / (2 * (1 + m.poisson)); // an isotropic sheet
        expect_within(m.shear, m.young > 0 ? 0.99 * sheared : 5,
                      m.young > 0 ? 1.01 * sheared : 2'000, "shear");
        expect_within(m.thickness, 5e-5, 5e-3, "thickness");
        expect_within(m.friction, 0.05, 1, "friction");
        // Bending length, as a strip test gives it: sheer silks 1 cm, felts a few.
        for (const double bend : {m.bend_u, m.bend_v})
            expect_within(std::cbrt(bend / (9.81 * m.density)), 0.005, 0.06, "bending length");
        // Fabric is fibre and air: lighter than any fibre, heavier than wadding.
        expect_within(m.density / m.thickness, 100, 1000, "mass per volume");
        // Damping is a relaxation time well below a frame.
        expect_within(m.stretch_damping / m.stretch_u, 1e-4, 5e-3, "stretch damping");
        expect_within(m.shear_damping / m.shear, 1e-4, 5e-3, "shear damping");
        expect_within(m.bend_damping / m.bend_u, 1e-3, 5e-2, "bend damping");
    }
}

TEST(Materials, CottonIsStiffInBothDirections) {
    const Material cotton = load_material("cotton");
    EXPECT_GE(cotton.stretch_u, 5000);
    EXPECT_GE(cotton.stretch_v, 5000);
}

// docs/materials.md: | `name` | what | density | u / v | shear | u / v | thickness mm | ...
TEST(Materials, TheDocumentationHasTheNumbersOfTheFiles) {
    std::istringstream text(testing::read_file(std::filesystem::path(test::source_directory()) /
                                               "docs" / "materials.md"));
    std::size_t rows = 0;
    for (std::string line; std::getline(text, line);) {
        if (!line.starts_with("| `") || line.find(" kg") != std::string::npos)
            continue;
        std::vector<std::string> cells;
        std::istringstream cut(line.substr(1));
        for (std::string cell; std::getline(cut, cell, '|');)
            cells.push_back(cell);
        if (cells.size() < 9)
            continue;
        ++rows;
        SCOPED_TRACE(line);
        const Material m = load_material(cells[0].substr(2, cells[0].rfind('`') - 2));
        const auto pair = [&](std::size_t cell, double u, double v) {
            EXPECT_DOUBLE_EQ(std::stod(cells[cell]), u);
            EXPECT_DOUBLE_EQ(std::stod(cells[cell].substr(cells[cell].find('/') + 1)), v);
        };
        EXPECT_DOUBLE_EQ(std::stod(cells[2]), m.density);
        pair(3, m.stretch_u, m.stretch_v);
        EXPECT_DOUBLE_EQ(std::stod(cells[4]), m.shear);
        pair(5, m.bend_u, m.bend_v);
        EXPECT_DOUBLE_EQ(std::stod(cells[6]), 1000 * m.thickness);
        EXPECT_DOUBLE_EQ(std::stod(cells[7]), m.friction);
        EXPECT_NE(cells[8].find(m.source.starts_with("Measured") ? "measured" : "representative"),
                  std::string::npos);
    }
    EXPECT_EQ(rows, builtin_materials().size());
}

TEST(Materials, FromAFile) {
    const testing::TemporaryFolder folder;
    const std::string file =
        folder.write("linen-12.toml", "density = 0.19\nstretch_u = 8000\nstretch_v = 12000\n"
                                      "shear = 50\nbend_u = 1e-5\nbend_v = 3e-5\n"
                                      "thickness = 4e-4\nsource = \"sample 12\"\n");
    const Material m = load_material(file);
    EXPECT_EQ(m.name, "linen-12");
    EXPECT_EQ(m.source, "sample 12");
    EXPECT_EQ(m.stretch_v, 12000);
    // Damping that is not given follows from the stiffness.
    EXPECT_DOUBLE_EQ(m.stretch_damping, 10);
    EXPECT_DOUBLE_EQ(m.shear_damping, 0.05);
    EXPECT_DOUBLE_EQ(m.bend_damping, 2e-7);
}

TEST(Materials, AFileMayStartFromAnother) {
    const testing::TemporaryFolder folder;
    folder.write("cloths/soft.toml", "base = \"denim\"\nbend_u = 1e-6\n");
    const std::string file = folder.write("softer.toml", "base = \"cloths/soft.toml\"\n"
                                                         "name = \"softer\"\nbend_v = 2e-6\n");
    const Material m = load_material(file);
    EXPECT_EQ(m.name, "softer");
    EXPECT_EQ(m.bend_u, 1e-6);
    EXPECT_EQ(m.bend_v, 2e-6);
    EXPECT_EQ(m.density, load_material("denim").density);
}

// [Volino95 3.1]: E, nu and thickness say all that the other laws of force ask for.
TEST(Materials, ASheetMayBeGivenByYoungsModulus) {
    const testing::TemporaryFolder folder;
    const std::string sheet = "density = 0.5\nthickness = 5e-4\nyoung = 2e6\npoisson = 0.25\n";
    const Material m = load_material(folder.write("sheet.toml", sheet));
    EXPECT_DOUBLE_EQ(m.stretch_u, 1000);
    EXPECT_DOUBLE_EQ(m.stretch_v, 1000);
    EXPECT_DOUBLE_EQ(m.shear, 400);
    const double rigidity = 2e6 * 1.25e-10 / (12 * (1 - 0.0625));
    EXPECT_DOUBLE_EQ(m.bend_u, rigidity);
    EXPECT_DOUBLE_EQ(m.stretch_damping, 1);
    EXPECT_DOUBLE_EQ(sheet_stiffness(m), 1000);
    EXPECT_DOUBLE_EQ(sheet_rigidity(m), rigidity);

    // What is given wins; a base that is a sheet stays one.
    const Material own = load_material(folder.write("own.toml", sheet + "bend_u = 1e-6\n"));
    EXPECT_EQ(own.bend_u, 1e-6);
    EXPECT_DOUBLE_EQ(own.bend_v, rigidity);
    const Material soft =
        load_material(folder.write("soft.toml", "base = \"sheet.toml\"\nbend_factor = 0.1\n"));
    EXPECT_DOUBLE_EQ(soft.bend_v, 0.1 * rigidity);
    EXPECT_DOUBLE_EQ(sheet_rigidity(soft), 0.1 * rigidity);
    EXPECT_DOUBLE_EQ(soft.stretch_u, 1000);

    EXPECT_THROW(load_material(folder.write("nu.toml", sheet + "bend_factor = 0\n")), InputError);
    const Problem problem = problem_of([&] {
        load_material(folder.write("half.toml", "base = \"sheet.toml\"\npoisson = 0.5\n"));
    });
    EXPECT_EQ(problem.key, "poisson");
    EXPECT_NE(problem.expected.find("0.499"), std::string::npos) << problem.expected;
}

// Any fabric is a sheet as well: of its mean stiffness and its mean rigidity.
TEST(Materials, AFabricIsAnIsotropicSheetOfItsMeans) {
    const Material cotton = load_material("cotton");
    EXPECT_DOUBLE_EQ(sheet_stiffness(cotton), 7500);
    EXPECT_DOUBLE_EQ(sheet_rigidity(cotton), 0.5 * (6.9e-6 + 9.8e-6));
    EXPECT_EQ(cotton.poisson, 0.3);
    EXPECT_TRUE(std::isinf(cotton.yield_stretch) && std::isinf(cotton.relaxation_time));
}

TEST(Materials, ANameIsABuiltInFabricWhateverFilesThereAre) {
    const testing::TemporaryFolder folder;
    folder.write("muslin", "\x7f"
                           "ELF\xff");
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
    EXPECT_NO_THROW(EXPECT_EQ(load_material("muslin").density, 0.14));
    std::filesystem::current_path(before);
}

TEST(Materials, UnknownName) {
    const Problem problem = problem_of([] { load_material("coton"); });
    EXPECT_EQ(problem.hint, "did you mean 'cotton'?");
    EXPECT_THROW(load_material("no/such.toml"), FileError);
}

} // namespace
} // namespace muslin
