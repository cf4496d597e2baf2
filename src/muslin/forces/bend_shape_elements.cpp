#include "muslin/forces/bend_shape_elements.h"

#include "muslin/forces/bend.h"
#include "muslin/kernels/bend_shape.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace muslin {
namespace {

double pattern_area(const std::array<Vec2, 3>& p) {
    return 0.5 * std::abs(cross(p[1] - p[0], p[2] - p[0]));
}

} // namespace

BendTensor fabric_tensor(const Material& m) {
    BendTensor c = Mat3::zero();
    c(0, 0) = m.bend_u;
    c(1, 1) = m.bend_v;
    c(2, 2) = m.bend_u + m.bend_v;
    return c;
}

BendTopology::BendTopology(const Model& model) : model_(model) {
    const DynamicsLayer& layer = model.dynamics;
    hinges_of_.assign(layer.triangles.size(), {-1, -1, -1});
    mate_.resize(layer.triangles.size());
    for (int h = 0; h < static_cast<int>(layer.hinges.size()); ++h) {
        const Hinge& hinge = layer.hinges[h];
        for (int t : hinge.t)
            for (int i = 0; i < 3; ++i) {
                const int a = layer.triangles[t][i], b = layer.triangles[t][(i + 1) % 3];
                if ((a == hinge.v[0] && b == hinge.v[1]) || (a == hinge.v[1] && b == hinge.v[0]))
                    hinges_of_[t][i] = h;
            }
        const Vec2 start = place(hinge.t[0], hinge.v[0]), end = place(hinge.t[0], hinge.v[1]);
        const double length = norm(end - start);
        bool inside = layer.triangle_cloth[hinge.t[0]] == layer.triangle_cloth[hinge.t[1]];
        for (int k = 0; k < 2; ++k)
            inside = inside &&
                     norm(place(hinge.t[1], hinge.v[k]) - (k == 0 ? start : end)) < 1e-6 * length;
        inside_.push_back(inside);
        // The diagonal of a quad is the longest side of both halves.
        bool longest = inside;
        for (int k = 0; k < 2; ++k)
            for (int end_of = 0; end_of < 2; ++end_of)
                longest = longest && length > 1.05 * norm(place(hinge.t[k], hinge.v[2 + k]) -
                                                          place(hinge.t[k], hinge.v[end_of]));
        diagonal_.push_back(longest);
        if (longest) {
            mate_[hinge.t[0]] = {hinge.t[1], hinge.v[3]};
            mate_[hinge.t[1]] = {hinge.t[0], hinge.v[2]};
        }
    }
}

Vec2 BendTopology::place(int triangle, int vertex) const {
    const DynamicsLayer& layer = model_.dynamics;
    for (int i = 0; i < 3; ++i)
        if (layer.triangles[triangle][i] == vertex)
            return layer.pattern[triangle][i];
    throw std::logic_error("a hinge names a vertex that its triangle lacks");
}

double BendTopology::paired(int cloth) const {
    const DynamicsLayer& layer = model_.dynamics;
    for (std::size_t h = 0; h < layer.rest_angles.size(); ++h)
        for (int t : layer.hinges[h].t)
            if (layer.triangle_cloth[t] == cloth && layer.rest_angles[h] != 0)
                return 0;
    double all = 0, found = 0;
    for (std::size_t t = 0; t < mate_.size(); ++t)
        if (layer.triangle_cloth[t] == cloth) {
            all += 1;
            found += mate_[t].triangle >= 0 ? 1 : 0;
        }
    return all > 0 ? found / all : 0;
}

BendStencil BendTopology::hinge_stencil(int h) const {
    const Hinge& hinge = model_.dynamics.hinges[h];
    BendStencil out;
    out.v = hinge.v;
    for (int k = 0; k < 3; ++k)
        out.place[k] = place(hinge.t[0], hinge.v[k]);
    out.place[3] = lay_flat(out.place[0], out.place[1], out.place[2], place(hinge.t[1], hinge.v[0]),
                            place(hinge.t[1], hinge.v[1]), place(hinge.t[1], hinge.v[3]));
    const Vec2 edge = out.place[1] - out.place[0];
    const double area = pattern_area({out.place[0], out.place[1], out.place[2]}) +
                        pattern_area({out.place[0], out.place[1], out.place[3]});
    out.shape = dot(edge, edge) / area;
    return out;
}

// The curvature along a line of quads is the angle of three vertices in it: of a vertex a and its
// neighbours on either side, about the line from a to b. The hinge's own wings lie off that line
// where the diagonals do, and would take twist for curvature.
int BendTopology::quad_stencils(int h, BendStencil (&out)[2]) const {
    const Hinge& hinge = model_.dynamics.hinges[h];
    const BendStencil own = hinge_stencil(h);
    if (diagonal_[h]) {
        // Twist turns the diagonal by k_uv |e|, and energy has 2 k_uv^2.
        out[0] = own;
        out[0].diagonal = true;
        out[0].shape = 2 / own.shape;
        return 1;
    }
    // On either side the quad's corner next to a and the one next to b.
    struct Wing {
        int vertex = -1;
        Vec2 place;
    } wing[2][2];
    for (int side = 0; side < 2; ++side) {
        const Vec2 apex = own.place[2 + side];
        const bool near_a = norm(apex - own.place[0]) < norm(apex - own.place[1]);
        wing[side][near_a ? 0 : 1] = {hinge.v[2 + side], apex};
        if (const Mate& mate = mate_[hinge.t[side]]; mate.triangle >= 0)
            wing[side][near_a ? 1 : 0] = {mate.vertex, place(mate.triangle, mate.vertex)};
    }
    int count = 0;
    for (int end = 0; end < 2; ++end)
        if (wing[0][end].vertex >= 0 && wing[1][end].vertex >= 0) {
            BendStencil& s = out[count++] = own;
            for (int side = 0; side < 2; ++side) {
                s.v[2 + side] = wing[side][end].vertex;
                s.place[2 + side] = wing[side][end].place;
            }
        }
    if (count == 0)
        out[count++] = own;
    for (int k = 0; k < count; ++k)
        out[k].shape = own.shape / count;
    return count;
}

Mat3 BendTopology::triangle_stiffness(int triangle, const BendTensor& tensor) const {
    const auto& p = model_.dynamics.pattern[triangle];
    const double area = pattern_area(p);
    // Column i: the curvature of the triangle by the angle of its side i.
    Mat3 by_angle = Mat3::zero();
    for (int i = 0; i < 3; ++i) {
        const Vec2 e = p[(i + 1) % 3] - p[i];
        const Vec3 curvature = curvature_by_angle(e, area);
        for (int k = 0; k < 3; ++k)
            by_angle(k, i) = curvature[k];
    }
    Mat3 m = area * (transpose(by_angle) * (tensor * by_angle));
    for (int f = 0; f < 3; ++f)
        if (hinges_of_[triangle][f] < 0)
            m = without_moment(m, f);
    return m;
}

BendElements bend_elements(const BendTopology& topology, const std::vector<ClothBending>& cloths) {
    const Model& model = topology.model();
    const DynamicsLayer& layer = model.dynamics;
    const int hinges = static_cast<int>(layer.hinges.size());
    const auto cloth_of = [&](int t) -> const ClothBending& {
        return cloths[layer.triangle_cloth[t]];
    };
    BendElements out;
    std::vector<int> element_of(hinges, -1); // of hinges that are elements themselves
    const auto add = [&](const BendStencil& s, double stiffness, double damping, double rest) {
        out.particles.push_back(s.v);
        out.stiffness.push_back(stiffness);
        out.damping.push_back(damping);
        out.rest.push_back(rest);
    };
    for (int h = 0; h < hinges; ++h) {
        const Hinge& hinge = layer.hinges[h];
        if (topology.is_inside(h) && cloth_of(hinge.t[0]).mesh == BendMesh::quads) {
            const Material& m = model.cloths[layer.triangle_cloth[hinge.t[0]]].material;
            BendStencil stencils[2];
            const int count = topology.quad_stencils(h, stencils);
            for (int k = 0; k < count; ++k) {
                const BendStencil& s = stencils[k];
                const double rigidity =
                    s.diagonal ? 0.5 * (m.bend_u + m.bend_v)
                               : directional_rigidity(m.bend_u, m.bend_v, s.place[1] - s.place[0]);
                add(s, rigidity * s.shape, m.bend_damping * s.shape, 0);
            }
            continue;
        }
        element_of[h] = static_cast<int>(out.particles.size());
        // A side of quads meets the hinge with half of a plain hinge's stiffness.
        const HingeStiffness plain = hinge_stiffness(model, hinge);
        double stiffness = 0;
        for (int t : hinge.t)
            if (cloth_of(t).mesh == BendMesh::quads)
                stiffness += 0.5 * plain.stiffness;
        add({hinge.v, {}, 0, false}, stiffness, plain.damping,
            layer.rest_angles.empty() ? 0 : layer.rest_angles[h]);
    }
    for (int t = 0; t < static_cast<int>(layer.triangles.size()); ++t) {
        if (cloth_of(t).mesh == BendMesh::quads)
            continue;
        out.couplings.resize(out.particles.size());
        const Mat3 m = topology.triangle_stiffness(t, cloth_of(t).tensor);
        const auto& sides = topology.hinges_of(t);
        for (int i = 0; i < 3; ++i) {
            if (sides[i] < 0)
                continue;
            const int e = element_of[sides[i]];
            out.stiffness[e] += m(i, i);
            const int from = layer.hinges[sides[i]].t[0] == t ? 0 : 2;
            for (int k = 0; k < 2; ++k)
                if (const int j = (i + 1 + k) % 3; sides[j] >= 0)
                    out.couplings[e][from + k] = {element_of[sides[j]], m(i, j)};
        }
    }
    return out;
}

} // namespace muslin
