#pragma once

#include "muslin/collision/detect/surface_shape.h"
#include "muslin/collision/response/spin.h"
#include "muslin/collision/response/zoned_contact.h"
#include "muslin/forces/capabilities.h"

#include <vector>

namespace muslin {

struct ImplicitContactSettings {
    /// The pressure that presses two layers to half their thickness [Pa]. Cloth yields easily at
    /// first and then hardly at all: p = softness d / (1 - d) for the part d of the thickness.
    double softness = 200;
    /// The speed at which a contact that sticks creeps under the most that friction holds [m/s].
    double slip_speed = 1e-4;
    /// How much more firmly than it is pushed a contact that sticks is held at the most: an impact
    /// presses hard for a step, and what it would hold still all at once is torn.
    double stick = 10;
    ImpactZoneSettings zones;
};

/// The contact of the default recipe. Layers that are near, or that would meet if all moved on as
/// they do, push on each other within the implicit step, stiffly and with Coulomb's friction; what
/// the step would still let cross is stopped by impact zones.
class ImplicitContact final : public ZonedContact {
public:
    ImplicitContact(const Model& model, ImplicitContactSettings settings);

    std::unique_ptr<Force> make_force() override;
    double longest_step() const override { return longest_step_; }

    /// A contact in the implicit step: n k (target - gap) across, friction along.
    struct Push {
        Contact contact;    ///< its normal is that of the surface at the start of the step
        int particle = -1;  ///< the first of the cloth that takes part
        double side = 1;    ///< 1 if that belongs to the first feature, -1 to the second
        double area;        ///< that the contact stands for [m^2]
        double mass;        ///< that the contact has to move [kg]
        double target;      ///< the gap at which the force is zero, linearised [m]
        double stiffness;   ///< k [N/m]
        double begin_gap;   ///< [m]
        Vec3 offset;        ///< at the start, of the first feature along the second [m]
        Mat3 curvature;     ///< of the body: how the normal turns with a slide [1/m]
        Vec3 normal;        ///< where the layers are at the end of the last solve, unit length
        double still_gap;   ///< the gap ahead if nothing moved, linearised there [m]
        Vec3 body_velocity; ///< what bodies add to the difference of velocities [m/s]
        /// Normal, that lasts, of the last solve; before the first, of the last step [N].
        double force = 0;
        double borne = 0;       ///< the normal force that the last solve gave by its tangent [N]
        double gap;             ///< after the last solve; before the first, at the start [m]
        double closing = 0;     ///< speed at which the layers approach at the start [m/s]
        bool is_new = true;     ///< no solve has had it yet
        bool is_impact = false; ///< impact zones met it: stiff enough to stop it in every solve
        bool acted = false;     ///< in the last solve
        bool begins = false;    ///< did not act in the one before
        bool presses = false;   ///< after the last solve
        double limit = 0;       ///< the most that friction holds [N]
        double drag = 0;        ///< on slip, where it slides across its way alone [N s/m]
        Vec3 way = {0, 0, 0};   ///< of a contact that slides: unit length, else zero
        double slip = 0;        ///< speed by which the drag was chosen [m/s]
        int sped_up = 0;        ///< solves in a row, where it does not slide
        int patience = 1;       ///< how many of them set it sliding

        /// The gap at the end of the step if the layers move against each other like this from its
        /// start on [m].
        double gap_ahead(const Vec3& relative_velocity, double h) const {
            return still_gap + h * dot(normal, relative_velocity);
        }
    };
    std::span<Push> pushes() { return pushes_; }
    std::span<const Push> pushes() const { return pushes_; }
    /// Sets the pushes for the next solve of the step, which is linearised at (x, v).
    void linearise(const Kinematics& at, const Linearisation& step);
    /// Keeps the normal forces of a solve.
    void update(const Kinematics& at);
    bool has_converged(std::span<const double> open) const;
    double step() const { return step_; } ///< h of the step at hand [s]

private:
    void take_contacts(const State& begin, double h,
                       std::span<const std::vector<Contact>> found) override;
    int push(const ProposedStep& step, State& end) override;
    double released_energy() const override { return released_energy_; }
    bool learn(std::span<const Contact> impacts, double largest, double h) override;
    void finish(const ProposedStep& step, State& end) override;
    void stop_parting(State& end);
    void keep_spin(const ProposedStep& step, State& end);
    void add_touch(const Contact& contact);

    bool add_push(const Contact& contact);
    void make_push(const Contact& contact, Push& push);
    double longest_turn(const Push& push) const;
    void follow_surface(Push& push, const Vec3& relative_velocity) const;
    double gap_under(double force, const Push& push) const;
    double energy_at(double gap, const Push& push) const;
    void set_stiffness(Push& push, double gap) const;
    double lasting_force(const Push& push, double gap, double parting) const;
    bool between_cloths(const Contact& contact) const;
    void choose_friction(const Kinematics& at, const Linearisation& step);
    double speed_ahead(const Push& push, double speed) const;
    bool slides_on(const Push& push, const Vec3& slip, const Linearisation& step) const;
    Vec3 unbalanced(const Push& push, const Vec3& relative_velocity) const;
    double shared_force(const Contact& contact, std::span<const double> of_particles) const;

    ImplicitContactSettings settings_;
    SurfaceShape shape_;
    Spin spin_;
    double longest_step_ = 0;
    double step_ = 0;                  ///< h of the step at hand [s]
    std::span<const Vec3> velocities_; ///< at its start [m/s]
    int repeats_ = 0;                  ///< of the step at hand
    double released_energy_ = 0;       ///< see released_energy()
    std::vector<Push> pushes_;
    /// Of patches of particles in a row: their mass [kg], and by what friction in them was not
    /// Coulomb's in the last solve [N], as a vector: opposite errors of single contacts cancel.
    std::vector<double> patch_mass_;
    std::vector<Vec3> patch_unbalanced_;
    std::vector<double> crowding_; ///< per particle: the weights of the pushes on it, summed
};

} // namespace muslin
