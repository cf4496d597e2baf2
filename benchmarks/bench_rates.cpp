// Evaluations of elements, and time, with and without local rates [Volino95 3.2].
#include "muslin/base/parallel.h"
#include "muslin/forces/bend_volino.h"
#include "muslin/forces/outside.h"
#include "muslin/forces/strain_rosette.h"
#include "muslin/integrators/euler_cromer.h"
#include "muslin/mesh/generators.h"
#include "muslin/model/build_model.h"
#include "muslin/pattern/irregular_sheet.h"

#include <fmt/format.h>

#include <cmath>
#include <ctime>

using namespace muslin;

namespace {

/// A sheet whose triangles are `fine` times as large in the middle as at the rim.
PolygonMesh graded(int vertices, double fine) {
    IrregularSettings settings;
    settings.vertices = vertices;
    PolygonMesh mesh = make_irregular(settings);
    const auto shrink = [&](double x, double z) {
        return fine + (1 - fine) * std::min(1.0, std::hypot(x, z) / 0.7);
    };
    for (Vec3& p : mesh.positions)
        p = shrink(p.x, p.z) * p;
    for (Vec2& t : mesh.texcoords)
        t = shrink(t.x, t.y) * t;
    return mesh;
}

/// A tube of cloth that narrows, as a sleeve of panels does: triangles differ by three.
PolygonMesh sleeve() {
    CylinderSettings settings;
    settings.radius = 0.15;
    settings.height = 0.7;
    settings.segments = 48;
    settings.bands = 40;
    settings.capped = false;
    settings.staggered = true;
    PolygonMesh mesh = make_cylinder(settings);
    for (Vec3& p : mesh.positions) {
        const double narrow = 0.67 - 0.47 * p.y / 0.35;
        p = {narrow * p.x, (0.75 - 0.25 * p.y / 0.35) * p.y, narrow * p.z};
    }
    return mesh;
}

struct Result {
    long evaluations = 0;
    double seconds = 0, kinetic = 0;
    int steps = 0;
    double shortest = 0, step = 0; ///< [s]
};

Result run(const PolygonMesh& mesh, bool local, double until) {
    ClothInput input;
    input.name = "cloth";
    input.mesh = mesh;
    input.rest = RestShape::positions;
    input.material.stretch_u = input.material.stretch_v = 200;
    input.material.stretch_damping = 0.01;
    input.material.bend_damping = 0;
    State state, next;
    const Model model = build_model({input}, {}, state);
    std::vector<std::unique_ptr<Force>> forces;
    forces.push_back(std::make_unique<StrainRosetteForce>(model));
    forces.push_back(std::make_unique<BendVolinoForce>(model));
    forces.push_back(std::make_unique<GravityForce>(model));
    EulerCromerSettings settings;
    settings.local_rates = local;
    const Conditions conditions;
    EulerCromer integrator(model, std::move(forces), settings);
    for (std::size_t i = 0; i < state.positions.size(); ++i) {
        const Vec3& p = state.positions[i];
        state.velocities[i] = {0.3 * std::sin(6 * p.x), 0.5 * std::sin(9 * p.x + 4 * p.z), 0};
    }
    Result out;
    Profile profile;
    ConstraintSet none;
    double h = out.step = integrator.longest_step(conditions, state);
    out.shortest = h;
    for (const double each : integrator.vertex_steps())
        out.shortest = std::min(out.shortest, each);
    const std::clock_t start = std::clock(); // of this thread: others may be at work
    while (state.time < until) {
        const StepReport report = integrator.step({conditions, state, h, none}, next, profile);
        if (report.status != StepReport::Status::ok)
            break;
        out.evaluations += report.element_evaluations;
        ++out.steps;
        std::swap(state, next);
        h = integrator.longest_step_now(conditions, state);
    }
    out.seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    for (std::size_t i = 0; i < state.velocities.size(); ++i)
        out.kinetic += 0.5 * model.mass[i] * dot(state.velocities[i], state.velocities[i]);
    return out;
}

void compare(const char* name, const PolygonMesh& mesh, double until) {
    const Result plain = run(mesh, false, until), local = run(mesh, true, until);
    const double per = plain.seconds / (plain.steps * static_cast<double>(mesh.positions.size()));
    fmt::print("{:<34} {:>6} vertices: shortest step {:.2e} s, step {:.2e} s; evaluations {} -> {} "
               "({:.2f} times fewer), time {:.2f} -> {:.2f} s ({:.2f} times less), steps {} -> {}; "
               "{:.0f} ns a vertex and step without\n",
               name, mesh.positions.size(), local.shortest, local.step, plain.evaluations,
               local.evaluations,
               static_cast<double>(plain.evaluations) / static_cast<double>(local.evaluations),
               plain.seconds, local.seconds, plain.seconds / local.seconds, plain.steps,
               local.steps, 1e9 * per);
}

} // namespace

int main() {
    set_thread_count(1);
    compare("sheet, sizes from 1 to 10", graded(2600, 0.1), 0.1);
    compare("sheet of one size, irregular", graded(2600, 1), 0.2);
    compare("sleeve that narrows by three", sleeve(), 0.1);
}
