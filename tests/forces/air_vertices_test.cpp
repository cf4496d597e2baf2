// Viscous drag and wind on vertices [Bayraktar07 (3), (4)], and wind that differs from place to
// place.
#include "muslin/forces/air_vertices.h"

#include "forces/cloth.h"
#include "muslin/forces/outside.h"
#include "muslin/kernels/air_drag.h"

namespace muslin::test {
namespace {

constexpr double viscous = 0.3, linear = 0.7, quadratic = 0.6;

Sheet windy_sheet(unsigned seed, int vertices = 60) {
    Sheet sheet = irregular_sheet(vertices, seed);
    sheet.conditions.air.viscous_drag = viscous;
    sheet.conditions.air.linear_drag = linear;
    sheet.conditions.air.quadratic_drag = quadratic;
    sheet.conditions.air.wind = Animated<Vec3>({{0.0, Vec3{1, 2, 3}}, {2.0, Vec3{5, 2, -1}}});
    return sheet;
}

Animated<Vec3> field(const std::array<std::string, 3>& text) {
    std::vector<Expression> parts;
    for (const std::string& part : text)
        parts.emplace_back(part, Formula::variables);
    return Animated<Vec3>(Formula(std::move(parts), {}, {}, "wind"));
}

/// What the law says, from nothing of the force's own.
std::vector<Vec3> expected_force(const Sheet& sheet, std::span<const Vec3> x,
                                 std::span<const Vec3> v,
                                 const std::function<Vec3(const Vec3&)>& wind) {
    std::vector<double> area(x.size(), 0);
    std::vector<Vec3> normal(x.size(), {0, 0, 0}), out(x.size());
    for (std::size_t t = 0; t < sheet.model.dynamics.triangles.size(); ++t) {
        const auto& [a, b, c] = sheet.model.dynamics.triangles[t];
        const auto& u = sheet.model.dynamics.pattern[t];
        for (const int p : {a, b, c}) {
            area[p] += 0.5 * std::abs(cross(u[1] - u[0], u[2] - u[0])) / 3;
            normal[p] += cross(x[b] - x[a], x[c] - x[a]);
        }
    }
    for (std::size_t i = 0; i < x.size(); ++i) {
        const Vec3 n = normalized(normal[i]);
        out[i] = area[i] * ((linear + quadratic) * dot(n, wind(x[i]) - v[i]) * n - viscous * v[i]);
    }
    return out;
}

TEST(AirVertices, IsTheLawOnEveryVertexInTheWindOfTheTime) {
    Random random(1);
    Worst worst("force", 1e-13);
    Sheet sheet = windy_sheet(1);
    AirVerticesForce f(sheet.model);
    f.set_conditions(sheet.conditions);
    for (const double time : {0.0, 1.0, 3.0}) {
        const std::vector<Vec3> x = crumpled(sheet, random), v = random.vecs(sheet.particles(), 3);
        const double s = std::min(time / 2, 1.0);
        const Vec3 wind = {1 + 4 * s, 2, 3 - 4 * s};
        f.prepare(time);
        worst.add(relative_difference(
            flat(force_at(f, x, v)),
            flat(expected_force(sheet, x, v, [&](const Vec3&) { return wind; }))));
    }
    // A vortex, that grows.
    sheet.conditions.air.wind = field({"-t * z", "0.1 * y", "t * x"});
    AirVerticesForce g(sheet.model);
    g.set_conditions(sheet.conditions);
    for (const double time : {0.5, 2.0}) {
        const std::vector<Vec3> x = crumpled(sheet, random), v = random.vecs(sheet.particles(), 3);
        g.prepare(time);
        worst.add(relative_difference(flat(force_at(g, x, v)),
                                      flat(expected_force(sheet, x, v, [&](const Vec3& p) {
                                          return Vec3{-time * p.z, 0.1 * p.y, time * p.x};
                                      }))));
    }
}

TEST(AirVertices, DampingIsThatOfDifferencesAndPositive) {
    Random random(2);
    Worst differences("differences", 1e-8), products("products", 1e-13);
    const Sheet sheet = windy_sheet(2, 40);
    AirVerticesForce f(sheet.model);
    f.set_conditions(sheet.conditions);
    for (int k = 0; k < 5; ++k) {
        const std::vector<Vec3> x = crumpled(sheet, random), v = random.vecs(sheet.particles(), 3),
                                w = random.vecs(sheet.particles(), 1);
        const SolverMatrices m = solver_matrices(f, x, v);
        differences.add(relative_difference(m.damping, difference_damping(f, x, v, 1e-2)));
        EXPECT_LT(m.stiffness.cwiseAbs().maxCoeff(), 1e-14); // declared: left out
        f.cache_damping({x, v});
        std::vector<Vec3> product(x.size(), {0, 0, 0});
        f.add_damping(w, product);
        products.add(relative_difference(flat(product), (-m.damping * flat(w)).eval()));
        EXPECT_GT((flat(w).transpose() * m.damping * flat(w))(0, 0), 0);
        EXPECT_EQ((m.damping - m.damping.transpose()).cwiseAbs().maxCoeff(), 0);
    }
}

// Declared: the position derivative is not handed to the solver because it is not symmetric.
TEST(AirVertices, ThePositionDerivativeIsUnsymmetric) {
    Random random(3);
    const Sheet sheet = windy_sheet(3, 30);
    AirVerticesForce f(sheet.model);
    f.set_conditions(sheet.conditions);
    const std::vector<Vec3> x = crumpled(sheet, random), v = random.vecs(sheet.particles(), 3);
    const Eigen::MatrixXd k = difference_stiffness(f, x, v, 1e-5);
    EXPECT_GT((k - k.transpose()).norm(), 0.1 * k.norm());
}

TEST(AirVertices, AFlatSheetTakesPressureTimesAreaOnAnyMesh) {
    for (const int vertices : {30, 120, 500}) {
        Sheet sheet = windy_sheet(4, vertices);
        sheet.conditions.air.wind = Animated<Vec3>(Vec3{0.4, 2, -0.3});
        AirVerticesForce f(sheet.model);
        f.set_conditions(sheet.conditions);
        const std::vector<Vec3> v(sheet.particles(), {0.5, -1, 0.2});
        Vec3 sum = {0, 0, 0};
        for (const Vec3& force : force_at(f, sheet.positions(), v))
            sum += force;
        const Vec3 expected =
            sheet.area() * (Vec3{0, (linear + quadratic) * 3, 0} - viscous * Vec3{0.5, -1, 0.2});
        EXPECT_LT(norm(sum - expected), 1e-12 * norm(expected)) << vertices;
    }
}

TEST(AirVertices, FoldedFlatAVertexHasNoNormal) {
    Sheet sheet = windy_sheet(5);
    std::vector<Vec3> x(sheet.particles(), {1, 2, 3}), v(sheet.particles(), {1, 0, 0});
    AirVerticesForce f(sheet.model);
    f.set_conditions(sheet.conditions);
    const std::vector<Vec3> force = force_at(f, x, v);
    for (std::size_t i = 0; i < force.size(); ++i)
        EXPECT_LT(norm(force[i] + viscous * f.areas()[i] * v[i]), 1e-15);
}

// The same field by triangles: air_drag takes the wind where the triangle's middle is.
TEST(AirDragForce, TakesTheWindAtThePlaceOfEachTriangle) {
    Random random(6);
    Sheet sheet = windy_sheet(6);
    sheet.conditions.air.wind = field({"2 * z + t", "x * y", "-x"});
    AirDragForce f(sheet.model);
    f.set_conditions(sheet.conditions);
    f.prepare(0.7);
    const std::vector<Vec3> x = crumpled(sheet, random), v = random.vecs(sheet.particles(), 3);
    std::vector<Vec3> expected(x.size(), {0, 0, 0});
    for (const auto& t : sheet.model.dynamics.triangles) {
        const Vec3 at[3] = {x[t[0]], x[t[1]], x[t[2]]}, u[3] = {v[t[0]], v[t[1]], v[t[2]]};
        const Vec3 p = (1.0 / 3) * (at[0] + at[1] + at[2]);
        for (const int i : t)
            expected[i] += air_drag(at, u, Vec3{2 * p.z + 0.7, p.x * p.y, -p.x},
                                    AirDragParameters<double>{linear, quadratic})
                               .force;
    }
    EXPECT_LT(relative_difference(flat(force_at(f, x, v)), flat(expected)), 1e-13);
}

} // namespace
} // namespace muslin::test
