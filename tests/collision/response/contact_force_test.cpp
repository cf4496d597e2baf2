// Pressure and friction of contacts as a force: momentum, linearisation, what solves leave.
#include "muslin/collision/response/contact_force.h"

#include "collision/response/facing_sheets.h"
#include "math/random.h"
#include "muslin/linalg/block_matrix.h"

#include <gtest/gtest.h>

using namespace muslin;
using namespace muslin::test;
using testing_math::Random;

namespace {

constexpr double h = 0.01; // [s]

// Two sheets that slide on each other with a load, and the elements of their contacts.
struct Sliding {
    Sliding() : sheets(0.5 * sheet_thickness), step(set_off(sheets), h), elements(step.surfaces) {
        elements.start({sheets.start, h, step.points, step.mobility}, step.contacts);
        matrix.set_pattern(sheets.model.particle_count(), {});
    }
    static const FacingSheets& set_off(FacingSheets& sheets) {
        sheets.move(1, {0.3, -0.05, 0.1});
        sheets.start.contact_force.assign(sheets.model.particle_count(), 0.01);
        return sheets;
    }
    int count() const { return sheets.model.particle_count(); }
    std::vector<Vec3> linearise(const ContactForce& force) {
        std::vector<Vec3> f(count(), {0, 0, 0});
        matrix.reset(std::vector<double>(count(), 0.0));
        const std::vector<Vec3> displacement(count(), {0, 0, 0});
        force.add_linearised({sheets.start.positions, sheets.start.velocities}, {h, displacement},
                             f, matrix);
        return f;
    }
    std::vector<Vec3> evaluate(const ContactForce& force, std::span<const Vec3> velocities) const {
        std::vector<Vec3> f(count(), {0, 0, 0});
        force.add_force({sheets.start.positions, velocities}, f);
        return f;
    }

    FacingSheets sheets;
    SensedStep step;
    ContactElements elements;
    BlockMatrix matrix;
};

TEST(ContactForce, PushesTheSheetsApartAndKeepsMomentum) {
    Sliding s;
    const ContactForce force(s.elements, {}, {});
    const std::vector<Vec3> f = s.linearise(force);
    Vec3 all = {0, 0, 0}, upper = {0, 0, 0};
    for (const Vec3& each : f)
        all += each;
    for (const int p : s.sheets.model.cloths[1].surface.vertex_particle)
        upper += f[p];
    EXPECT_GT(upper.y, 0);
    EXPECT_LT(upper.x, 0) << "friction opposes the slide";
    EXPECT_LT(norm(all), 1e-12 * norm(upper));
}

// What the matrix leaves out: the law's own curvature and the turn of the normal within a solve.
TEST(ContactForce, MatrixIsThatOfTheForceLinearised) {
    Sliding s;
    const ContactForce force(s.elements, {}, {});
    s.linearise(force);
    Random random(3);
    std::vector<Vec3> change(s.count()), moved = s.sheets.start.velocities, product(s.count());
    for (int i = 0; i < s.count(); ++i) {
        change[i] = 1e-3 * random.vec3();
        moved[i] += change[i];
    }
    const std::vector<Vec3> before = s.evaluate(force, s.sheets.start.velocities),
                            after = s.evaluate(force, moved);
    s.matrix.multiply(change, product);
    double error = 0, size = 0;
    for (int i = 0; i < s.count(); ++i) {
        error = std::max(error, norm(h * (after[i] - before[i]) + product[i]));
        size = std::max(size, norm(product[i]));
    }
    EXPECT_GT(size, 0);
    EXPECT_LT(error, 1e-9 * size);
}

TEST(ContactForce, NormalForcesOfTheSolutionGoToTheParticles) {
    Sliding s;
    ContactForce force(s.elements, {}, {});
    s.linearise(force);
    std::vector<Vec3> at_rest(s.count(), {0, 0, 0});
    force.update({s.sheets.start.positions, at_rest});
    double pressed = 0;
    for (const ContactElement& element : s.elements.all())
        if (element.pressure.acts)
            pressed += std::max(0.0, element.pressure.force -
                                         element.start.mass * element.start.closing / h);
    std::vector<double> contact_force(s.count(), 0.0);
    EXPECT_GT(add_normal_forces(s.elements, contact_force), 0);
    double sum = 0;
    for (const double each : contact_force)
        sum += each;
    EXPECT_GT(pressed, 0);
    EXPECT_NEAR(sum, 2 * pressed, 1e-9 * pressed) << "on both sides of each contact";
    EXPECT_NEAR(released_energy(s.elements, {}), 0, 1e-18) << "nothing has moved";
}

// A sheet that slides on a box: all friction on it acts one way.
TEST(ContactForce, HasConvergedWhereFrictionIsCoulombs) {
    FacingSheets sheets(1);
    Body box;
    box.name = "box";
    box.mesh = make_box({});
    double top = 0;
    for (const Vec3& p : box.mesh.positions)
        top = std::max(top, p.y);
    for (Vec3& p : box.mesh.positions)
        p.y += 1 - 0.25 * sheet_thickness - top;
    box.triangles = triangulate(box.mesh).triangles;
    sheets.model.bodies.push_back(box);
    sheets.move(1, {0.3, 0, 0});
    sheets.start.contact_force.assign(sheets.model.particle_count(), 1e-3);
    const SensedStep step(sheets, h);
    ContactElements elements(step.surfaces);
    elements.start({sheets.start, h, step.points, step.mobility}, step.contacts);
    ContactForce force(elements, {}, {});
    const std::size_t count = sheets.model.mass.size();
    BlockMatrix matrix;
    matrix.set_pattern(static_cast<int>(count), {});
    matrix.reset(std::vector<double>(count, 0.0));
    std::vector<Vec3> f(count), velocities(count, {0, 0, 0});
    force.add_linearised({sheets.start.positions, sheets.start.velocities}, {h, velocities}, f,
                         matrix);
    const std::vector<double> open(1, 0.05);
    force.update({sheets.start.positions, velocities});
    EXPECT_TRUE(force.has_converged(open));
    // Thrown back along the way that was taken for the slide: friction drives it.
    for (const int p : sheets.model.cloths[1].surface.vertex_particle)
        velocities[p] = {-1, 0, 0};
    force.update({sheets.start.positions, velocities});
    EXPECT_FALSE(force.has_converged(open));
}

} // namespace
