#pragma once

// Exact bending of a thin strip, for the protocols of docs/validation.md: small solvers of the
// elastica's equations that share nothing with the simulator. tests/validation/bending_test.cpp
// holds them to published values.

#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

namespace muslin::validation {

struct ElasticaEnd {
    double drop = 0, reach = 0; ///< of the free end from the clamp, over the length
    double slope = 0; ///< at the clamp if the end has been guessed; zero when solved [rad]
    /// The same at even places from the free end, where both are zero, to the clamp.
    struct Point {
        double drop, reach;
    };
    std::vector<Point> curve;
};

/// Integrates phi'' = moment(t, phi) from the free end (t = 0, phi' = 0) to the clamp (t = 1); phi
/// is the angle from the vertical. Fourth-order Runge-Kutta.
inline ElasticaEnd from_free_end(double phi, const std::function<double(double, double)>& bend) {
    constexpr int steps = 2000;
    const double h = 1.0 / steps;
    double rate = 0;
    ElasticaEnd out;
    out.curve = {{0, 0}};
    for (int i = 0; i < steps; ++i) {
        const double t = i * h;
        const double k1 = bend(t, phi), p2 = phi + 0.5 * h * rate, r2 = rate + 0.5 * h * k1;
        const double k2 = bend(t + 0.5 * h, p2), p3 = phi + 0.5 * h * r2, r3 = rate + 0.5 * h * k2;
        const double k3 = bend(t + 0.5 * h, p3), p4 = phi + h * r3, r4 = rate + h * k3;
        const double k4 = bend(t + h, p4);
        const double middle = phi + h / 8 * (2 * rate + r2 + r3),
                     end = phi + h / 6 * (rate + 2 * r2 + 2 * r3 + r4);
        // Simpson's rule along the strip.
        out.drop += h / 6 * (std::cos(phi) + 4 * std::cos(middle) + std::cos(end));
        out.reach += h / 6 * (std::sin(phi) + 4 * std::sin(middle) + std::sin(end));
        phi = end;
        rate += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
        out.curve.push_back({out.drop, out.reach});
        if (phi > std::numbers::pi) { // far beyond level: the guess was too large
            out.slope = phi;
            return out;
        }
    }
    out.slope = phi - std::numbers::pi / 2;
    return out;
}

/// The strip that leaves its clamp level. The angle at the free end is sought by its logarithm:
/// strips that hang nearly straight have very small ones.
inline ElasticaEnd clamped_level(const std::function<double(double, double)>& bend) {
    double low = -120, high = std::log(std::numbers::pi / 2);
    for (int i = 0; i < 60; ++i) {
        const double guess = 0.5 * (low + high);
        (from_free_end(std::exp(guess), bend).slope < 0 ? low : high) = guess;
    }
    return from_free_end(std::exp(0.5 * (low + high)), bend);
}

/// A cantilever that bends under its own weight: gamma = rho_A g L^3 / D.
inline ElasticaEnd heavy_cantilever(double gamma) {
    return clamped_level([=](double t, double phi) { return gamma * t * std::sin(phi); });
}

/// A cantilever with a dead load P per width at its end: alpha = P L^2 / D.
inline ElasticaEnd loaded_cantilever(double alpha) {
    return clamped_level([=](double, double phi) { return alpha * std::sin(phi); });
}

/// A strip whose ends, free to turn, were brought together by `shortening` of its length.
struct Buckled {
    double height = 0; ///< of the middle, over the length
    double force = 0;  ///< P L^2 / D
};
inline Buckled buckled(double shortening) {
    const auto of = [](double k, double& less) {
        // The complete elliptic integrals by the arithmetic-geometric mean.
        double a = 1, b = std::sqrt(1 - k * k), c = k, sum = 0.5 * k * k, power = 0.5;
        while (c > 1e-16) {
            const double next = 0.5 * (a + b);
            c = 0.5 * (a - b);
            b = std::sqrt(a * b);
            a = next;
            power *= 2;
            sum += power * c * c;
        }
        const double first = std::numbers::pi / (2 * a), second = first * (1 - sum);
        less = 2 - 2 * second / first;
        return first;
    };
    double low = 1e-9, high = 0.99, less = 0;
    for (int i = 0; i < 100; ++i) {
        const double k = 0.5 * (low + high);
        of(k, less);
        (less < shortening ? low : high) = k;
    }
    const double first = of(low, less);
    return {low / first, 4 * first * first};
}

} // namespace muslin::validation
