#pragma once

#include "muslin/linalg/block_matrix.h"
#include "muslin/math/vec.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <sstream>
#include <vector>

// Random data, and dense linear algebra as the referee of the sparse one.
namespace muslin::test {

/// The same numbers on every machine: the standard's distributions may differ between libraries.
class Random {
public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}

    double uniform(double low = 0, double high = 1) {
        return low + (high - low) * 0x1p-53 * static_cast<double>(engine_() >> 11);
    }
    int index(int count) { return std::min(static_cast<int>(uniform(0, count)), count - 1); }
    bool coin() { return engine_() >> 63 != 0; }
    double sign() { return coin() ? 1.0 : -1.0; }
    /// Each component in [-size, size].
    Vec3 vec(double size = 1) {
        const double x = uniform(-size, size), y = uniform(-size, size);
        return {x, y, uniform(-size, size)};
    }
    Vec3 unit() {
        for (;;)
            if (const Vec3 v = vec(); norm(v) > 0.1 && norm(v) < 1)
                return normalized(v);
    }
    Mat3 mat(double size = 1) {
        Mat3 m;
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c)
                m(r, c) = uniform(-size, size);
        return m;
    }
    Mat3 rotation() {
        const Vec3 a = unit(), b = normalized(cross(a, unit())), c = cross(a, b);
        return {{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}}};
    }
    std::vector<Vec3> vecs(int count, double size = 1) {
        std::vector<Vec3> out(count);
        for (Vec3& v : out)
            v = vec(size);
        return out;
    }

private:
    std::mt19937_64 engine_;
};

inline Eigen::Vector3d eigen(const Vec3& v) {
    return {v.x, v.y, v.z};
}
inline Eigen::Matrix3d eigen(const Mat3& m) {
    Eigen::Matrix3d out;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            out(r, c) = m(r, c);
    return out;
}
inline Vec3 vec3(const Eigen::Vector3d& v) {
    return {v.x(), v.y(), v.z()};
}

// What takes the compiler long is compiled once: support/dense.cpp.
Eigen::VectorXd flat(std::span<const Vec3> values);
std::vector<Vec3> unflat(const Eigen::VectorXd& values);

Eigen::MatrixXd dense(const BlockMatrix& a);

/// The nearest positive semi-definite matrix, by all eigenvectors.
Eigen::MatrixXd clamp_eigenvalues(const Eigen::MatrixXd& symmetric);
/// Increasing.
Eigen::VectorXd eigenvalues(const Eigen::MatrixXd& symmetric);
double smallest_eigenvalue(const Eigen::MatrixXd& symmetric);
/// By Cholesky's factors.
Eigen::VectorXd solve(const Eigen::MatrixXd& positive_definite, const Eigen::VectorXd& b);
bool is_positive_definite(const Eigen::MatrixXd& symmetric);

/// The largest entry of a difference against the larger of the reference's largest entry and
/// `floor`, the size below which the quantity counts as zero.
double relative_difference(const Eigen::Ref<const Eigen::MatrixXd>& value,
                           const Eigen::Ref<const Eigen::MatrixXd>& reference, double floor = 0);

/// The worst of many relative errors, held to a limit and kept in the test's report.
class Worst {
public:
    Worst(const char* what, double limit) : what_(what), limit_(limit) {}
    Worst(const Worst&) = delete;
    Worst& operator=(const Worst&) = delete;
    ~Worst() {
        EXPECT_GT(samples_, 0) << what_;
        EXPECT_LE(value_, limit_) << what_ << ", sample " << sample_ << " of " << samples_;
        std::ostringstream text;
        text << value_ << " (limit " << limit_ << ", " << samples_ << " samples)";
        testing::Test::RecordProperty(what_, text.str());
    }
    void add(double error) {
        if (!(error <= value_)) { // not a number is worst
            value_ = error;
            sample_ = samples_;
        }
        ++samples_;
    }

private:
    const char* what_;
    double limit_, value_ = 0;
    long samples_ = 0, sample_ = 0;
};

} // namespace muslin::test
