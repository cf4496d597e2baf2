#include "muslin/linalg/pcg.h"

#include <cmath>
#include <cstring>

namespace muslin {
namespace {

// Small enough that a few thousand rows divide evenly among threads.
constexpr std::size_t rows_per_range = PackedMatrix::rows_per_range;

// Single precision is some thousand times finer than this.
constexpr double least_for_single = 1e-4;

// Loops over vectors see them as numbers in a row: three quarters of the instructions that a loop
// over triples takes.
const double* numbers(const Vec3* v) {
    return &v->x;
}
double* numbers(Vec3* v) {
    return &v->x;
}

// a . b over `count` vectors, in four sums of four lanes, whose order is fixed: one running sum
// would wait for the addition before it in every row.
double dot_product(const Vec3* a, const Vec3* b, std::size_t count) {
    const double *p = numbers(a), *q = numbers(b);
    const std::size_t n = 3 * count;
    Pack4::Native sums[4] = {};
    std::size_t i = 0;
    for (; i + 16 <= n; i += 16)
        for (std::size_t k = 0; k < 4; ++k) {
            Pack4::Native x, y;
            std::memcpy(&x, p + i + 4 * k, sizeof x);
            std::memcpy(&y, q + i + 4 * k, sizeof y);
            sums[k] += x * y;
        }
    const Pack4::Native four = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    double sum = (four[0] + four[1]) + (four[2] + four[3]);
    for (; i < n; ++i)
        sum += p[i] * q[i];
    return sum;
}

// y += s x.
void add_scaled(double s, const Vec3* x, Vec3* y, std::size_t count) {
    const double* __restrict p = numbers(x);
    double* __restrict q = numbers(y);
    for (std::size_t i = 0; i < 3 * count; ++i)
        q[i] += s * p[i];
}

// y = x + s y.
void scale_and_add(double s, const Vec3* x, Vec3* y, std::size_t count) {
    const double* __restrict p = numbers(x);
    double* __restrict q = numbers(y);
    for (std::size_t i = 0; i < 3 * count; ++i)
        q[i] = p[i] + s * q[i];
}

} // namespace

PcgReport Pcg::solve(const BlockMatrix& a, std::span<const Vec3> b, const Filter& filter,
                     const PcgSettings& settings, std::span<Vec3> x) {
    const std::size_t n = b.size();
    rows_ = n;
    // Rows are taken by fours, and the last is read with its neighbour.
    const std::size_t room = (n + 4) / 4 * 4;
    for (LargeArray<Vec3>* v : {&residual_, &direction_, &product_, &scaled_})
        v->resize(room);
    std::fill(&residual_[n], residual_.data() + room, Vec3{0, 0, 0});
    const int limit = settings.max_iterations.value_or(10 * static_cast<int>(n) + 10);

    PcgReport report;
    if (!set_preconditioner(a, filter, settings)) {
        report.status = PcgReport::Status::breakdown;
        return report;
    }
    estimate_.start(n, settings.accuracy);
    is_packed_ = settings.precision == Precision::single ||
                 (settings.precision == Precision::choose &&
                  (estimate_.is_used() || settings.tolerance >= least_for_single));
    if (is_packed_)
        packed_.set(a);
    Residual now = start(a, b, filter, x);
    report.start = std::sqrt(std::max(now.diagonal, 0.0));
    const double first = std::max(now.diagonal, settings.yardstick * settings.yardstick);
    const double goal = settings.tolerance * settings.tolerance * first;
    const auto is_done = [&] {
        return estimate_.is_used() ? !(now.full > 0) || estimate_.is_met() : now.diagonal <= goal;
    };
    while (!is_done() && report.iterations < limit) {
        const double curvature = multiply_direction(a, filter);
        if (!(curvature > 0)) { // not positive definite, or not a number
            report.status = PcgReport::Status::breakdown;
            break;
        }
        const double before = now.full, length = before / curvature;
        if (estimate_.is_used())
            estimate_.add(length);
        now = descend(length);
        turn_direction(now.full / before, filter, length, x);
        ++report.iterations;
    }
    if (multilevel_ && report.iterations > 0)
        keep_momentum(filter, x);
    if (!(now.full >= 0) || !std::isfinite(now.full))
        report.status = PcgReport::Status::breakdown;
    else if (!is_done() && report.status == PcgReport::Status::converged)
        report.status = PcgReport::Status::iteration_limit;
    report.residual = first > 0 ? std::sqrt(now.diagonal / first) : 0;
    report.error = estimate_.error();
    return report;
}

// The norm that tells when to stop weighs stiff motions; that of a whole cloth, which only mass
// resists, it hardly sees. So what is left of it goes at the end, however early that comes.
void Pcg::keep_momentum(const Filter& filter, std::span<Vec3> x) {
    levels_.correct_last(residual_.data());
    parallel_for(rows_, rows_per_range, [&](std::size_t begin, std::size_t end) {
        std::fill(&scaled_[begin], &scaled_[end], Vec3{0, 0, 0});
        levels_.turn(begin, end, 0, scaled_.data(), direction_.data());
        filter.apply(static_cast<int>(begin), static_cast<int>(end), direction_.data());
        add_scaled(1, &direction_[begin], &x[begin], end - begin);
    });
}

bool Pcg::set_preconditioner(const BlockMatrix& a, const Filter& filter,
                             const PcgSettings& settings) {
    multilevel_ = settings.preconditioner == Preconditioner::multilevel;
    using Keep = Multilevel::Keep;
    return invert_diagonal(a, settings.preconditioner) &&
           (!multilevel_ || levels_.set(a, filter, settings.again ? Keep::pattern : Keep::nothing));
}

// P^-1 of the diagonal blocks; false where a block is not positive definite.
bool Pcg::invert_diagonal(const BlockMatrix& a, Preconditioner kind) {
    inverse_.resize((rows_ + 3) / 4);
    const double bad = parallel_sum<double>(
        rows_, rows_per_range, partials_, [&](std::size_t begin, std::size_t end) {
            double count = 0;
            Mat3 blocks[rows_per_range];
            a.diagonal_blocks(static_cast<int>(begin), static_cast<int>(end), blocks);
            for (std::size_t i = begin; i < end; ++i) {
                Mat3 d = blocks[i - begin];
                if (kind == Preconditioner::diagonal)
                    d = {{{d(0, 0), 0, 0}, {0, d(1, 1), 0}, {0, 0, d(2, 2)}}};
                count += is_positive_definite(d) ? 0 : 1;
                const SymmetricBlock inv = inverse_of_symmetric(d);
                for (std::size_t e = 0; e < 6; ++e)
                    inverse_[i / 4][e].set(static_cast<int>(i % 4), inv[e]);
            }
            return count;
        });
    return bad == 0;
}

// s = D^-1 r in one range of rows; returns r . s. Ranges begin at multiples of four, and all
// vectors here have room for four.
double Pcg::scale_range(std::size_t begin, std::size_t end) {
    Pack4::Native sum = {};
    for (std::size_t i = begin; i < end; i += 4) {
        const Columns4 r = load_columns(&residual_[i].x);
        const Columns4 s = multiply(inverse_[i / 4], r);
        store_columns(s, &scaled_[i].x);
        sum += r.x * s.x + (r.y * s.y + r.z * s.z);
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// Finds the part of P^-1 r that comes from levels, to be added to s where the direction is turned.
Pcg::Residual Pcg::correct(double diagonal) {
    return {diagonal, multilevel_ ? diagonal + levels_.correct(residual_.data()) : diagonal};
}

// Lines 2 to 6: r = filter(b - A z), c = filter(P^-1 r).
Pcg::Residual Pcg::start(const BlockMatrix& a, std::span<const Vec3> b, const Filter& filter,
                         std::span<const Vec3> x) {
    const double diagonal = parallel_sum<double>(
        b.size(), rows_per_range, partials_, [&](std::size_t begin, std::size_t end) {
            const int from = static_cast<int>(begin), to = static_cast<int>(end);
            a.multiply_rows(from, to, x.data(), product_.data());
            for (std::size_t i = begin; i < end; ++i) {
                residual_[i] = b[i] - product_[i];
                direction_[i] = {0, 0, 0};
            }
            filter.apply(from, to, residual_.data());
            return scale_range(begin, end);
        });
    const Residual out = correct(diagonal);
    turn_direction(0, filter, 0, {});
    return out;
}

// Line 8: q = filter(A c), returns c . q.
double Pcg::multiply_direction(const BlockMatrix& a, const Filter& filter) {
    return is_packed_ ? multiply_direction_by(packed_, filter) : multiply_direction_by(a, filter);
}

template <class Matrix>
double Pcg::multiply_direction_by(const Matrix& a, const Filter& filter) {
    return parallel_sum<double>(
        rows_, rows_per_range, partials_, [&](std::size_t begin, std::size_t end) {
            const int from = static_cast<int>(begin), to = static_cast<int>(end);
            a.multiply_rows(from, to, direction_.data(), product_.data());
            filter.apply(from, to, product_.data());
            return dot_product(&direction_[begin], &product_[begin], end - begin);
        });
}

// Lines 11 to 14: r -= alpha q, s = P^-1 r.
Pcg::Residual Pcg::descend(double alpha) {
    const double diagonal = parallel_sum<double>(
        rows_, rows_per_range, partials_, [&](std::size_t begin, std::size_t end) {
            add_scaled(-alpha, &product_[begin], &residual_[begin], end - begin);
            return scale_range(begin, end);
        });
    return correct(diagonal);
}

// Lines 10 and 15: x += alpha c here, where c is at hand, then c = filter(s + beta c), with the
// levels' part of s. An empty x stays.
void Pcg::turn_direction(double beta, const Filter& filter, double alpha, std::span<Vec3> x) {
    parallel_for(rows_, rows_per_range, [&](std::size_t begin, std::size_t end) {
        if (!x.empty())
            add_scaled(alpha, &direction_[begin], &x[begin], end - begin);
        if (multilevel_)
            levels_.turn(begin, end, beta, scaled_.data(), direction_.data());
        else
            scale_and_add(beta, &scaled_[begin], &direction_[begin], end - begin);
        filter.apply(static_cast<int>(begin), static_cast<int>(end), direction_.data());
        if (estimate_.is_used())
            estimate_.ranges()[begin / rows_per_range] = judge_range(begin, end);
    });
}

// The sum of r . P^-1 r / mass over a range of rows.
double Pcg::judge_range(std::size_t begin, std::size_t end) const {
    const double* mass = estimate_.mass();
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) {
        Vec3 z = scaled_[i];
        if (multilevel_)
            z += levels_.correction(i);
        sum += dot(residual_[i], z) / mass[i];
    }
    return sum;
}

void Pcg::ErrorEstimate::start(std::size_t rows, const PcgAccuracy& accuracy) {
    accuracy_ = accuracy;
    rows_ = rows;
    iterations_ = 0;
    error_ = 0;
    if (!is_used())
        return;
    ranges_.assign((rows + rows_per_range - 1) / rows_per_range, 0.0);
    const std::size_t patches = (ranges_.size() + per_patch - 1) / per_patch;
    recent_.assign(window * patches, 0.0);
    total_.assign(patches, 0.0);
}

void Pcg::ErrorEstimate::add(double alpha) {
    const std::size_t patches = total_.size();
    double* now = recent_.data() + patches * static_cast<std::size_t>(iterations_ % window);
    error_ = 0;
    met_ = true;
    for (std::size_t p = 0; p < patches; ++p) {
        const std::size_t from = per_patch * p, to = std::min(from + per_patch, ranges_.size());
        double sum = 0;
        for (std::size_t k = from; k < to; ++k)
            sum += ranges_[k];
        now[p] = alpha * sum;
        total_[p] += now[p];
        double lately = 0;
        for (std::size_t w = 0; w < window; ++w)
            lately += recent_[patches * w + p];
        const double count =
            static_cast<double>(std::min(to * rows_per_range, rows_) - from * rows_per_range);
        error_ = std::max(error_, lately / count);
        met_ = met_ && lately / count <= goal_of(p, total_[p] / count);
    }
    ++iterations_;
}

// The squared error that a patch may have, whose squared change so far is `total`.
double Pcg::ErrorEstimate::goal_of(std::size_t patch, double total) const {
    const auto squared = [](double a) { return a * a; };
    const double most = squared(accuracy_.error), least = squared(accuracy_.least) * most;
    const double goal = accuracy_.errors.empty()
                            ? std::clamp(squared(accuracy_.relative) * total, least, most)
                            : squared(accuracy_.errors[patch]);
    const double refined = accuracy_.reduction > 0 ? most : 0;
    return std::max({goal, refined, squared(accuracy_.reduction) * total});
}

} // namespace muslin
