// Every kind of bad input: the message must name the place and say what was expected and found.

#include "scene/scene_testing.h"

namespace muslin {
namespace {

using testing::parse;
using testing::problem_in;
using testing::problem_of;
using testing::with_sheet;

TEST(BadInput, MessageHasFileLineColumnKeyExpectedFound) {
    const Problem problem = problem_in(with_sheet("[world]\nair_density = -0.2\n"));
    EXPECT_EQ(describe(problem), "test.toml:4:15: world.air_density: expected a number >= 0 "
                                 "[kg/m^3], found -0.2");
}

TEST(BadInput, BrokenToml) {
    const Problem problem = problem_in("[world]\ngravity = [0, -9.81\n[time]\n");
    EXPECT_EQ(problem.where.file, "test.toml");
    EXPECT_GE(problem.where.line, 2);
    EXPECT_EQ(problem.expected, "a TOML document");
    EXPECT_FALSE(problem.found.empty());
}

TEST(BadInput, NotUtf8) {
    EXPECT_EQ(problem_in("title = \"\xff\xfe\"\n").where.line, 1);
}

TEST(BadInput, RepeatedKey) {
    EXPECT_EQ(problem_in("title = \"a\"\ntitle = \"b\"\n").where.line, 2);
}

TEST(BadInput, UnknownKeySuggestsTheNearest) {
    const Problem key = problem_in("[[cloth]]\nmesh = { type = \"grid\" }\n\n[cloth.material]\n"
                                   "base = \"cotton\"\nstreth_u = 5000\n");
    EXPECT_EQ(key.where.line, 6);
    EXPECT_EQ(key.where.column, 1);
    EXPECT_EQ(key.key, "cloth[0].material.streth_u");
    EXPECT_EQ(key.hint, "did you mean 'stretch_u'?");
}

TEST(BadInput, UnknownKeyIsReportedBeforeTheOneItWasMeantToBe) {
    const Problem problem = problem_in("[[cloth]]\nmsh = { type = \"grid\" }\n");
    EXPECT_EQ(problem.where.line, 2);
    EXPECT_EQ(problem.key, "cloth[0].msh");
    EXPECT_EQ(problem.hint, "did you mean 'mesh'?");
}

TEST(BadInput, UnknownKeyFarFromAllListsThem) {
    const Problem problem = problem_in(with_sheet("[world]\nmagnetism = 1\n"));
    EXPECT_EQ(problem.where.line, 4);
    EXPECT_EQ(problem.hint,
              "known: gravity, wind, air_density, drag_coefficient, linear_drag, viscous_drag");
}

TEST(BadInput, BandsOfPostInOtherUnitsOrWithoutRoom) {
    const auto key = [](const std::string& text) {
        return problem_in(with_sheet("[post]\n" + text)).key;
    };
    EXPECT_EQ(key("epsilon = 0\n"), "post.epsilon");
    EXPECT_EQ(key("epsilon = 1\n"), "post.epsilon"); // millimetres
    EXPECT_EQ(key("tau = 5\n"), "post.tau");
    EXPECT_EQ(key("epsilon = 0.002\ntau = 0.002\n"), "post.tau");
    EXPECT_EQ(key("depth = -0.001\n"), "post.depth");
    EXPECT_EQ(key("subdivide = 5\n"), "post.subdivide");
    EXPECT_EQ(key("enabled = 1\n"), "post.enabled");
    EXPECT_EQ(key("eps = 0.001\n"), "post.eps");
}

TEST(BadInput, UnknownTable) {
    const Problem problem = problem_in(with_sheet("[wrld]\n"));
    EXPECT_EQ(problem.where.line, 3);
    EXPECT_EQ(problem.hint, "did you mean 'world'?");
}

TEST(BadInput, WrongType) {
    const Problem text = problem_in(with_sheet("[time]\nframes = \"many\"\n"));
    EXPECT_EQ(text.where.line, 4);
    EXPECT_EQ(text.key, "time.frames");
    EXPECT_EQ(text.expected, "an integer from 1 to 10000000");
    EXPECT_EQ(text.found, "\"many\"");

    const Problem fraction = problem_in(with_sheet("[time]\nframes = 7.5\n"));
    EXPECT_EQ(fraction.found, "7.5");

    const Problem vector = problem_in(with_sheet("[world]\ngravity = -9.81\n"));
    EXPECT_EQ(vector.expected, "three numbers [m/s^2]");
    EXPECT_EQ(vector.found, "-9.81");

    const Problem part = problem_in(with_sheet("[world]\ngravity = [0, \"down\", 0]\n"));
    EXPECT_EQ(part.key, "world.gravity[1]");
    EXPECT_EQ(part.where.column, 15);

    const Problem two = problem_in(with_sheet("[world]\ngravity = [0, 1]\n"));
    EXPECT_EQ(two.found, "an array of 2");

    EXPECT_EQ(problem_in(with_sheet("world = 3\n")).expected, "a table");
    EXPECT_EQ(problem_in(with_sheet("title = 1979-05-27\n")).found, "a date or time");
    EXPECT_EQ(problem_in("[[cloth]]\nmesh = { type = \"lattice\", along_z = 1 }\n").expected,
              "true or false");
}

TEST(BadInput, OneBracketInsteadOfTwo) {
    const Problem problem = problem_in("[cloth]\nmesh = { type = \"grid\" }\n");
    EXPECT_EQ(problem.where.line, 1);
    EXPECT_EQ(problem.hint, "write [[cloth]], with two brackets");
}

TEST(BadInput, NegativeDensity) {
    const Problem problem = problem_in("[[cloth]]\nmesh = { type = \"grid\" }\n"
                                       "material = { base = \"cotton\", density = -0.2 }\n");
    EXPECT_EQ(describe(problem), "test.toml:3:41: cloth[0].material.density: expected a positive "
                                 "number [kg/m^2], found -0.2");
}

TEST(BadInput, DensityInTheWrongUnit) {
    const Problem problem = problem_in("[[cloth]]\nmesh = { type = \"grid\" }\n"
                                       "material = { base = \"cotton\", density = 150 }\n");
    EXPECT_EQ(problem.expected, "a positive number up to 100 [kg/m^2]");
    EXPECT_EQ(problem.hint, "1 g/m^2 is 0.001 kg/m^2");
}

TEST(BadInput, NumbersThatAreNotFinite) {
    for (const char* number : {"nan", "inf", "-inf", "1e999"}) {
        const Problem problem =
            problem_in(with_sheet("[world]\nair_density = " + std::string(number) + "\n"));
        EXPECT_EQ(problem.where.line, 4) << number;
    }
    EXPECT_EQ(problem_in(with_sheet("[world]\nair_density = nan\n")).found, "nan");
    EXPECT_EQ(problem_in(with_sheet("[world]\ngravity = [0, nan, 0]\n")).key, "world.gravity[1]");
}

TEST(BadInput, EmptyScene) {
    const Problem problem = problem_in("title = \"nothing\"\n");
    EXPECT_EQ(problem.where.file, "test.toml");
    EXPECT_EQ(problem.key, "cloth");
    EXPECT_EQ(problem.expected, "at least one [[cloth]] or [[garment]]");
    EXPECT_EQ(problem.found, "none");
    EXPECT_EQ(problem_in("").found, "none");
    EXPECT_EQ(problem_in("cloth = []\n").found, "none");
}

TEST(BadInput, UnknownRecipe) {
    const Problem problem = problem_in(with_sheet("recipe = \"bw89\"\n"));
    EXPECT_EQ(problem.where.line, 3);
    EXPECT_TRUE(problem.expected.starts_with("one of \"muslin\", \"bw98\", ")) << problem.expected;
    EXPECT_EQ(problem.hint, "did you mean 'bw98'?");
}

TEST(BadInput, MissingMeshFile) {
    const testing::TemporaryFolder folder;
    const std::string scene =
        folder.write("scene.toml", "[[cloth]]\nname = \"shirt\"\nmesh = \"shirt.obj\"\n");
    const Problem problem = problem_of([&] { load_scene(scene); });
    EXPECT_EQ(problem.where.file, scene);
    EXPECT_EQ(problem.where.line, 3);
    EXPECT_EQ(problem.key, "cloth[0].mesh");
    EXPECT_EQ(problem.expected, "a mesh file that can be read");
    EXPECT_EQ(problem.found, "\"shirt.obj\"");
    EXPECT_NE(problem.hint.find((folder.path() / "shirt.obj").string()), std::string::npos);

    // A folder is no mesh either.
    std::filesystem::create_directory(folder.path() / "shirt.obj");
    EXPECT_EQ(problem_of([&] { load_scene(scene); }).where.line, 3);
}

TEST(BadInput, MissingMaterialFile) {
    const Problem problem =
        problem_in("[[cloth]]\nmesh = { type = \"grid\" }\nmaterial = \"mine.toml\"\n");
    EXPECT_EQ(problem.where.line, 3);
    EXPECT_EQ(problem.expected, "a material file that can be read");
}

TEST(BadInput, UnknownMaterial) {
    const Problem problem =
        problem_in("[[cloth]]\nmesh = { type = \"grid\" }\nmaterial = \"demin\"\n");
    EXPECT_EQ(problem.where.line, 3);
    EXPECT_EQ(problem.hint, "did you mean 'denim'?");
}

TEST(BadInput, IncompleteMaterial) {
    const Problem problem = problem_in(
        "[[cloth]]\nmesh = { type = \"grid\" }\nmaterial = { density = 0.2, thickness = 4e-4 }\n");
    EXPECT_EQ(problem.where.line, 3);
    EXPECT_EQ(problem.key, "cloth[0].material.stretch_u");
    EXPECT_EQ(problem.expected, "a positive number [N/m]");
    EXPECT_EQ(problem.found, "nothing");
}

TEST(BadInput, ErrorsInAMaterialFileAreAtTheirOwnPlace) {
    const testing::TemporaryFolder folder;
    const std::string material =
        folder.write("mine.toml", "base = \"cotton\"\nbend_u = \"stiff\"\n");
    const std::string scene =
        folder.write("scene.toml", "[[cloth]]\nmesh = { type = \"grid\" }\nmaterial = "
                                   "\"mine.toml\"\n");
    const Problem problem = problem_of([&] { load_scene(scene); });
    EXPECT_EQ(problem.where.file, material);
    EXPECT_EQ(problem.where.line, 2);
    EXPECT_EQ(problem.key, "bend_u");
}

TEST(BadInput, MaterialFilesInACircle) {
    const testing::TemporaryFolder folder;
    folder.write("a.toml", "base = \"b.toml\"\n");
    folder.write("b.toml", "base = \"a.toml\"\n");
    const Problem problem = problem_of([&] { load_material((folder.path() / "a.toml").string()); });
    EXPECT_EQ(problem.key, "base");
}

TEST(BadInput, UnknownMeshType) {
    const Problem problem = problem_in("[[cloth]]\nmesh = { type = \"gird\" }\n");
    EXPECT_EQ(problem.where.line, 2);
    EXPECT_EQ(problem.hint, "did you mean 'grid'?");
}

TEST(BadInput, MeshKeyOfAnotherType) {
    const Problem problem = problem_in("[[cloth]]\nmesh = { type = \"grid\", radius = 0.5 }\n");
    EXPECT_EQ(problem.where.line, 2);
    EXPECT_EQ(problem.key, "cloth[0].mesh.radius");
    EXPECT_EQ(problem.expected, "a key that goes with type = \"grid\" of a cloth");
}

TEST(BadInput, MeshThatCannotBeMeant) {
    EXPECT_EQ(problem_in("[[cloth]]\nmesh = { type = \"grid\", columns = 1 }\n").expected,
              "an integer from 2 to 20000");
    EXPECT_EQ(problem_in("[[cloth]]\nmesh = { type = \"grid\", columns = 20000, rows = 20000 }\n")
                  .expected,
              "a mesh of at most 50000000 vertices");
    EXPECT_EQ(
        problem_in("[[cloth]]\nmesh = { type = \"irregular\", vertices = 99999999999 }\n").key,
        "cloth[0].mesh.vertices");
    for (const char* type : {"irregular", "disc"}) {
        const Problem many = problem_in("[[cloth]]\nmesh = { type = \"" + std::string(type) +
                                        "\", vertices = 20000001 }\n");
        EXPECT_EQ(many.where.line, 2);
        EXPECT_EQ(many.key, "cloth[0].mesh.vertices");
        EXPECT_EQ(many.expected, "an integer from 16 to 20000000");
    }
    const Problem panel = problem_in("[[cloth]]\nmesh = { type = \"panel\", outline = [[0, 0], "
                                     "[1, 0], [1, 1]], edge = 1e-9 }\n");
    EXPECT_EQ(panel.where.line, 2);
    EXPECT_EQ(panel.key, "cloth[0].mesh");
    EXPECT_EQ(panel.expected, "a mesh of at most 50000000 vertices");
    EXPECT_EQ(panel.found.substr(0, 4), "5.77") << panel.found;
    EXPECT_EQ(problem_in("[[cloth]]\nmesh = { type = \"box\", size = [1, 0, 1] }\n").key,
              "cloth[0].mesh.size[1]");
    EXPECT_EQ(problem_in("[[cloth]]\nmesh = 3\n").found, "3");
    EXPECT_EQ(problem_in("[[cloth]]\nmesh = { width = 3 }\n").key, "cloth[0].mesh.type");
    EXPECT_EQ(problem_in("[[cloth]]\nname = \"a\"\n").found, "nothing");
}

TEST(BadInput, DuplicateNames) {
    const std::string cloth = "mesh = { type = \"grid\" }\n";
    const Problem cloths = problem_in("[[cloth]]\nname = \"sheet\"\n" + cloth +
                                      "[[cloth]]\nname = \"sheet\"\n" + cloth);
    EXPECT_EQ(cloths.where.line, 5);
    EXPECT_EQ(cloths.key, "cloth[1].name");
    EXPECT_EQ(cloths.expected, "a name that no other cloth or body has");
    EXPECT_EQ(cloths.found, "\"sheet\"");
    EXPECT_EQ(cloths.hint, "line 2 has it");

    const Problem body = problem_in("[[cloth]]\nname = \"a\"\n" + cloth +
                                    "[[body]]\nname = \"a\"\nmesh = { type = \"box\" }\n");
    EXPECT_EQ(body.where.line, 5);

    const Problem region = problem_in(with_sheet("[[region]]\nname = \"hem\"\nvertices = [0]\n"
                                                 "[[region]]\nname = \"hem\"\nvertices = [1]\n"));
    EXPECT_EQ(region.where.line, 7);
    EXPECT_EQ(region.hint, "line 4 has it");

    EXPECT_EQ(problem_in(with_sheet("[[pin]]\nname = \"a\"\nvertices = [0]\n"
                                    "[[pin]]\nname = \"a\"\nvertices = [1]\n"))
                  .where.line,
              7);
}

TEST(BadInput, NamesThatCannotBeFileNames) {
    for (const char* name : {"", "../x", "a/b", "a.b", "pin[0]", "0", "-o", "a b"}) {
        const Problem problem = problem_in("[[cloth]]\nname = \"" + std::string(name) +
                                           "\"\nmesh = { type = \"grid\" }\n");
        EXPECT_EQ(problem.where.line, 2) << name;
        EXPECT_EQ(problem.key, "cloth[0].name") << name;
    }
}

TEST(BadInput, ReferencesToNothing) {
    const Problem region = problem_in(with_sheet("[[region]]\nname = \"hem\"\nvertices = [0]\n"
                                                 "[[pin]]\nregion = \"hen\"\n"));
    EXPECT_EQ(region.where.line, 7);
    EXPECT_EQ(region.key, "pin[0].region");
    EXPECT_EQ(region.expected, "the name of a region");
    EXPECT_EQ(region.hint, "did you mean 'hem'?");

    const Problem none = problem_in(with_sheet("[[load]]\nregion = \"hem\"\nforce = [0, 0, 0]\n"));
    EXPECT_EQ(none.where.line, 4);
    EXPECT_EQ(none.hint, "the scene has no [[region]]");

    const Problem cloth =
        problem_in(with_sheet("[[region]]\nname = \"hem\"\ncloth = \"shet\"\nvertices = [0]\n"));
    EXPECT_EQ(cloth.where.line, 5);
    EXPECT_EQ(cloth.hint, "did you mean 'sheet'?");

    const Problem stitch = problem_in(with_sheet("[[stitch]]\nregions = [\"a\", \"b\"]\n"));
    EXPECT_EQ(stitch.key, "stitch[0].regions[0]");

    // The region that a pin makes for itself is not for others.
    const Problem own = problem_in(with_sheet("[[pin]]\nvertices = [0]\n"
                                              "[[pin]]\nregion = \"pin[0]\"\n"));
    EXPECT_EQ(own.where.line, 6);
}

TEST(BadInput, AmbiguousCloth) {
    const std::string two = "[[cloth]]\nname = \"a\"\nmesh = { type = \"grid\" }\n"
                            "[[cloth]]\nname = \"b\"\nmesh = { type = \"grid\" }\n";
    const Problem problem = problem_in(two + "[[pin]]\nvertices = [0]\n");
    EXPECT_EQ(problem.where.line, 7);
    EXPECT_EQ(problem.key, "pin[0].cloth");
    EXPECT_EQ(problem.hint, "there are several: a, b");
}

TEST(BadInput, SelectorsExactlyOne) {
    const Problem none = problem_in(with_sheet("[[region]]\nname = \"hem\"\n"));
    EXPECT_EQ(none.where.line, 3);
    EXPECT_EQ(none.expected, "exactly one of vertices, box, group, map, nearest, layer");
    EXPECT_EQ(none.found, "none");

    const Problem two = problem_in(
        with_sheet("[[region]]\nname = \"hem\"\nvertices = [0]\nnearest = [[0, 0, 0]]\n"));
    EXPECT_EQ(two.where.line, 6);
    EXPECT_EQ(two.found, "vertices and nearest");

    EXPECT_EQ(problem_in(with_sheet("[[pin]]\nhold = \"point\"\n")).expected,
              "exactly one of region, vertices, box, group, map, nearest");
    EXPECT_EQ(problem_in(with_sheet("[[region]]\nname = \"hem\"\nvertices = [0]\n"
                                    "[[pin]]\nregion = \"hem\"\ncloth = \"sheet\"\n"))
                  .key,
              "pin[0].cloth");
}

TEST(BadInput, Selectors) {
    const auto region = [](const std::string& selector) {
        return problem_in(with_sheet("[[region]]\nname = \"hem\"\n" + selector + "\n"));
    };
    EXPECT_EQ(region("vertices = []").expected, "at least one vertex number");
    EXPECT_EQ(region("vertices = [3, -1]").key, "region[0].vertices[1]");
    EXPECT_EQ(region("vertices = [3, 1, 3]").found, "3 twice");
    EXPECT_EQ(region("vertices = 3").where.line, 5);
    EXPECT_EQ(region("nearest = []").expected, "at least one point");
    EXPECT_EQ(region("nearest = [0, 0, 0]").key, "region[0].nearest[0]");
    EXPECT_EQ(region("box = { min = [0, 0, 0], max = [1, -1, 1] }").found, "-1 < 0");
    EXPECT_EQ(region("box = { min = [0, 0, 0] }").key, "region[0].box.max");
    EXPECT_EQ(region("map = { threshold = 1 }").key, "region[0].map.name");
}

TEST(BadInput, TimeWindowReversed) {
    const Problem problem =
        problem_in(with_sheet("[[pin]]\nvertices = [0]\nstart = 2\nend = 1.5\n"));
    EXPECT_EQ(problem.where.line, 6);
    EXPECT_EQ(problem.key, "pin[0].end");
    EXPECT_EQ(problem.expected, "a time after start = 2 [s]");
    EXPECT_EQ(problem.found, "1.5");
    EXPECT_EQ(problem.hint, "the time window is reversed");
    EXPECT_EQ(problem_in(with_sheet("[[load]]\nvertices = [0]\nforce = [0, 1, 0]\nend = 0\n")).key,
              "load[0].end");
}

TEST(BadInput, KeyframesOutOfOrder) {
    const Problem problem = problem_in(with_sheet("[[rest_stretch]]\nb_u = [\n"
                                                  "    { t = 0, value = 1 },\n"
                                                  "    { t = 2, value = 0.8 },\n"
                                                  "    { t = 2, value = 0.7 },\n]\n"));
    EXPECT_EQ(problem.where.line, 7);
    EXPECT_EQ(problem.key, "rest_stretch[0].b_u[2].t");
    EXPECT_EQ(problem.expected, "a time after 2 [s]");
    EXPECT_EQ(problem.hint, "keys must be in order of increasing time");

    EXPECT_EQ(problem_in(with_sheet("[[rest_stretch]]\nb_u = [{ t = 0 }]\n")).key,
              "rest_stretch[0].b_u[0].value");
    EXPECT_EQ(problem_in(with_sheet("[[rest_stretch]]\nb_u = [{ t = 0, val = 1 }]\n")).hint,
              "did you mean 'value'?");
    EXPECT_EQ(problem_in(with_sheet("[[rest_stretch]]\nb_u = [{ t = 0, value = -1 }]\n")).found,
              "-1");
    EXPECT_EQ(problem_in(with_sheet("[[rest_stretch]]\nb_u = []\n")).found, "an array of 0");
}

TEST(BadInput, PinShapes) {
    const auto pin = [](const std::string& keys) {
        return problem_in(with_sheet("[[pin]]\nvertices = [0]\n" + keys + "\n"));
    };
    EXPECT_EQ(pin("hold = \"pont\"").hint, "did you mean 'point'?");
    const Problem unused = pin("hold = \"point\"\nradius = 1");
    EXPECT_EQ(unused.where.line, 6);
    EXPECT_EQ(unused.expected, "a key that goes with hold = \"point\"");
    EXPECT_EQ(pin("hold = \"line\"\npoint = [0, 0, 0]").key, "pin[0].direction");
    EXPECT_EQ(pin("hold = \"line\"\npoint = [0, 0, 0]\ndirection = [0, 0, 0]").hint,
              "its length must not be zero");
    EXPECT_EQ(pin("hold = \"sphere\"\ncenter = [0, 0, 0]\nradius = 0").expected,
              "a positive number [m]");
    EXPECT_EQ(pin("hold = \"directions\"\ndirections = []").expected,
              "an array of 1 to 3 directions");
    EXPECT_EQ(pin("hold = \"directions\"\ndirections = [[0, 1, 0], [0, -2, 0]]").key,
              "pin[0].directions[1]");
    EXPECT_EQ(pin("motion = { translate = [0, 1, 0] }").hint, "did you mean 'translation'?");
}

TEST(BadInput, StepsLongerThanTheyMayBe) {
    const Problem frame = problem_in(with_sheet("[time]\nframe_rate = 60\nmax_step = 0.02\n"));
    EXPECT_EQ(frame.where.line, 5);
    EXPECT_EQ(frame.expected, "at most one frame, 0.01667 [s]");
    EXPECT_EQ(problem_in(with_sheet("[time]\nmax_step = 0.01\nmin_step = 0.02\n")).key,
              "time.min_step");
    EXPECT_EQ(problem_in(with_sheet("[time]\nframe_rate = 0\n")).expected,
              "a positive number [1/s]");
}

TEST(BadInput, LimitsReversed) {
    const Problem problem =
        problem_in(with_sheet("[limits]\nstretch_max = 0.9\nstretch_min = 0.95\n"));
    EXPECT_EQ(problem.key, "limits.stretch_max");
    EXPECT_EQ(problem.where.line, 4);
}

TEST(BadInput, SceneFileThatIsNotThere) {
    EXPECT_THROW(load_scene("no/such/scene.toml"), FileError);
    const testing::TemporaryFolder folder;
    EXPECT_THROW(load_scene(folder.path().string()), FileError);
    const Problem name = problem_of([] { load_scene("two-corner-shet"); });
    EXPECT_EQ(name.hint, "did you mean 'two-corner-sheet'?");
    EXPECT_EQ(name.found, "'two-corner-shet'");
}

} // namespace
} // namespace muslin
