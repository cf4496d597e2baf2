#pragma once

#include "muslin/collision/response/contact_elements.h"
#include "muslin/collision/response/contact_friction.h"
#include "muslin/collision/response/contact_pressure.h"
#include "muslin/forces/capabilities.h"
#include "muslin/forces/force.h"
#include "muslin/linalg/block_matrix.h"

#include <vector>

namespace muslin {

/// Pressure and friction of the contacts of a step, within its implicit system. The law is
/// linearised anew for each solve, where the normal force of the solve before presses the layers.
class ContactForce final : public Force, public LinearisedForce, public AdaptiveForce {
public:
    /// Acts through the elements and keeps in them what solves find.
    ContactForce(ContactElements& elements, const PressureLaw& pressure,
                 const ContactFriction& friction);

    std::string_view name() const override { return "contact"; }
    ForceKind kind() const override { return ForceKind::contact; }
    ForceCapabilities capabilities() override { return {.linearised = this, .adaptive = this}; }
    double energy(std::span<const Vec3>) const override { return 0; }
    bool is_active() const override { return !elements_.empty(); }
    void add_force(const Kinematics& at, std::span<Vec3> f) const override;
    void add_linearised(const Kinematics& at, const Linearisation& step, std::span<Vec3> f,
                        BlockMatrix& a) const override;
    /// Keeps the normal forces of a solve.
    void update(const Kinematics& solution) override;
    bool has_converged(std::span<const double> open) const override;

private:
    void linearise(ContactElement& element, const Vec3& velocity) const;

    ContactElements& elements_;
    PressureLaw pressure_;
    ContactFriction friction_;
    /// Of patches of particles in a row: their mass [kg], and by what friction in them was not
    /// Coulomb's in the last solve [N], as a vector: opposite errors of single contacts cancel.
    std::vector<double> patch_mass_;
    std::vector<Vec3> patch_unbalanced_;
    mutable std::vector<BlockEntry> entries_; ///< scratch, kept for its memory
};

/// After the last solve of a step: adds the part of the normal forces that lasts to the particles
/// [N]. Returns how many elements press.
int add_normal_forces(const ContactElements& elements, std::span<double> contact_force);
/// Of the energy that pressure had stored at the start of the step, what it released [J].
double released_energy(const ContactElements& elements, const PressureLaw& pressure);

} // namespace muslin
