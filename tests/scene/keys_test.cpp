// The tables of keys: every row is read, and says what it should.

#include "scene/scene_testing.h"

#include "muslin/scene/keys.h"
#include "muslin/scene/table_reader.h"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace muslin {
namespace {

/// A scene in which some keys of a table have a meaning, and where that table is.
struct Context {
    std::string table; ///< "pin", or "mesh.grid" of a kind
    std::string scene;
    std::string path; ///< as --set has it, "" or with a dot at its end: "pin.0."
};

const std::string hem = "[[region]]\nname = \"hem\"\nvertices = [5]\n"
                        "[[region]]\nname = \"top\"\nvertices = [7]\n";
const std::string ball = "[[body]]\nname = \"ball\"\nmesh = { type = \"sphere\" }\n";

Context in_sheet(const std::string& table, const std::string& lines, const std::string& path) {
    return {table, testing::with_sheet(lines), path};
}

std::vector<Context> selecting(const std::string& table, const std::string& more = {}) {
    const std::string head = "[[" + table + "]]\n", path = table + ".0.";
    return {in_sheet(table, hem + ball + head + "vertices = [5]\n" + more, path),
            in_sheet(table, hem + ball + head + more, path)};
}

std::vector<Context> contexts_of_meshes() {
    std::vector<Context> out = {in_sheet("mesh", "", "cloth.0.mesh.")};
    for (const KeyGroup& kind : keys::mesh.kinds) {
        std::string mesh = "type = \"" + std::string(kind.table) + "\"";
        if (kind.table == "file")
            mesh = "path = \"sheet.obj\"";
        if (kind.table == "grid")
            mesh += ", folds = 1";
        if (kind.table == "revolution")
            mesh += ", profile = [[0, -1], [1, 0], [0, 1]]";
        if (kind.table == "sculpture")
            mesh += ", balls = [[0, 0, 0, 1]]";
        if (kind.table == "panel")
            mesh += ", outline = [[0, 0], [1, 0], [0, 1]]";
        out.push_back({"mesh." + std::string(kind.table), "[[cloth]]\nmesh = { " + mesh + " }\n",
                       "cloth.0.mesh."});
    }
    return out;
}

std::vector<Context> contexts() {
    std::vector<Context> out = contexts_of_meshes();
    const auto add = [&](const std::vector<Context>& more) {
        out.insert(out.end(), more.begin(), more.end());
    };
    out.push_back(in_sheet("scene", "", ""));
    for (const char* table : {"parts", "world", "time", "solver", "contact", "level_sets", "post",
                              "limits", "dressing"})
        out.push_back(in_sheet(table, "", std::string(table) + "."));
    out.push_back(in_sheet("cloth", "", "cloth.0."));
    out.push_back({"layer",
                   "[[cloth]]\nmesh = { type = \"grid\" }\n"
                   "dynamics = { mesh = { type = \"grid\" } }\n",
                   "cloth.0.dynamics."});
    for (const char* points : {"", "places = [[0, 0, 0]]", "spacing = 0.1"})
        out.push_back({"points",
                       "[[cloth]]\nmesh = { type = \"grid\" }\n[[cloth.points]]\nmass = 1\n" +
                           std::string(points),
                       "cloth.0.points.0."});
    out.push_back({"repeat", "[[cloth]]\nmesh = { type = \"grid\" }\nrepeat = { count = 2 }\n",
                   "cloth.0.repeat."});
    out.push_back({"material",
                   "[[cloth]]\nmesh = { type = \"grid\" }\nmaterial = { base = \"cotton\", "
                   "potential = \"exponential\" }\n",
                   "cloth.0.material."});
    out.push_back(in_sheet("body", ball, "body.0."));
    for (const char* animation : {"path = \"dance.pc2\"", "clip = \"walk\""})
        out.push_back(in_sheet("animation",
                               "[[body]]\nmesh = { type = \"mannequin\" }\nanimation = { " +
                                   std::string(animation) + " }\n",
                               "body.0.animation."));
    out.push_back(in_sheet("motion", ball, "body.0.motion."));
    out.push_back(in_sheet("garment", "[[garment]]\npattern = \"skirt\"\n", "garment.0."));
    out.push_back(in_sheet("panels",
                           "[[garment]]\npattern = \"skirt\"\npanels = [{ name = \"front\" }]\n",
                           "garment.0.panels.0."));
    for (const char* selector : {"", "vertices = [5]\n"})
        out.push_back(in_sheet("region", "[[region]]\nname = \"one\"\n" + std::string(selector),
                               "region.0."));
    out.push_back(in_sheet("box",
                           "[[region]]\nname = \"one\"\nbox = { min = [0, 0, 0], max = [1, 1, 1] }",
                           "region.0.box."));
    out.push_back(
        in_sheet("map", "[[region]]\nname = \"one\"\nmap = { name = \"m\" }\n", "region.0.map."));
    add(selecting("pin"));
    for (const std::string_view hold : keys::pin.find("hold")->words)
        add(selecting("pin", "hold = \"" + std::string(hold) +
                                 "\"\nradius = 1\npoint = [0, 0, 0]\ncenter = [0, 0, 0]\n"));
    add(selecting("rest_stretch"));
    add(selecting("rest_angle", "angle = 5\n"));
    add(selecting("pull", "target = [0, 0, 0]\n"));
    add(selecting("load", "force = [0, 0, 0]\n"));
    out.push_back(in_sheet("stitch", hem + "[[stitch]]\nregions = [\"hem\"]\n", "stitch.0."));
    for (const char* sewn : {"regions = [\"hem\", \"top\"]\n", ""})
        out.push_back(in_sheet("seam", hem + "[[seam]]\n" + sewn, "seam.0."));
    for (const char* to : {"", "body = \"ball\"\n", "to_region = \"top\"\n"})
        add(selecting("sticking", to));
    add(selecting("tape", "body = \"ball\"\n"));
    add(selecting("tape", "body = \"ball\"\nbody_vertices = [0]\n"));
    out.push_back(in_sheet("tack", hem + "[[tack]]\nregions = [\"hem\", \"top\"]\n", "tack.0."));
    for (const char* mass : {"", "mass = 1\n"})
        add(selecting("weight", mass));
    out.push_back(in_sheet("start", "[[start]]\n", "start.0."));
    for (const char* rule : {"edges", "within", "nearest", "pairs"})
        for (const char* strength : {"", "stiffness = 1\n", "modulus = 1\n"})
            add(selecting("connections", "rule = \"" + std::string(rule) +
                                             "\"\ndistance = 1\ncount = 1\n"
                                             "potential = \"exponential\"\n" +
                                             strength));
    out.push_back(in_sheet("connections", "[[connections]]\nrule = \"pairs\"\nstiffness = 1\n",
                           "connections.0."));
    out.push_back(in_sheet("force", "[[force]]\ntype = \"wave\"\n", "force.0."));
    out.push_back(
        in_sheet("keyframe", "[world]\nwind = [{ t = 0, value = [0, 0, 0] }]\n", "world.wind.0."));
    return out;
}

/// "pin.0.radius" as messages have it: "pin[0].radius".
std::string in_messages(const std::string& path) {
    std::string out;
    for (std::size_t i = 0; i < path.size(); ++i) {
        if (path[i] == '.' && i + 1 < path.size() && path[i + 1] >= '0' && path[i + 1] <= '9') {
            out += '[' + path.substr(i + 1, 1) + ']';
            ++i;
        } else {
            out += path[i];
        }
    }
    return out;
}

/// Whether it is the key that is wrong where it stands, and not its value.
bool is_of_place(const Problem& problem) {
    return problem.expected.starts_with("a key ");
}

/// Whether the reader of the table looks at the key: no key may be a date.
bool is_read(const Context& context, std::string_view key, const std::filesystem::path& folder) {
    const std::string path = context.path + std::string(key);
    try {
        parse_scene(context.scene, "test.toml", folder, "test",
                    std::vector<std::string>{path + "=1979-05-27"});
    } catch (const InputError& error) {
        const Problem& problem = error.problem();
        return problem.key.starts_with(in_messages(path)) && !is_of_place(problem);
    }
    return false;
}

struct NamedGroup {
    std::string name;
    const KeyGroup* group;
};

std::vector<NamedGroup> all_groups() {
    std::vector<NamedGroup> out;
    for (const KeyGroup* group : keys::all()) {
        out.push_back({std::string(group->table), group});
        for (const KeyGroup& kind : group->kinds)
            out.push_back({out.back().name.substr(0, out.back().name.find('.')) + "." +
                               std::string(kind.table),
                           &kind});
    }
    return out;
}

TEST(Keys, EveryRowIsReadByTheReaderOfItsTable) {
    const testing::TemporaryFolder folder;
    folder.write("dance.pc2", "");
    folder.write("sheet.obj", "");
    const std::vector<Context> all = contexts();
    for (const auto& [name, group] : all_groups())
        for (const Key& key : group->keys)
            EXPECT_TRUE(std::any_of(all.begin(), all.end(),
                                    [&, table = name](const Context& context) {
                                        return context.table == table &&
                                               is_read(context, key.name, folder.path());
                                    }))
                << name << "." << key.name;
}

TEST(Keys, RowsAreWhole) {
    std::set<std::string> groups;
    for (const auto& [name, group] : all_groups()) {
        EXPECT_TRUE(groups.insert(name).second) << name;
        std::set<std::string_view> once;
        for (const Key& key : group->keys) {
            SCOPED_TRACE(name + "." + std::string(key.name));
            EXPECT_TRUE(once.insert(key.name).second);
            EXPECT_FALSE(key.type.empty());
            EXPECT_FALSE(key.meaning.empty());
            EXPECT_EQ(key.meaning.find('|'), std::string::npos) << "it ends a column in Markdown";
            EXPECT_LE(key.range.min, key.range.max);
            EXPECT_EQ(key.kind == ValueKind::choice, !key.words.empty());
        }
    }
}

// A default of which the table speaks is one that the reader takes, so in its range.
TEST(Keys, DefaultsAreTaken) {
    const std::vector<Context> all = contexts();
    int taken = 0;
    for (const auto& [name, group] : all_groups())
        for (const Key& key : group->keys) {
            std::string value = key.fallback;
            std::erase(value, '`');
            if (!parse_toml_value(value, {})) // words
                continue;
            const auto context =
                std::find_if(all.begin(), all.end(), [&, table = name](const Context& one) {
                    return one.table == table && is_read(one, key.name, {});
                });
            if (context == all.end())
                continue; // of a file that is not there
            std::string expected;
            try {
                parse_scene(
                    context->scene, "test.toml", {}, "test",
                    std::vector<std::string>{context->path + std::string(key.name) + "=" + value});
            } catch (const InputError& error) {
                if (error.problem().key.starts_with(
                        in_messages(context->path + std::string(key.name))) &&
                    !is_of_place(error.problem()))
                    expected = error.problem().expected;
            }
            EXPECT_EQ(expected, "") << name << "." << key.name << " = " << value;
            ++taken;
        }
    EXPECT_GT(taken, 100);
}

// The initialisers of the description are the defaults: nothing else says them.
TEST(Keys, DefaultsAreThoseOfTheDescription) {
    const auto fallback = [](const KeyGroup& group, std::string_view key) {
        return group.find(key)->fallback;
    };
    EXPECT_EQ(fallback(keys::world, "gravity"), "`[0, -9.81, 0]`");
    EXPECT_EQ(fallback(keys::world, "air_density"), "1.2");
    EXPECT_EQ(fallback(keys::time, "frames"), "75");
    EXPECT_EQ(fallback(keys::solver, "error"), "1e-5");
    EXPECT_EQ(fallback(keys::solver, "preconditioner"), "`\"multilevel\"`");
    EXPECT_EQ(fallback(keys::contact, "consistency"), "`true`");
    EXPECT_EQ(fallback(keys::contact, "sphere_radius"), "0: half the mean edge");
    EXPECT_EQ(fallback(*keys::mesh.kind("drum"), "segments"), "48");
}

TEST(Keys, AReaderThatAsksForAnotherKindIsAMistakeOfTheProgram) {
    const TomlValue table = parse_toml("frames = 3\n", "test.toml");
    TableReader reader(Place(table, ""), keys::time);
    std::string text;
    bool flag = false;
    double number = 0;
    EXPECT_THROW(reader.read("frames", number), std::logic_error);
    EXPECT_THROW(reader.read("frame", number), std::logic_error);
    EXPECT_THROW(reader.read("frames", flag), InputError);
    EXPECT_THROW(reader.read("frames", text), InputError);
}

} // namespace
} // namespace muslin
