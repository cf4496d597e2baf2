#include "muslin/io/gltf_file.h"
#include "muslin/scene/load_parts.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace muslin {

namespace {

// More is a slip of the keyboard, not a mesh; refused before anything is allocated.
constexpr double max_count = 20'000;
constexpr double max_vertices = 50'000'000;

constexpr Range length = positive("m");

Range count(double min, double max = max_count) {
    return at_least(min, {}, max);
}

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
    constexpr std::array<std::string_view, 5> units = {"m", "cm", "mm", "in", "ft"};
    constexpr std::array<double, 5> metres = {1, 0.01, 0.001, 0.0254, 0.3048};
    constexpr std::array<std::string_view, 2> axes = {"y", "z"};
    MeshFile out;
    const Place path = reader.require("path", "the path of a mesh file");
    out.path = mesh_file(path, scope, is_cloth);
    if (const auto unit = reader.get("unit"))
        out.unit = metres[unit->choice(units)];
    if (const auto up = reader.get("up"))
        out.z_up = up->choice(axes) == 1;
    if (is_cloth) // a body has no rest shape
        reader.read("rest", out.rest);
    return out;
}

GridSettings read_grid(TableReader& reader) {
    GridSettings out;
    reader.read("width", out.width, length);
    reader.read("depth", out.depth, length);
    reader.read("columns", out.columns, count(2));
    reader.read("rows", out.rows, count(2));
    if (const auto resolution = reader.get("resolution")) {
        if (reader.has("columns") || reader.has("rows"))
            resolution->fail_found("either resolution, or columns and rows", "both");
        // So many along the longer side, and quads as near to squares as whole numbers allow.
        const int along = resolution->integer(count(2));
        const double longer = std::max(out.width, out.depth);
        const auto across = [&](double side) {
            return std::max(2, 1 + static_cast<int>(std::lround((along - 1) * side / longer)));
        };
        out.columns = across(out.width);
        out.rows = across(out.depth);
    }
    reader.read("diagonals", out.diagonals);
    if (const auto folds = reader.get("folds")) {
        out.folds = folds->integer(count(0));
        if ((out.columns - 1) % (out.folds + 1) != 0)
            folds->fail(fmt::format("creases on columns: a number one above which divides {}",
                                    out.columns - 1));
        reader.read("fold_angle", out.fold_angle, {-175, 175, false, "degrees", {}});
    }
    check_size(reader,
               double(out.columns) * out.rows * (out.diagonals == Diagonals::crossed ? 2 : 1));
    return out;
}

LatticeSettings read_lattice(TableReader& reader) {
    LatticeSettings out;
    reader.read("width", out.width, length);
    reader.read("depth", out.depth, length);
    reader.read("rows", out.rows, count(1));
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
        reader.read("radius", radius, length);
        out.width = out.depth = 2 * radius;
    } else {
        reader.read("width", out.width, length);
        reader.read("depth", out.depth, length);
    }
    reader.read("vertices", out.vertices, count(16, IrregularSettings::most_vertices));
    int seed = static_cast<int>(out.seed);
    reader.read("seed", seed, at_least(0));
    out.seed = static_cast<unsigned>(seed);
    reader.read("jitter", out.jitter, at_least(0, {}, 0.45));
    return out;
}

SphereSettings read_sphere(TableReader& reader) {
    SphereSettings out;
    reader.read("radius", out.radius, length);
    reader.read("rings", out.rings, count(2));
    reader.read("segments", out.segments, count(3));
    check_size(reader, double(out.rings) * out.segments);
    return out;
}

CylinderSettings read_cylinder(TableReader& reader) {
    CylinderSettings out;
    reader.read("radius", out.radius, length);
    reader.read("height", out.height, length);
    reader.read("segments", out.segments, count(3));
    reader.read("bands", out.bands, count(1));
    reader.read("capped", out.capped);
    reader.read("staggered", out.staggered);
    check_size(reader, double(out.bands) * out.segments);
    return out;
}

BoxSettings read_box(TableReader& reader) {
    BoxSettings out;
    if (const auto size = reader.get("size")) {
        out.size = size->vec3("m");
        for (const Place& side : size->items("three numbers"))
            side.number(length);
    }
    reader.read("divisions", out.divisions, count(1));
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
        out.profile.push_back(
            {numbers[0].number(at_least(0, "m")), numbers[1].number(any_number("m"))});
    }
    reader.read("segments", out.segments, count(3));
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
            center[c] = numbers[c].number(any_number("m"));
        out.balls.push_back({center, numbers[3].number(length)});
    }
    if (out.balls.empty())
        balls.fail_found("one ball or more", "none");
    reader.read("blend", out.blend, length);
    reader.read("frequency", out.frequency, count(1));
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
    reader.read("radius", out.radius, length);
    reader.read("height", out.height, length);
    reader.read("wall", out.wall, length);
    reader.read("paddles", out.paddles, count(0));
    reader.read("paddle_height", out.paddle_height, length);
    reader.read("paddle_width", out.paddle_width, length);
    reader.read("segments", out.segments, count(8));
    reader.read("bands", out.bands, count(1));
    check_size(reader, 2.0 * (out.bands + 5) * out.segments);
    return made_once(reader, out, make_drum);
}

/// What both garments have.
template <class Settings>
void read_panels(TableReader& reader, Settings& out) {
    reader.read("width", out.width, length);
    reader.read("length", out.length, length);
    reader.read("edge", out.edge, length);
    reader.read("gap", out.gap, length);
    check_size(reader, 8 * out.width * out.length / (out.edge * out.edge));
}

ShirtSettings read_shirt(TableReader& reader) {
    ShirtSettings out;
    read_panels(reader, out);
    reader.read("neck", out.neck, length);
    reader.read("sleeve", out.sleeve, length);
    reader.read("cuff", out.cuff, length);
    return made_once(reader, out, make_shirt);
}

ShortsSettings read_shorts(TableReader& reader) {
    ShortsSettings out;
    read_panels(reader, out);
    reader.read("rise", out.rise, length);
    reader.read("leg", out.leg, length);
    return made_once(reader, out, make_shorts);
}

TableSettings read_table(TableReader& reader) {
    TableSettings out;
    reader.read("width", out.width, length);
    reader.read("depth", out.depth, length);
    reader.read("height", out.height, length);
    reader.read("thickness", out.thickness, length);
    reader.read("sides", out.sides, count(3, 1000));
    reader.read("legs", out.legs, count(0, 100));
    reader.read("leg_size", out.leg_size, length);
    reader.read("leg_sides", out.leg_sides, count(3, 1000));
    return made_once(reader, out, make_table);
}

ChairSettings read_chair(TableReader& reader) {
    ChairSettings out;
    reader.read("width", out.width, length);
    reader.read("depth", out.depth, length);
    reader.read("height", out.height, length);
    reader.read("thickness", out.thickness, length);
    reader.read("leg_size", out.leg_size, length);
    reader.read("back", out.back, at_least(0, "m"));
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
        out.outline.push_back(
            {numbers[0].number(any_number("m")), numbers[1].number(any_number("m"))});
    }
    if (const auto sides = reader.get("sides"))
        for (const Place& name : sides->items("an array of names"))
            out.sides.push_back(name.text("the name of a side"));
    if (const auto counts = reader.get("counts"))
        for (const Place& number : counts->items("an array of numbers of edges"))
            out.counts.push_back(number.integer(count(0)));
    reader.read("edge", out.edge, length);
    reader.read("roll", out.roll, any_number("degrees"));
    check_size(reader, panel_vertices(out));
    return made_once(reader, out, make_panel);
}

FigureSettings read_figure(TableReader& reader) {
    FigureSettings out;
    reader.read("height", out.height, length);
    reader.read("arm_angle", out.arm_angle, any_number("degrees"));
    reader.read("part", out.part);
    return made_once(reader, out, make_figure);
}

MannequinSettings read_mannequin(TableReader& reader) {
    MannequinSettings out;
    reader.read("height", out.height, {1.4, 2.1, false, "m", {}});
    reader.read("bust", out.bust, {0.7, 1.3, false, "m", {}});
    reader.read("waist", out.waist, {0.5, 1.2, false, "m", {}});
    reader.read("hip", out.hip, {0.75, 1.4, false, "m", {}});
    reader.read("shoulder_width", out.shoulder_width, {0.26, 0.46, false, "m", {}});
    reader.read("arm_length", out.arm_length, {0.42, 0.7, false, "m", {}});
    reader.read("arm_angle", out.arm_angle, {0, 60, false, "degrees", {}});
    reader.read("edge", out.edge, {0.008, 0.035, false, "m", {}});
    return out;
}

MeshSource read_typed(TableReader& reader, std::size_t type, const FileScope& scope,
                      bool is_cloth) {
    switch (type) {
    case 0:
        return read_file(reader, scope, is_cloth);
    case 1:
        return read_grid(reader);
    case 2:
        return read_lattice(reader);
    case 3:
        return read_irregular(reader, false);
    case 4:
        return read_irregular(reader, true);
    case 5:
        return read_sphere(reader);
    case 6:
        return read_cylinder(reader);
    case 7:
        return read_box(reader);
    case 8:
        return read_revolution(reader);
    case 9:
        return read_sculpture(reader);
    case 10:
        return read_drum(reader);
    case 11:
        return read_shirt(reader);
    case 12:
        return read_shorts(reader);
    case 13:
        return read_table(reader);
    case 14:
        return read_chair(reader);
    case 15:
        return read_panel(reader);
    case 16:
        return read_figure(reader);
    default:
        return read_mannequin(reader);
    }
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
    constexpr std::array<std::string_view, 18> types = {
        "file",     "grid",  "lattice",    "irregular", "disc",   "sphere",
        "cylinder", "box",   "revolution", "sculpture", "drum",   "shirt",
        "shorts",   "table", "chair",      "panel",     "figure", "mannequin"};
    if (place.is_text() && is_given(place.text()))
        return GivenMesh{place.text().substr(given_prefix.size()), given_mesh(place, scope)};
    if (place.is_text())
        return MeshFile{mesh_file(place, scope, is_cloth), 1, false, RestShape::positions};
    if (!place.is_table())
        place.fail("a mesh: the path of a file, or a table { type = ... }");
    TableReader reader(place, keys::mesh);
    const bool is_file = reader.has("path") && !reader.has("type");
    const std::size_t type =
        is_file ? 0
                : reader.require("type", "the type of mesh", "or 'path', for a file").choice(types);
    MeshSource out = read_typed(reader, type, scope, is_cloth);
    reader.finish(fmt::format("type = \"{}\" of a {}", types[type], is_cloth ? "cloth" : "body"));
    return out;
}

} // namespace muslin
