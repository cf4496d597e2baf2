#include "referee/protocols/closed_forms.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace muslin::referee {

using std::numbers::pi;

double coulomb_slide(double angle, double mu, double height, double time, double g) {
    const double along = g * std::sin(angle), across = g * std::cos(angle);
    const double fall = std::min(time, std::sqrt(2 * height / across));
    const double speed = std::max(0.0, (along - mu * across) * fall); // after landing
    const double rate = speed > 0 ? along - mu * across : std::max(0.0, along - mu * across);
    const double left = time - fall;
    return 0.5 * along * fall * fall + speed * left + 0.5 * rate * left * left;
}

double coulomb_stop(double speed, double mu, double height, double g) {
    const double fall = std::sqrt(2 * height / g), left = std::max(0.0, speed - mu * g * fall);
    return speed * fall + left * left / (2 * mu * g);
}

double capstan_ratio(double mu, double wrap) {
    return std::exp(mu * wrap);
}

double heavy_capstan(double mu, double near, double radius, double weight) {
    // T = A e^(mu phi) + B cos(phi) + C sin(phi); B = -2 mu radius weight / (1 + mu^2).
    const double b = -2 * mu * radius * weight / (1 + mu * mu);
    return (near - b) * std::exp(mu * pi) - b;
}

double heavy_capstan_lengths(double mu, double hanging, double radius) {
    // far = (near + k) e + k, with near + far = hanging.
    const double k = 2 * mu * radius / (1 + mu * mu), e = std::exp(mu * pi);
    const double near = (hanging - k - k * e) / (1 + e);
    return (hanging - near) / near;
}

double frictionless_slide(double near, double far, double radius, double time, double g) {
    // The part on the rod is in balance: s'' = g (far - near + 2 s) / (near + far + pi radius).
    const double rate = std::sqrt(2 * g / (near + far + pi * radius));
    return 0.5 * (far - near) * (std::cosh(rate * time) - 1);
}

double bessel_j0_zero(int n) {
    // McMahon's first terms are within 1e-2; J0 changes its sign once around them.
    const double b = (n - 0.25) * pi, guess = b + 1 / (8 * b);
    double low = guess - 0.3, high = guess + 0.3;
    const double sign = std::cyl_bessel_j(0, low);
    for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        (std::cyl_bessel_j(0, middle) * sign > 0 ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

namespace {

/// Legendre polynomials on [0, 1] times (1 - x): zero at the hinge. Value and two derivatives.
struct Basis {
    static constexpr int size = 18;
    std::array<double, size> value, first, second;

    explicit Basis(double x) {
        std::array<double, size> p{}, d{}, dd{};
        const double y = 2 * x - 1;
        p[0] = 1;
        p[1] = y;
        d[1] = 1;
        for (int k = 1; k + 1 < size; ++k) {
            p[k + 1] = ((2 * k + 1) * y * p[k] - k * p[k - 1]) / (k + 1);
            d[k + 1] = (2 * k + 1) * p[k] + d[k - 1];
            dd[k + 1] = (2 * k + 1) * d[k] + dd[k - 1];
        }
        for (int k = 0; k < size; ++k) {
            value[k] = (1 - x) * p[k];
            first[k] = -p[k] + (1 - x) * 2 * d[k];
            second[k] = -4 * d[k] + (1 - x) * 4 * dd[k];
        }
    }
};

} // namespace

std::vector<HangingMode> hanging_modes(int count, double length, double density, double rigidity,
                                       double g) {
    // In units of L and of sqrt(L / g): tension x, bending D / (rho_A g L^3).
    const double bend = rigidity / (density * g * length * length * length);
    constexpr int n = Basis::size;
    Eigen::MatrixXd stiffness = Eigen::MatrixXd::Zero(n, n), mass = stiffness;
    constexpr int cells = 200;
    // Three points of Gauss in each cell: exact enough for degree 36.
    const double places[] = {0.5 - std::sqrt(0.15), 0.5, 0.5 + std::sqrt(0.15)};
    const double weights[] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
    for (int c = 0; c < cells; ++c)
        for (int q = 0; q < 3; ++q) {
            const double x = (c + places[q]) / cells, w = weights[q] / cells;
            const Basis b(x);
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < n; ++j) {
                    stiffness(i, j) +=
                        w * (x * b.first[i] * b.first[j] + bend * b.second[i] * b.second[j]);
                    mass(i, j) += w * b.value[i] * b.value[j];
                }
        }
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solved(stiffness, mass);
    std::vector<HangingMode> out;
    for (int k = 0; k < count; ++k) {
        Eigen::VectorXd c = solved.eigenvectors().col(k);
        const Basis end(0);
        double at_end = 0;
        for (int i = 0; i < n; ++i)
            at_end += c[i] * end.value[i];
        c /= at_end;
        HangingMode mode;
        mode.omega = std::sqrt(solved.eigenvalues()[k] * g / length);
        mode.shape = [c](double x) {
            const Basis b(x);
            double sum = 0;
            for (int i = 0; i < n; ++i)
                sum += c[i] * b.value[i];
            return sum;
        };
        mode.slope = [c](double x) {
            const Basis b(x);
            double sum = 0;
            for (int i = 0; i < n; ++i)
                sum += c[i] * b.first[i];
            return sum;
        };
        out.push_back(std::move(mode));
    }
    return out;
}

double plate_period(double length, double angle, double g) {
    // A pendulum of 2 L / 3; K(k) = pi / (2 agm(1, sqrt(1 - k^2))), k = sin(angle / 2).
    double a = 1, b = std::cos(0.5 * angle);
    while (std::abs(a - b) > 1e-15) {
        const double mean = 0.5 * (a + b);
        b = std::sqrt(a * b);
        a = mean;
    }
    return 2 * pi / a * std::sqrt(2 * length / (3 * g));
}

} // namespace muslin::referee
