// Connections between particles: mass_spring, flexion_springs and superimposed links.
#include "muslin/forces/springs.h"

#include "forces/cloth.h"
#include "muslin/base/error.h"
#include "muslin/forces/edge_springs.h"

#include <gtest/gtest.h>

#include <memory>

namespace muslin::test {
namespace {

Potential formula(const std::string& text) {
    Potential p;
    p.law = Potential::Law::formula;
    p.formula = std::make_shared<const Expression>(text, Potential::variables);
    return p;
}
Potential exponential(double sharpness) {
    Potential p;
    p.law = Potential::Law::exponential;
    p.sharpness = sharpness;
    return p;
}

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Law {
    std::string name;
    Potential potential;
    double elongation = infinity;
    ElongationLaw law = ElongationLaw::allowed;
};
std::vector<Law> all_laws() {
    return {{"quadratic", {}},
            {"elongation, allowed", {}, 0.03, ElongationLaw::allowed},
            {"elongation, rest", {}, 0.03, ElongationLaw::rest},
            {"exponential", exponential(8)},
            {"formula", formula("k/2*(d - l)^2 + 0.3*k*l^2*s^4 - 0.01*k*l*d")}};
}
Sheet sheet_of(const Law& law, PolygonMesh mesh) {
    Material m = test_material();
    m.potential = law.potential;
    m.elongation_limit = law.elongation;
    m.elongation_law = law.law;
    return make_sheet(std::move(mesh), m);
}
PolygonMesh small_grid() {
    return make_grid({.width = 0.6, .depth = 0.4, .columns = 7, .rows = 6});
}

/// Moves particles off lengths at which the law of (5) has a corner, where differences see both
/// sides of it.
bool near_corner(const LinkForce& force, std::span<const Vec3> x, double step) {
    for (const Link& link : force.links())
        if (std::abs(norm(x[link.particles[1]] - x[link.particles[0]]) - link.allowed) < 6 * step)
            return true;
    return false;
}
std::vector<Vec3> smooth_sample(const LinkForce& force, const Sheet& sheet, Random& random,
                                double step) {
    std::vector<Vec3> x = crumpled(sheet, random);
    while (near_corner(force, x, step))
        x = crumpled(sheet, random);
    return x;
}

TEST(Springs, EveryLawIsTheDerivativeOfItsEnergy) {
    Link link;
    link.particles = {0, 1};
    link.rest = 0.02;
    link.stiffness = 30;
    for (const Law& law : all_laws()) {
        link.allowed = (1 + law.elongation) * link.rest;
        link.law = law.law;
        for (double d = 0.006; d < 0.05; d += 0.0013) {
            const double h = 1e-5 * d;
            const auto at = [&](double x) { return link_pull(link, law.potential, x); };
            const SpringPull<double> p = at(d), up = at(d + h), down = at(d - h);
            const double scale = 30 * 0.02;
            EXPECT_NEAR((up.energy - down.energy) / (2 * h), p.pull,
                        1e-7 * (scale + std::abs(p.pull)))
                << law.name << " at " << d;
            EXPECT_NEAR((up.pull - down.pull) / (2 * h), p.slope, 1e-5 * p.slope + 1e-6 * 30)
                << law.name << " at " << d;
        }
        if (law.name != "formula") {
            EXPECT_NEAR(link_pull(link, law.potential, 0.02).pull, 0, 1e-12);
        }
        EXPECT_NEAR(link_pull(link, law.potential, 0.02).slope, 30, 1e-9); // all are springs there
    }
}

// (5): the constant grows with the length once the spring is longer than allowed. Divided by the
// allowed length, as the text says, the pull is continuous; by the rest length, as the formula
// says, it jumps by the allowed elongation.
TEST(Springs, TheTwoReadingsOfTheElongationLimit) {
    Link link;
    link.particles = {0, 1};
    link.rest = 2;
    link.stiffness = 10;
    link.allowed = 2.2;
    const auto constant = [&](double d) { return link_pull(link, {}, d).pull / (d - 2); };
    EXPECT_NEAR(constant(2.1), 10, 1e-12);
    EXPECT_NEAR(constant(2.2), 10, 1e-12);
    EXPECT_NEAR(constant(2.75), 12.5, 1e-12);
    EXPECT_NEAR(link_pull(link, {}, 2.2).energy, 0.5 * 10 * 0.04, 1e-12);
    link.law = ElongationLaw::rest;
    EXPECT_NEAR(constant(2.2 - 1e-9), 10, 1e-6);
    EXPECT_NEAR(constant(2.2), 11, 1e-12);
    EXPECT_NEAR(constant(3), 15, 1e-12);
    EXPECT_NEAR(link_pull(link, {}, 2.2).energy, 0.5 * 10 * 0.04, 1e-12);
}

TEST(Springs, ForcesAreMinusTheGradientOfTheEnergyAndBalanced) {
    Random random(1);
    for (const Law& law : all_laws())
        for (const bool flexion : {false, true}) {
            const Sheet sheet = sheet_of(law, small_grid());
            std::unique_ptr<LinkForce> force;
            if (flexion)
                force = std::make_unique<FlexionSpringForce>(sheet.model);
            else
                force = std::make_unique<MassSpringForce>(sheet.model);
            SCOPED_TRACE(law.name + (flexion ? ", flexion" : ""));
            const double step = 1e-6;
            const std::vector<Vec3> x = smooth_sample(*force, sheet, random, step);
            const std::vector<Vec3> f = force_at(*force, x, still(sheet));
            const Eigen::VectorXd expected = -gradient(
                [&](const Eigen::VectorXd& y) { return force->energy(unflat(y)); }, flat(x), step);
            EXPECT_LT((flat(f) - expected).norm(), 1e-6 * expected.norm());
            EXPECT_LT(balance(x, f).force, 1e-12);
            EXPECT_LT(balance(x, f).torque, 1e-12);
            const auto rigid = moving_rigidly(x, random);
            EXPECT_LT((flat(force_at(*force, x, rigid)) - flat(f)).norm(), 1e-9 * flat(f).norm());
        }
}

TEST(Springs, TheSolversMatricesAreExactButForBuckling) {
    Random random(2);
    for (const Law& law : all_laws()) {
        SCOPED_TRACE(law.name);
        const Sheet sheet = sheet_of(law, small_grid());
        MassSpringForce force(sheet.model);
        const double step = 1e-6;
        // Every spring stretched, so that nothing is left out; the prestress of the formula wants
        // more of that.
        std::vector<Vec3> x;
        do {
            x.clear();
            for (const Vec3& p : sheet.positions())
                x.push_back(1.2 * p + random.vec(1e-3));
        } while (near_corner(force, x, step));
        const SolverMatrices m = solver_matrices(force, x, still(sheet));
        const Eigen::MatrixXd stiffness = difference_stiffness(force, x, still(sheet), step);
        EXPECT_LT((m.stiffness - stiffness).norm(), 1e-6 * stiffness.norm());
        const Eigen::MatrixXd damping = difference_damping(force, x, still(sheet), 1e-3);
        EXPECT_LT((m.damping - damping).norm(), 1e-8 * damping.norm());
        const SolverMatrices folded = solver_matrices(force, crumpled(sheet, random), still(sheet));
        const Eigen::VectorXd values = eigenvalues(folded.stiffness);
        EXPECT_GT(values.minCoeff(), -1e-10 * values.maxCoeff());
    }
}

TEST(Springs, DampingWithoutAMatrixIsThatOfTheMatrix) {
    Random random(3);
    const Sheet sheet = irregular_sheet(60);
    MassSpringForce mass_spring(sheet.model);
    FlexionSpringForce flexion(sheet.model);
    const std::vector<Vec3> x = crumpled(sheet, random);
    std::vector<Vec3> w;
    for (std::size_t i = 0; i < x.size(); ++i)
        w.push_back(random.vec(1));
    for (LinkForce* force :
         {static_cast<LinkForce*>(&mass_spring), static_cast<LinkForce*>(&flexion)}) {
        const Eigen::VectorXd expected =
            -solver_matrices(*force, x, still(sheet)).damping * flat(w);
        force->cache_damping({x, w});
        std::vector<Vec3> f(x.size(), Vec3{0, 0, 0});
        force->add_damping(w, f);
        EXPECT_LT((flat(f) - expected).norm(), 1e-9 * expected.norm());
        EXPECT_GT(expected.norm(), 0);
    }
}

TEST(Springs, ElementsAddUpToTheForce) {
    Random random(4);
    const Sheet sheet = irregular_sheet(90);
    const MassSpringForce force(sheet.model);
    const std::vector<Vec3> x = crumpled(sheet, random);
    std::vector<Vec3> v;
    for (std::size_t i = 0; i < x.size(); ++i)
        v.push_back(random.vec(1));
    std::vector<int> all(force.links().size());
    std::iota(all.begin(), all.end(), 0);
    std::vector<Vec3> corner(2 * all.size()), sum(x.size(), {0, 0, 0});
    force.corner_forces(all, {x, v}, corner);
    for (std::size_t k = 0; k < corner.size(); ++k)
        sum[force.element_particles()[k]] += corner[k];
    const Eigen::VectorXd expected = flat(force_at(force, x, v));
    EXPECT_LT((flat(sum) - expected).norm(), 1e-12 * expected.norm());
}

// The spring of the paper as printed, of particle i at a, k at b, with l = b - a and l' the
// velocity of i less that of k: -k_s (|l| - l_0) + k_d (l . l') / |l| along l on i.
Vec3 printed_force(const Vec3& a, const Vec3& b, const Vec3& v_a, const Vec3& v_b, double k_s,
                   double k_d, double rest) {
    const Vec3 l = b - a, rate = v_a - v_b;
    const double length = norm(l);
    return ((-k_s * (length - rest) + k_d * dot(l, rate) / length) / length) * l;
}

// Erratum of (2). With l from i to k, the elastic term pushes i away from k when the spring is too
// long, and the damping term drives the ends on: with the printed signs (and a dot product, since a
// cross product is a vector and cannot be added to a number) both give energy. With both signs
// turned the spring keeps the momenta and loses energy.
TEST(Springs, ThePrintedSignsOfTheDampedSpringAreWrong) {
    Random random(5);
    Model model;
    model.mass = {1, 1};
    Link link;
    link.particles = {0, 1};
    link.rest = 1;
    link.stiffness = 7;
    link.damping = 0.5;
    model.dynamics.links = {link};
    const SuperimposedLinkForce force(model);
    double printed_power = 0;
    for (int sample = 0; sample < 100; ++sample) {
        const std::vector<Vec3> x = {random.vec(), random.vec()}, v = {random.vec(), random.vec()};
        std::vector<Vec3> f(2, {0, 0, 0});
        force.add_force({x, v}, f);
        const Vec3 printed = printed_force(x[0], x[1], v[0], v[1], 7, 0.5, 1);
        const Vec3 l = x[1] - x[0];
        EXPECT_LT(norm(f[0] + printed) + norm(f[1] - printed), 1e-12 * (1 + norm(printed)));
        EXPECT_EQ(norm(f[0] + f[1]), 0);
        EXPECT_LT(norm(cross(x[0], f[0]) + cross(x[1], f[1])), 1e-12 * norm(f[0]));
        // What damping takes: the power of the forces less that of springs without damping.
        const double length = norm(l);
        const Vec3 elastic = (7 * (length - 1) / length) * l;
        EXPECT_LE(dot(f[0] - elastic, v[0]) + dot(f[1] + elastic, v[1]), 1e-12);
        const Vec3 printed_damping = (0.5 * dot(l, v[0] - v[1]) / (length * length)) * l;
        printed_power += dot(printed_damping, v[0]) - dot(printed_damping, v[1]);
        EXPECT_GT(norm(cross(l, v[0] - v[1])), 0); // a vector that is not along the spring
        EXPECT_LT(std::abs(dot(cross(l, v[0] - v[1]), l)), 1e-12);
    }
    EXPECT_GT(printed_power, 1);
    // A spring let go at twice its length, by small steps: as printed its energy grows without end.
    for (const bool as_printed : {false, true}) {
        std::vector<Vec3> x = {{0, 0, 0}, {2, 0.1, 0}}, v = {{0, 0.1, 0}, {0, -0.1, 0.2}};
        const auto energy = [&] {
            return force.energy(x) + 0.5 * (dot(v[0], v[0]) + dot(v[1], v[1]));
        };
        const double start = energy();
        const double h = 1e-3;
        for (int step = 0; step < 2000; ++step) {
            std::vector<Vec3> f(2, {0, 0, 0});
            if (as_printed) {
                f[0] = printed_force(x[0], x[1], v[0], v[1], 7, 0.5, 1);
                f[1] = -f[0];
            } else {
                force.add_force({x, v}, f);
            }
            for (int i = 0; i < 2; ++i) {
                v[i] += h * f[i];
                x[i] += h * v[i];
            }
        }
        EXPECT_TRUE(as_printed ? energy() > 10 * start : energy() < 0.6 * start)
            << energy() / start;
    }
}

/// Energy per area of a homogeneous strain, over 1/2 Y e^2 [N/m], least over the strain across.
double effective_stiffness(const Sheet& sheet, const Force& force, bool along_v) {
    const double e = 1e-4;
    const auto energy = [&](double across) {
        const double u = along_v ? across : e, v = along_v ? e : across;
        std::vector<Vec3> x;
        for (const Vec3& p : sheet.positions())
            x.push_back({(1 + u) * p.x, 0, (1 + v) * p.z});
        return force.energy(x) / (0.5 * e * e * sheet.area());
    };
    double least = infinity;
    for (double across = -0.6 * e; across <= 0; across += 0.01 * e)
        least = std::min(least, energy(across));
    return least;
}
double effective_shear(const Sheet& sheet, const Force& force) {
    const double e = 1e-4;
    std::vector<Vec3> x;
    for (const Vec3& p : sheet.positions())
        x.push_back({p.x + e * p.z, 0, p.z});
    return force.energy(x) / (0.5 * e * e * sheet.area());
}

// Grids stretch by 1 % as the fabric does, along both lines, at any resolution and of any cells.
TEST(Springs, GridsHaveTheStiffnessOfTheirFabric) {
    for (const auto& [u, v, g] : {std::array{3000.0, 700.0, 90.0}, std::array{750.0, 750.0, 252.0}})
        for (const auto& [columns, rows] :
             {std::array{31, 21}, std::array{61, 41}, std::array{41, 21}}) {
            Material m = test_material();
            m.stretch_u = u;
            m.stretch_v = v;
            m.shear = g;
            const Sheet sheet = make_sheet(
                make_grid({.width = 0.6, .depth = 0.4, .columns = columns, .rows = rows}), m);
            const MassSpringForce force(sheet.model);
            SCOPED_TRACE(std::to_string(columns) + " x " + std::to_string(rows));
            EXPECT_NEAR(effective_stiffness(sheet, force, false) / u, 1, 0.01);
            EXPECT_NEAR(effective_stiffness(sheet, force, true) / v, 1, 0.01);
            EXPECT_NEAR(effective_shear(sheet, force) / g, 1, 0.01);
        }
}

TEST(Springs, OtherMeshesStretchAsTheirFabricDoes) {
    Material m = test_material();
    m.stretch_u = m.stretch_v = 1000;
    m.shear = 150;
    for (const int rows : {10, 20}) {
        const Sheet lattice =
            make_sheet(make_lattice({.width = 0.6, .depth = 0.4, .rows = rows}), m);
        EXPECT_NEAR(effective_stiffness(lattice, MassSpringForce(lattice.model), false), 1000, 40)
            << rows;
        EXPECT_NEAR(effective_stiffness(lattice, MassSpringForce(lattice.model), true), 1000, 40)
            << rows;
    }
    for (const int vertices : {150, 600}) {
        const Sheet sheet = irregular_sheet(vertices, 1, m);
        EXPECT_NEAR(effective_stiffness(sheet, MassSpringForce(sheet.model), false), 1000, 80)
            << vertices;
    }
}

TEST(Springs, ConstantsOfTheMaterialAreThoseOfEachSpring) {
    Material m = test_material();
    m.spring_structural = 11;
    m.spring_shear = 5;
    m.spring_flexion = 3;
    m.spring_damping = 0.25;
    m.elongation_limit = 0.1;
    m.elongation_law = ElongationLaw::rest;
    const Sheet sheet =
        make_sheet(make_grid({.width = 0.23, .depth = 0.29, .columns = 24, .rows = 30}), m);
    const MassSpringForce force(sheet.model);
    int structural = 0, shear = 0;
    for (const Link& link : force.links()) {
        (link.stiffness == 11 ? structural : shear) += 1;
        EXPECT_TRUE(link.stiffness == 11 || link.stiffness == 5);
        EXPECT_EQ(link.damping, 0.25);
        EXPECT_NEAR(link.allowed, 1.1 * link.rest, 1e-15);
        EXPECT_EQ(link.law, ElongationLaw::rest);
        EXPECT_NEAR(link.rest, link.stiffness == 11 ? 0.01 : 0.01 * std::sqrt(2), 1e-12);
    }
    EXPECT_EQ(structural, 1386);
    EXPECT_EQ(shear, 1334);
    const FlexionSpringForce flexion(sheet.model);
    EXPECT_EQ(flexion.links().size(), 1332u);
    for (const Link& link : flexion.links()) {
        EXPECT_EQ(link.stiffness, 3);
        EXPECT_EQ(link.damping, 0.25);
    }
}

/// A grid rolled up along x, its springs along the lines kept at their length.
std::vector<Vec3> rolled(const Sheet& sheet, double edge, double curvature, bool along_v) {
    const double turn = curvature * edge, radius = edge / (2 * std::sin(turn / 2));
    std::vector<Vec3> x;
    for (const Vec3& p : sheet.positions()) {
        const double a = (along_v ? p.z : p.x) / edge * turn;
        const double s = radius * std::sin(a), c = radius * (1 - std::cos(a));
        x.push_back(along_v ? Vec3{p.x, c, s} : Vec3{s, c, p.z});
    }
    return x;
}

// At the reference curvature a rolled grid stores D kappa^2 / 2, by direction; at half of it a
// quarter of that, for the energy goes with the fourth power.
TEST(Springs, FlexionSpringsHaveTheRigidityOfTheFabricAtTheReferenceCurvature) {
    const Material m = test_material();
    for (const int rows : {41, 81}) {
        const int columns = 3 * (rows - 1) / 2 + 1;
        const double edge = 0.2 / (rows - 1);
        const Sheet sheet = make_sheet(
            make_grid({.width = 0.3, .depth = 0.2, .columns = columns, .rows = rows}), m);
        const FlexionSpringForce force(sheet.model);
        for (const bool along_v : {false, true}) {
            const double kappa = flexion_reference_curvature;
            // The outermost lines have no flexion across them.
            const double inner = 1 - 1.0 / ((along_v ? rows : columns) - 1);
            const double store = 0.5 * (along_v ? m.bend_v : m.bend_u) * inner * sheet.area();
            const auto ratio = [&](double k) {
                return force.energy(rolled(sheet, edge, k, along_v)) / (store * k * k);
            };
            EXPECT_NEAR(ratio(kappa), 1, 0.01);
            EXPECT_NEAR(ratio(kappa / 2), 0.25, 0.01);
            EXPECT_LT(force.energy(sheet.positions()), 1e-15);
        }
    }
}

// A sheet that is stretched by a fifth and let go, by small steps that keep the energy of smooth
// forces: none of the laws gives energy, and with damping it is lost.
TEST(Springs, AClosedSystemGainsNoEnergy) {
    for (const Law& law : all_laws())
        for (const bool damped : {false, true}) {
            SCOPED_TRACE(law.name);
            Sheet sheet = sheet_of(law, small_grid());
            if (!damped)
                sheet.model.cloths[0].material.stretch_damping =
                    sheet.model.cloths[0].material.shear_damping = 0;
            const MassSpringForce force(sheet.model);
            std::vector<Vec3> x, v = still(sheet), f = v;
            for (const Vec3& p : sheet.positions())
                x.push_back({1.2 * p.x, 0.02 * std::sin(9 * p.x), 1.2 * p.z});
            const double h = 2e-5;
            const auto energy = [&] {
                double sum = force.energy(x);
                for (std::size_t i = 0; i < x.size(); ++i)
                    sum += 0.5 * sheet.model.mass[i] * dot(v[i], v[i]);
                return sum;
            };
            const auto kick = [&](double time) {
                std::fill(f.begin(), f.end(), Vec3{0, 0, 0});
                force.add_force({x, v}, f);
                for (std::size_t i = 0; i < x.size(); ++i)
                    v[i] += (time / sheet.model.mass[i]) * f[i];
            };
            const double start = energy();
            double most = start;
            for (int step = 0; step < 700; ++step) {
                kick(h / 2);
                for (std::size_t i = 0; i < x.size(); ++i)
                    x[i] += h * v[i];
                kick(h / 2);
                most = std::max(most, energy());
            }
            // The reading that divides by the rest length has a jump of its pull, which steps of
            // finite length meet too early or too late.
            const double slack = law.law == ElongationLaw::rest ? 0.02 : 1e-3;
            EXPECT_LT(most - start, slack * std::abs(start));
            if (damped) {
                EXPECT_LT(energy() - start, -0.05 * std::abs(start));
            }
        }
}

TEST(Springs, AFormulaWithoutAValueIsRefusedAtRestAndSeenElsewhere) {
    Model model;
    model.mass = {1, 1};
    Link link;
    link.particles = {0, 1};
    link.rest = 0.5;
    link.stiffness = 1;
    model.dynamics.links = {link};
    for (const char* text : {"1/s", "log(s)", "k/(l - 0.5)", "sqrt(s)", "exp(1e4*d)", "0/0"}) {
        model.dynamics.potentials = {formula(text)};
        EXPECT_THROW(SuperimposedLinkForce{model}, InputError) << text;
    }
    model.dynamics.potentials = {formula("k*exp(1e4*s)")};
    const SuperimposedLinkForce force(model);
    EXPECT_TRUE(force.is_defined(std::vector<Vec3>{{0, 0, 0}, {0.5, 0, 0}}));
    EXPECT_FALSE(force.is_defined(std::vector<Vec3>{{0, 0, 0}, {0.6, 0, 0}}));
    model.dynamics.potentials = {formula("-k*l^2*0.045*log(1 - (s/0.3)^2)")};
    const SuperimposedLinkForce pole(model);
    EXPECT_TRUE(pole.is_defined(std::vector<Vec3>{{0, 0, 0}, {0.64, 0, 0}}));
    EXPECT_FALSE(pole.is_defined(std::vector<Vec3>{{0, 0, 0}, {0.66, 0, 0}}));
}

} // namespace
} // namespace muslin::test
