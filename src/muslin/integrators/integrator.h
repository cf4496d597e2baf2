#pragma once

#include "muslin/base/parallel.h"
#include "muslin/base/profile.h"
#include "muslin/forces/capabilities.h"
#include "muslin/integrators/velocity_modifier.h"
#include "muslin/model/evaluation_corrector.h"
#include "muslin/model/model.h"
#include "muslin/model/step_input.h"

#include <limits>
#include <memory>
#include <vector>

namespace muslin {

struct StepReport {
    enum class Status {
        ok,
        solver_failed, ///< the matrix was not positive definite
        not_finite,    ///< a position or velocity is not a number
        inaccurate,    ///< the error is larger than was asked for
    };
    Status status = Status::ok;
    int solves = 0;
    /// Stages that were still changing at the last solve allowed, where they are solved until they
    /// converge.
    int unconverged = 0;
    int cg_iterations = 0;
    double cg_residual = 0; ///< relative, of the last solve
    int sweeps = 0;         ///< that strain limits took
    /// Particles whose momentum stability control shared with their neighbours [Volino95 3.6].
    int damped_particles = 0;
    long element_evaluations = 0; ///< of forces, where an integrator counts them
    double error = 0;             ///< of the step, where an integrator estimates it [m]
    /// Of a step that was inaccurate: what may be accurate enough [s].
    double longest_step = std::numeric_limits<double>::infinity();
};

/// Advances a state by one step, seeing forces and constraints alone.
class Integrator {
public:
    virtual ~Integrator() = default;
    Integrator(const Integrator&) = delete;
    Integrator& operator=(const Integrator&) = delete;

    /// Advances by the length of the step. Writes `end` (which keeps its memory).
    [[nodiscard]] StepReport step(const StepInput& step, State& end, Profile& profile) {
        set_conditions(step.conditions);
        return take_step(step.begin, step.h, step.constraints, end, profile);
    }

    /// Takes the last step again, from the same state with the same constraints: only
    /// adaptive forces may have changed since. `end` comes in as the last step left it.
    [[nodiscard]] StepReport repeat(const StepInput& step, State& end, Profile& profile) {
        set_conditions(step.conditions);
        return repeat_step(step.begin, step.h, step.constraints, end, profile);
    }

    /// The longest step that is stable from this state on [s], found anew.
    double longest_step(const Conditions& conditions, const State& begin) {
        set_conditions(conditions);
        return find_longest_step(begin);
    }
    /// The same, a few steps after it was last asked for, for less.
    double longest_step_now(const Conditions& conditions, const State& begin) {
        set_conditions(conditions);
        return follow_longest_step(begin);
    }

    /// Tells all forces of the conditions, which must outlive the integrator or the next call.
    void set_conditions(const Conditions& conditions);

    /// From the next step on, no stage takes more linear solves than this.
    virtual void limit_solves(int /*most*/) {}

    /// Whether the integrator asks where held particles are within a step (ParticleConstraint).
    virtual bool follows_paths() const { return false; }
    /// What resolves collisions wherever forces are evaluated; none: nothing does. For integrators
    /// that evaluate them within a step.
    virtual void set_evaluation_corrector(EvaluationCorrector* /*corrector*/) {}

    /// The force [N] by which each constraint of the last step held its particle, in the order of
    /// the set.
    std::span<const Vec3> constraint_forces() const { return constraint_forces_; }

    const std::vector<std::unique_ptr<Force>>& forces() const { return forces_; }

    /// Called, in this order, on velocities that are about to move positions.
    void add_modifier(std::unique_ptr<VelocityModifier> modifier) {
        modifiers_.add(std::move(modifier));
    }

protected:
    Integrator(const Model& model, std::vector<std::unique_ptr<Force>> forces)
        : model_(model), forces_(std::move(forces)) {}

    // What is behind the calls above, once the conditions are set.
    [[nodiscard]] virtual StepReport take_step(const State& begin, double h,
                                               const ConstraintSet& constraints, State& end,
                                               Profile& profile) = 0;
    [[nodiscard]] virtual StepReport repeat_step(const State& begin, double h,
                                                 const ConstraintSet& constraints, State& end,
                                                 Profile& profile) {
        return take_step(begin, h, constraints, end, profile);
    }
    virtual double find_longest_step(const State& /*begin*/) {
        return std::numeric_limits<double>::infinity();
    }
    virtual double follow_longest_step(const State& /*begin*/) {
        return std::numeric_limits<double>::infinity();
    }

    std::vector<Force*> force_pointers() const;
    void modify(std::span<const Vec3> positions, double h, const Filter& filter,
                std::span<Vec3> velocities, StepReport& report, Profile& profile) const;
    /// Modifies the mean velocity of a step that was taken already, and its end by as much.
    void modify_mean(const State& begin, double h, const Filter& filter, State& end,
                     StepReport& report, Profile& profile);

    const Model& model_;
    const Conditions* conditions_ = nullptr; ///< of the step at hand
    std::vector<std::unique_ptr<Force>> forces_;
    VelocityModifiers modifiers_;
    std::vector<Vec3> constraint_forces_;

private:
    std::vector<Vec3> mean_, modified_;
};

/// Gives held directions the velocity that takes them to their place in h seconds.
void follow_path(const ConstraintSet& constraints, std::span<const Vec3> x, double h,
                 std::span<Vec3> v);
/// Gives held directions the velocity they are to have at the end.
void follow_speed(const ConstraintSet& constraints, std::span<Vec3> v);

/// Takes held coordinates to where their path is half-way and at the end of a step, with the
/// velocity of the path; without a path they go straight from `begin`.
void follow_to_middle(const ConstraintSet& constraints, std::span<const Vec3> begin,
                      std::span<Vec3> x, std::span<Vec3> v);
void follow_to_end(const ConstraintSet& constraints, std::span<Vec3> x, std::span<Vec3> v);

/// Whether every position and velocity is a number.
bool all_finite(const State& state);

} // namespace muslin
