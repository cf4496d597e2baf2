#include "muslin/linalg/pcg.h"

#include <cmath>

namespace muslin {
namespace {

// Small enough that a few thousand rows divide evenly among threads.
constexpr std::size_t rows_per_range = 128;

Vec3 precondition(const std::array<double, 6>& p, const Vec3& r) {
    return {p[0] * r.x + p[5] * r.y + p[4] * r.z, p[5] * r.x + p[1] * r.y + p[3] * r.z,
            p[4] * r.x + p[3] * r.y + p[2] * r.z};
}

// All leading minors are positive (Sylvester).
bool is_positive_definite(const Mat3& d) {
    return d(0, 0) > 0 && d(0, 0) * d(1, 1) - d(0, 1) * d(1, 0) > 0 && determinant(d) > 0;
}

} // namespace

PcgReport Pcg::solve(const BlockMatrix& a, std::span<const Vec3> b, const Filter& filter,
                     const PcgSettings& settings, std::span<Vec3> x) {
    const std::size_t n = b.size();
    residual_.resize(n);
    direction_.resize(n);
    product_.resize(n);
    scaled_.resize(n);
    const int limit = settings.max_iterations.value_or(10 * static_cast<int>(n) + 10);

    PcgReport report;
    if (!set_preconditioner(a, settings.preconditioner)) {
        report.status = PcgReport::Status::breakdown;
        return report;
    }
    double delta = start(a, b, filter, x);
    const double delta_start = delta;
    const double goal = settings.tolerance * settings.tolerance * delta_start;
    while (delta > goal && report.iterations < limit) {
        const double curvature = multiply_direction(a, filter);
        if (!(curvature > 0)) { // not positive definite, or not a number
            report.status = PcgReport::Status::breakdown;
            break;
        }
        const double delta_old = delta;
        delta = descend(delta_old / curvature, x);
        turn_direction(delta / delta_old, filter);
        ++report.iterations;
    }
    if (!(delta >= 0) || !std::isfinite(delta))
        report.status = PcgReport::Status::breakdown;
    else if (delta > goal && report.status == PcgReport::Status::converged)
        report.status = PcgReport::Status::iteration_limit;
    report.residual = delta_start > 0 ? std::sqrt(delta / delta_start) : 0;
    return report;
}

// P^-1 of the diagonal blocks; false where a block is not positive definite.
bool Pcg::set_preconditioner(const BlockMatrix& a, Preconditioner kind) {
    const std::size_t n = residual_.size();
    inverse_.resize(n);
    const double bad =
        parallel_sum<double>(n, rows_per_range, partials_, [&](std::size_t begin, std::size_t end) {
            double count = 0;
            for (std::size_t i = begin; i < end; ++i) {
                const Mat3 d = a.diagonal_block(static_cast<int>(i));
                if (kind == Preconditioner::diagonal) {
                    inverse_[i] = {1 / d(0, 0), 1 / d(1, 1), 1 / d(2, 2), 0, 0, 0};
                    count += d(0, 0) > 0 && d(1, 1) > 0 && d(2, 2) > 0 ? 0 : 1;
                } else {
                    const Mat3 inv = inverse(d);
                    inverse_[i] = {inv(0, 0), inv(1, 1), inv(2, 2),
                                   inv(1, 2), inv(0, 2), inv(0, 1)};
                    count += is_positive_definite(d) ? 0 : 1;
                }
            }
            return count;
        });
    return bad == 0;
}

// Lines 2 to 6: r = filter(b - A z), c = filter(P^-1 r), returns delta = r . c.
double Pcg::start(const BlockMatrix& a, std::span<const Vec3> b, const Filter& filter,
                  std::span<const Vec3> x) {
    return parallel_sum<double>(
        b.size(), rows_per_range, partials_, [&](std::size_t begin, std::size_t end) {
            const int from = static_cast<int>(begin), to = static_cast<int>(end);
            a.multiply_rows(from, to, x.data(), product_.data());
            for (std::size_t i = begin; i < end; ++i)
                residual_[i] = b[i] - product_[i];
            filter.apply(from, to, residual_.data());
            for (std::size_t i = begin; i < end; ++i)
                direction_[i] = precondition(inverse_[i], residual_[i]);
            filter.apply(from, to, direction_.data());
            double sum = 0;
            for (std::size_t i = begin; i < end; ++i)
                sum += dot(residual_[i], direction_[i]);
            return sum;
        });
}

// Line 8: q = filter(A c), returns c . q.
double Pcg::multiply_direction(const BlockMatrix& a, const Filter& filter) {
    return parallel_sum<double>(
        residual_.size(), rows_per_range, partials_, [&](std::size_t begin, std::size_t end) {
            const int from = static_cast<int>(begin), to = static_cast<int>(end);
            a.multiply_rows(from, to, direction_.data(), product_.data());
            filter.apply(from, to, product_.data());
            double sum = 0;
            for (std::size_t i = begin; i < end; ++i)
                sum += dot(direction_[i], product_[i]);
            return sum;
        });
}

// Lines 10 to 14: x += alpha c, r -= alpha q, s = P^-1 r, returns r . s.
double Pcg::descend(double alpha, std::span<Vec3> x) {
    return parallel_sum<double>(residual_.size(), rows_per_range, partials_,
                                [&](std::size_t begin, std::size_t end) {
                                    double sum = 0;
                                    for (std::size_t i = begin; i < end; ++i) {
                                        x[i] += alpha * direction_[i];
                                        const Vec3 r = residual_[i] - alpha * product_[i];
                                        const Vec3 s = precondition(inverse_[i], r);
                                        residual_[i] = r;
                                        scaled_[i] = s;
                                        sum += dot(r, s);
                                    }
                                    return sum;
                                });
}

// Line 15: c = filter(s + beta c).
void Pcg::turn_direction(double beta, const Filter& filter) {
    parallel_for(residual_.size(), rows_per_range, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            direction_[i] = scaled_[i] + beta * direction_[i];
        filter.apply(static_cast<int>(begin), static_cast<int>(end), direction_.data());
    });
}

} // namespace muslin
