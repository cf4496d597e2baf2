// The layers of a cloth over common points [Ohta95, Our approach].
#include "muslin/base/error.h"
#include "muslin/kernels/distance.h"
#include "muslin/mesh/penetration.h"
#include "muslin/scene/build_parts.h"
#include "muslin/scene/build_scene.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

#include <fmt/format.h>

namespace muslin {
namespace {

// Vertices of two layers no farther apart than this part of the surface's size are one point.
constexpr double same_place = 1e-6;

// More points are a spacing in the wrong unit.
constexpr double max_points = 2e6;

[[noreturn]] void reject(const Source& where, const std::string& key, const std::string& expected,
                         const std::string& found) {
    throw InputError({where, key, expected, found, {}});
}

struct Extent {
    Vec3 low, high;
};

Extent extent_of(const std::vector<Vec3>& points) {
    Extent out = {points.front(), points.front()};
    for (const Vec3& p : points)
        for (int k = 0; k < 3; ++k) {
            out.low[k] = std::min(out.low[k], p[k]);
            out.high[k] = std::max(out.high[k], p[k]);
        }
    return out;
}

/// The points of a cloth, found by place.
class PointBook {
public:
    /// `places` grows with every new point.
    explicit PointBook(std::vector<Vec3>& places) : places_(places) {
        const Extent all = extent_of(places);
        origin_ = all.low;
        tolerance_ = std::max(same_place * norm(all.high - all.low), 1e-12);
        for (std::size_t i = 0; i < places.size(); ++i)
            enter(static_cast<int>(i));
    }

    /// The point of each vertex of a layer; new ones where there is none. Where several points
    /// are at one place, as along a cut, vertices of the layer take them in turn.
    std::vector<int> match(const std::vector<Vec3>& vertices) {
        std::vector<int> out;
        std::vector<char> taken(places_.size(), 0);
        for (const Vec3& x : vertices) {
            const std::vector<int> here = points_at(x);
            const auto free = std::find_if(here.begin(), here.end(), [&](int p) {
                return p >= static_cast<int>(taken.size()) || !taken[p];
            });
            int point = static_cast<int>(places_.size());
            if (free != here.end())
                point = *free;
            else if (!here.empty())
                point = here.back();
            else
                add(x);
            if (point < static_cast<int>(taken.size()))
                taken[point] = 1;
            out.push_back(point);
        }
        return out;
    }

private:
    using Cell = std::array<std::int64_t, 3>;

    // Cells of twice the tolerance: what is near is in the cell or in one beside it.
    Cell cell_of(const Vec3& x) const {
        Cell out;
        for (int k = 0; k < 3; ++k)
            out[k] = static_cast<std::int64_t>(std::floor((x[k] - origin_[k]) / (2 * tolerance_)));
        return out;
    }
    void enter(int point) { cells_[cell_of(places_[point])].push_back(point); }
    void add(const Vec3& x) {
        places_.push_back(x);
        enter(static_cast<int>(places_.size()) - 1);
    }
    std::vector<int> points_at(const Vec3& x) const {
        std::vector<int> out;
        const Cell low = cell_of(x - Vec3{tolerance_, tolerance_, tolerance_});
        const Cell high = cell_of(x + Vec3{tolerance_, tolerance_, tolerance_});
        for (std::int64_t i = low[0]; i <= high[0]; ++i)
            for (std::int64_t j = low[1]; j <= high[1]; ++j)
                for (std::int64_t k = low[2]; k <= high[2]; ++k)
                    if (const auto cell = cells_.find({i, j, k}); cell != cells_.end())
                        for (const int p : cell->second)
                            if (norm(places_[p] - x) <= tolerance_)
                                out.push_back(p);
        std::sort(out.begin(), out.end());
        return out;
    }

    std::vector<Vec3>& places_;
    Vec3 origin_;
    double tolerance_;
    std::map<Cell, std::vector<int>> cells_;
};

/// Lattice stations along one side: both ends, and evenly between.
std::vector<double> stations(double low, double high, double spacing) {
    const int steps = std::max(1, static_cast<int>(std::lround((high - low) / spacing)));
    if (high - low < 1e-9 * spacing)
        return {low};
    std::vector<double> out;
    for (int i = 0; i <= steps; ++i)
        out.push_back(low + (high - low) * i / steps);
    return out;
}

std::vector<Vec3> fill_box(const PointsDescription& d, const Extent& box) {
    double count = 1;
    for (int k = 0; k < 3; ++k)
        count *= 1 + (box.high[k] - box.low[k]) / d.spacing;
    if (count > max_points)
        reject(d.where, "points.spacing", fmt::format("at most {} points", max_points),
               fmt::format("{:.3g}", count));
    std::vector<Vec3> out;
    for (const double y : stations(box.low.y, box.high.y, d.spacing))
        for (const double z : stations(box.low.z, box.high.z, d.spacing))
            for (const double x : stations(box.low.x, box.high.x, d.spacing))
                out.push_back({x, y, z});
    return out;
}

bool keeps_margin(const Vec3& p, const TriangleMesh& surface, double margin) {
    for (const auto& [a, b, c] : surface.triangles) {
        const Vec3 &x = surface.positions[a], &y = surface.positions[b], &z = surface.positions[c];
        if (vertex_face_distance(p, x, y, z).squared < margin * margin)
            return false;
    }
    return true;
}

/// A lattice inside the surface, as far from it as the margin.
std::vector<Vec3> fill_surface(const PointsDescription& d, const PolygonMesh& mesh) {
    const TriangleMesh surface = triangulate(mesh);
    const TriangleView view = {surface.positions, surface.triangles};
    if (!is_closed(view))
        reject(d.where, "points",
               "a closed surface, whose inside the points fill, or a box for them", "an open one");
    Extent box = extent_of(mesh.positions);
    for (int k = 0; k < 3; ++k) { // flatter than two margins: a layer in the middle
        const double inset = std::min(d.margin, (box.high[k] - box.low[k]) / 2);
        box.low[k] += inset;
        box.high[k] -= inset;
    }
    const std::vector<Vec3> all = fill_box(d, box);
    std::vector<Vec3> out;
    // The lattice begins at the margin: rounding must not take its outermost points away.
    const double margin = d.margin * (1 - 1e-9);
    for (const int i : find_inside(all, view))
        if (keeps_margin(all[i], surface, margin))
            out.push_back(all[i]);
    if (out.empty())
        reject(d.where, "points.spacing", "a lattice with points inside the surface", "none");
    return out;
}

std::vector<Vec3> make_points(const PointsDescription& d, const PolygonMesh& surface) {
    if (d.box)
        return fill_box(d, {d.box->min, d.box->max});
    return d.spacing > 0 ? fill_surface(d, surface) : d.places;
}

/// Only the surface's mesh is kept, and with it what all files of the cloth warn of.
void add_warnings(const PolygonMesh& from, PolygonMesh& surface) {
    surface.warnings.insert(surface.warnings.end(), from.warnings.begin(), from.warnings.end());
}

LayerInput make_layer(const LayerDescription& d, const Placement& placement, PointBook& book) {
    LayerInput out;
    if (!d.mesh)
        return out;
    out.mesh = make_mesh(*d.mesh);
    out.rest = rest_shape(*d.mesh, out.mesh);
    place_mesh(out.mesh, placement, out.rest);
    out.points = book.match(out.mesh.positions);
    return out;
}

} // namespace

LayeredCloth make_layers(const ClothDescription& cloth) {
    PolygonMesh mesh = make_mesh(cloth.mesh);
    const RestShape rest = rest_shape(cloth.mesh, mesh);
    std::vector<PolygonMesh> points; // of each table, still in the frame of the mesh
    for (const PointsDescription& d : cloth.points) {
        if (d.mesh)
            points.push_back(make_mesh(*d.mesh));
        else
            points.emplace_back().positions = make_points(d, mesh);
        place_mesh(points.back(), cloth.placement, RestShape::positions);
    }
    place_mesh(mesh, cloth.placement, rest);
    for (const PolygonMesh& table : points)
        add_warnings(table, mesh);
    LayeredCloth out;
    out.places = mesh.positions;
    out.input = {cloth.name, std::move(mesh), rest, cloth.material, cloth.velocity};
    if (!cloth.dynamics && !cloth.collision && cloth.points.empty())
        return out;

    PointBook book(out.places);
    if (cloth.dynamics) {
        out.input.dynamics = make_layer(*cloth.dynamics, cloth.placement, book);
        add_warnings(out.input.dynamics->mesh, out.input.mesh);
    }
    if (cloth.collision) {
        out.input.collision = make_layer(*cloth.collision, cloth.placement, book);
        add_warnings(out.input.collision->mesh, out.input.mesh);
    } else if (cloth.dynamics) { // the surface, which is not what pulls
        out.input.collision = LayerInput{out.input.mesh, rest, {}};
        for (std::size_t v = 0; v < out.input.mesh.positions.size(); ++v)
            out.input.collision->points.push_back(static_cast<int>(v));
    }
    for (const PolygonMesh& table : points)
        out.tables.push_back(book.match(table.positions));
    out.input.points.assign(out.places.begin() + out.input.mesh.positions.size(), out.places.end());
    if (!points.empty())
        out.input.masses.assign(out.places.size(), 0.0);
    for (std::size_t i = 0; i < out.tables.size(); ++i)
        for (const int p : out.tables[i])
            out.input.masses[p] += cloth.points[i].mass / static_cast<double>(out.tables[i].size());
    return out;
}

void require_masses(const SceneDescription& scene, const Model& model, const State& start) {
    for (std::size_t c = 0; c < model.cloths.size(); ++c) {
        const Cloth& cloth = model.cloths[c];
        for (std::size_t i = 0; i < cloth.particles.size(); ++i) {
            const int p = cloth.particles[i];
            if (model.mass[p] > 0)
                continue;
            const Vec3& x = start.positions[p];
            const bool drawn = i < cloth.surface.vertex_particle.size();
            reject(scene.cloths[c].where, "cloth '" + cloth.name + "'",
                   "mass for every point: by a triangle of the dynamics layer, [[cloth.points]] or "
                   "[[weight]]",
                   fmt::format("none for {} {} at ({:.6g}, {:.6g}, {:.6g}) m",
                               drawn ? "vertex" : "point", i, x.x, x.y, x.z));
        }
    }
}

} // namespace muslin
