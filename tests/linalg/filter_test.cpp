// The filter S of the modified conjugate gradient method [BW98 (13), 5.3].
#include "muslin/linalg/filter.h"

#include "linalg/dense.h"

namespace muslin::test {
namespace {

TEST(Filter, AppliesTheProjectionOfItsParticlesInRange) {
    Random random(1);
    const int rows = 40;
    Filter filter;
    for (int i = 0; i < rows; ++i)
        if (random.coin()) {
            filter.particles.push_back(i);
            filter.projection.push_back(random.mat());
        }
    for (int trial = 0; trial < 60; ++trial) {
        const int begin = random.index(rows + 1), end = begin + random.index(rows - begin + 1);
        const std::vector<Vec3> before = random.vecs(rows);
        std::vector<Vec3> after = before;
        if (trial == 0)
            filter.apply(after);
        else
            filter.apply(begin, end, after.data());
        std::size_t k = 0;
        for (int i = 0; i < rows; ++i) {
            const bool listed = k < filter.particles.size() && filter.particles[k] == i;
            const bool inside = trial == 0 || (i >= begin && i < end);
            const Vec3 expected = listed && inside ? filter.projection[k] * before[i] : before[i];
            EXPECT_LT(norm(after[i] - expected), 1e-15) << i;
            k += listed ? 1 : 0;
        }
    }
}

TEST(Filter, ClearedItLeavesEverythingAlone) {
    Filter filter = {{1}, {Mat3::zero()}};
    filter.clear();
    std::vector<Vec3> a = {{1, 2, 3}, {4, 5, 6}};
    filter.apply(a);
    EXPECT_EQ(a[1].x, 4);
}

} // namespace
} // namespace muslin::test
