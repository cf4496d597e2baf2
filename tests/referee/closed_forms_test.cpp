// The references of the referee against published values and against each other.

#include "referee/protocols/closed_forms.h"
#include "referee/protocols/motion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace {

using namespace muslin::referee;
using std::numbers::pi;

constexpr double g = 9.81;

TEST(ClosedForms, ZerosOfBesselJ0) {
    // Abramowitz and Stegun, table 9.5.
    EXPECT_NEAR(bessel_j0_zero(1), 2.4048255577, 1e-9);
    EXPECT_NEAR(bessel_j0_zero(2), 5.5200781103, 1e-9);
    EXPECT_NEAR(bessel_j0_zero(3), 8.6537279129, 1e-9);
}

TEST(ClosedForms, ModesOfAHangingSheetWithoutRigidityAreBessel) {
    const auto modes = hanging_modes(3, 0.5, 0.15, 0, g);
    for (int n = 1; n <= 3; ++n) {
        const double zero = bessel_j0_zero(n);
        EXPECT_NEAR(modes[n - 1].omega / (0.5 * zero * std::sqrt(g / 0.5)), 1, 1e-8);
        for (const double x : {0.05, 0.3, 0.7})
            EXPECT_NEAR(modes[n - 1].shape(x), std::cyl_bessel_j(0, zero * std::sqrt(x)), 1e-6);
    }
    // Rigidity makes each of them faster, the higher ones by more.
    const auto stiff = hanging_modes(3, 0.5, 0.15, 1e-5, g);
    double before = 1;
    for (int n = 0; n < 3; ++n) {
        const double ratio = stiff[n].omega / modes[n].omega;
        EXPECT_GT(ratio, before);
        EXPECT_LT(ratio, 1.05);
        before = ratio;
    }
    // The slope is the derivative of the shape.
    EXPECT_NEAR(stiff[1].slope(0.4), (stiff[1].shape(0.4001) - stiff[1].shape(0.3999)) / 2e-4,
                1e-6);
}

TEST(ClosedForms, CoulombOnASlope) {
    const double a = 28 * pi / 180, rate = g * (std::sin(a) - 0.4 * std::cos(a));
    EXPECT_NEAR(coulomb_slide(a, 0.4, 0, 1.2, g), 0.5 * rate * 1.44, 1e-12);
    // A fall of h across the slope is worth mu h along it, whatever the angle.
    EXPECT_NEAR(coulomb_slide(a, 0.4, 5e-3, 1.2, g), 0.5 * rate * 1.44 + 0.4 * 5e-3, 1e-12);
    EXPECT_NEAR(coulomb_stop(1, 0.3, 0, g), 0.16989, 1e-5); // C2 of PROTOCOLS.md
    EXPECT_NEAR(coulomb_stop(1, 0.3, 1e-3, g), 1 / (0.6 * g) + 0.3e-3, 1e-12);
    // What sticks slides by its landing alone.
    const double flat = 18 * pi / 180;
    EXPECT_NEAR(coulomb_slide(flat, 0.4, 5e-3, 5, g), 5e-3 * std::tan(flat), 1e-12);
}

TEST(ClosedForms, CapstanWithAndWithoutWeight) {
    EXPECT_NEAR(capstan_ratio(0.4, pi), 3.5136, 1e-4);
    EXPECT_NEAR(heavy_capstan(0.4, 5, 0.05, 0), 5 * capstan_ratio(0.4, pi), 1e-12);
    // Against its equation, by steps.
    for (const double mu : {0.2, 0.4}) {
        const double radius = 0.05, weight = 1.4715, near = 0.1;
        constexpr int steps = 20000;
        double t = near;
        for (int k = 0; k < steps; ++k) {
            const double h = pi / steps, phi = k * h;
            const auto rate = [&](double at, double tension) {
                return radius * weight * std::cos(at) +
                       mu * (tension + radius * weight * std::sin(at));
            };
            t += h * rate(phi + 0.5 * h, t + 0.5 * h * rate(phi, t));
        }
        EXPECT_NEAR(heavy_capstan(mu, near, radius, weight), t, 1e-6);
        // The same balance by lengths.
        const double ratio = heavy_capstan_lengths(mu, 0.4, radius), left = 0.4 / (1 + ratio);
        EXPECT_NEAR(heavy_capstan(mu, weight * left, radius, weight), weight * (0.4 - left), 1e-9);
    }
}

TEST(ClosedForms, StripWithoutFrictionOverARod) {
    // s'' = g (far - near + 2 s) / length from the closed form's own differences.
    const auto s = [](double t) { return frictionless_slide(0.24, 0.48, 0.0252, t, g); };
    const double d = 1e-4, t = 0.2, rate = (s(t + d) - 2 * s(t) + s(t - d)) / (d * d);
    EXPECT_NEAR(rate, g * (0.24 + 2 * s(t)) / (0.72 + pi * 0.0252), 1e-4);
    EXPECT_NEAR(s(0.25), 0.104, 1e-3);
    EXPECT_NEAR(s(0.3), 0.158, 1e-3);
}

TEST(ClosedForms, PeriodOfAPlate) {
    EXPECT_NEAR(plate_period(0.5, pi / 2, g), 1.36707, 1e-5); // plate_pendulum.csv
    EXPECT_NEAR(plate_period(0.5, 1e-4, g), 2 * pi * std::sqrt(1.0 / (3 * g)), 1e-8);
}

TEST(ClosedForms, FitFindsADampedVibration) {
    for (const double kept : {0.5, 0.95, 1.01}) {
        const double f = 1.95, decay = -std::log(kept) * f;
        std::vector<double> samples;
        for (int k = 0; k < 50; ++k) {
            const double t = k / 24.0;
            samples.push_back(0.01 * std::exp(-decay * t) * std::cos(2 * pi * f * t - 0.3) + 1e-3);
        }
        const Vibration found = fit_vibration(samples, 1 / 24.0, 1.8);
        EXPECT_NEAR(found.kept, kept, 1e-4);
        EXPECT_NEAR(found.frequency, f, 1e-4);
    }
}

} // namespace
