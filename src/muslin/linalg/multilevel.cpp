#include "muslin/linalg/multilevel.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include <algorithm>
#include <cstring>

namespace muslin {
namespace {

constexpr std::size_t grain = 64;       // patches in a parallel range, each with its members
constexpr std::size_t fine_grain = 256; // rows, or patches by themselves

// y += s x for blocks of nine numbers.
void add_scaled(double s, const double* x, double* y) {
    const Pack4 scale(s);
    store4(load4(y) + scale * load4(x), y);
    store4(load4(y + 4) + scale * load4(x + 4), y + 4);
    y[8] += s * x[8];
}

Mat3 block_at(const double* b) {
    return {{{b[0], b[3], b[6]}, {b[1], b[4], b[7]}, {b[2], b[5], b[8]}}};
}
void store_block(const Mat3& m, double* b) {
    for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r)
            b[3 * c + r] = m(r, c);
}

// What is added to a diagonal with this mean. A patch all of which is held in some direction has no
// stiffness there, and no force either: any that it is given does.
double freed(double mean) {
    return mean == 0 ? 1 : 1e-12 * mean;
}

} // namespace

struct Multilevel::Exact {
    Eigen::MatrixXd matrix; ///< the lower half is read
    Eigen::LLT<Eigen::MatrixXd> factor;
    Eigen::VectorXd motion; ///< scratch
};

Multilevel::Multilevel() : last_(std::make_unique<Exact>()) {}
Multilevel::~Multilevel() = default;

bool Multilevel::set(const BlockMatrix& a, const Filter& filter, Keep keep) {
    if (a.pattern() != pattern_)
        keep = Keep::nothing;
    set_pattern(a);
    if (levels_.empty())
        return true;
    constraint_.assign(a.rows(), -1);
    for (std::size_t k = 0; k < filter.particles.size(); ++k)
        constraint_[filter.particles[k]] = static_cast<int>(k);
    if (keep == Keep::nothing) {
        Rows below{a.row_begin(), a.columns(), a.values()};
        for (Level& level : levels_) {
            multiply_half(below, level, &level == &levels_.front() ? &filter : nullptr);
            multiply_rest(level);
            below = {level.begin, level.column, level.value.data()};
        }
    }
    add_overlay(a, filter);
    for (std::size_t l = 0; l + (exact_ ? 1 : 0) < levels_.size(); ++l)
        if (!invert_diagonal(levels_[l]))
            return false;
    return !exact_ || invert_last();
}

// A P, row by row. `filter`, if any, is that of the rows of A.
void Multilevel::multiply_half(const Rows& a, Level& level, const Filter* filter) {
    const bool filtered = filter != nullptr && !filter->particles.empty();
    parallel_for(level.blend.size(), fine_grain, [&](std::size_t from, std::size_t to) {
        std::fill(level.half.begin() + std::size_t{9} * level.half_begin[from],
                  level.half.begin() + std::size_t{9} * level.half_begin[to], 0.0);
        const std::uint16_t* slot = level.half_slot.data() + level.half_slot_begin[from];
        for (std::size_t i = from; i < to; ++i) {
            double* row = level.half.data() + std::size_t{9} * level.half_begin[i];
            for (int k = a.begin[i]; k < a.begin[i + 1]; ++k) {
                const int j = a.column[k];
                const double* block = a.value + std::size_t{9} * k;
                double seen[9];
                if (filtered && (constraint_[i] >= 0 || constraint_[j] >= 0)) {
                    store_block(filtered_block(*filter, static_cast<int>(i), j, block_at(block)),
                                seen);
                    block = seen;
                }
                const Blend& blend = level.blend[j];
                for (int w = 0; w < 4 && blend.weight[w] > 0; ++w)
                    add_scaled(blend.weight[w], block, row + std::size_t{9} * *slot++);
            }
        }
    });
}

Mat3 Multilevel::filtered_block(const Filter& filter, int i, int j, Mat3 block) const {
    if (constraint_[i] >= 0)
        block = filter.projection[constraint_[i]] * block;
    if (constraint_[j] >= 0)
        block = block * filter.projection[constraint_[j]];
    return block;
}

// P^T (A P), row by row.
void Multilevel::multiply_rest(Level& level) {
    const Members& members = level.members;
    parallel_for(level.rows, grain, [&](std::size_t from, std::size_t to) {
        std::fill(level.value.begin() + std::size_t{9} * level.begin[from],
                  level.value.begin() + std::size_t{9} * level.begin[to], 0.0);
        const int* slot = level.slot.data() + level.slot_begin[from];
        for (int k = members.begin[from]; k < members.begin[to]; ++k) {
            const int i = members.row[k];
            for (int h = level.half_begin[i]; h < level.half_begin[i + 1]; ++h)
                add_scaled(members.weight[k], &level.half[std::size_t{9} * h],
                           &level.value[std::size_t{9} * *slot++]);
        }
    });
}

// The place of a row among those that the overlay reaches. Finds its rows of all Q_l the first
// time.
int Multilevel::reach_of(int row) {
    if (reach_[row] >= 0)
        return reach_[row];
    reach_[row] = static_cast<int>(reached_.size());
    reached_.push_back(row);
    const Share itself = {row, 1.0};
    std::size_t from = 0, to = 1; // the shares of the level below
    for (std::size_t l = 0; l < levels_.size(); ++l) {
        const std::size_t first = shares_.size();
        for (std::size_t k = from; k < to; ++k) {
            const Share below = l == 0 ? itself : shares_[k];
            const Blend& blend = levels_[l].blend[below.patch];
            for (int w = 0; w < 4 && blend.weight[w] > 0; ++w) {
                const auto known = std::find_if(
                    shares_.begin() + static_cast<std::ptrdiff_t>(first), shares_.end(),
                    [&](const Share& s) { return s.patch == blend.patch[w]; });
                const double weight = below.weight * blend.weight[w];
                if (known != shares_.end())
                    known->weight += weight;
                else
                    shares_.push_back({blend.patch[w], weight});
            }
        }
        from = first;
        to = shares_.size();
        share_begin_.push_back(static_cast<int>(to));
    }
    return reach_[row];
}

// Adds the overlay to the diagonal blocks of all levels, and to all blocks of an exact one.
void Multilevel::add_overlay(const BlockMatrix& a, const Filter& filter) {
    const std::size_t scaled = levels_.size() - (exact_ ? 1 : 0);
    for (Level& level : levels_)
        std::fill(level.overlay.begin(), level.overlay.end(), Mat3::zero());
    if (exact_)
        spread_last();
    reach_.resize(a.rows(), -1);
    shares_.clear();
    share_begin_.assign(1, 0);
    const auto shares_of = [&](int place, std::size_t level) {
        const std::size_t k = static_cast<std::size_t>(place) * levels_.size() + level;
        return std::span<const Share>(shares_).subspan(share_begin_[k],
                                                       share_begin_[k + 1] - share_begin_[k]);
    };
    a.for_each_overlay([&](int i, int j, const Mat3& value) {
        const Mat3 block = filtered_block(filter, i, j, value);
        const int at_i = reach_of(i), at_j = reach_of(j);
        for (std::size_t l = 0; l < scaled; ++l)
            for (const Share& g : shares_of(at_i, l))
                for (const Share& h : shares_of(at_j, l))
                    if (g.patch == h.patch)
                        levels_[l].overlay[g.patch] += g.weight * h.weight * block;
        if (!exact_)
            return;
        for (const Share& g : shares_of(at_i, scaled))
            for (const Share& h : shares_of(at_j, scaled))
                for (int r = 0; r < 3; ++r)
                    for (int c = 0; c < 3; ++c)
                        last_->matrix(3 * g.patch + r, 3 * h.patch + c) +=
                            g.weight * h.weight * block(r, c);
    });
    for (int row : reached_)
        reach_[row] = -1;
    reached_.clear();
}

// The last level as a whole matrix.
void Multilevel::spread_last() {
    const Level& level = levels_.back();
    last_->matrix.setZero(3 * level.rows, 3 * level.rows);
    for (int g = 0; g < level.rows; ++g)
        for (int k = level.begin[g]; k < level.begin[g + 1]; ++k)
            for (int r = 0; r < 3; ++r)
                for (int c = 0; c < 3; ++c)
                    last_->matrix(3 * g + r, 3 * level.column[k] + c) =
                        level.value[std::size_t{9} * k + 3 * c + r];
}

bool Multilevel::invert_diagonal(Level& level) {
    const double bad =
        parallel_sum<double>(level.rows, grain, partials_, [&](std::size_t from, std::size_t to) {
            double count = 0;
            for (std::size_t g = from; g < to; ++g) {
                Mat3 d = block_at(&level.value[std::size_t{9} * level.diagonal[g]]);
                d += level.overlay[g];
                d += Mat3::diagonal(freed((d(0, 0) + d(1, 1) + d(2, 2)) / 3));
                count += is_positive_definite(d) ? 0 : 1;
                level.inverse[g] = inverse_of_symmetric(d);
            }
            return count;
        });
    return bad == 0;
}

bool Multilevel::invert_last() {
    Eigen::MatrixXd& m = last_->matrix;
    for (Eigen::Index i = 0; i < m.rows(); i += 3) {
        const double shift = freed(m.diagonal().segment<3>(i).sum() / 3);
        for (Eigen::Index k = i; k < i + 3; ++k)
            m(k, k) += shift;
    }
    last_->factor.compute(m);
    return last_->factor.info() == Eigen::Success;
}

// force = P^T of the level below, whose rows `below` gives.
template <class Below>
void Multilevel::gather(Level& level, Below&& below) {
    const Members& members = level.members;
    parallel_for(level.rows, grain, [&](std::size_t from, std::size_t to) {
        for (std::size_t g = from; g < to; ++g) {
            Pack4::Native sum = {};
            for (int k = members.begin[g]; k < members.begin[g + 1]; ++k)
                sum += members.weight[k] * below(members.row[k]);
            level.force[g].v = sum;
        }
    });
}

// motion = D^-1 force, plus what the level above found; returns force . D^-1 force.
double Multilevel::scale(Level& level, const Level* above) {
    return parallel_sum<double>(level.rows, fine_grain, partials_,
                                [&](std::size_t from, std::size_t to) {
                                    double sum = 0;
                                    for (std::size_t g = from; g < to; ++g) {
                                        const Pack4& f = level.force[g];
                                        const Vec3 force = {f[0], f[1], f[2]};
                                        const Vec3 scaled = multiply(level.inverse[g], force);
                                        sum += dot(force, scaled);
                                        Pack4::Native motion = {scaled.x, scaled.y, scaled.z, 0};
                                        if (above != nullptr)
                                            motion += moved(*above, g);
                                        level.motion[g].v = motion;
                                    }
                                    return sum;
                                });
}

double Multilevel::solve_last() {
    Level& level = levels_.back();
    Eigen::VectorXd& x = last_->motion;
    x.resize(Eigen::Index{3} * level.rows);
    for (int g = 0; g < level.rows; ++g)
        for (int k = 0; k < 3; ++k)
            x[3 * g + k] = level.force[g][k];
    last_->factor.solveInPlace(x);
    double sum = 0;
    for (int g = 0; g < level.rows; ++g) {
        level.motion[g].v = Pack4::Native{x[3 * g], x[3 * g + 1], x[3 * g + 2], 0};
        for (int k = 0; k < 3; ++k)
            sum += level.force[g][k] * x[3 * g + k];
    }
    return sum;
}

void Multilevel::gather_all(const Vec3* r) {
    for (std::size_t l = 0; l < levels_.size(); ++l)
        if (l == 0)
            gather(levels_[l], [&](int i) { return load4(&r[i].x).v; });
        else
            gather(levels_[l], [&](int i) { return levels_[l - 1].force[i].v; });
}

double Multilevel::correct(const Vec3* r) {
    gather_all(r);
    double sum = 0;
    for (std::size_t l = levels_.size(); l-- > 0;) {
        const bool last = l + 1 == levels_.size();
        sum += last && exact_ ? solve_last() : scale(levels_[l], last ? nullptr : &levels_[l + 1]);
    }
    return sum;
}

void Multilevel::correct_last(const Vec3* r) {
    gather_all(r);
    if (exact_)
        solve_last();
    for (std::size_t l = levels_.size() - (exact_ ? 1 : 0); l-- > 0;)
        for (int g = 0; g < levels_[l].rows; ++g)
            levels_[l].motion[g].v =
                l + 1 < levels_.size() ? moved(levels_[l + 1], g) : Pack4::Native{};
}

void Multilevel::turn(std::size_t begin, std::size_t end, double beta, const Vec3* s,
                      Vec3* direction) const {
    for (std::size_t i = begin; i < end; ++i) {
        Pack4::Native sum = load4(&s[i].x).v + beta * load4(&direction[i].x).v;
        if (!levels_.empty())
            sum += moved(levels_.front(), i);
        // Three numbers are stored, no more: the next row is about to be loaded.
        std::memcpy(&direction[i], &sum, sizeof(Vec3));
    }
}

} // namespace muslin
