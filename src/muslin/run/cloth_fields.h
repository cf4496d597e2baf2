#pragma once

#include "muslin/engine/simulation.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace muslin {

/// How hard seams are pulled. Two sides of a seam share their particles, whose forces balance; what
/// one side alone pulls with is found on the cloth cut apart (model/cut.h).
class SeamTension {
public:
    explicit SeamTension(const Simulation& simulation);
    SeamTension(const SeamTension&) = delete; // its forces refer to its model
    SeamTension& operator=(const SeamTension&) = delete;

    /// Whether a vertex of the cloth is sewn, or is to be.
    bool has(std::size_t cloth) const { return sewn_[cloth] != 0; }
    /// Takes the cloth as it is now.
    void update(const Simulation& simulation);
    /// Force per length of seam at each vertex of the cloth [N/m], zero off the seams: that of
    /// stretch and shear on its own side, without damping, at the last update.
    void read(std::size_t cloth, std::vector<double>& values) const;

private:
    struct SewnVertex {
        int vertex;
        double length; ///< of seam that the vertex stands for [m]
    };
    void take_joints(const Model& sewn);

    Model cut_;
    ForceSet forces_;
    std::vector<char> sewn_;                     ///< by cloth
    std::vector<std::vector<SewnVertex>> seams_; ///< by cloth
    int merges_ = 0;                             ///< of the simulation, when last looked at
    std::vector<Vec3> positions_, velocities_, force_;
};

/// What a run knows of each vertex besides where it is: contact pressure, pinches, tension of
/// seams and panels.
class ClothFields {
public:
    /// The simulation must outlive it.
    explicit ClothFields(const Simulation& simulation);

    /// "contact" and "pinch" where the recipe has contact, "seam" where the cloth is sewn,
    /// "tension" where it has named panels. Units are those of mesh/fields.h; a pinched vertex has
    /// a one.
    const std::vector<std::string>& names(std::size_t cloth) const { return names_[cloth]; }
    /// Takes the cloth as it is now.
    void update();
    /// One list per name, one value per vertex of the cloth, at the last update.
    void read(std::size_t cloth, std::vector<std::vector<double>>& values) const;

private:
    const Simulation& simulation_;
    std::vector<std::vector<std::string>> names_;
    std::vector<double> particle_area_; ///< [m^2]
    int merges_ = 0;                    ///< of the simulation, when they were found
    std::optional<SeamTension> seams_;
    bool has_panels_ = false;               ///< some cloth
    std::vector<TriangleTension> tensions_; ///< at the last update; empty where none has panels
};

} // namespace muslin
