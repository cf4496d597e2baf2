#pragma once

#include "muslin/collision/response/zoned_contact.h"

#include <vector>

namespace muslin {

struct ImplicitContactSettings {
    /// The pressure that presses two layers to half their thickness [Pa]. Cloth yields easily at
    /// first and then hardly at all: p = softness d / (1 - d) for the part d of the thickness.
    double softness = 200;
    /// How much more firmly than it is pushed a contact that sticks is held against sliding.
    double stick = 10;
    ImpactZoneSettings zones;
};

/// The contact of the default recipe. Layers that are near, or that would meet if all moved on as
/// they do, push on each other within the implicit step, stiffly and with friction; what the step
/// would still let cross is stopped by impact zones.
class ImplicitContact final : public ZonedContact {
public:
    ImplicitContact(const Model& model, ImplicitContactSettings settings);

    std::unique_ptr<Force> make_force() override;
    double longest_step() const override { return longest_step_; }

    /// A contact in the implicit step: n k (target - gap) across, -drag v along.
    struct Push {
        Contact contact;
        int particle = -1;     ///< the first of the cloth that takes part
        double area;           ///< that the contact stands for [m^2]
        double target;         ///< the gap at which the force is zero, linearised [m]
        double stiffness;      ///< k [N/m]
        double mass;           ///< that the contact has to move [kg]
        double drag = 0;       ///< of sliding [N s/m]
        Vec3 body_end;         ///< what bodies add to the difference of positions at the end [m]
        Vec3 body_velocity;    ///< and of velocities [m/s]
        double force = 0;      ///< normal, at the end of the step [N]
        double closing = 0;    ///< speed at which the layers approach at the begin [m/s]
        bool expected = false; ///< to touch if all moves on as it does
        bool acted = false;    ///< in the last solve
    };
    std::span<Push> pushes() { return pushes_; }
    /// Sets the pushes for the next solve of the step, which is linearised at (x, v).
    void linearise(const Kinematics& at, double h, int iteration);

private:
    void take_contacts(const State& begin, double h,
                       std::span<const std::vector<Contact>> found) override;
    int push(const ProposedStep& step, State& end) override;
    bool learn(std::span<const Contact> impacts, double largest, double h) override;
    void finish(State& end) override;

    bool add_push(const Contact& contact, double h);
    void make_push(const Contact& contact, double h, Push& push) const;
    void set_stiffness(Push& push, double gap) const;
    void choose_friction(const Kinematics& at, double h);
    double remembered_force(const Contact& contact, const State& begin) const;

    ImplicitContactSettings settings_;
    double longest_step_ = 0;
    double step_ = 0; ///< h of the step at hand [s]
    int repeats_ = 0; ///< of the step at hand
    std::vector<Push> pushes_;
    /// What the contacts of some neighbouring particles have together.
    struct Patch {
        Vec3 momentum = {0, 0, 0}; ///< tangential, without friction [N s]
        double mass = 0;           ///< [kg]
        double friction = 0;       ///< the most that friction can take up in the step [N s]
    };
    std::vector<Patch> patches_;
    std::vector<double> crowding_; ///< per particle: the weights of the pushes on it, summed
};

} // namespace muslin
