#include "muslin/io/gltf_file.h"
#include "muslin/scene/length_unit.h"
#include "muslin/scene/load_parts.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace muslin {

namespace {

// More is a slip of the keyboard, not a mesh; refused before anything is allocated.
constexpr double max_vertices = 50'000'000;

void check_size(const TableReader& reader, double vertices) {
    if (vertices > max_vertices)
        throw InputError({reader.where(), reader.path(),
                          fmt::format("a mesh of at most {} vertices", max_vertices),
                          fmt::format("{}", vertices), ""});
}

std::filesystem::path mesh_file(const Place& place, const FileScope& scope, bool is_cloth) {
    const std::filesystem::path file =
        readable_file(place, place.text("the path of a mesh file"), scope, "mesh file");
    if (is_cloth && is_grid_file(file))
        place.fail("a mesh file: a grid of distances has no cloth, only a body");
    return file;
}

MeshFile read_file(TableReader& reader, const FileScope& scope, bool is_cloth) {
    MeshFile out;
    const Place path = reader.require("path", "the path of a mesh file");
    out.path = mesh_file(path, scope, is_cloth);
    LengthUnit unit = LengthUnit::m;
    reader.read("unit", unit);
    out.unit = metres(unit);
    if (const auto up = reader.get("up"))
        out.z_up = up->choice() == 1;
    if (is_cloth) // a body has no rest shape
        reader.read("rest", out.rest);
    return out;
}

GridSettings read_grid(TableReader& reader) {
    GridSettings out;
    reader.read("width", out.width);
    reader.read("depth", out.depth);
    reader.read("columns", out.columns);
    reader.read("rows", out.rows);
    if (const auto resolution = reader.get("resolution")) {
        if (reader.has("columns") || reader.has("rows"))
            resolution->fail_found("either resolution, or columns and rows", "both");
        // So many along the longer side, and quads as near to squares as whole numbers allow.
        const int along = resolution->integer();
        const double longer = std::max(out.width, out.depth);
        const auto across = [&](double side) {
            return std::max(2, 1 + static_cast<int>(std::lround((along - 1) * side / longer)));
        };
        out.columns = across(out.width);
        out.rows = across(out.depth);
    }
    reader.read("diagonals", out.diagonals);
    if (const auto folds = reader.get("folds")) {
        out.folds = folds->integer();
        if ((out.columns - 1) % (out.folds + 1) != 0)
            folds->fail(fmt::format("creases on columns: a number one above which divides {}",
                                    out.columns - 1));
        reader.read("fold_angle", out.fold_angle);
    }
    check_size(reader,
               double(out.columns) * out.rows * (out.diagonals == Diagonals::crossed ? 2 : 1));
    return out;
}

LatticeSettings read_lattice(TableReader& reader) {
    LatticeSettings out;
    reader.read("width", out.width);
    reader.read("depth", out.depth);
    reader.read("rows", out.rows);
    reader.read("along_z", out.along_z);
    const double across = out.along_z ? out.width : out.depth;
    const double along = out.along_z ? out.depth : out.width;
    check_size(reader, double(out.rows) * out.rows * along / across);
    return out;
}

IrregularSettings read_irregular(TableReader& reader, bool disc) {
    IrregularSettings out;
    out.disc = disc;
    if (disc) {
        double radius = 0.5;
        reader.read("radius", radius);
        out.width = out.depth = 2 * radius;
    } else {
        reader.read("width", out.width);
        reader.read("depth", out.depth);
    }
    reader.read("vertices", out.vertices);
    int seed = static_cast<int>(out.seed);
    reader.read("seed", seed);
    out.seed = static_cast<unsigned>(seed);
    reader.read("jitter", out.jitter);
    return out;
}

SphereSettings read_sphere(TableReader& reader) {
    SphereSettings out;
    reader.read("radius", out.radius);
    reader.read("rings", out.rings);
    reader.read("segments", out.segments);
    check_size(reader, double(out.rings) * out.segments);
    return out;
}

CylinderSettings read_cylinder(TableReader& reader) {
    CylinderSettings out;
    reader.read("radius", out.radius);
    reader.read("height", out.height);
    reader.read("segments", out.segments);
    reader.read("bands", out.bands);
    reader.read("capped", out.capped);
    reader.read("staggered", out.staggered);
    check_size(reader, double(out.bands) * out.segments);
    return out;
}

BoxSettings read_box(TableReader& reader) {
    BoxSettings out;
    reader.read("size", out.size);
    reader.read("divisions", out.divisions);
    check_size(reader, 6.0 * out.divisions * out.divisions);
    return out;
}

RevolutionSettings read_revolution(TableReader& reader) {
    constexpr std::string_view expected = "an array of points [radius, y] [m]";
    RevolutionSettings out;
    out.profile.clear();
    const Place profile = reader.require("profile", expected);
    for (const Place& point : profile.items(expected)) {
        const std::vector<Place> numbers = point.items(expected);
        if (numbers.size() != 2)
            point.fail("two numbers, [radius, y] [m]");
        out.profile.push_back({numbers[0].number(at_least(0, "m")), numbers[1].number()});
    }
    reader.read("segments", out.segments);
    check_size(reader, static_cast<double>(out.profile.size()) * out.segments);
    try {
        make_revolution(out);
    } catch (const InputError& error) {
        profile.fail_found(error.problem().expected, error.problem().found);
    }
    return out;
}

SculptureSettings read_sculpture(TableReader& reader) {
    constexpr std::string_view expected = "an array of balls [x, y, z, radius] [m]";
    SculptureSettings out;
    out.balls.clear();
    const Place balls = reader.require("balls", expected);
    for (const Place& ball : balls.items(expected)) {
        const std::vector<Place> numbers = ball.items(expected);
        if (numbers.size() != 4)
            ball.fail("four numbers, [x, y, z, radius] [m]");
        Vec3 center;
        for (int c = 0; c < 3; ++c)
            center[c] = numbers[c].number();
        out.balls.push_back({center, numbers[3].number(positive("m"))});
    }
    if (out.balls.empty())
        balls.fail_found("one ball or more", "none");
    reader.read("blend", out.blend);
    reader.read("frequency", out.frequency);
    check_size(reader, 10.0 * out.frequency * out.frequency);
    try {
        make_sculpture(out);
    } catch (const InputError& error) {
        balls.fail_found(error.problem().expected, error.problem().found,
                         "bring them together, or raise 'blend' or 'frequency'");
    }
    return out;
}

/// Makes what was read once, so that settings that do not go together are told at their keys.
template <class Settings, class Make>
Settings made_once(TableReader& reader, const Settings& settings, const Make& make) {
    try {
        make(settings);
    } catch (const InputError& error) {
        const Problem& p = error.problem();
        const std::optional<Place> place = reader.get(p.key);
        throw InputError({place ? place->where() : reader.where(), reader.path_of(p.key),
                          p.expected, p.found, p.hint});
    }
    return settings;
}

DrumSettings read_drum(TableReader& reader) {
    DrumSettings out;
    reader.read("radius", out.radius);
    reader.read("height", out.height);
    reader.read("wall", out.wall);
    reader.read("paddles", out.paddles);
    reader.read("paddle_height", out.paddle_height);
    reader.read("paddle_width", out.paddle_width);
    reader.read("segments", out.segments);
    reader.read("bands", out.bands);
    check_size(reader, 2.0 * (out.bands + 5) * out.segments);
    return made_once(reader, out, make_drum);
}

/// What both garments have.
template <class Settings>
void read_panels(TableReader& reader, Settings& out) {
    reader.read("width", out.width);
    reader.read("length", out.length);
    reader.read("edge", out.edge);
    reader.read("gap", out.gap);
    check_size(reader, 8 * out.width * out.length / (out.edge * out.edge));
}

ShirtSettings read_shirt(TableReader& reader) {
    ShirtSettings out;
    read_panels(reader, out);
    reader.read("neck", out.neck);
    reader.read("sleeve", out.sleeve);
    reader.read("cuff", out.cuff);
    return made_once(reader, out, make_shirt);
}

ShortsSettings read_shorts(TableReader& reader) {
    ShortsSettings out;
    read_panels(reader, out);
    reader.read("rise", out.rise);
    reader.read("leg", out.leg);
    return made_once(reader, out, make_shorts);
}

TableSettings read_table(TableReader& reader) {
    TableSettings out;
    reader.read("width", out.width);
    reader.read("depth", out.depth);
    reader.read("height", out.height);
    reader.read("thickness", out.thickness);
    reader.read("sides", out.sides);
    reader.read("legs", out.legs);
    reader.read("leg_size", out.leg_size);
    reader.read("leg_sides", out.leg_sides);
    return made_once(reader, out, make_table);
}

ChairSettings read_chair(TableReader& reader) {
    ChairSettings out;
    reader.read("width", out.width);
    reader.read("depth", out.depth);
    reader.read("height", out.height);
    reader.read("thickness", out.thickness);
    reader.read("leg_size", out.leg_size);
    reader.read("back", out.back);
    return made_once(reader, out, make_chair);
}

/// About as many as equilateral triangles of its edge have in its outline, and on it.
double panel_vertices(const PanelSettings& panel) {
    double doubled_area = 0, perimeter = 0;
    for (std::size_t i = 0; i < panel.outline.size(); ++i) {
        const Vec2 &a = panel.outline[i], &b = panel.outline[(i + 1) % panel.outline.size()];
        doubled_area += cross(a, b);
        perimeter += norm(b - a);
    }
    return std::abs(doubled_area) / (std::sqrt(3.0) * panel.edge * panel.edge) +
           perimeter / panel.edge;
}

PanelSettings read_panel(TableReader& reader) {
    constexpr std::string_view expected = "an array of points [x, y] [m]";
    PanelSettings out;
    out.outline.clear();
    for (const Place& point : reader.require("outline", expected).items(expected)) {
        const std::vector<Place> numbers = point.items(expected);
        if (numbers.size() != 2)
            point.fail("two numbers, [x, y] [m]");
        out.outline.push_back({numbers[0].number(), numbers[1].number()});
    }
    if (const auto sides = reader.get("sides"))
        for (const Place& name : sides->items("an array of names"))
            out.sides.push_back(name.text("the name of a side"));
    if (const auto counts = reader.get("counts"))
        for (const Place& number : counts->items("an array of numbers of edges"))
            out.counts.push_back(number.integer());
    reader.read("edge", out.edge);
    reader.read("roll", out.roll);
    check_size(reader, panel_vertices(out));
    return made_once(reader, out, make_panel);
}

FigureSettings read_figure(TableReader& reader) {
    FigureSettings out;
    reader.read("height", out.height);
    reader.read("arm_angle", out.arm_angle);
    reader.read("part", out.part);
    return made_once(reader, out, make_figure);
}

MannequinSettings read_mannequin(TableReader& reader) {
    MannequinSettings out;
    reader.read("height", out.height);
    reader.read("bust", out.bust);
    reader.read("waist", out.waist);
    reader.read("hip", out.hip);
    reader.read("shoulder_width", out.shoulder_width);
    reader.read("arm_length", out.arm_length);
    reader.read("arm_angle", out.arm_angle);
    reader.read("edge", out.edge);
    return out;
}

/// What reads the keys of a type; all but files.
struct TypeReader {
    std::string_view type;
    MeshSource (*read)(TableReader&);
};

template <auto Read>
MeshSource as_source(TableReader& reader) {
    return Read(reader);
}

constexpr TypeReader type_readers[] = {
    {"grid", as_source<read_grid>},
    {"lattice", as_source<read_lattice>},
    {"irregular", [](TableReader& reader) -> MeshSource { return read_irregular(reader, false); }},
    {"disc", [](TableReader& reader) -> MeshSource { return read_irregular(reader, true); }},
    {"sphere", as_source<read_sphere>},
    {"cylinder", as_source<read_cylinder>},
    {"box", as_source<read_box>},
    {"revolution", as_source<read_revolution>},
    {"sculpture", as_source<read_sculpture>},
    {"drum", as_source<read_drum>},
    {"shirt", as_source<read_shirt>},
    {"shorts", as_source<read_shorts>},
    {"table", as_source<read_table>},
    {"chair", as_source<read_chair>},
    {"panel", as_source<read_panel>},
    {"figure", as_source<read_figure>},
    {"mannequin", as_source<read_mannequin>},
};

/// The type that a table names, or the only one that has a path.
const KeyGroup& read_type(TableReader& reader) {
    if (reader.has("path") && !reader.has("type"))
        return *keys::mesh.kind("file");
    const Place type = reader.require("type", "the type of mesh", "or 'path', for a file");
    std::vector<std::string_view> known;
    for (const KeyGroup& kind : keys::mesh.kinds)
        known.push_back(kind.table);
    const std::string expected = fmt::format("one of \"{}\"", fmt::join(known, "\", \""));
    const std::string word = type.text(expected);
    if (const KeyGroup* kind = keys::mesh.kind(word))
        return *kind;
    const std::string nearest = nearest_word(word, known);
    type.fail(expected, nearest.empty() ? "" : fmt::format("did you mean '{}'?", nearest));
}

MeshSource read_typed(TableReader& reader, std::string_view type, const FileScope& scope,
                      bool is_cloth) {
    if (type == "file")
        return read_file(reader, scope, is_cloth);
    const auto* found = std::find_if(std::begin(type_readers), std::end(type_readers),
                                     [&](const TypeReader& one) { return one.type == type; });
    return found->read(reader);
}

} // namespace

bool is_grid_file(const std::filesystem::path& file) {
    return file.extension() == ".vdb";
}

bool has_skeleton(const MeshSource& source) {
    if (const auto* file = std::get_if<MeshFile>(&source))
        return is_gltf_file(file->path);
    return std::holds_alternative<MannequinSettings>(source);
}

MeshSource read_mesh_source(const Place& place, const FileScope& scope, bool is_cloth) {
    if (place.is_text() && is_given(place.text()))
        return GivenMesh{place.text().substr(given_prefix.size()), given_mesh(place, scope)};
    if (place.is_text())
        return MeshFile{mesh_file(place, scope, is_cloth), 1, false, RestShape::positions};
    if (!place.is_table())
        place.fail("a mesh: the path of a file, or a table { type = ... }");
    TableReader reader(place, keys::mesh);
    const KeyGroup& type = read_type(reader);
    reader.choose_kind(type);
    MeshSource out = read_typed(reader, type.table, scope, is_cloth);
    reader.reject_unasked(
        fmt::format("type = \"{}\" of a {}", type.table, is_cloth ? "cloth" : "body"));
    return out;
}

} // namespace muslin
