// A key that none of a scene's parts reads would change nothing: it is refused.

#include "scene/scene_testing.h"

#include "muslin/model/parts.h"
#include "muslin/scene/keys.h"

namespace muslin {
namespace {

using testing::parse;
using testing::problem_in;
using testing::with_sheet;

std::string with_material(const std::string& head, const std::string& material) {
    return head + "\n[[cloth]]\nmesh = { type = \"grid\" }\nmaterial = { " + material + " }\n";
}

TEST(UnreadKeys, AreRefusedWithThePartsThatWouldReadThem) {
    const Problem p = problem_in(
        with_material("parts.in_plane = \"edge_springs\"", "base = \"cotton\", shear = 50"));
    EXPECT_EQ(p.where.file, "test.toml");
    EXPECT_EQ(p.where.line, 4);
    EXPECT_EQ(p.key, "cloth[0].material.shear");
    EXPECT_EQ(p.expected, "a key that in_plane = \"edge_springs\" reads");
    EXPECT_EQ(p.found, "'shear'");
    EXPECT_EQ(p.hint, "it is read with in_plane = \"stretch_shear_bw\", \"stretch_shear_limited\", "
                      "\"stretch_shear_buckling\", \"mass_spring\"");
}

struct Unread {
    const char* scene; ///< but for the cloth
    const char* key;
};

TEST(UnreadKeys, OfEveryTable) {
    for (const Unread& one : {
             Unread{"[world]\nviscous_drag = 0.1\n", "world.viscous_drag"},
             Unread{"parts.air = \"none\"\n[world]\nwind = [1, 0, 0]\n", "world.wind"},
             Unread{"[solver]\nlocal_rates = false\n", "solver.local_rates"},
             Unread{"[solver]\nadaptive = false\n", "solver.adaptive"},
             Unread{"recipe = \"volino95\"\n[solver]\ntolerance = 1e-3\n", "solver.tolerance"},
             Unread{"recipe = \"bridson03\"\n[solver]\npreconditioner = \"diagonal\"\n",
                    "solver.preconditioner"},
             Unread{"[contact]\nrelaxation = 0.1\n", "contact.relaxation"},
             Unread{"[contact]\nconsistency = false\n", "contact.consistency"},
             Unread{"[contact]\nsphere_radius = 0.1\n", "contact.sphere_radius"},
             Unread{"[contact]\nfriction_law = \"paper\"\n", "contact.friction_law"},
             Unread{"[level_sets]\nvoxel = 0.01\n", "level_sets.voxel"},
             Unread{"recipe = \"bridson03\"\n[[rest_stretch]]\nb_u = 0.9\n", "rest_stretch"},
             Unread{"recipe = \"ohta95\"\n[[rest_angle]]\nangle = 9\n", "rest_angle"},
             Unread{"parts.contact = \"none\"\n[[body]]\nmesh = { type = \"sphere\" }\n"
                    "friction = 0.2\n",
                    "body[0].friction"},
         })
        EXPECT_EQ(problem_in(with_sheet(one.scene)).key, one.key);
    EXPECT_EQ(problem_in("parts.bending = \"none\"\n[[cloth]]\nmesh = { type = \"grid\" }\n"
                         "rest_angles = \"mesh\"\n")
                  .key,
              "cloth[0].rest_angles");
    for (const char* number : {"compression_stiffness = 1", "yield_bend = 5", "spring_shear = 3",
                               "elongation_limit = 0.1", "potential = \"exponential\"",
                               "bend_stiffening = 1", "poisson = 0.2"})
        EXPECT_EQ(problem_in(with_material("", "base = \"cotton\", " + std::string(number))).key,
                  "cloth[0].material." +
                      std::string(number).substr(0, std::string_view(number).find(' ')));
}

TEST(UnreadKeys, CountWhenTheyAreSet) {
    const Problem p =
        problem_in(with_sheet("recipe = \"bridson03\"\n"), {"cloth.sheet.material.shear=50"});
    EXPECT_EQ(p.where.file, "--set cloth.sheet.material.shear=50");
    EXPECT_EQ(p.key, "cloth[0].material.shear");
}

TEST(UnreadKeys, WithPartsThatReadThemAreTaken) {
    for (const char* lines : {
             "recipe = \"bayraktar07\"\n[world]\nviscous_drag = 0.1\n[contact]\ntest = "
             "\"vertices\"\n",
             "recipe = \"bridson03\"\n[level_sets]\nvoxel = 0.01\n[contact]\nrelaxation = 0.1\n",
             "[post]\nenabled = true\n[level_sets]\nvoxel = 0.01\n",
             "recipe = \"volino95\"\n[solver]\nlocal_rates = false\n",
             "parts.in_plane = \"strain_rosette\"\n[[rest_stretch]]\nb_u = 0.9\n",
         })
        EXPECT_NO_THROW(parse(with_sheet(lines))) << lines;
}

TEST(UnreadKeys, OfAFabricOfItsOwnAreExempt) {
    const std::string whole = "density = 0.1, stretch_u = 1e3, stretch_v = 1e3, shear = 9, "
                              "bend_u = 1e-5, bend_v = 1e-5, thickness = 1e-3";
    EXPECT_NO_THROW(parse(with_material("recipe = \"bridson03\"", whole)));
    EXPECT_EQ(problem_in(with_material("recipe = \"bridson03\"", whole + ", young = 1e6")).key,
              "cloth[0].material.shear")
        << "it follows from the modulus";
    // What the modulus and these give, every part reads.
    EXPECT_NO_THROW(parse(with_material(
        "", "density = 0.1, thickness = 1e-3, young = 1e6, poisson = 0.2, bend_factor = 0.5")));
}

TEST(UnreadKeys, OfTheBaseAreExempt) {
    const testing::TemporaryFolder folder;
    folder.write("net.toml", "base = \"cotton\"\nspring_shear = 3\ncompression_stiffness = 1\n");
    const auto load = [&](const std::string& material) {
        return parse_scene("[[cloth]]\nmesh = { type = \"grid\" }\nmaterial = " + material + "\n",
                           "test.toml", folder.path(), "test");
    };
    EXPECT_EQ(load("\"net.toml\"").cloths[0].material.spring_shear, 3);
    EXPECT_EQ(load("{ base = \"net.toml\", bend_u = 1e-5 }").cloths[0].material.spring_shear, 3);
}

TEST(Parts, ReadKeysThatThereAre) {
    for (const Part& part : parts())
        for (const std::string& key : part.reads) {
            const std::size_t dot = key.find('.');
            bool known = false;
            for (const KeyGroup* group : keys::all())
                known = known || (group->table == key.substr(0, dot) &&
                                  group->find(key.substr(dot + 1)) != nullptr);
            EXPECT_TRUE(known) << part.name << " reads " << key;
        }
}

TEST(Parts, AreChosenWhenASceneIsLoaded) {
    const Problem p = problem_in(with_sheet("[parts]\nbending = \"bend_ohta\"\n"));
    EXPECT_EQ(p.key, "parts.bending");
    EXPECT_EQ(p.where.line, 4);
}

} // namespace
} // namespace muslin
