#pragma once

#include "muslin/model/conditions.h"
#include "muslin/model/model.h"
#include "muslin/model/state.h"

#include <string>
#include <vector>

// Particles that become one while a scene runs [Ohta95, Deformation process]: "each region is
// brought toward its paired region, until the two regions meet and are combined".

namespace muslin {

using ParticleGroups = std::vector<std::vector<int>>;

/// Where the particles of a model go when some of them become one.
struct ParticleMap {
    std::vector<int> to; ///< of each particle: its number afterwards
    int count = 0;       ///< of particles afterwards

    /// The particles that become one, two or more in each group, increasing.
    ParticleGroups groups() const;
};

/// Groups that have a particle in common become one particle. Numbers keep their order, a group has
/// the place of its first particle: merging at once and one after the other is the same.
ParticleMap map_particles(int particles, const ParticleGroups& groups);
/// First one, then the other.
ParticleMap compose(const ParticleMap& first, const ParticleMap& second);

/// The model in which particles have become one. Triangles keep their order and each corner its
/// pattern coordinates; hinges come to be across the seams, flat at rest; masses add up. A particle
/// is as thick as the thickest that it comes from and has the mean of their friction. What refers
/// to particles is told the new numbers: a joint of a seam whose particles are one is gone from it
/// and is one of the stitching layer, a link from a particle to itself is gone.
Model merge_particles(const Model& model, const ParticleMap& map);

/// What refers to particles in the conditions, pins and pulls, is told the new numbers. Shares of
/// weight are left for who sets them.
void merge_conditions(const ParticleMap& map, Conditions& conditions);

/// Takes a state of `before` over to `after`, which is merge_particles() of it: a particle is at
/// the centre of mass of those that it comes from and has their momentum. `merged` is left as it
/// is, and so are the sides, whose features are not known here: see
/// collision/sides/merged_sides.h. Contact has no other history afterwards.
void merge_state(const Model& before, const Model& after, const ParticleMap& map, State& state);

/// Which groups may become one particle each.
struct MergeChoice {
    ParticleGroups groups;
    struct Refusal {
        std::vector<int> group;
        std::string reason; ///< what the mesh would be afterwards
    };
    std::vector<Refusal> refused;
};
/// Takes the groups in their order and refuses those that would make a layer what no cloth can be:
/// a triangle with one particle at two corners, an edge of more than two triangles, faces that are
/// turned against each other.
MergeChoice choose_groups(const Model& model, const ParticleGroups& groups);

/// A joint of a seam whose particles are all within the meet distance of each other, `reach` times
/// over, and the time within the seam's window.
ParticleGroups joints_that_met(const Model& model, const State& state, double reach = 1);

/// How wide a joint is: twice the distance of the farthest particle from their middle [m].
double joint_width(const std::vector<int>& joint, const std::vector<Vec3>& positions);

} // namespace muslin
