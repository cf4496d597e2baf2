// Regular sheets: grid and lattice.
#include "muslin/mesh/generators.h"
#include "muslin/mesh/mesh_builder.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace muslin {
namespace {

/// The place of line `i` of `count` equal steps over a centred length; exact at both ends.
double station(double length, int i, int count) {
    return length * (static_cast<double>(i) / count - 0.5);
}

/// Cuts one quad of the grid; corners from the lowest x, z around, seen from below (-y).
void add_quad(PolygonMesh& mesh, const std::array<int, 4>& q, bool from_first) {
    if (from_first) {
        add_sheet_triangle(mesh, q[0], q[3], q[2]);
        add_sheet_triangle(mesh, q[0], q[2], q[1]);
    } else {
        add_sheet_triangle(mesh, q[0], q[3], q[1]);
        add_sheet_triangle(mesh, q[1], q[3], q[2]);
    }
}

void add_crossed_quad(PolygonMesh& mesh, const std::array<int, 4>& q, int middle) {
    for (int k = 0; k < 4; ++k)
        add_sheet_triangle(mesh, q[(k + 1) % 4], q[k], middle);
}

/// The x of the vertices of one line of a lattice: whole steps on even lines, half steps with the
/// ends added on odd ones.
std::vector<double> lattice_line(double length, int steps, bool odd) {
    std::vector<double> x;
    if (odd)
        x.push_back(station(length, 0, steps));
    for (int i = 0; i < (odd ? steps : steps + 1); ++i)
        x.push_back(odd ? station(length, 2 * i + 1, 2 * steps) : station(length, i, steps));
    if (odd)
        x.push_back(station(length, steps, steps));
    return x;
}

/// Lays a flat sheet in folds: panels slope up and down in turn.
void fold(PolygonMesh& mesh, const GridSettings& s) {
    const int panels = s.folds + 1;
    require(s.folds >= 0 && (s.columns - 1) % panels == 0, "folds",
            "creases on columns: columns - 1 a multiple of folds + 1", s.folds);
    require(s.fold_angle > -180 && s.fold_angle < 180, "fold_angle", "degrees between -180 and 180",
            s.fold_angle);
    const double slope = s.fold_angle / 2 * std::numbers::pi / 180;
    const double panel = s.width / panels; // [m]
    for (Vec3& x : mesh.positions) {
        const double way = x.x + s.width / 2;
        const int k = std::clamp(static_cast<int>(way / panel), 0, panels - 1);
        const double up = way - k * panel;
        x.y = std::sin(std::abs(slope)) * ((k % 2 == 0) == (slope > 0) ? up : panel - up);
        x.x *= std::cos(slope);
    }
}

/// Zips two neighbouring lines, of which each next vertex lies half a step further.
/// `above` is the line in the direction that is counter-clockwise of the lines' own.
void zip_lines(PolygonMesh& mesh, int below, int below_count, int above, int above_count,
               bool flip) {
    const auto add = [&](int a, int b, int c) {
        flip ? add_sheet_triangle(mesh, a, c, b) : add_sheet_triangle(mesh, a, b, c);
    };
    int i = 0, j = 0;
    bool advance_below = below_count < above_count ? false : true;
    // The longer (odd) line starts with a half step, so it is the one to advance first.
    while (i + 1 < below_count || j + 1 < above_count) {
        if (i + 1 == below_count)
            advance_below = false;
        if (j + 1 == above_count)
            advance_below = true;
        if (advance_below) {
            add(below + i, below + i + 1, above + j);
            ++i;
        } else {
            add(below + i, above + j + 1, above + j);
            ++j;
        }
        advance_below = !advance_below;
    }
}

} // namespace

PolygonMesh make_grid(const GridSettings& settings) {
    const int columns = settings.columns, rows = settings.rows;
    require_length("width", settings.width);
    require_length("depth", settings.depth);
    require_count("columns", columns, 2);
    require_count("rows", rows, 2);
    require_size("columns", static_cast<double>(columns) * rows);

    PolygonMesh mesh;
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c)
            add_sheet_vertex(mesh, station(settings.width, c, columns - 1),
                             station(settings.depth, r, rows - 1));
    for (int r = 0; r + 1 < rows; ++r) {
        for (int c = 0; c + 1 < columns; ++c) {
            const int low = r * columns + c;
            const std::array<int, 4> quad = {low, low + 1, low + columns + 1, low + columns};
            if (settings.diagonals == Diagonals::crossed) {
                add_sheet_vertex(mesh, station(settings.width, 2 * c + 1, 2 * (columns - 1)),
                                 station(settings.depth, 2 * r + 1, 2 * (rows - 1)));
                add_crossed_quad(mesh, quad, static_cast<int>(mesh.positions.size()) - 1);
            } else {
                add_quad(mesh, quad, settings.diagonals == Diagonals::one || (r + c) % 2 == 0);
            }
        }
    }
    if (settings.folds != 0)
        fold(mesh, settings);
    return mesh;
}

PolygonMesh make_lattice(const LatticeSettings& settings) {
    require_length("width", settings.width);
    require_length("depth", settings.depth);
    require_count("rows", settings.rows, 1);
    const double across = settings.along_z ? settings.width : settings.depth;
    const double along = settings.along_z ? settings.depth : settings.width;
    const double edge = across / settings.rows * 1.1547005383792515; // height to side: 2 / sqrt(3)
    require_size("rows", along / edge * settings.rows);
    const int steps = std::max(1, static_cast<int>(std::lround(along / edge)));

    PolygonMesh mesh;
    int previous = 0, previous_count = 0;
    for (int r = 0; r <= settings.rows; ++r) {
        const double s = station(across, r, settings.rows);
        const int first = static_cast<int>(mesh.positions.size());
        for (const double x : lattice_line(along, steps, r % 2 == 1))
            settings.along_z ? add_sheet_vertex(mesh, s, x) : add_sheet_vertex(mesh, x, s);
        const int count = static_cast<int>(mesh.positions.size()) - first;
        // Lines along x are stacked towards +z, which is clockwise of x when seen from above.
        if (r > 0)
            zip_lines(mesh, previous, previous_count, first, count, !settings.along_z);
        previous = first;
        previous_count = count;
    }
    return mesh;
}

} // namespace muslin
