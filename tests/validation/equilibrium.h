#pragma once

// Where a scene's own forces are in balance, found by a minimiser that shares nothing with the
// steps of the simulation: what damping comes to after a time that stiff and fine strips make long.

#include "muslin/engine/simulation.h"
#include "muslin/forces/force.h"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <deque>
#include <stdexcept>

namespace muslin::validation {

struct Balance {
    int solves = 0;
    double correction = 0; ///< largest that the last solve asked for [m]
};

/// Minimises the potential of the simulation's forces over the particles that are not held, from
/// where they are. L-BFGS whose first guess of the inverse is that of the forces' own K, which
/// lacks some of the geometric stiffness (forces/force.h), factorised anew as the strip turns.
/// Leaves the simulation there, at rest.
class Equilibrium {
public:
    Equilibrium(Simulation& simulation, const std::vector<char>& held)
        : simulation_(simulation), row_(held.size(), -1) {
        for (std::size_t i = 0; i < held.size(); ++i)
            if (!held[i]) {
                row_[i] = static_cast<int>(free_.size());
                free_.push_back(static_cast<int>(i));
            }
        std::vector<std::array<int, 2>> pairs;
        for (const auto& force : simulation.integrator().forces())
            force->capabilities().linearised->append_pairs(pairs);
        matrix_.set_pattern(simulation.model().particle_count(), pairs);
        still_.assign(held.size(), {0, 0, 0});
    }

    /// Until a solve asks for no more than `correction`; nothing moves further than `longest` at
    /// once [m].
    Balance find(double correction, double longest) {
        State state = simulation_.state();
        std::fill(state.velocities.begin(), state.velocities.end(), Vec3{0, 0, 0});
        factorise(state.positions);
        Eigen::VectorXd f = force(state.positions);
        Balance out;
        for (int since = 0; out.solves < most_solves; ++out.solves, ++since) {
            Eigen::VectorXd d = direction(f);
            out.correction = largest(d);
            if (out.correction <= correction)
                break;
            if (since == refresh || f.dot(d) <= 0) {
                since = 0;
                pairs_.clear();
                factorise(state.positions);
                d = solver_.solve(f);
                out.correction = largest(d);
            }
            // A way is straight, turning is not: over a long one the strip would stretch.
            double part = std::min(1.0, longest / out.correction);
            std::vector<Vec3> next = moved(state.positions, part * d);
            Eigen::VectorXd after = force(next);
            // Too far where the force has turned against the way: back to where it vanishes.
            for (int k = 0; k < 20 && after.dot(d) < -0.5 * f.dot(d); ++k) {
                part *= std::max(0.1, f.dot(d) / (f.dot(d) - after.dot(d)));
                next = moved(state.positions, part * d);
                after = force(next);
            }
            if (part < 1)
                since = refresh - 1; // far away still: K changes
            else if (f.dot(d) > after.dot(d)) {
                pairs_.push_back({part * d, f - after});
                if (pairs_.size() > 12)
                    pairs_.pop_front();
            }
            state.positions = next;
            f = after;
        }
        if (out.solves == most_solves)
            throw std::runtime_error("no equilibrium was found");
        simulation_.set_state(state);
        return out;
    }

private:
    static constexpr int refresh = 15, most_solves = 1000;

    Eigen::VectorXd force(const std::vector<Vec3>& x) const {
        std::vector<Vec3> sum(x.size(), {0, 0, 0});
        for (const auto& one : simulation_.integrator().forces())
            one->add_force({x, still_}, sum);
        Eigen::VectorXd f(3 * free_.size());
        for (std::size_t r = 0; r < free_.size(); ++r)
            for (int c = 0; c < 3; ++c)
                f[3 * r + c] = sum[free_[r]][c];
        return f;
    }

    void factorise(const std::vector<Vec3>& x) {
        std::vector<Vec3> unused(x.size(), {0, 0, 0});
        const std::vector<double> none(x.size(), 0);
        matrix_.reset(none);
        for (const auto& one : simulation_.integrator().forces())
            one->capabilities().linearised->add_linearised({x, still_}, {1, still_, 0}, unused,
                                                           matrix_);
        matrix_.mirror_pairs();
        std::vector<Eigen::Triplet<double>> entries;
        for (std::size_t r = 0; r < free_.size(); ++r)
            matrix_.for_each_block(free_[r], [&](int column, const Mat3& block) {
                for (int i = 0; i < 3 && row_[column] >= 0; ++i)
                    for (int j = 0; j < 3; ++j)
                        entries.emplace_back(3 * r + i, 3 * row_[column] + j, block.m[i][j]);
            });
        const int n = static_cast<int>(3 * free_.size());
        Eigen::SparseMatrix<double> k(n, n);
        k.setFromTriplets(entries.begin(), entries.end());
        if (!analysed_)
            solver_.analyzePattern(k);
        analysed_ = true;
        solver_.factorize(k);
        if (solver_.info() != Eigen::Success)
            throw std::logic_error("the stiffness is not positive definite");
    }

    /// The two loops of L-BFGS.
    Eigen::VectorXd direction(const Eigen::VectorXd& f) const {
        Eigen::VectorXd q = f;
        std::vector<double> weight(pairs_.size());
        for (std::size_t k = pairs_.size(); k-- > 0;) {
            weight[k] = pairs_[k].way.dot(q) / pairs_[k].way.dot(pairs_[k].drop);
            q -= weight[k] * pairs_[k].drop;
        }
        Eigen::VectorXd d = solver_.solve(q);
        for (std::size_t k = 0; k < pairs_.size(); ++k)
            d += (weight[k] - pairs_[k].drop.dot(d) / pairs_[k].way.dot(pairs_[k].drop)) *
                 pairs_[k].way;
        return d;
    }

    static double largest(const Eigen::VectorXd& d) {
        double worst = 0;
        for (Eigen::Index r = 0; r < d.size(); r += 3)
            worst = std::max(worst, d.segment<3>(r).norm());
        return worst;
    }

    std::vector<Vec3> moved(std::vector<Vec3> x, const Eigen::VectorXd& d) const {
        for (std::size_t r = 0; r < free_.size(); ++r)
            x[free_[r]] += Vec3{d[3 * r], d[3 * r + 1], d[3 * r + 2]};
        return x;
    }

    struct Pair {
        Eigen::VectorXd way, drop; ///< of the positions; of the force
    };
    Simulation& simulation_;
    std::vector<int> row_, free_;
    std::vector<Vec3> still_;
    BlockMatrix matrix_;
    bool analysed_ = false;
    Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver_;
    std::deque<Pair> pairs_;
};

} // namespace muslin::validation
