// Irregular sheets and discs: an even outline, a jittered hexagonal filling of the exact number,
// the Delaunay triangulation of both, and just enough smoothing to bound the angles.
//
// All decisions are taken on an integer lattice (delaunay.h), so that no rounding of one machine's
// arithmetic can lead to another mesh; metres enter only when the lattice is chosen and left.
#include "muslin/pattern/irregular_sheet.h"
#include "muslin/mesh/mesh_builder.h"
#include "muslin/pattern/delaunay.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace muslin {
namespace {

constexpr double row_height = 0.8660254037844386; // of an equilateral triangle of side 1
constexpr int smoothing_passes = 3;
constexpr int repair_passes = 30;
constexpr int attempts = 12;
constexpr double cot_wanted = 2.10;   // 25.46 degrees: what repairs aim at
constexpr double cot_allowed = 2.144; // 25.005 degrees: what leaving the lattice cannot round to 25

/// Uniform 64-bit numbers (splitmix64, Steele et al. 2014): no standard distribution gives the same
/// numbers with every library.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    /// A number in [-amplitude, amplitude).
    std::int32_t symmetric(std::int32_t amplitude) {
        const auto u = static_cast<std::int64_t>(next() >> 40); // 24 bits
        return static_cast<std::int32_t>((u * 2 * amplitude >> 24) - amplitude);
    }

private:
    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }
    std::uint64_t state_;
};

/// How many vertices go where, in lattice units (first axis x, second z).
struct Plan {
    bool disc;
    std::int32_t width, depth; ///< extent of the sheet; its low corner is (0, 0)
    double edge;               ///< the mean edge aimed at
    int columns, rows;         ///< outline segments along x and z; of a disc: all in `columns`
    int inner;                 ///< vertices inside the outline
};

/// The edge [m] at which n vertices fill an area with equilateral triangles:
/// n = 2 area / (sqrt(3) h^2) + perimeter / (2 h) + 1.
double edge_for(double area, double perimeter, int n) {
    const double a = area / row_height, b = perimeter / 2, c = n - 1.0;
    return (b + std::sqrt(b * b + 4 * a * c)) / (2 * c);
}

Plan make_plan(const IrregularSettings& s) {
    const double pi = std::numbers::pi, depth = s.disc ? s.width : s.depth;
    const double edge = s.disc ? edge_for(pi / 4 * s.width * s.width, pi * s.width, s.vertices)
                               : edge_for(s.width * depth, 2 * (s.width + depth), s.vertices);
    // Fine enough that rounding to the lattice is lost in the smoothing, coarse enough for the
    // exact predicates.
    const double longest = std::max(s.width, depth);
    const double unit = std::max(edge / (1 << 23), longest / (1 << 28));
    Plan plan = {};
    plan.disc = s.disc;
    plan.width = static_cast<std::int32_t>(std::lround(s.width / unit));
    plan.depth = static_cast<std::int32_t>(std::lround(depth / unit));
    plan.edge = edge / unit;
    if (s.disc) {
        plan.columns = static_cast<int>(std::lround(pi * s.width / edge));
        plan.inner = s.vertices - plan.columns;
    } else {
        const int most = s.vertices / 2 - 1; // an outline of all vertices and nothing inside
        plan.columns = std::clamp(static_cast<int>(std::lround(s.width / edge)), 1, most);
        plan.rows = std::clamp(static_cast<int>(std::lround(depth / edge)), 1, most);
        if (plan.columns + plan.rows > s.vertices / 2)
            (plan.columns > plan.rows ? plan.columns : plan.rows) =
                s.vertices / 2 - std::min(plan.columns, plan.rows);
        plan.inner = s.vertices - 2 * (plan.columns + plan.rows);
    }
    return plan;
}

std::vector<LatticePoint> sheet_outline(const Plan& plan) {
    const std::int32_t w = plan.width, d = plan.depth;
    const std::array<LatticePoint, 4> corners = {{{0, 0}, {w, 0}, {w, d}, {0, d}}};
    std::vector<LatticePoint> points(corners.begin(), corners.end());
    for (int side = 0; side < 4; ++side) {
        const LatticePoint a = corners[side], b = corners[(side + 1) % 4];
        const std::int64_t steps = side % 2 == 0 ? plan.columns : plan.rows;
        for (std::int64_t i = 1; i < steps; ++i)
            points.push_back({static_cast<std::int32_t>(a.x + (b.x - a.x) * i / steps),
                              static_cast<std::int32_t>(a.y + (b.y - a.y) * i / steps)});
    }
    return points;
}

std::vector<LatticePoint> disc_outline(const Plan& plan) {
    std::vector<LatticePoint> points;
    const double radius = plan.width / 2.0;
    for (int i = 0; i < plan.columns; ++i) {
        const double angle = 2 * std::numbers::pi * i / plan.columns;
        points.push_back(
            {static_cast<std::int32_t>(std::lround(radius + radius * std::cos(angle))),
             static_cast<std::int32_t>(std::lround(radius + radius * std::sin(angle)))});
    }
    return points;
}

/// A line of the hexagonal filling: a stretch of x that its vertices share evenly.
struct Row {
    double z, begin, length;
};

std::vector<Row> sheet_rows(const Plan& plan) {
    const double height = plan.edge * row_height;
    const int count = std::max(1, static_cast<int>(std::lround(plan.depth / height)) - 1);
    std::vector<Row> rows;
    for (int r = 0; r < count; ++r) {
        const double inset = r % 2 == 0 ? 0 : std::min(plan.edge, plan.width * 0.5) / 2;
        rows.push_back({plan.depth * (r + 1.0) / (count + 1), inset, plan.width - 2 * inset});
    }
    return rows;
}

std::vector<Row> disc_rows(const Plan& plan) {
    const double height = plan.edge * row_height, radius = plan.width / 2.0;
    // The filling ends one row height inside the outline.
    const double reach = radius - height;
    const int count = std::max(1, static_cast<int>(std::lround(2 * reach / height)) + 1);
    std::vector<Row> rows;
    for (int r = 0; r < count; ++r) {
        const double z = count == 1 ? 0 : reach * (2.0 * r / (count - 1) - 1);
        const double half = std::sqrt(std::max(0.0, reach * reach - z * z)) + plan.edge / 2;
        rows.push_back({radius + z, radius - half, 2 * half});
    }
    return rows;
}

/// Keeps a jittered vertex clear of the outline, which must remain the hull of the points.
LatticePoint pull_inside(const Plan& plan, LatticePoint p) {
    const double narrowest = std::min(plan.width, plan.depth);
    const auto margin = static_cast<std::int32_t>(std::min(0.3 * plan.edge, narrowest / 3));
    if (!plan.disc)
        return {std::clamp(p.x, margin, plan.width - margin),
                std::clamp(p.y, margin, plan.depth - margin)};
    const double radius = plan.width / 2.0, x = p.x - radius, y = p.y - radius;
    const double shrink = std::min(1.0, (radius - margin) / std::hypot(x, y));
    return {static_cast<std::int32_t>(std::lround(radius + shrink * x)),
            static_cast<std::int32_t>(std::lround(radius + shrink * y))};
}

/// Shares the inner vertices out to the rows by length, to the exact number, and jitters them.
void fill(const Plan& plan, const std::vector<Row>& rows, std::int32_t jitter, std::uint64_t seed,
          std::vector<LatticePoint>& points) {
    Random random(seed);
    double total = 0, covered = 0;
    for (const Row& row : rows)
        total += row.length;
    long placed = 0;
    for (const Row& row : rows) {
        covered += row.length;
        const long target = std::lround(plan.inner * (covered / total));
        const long count = target - placed;
        for (long i = 0; i < count; ++i) {
            const double x = row.begin + row.length * ((static_cast<double>(i) + 0.5) /
                                                       static_cast<double>(count));
            const auto dx = random.symmetric(jitter), dz = random.symmetric(jitter);
            points.push_back(
                pull_inside(plan, {static_cast<std::int32_t>(std::lround(x)) + dx,
                                   static_cast<std::int32_t>(std::lround(row.z)) + dz}));
        }
        placed = target;
    }
}

/// The cotangent of the smallest angle of a counter-clockwise triangle. Edges of up to 2^26 units
/// make numerator and denominator exact in double, so that comparisons do not depend on rounding.
double sharpest(LatticePoint a, LatticePoint b, LatticePoint c) {
    const auto at = [](LatticePoint p, LatticePoint q, LatticePoint r) {
        return (std::int64_t{q.x} - p.x) * (std::int64_t{r.x} - p.x) +
               (std::int64_t{q.y} - p.y) * (std::int64_t{r.y} - p.y);
    };
    const std::int64_t most = std::max({at(a, b, c), at(b, c, a), at(c, a, b)});
    return static_cast<double>(most) / static_cast<double>(doubled_area(a, b, c));
}

double sharpest_around(const std::vector<LatticePoint>& points, LatticePoint centre,
                       std::span<const int> ring) {
    double worst = 0;
    for (std::size_t i = 0; i < ring.size(); ++i) {
        const LatticePoint p = points[ring[i]], q = points[ring[(i + 1) % ring.size()]];
        if (doubled_area(centre, p, q) <= 0)
            return HUGE_VAL;
        worst = std::max(worst, sharpest(centre, p, q));
    }
    return worst;
}

/// The inner vertices of triangles with too sharp a corner, ascending.
std::vector<int> find_sharp(const Delaunay& mesh, int first_inner) {
    std::vector<int> sharp;
    for (const auto& t : mesh.triangles())
        if (sharpest(mesh.points()[t[0]], mesh.points()[t[1]], mesh.points()[t[2]]) > cot_wanted)
            for (const int v : t)
                if (v >= first_inner)
                    sharp.push_back(v);
    std::sort(sharp.begin(), sharp.end());
    sharp.erase(std::unique(sharp.begin(), sharp.end()), sharp.end());
    return sharp;
}

/// Moves a vertex to where the sharpest corner of the triangles around it is bluntest (a pattern
/// search with ever shorter steps).
void blunt(Delaunay& mesh, int vertex, std::int32_t step) {
    static constexpr std::array<std::array<int, 2>, 8> compass = {
        {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}};
    const auto ring = mesh.ring(vertex);
    const auto& points = mesh.points();
    LatticePoint best = points[vertex];
    double least = sharpest_around(points, best, ring);
    for (int halvings = 0; halvings < 5; ++halvings, step /= 2) {
        const LatticePoint centre = best;
        for (const auto& [x, y] : compass) {
            const LatticePoint candidate = {centre.x + x * step, centre.y + y * step};
            const double sharpness = sharpest_around(points, candidate, ring);
            if (sharpness < least) {
                least = sharpness;
                best = candidate;
            }
        }
    }
    mesh.move(vertex, best);
}

/// The triangles, each from its least vertex, in ascending order: flips leave no trace of theirs.
std::vector<std::array<int, 3>> sorted(std::vector<std::array<int, 3>> triangles) {
    for (auto& t : triangles)
        std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    std::sort(triangles.begin(), triangles.end());
    return triangles;
}

struct Attempt {
    Delaunay mesh;
    double sharpest; ///< cotangent of its smallest angle
};

double sharpest_of(const Delaunay& mesh) {
    double worst = 0;
    for (const auto& t : mesh.triangles())
        worst = std::max(worst,
                         sharpest(mesh.points()[t[0]], mesh.points()[t[1]], mesh.points()[t[2]]));
    return worst;
}

Attempt attempt(const Plan& plan, double jitter, std::uint64_t seed) {
    auto points = plan.disc ? disc_outline(plan) : sheet_outline(plan);
    const int first_inner = static_cast<int>(points.size());
    const auto rows = plan.disc ? disc_rows(plan) : sheet_rows(plan);
    fill(plan, rows, static_cast<std::int32_t>(std::lround(jitter * plan.edge)), seed, points);
    Delaunay mesh(std::move(points));
    for (int pass = 0; pass < smoothing_passes; ++pass)
        smooth(mesh, first_inner);
    for (int pass = 0; pass < repair_passes; ++pass) {
        const auto sharp = find_sharp(mesh, first_inner);
        if (sharp.empty())
            break;
        for (const int v : sharp)
            blunt(mesh, v, static_cast<std::int32_t>(plan.edge) / 8);
        mesh.restore();
    }
    const double worst = sharpest_of(mesh);
    return {std::move(mesh), worst};
}

/// A ribbon so narrow that no triangle across it could keep the angle, or so long that the lattice
/// would be too coarse for its width.
bool is_hopeless(const Plan& plan) {
    return std::min(plan.width, plan.depth) < 0.1 * plan.edge || plan.edge < (1 << 10);
}

/// Some jitters leave a corner that no single vertex can mend: then another, and ever less, is
/// tried. What no jitter causes (three vertices across a ribbon) is the user's to change.
Delaunay make_mesh(const IrregularSettings& settings) {
    const Plan plan = make_plan(settings);
    double best = HUGE_VAL, jitter = settings.jitter;
    for (std::uint64_t i = 0; i < attempts && !is_hopeless(plan); ++i, jitter *= 0.8) {
        Attempt made = attempt(plan, jitter, settings.seed + (i << 32));
        if (made.sharpest <= cot_allowed)
            return std::move(made.mesh);
        best = std::min(best, made.sharpest);
    }
    reject("vertices",
           fmt::format("enough for triangles without an angle below 25 degrees on {} x {} m",
                       settings.width, settings.depth),
           fmt::format("{}, which leave one of {:.1f} degrees", settings.vertices,
                       std::atan(1 / best) * 180 / std::numbers::pi));
}

} // namespace

PolygonMesh make_irregular(const IrregularSettings& settings) {
    require_length("width", settings.width);
    if (!settings.disc)
        require_length("depth", settings.depth);
    constexpr int most = IrregularSettings::most_vertices;
    if (settings.vertices < 16 || settings.vertices > most)
        reject("vertices", fmt::format("a number from 16 to {}", most),
               fmt::format("{}", settings.vertices));
    require(settings.jitter >= 0 && settings.jitter <= 0.45, "jitter", "a number from 0 to 0.45",
            settings.jitter);
    const Delaunay made = make_mesh(settings);
    const Plan plan = make_plan(settings);
    const double depth = settings.disc ? settings.width : settings.depth;

    PolygonMesh mesh;
    mesh.positions.reserve(made.points().size());
    // Dividing first keeps the corners exact: the fraction is 0 or 1 there.
    for (const LatticePoint p : made.points())
        add_sheet_vertex(mesh, settings.width * (static_cast<double>(p.x) / plan.width - 0.5),
                         depth * (static_cast<double>(p.y) / plan.depth - 0.5));
    // Counter-clockwise in (x, z) is clockwise seen from above.
    for (auto [a, b, c] : sorted(made.triangles()))
        add_sheet_triangle(mesh, a, c, b);
    return mesh;
}

} // namespace muslin
