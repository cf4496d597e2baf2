// Why slow elements act by impulses: a chain of 30 heavy and 30 light particles on equal springs,
// along which the slow half of the springs is evaluated in every eighth substep alone
// [Volino95 3.2].
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace {

struct Chain {
    static constexpr int n = 60, rate = 8;
    std::vector<double> mass = std::vector<double>(n, 1), x, v, f;
    int slow = n / 2 - 4; ///< springs before it are evaluated once a step

    Chain() : x(n, 0), v(n, 0), f(n, 0) {
        for (int i = n / 2; i < n; ++i)
            mass[i] = 1.0 / (rate * rate);
        for (int i = 0; i < n; ++i)
            v[i] = std::sin(0.3 * i) * std::exp(-0.01 * (i - 25) * (i - 25));
    }
    void springs(int begin, int end, std::vector<double>& out) const {
        for (int s = begin; s < end; ++s) {
            const double pull = x[s + 1] - x[s];
            out[s] += pull;
            out[s + 1] -= pull;
        }
    }
    void drift(double h) {
        for (int i = 0; i < n; ++i)
            x[i] += h * v[i];
    }
    void kick(double h, const std::vector<double>& force) {
        for (int i = 0; i < n; ++i)
            v[i] += h * force[i] / mass[i];
    }
    double energy() const {
        double sum = 0;
        for (int i = 0; i < n; ++i)
            sum += 0.5 * mass[i] * v[i] * v[i];
        for (int s = 0; s + 1 < n; ++s)
            sum += 0.5 * (x[s + 1] - x[s]) * (x[s + 1] - x[s]);
        return sum;
    }
    /// Largest energy over that at the start.
    double run(bool held, int steps) {
        const double h = 0.6 * 2 / 2 / rate; // 0.6 of the limit of the fast half
        const double start = energy();
        double largest = 1;
        std::vector<double> fast(n), kept(n);
        for (int step = 0; step < steps && largest < 1e6; ++step) {
            for (int k = 0; k < rate; ++k) {
                if (k == (held ? 0 : rate / 2)) {
                    std::fill(kept.begin(), kept.end(), 0);
                    springs(0, slow, kept);
                    if (!held)
                        kick(rate * h, kept);
                }
                drift(h / 2);
                std::fill(fast.begin(), fast.end(), 0);
                springs(slow, n - 1, fast);
                kick(h, fast);
                if (held)
                    kick(h, kept);
                drift(h / 2);
            }
            largest = std::max(largest, energy() / start);
        }
        return largest;
    }
};

TEST(LocalRates, AForceThatIsHeldGainsEnergyAndAnImpulseDoesNot) {
    const double held = Chain().run(true, 2000), impulse = Chain().run(false, 2000);
    fmt::print("energy over that at the start, at most: {:.3g} held, {:.3g} by impulses\n", held,
               impulse);
    EXPECT_GT(held, 100);
    EXPECT_LT(impulse, 1.1);
}

} // namespace
