#pragma once

#include "muslin/integrators/stage_system.h"
#include "muslin/linalg/pcg.h"

#include <span>
#include <vector>

namespace muslin {

/// The change of velocities that a solve of a stage made.
struct StageChange {
    std::span<const Vec3> velocities; ///< as much as was taken of it [m/s]
    double taken = 1;                 ///< that part
};

/// Judges, patch by patch, what solves of a stage still change: how accurate the next one has to
/// be, how much of a change that swings is taken, and when the stage has converged.
class StageConvergence {
public:
    /// `accuracy`: of the acceleration [m/s^2]; 0: nothing is judged.
    explicit StageConvergence(double accuracy) : accuracy_(accuracy) {}

    bool is_used() const { return accuracy_ > 0; }
    /// The next solve is the first of a stage: nothing is known of others.
    void start();
    /// How accurate the next solve has to be; `last`: of the step.
    PcgAccuracy next_accuracy(const Model& model, double h, bool last, bool has_contact) const;
    /// What part of the whole change of a solve to take.
    double part_to_take(std::span<const Vec3> change);
    /// Keeps what was taken of it, to compare the next with.
    void remember(std::span<const Vec3> taken) { last_change_.assign(taken.begin(), taken.end()); }
    /// Whether the last solve may end the stage: it was accurate, and changed velocities by no more
    /// than that leaves open. If not, sets how accurate the next one is.
    bool judge(const StageStart& from, const State& at, const StageChange& change,
               const StageSystem& system);

private:
    /// The largest changes that the last solve made to a patch, over what it may be off by: of its
    /// mean velocity, and of the root mean square over its particles.
    struct Change {
        double mean = 0, all = 0;
        void operator+=(const Change& other);
    };
    Change judge_patches(const StageStart& from, const State& at, const StageChange& change,
                         bool touches);
    /// Of a patch: the square of its change, and the part of the one before that this takes back.
    struct Swing {
        double change, taken_back;
        bool operator<(const Swing& other) const { return change < other.change; }
    };

    double accuracy_;
    double changed_ = 0; ///< by the stage's last solve, over the accuracy; before it, 0
    /// Per patch: what its mean may be off by at the end of the stage [m/s^2], and the error of an
    /// accurate solve [m/s].
    std::vector<double> open_, errors_;
    bool accurate_ = false; ///< whether the next solve is one with which the stage may end
    std::vector<Vec3> last_change_;
    std::vector<Swing> swings_; ///< of the patches, in the last change
};

} // namespace muslin
