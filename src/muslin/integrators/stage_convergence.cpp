#include "muslin/integrators/stage_convergence.h"

#include "muslin/base/parallel.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

// The part of its own change that a solve may leave in a patch where it only tells where the next
// one linearises. With contact each solve finds half of what the one before did, however accurate
// both are.
constexpr double loose = 0.1, loose_with_contact = 0.3;
// With contact a patch may also be off by these parts of what the stage changes its velocity by:
// what hits something changes it by far more than the accuracy. The first is for its mean velocity,
// which tells how cloth as a whole moves; the second for the root mean square over its particles:
// single vertices that snap from one side of a wrinkle to the other can settle in the next step.
// A solve may leave the third.
constexpr double part_of_mean = 0.05, part_of_motion = 0.2, part_of_solve = 0.1;
// Patches that move by less than the accuracy are solved to this part of their motion, down to this
// part of the accuracy (PcgAccuracy).
constexpr double of_motion = 0.1, least_error = 0.1;
// The part of its change that a solve is taken to leave to the next one at the most.
constexpr double slowest = 0.95;
// A solve takes back what the one before did where it undoes more than this part of it.
constexpr double most_of_it = 0.5;
// With contact, a patch that swings may do so by this many times what it may be off by: that is as
// often to one side as to the other, and does not add up from step to step.
constexpr double most_swing = 4;

static_assert(judged_together == PcgAccuracy::patch);

} // namespace

void StageConvergence::start() {
    changed_ = 0;
    errors_.clear();
    accurate_ = false;
}

PcgAccuracy StageConvergence::next_accuracy(const Model& model, double h, bool last,
                                            bool has_contact) const {
    PcgAccuracy out;
    out.mass = model.mass;
    out.error = accuracy_ * h;
    out.relative = of_motion;
    out.least = least_error;
    out.errors = errors_;
    if (!accurate_ && !last)
        out.reduction = has_contact ? loose_with_contact : loose;
    return out;
}

bool StageConvergence::judge(const StageStart& from, const State& at, const StageChange& change_of,
                             const StageSystem& system) {
    const bool touches = system.has_contact();
    const Change last = judge_patches(from, at, change_of, touches);
    const double change = touches ? last.mean : std::max(last.mean, last.all);
    const double smaller = changed_ > 0 ? std::min(change / changed_, slowest) : loose;
    changed_ = change;
    // What later solves would still change, if each found the same part of what the last did; a
    // swing does not add up.
    const double left =
        change_of.taken < 1 ? change : change * std::max(1.0, smaller / (1 - smaller));
    if (accurate_ && left <= 1 && last.all <= 1 && system.forces_have_converged(open_))
        return true;
    // The next solve is accurate where it is likely to be the last.
    accurate_ = accurate_ || left * smaller <= 1;
    return false;
}

// The part of its change that is taken of the last solve. Contacts that come and go, and threads
// that become taut and slack, swing between two states. Where a solve takes back a part r of what
// the one before did in the patch that it changes most, both aim beyond the solution that lies
// between, and 1 / (1 + r) of the way leads there [Aitken].
double StageConvergence::part_to_take(std::span<const Vec3> change) {
    if (!(changed_ > 0)) // the first solve of a stage
        return 1;
    swings_.resize((change.size() + judged_together - 1) / judged_together);
    parallel_for(change.size(), judged_together, [&](std::size_t begin, std::size_t end) {
        double now = 0, along = 0, before = 0;
        for (std::size_t i = begin; i < end; ++i) {
            now += dot(change[i], change[i]);
            along += dot(change[i], last_change_[i]);
            before += dot(last_change_[i], last_change_[i]);
        }
        swings_[begin / judged_together] = {now, before > 0 ? -along / before : 0};
    });
    const double taken_back = std::max_element(swings_.begin(), swings_.end())->taken_back;
    return taken_back > most_of_it ? 1 / (1 + taken_back) : 1;
}

void StageConvergence::Change::operator+=(const Change& other) {
    mean = std::max(mean, other.mean);
    all = std::max(all, other.all);
}

// Also sets the errors that accurate solves may leave.
StageConvergence::Change StageConvergence::judge_patches(const StageStart& from, const State& at,
                                                         const StageChange& last_change,
                                                         bool touches) {
    const std::span<const Vec3> change = last_change.velocities;
    const double taken = last_change.taken;
    const std::size_t patches = (change.size() + judged_together - 1) / judged_together;
    errors_.resize(patches);
    open_.resize(patches);
    const double most = accuracy_ * from.h;
    const double part = touches ? part_of_mean : 0, rms_part = touches ? part_of_motion : 0,
                 solve_part = touches ? part_of_solve : 0;
    return parallel_sum<Change>(
        change.size(), judged_together, [&](std::size_t begin, std::size_t end) {
            double last = 0, all = 0;
            Vec3 sum = {0, 0, 0};
            for (std::size_t i = begin; i < end; ++i) {
                const Vec3 so_far = at.velocities[i] - from.velocities[i];
                sum += change[i];
                last += dot(change[i], change[i]);
                all += dot(so_far, so_far);
            }
            const double count = static_cast<double>(end - begin);
            const double motion = std::sqrt(all / count);
            const std::size_t patch = begin / judged_together;
            const double open = std::max(most, part * motion);
            open_[patch] = open / from.h;
            errors_[patch] = std::max(std::clamp(of_motion * motion, least_error * most, most),
                                      solve_part * motion);
            const bool swings = touches && taken < 1 && swings_[patch].taken_back > most_of_it;
            const double whole = 1 / (swings ? most_swing * taken : taken);
            return Change{whole * norm(sum) / count / open,
                          whole * std::sqrt(last / count) / std::max(most, rms_part * motion)};
        });
}

} // namespace muslin
