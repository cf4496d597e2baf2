#pragma once

#include "muslin/collision/response/zoned_contact.h"

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
    /// How wide the squares of the pattern are that decide together what slides [m]: about as far
    /// as stiff threads pass on what friction holds, sqrt(h k v / (mu p)) at the slip speed v, 0.14
    /// m for cotton of k = 6000 N/m under its own weight in steps of 1/60 s.
    double patch = 0.1;
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
        Contact contact;
        int particle = -1;  ///< the first of the cloth that takes part
        double area;        ///< that the contact stands for [m^2]
        double mass;        ///< that the contact has to move [kg]
        double target;      ///< the gap at which the force is zero, linearised [m]
        double stiffness;   ///< k [N/m]
        double begin_gap;   ///< [m]
        Vec3 body_velocity; ///< what bodies add to the difference of velocities [m/s]
        /// Normal, that lasts, of the last solve; before the first, of the last step [N].
        double force = 0;
        double closing = 0;     ///< speed at which the layers approach at the start [m/s]
        bool is_impact = false; ///< impact zones met it: it acts wherever the cloth is
        bool acted = false;     ///< in the last solve
        bool presses = false;   ///< after the last solve
        double drag = 0;        ///< on slip [N s/m]

        /// The gap at the end of the step if the layers move against each other like this from its
        /// start on [m].
        double gap_ahead(const Vec3& relative_velocity, double h) const {
            return begin_gap + h * dot(contact.normal, relative_velocity);
        }
    };
    std::span<Push> pushes() { return pushes_; }
    std::span<const Push> pushes() const { return pushes_; }
    /// Sets the pushes for the next solve of the step, which is linearised at (x, v).
    void linearise(const Kinematics& at, const Linearisation& step);
    /// Keeps the normal forces of a solve.
    void note_solution(const Kinematics& at);
    double step() const { return step_; } ///< h of the step at hand [s]

private:
    void take_contacts(const State& begin, double h,
                       std::span<const std::vector<Contact>> found) override;
    int push(const ProposedStep& step, State& end) override;
    bool learn(std::span<const Contact> impacts, double largest, double h) override;
    void finish(State& end) override;

    bool add_push(const Contact& contact);
    void make_push(const Contact& contact, Push& push) const;
    void set_stiffness(Push& push, double gap) const;
    double lasting_force(const Push& push, double gap, double parting) const;
    void choose_friction(const Kinematics& at);
    double shared_force(const Contact& contact, std::span<const double> of_particles) const;

    ImplicitContactSettings settings_;
    double longest_step_ = 0;
    double step_ = 0;                  ///< h of the step at hand [s]
    std::span<const Vec3> velocities_; ///< at its start [m/s]
    int repeats_ = 0;                  ///< of the step at hand
    bool settled_ = true;              ///< after the last solve
    std::vector<Push> pushes_;
    /// What the contacts of a patch have together.
    struct Patch {
        Vec3 momentum = {0, 0, 0}; ///< tangential, without friction [N s]
        double mass = 0;           ///< [kg]
        double friction = 0;       ///< the most that friction can take up in the step [N s]
    };
    std::vector<Patch> patches_;
    std::vector<int> patch_of_; ///< per particle
    int patch_count_ = 0;
    std::vector<double> crowding_; ///< per particle: the weights of the pushes on it, summed
};

} // namespace muslin
