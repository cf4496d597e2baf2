// The links of mass_spring and flexion_springs: which there are, and their constants.
#include "muslin/forces/springs.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

double area(const std::array<Vec2, 3>& p) {
    return 0.5 * std::abs(cross(p[1] - p[0], p[2] - p[0]));
}

/// The mean of two values by the direction of e: all of the first along u, of the second along v.
double along(const Vec2& e, double of_u, double of_v) {
    const double u = e.x * e.x / dot(e, e);
    return of_u * u + of_v * (1 - u);
}

double mean_stretch(const Material& m) {
    return 0.5 * (m.stretch_u + m.stretch_v);
}

/// The part of Y that springs across the edges between triangles carry. They are as stiff in
/// tension as in shear, so they may not carry all.
double tension_across(const Material& m) {
    return std::min(m.shear, 0.5 * std::min(m.stretch_u, m.stretch_v));
}

/// S_1, S_2 of a rectangle whose sides are in the ratio r, such that with diagonals of the shear
/// stiffness G the sheet has Y_1, Y_2 along its sides and nothing holds it across. Diagonals add
/// G (e_1 r + e_2 / r)^2 / 2 to the energy per area of the strains e_1, e_2, so that
///     Y_1 = S_1 + G r^2 S_2 / (S_2 + G / r^2),    Y_2 alike with 1 / r.
/// Narrow rectangles of a fabric stiff in shear have no solution: a tenth of Y is left then.
std::array<double, 2> edge_moduli(double y_1, double y_2, double g, double r) {
    std::array<double, 2> s = {y_1, y_2};
    const double g_1 = g * r * r, g_2 = g / (r * r);
    for (int i = 0; i < 20 && g > 0; ++i) {
        s[0] = std::max(0.1 * y_1, y_1 - g_1 * s[1] / (s[1] + g_2));
        s[1] = std::max(0.1 * y_2, y_2 - g_2 * s[0] / (s[0] + g_1));
    }
    return s;
}

class ConstantsBuilder {
public:
    ConstantsBuilder(const Model& model, const SpringNetwork& network)
        : model_(model), layer_(model.dynamics), network_(network) {}

    std::vector<LinkSide> sides() {
        for (std::size_t t = 0; t < layer_.triangles.size(); ++t)
            add_edges(static_cast<int>(t));
        for (const SpringNetwork::Shear& shear : network_.shear)
            for (const int t : shear.triangles)
                add_shear(shear, t);
        return std::move(sides_);
    }

private:
    const Material& material(int t) const {
        return model_.cloths[layer_.triangle_cloth[t]].material;
    }

    void add_edges(int t) {
        const auto& p = layer_.pattern[t];
        const Material& m = material(t);
        const std::array<double, 3> moduli = structural_moduli(t);
        for (int k = 0; k < 3; ++k) {
            if (k == network_.diagonal[t])
                continue;
            const double length = norm(p[(k + 1) % 3] - p[k]);
            add(layer_.triangles[t][k], layer_.triangles[t][(k + 1) % 3], length, t,
                area(p) / (length * length), moduli[k], m.stretch_damping, m.spring_structural,
                m.stretch_damping / mean_stretch(m));
        }
    }

    /// S of the sides of a triangle [N/m].
    std::array<double, 3> structural_moduli(int t) const {
        const auto& p = layer_.pattern[t];
        const Material& m = material(t);
        const bool derived = m.spring_shear == 0;
        std::array<double, 3> s, length;
        for (int k = 0; k < 3; ++k) {
            const Vec2 e = p[(k + 1) % 3] - p[k];
            s[k] = along(e, m.stretch_u, m.stretch_v);
            length[k] = norm(e);
        }
        if (!derived)
            return s;
        const int diagonal = network_.diagonal[t];
        if (diagonal < 0) {
            for (double& stiffness : s)
                stiffness -= tension_across(m);
            return s;
        }
        const int i = (diagonal + 1) % 3, j = (diagonal + 2) % 3; // the sides of the quad
        const auto [s_i, s_j] = edge_moduli(s[i], s[j], m.shear, length[i] / length[j]);
        s[i] = s_i;
        s[j] = s_j;
        return s;
    }

    void add_shear(const SpringNetwork::Shear& shear, int t) {
        const Material& m = material(t);
        const double squared = shear.length * shear.length;
        const double both =
            area(layer_.pattern[shear.triangles[0]]) + area(layer_.pattern[shear.triangles[1]]);
        const double weight = shear.quad ? squared / (4 * both) : area(layer_.pattern[t]) / squared;
        add(shear.vertices[0], shear.vertices[1], shear.length, t, weight,
            shear.quad ? m.shear : tension_across(m), m.shear_damping, m.spring_shear,
            m.shear > 0 ? m.shear_damping / m.shear : 0);
    }

    /// `weight` times `modulus` is the derived constant, `given` what the material says instead,
    /// and `relaxation` [s] its damping unless that is given too.
    void add(int a, int b, double length, int t, double weight, double modulus, double viscosity,
             double given, double relaxation) {
        LinkSide side = {{std::min(a, b), std::max(a, b)}, length, 0, 0, layer_.triangle_cloth[t]};
        if (given > 0) {
            side.whole_stiffness = given;
            side.whole_damping = given * relaxation;
        } else {
            side.stiffness = modulus * weight;
            side.damping = viscosity * weight;
        }
        if (const double damping = material(t).spring_damping; damping > 0) {
            side.whole_damping = damping;
            side.damping = 0;
        }
        sides_.push_back(side);
    }

    const Model& model_;
    const DynamicsLayer& layer_;
    const SpringNetwork& network_;
    std::vector<LinkSide> sides_;
};

Vec2 side_between(const DynamicsLayer& layer, int t, int a, int b) {
    Vec2 out = {0, 0};
    for (int k = 0; k < 3; ++k) {
        if (layer.triangles[t][k] == a)
            out = out - layer.pattern[t][k];
        if (layer.triangles[t][k] == b)
            out = out + layer.pattern[t][k];
    }
    return out;
}

std::vector<Potential> cloth_potentials(const Model& model) {
    std::vector<Potential> out;
    for (const Cloth& cloth : model.cloths)
        out.push_back(cloth.material.potential);
    return out;
}

void limit_elongation(Link& link, const Material& m) {
    link.allowed = (1 + m.elongation_limit) * link.rest;
    link.law = m.elongation_law;
}

/// The constant with which the ends of two arms at the curvature kappa, the arms kept, store
/// D kappa^2 / 2 for each unit of area [N/m].
double flexion_stiffness(const std::array<double, 2>& arms, double rigidity, double area) {
    const auto [a, b] = arms;
    const double kappa = std::min(flexion_reference_curvature, 2 / (a + b));
    const double turned = 0.5 * kappa * (a + b);
    const double shorter = a + b - std::sqrt(a * a + b * b + 2 * a * b * std::cos(turned));
    return rigidity * kappa * kappa * area / (shorter * shorter);
}

} // namespace

std::vector<Link> join_sides(std::vector<LinkSide> sides) {
    std::stable_sort(sides.begin(), sides.end(), [](const LinkSide& a, const LinkSide& b) {
        return a.particles < b.particles;
    });
    std::vector<Link> out;
    for (std::size_t i = 0; i < sides.size();) {
        Link link;
        link.particles = sides[i].particles;
        link.potential = sides[i].potential;
        double whole_stiffness = 0, whole_damping = 0;
        int count = 0;
        for (; i < sides.size() && sides[i].particles == link.particles; ++i, ++count) {
            link.stiffness += sides[i].stiffness;
            link.damping += sides[i].damping;
            link.rest += sides[i].length;
            whole_stiffness += sides[i].whole_stiffness;
            whole_damping += sides[i].whole_damping;
        }
        link.rest /= count;
        link.stiffness += whole_stiffness / count;
        link.damping += whole_damping / count;
        out.push_back(link);
    }
    return out;
}

SpringNetwork spring_network(const Model& model) {
    return build_spring_network(model.dynamics.triangles, model.dynamics.pattern);
}

std::vector<Link> mass_spring_links(const Model& model, const SpringNetwork& network) {
    std::vector<Link> links = join_sides(ConstantsBuilder(model, network).sides());
    for (Link& link : links)
        limit_elongation(link, model.cloths[link.potential].material);
    return links;
}

std::vector<Link> flexion_links(const Model& model, const SpringNetwork& network) {
    const DynamicsLayer& layer = model.dynamics;
    std::vector<Link> out;
    for (const SpringNetwork::Flexion& flexion : network.flexion) {
        double rigidity = 0, relaxation = 0, stiffness = 0, damping = 0;
        for (int end = 0; end < 2; ++end)
            for (const int t : flexion.triangles[end]) {
                const Material& m = model.cloths[layer.triangle_cloth[t]].material;
                const Vec2 arm = side_between(layer, t, flexion.middle, flexion.ends[end]);
                rigidity += 0.25 * along(arm, m.bend_u, m.bend_v);
                if (m.bend_u + m.bend_v > 0)
                    relaxation += 0.25 * 2 * m.bend_damping / (m.bend_u + m.bend_v);
                stiffness += 0.25 * m.spring_flexion;
                damping += 0.25 * m.spring_damping;
            }
        const Material& m = model.cloths[layer.triangle_cloth[flexion.triangles[0][0]]].material;
        Link link;
        link.particles = flexion.ends;
        link.rest = flexion.length;
        // A line at the angle phi to the curvature kappa has kappa cos^2 phi, and the springs store
        // its fourth power: over all directions 35/128 of that along it.
        const double share = flexion.grid ? 2 : 128.0 / 35;
        link.stiffness = stiffness > 0 ? stiffness
                                       : flexion_stiffness(flexion.arms, rigidity,
                                                           share / flexion.lines * flexion.area);
        link.damping = damping > 0 ? damping : link.stiffness * relaxation;
        limit_elongation(link, m);
        out.push_back(link);
    }
    return out;
}

MassSpringForce::MassSpringForce(const Model& model)
    : LinkForce("mass_spring", ForceKind::in_plane, mass_spring_links(model, spring_network(model)),
                cloth_potentials(model), model.particle_count()) {}

FlexionSpringForce::FlexionSpringForce(const Model& model)
    : LinkForce("flexion_springs", ForceKind::bending, flexion_links(model, spring_network(model)),
                {}, model.particle_count()) {}

} // namespace muslin
