#pragma once

#include "muslin/integrators/corrected_evaluations.h"
#include "muslin/integrators/integrator.h"
#include "muslin/integrators/runge_kutta_step.h"

namespace muslin {

struct RungeKuttaSettings {
    bool adaptive = true; ///< whether steps that are not accurate enough are refused
    /// The largest error that a step may make: of a position, and of a velocity times the step [m].
    double error = 1e-5;
    /// Whether damping inside the cloth that would shorten the step is reduced instead, by one
    /// factor for all: that of most fabrics asks an explicit method for steps of microseconds.
    bool limit_damping = false;
    double safety = 0.9; ///< of the stability limit
};

/// The classical Runge-Kutta method of fourth order on x' = v, v' = a(t, x, v) [Bayraktar07 2]:
/// forces at the begin, twice half-way and at the end, weighted 1, 2, 2, 1.
///
/// With f_1 .. f_4 the four evaluations and f_5 one more at the end that they give, f_5 in place of
/// f_4 makes a method of third order. The difference of the two,
///     e = h/6 (f_5 - f_4),
/// is the error that is asked about; the step goes on with the fourth order (local extrapolation),
/// whose own error is smaller by another power of h. f_5 is f_1 of the next step, where contact and
/// strain limits leave the end as it is: an accurate step costs four evaluations, as any does.
///
/// Steps are also no longer than is stable, so that it need not be the error that finds an
/// instability: 2.61 / omega and 2.61 / lambda of the fastest vibration and damping, less a margin.
/// The half disc of that radius is inside the region of stability.
///
/// Held coordinates are where their path is at each evaluation (ConstraintSet::keep_paths), and
/// have the velocity of the path. Velocity modifiers act at the end.
class RungeKutta final : public Integrator {
public:
    RungeKutta(const Model& model, std::vector<std::unique_ptr<Force>> forces,
               const RungeKuttaSettings& settings);

    [[nodiscard]] StepReport take_step(const State& begin, double h,
                                       const ConstraintSet& constraints, State& end,
                                       Profile& profile) override;

    /// Without what the error of earlier steps says: nothing is remembered from frame to frame.
    double find_longest_step(const State& begin) override;
    /// The smaller of what is stable, by a bound, and what the error of the last step lets expect.
    double follow_longest_step(const State& begin) override;

    /// For tests: what limit_damping leaves of the damping inside the cloth; found once a frame.
    double damping_scale() const { return damping_.scale(); }

    bool follows_paths() const override { return true; }
    /// Particles that it moves in a step do not count for the error of that step: the jump is not
    /// one that a shorter step would resolve.
    void set_evaluation_corrector(EvaluationCorrector* corrector) override {
        corrections_.set_corrector(corrector);
    }

private:
    /// Where in the step an evaluation is.
    enum class Place { begin, middle, end };
    void evaluate(Place place, const State& begin, double h, const ConstraintSet& constraints,
                  Profile& profile);
    void evaluate_forces(double time, std::span<const Vec3> x, std::span<const Vec3> v,
                         std::vector<Vec3>& f);
    void add_up(double weight);
    void go_to(const State& begin, double interval);
    void estimate_error(double h, const State& end, StepReport& report, Profile& profile);
    double largest_error(double h, const State& end);
    void apply_modifiers(const State& begin, double h, const ConstraintSet& constraints, State& end,
                         StepReport& report, Profile& profile);
    void find_constraint_forces(const State& begin, double h, const State& end);

    struct Item {
        Force* force;
        bool inside; ///< the cloth: a sum over elements
    };
    /// A state within the step, and the forces there.
    struct Evaluation {
        std::vector<Vec3> position, velocity, force;
    };
    /// Of the evaluations of the step, weighted.
    struct Sums {
        std::vector<Vec3> velocity, force;
    };
    /// The forces at the end of the last step, for the error; the next step begins with them where
    /// nothing changed that end.
    struct EndForces {
        bool reusable = false;
        double time = 0;
        std::vector<Vec3> position, velocity, force;
        bool belong_to(const State& begin) const;
    };
    std::vector<Item> items_;
    RungeKuttaSettings settings_;
    Filter filter_;
    Evaluation at_;
    Sums sums_;
    EndForces last_end_;
    CorrectedEvaluations corrections_;
    ReducedDamping damping_;
    RungeKuttaStability stability_;
    AccurateStep accurate_;
    Partials<double> partials_;
};

} // namespace muslin
