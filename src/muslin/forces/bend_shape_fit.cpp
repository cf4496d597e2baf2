#include "muslin/forces/bend_shape_fit.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <numbers>
#include <optional>

namespace muslin {
namespace {

// Enough to average over an irregular mesh; more would take time at the start and tell nothing.
constexpr int most_triangles = 8000;
// Vertices of the first two rings are held, those of the next ones count for less.
constexpr int held_rings = 2, full_ring = 6;
constexpr int most_iterations = 80, most_rounds = 20;
constexpr double good_fit = 2e-3, fair_fit = 0.015; // of the rigidities
constexpr double least_paired = 0.75;

// What a stencil of the flat pattern makes of the heights of its vertices: an angle.
std::array<double, 4> angle_by_height(const BendStencil& s) {
    const Vec2 edge = s.place[1] - s.place[0];
    const double length = norm(edge);
    std::array<double, 4> g = {0, 0, 0, 0};
    for (int k = 2; k < 4; ++k) {
        const Vec2 way = s.place[k] - s.place[0];
        const double height = std::abs(cross(edge, way)) / length;
        const double along = dot(edge, way) / (length * length);
        g[k] = 1 / height;
        g[0] -= (1 - along) / height;
        g[1] -= along / height;
    }
    return g;
}

// n n^T of a line's normal, by components.
Vec3 normal_squared(const Vec2& edge) {
    const double squared = dot(edge, edge);
    return {edge.y * edge.y / squared, edge.x * edge.x / squared, -edge.x * edge.y / squared};
}

Vec3 times(const Vec3& a, const Vec3& b) {
    return {a.x * b.x, a.y * b.y, a.z * b.z};
}
Vec3 over(const Vec3& a, const Vec3& b) {
    const auto safe = [](double p, double q) { return q > 0 ? p / q : 0; };
    return {safe(a.x, b.x), safe(a.y, b.y), safe(a.z, b.z)};
}

// A lower triangle l with l l^T = a, if a is positive definite.
std::optional<Mat3> cholesky(const Mat3& a) {
    Mat3 l = Mat3::zero();
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j <= i; ++j) {
            double sum = 0.5 * (a(i, j) + a(j, i));
            for (int k = 0; k < j; ++k)
                sum -= l(i, k) * l(j, k);
            if (i == j && !(sum > 1e-9 * a(i, i)))
                return std::nullopt;
            l(i, j) = i == j ? std::sqrt(sum) : sum / l(j, j);
        }
    return l;
}

BendCalibration by_direction(const BendTensor& shown, const BendTensor& asked) {
    constexpr int directions = 24;
    BendCalibration out = {1e300, 0};
    for (int d = 0; d < directions; ++d) {
        const double angle = std::numbers::pi * d / directions;
        const double c = std::cos(angle), s = std::sin(angle);
        const Vec3 k = {c * c, s * s, c * s};
        const double ratio = dot(k, shown * k) / dot(k, asked * k);
        out.lowest = std::min(out.lowest, ratio);
        out.highest = std::max(out.highest, ratio);
    }
    return out;
}
double error_of(const BendCalibration& c) {
    return std::max(1 - c.lowest, c.highest - 1);
}

// A piece of a cloth's pattern under three curvatures at once, k_uu, k_vv and k_uv: every height
// and every angle is three numbers.
class Patch {
public:
    Patch(const BendTopology& topology, int cloth);

    /// Whether it has an inside to measure.
    bool is_large() const { return area_ > 0; }

    /// The tensor that the cloth shows. Starts from where the last call ended.
    BendTensor show_triangles(const BendTensor& tensor);
    BendTensor show_quads(const Material& m);

private:
    struct Element {
        std::array<int, 4> v;
        std::array<double, 4> gradient;
        std::array<Vec3, 4> height; ///< of the vertices on the paraboloids
        double weight;              ///< in the sums over the inside
        double stiffness = 0;
        std::array<BendElements::Coupling, 4> couplings = {};
        Vec3 angle = {0, 0, 0}, moment = {0, 0, 0};
    };
    void set_rings(const std::vector<char>& chosen);
    Element element(const BendStencil& s, int hinge) const;
    void set_angles(std::vector<Element>& elements, bool with_paraboloid,
                    const std::vector<Vec3>& x) const;
    std::vector<Vec3> set_moments(std::vector<Element>& elements) const;
    void relax(std::vector<Element>& elements);
    BendTensor show(std::vector<Element>& elements);
    double share(int triangle) const;

    const BendTopology& topology_;
    int cloth_;
    std::vector<int> triangles_, hinges_;
    std::vector<int> ring_;     ///< from the rim; -1: not of the patch
    std::vector<Vec3> shifted_; ///< heights beside the paraboloids, of vertices that are not held
    Vec2 middle_ = {0, 0};
    int top_ring_ = 0;
    double area_ = 0;
    std::vector<Vec3> mean_by_angle_; ///< per hinge: what its angle adds to the mean curvature
};

Patch::Patch(const BendTopology& topology, int cloth) : topology_(topology), cloth_(cloth) {
    const DynamicsLayer& layer = topology.model().dynamics;
    // From the middle of the list over neighbours, then where the list goes on: panels may be
    // apart.
    std::vector<int> all;
    for (int t = 0; t < static_cast<int>(layer.triangles.size()); ++t)
        if (layer.triangle_cloth[t] == cloth)
            all.push_back(t);
    std::vector<char> chosen(layer.triangles.size(), 0);
    std::deque<int> next;
    for (std::size_t k = 0; k < all.size(); ++k) {
        next.push_back(all[(k + all.size() / 2) % all.size()]);
        while (!next.empty() && static_cast<int>(triangles_.size()) < most_triangles) {
            const int t = next.front();
            next.pop_front();
            if (chosen[t])
                continue;
            chosen[t] = 1;
            triangles_.push_back(t);
            for (int h : topology.hinges_of(t))
                if (h >= 0 && topology.is_inside(h))
                    for (int other : layer.hinges[h].t)
                        if (!chosen[other])
                            next.push_back(other);
        }
        next.clear();
    }
    std::sort(triangles_.begin(), triangles_.end());
    std::vector<char> seen(layer.hinges.size(), 0);
    for (int t : triangles_)
        for (int h : topology.hinges_of(t))
            if (h >= 0 && !seen[h] && topology.is_inside(h) && chosen[layer.hinges[h].t[0]] &&
                chosen[layer.hinges[h].t[1]]) {
                seen[h] = 1;
                hinges_.push_back(h);
            }
    set_rings(chosen);
    if (top_ring_ <= held_rings)
        return;
    double count = 0;
    for (int t : triangles_)
        for (const Vec2& p : layer.pattern[t]) {
            middle_ = middle_ + p;
            count += 1;
        }
    middle_ = (1 / count) * middle_;
    for (int t : triangles_) {
        const auto& p = layer.pattern[t];
        area_ += share(t) * 0.5 * std::abs(cross(p[1] - p[0], p[2] - p[0]));
    }
    for (int h : hinges_) {
        const BendStencil s = topology.hinge_stencil(h);
        const Vec2 edge = s.place[1] - s.place[0];
        const double part = 0.5 * (share(layer.hinges[h].t[0]) + share(layer.hinges[h].t[1]));
        mean_by_angle_.push_back((part * norm(edge) / area_) * normal_squared(edge));
    }
    shifted_.assign(ring_.size(), {0, 0, 0});
}

// A vertex is at the rim if one of its triangles is not of the patch or lacks a hinge within it.
void Patch::set_rings(const std::vector<char>& chosen) {
    const DynamicsLayer& layer = topology_.model().dynamics;
    ring_.assign(topology_.model().particle_count(), -1);
    std::vector<char> rim(ring_.size(), 0);
    for (int t = 0; t < static_cast<int>(layer.triangles.size()); ++t)
        for (int i = 0; i < 3; ++i) {
            const int h = topology_.hinges_of(t)[i];
            const bool held = !chosen[t] || h < 0 || !topology_.is_inside(h) ||
                              !chosen[layer.hinges[h].t[0]] || !chosen[layer.hinges[h].t[1]];
            if (held)
                rim[layer.triangles[t][i]] = rim[layer.triangles[t][(i + 1) % 3]] = 1;
        }
    for (int t : triangles_)
        for (int v : layer.triangles[t])
            if (rim[v])
                ring_[v] = 0;
    for (int ring = 0; ring < full_ring; ++ring) {
        bool found = false;
        for (int t : triangles_) {
            const auto& v = layer.triangles[t];
            if (std::none_of(v.begin(), v.end(), [&](int k) { return ring_[k] == ring; }))
                continue;
            for (int k : v)
                if (ring_[k] < 0) {
                    ring_[k] = ring + 1;
                    found = true;
                }
        }
        if (!found)
            break;
        top_ring_ = ring + 1;
    }
    for (int t : triangles_)
        for (int v : layer.triangles[t])
            if (ring_[v] < 0)
                ring_[v] = full_ring;
}

// How much a triangle counts: nothing at the rim. Sums over triangles and over their hinges then
// agree wherever curvature is even.
double Patch::share(int triangle) const {
    double sum = 0;
    for (int v : topology_.model().dynamics.triangles[triangle])
        sum += std::clamp((ring_[v] - 1.0) / (top_ring_ - 1.0), 0.0, 1.0) / 3;
    return sum;
}

Patch::Element Patch::element(const BendStencil& s, int hinge) const {
    const auto& t = topology_.model().dynamics.hinges[hinge].t;
    Element e;
    e.v = s.v;
    e.gradient = angle_by_height(s);
    for (int k = 0; k < 4; ++k) {
        const Vec2 p = s.place[k] - middle_;
        e.height[k] = {0.5 * p.x * p.x, 0.5 * p.y * p.y, p.x * p.y};
    }
    e.weight = 0.5 * (share(t[0]) + share(t[1])) / area_;
    return e;
}

void Patch::set_angles(std::vector<Element>& elements, bool with_paraboloid,
                       const std::vector<Vec3>& x) const {
    for (Element& e : elements) {
        e.angle = {0, 0, 0};
        for (int k = 0; k < 4; ++k) {
            if (with_paraboloid)
                e.angle += e.gradient[k] * e.height[k];
            if (ring_[e.v[k]] >= held_rings)
                e.angle += e.gradient[k] * x[e.v[k]];
        }
    }
}

// From the angles; returns the forces by height.
std::vector<Vec3> Patch::set_moments(std::vector<Element>& elements) const {
    std::vector<Vec3> force(ring_.size(), {0, 0, 0});
    for (Element& e : elements) {
        e.moment = e.stiffness * e.angle;
        for (const auto& c : e.couplings)
            e.moment += c.stiffness * elements[c.element].angle;
        for (int k = 0; k < 4; ++k)
            if (ring_[e.v[k]] >= held_rings)
                force[e.v[k]] += e.gradient[k] * e.moment;
    }
    return force;
}

// Conjugate gradients with the diagonal as preconditioner, all three curvatures at once. What is
// out of balance is so from vertex to vertex, and settles soon.
void Patch::relax(std::vector<Element>& elements) {
    const std::size_t n = ring_.size();
    std::vector<double> diagonal(n, 0);
    for (const Element& e : elements)
        for (int k = 0; k < 4; ++k)
            diagonal[e.v[k]] += e.stiffness * e.gradient[k] * e.gradient[k];
    set_angles(elements, true, shifted_);
    std::vector<Vec3> r = set_moments(elements), p(n, {0, 0, 0});
    Vec3 scale = {0, 0, 0}; // of the forces that single moments make
    for (const Element& e : elements)
        scale += e.stiffness * times(e.angle, e.angle);
    Vec3 old = {0, 0, 0};
    for (int k = 0; k < most_iterations; ++k) {
        Vec3 now = {0, 0, 0};
        for (std::size_t i = 0; i < n; ++i)
            if (diagonal[i] > 0)
                now += (1 / diagonal[i]) * times(r[i], r[i]);
        if (now.x <= 1e-8 * scale.x && now.y <= 1e-8 * scale.y && now.z <= 1e-8 * scale.z)
            break;
        const Vec3 beta = over(now, old);
        for (std::size_t i = 0; i < n; ++i)
            if (diagonal[i] > 0)
                p[i] = (-1 / diagonal[i]) * r[i] + times(beta, p[i]);
        old = now;
        set_angles(elements, false, p);
        const std::vector<Vec3> q = set_moments(elements);
        Vec3 curvature = {0, 0, 0};
        for (std::size_t i = 0; i < n; ++i)
            curvature += times(p[i], q[i]);
        const Vec3 step = over(now, curvature);
        for (std::size_t i = 0; i < n; ++i) {
            shifted_[i] += times(step, p[i]);
            r[i] += times(step, q[i]);
        }
    }
    set_angles(elements, true, shifted_);
    set_moments(elements);
}

BendTensor Patch::show(std::vector<Element>& elements) {
    relax(elements);
    // The mean curvature of the inside, which the rim may have changed a little: a sum of angles
    // that holds for any shape, since what a side adds to one triangle it adds to the other.
    Mat3 mean = Mat3::zero(), energy = Mat3::zero();
    for (std::size_t k = 0; k < hinges_.size(); ++k) {
        Element e = element(topology_.hinge_stencil(hinges_[k]), hinges_[k]);
        Vec3 angle = {0, 0, 0};
        for (int i = 0; i < 4; ++i)
            angle += e.gradient[i] * (e.height[i] + (ring_[e.v[i]] >= held_rings ? shifted_[e.v[i]]
                                                                                 : Vec3{0, 0, 0}));
        mean += outer(mean_by_angle_[k], angle);
    }
    for (const Element& e : elements)
        energy += e.weight * outer(e.angle, e.moment);
    const Mat3 back = inverse(mean);
    const Mat3 shown = transpose(back) * (energy * back);
    return 0.5 * (shown + transpose(shown));
}

BendTensor Patch::show_triangles(const BendTensor& tensor) {
    const DynamicsLayer& layer = topology_.model().dynamics;
    std::vector<int> place(layer.hinges.size(), -1);
    std::vector<Element> elements;
    for (int h : hinges_) {
        place[h] = static_cast<int>(elements.size());
        elements.push_back(element(topology_.hinge_stencil(h), h));
    }
    for (int t : triangles_) {
        const Mat3 m = topology_.triangle_stiffness(t, tensor);
        const auto& sides = topology_.hinges_of(t);
        for (int i = 0; i < 3; ++i) {
            if (sides[i] < 0 || place[sides[i]] < 0)
                continue;
            Element& e = elements[place[sides[i]]];
            e.stiffness += m(i, i);
            const int from = layer.hinges[sides[i]].t[0] == t ? 0 : 2;
            for (int k = 0; k < 2; ++k)
                if (const int j = (i + 1 + k) % 3; sides[j] >= 0 && place[sides[j]] >= 0)
                    e.couplings[from + k] = {place[sides[j]], m(i, j)};
        }
    }
    return show(elements);
}

BendTensor Patch::show_quads(const Material& m) {
    std::vector<Element> elements;
    for (int h : hinges_) {
        BendStencil stencils[2];
        const int count = topology_.quad_stencils(h, stencils);
        for (int k = 0; k < count; ++k) {
            const BendStencil& s = stencils[k];
            if (std::any_of(s.v.begin(), s.v.end(), [&](int v) { return ring_[v] < 0; }))
                continue;
            elements.push_back(element(s, h));
            elements.back().stiffness =
                s.shape * (s.diagonal
                               ? 0.5 * (m.bend_u + m.bend_v)
                               : directional_rigidity(m.bend_u, m.bend_v, s.place[1] - s.place[0]));
        }
    }
    const BendTensor shown = show(elements);
    std::fill(shifted_.begin(), shifted_.end(), Vec3{0, 0, 0});
    return shown;
}

} // namespace

BendFit fit_bending(const BendTopology& topology, int cloth) {
    const Material& material = topology.model().cloths[cloth].material;
    const BendTensor asked = fabric_tensor(material);
    BendFit best = {{BendMesh::triangles, asked}, {1, 1}};
    if (!(material.bend_u > 0 && material.bend_v > 0))
        return best;
    const bool has_quads = topology.paired(cloth) >= least_paired;
    Patch patch(topology, cloth);
    if (!patch.is_large()) {
        if (has_quads)
            best.bending.mesh = BendMesh::quads;
        return best;
    }
    double least = 1e300;
    const auto judge = [&](const ClothBending& bending, const BendTensor& shown) {
        const BendCalibration c = by_direction(shown, asked);
        if (error_of(c) < least) {
            least = error_of(c);
            best = {bending, c};
        }
    };
    if (has_quads) {
        judge({BendMesh::quads, asked}, patch.show_quads(material));
        if (least < fair_fit)
            return best;
    }
    // Triangles whose neighbours are no parallelograms with them show more than they are given.
    // L_asked L_shown^-1 maps what is shown to what is asked, and keeps what is given positive.
    const std::optional<Mat3> goal = cholesky(asked);
    BendTensor given = asked;
    for (int k = 0; k < most_rounds && goal; ++k) {
        const BendTensor shown = patch.show_triangles(given);
        judge({BendMesh::triangles, given}, shown);
        const std::optional<Mat3> root = cholesky(shown), own = cholesky(given);
        if (least < good_fit || !root || !own)
            break;
        const Mat3 next = *goal * (inverse(*root) * *own);
        given = next * transpose(next);
    }
    return best;
}

BendCalibration bend_shape_calibration(const Model& model, int cloth) {
    return fit_bending(BendTopology(model), cloth).shown;
}

} // namespace muslin
