#pragma once

// Sheets for tests of explicit integrators.

#include "math/random.h"
#include "muslin/forces/bend.h"
#include "muslin/forces/edge_springs.h"
#include "muslin/forces/outside.h"
#include "muslin/integrators/euler_cromer.h"
#include "muslin/mesh/generators.h"
#include "muslin/model/build_model.h"
#include "muslin/pattern/irregular_sheet.h"

#include <cmath>
#include <memory>
#include <vector>

namespace muslin::testing_integrators {

struct Sheet {
    Model model;
    Conditions conditions;
    State start;
    std::unique_ptr<EulerCromer> integrator;
};

struct SheetSettings {
    int vertices = 400;
    double fine = 1; ///< size of triangles in the middle over that at the rim
    double stiffness = 500, damping = 0;
    bool bending = false;
    EulerCromerSettings integrator;
};

inline Material sheet_material(const SheetSettings& s) {
    Material m;
    m.stretch_u = m.stretch_v = s.stiffness;
    m.stretch_damping = s.damping;
    m.bend_u = m.bend_v = 1e-4;
    m.bend_damping = 0;
    return m;
}

/// A sheet of one metre, in the plane y = 0, of irregular triangles.
inline PolygonMesh sheet_mesh(int vertices, double fine) {
    IrregularSettings settings;
    settings.vertices = vertices;
    PolygonMesh mesh = make_irregular(settings);
    const auto shrink = [&](double x, double z) {
        return fine + (1 - fine) * std::min(1.0, std::hypot(x, z) / 0.7);
    };
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
        Vec3& p = mesh.positions[i];
        p = shrink(p.x, p.z) * p;
    }
    for (Vec2& t : mesh.texcoords)
        t = shrink(t.x, t.y) * t;
    return mesh;
}

inline void build_sheet(const SheetSettings& s, Model& model, Conditions& conditions,
                        State& start) {
    ClothInput input;
    input.name = "sheet";
    input.material = sheet_material(s);
    input.mesh = sheet_mesh(s.vertices, s.fine);
    model = build_model({input}, {}, start);
    conditions.gravity = {0, 0, 0};
}

inline std::vector<std::unique_ptr<Force>> sheet_forces(const SheetSettings& s,
                                                        const Model& model) {
    std::vector<std::unique_ptr<Force>> forces;
    forces.push_back(std::make_unique<EdgeSpringForce>(model));
    if (s.bending)
        forces.push_back(std::make_unique<BendForce>(model, BendLaw::half_angle));
    forces.push_back(std::make_unique<GravityForce>(model));
    return forces;
}

inline std::unique_ptr<Sheet> make_sheet(const SheetSettings& s) {
    auto out = std::make_unique<Sheet>();
    build_sheet(s, out->model, out->conditions, out->start);
    out->integrator =
        std::make_unique<EulerCromer>(out->model, sheet_forces(s, out->model), s.integrator);
    return out;
}

/// A particle on a spring and a dashpot.
class Oscillator final : public Force, public DampedForce {
public:
    Oscillator(double k, double c) : k_(k), c_(c) {}
    std::string_view name() const override { return "oscillator"; }
    ForceKind kind() const override { return ForceKind::outside; }
    ForceCapabilities capabilities() override { return {.damped = this}; }
    double energy(std::span<const Vec3>) const override { return 0; }
    void add_force(const Kinematics& at, std::span<Vec3> f) const override {
        for (std::size_t i = 0; i < f.size(); ++i)
            f[i] -= k_ * at.positions[i] + c_ * at.velocities[i];
    }
    void add_damping(std::span<const Vec3> w, std::span<Vec3> f) const override {
        for (std::size_t i = 0; i < f.size(); ++i)
            f[i] -= c_ * w[i];
    }

private:
    double k_, c_;
};

/// A free sheet that stretches, turns and waves.
template <class S>
State stirred(const S& sheet) {
    State state = sheet.start;
    for (std::size_t i = 0; i < state.positions.size(); ++i) {
        const Vec3& p = state.positions[i];
        state.velocities[i] = {0.3 * std::sin(6 * p.x) + 0.1, 0.2 * p.x, 0.3 * p.x * p.z};
    }
    return state;
}

template <class S>
double mechanical_energy(const S& sheet, const State& state) {
    double sum = 0;
    for (std::size_t i = 0; i < state.velocities.size(); ++i)
        sum += 0.5 * sheet.model.mass[i] * dot(state.velocities[i], state.velocities[i]);
    sheet.integrator->set_conditions(sheet.conditions); // before the first step, nothing has
    for (const auto& force : sheet.integrator->forces())
        sum += force->energy(state.positions);
    return sum;
}

template <class S>
Vec3 momentum(const S& sheet, const State& state) {
    Vec3 sum = {0, 0, 0};
    for (std::size_t i = 0; i < state.velocities.size(); ++i)
        sum += sheet.model.mass[i] * state.velocities[i];
    return sum;
}

template <class S>
Vec3 angular_momentum(const S& sheet, const State& state) {
    Vec3 sum = {0, 0, 0};
    for (std::size_t i = 0; i < state.velocities.size(); ++i)
        sum += sheet.model.mass[i] * cross(state.positions[i], state.velocities[i]);
    return sum;
}

} // namespace muslin::testing_integrators
