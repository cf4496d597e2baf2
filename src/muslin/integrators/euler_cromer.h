#pragma once

#include "muslin/integrators/integrator.h"
#include "muslin/integrators/local_rates.h"
#include "muslin/integrators/stability_control.h"
#include "muslin/integrators/vibrations.h"

namespace muslin {

struct EulerCromerSettings {
    double safety = 0.8; ///< of the stability limit
    /// The most that its acceleration may move a vertex in a step, as a part of its shortest edge.
    double acceleration_way = 0.1;
    bool local_rates = true;
    bool stability_control = true;
    /// Whether forces that depend on velocities are evaluated once more, with the velocity of
    /// mid-step. Without it damping is of first order.
    bool second_order_damping = true;
    /// Whether damping inside the cloth that would ask for shorter steps than its stiffness does is
    /// reduced until it does not, instead of shortening them.
    bool limit_damping = false;
    StabilityControlSettings control;
};

/// The midpoint form of the Euler-Cromer method [Volino95 3.2]: half a step of motion, the change
/// of velocity by the forces there, half a step with the new velocity,
///     y = x + h/2 v,   v' = v + h a(y, v + h/2 a(y, v)),   x' = y + h/2 v'.
/// Of second order, with one evaluation of what does not depend on velocities and two of what does;
/// everything is explicit. Without damping the scheme is symplectic; momentum is kept.
///
/// The longest step is found for every vertex: by how fast it can vibrate and be damped there, and
/// by its acceleration against the length of its edges. With local rates a step is as long as the
/// slow parts of the cloth allow, and elements of the fast ones are evaluated 2, 4 or 8 times in
/// it, each time with the impulse of their own interval in its middle: each rate is the scheme
/// above, nested in the next slower one.
class EulerCromer final : public Integrator {
public:
    EulerCromer(const Model& model, std::vector<std::unique_ptr<Force>> forces,
                const EulerCromerSettings& settings);

    [[nodiscard]] StepReport take_step(const State& begin, double h,
                                       const ConstraintSet& constraints, State& end,
                                       Profile& profile) override;

    double find_longest_step(const State& begin) override;
    double follow_longest_step(const State& begin) override;

    /// The longest step of each vertex [s], as last found.
    std::span<const double> vertex_steps() const { return limits_; }
    /// What the damping inside the cloth is multiplied by: 1 unless it is limited.
    double damping_scale() const { return damping_scale_; }

private:
    /// One change of velocities.
    struct Kick {
        int level;       ///< of the elements that act; `everything` where rates do not differ
        double interval; ///< that their impulse is for [s]
        double time;     ///< of its middle [s]
    };
    static constexpr int everything = -1;

    struct Item {
        Force* force;
        bool element; ///< a sum over elements
        bool damped;
        long elements;
    };

    void find_limits(const State& begin, bool fresh);
    double stable_step(double rate, double damping) const;
    void find_pinned(const State& begin);
    void note_damped(const State& begin);
    double others_limit(const State& begin, bool fresh);

    void hold(const ConstraintSet& constraints);
    void kick(const Kick& kick, State& end, StepReport& report);
    void evaluate(const Kick& kick, std::span<const Vec3> x, std::span<const Vec3> v, bool again,
                  StepReport& report);
    std::span<const Vec3> slowed(std::span<const Vec3> v);
    template <class Body>
    void for_kicked(const Kick& kick, const Body& body);
    void control(const Kick& kick, State& end, StepReport& report);
    void drift_to(int particle, int now, State& end) {
        const int units = now - drifted_[particle];
        end.positions[particle] += (units * unit_) * end.velocities[particle];
        drifted_[particle] = now;
    }
    void finish(const State& begin, double h, const ConstraintSet& constraints, State& end,
                StepReport& report, Profile& profile);

    EulerCromerSettings settings_;
    LocalRates rates_;
    StabilityControl control_;
    std::vector<Item> items_;
    Vibrations all_, others_;

    // Longest steps.
    std::vector<double> limits_; ///< of each particle [s]; empty before they were asked for
    std::vector<char> pinned_;
    double fastest_ = 0, fastest_damping_ = 0;       ///< of the whole, as the frame began
    double rate_scale_ = 1, damping_rate_scale_ = 1; ///< of the bounds of single particles
    double outer_ = 0;                               ///< the step that is asked for [s]
    double damping_scale_ = 1;
    int since_limits_ = 0;
    bool limits_changed_ = false;
    double assigned_for_ = 0; ///< step that the elements are sorted for [s]

    // A step.
    Filter filter_;
    std::vector<int> held_; ///< index into the filter, or -1
    std::vector<int> held_list_;
    std::vector<Vec3> impulses_; ///< of forces on held particles [N s]
    std::vector<Vec3> force_, steady_, middle_, slowed_;
    std::vector<int> drifted_; ///< to which part of the step a position has been moved
    int now_ = 0;
    double unit_ = 0; ///< half of the shortest interval [s]
    Partials<double> not_finite_;
};

} // namespace muslin
