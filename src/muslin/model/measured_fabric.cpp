#include "muslin/model/measured_fabric.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace muslin {
namespace {

constexpr double pi = std::numbers::pi;

// At which the rows of `stretching` but the first were fitted.
constexpr double sampled_strain = 1.0 / 6;
constexpr double curvature_step = 10; // between the columns of `bending` [1/m]

// Fibre and air: the knits among the built-in fabrics have 270 to 340 kg/m^3.
constexpr double mass_per_volume = 300;
constexpr double typical_friction = 0.35;

/// The principal value of the larger size, and the angle of its direction to u, folded into
/// [0, pi/2]: the data knows no left and right.
struct Principal {
    double value, angle;
};

Principal largest_principal(const PatternTensor& g) {
    const double mean = 0.5 * (g.uu + g.vv), half = 0.5 * (g.uu - g.vv);
    return {mean + std::hypot(half, g.uv), 0.5 * std::atan2(2 * std::abs(g.uv), g.uu - g.vv)};
}

/// Place between samples: the lower one, and how far towards the next.
struct Between {
    int low;
    double part;
};

Between between(double at, int samples) {
    const double clamped = std::clamp(at, 0.0, double(samples - 1));
    const int low = std::min(static_cast<int>(clamped), samples - 2);
    return {low, clamped - low};
}

double mix(double a, double b, double part) {
    return a + part * (b - a);
}

/// S in the axes of a strip (d along it, n across) from that in u and v; and the strain back.
PatternTensor turned(const PatternTensor& t, double angle) {
    const double c = std::cos(angle), s = std::sin(angle);
    return {c * c * t.uu + s * s * t.vv + 2 * c * s * t.uv,
            s * s * t.uu + c * c * t.vv - 2 * c * s * t.uv,
            c * s * (t.vv - t.uu) + (c * c - s * s) * t.uv};
}

} // namespace

PatternTensor measured_stress(const MeasuredFabric& fabric, const PatternTensor& g) {
    const Principal most = largest_principal(g);
    const double strain = std::sqrt(std::max(0.0, 2 * most.value + 1)) - 1;
    const double part = std::clamp(strain / sampled_strain, 0.0, 1.0);
    const Between angle = between(most.angle / (pi / 8), 5);
    double c[4];
    for (int i = 0; i < 4; ++i) {
        const double strained = mix(fabric.stretching[1 + angle.low][i],
                                    fabric.stretching[2 + angle.low][i], angle.part);
        c[i] = 2 * std::max(0.0, mix(fabric.stretching[0][i], strained, part));
    }
    return {c[0] * g.uu + c[1] * g.vv, c[2] * g.vv + c[1] * g.uu, c[3] * g.uv};
}

PatternTensor linear_stress(const Material& material, const PatternTensor& g) {
    const auto along = [](double stiffness, double strain) {
        const double length = std::sqrt(std::max(1e-12, 1 + 2 * strain));
        return stiffness * (length - 1) / length;
    };
    return {along(material.stretch_u, g.uu), along(material.stretch_v, g.vv),
            2 * material.shear * g.uv};
}

double pull_strip(const StressLaw& law, double angle, double strain) {
    const double length = 1 + strain;
    PatternTensor g = {0.5 * (length * length - 1), 0, 0}; // uu along the strip
    const auto stress = [&](double across, double sheared) {
        return turned(law(turned({g.uu, across, sheared}, -angle)), angle);
    };
    // Newton's method for the two strains that leave the sides free, made safe as Levenberg and
    // Marquardt do: the measured law has kinks, and no shear stiffness at all at some strains.
    double damping = 1e-9;
    for (int i = 0; i < 200; ++i) {
        const PatternTensor s = stress(g.vv, g.uv);
        constexpr double step = 1e-7;
        const PatternTensor da = stress(g.vv + step, g.uv), db = stress(g.vv, g.uv + step);
        const double a = (da.vv - s.vv) / step, b = (db.vv - s.vv) / step,
                     c = (da.uv - s.uv) / step, d = (db.uv - s.uv) / step;
        const double size = a * a + b * b + c * c + d * d;
        const double m00 = a * a + c * c + damping * size, m01 = a * b + c * d,
                     m11 = b * b + d * d + damping * size;
        const double r0 = a * s.vv + c * s.uv, r1 = b * s.vv + d * s.uv;
        const double det = m00 * m11 - m01 * m01;
        if (!(det > 0))
            break;
        const double across = g.vv - (m11 * r0 - m01 * r1) / det;
        const double sheared = g.uv - (m00 * r1 - m01 * r0) / det;
        const PatternTensor next = stress(across, sheared);
        const double now = std::hypot(s.vv, s.uv), then = std::hypot(next.vv, next.uv);
        if (then < now) {
            g.vv = across, g.uv = sheared;
            damping = std::max(1e-12, 0.1 * damping);
        } else {
            damping *= 10;
        }
        if (now <= 1e-12 * std::abs(s.uu) || damping > 1e6)
            break;
    }
    return length * stress(g.vv, g.uv).uu;
}

double measured_rigidity(const MeasuredFabric& fabric, double angle, double curvature) {
    const double fold = std::abs(std::remainder(angle + pi / 2, pi)); // [0, pi/2]
    const Between row = between(fold / (pi / 4), 3);
    const Between column = between(std::abs(curvature) / curvature_step, 5);
    const auto at = [&](int i) {
        const auto& samples = fabric.bending[static_cast<std::size_t>(i)];
        return mix(samples[column.low], samples[column.low + 1], column.part);
    };
    return 0.25 * std::max(0.0, mix(at(row.low), at(row.low + 1), row.part));
}

Material material_of(const MeasuredFabric& fabric, const std::string& name) {
    const StressLaw law = [&](const PatternTensor& g) { return measured_stress(fabric, g); };
    Material out;
    out.name = name;
    out.source = fmt::format(
        "Measured: sample {} of Wang, Ramamoorthi, O'Brien: Data-Driven Elastic Models for Cloth, "
        "ACM Trans. Graph. 30(4), 2011. Stretch from strips at {:.0f} % strain, shear and bending "
        "near rest (docs/fabrics.md). Thickness from the weight, friction typical: not measured.",
        name, 100 * fitted_strain);
    out.density = fabric.density;
    out.stretch_u = pull_strip(law, 0, fitted_strain) / fitted_strain;
    out.stretch_v = pull_strip(law, pi / 2, fitted_strain) / fitted_strain;
    out.shear = fabric.stretching[0][3];
    out.bend_u = measured_rigidity(fabric, 0, 0);
    out.bend_v = measured_rigidity(fabric, pi / 2, 0);
    out.thickness = fabric.density / mass_per_volume;
    out.friction = typical_friction;
    return out;
}

} // namespace muslin
