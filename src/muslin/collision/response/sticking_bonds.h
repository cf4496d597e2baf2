#pragma once

#include "muslin/collision/broad/box_tree.h"
#include "muslin/model/model.h"
#include "muslin/model/state.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace muslin {

/// Forms and breaks the bonds of dynamic sticking constraints [Bridson03 6], once for each step
/// that was taken; forces/sticking.h is what they do in a step.
///
/// A particle that comes within the tolerance of a sticky triangle is bonded to it at the place of
/// the triangle's frame where it is: a new bond is as long as zero. Bonds with several triangles
/// share the stiffness, so that the particle is drawn to the average of the places. A bond as long
/// as the break distance ends, and so do all where the strength is zero; they may form again.
///
/// Nothing here adds energy. A share never grows: a new bond lessens those of the others, and where
/// one breaks the others keep what they have.
class StickingBonds {
public:
    explicit StickingBonds(const Model& model);

    struct Change {
        int formed = 0, broken = 0;
    };
    /// Brings the bonds of a state up to date.
    Change update(State& state);

    /// Drops bonds that the model cannot have: those of a state of another scene.
    void keep_fitting(std::vector<Bond>& bonds) const;

private:
    /// A particle and a triangle that are near.
    struct Near {
        int particle, triangle; ///< triangle: index into Sticking::triangles
        double squared;         ///< of the distance [m^2]
    };
    /// What a sticking needs for its search.
    struct Search {
        std::vector<double> half_thickness; ///< per triangle: of its thickest corner [m]
        /// Per adhering particle: triangles of its own surroundings, to which it never sticks,
        /// increasing. Empty: of bodies.
        std::vector<std::vector<int>> own;
        std::vector<int> particles; ///< that may take a bond now
        std::vector<Box> point_boxes, triangle_boxes;
        BoxTree points, triangles;
        std::vector<std::vector<Near>> chunks;
    };

    void find_own_triangles(const Sticking& sticking, Search& search) const;
    void place_bodies(double time);
    const Vec3* corners_of(const Sticking& sticking, const State& state) const;
    int break_bonds(State& state);
    int form_bonds(int index, State& state);
    void choose_particles(int index, const State& state);
    void find_near(int index, const State& state, double distance);
    void find_nearest(int index, const State& state);
    void keep_new(int index, const State& state);
    void take_nearest(std::vector<int>& particles);
    Bond make_bond(int index, const Near& near, const State& state) const;
    void share_out(State& state) const;

    const Model& model_;
    std::vector<Search> searches_;
    std::vector<std::vector<Vec3>> bodies_; ///< places of the vertices of sticky bodies [m]
    std::vector<std::uint8_t> ends_;        ///< per bond
    std::vector<Near> near_, found_;
};

} // namespace muslin
