// RowAssembly against the sum of all records, one element after the other.
#include "muslin/forces/row_assembly.h"

#include "forces/cloth.h"
#include "linalg/dense.h"
#include "muslin/base/parallel.h"
#include "muslin/forces/bend.h"
#include "muslin/forces/stretch_shear.h"

#include <cstring>

namespace muslin::test {
namespace {

constexpr double h = 0.02;

/// A crumpled, moving sheet.
struct Problem {
    Sheet sheet;
    StretchShearForce in_plane{sheet.model};
    BendForce bend{sheet.model};
    std::vector<std::array<int, 2>> pairs;
    std::vector<Vec3> x, v, d;

    explicit Problem(int vertices) : sheet(irregular_sheet(vertices, 5)) {
        Random random(6);
        x = crumpled(sheet, random);
        v = random.vecs(sheet.particles(), 3);
        d = random.vecs(sheet.particles(), 0.01);
        in_plane.append_pairs(pairs);
        bend.append_pairs(pairs);
    }
    Kinematics at() const { return {x, v}; }
    Linearisation step() const { return {h, d}; }
};

/// Adds what the records of `elements` say to a dense matrix and to the forces.
void add_records(const Problem& p, const RecordedElements& elements, Eigen::MatrixXd& a,
                 Eigen::VectorXd& f) {
    const auto form = elements.record_form();
    const int size = RecordedElements::record_size(form);
    const int corners = RecordedElements::corner_count(form);
    const std::span<const int> particle = elements.element_particles();
    const int count = static_cast<int>(particle.size()) / corners;
    const auto add = [&](int i, int j, const Eigen::Matrix3d& block) {
        a.block<3, 3>(3 * i, 3 * j) += block;
    };
    for (int e = 0; e < count; ++e) {
        std::vector<double> four(4 * size);
        elements.record(std::array{e / 4}, p.at(), p.step(), four.data());
        const double* record = four.data() + e % 4 * size;
        const int* of = particle.data() + e * corners;
        for (int i = 0; i < corners; ++i) {
            if (form == RecordedElements::Form::blocks) {
                const Eigen::Matrix3d block = Eigen::Map<const Eigen::Matrix3d>(record + 9 * i);
                const int j = (i + 1) % 3;
                add(of[i], of[j], block);
                add(of[j], of[i], block.transpose());
                add(of[i], of[i], -block);
                add(of[j], of[j], -block.transpose());
                f.segment<3>(3 * of[i]) += Eigen::Map<const Eigen::Vector3d>(record + 27 + 3 * i);
                continue;
            }
            const Eigen::Vector3d g = Eigen::Map<const Eigen::Vector3d>(record + 4 * i);
            f.segment<3>(3 * of[i]) += record[7] * g;
            for (int j = 0; j < 4; ++j)
                add(of[i], of[j],
                    record[3] * g * Eigen::Map<const Eigen::Vector3d>(record + 4 * j).transpose());
        }
    }
}

/// All numbers of the pattern part.
std::vector<double> values(BlockMatrix& a) {
    return {a.values(0), a.values(a.block_count())};
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

TEST(RowAssembly, IsTheSumOfAllRecords) {
    for (int vertices : {16, 60, 700}) { // the last has more than one patch
        Problem p(vertices);
        const int n = p.sheet.particles();
        // Places that other forces have must not keep what was in them.
        p.pairs.push_back({0, n - 1});
        BlockMatrix a;
        a.set_pattern(n, p.pairs);
        a.add(a.slot(0, n - 1), Mat3::identity());
        a.add(a.slot(n - 1, 0), Mat3::identity());
        const RowAssembly rows(a, {&p.in_plane, &p.bend});
        std::vector<Vec3> f(n, {1, 2, 3});
        rows.set(p.sheet.model.mass, p.at(), p.step(), f, a);

        Eigen::MatrixXd reference = Eigen::MatrixXd::Zero(3 * n, 3 * n);
        Eigen::VectorXd force(3 * n);
        for (int i = 0; i < n; ++i) {
            reference.block<3, 3>(3 * i, 3 * i).diagonal().setConstant(p.sheet.model.mass[i]);
            force.segment<3>(3 * i) = Eigen::Vector3d(1, 2, 3);
        }
        add_records(p, p.in_plane, reference, force);
        add_records(p, p.bend, reference, force);
        EXPECT_LT(relative_difference(dense(a), reference), 1e-13) << vertices;
        EXPECT_LT(relative_difference(flat(f), force), 1e-13) << vertices;
        const Eigen::MatrixXd whole = dense(a);
        EXPECT_EQ((whole - whole.transpose()).cwiseAbs().maxCoeff(), 0) << vertices;
        EXPECT_EQ((whole.block<3, 3>(0, 3 * (n - 1))).cwiseAbs().maxCoeff(), 0);
    }
}

// The larger matrix is written past the cache.
TEST(RowAssembly, SetIsAddToAMatrixOfMassesOnAnyNumberOfThreads) {
    for (int vertices : {3000, 21000}) {
        const Problem p(vertices);
        const int n = p.sheet.particles();
        BlockMatrix a;
        a.set_pattern(n, p.pairs);
        const RowAssembly rows(a, {&p.in_plane, &p.bend});
        const std::vector<Vec3> zero(n, {0, 0, 0});
        std::vector<Vec3> force = zero;
        a.reset(p.sheet.model.mass);
        rows.add(p.at(), p.step(), force, a);
        const std::vector<double> added = values(a);
        for (int threads : {1, 2, 3}) {
            set_thread_count(threads);
            std::vector<Vec3> f = zero;
            rows.set(p.sheet.model.mass, p.at(), p.step(), f, a);
            EXPECT_TRUE(same_bits(values(a), added)) << vertices << ", " << threads << " threads";
            EXPECT_EQ(std::memcmp(f.data(), force.data(), f.size() * sizeof(Vec3)), 0);
        }
        set_thread_count(0);
    }
}

TEST(RowAssembly, OfNoElementsSetsTheMasses) {
    BlockMatrix a;
    a.set_pattern(3, std::vector<std::array<int, 2>>{{0, 2}});
    a.add(a.slot(0, 2), Mat3::identity());
    std::vector<Vec3> f(3, {0, 0, 0});
    RowAssembly(a, {}).set(std::vector<double>{1, 2, 3}, {}, {h, {}}, f, a);
    Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(9, 9);
    for (int i = 0; i < 9; ++i)
        expected(i, i) = 1 + i / 3;
    EXPECT_EQ((dense(a) - expected).cwiseAbs().maxCoeff(), 0);
}

} // namespace
} // namespace muslin::test
