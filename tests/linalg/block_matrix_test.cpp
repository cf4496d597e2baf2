// BlockMatrix against a dense matrix: the pattern part with its slots, and the overlay that gains
// and loses blocks from one step to the next [BW98 2.3].
#include "muslin/linalg/block_matrix.h"

#include "linalg/dense.h"
#include "muslin/base/parallel.h"

#include <set>

namespace muslin::test {
namespace {

using Pairs = std::vector<std::array<int, 2>>;

Pairs random_pairs(Random& random, int rows, int count) {
    Pairs pairs;
    while (static_cast<int>(pairs.size()) < count) {
        const int i = random.index(rows), j = random.index(rows);
        pairs.push_back({i, j});
        if (random.coin()) // the same place again, in either order
            pairs.push_back(random.coin() ? std::array{i, j} : std::array{j, i});
    }
    return pairs;
}

double product_error(const BlockMatrix& a, const Eigen::MatrixXd& reference, Random& random) {
    const std::vector<Vec3> x = random.vecs(a.rows());
    std::vector<Vec3> y = random.vecs(a.rows()); // what was in y must not matter
    a.multiply(x, y);
    return relative_difference(flat(y), (reference * flat(x)).eval());
}

TEST(BlockMatrix, PatternHasTheDiagonalAndBothPlacesOfEveryPairOnce) {
    Random random(1);
    for (int rows : {1, 2, 7, 60}) {
        const Pairs pairs = random_pairs(random, rows, 3 * rows);
        BlockMatrix a;
        a.set_pattern(rows, pairs);
        std::set<std::pair<int, int>> places;
        for (int i = 0; i < rows; ++i)
            places.insert({i, i});
        for (const auto& [i, j] : pairs) {
            places.insert({i, j});
            places.insert({j, i});
        }
        EXPECT_EQ(a.rows(), rows);
        EXPECT_EQ(a.block_count(), static_cast<int>(places.size()));
        std::set<int> slots;
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < rows; ++j) {
                const int slot = a.slot(i, j);
                EXPECT_EQ(slot >= 0, places.contains({i, j})) << i << " " << j;
                if (slot >= 0) {
                    EXPECT_LT(slot, a.block_count());
                    EXPECT_TRUE(slots.insert(slot).second);
                }
            }
    }
}

TEST(BlockMatrix, AddBySlotAndMultiplyMatchDense) {
    Random random(2);
    Worst product("product", 1e-14);
    for (int rows : {1, 2, 5, 40, 700}) {
        const Pairs pairs = random_pairs(random, rows, 2 * rows);
        BlockMatrix a;
        a.set_pattern(rows, pairs);
        Eigen::MatrixXd reference = Eigen::MatrixXd::Zero(3 * rows, 3 * rows);
        for (int k = 0; k < 6 * rows; ++k) {
            const auto& pair = pairs[random.index(static_cast<int>(pairs.size()))];
            const int i = pair[k % 2], j = pair[1 - k % 2];
            const Mat3 value = random.mat();
            a.add(a.slot(i, j), value);
            reference.block<3, 3>(3 * i, 3 * j) += eigen(value);
        }
        for (int i = 0; i < rows; ++i) {
            const Mat3 value = random.mat();
            a.add_diagonal(i, value);
            reference.block<3, 3>(3 * i, 3 * i) += eigen(value);
        }
        if (rows <= 40) {
            EXPECT_EQ((dense(a) - reference).cwiseAbs().maxCoeff(), 0);
        }
        product.add(product_error(a, reference, random));
    }
}

TEST(BlockMatrix, ResetKeepsThePatternAndSetsAScaledDiagonal) {
    Random random(3);
    const int rows = 30;
    BlockMatrix a;
    a.set_pattern(rows, random_pairs(random, rows, 80));
    const int blocks = a.block_count();
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < rows; ++j)
            if (const int slot = a.slot(i, j); slot >= 0)
                a.add(slot, random.mat());
    std::vector<double> diagonal(rows);
    for (double& d : diagonal)
        d = random.uniform(-1, 1);
    a.reset(diagonal);
    Eigen::MatrixXd reference = Eigen::MatrixXd::Zero(3 * rows, 3 * rows);
    for (int i = 0; i < rows; ++i)
        reference.block<3, 3>(3 * i, 3 * i).diagonal().setConstant(diagonal[i]);
    EXPECT_EQ(a.block_count(), blocks);
    EXPECT_EQ((dense(a) - reference).cwiseAbs().maxCoeff(), 0);
}

TEST(BlockMatrix, AddPackedIsFourAddsInTheOrderOfTheLanes) {
    Random random(4);
    const int rows = 12;
    const Pairs pairs = random_pairs(random, rows, 30);
    BlockMatrix packed, single;
    packed.set_pattern(rows, pairs);
    single.set_pattern(rows, pairs);
    for (int trial = 0; trial < 400; ++trial) {
        const int lanes = 1 + trial % 4;
        Mat3T<Pack4> value;
        Mat3 one[4];
        int slots[4] = {-1, -1, -1, -1}; // unused lanes have no slot: they must not be touched
        for (int l = 0; l < 4; ++l) {
            one[l] = random.mat();
            for (int r = 0; r < 3; ++r)
                for (int c = 0; c < 3; ++c)
                    value(r, c).set(l, one[l](r, c));
        }
        for (int l = 0; l < lanes; ++l) // small numbers, so that lanes share slots; the last too
            slots[l] = random.coin() ? random.index(4) : packed.block_count() - 1;
        packed.add_packed(slots, lanes, value);
        for (int l = 0; l < lanes; ++l)
            single.add(slots[l], one[l]);
    }
    EXPECT_EQ((dense(packed) - dense(single)).cwiseAbs().maxCoeff(), 0);
}

// Elements add one of the two blocks of a pair, to either place, one by one or four at a time; what
// has both of its points in one particle has both blocks on the diagonal.
TEST(BlockMatrix, FinishSetsBothPlacesOfAPair) {
    Random random(17);
    const int rows = 700;
    const auto pairs = random_pairs(random, rows, 2500);
    BlockMatrix a;
    a.set_pattern(rows, pairs);
    a.reset(std::vector<double>(rows, 3.0));
    Eigen::MatrixXd reference = dense(a);
    const auto expect = [&](int i, int j, const Mat3& block) {
        reference.block<3, 3>(3 * i, 3 * j) += eigen(block);
        reference.block<3, 3>(3 * j, 3 * i) += eigen(block).transpose();
    };
    for (std::size_t k = 0; k + 4 <= pairs.size(); k += 4) {
        int slots[4], mirrored[4];
        Mat3T<Pack4> value;
        const bool packed = random.coin();
        for (int l = 0; l < 4; ++l) {
            auto [i, j] = pairs[k + l];
            if (random.coin())
                std::swap(i, j);
            if (random.index(10) == 0)
                j = i;
            slots[l] = a.slot(i, j);
            mirrored[l] = a.slot(j, i);
            const Mat3 block = random.mat();
            expect(i, j, block);
            if (!packed)
                a.add_pair(slots[l], mirrored[l], block);
            for (int r = 0; r < 3; ++r)
                for (int c = 0; c < 3; ++c)
                    value(r, c).set(l, block(r, c));
        }
        if (packed)
            a.add_pair_packed(slots, mirrored, 4, value);
    }
    a.mirror_pairs();
    EXPECT_LT(relative_difference(dense(a), reference), 1e-14);
    const Eigen::MatrixXd whole = dense(a);
    EXPECT_LT(relative_difference(whole, whole.transpose()), 1e-15); // sums on the diagonal round
}

// Contacts come and go: an overlay replaces the one before, in the pattern's places and outside.
TEST(BlockMatrix, OverlayGainsAndLosesBlocks) {
    Random random(5);
    const int rows = 25;
    BlockMatrix a;
    a.set_pattern(rows, random_pairs(random, rows, 40));
    for (int i = 0; i < rows; ++i)
        a.add_diagonal(i, random.mat());
    const Eigen::MatrixXd pattern_part = dense(a);
    Worst sum("block", 1e-14), product("product", 1e-14);
    for (int step = 0; step < 60; ++step) {
        const int count = step % 4 == 3 ? 0 : random.index(120);
        std::vector<BlockEntry> entries;
        Eigen::MatrixXd reference = pattern_part;
        for (int k = 0; k < count; ++k) {
            const BlockEntry e = {random.index(rows), random.index(rows), random.mat()};
            for (int repeat = 0; repeat <= random.index(3); ++repeat) {
                entries.push_back(e);
                reference.block<3, 3>(3 * e.row, 3 * e.column) += eigen(e.value);
            }
        }
        a.set_overlay(entries);
        sum.add(relative_difference(dense(a), reference));
        product.add(product_error(a, reference, random));
        for (int i = 0; i < rows; ++i)
            EXPECT_EQ((eigen(a.diagonal_block(i)) - eigen(a.block(i, i))).norm(), 0);
    }
    a.set_overlay({});
    EXPECT_EQ((dense(a) - pattern_part).cwiseAbs().maxCoeff(), 0);
}

// Contacts and bonds add theirs one after the other; a reset drops all.
TEST(BlockMatrix, OverlaysAddUpUntilTheReset) {
    Random random(6);
    const int rows = 12;
    BlockMatrix a;
    a.set_pattern(rows, random_pairs(random, rows, 20));
    a.reset(std::vector<double>(rows, 2.0));
    Eigen::MatrixXd reference = dense(a);
    for (int part = 0; part < 3; ++part) {
        std::vector<BlockEntry> entries;
        for (int k = 0; k < 30; ++k) {
            entries.push_back({random.index(rows), random.index(rows), random.mat()});
            reference.block<3, 3>(3 * entries.back().row, 3 * entries.back().column) +=
                eigen(entries.back().value);
        }
        a.add_overlay(entries);
        EXPECT_LT(relative_difference(dense(a), reference), 1e-14);
        EXPECT_LT(product_error(a, reference, random), 1e-14);
    }
    a.reset(std::vector<double>(rows, 0.0));
    EXPECT_EQ(dense(a).cwiseAbs().maxCoeff(), 0);
}

TEST(BlockMatrix, OverlaySumsDuplicatesInTheOrderGiven) {
    BlockMatrix a;
    a.set_pattern(2, {});
    // 1 + 1e-16 + ... + 1e-16 is 1 in this order, and more than 1 in the other.
    const auto entry = [](double d) { return BlockEntry{0, 1, Mat3::diagonal(d)}; };
    std::vector<BlockEntry> entries = {entry(1)};
    for (int k = 0; k < 100; ++k) {
        entries.push_back({1, 0, Mat3::identity()});
        entries.push_back(entry(1e-16));
    }
    a.set_overlay(entries);
    EXPECT_EQ(a.block(0, 1)(0, 0), 1);
    std::reverse(entries.begin(), entries.end());
    a.set_overlay(entries);
    EXPECT_NEAR(a.block(0, 1)(0, 0), 1 + 1e-14, 1e-15);
}

TEST(BlockMatrix, ANewPatternForgetsTheOldOneAndTheOverlay) {
    Random random(6);
    BlockMatrix a;
    a.set_pattern(9, Pairs{{0, 8}, {3, 4}});
    a.set_overlay(std::vector<BlockEntry>{{3, 2, random.mat()}, {8, 2, random.mat()}});
    a.add(a.slot(0, 8), random.mat());
    a.set_pattern(5, Pairs{{1, 2}});
    EXPECT_EQ(a.rows(), 5);
    EXPECT_EQ(a.block_count(), 7);
    EXPECT_EQ(a.slot(3, 4), -1);
    EXPECT_EQ(dense(a).cwiseAbs().maxCoeff(), 0);
    EXPECT_EQ(product_error(a, Eigen::MatrixXd::Zero(15, 15), random), 0);
}

TEST(BlockMatrix, MultiplyRowsWritesItsRowsAlone) {
    Random random(7);
    const int rows = 50;
    BlockMatrix a;
    a.set_pattern(rows, random_pairs(random, rows, 120));
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < rows; ++j)
            if (const int slot = a.slot(i, j); slot >= 0)
                a.add(slot, random.mat());
    std::vector<BlockEntry> entries;
    for (int k = 0; k < 60; ++k)
        entries.push_back({random.index(rows), random.index(rows), random.mat()});
    a.set_overlay(entries);
    const std::vector<Vec3> x = random.vecs(rows);
    std::vector<Vec3> whole(rows);
    a.multiply(x, whole);
    for (int trial = 0; trial < 40; ++trial) {
        const int begin = random.index(rows + 1), end = begin + random.index(rows - begin + 1);
        const std::vector<Vec3> before = random.vecs(rows);
        std::vector<Vec3> y = before;
        a.multiply_rows(begin, end, x.data(), y.data());
        for (int i = 0; i < rows; ++i) {
            const Vec3 expected = i >= begin && i < end ? whole[i] : before[i];
            EXPECT_LT(norm(y[i] - expected), 1e-14) << i;
        }
    }
}

TEST(BlockMatrix, SameBitsForAnyNumberOfThreads) {
    Random random(8);
    const int rows = 3000;
    const Pairs pairs = random_pairs(random, rows, 12000);
    const std::vector<double> diagonal(rows, 2.5);
    BlockMatrix a;
    a.set_pattern(rows, pairs);
    const std::vector<Vec3> x = random.vecs(rows);
    std::vector<Vec3> first;
    for (int threads : {1, 2, 3, 8}) {
        set_thread_count(threads);
        Random values(9);
        a.reset(diagonal);
        for (const auto& [i, j] : pairs)
            a.add(a.slot(i, j), values.mat());
        std::vector<Vec3> y(rows);
        a.multiply(x, y);
        if (first.empty())
            first = y;
        EXPECT_EQ(std::memcmp(first.data(), y.data(), y.size() * sizeof(Vec3)), 0) << threads;
    }
    set_thread_count(0);
}

} // namespace
} // namespace muslin::test
