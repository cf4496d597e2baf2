#include "muslin/mesh/fields.h"

#include "muslin/base/parallel.h"
#include "muslin/mesh/measure.h"
#include "muslin/mesh/penetration.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace muslin {
namespace {

constexpr std::size_t grain = 2048;

double pattern_area(const std::array<Vec2, 3>& u) {
    return 0.5 * std::abs(cross(u[1] - u[0], u[2] - u[0]));
}

// Spreads a value per triangle over the vertices. One thread: the sums keep their order.
template <class ValueOfTriangle>
void average_over_vertices(std::size_t vertices, std::span<const std::array<int, 3>> triangles,
                           std::span<const std::array<Vec2, 3>> material,
                           const ValueOfTriangle& value, std::vector<double>& out) {
    assert(material.size() == triangles.size());
    std::vector<double> weight(vertices, 0);
    out.assign(vertices, 0);
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        const double area = pattern_area(material[t]);
        const double share = area * value(t);
        for (const int v : triangles[t]) {
            out[v] += share;
            weight[v] += area;
        }
    }
    for (std::size_t v = 0; v < vertices; ++v)
        if (weight[v] > 0)
            out[v] /= weight[v];
}

double shear_angle(const std::array<Vec3, 3>& x, const std::array<Vec2, 3>& u) {
    const Vec3 p = x[1] - x[0], q = x[2] - x[0];
    const Vec2 d1 = u[1] - u[0], d2 = u[2] - u[0];
    // w_u and w_v [BW98 4.2] up to a factor, which the angle between the two lines does not see.
    const Vec3 wu = d2.y * p - d1.y * q;
    const Vec3 wv = d1.x * q - d2.x * p;
    const double across = norm(cross(wu, wv)), along = std::abs(dot(wu, wv));
    return across == 0 && along == 0 ? 0 : std::atan2(along, across) * 180 / std::numbers::pi;
}

/// A symmetric 3x3 tensor.
struct Tensor {
    double xx = 0, yy = 0, zz = 0, xy = 0, yz = 0, zx = 0;

    void add(double weight, const Vec3& n) {
        xx += weight * n.x * n.x;
        yy += weight * n.y * n.y;
        zz += weight * n.z * n.z;
        xy += weight * n.x * n.y;
        yz += weight * n.y * n.z;
        zx += weight * n.z * n.x;
    }
    void operator+=(const Tensor& o) {
        xx += o.xx;
        yy += o.yy;
        zz += o.zz;
        xy += o.xy;
        yz += o.yz;
        zx += o.zx;
    }
};

/// The eigenvalue of largest magnitude, in closed form [Smith: Eigenvalues of a symmetric 3x3
/// matrix, 1961].
double largest_eigenvalue(const Tensor& m) {
    const double mean = (m.xx + m.yy + m.zz) / 3;
    const double a = m.xx - mean, b = m.yy - mean, c = m.zz - mean;
    const double off = m.xy * m.xy + m.yz * m.yz + m.zx * m.zx;
    const double spread = std::sqrt((a * a + b * b + c * c + 2 * off) / 6);
    if (spread == 0)
        return std::abs(mean);
    const double determinant = a * (b * c - m.yz * m.yz) - m.xy * (m.xy * c - m.yz * m.zx) +
                               m.zx * (m.xy * m.yz - b * m.zx);
    const double cosine = std::clamp(determinant / (2 * spread * spread * spread), -1.0, 1.0);
    const double angle = std::acos(cosine) / 3;
    const double high = mean + 2 * spread * std::cos(angle);
    const double low = mean + 2 * spread * std::cos(angle + 2 * std::numbers::pi / 3);
    return std::max(std::abs(high), std::abs(low));
}

/// The angle by which two triangles turn about their edge, positive for a ridge seen from outside.
double hinge_angle(std::span<const Vec3> x, const Hinge& h, const Vec3& edge) {
    const Vec3 n1 = cross(edge, x[h.v[2]] - x[h.v[0]]);
    const Vec3 n2 = cross(x[h.v[3]] - x[h.v[0]], edge);
    return std::atan2(dot(cross(n1, n2), edge) / norm(edge), dot(n1, n2));
}

} // namespace

const FieldInfo& info(Field field) {
    static constexpr std::array<FieldInfo, all_fields.size()> table = {{
        {"stretch", "Stretch", "%", 0, 10},
        {"shear", "Shear", "degrees", 0, 20},
        {"bending", "Curvature", "1/m", 0, 100},
        {"speed", "Speed", "m/s", 0, 3},
        {"contact", "Contact pressure", "N/m\u00b2", 0, 50},
        {"seam", "Seam tension", "N/m", 0, 20},
        {"tension", "Tension", "N/m", 0, 50},
        {"ease", "Ease", "mm", 0, 50},
    }};
    return table[static_cast<std::size_t>(field)];
}

std::optional<Field> field_by_name(std::string_view name) {
    for (const Field field : all_fields)
        if (info(field).name == name)
            return field;
    return std::nullopt;
}

std::string field_names() {
    std::string out;
    for (const Field field : all_fields)
        out += (out.empty() ? "" : ", ") + std::string(info(field).name);
    return out;
}

void stretch_field(std::span<const Vec3> positions, std::span<const std::array<int, 3>> triangles,
                   std::span<const std::array<Vec2, 3>> material, std::vector<double>& out) {
    const auto stretches = principal_stretches(positions, triangles, material);
    average_over_vertices(
        positions.size(), triangles, material,
        [&](std::size_t t) { return 100 * (stretches[t].max - 1); }, out);
}

void shear_field(std::span<const Vec3> positions, std::span<const std::array<int, 3>> triangles,
                 std::span<const std::array<Vec2, 3>> material, std::vector<double>& out) {
    std::vector<double> angles(triangles.size());
    parallel_for(triangles.size(), grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t t = begin; t < end; ++t) {
            const auto& v = triangles[t];
            angles[t] =
                shear_angle({positions[v[0]], positions[v[1]], positions[v[2]]}, material[t]);
        }
    });
    average_over_vertices(
        positions.size(), triangles, material, [&](std::size_t t) { return angles[t]; }, out);
}

void bending_field(std::span<const Vec3> positions, std::span<const std::array<int, 3>> triangles,
                   std::span<const Hinge> hinges, std::vector<double>& out) {
    // Each edge counts half to either triangle, and a vertex shows its triangles: the edges of a
    // vertex alone would make a grid with alternating diagonals show its own pattern. Curvature
    // runs across an edge: the tensor of the edge's direction has the same eigenvalues, exchanged.
    std::vector<Tensor> of_triangle(triangles.size());
    for (const Hinge& h : hinges) {
        const Vec3 edge = positions[h.v[1]] - positions[h.v[0]];
        const double length = norm(edge);
        if (length == 0)
            continue;
        const double weight = 0.5 * length * hinge_angle(positions, h, edge);
        for (const int t : h.t)
            of_triangle[t].add(weight, (1 / length) * edge);
    }
    std::vector<Tensor> tensors(positions.size());
    std::vector<double> area(positions.size(), 0);
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        const auto& [i, j, k] = triangles[t];
        const double size =
            0.5 * norm(cross(positions[j] - positions[i], positions[k] - positions[i]));
        for (const int v : triangles[t]) {
            tensors[v] += of_triangle[t];
            area[v] += size;
        }
    }
    out.resize(positions.size());
    parallel_for(positions.size(), grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t v = begin; v < end; ++v)
            out[v] = area[v] > 0 ? largest_eigenvalue(tensors[v]) / area[v] : 0;
    });
}

void speed_field(std::span<const Vec3> before, std::span<const Vec3> after, double dt,
                 std::vector<double>& out) {
    assert(before.size() == after.size() && dt > 0);
    out.resize(after.size());
    for (std::size_t v = 0; v < after.size(); ++v)
        out[v] = norm(after[v] - before[v]) / dt;
}

void ease_field(std::span<const Vec3> positions, std::span<const TriangleView> bodies,
                std::vector<double>& out) {
    out.assign(positions.size(), bodies.empty() ? 0 : std::numeric_limits<double>::infinity());
    for (const TriangleView& body : bodies) {
        const std::vector<double> distance = surface_distances(positions, body);
        for (std::size_t v = 0; v < out.size(); ++v)
            out[v] = std::min(out[v], 1e3 * distance[v]);
    }
}

std::vector<double> vertex_areas(std::size_t vertices,
                                 std::span<const std::array<int, 3>> triangles,
                                 std::span<const std::array<Vec2, 3>> material) {
    std::vector<double> out(vertices, 0);
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (const int v : triangles[t])
            out[v] += pattern_area(material[t]) / 3;
    return out;
}

} // namespace muslin
