#pragma once

#include "linalg/dense.h"
#include "muslin/linalg/pcg.h"

// Linear problems for the solver's tests.
namespace muslin::test {

inline PcgSettings tight(Preconditioner preconditioner) {
    return {.tolerance = 1e-13, .max_iterations = {}, .preconditioner = preconditioner};
}

/// A random symmetric positive definite matrix as a cloth makes one: masses, and springs between
/// pairs that resist in random directions.
struct Problem {
    BlockMatrix a;
    std::vector<Vec3> b;

    Problem(Random& random, int rows, int springs, double mass_low = 0.5, double mass_high = 2) {
        std::vector<std::array<int, 2>> pairs;
        for (int k = 0; k < springs; ++k)
            pairs.push_back({random.index(rows), random.index(rows)});
        a.set_pattern(rows, pairs);
        for (int i = 0; i < rows; ++i) // evenly over the decades
            a.add_diagonal(
                i, Mat3::diagonal(mass_low * std::pow(mass_high / mass_low, random.uniform())));
        for (const auto& [i, j] : pairs) {
            const Vec3 d = random.unit();
            const Mat3 k = random.uniform(0, 2 * mass_low) * outer(d, d);
            if (i == j)
                continue;
            a.add(a.slot(i, i), k);
            a.add(a.slot(j, j), k);
            a.add(a.slot(i, j), -1.0 * k);
            a.add(a.slot(j, i), -1.0 * k);
        }
        b = random.vecs(rows);
    }
};

/// About half of the particles held in one, two or three directions.
struct Constrained {
    Filter filter;
    std::vector<Vec3> z;  ///< in held directions alone
    Eigen::MatrixXd free; ///< orthonormal columns: the free directions
    Eigen::MatrixXd held; ///< I - S

    Constrained(Random& random, int rows, bool with_dense = true) : z(rows, {0, 0, 0}) {
        std::vector<Eigen::VectorXd> columns;
        if (with_dense)
            held = Eigen::MatrixXd::Zero(3 * rows, 3 * rows);
        for (int i = 0; i < rows; ++i) {
            const Mat3 frame = random.rotation(); // its columns are the directions
            const int count = random.coin() ? 1 + random.index(3) : 0;
            Mat3 projection = Mat3::identity();
            for (int k = 0; k < 3; ++k) {
                const Vec3 d = {frame(0, k), frame(1, k), frame(2, k)};
                if (k < count) {
                    projection = projection - outer(d, d);
                    z[i] += random.uniform(-1, 1) * d;
                } else if (with_dense) {
                    columns.push_back(Eigen::VectorXd::Zero(3 * rows));
                    columns.back().segment<3>(3 * i) = eigen(d);
                }
            }
            if (count == 0)
                continue;
            if (count == 3)
                projection = Mat3::zero();
            filter.particles.push_back(i);
            filter.projection.push_back(projection);
            if (with_dense)
                held.block<3, 3>(3 * i, 3 * i) = eigen(Mat3::identity() - projection);
        }
        if (!with_dense)
            return;
        free.resize(3 * rows, static_cast<Eigen::Index>(columns.size()));
        for (std::size_t k = 0; k < columns.size(); ++k)
            free.col(static_cast<Eigen::Index>(k)) = columns[k];
    }
};

/// The procedure modified-pcg of [BW98 5.3] without constraints, as printed, or with lines 5 and 12
/// read as they must be (divide by A_ii) and line 3 as printed.
enum class PrintedReading { as_printed, only_line_3 };
struct PrintedReport {
    int iterations = 0;
};
inline PrintedReport printed_pcg(const Eigen::MatrixXd& a, const Eigen::VectorXd& b, double epsilon,
                                 PrintedReading reading, int limit) {
    const Eigen::VectorXd diagonal = a.diagonal();
    Eigen::VectorXd p, inverse_p;
    if (reading == PrintedReading::as_printed) {
        p = diagonal.cwiseInverse(); // "P_ii = 1 / A_ii"
        inverse_p = diagonal;
    } else {
        p = diagonal;
        inverse_p = diagonal.cwiseInverse();
    }
    PrintedReport report;
    Eigen::VectorXd dv = Eigen::VectorXd::Zero(b.size());
    const double delta_0 = b.dot(p.cwiseProduct(b));
    Eigen::VectorXd r = b - a * dv;
    Eigen::VectorXd c = inverse_p.cwiseProduct(r);
    double delta_new = r.dot(c);
    while (delta_new > epsilon * epsilon * delta_0 && report.iterations < limit) {
        const Eigen::VectorXd q = a * c;
        const double alpha = delta_new / c.dot(q);
        dv += alpha * c;
        r -= alpha * q;
        const Eigen::VectorXd s = inverse_p.cwiseProduct(r);
        const double delta_old = delta_new;
        delta_new = r.dot(s);
        c = s + delta_new / delta_old * c;
        ++report.iterations;
    }
    return report;
}

} // namespace muslin::test
