// Bending against exact solutions: protocols A0, B1 to B4, B6 and D2 at resolutions that take a
// second or two. tests/validation/sweep measures all of them at three (docs/validation.md).

#include "validation/bending.h"
#include "validation/patch.h"

#include <gtest/gtest.h>

namespace {

using namespace muslin;
using namespace muslin::validation;

constexpr double degree = std::numbers::pi / 180;

// The solvers of elastica.h against published values (Romero 2021; Mattiasson 1981).
TEST(Elastica, AgreesWithPublishedValues) {
    const double heavy[][2] = {{0.1, .012500},  {1, .124562},     {10, 1.066802},
                               {100, 5.888105}, {1000, 21.33544}, {1e4, 69.7088}};
    for (const auto& [gamma, ratio] : heavy) {
        const ElasticaEnd e = heavy_cantilever(gamma);
        EXPECT_NEAR(e.drop / e.reach, ratio, 1e-5 * std::max(1.0, ratio)) << gamma;
    }
    const double loaded[][3] = {{1, .301721, .056433}, {10, .810609, .554996}};
    for (const auto& [alpha, drop, shortening] : loaded) {
        const ElasticaEnd e = loaded_cantilever(alpha);
        EXPECT_NEAR(e.drop, drop, 2e-6);
        EXPECT_NEAR(1 - e.reach, shortening, 2e-6);
    }
    const Buckled b = buckled(0.030269093);
    EXPECT_NEAR(b.height, 0.10970652, 1e-7);
    EXPECT_NEAR(b.force, 10.021565, 1e-5);
}

TEST(Bending, APatchOnACylinderStoresTheRigidity) {
    for (const BendLaw law : {BendLaw::angle, BendLaw::half_angle, BendLaw::arc}) {
        SCOPED_TRACE(law == BendLaw::angle        ? "bend_bw"
                     : law == BendLaw::half_angle ? "bend_bridson"
                                                  : "bend_volino");
        const Shown m1 = patch(patch_m1(), 0.36, law);
        EXPECT_NEAR(m1.least, 1, 0.01);
        EXPECT_NEAR(m1.greatest, 1, 0.01);
        const Shown m3 = patch(patch_m3(1), 0.36, law);
        EXPECT_GT(m3.least, 0.85);
        EXPECT_LT(m3.greatest, 1.15);
        // The protocol asks for 5 % by direction; our irregular mesh has 6.9 % and misses it
        // (docs/validation.md). This only keeps it from growing.
        EXPECT_LT(m3.greatest / m3.least, 1.08);
        // A grid of squares with one diagonal: 1 + t + t^2 with t the sine of twice the angle,
        // which is 3 across the diagonals, 0.884 at 30 degrees and 0.75 at worst.
        const Shown m4 = patch(patch_m4(), 0.36, law);
        EXPECT_NEAR(m4.least, 0.884, 0.01);
        EXPECT_NEAR(m4.greatest, 3, 0.03);
        fmt::print("M1 {:.4f} to {:.4f}, M3 {:.4f} to {:.4f}, M4 {:.4f} to {:.4f}\n", m1.least,
                   m1.greatest, m3.least, m3.greatest, m4.least, m4.greatest);
    }
}

Strip strip(int rows, const std::string& bending = "bend_bridson") {
    Strip s;
    s.rows = rows;
    s.bending = bending;
    return s;
}

TEST(Bending, TheEffectiveClampIsHalfARowBehind) {
    for (const StripMesh mesh : {StripMesh::m1, StripMesh::m4}) {
        Strip s = strip(20);
        s.mesh = mesh;
        EXPECT_NEAR(counted_clamp(Simulation(describe(s)), s), -0.5 * s.row(), 0.05 * s.row());
    }
}

TEST(Bending, ACantileverSagsAsTheElastica) {
    const Cantilever coarse = cantilever(strip(10), 10), fine = cantilever(strip(20), 10);
    EXPECT_LT(std::abs(fine.ratio.error()), 0.02);
    EXPECT_LT(std::abs(fine.ratio.error()), std::abs(coarse.ratio.error()));
    EXPECT_LT(fine.speed, 1e-5);
    EXPECT_LT(std::abs(cantilever(strip(12), 1).ratio.error()), 0.02);
    EXPECT_LT(std::abs(cantilever(strip(12, "bend_bw"), 10).ratio.error()), 0.02);
    EXPECT_LT(std::abs(cantilever(strip(20, "bend_volino"), 10).ratio.error()), 0.02);
}

// The balance of forces against steps and drag, which need nothing but the simulation.
TEST(Bending, TheBalanceIsWhatDampingComesTo) {
    Strip s = strip(10);
    const Cantilever balanced = cantilever(s, 10);
    s.drag = 1.5;
    const Cantilever damped = cantilever(s, 10);
    EXPECT_LT(damped.speed, 1e-5);
    EXPECT_LT(balanced.speed, 1e-6);
    EXPECT_NEAR(balanced.ratio.value, damped.ratio.value, 2e-4 * damped.ratio.value);
}

TEST(Bending, TheOverhangTestHasItsAngle) {
    for (const std::string bending : {"bend_bridson", "bend_volino"}) {
        const Cantilever c = cantilever(strip(16, bending), 8.004197);
        EXPECT_NEAR(std::atan(c.ratio.value) / degree, 41.5, 0.4) << bending;
    }
}

TEST(Bending, ALoadedEdgeGoesWhereTheElasticaSays) {
    const TipLoad t = tip_load(strip(16), 2);
    EXPECT_NEAR(t.drop.error(), 0, 0.01);
    EXPECT_NEAR(t.shortening.error(), 0, 0.01);
}

TEST(Bending, APinnedStripBucklesAsEuler) {
    for (const std::string bending : {"bend_bridson", "bend_bw", "bend_volino"}) {
        const Euler e = euler(strip(20, bending), 0.030269093);
        EXPECT_NEAR(e.height.error(), 0, 0.01) << bending;
        EXPECT_NEAR(e.force.error(), 0, 0.03) << bending;
    }
}

// Bending nu is not supported: the hinges' own is -1/3, with the critical gamma 22.156. 23 rows, 4
// across, put it 7 % too high; a plate of nu = 0.3 would buckle at 17.0.
TEST(Bending, AStripOnEdgeBucklesAsAPlateOfNegativeNu) {
    Strip s = strip(23);
    s.width = 0.04;
    s.stretch = 1e5;
    const Lateral above = lateral(s, {24.2}), below = lateral(s, {21.5});
    EXPECT_GT(above.offset[0], 0.02);
    EXPECT_LT(below.offset[0], 1e-3);
}

TEST(Bending, ABeamVibratesAtItsFrequencies) {
    Strip s = strip(10);
    s.stretch = 50;
    EXPECT_NEAR(beam(s, 1, 1).frequency.error(), 0, 0.01);
    EXPECT_NEAR(beam(s, 2, 2).frequency.error(), 0, 0.03); // 1 % at 40 rows
}

const std::pair<StripMesh, const char*> strip_meshes[] = {
    {StripMesh::m4, "one diagonal"},  {StripMesh::alternating, "alternating"},
    {StripMesh::crossed, "crossed"},  {StripMesh::m1, "lattice"},
    {StripMesh::m2, "lattice along"}, {StripMesh::m3, "irregular"},
    {StripMesh::panel, "panel"}};

// The default bending shows D on every mesh, and the other of two rigidities has no part in it.
TEST(BendingByShape, APinnedStripBucklesAsEulerOnEveryMesh) {
    for (const auto& [mesh, name] : strip_meshes)
        for (const double across : {0.25, 1.0, 4.0}) {
            // 15 % too stiff at 12 rows and 0.4 % at 40; why so slow is not known.
            if (mesh == StripMesh::crossed && across < 1)
                continue;
            Strip s = strip(16, "bend_shape");
            s.mesh = mesh;
            s.across = across;
            const Euler e = euler(s, 0.030269093);
            fmt::print("{}, {} across: force {:+.2f} %\n", name, across, 100 * e.force.error());
            EXPECT_NEAR(e.force.error(), 0, 0.02) << name << ", " << across << " across";
        }
}

// Flat triangles that stand askew to a tight curve stretch as they bend, which is why lattices
// along the strip, irregular and crossed meshes sag less where the curve is not resolved.
TEST(BendingByShape, ACantileverSagsAsTheElasticaOnEveryMesh) {
    for (const auto& [mesh, name] : strip_meshes) {
        Strip s = strip(20, "bend_shape");
        s.mesh = mesh;
        const double small = cantilever(s, 1).ratio.error(),
                     large = cantilever(s, 10).ratio.error();
        fmt::print("{}: {:+.2f} % at 1, {:+.2f} % at 10\n", name, 100 * small, 100 * large);
        const bool irregular = mesh == StripMesh::m3; // the place of its clamp is not sharp
        EXPECT_NEAR(small, 0, irregular ? 0.05 : 0.03) << name;
        EXPECT_NEAR(large, 0, irregular ? 0.08 : 0.03) << name;
    }
}

TEST(BendingByShape, ABeamVibratesAtItsFrequency) {
    for (const StripMesh mesh : {StripMesh::m1, StripMesh::alternating}) {
        Strip s = strip(10, "bend_shape");
        s.mesh = mesh;
        s.stretch = 50;
        EXPECT_NEAR(beam(s, 1, 1).frequency.error(), 0, 0.01);
    }
}

} // namespace
