#pragma once

#include "muslin/collision/broad/box_tree.h"
#include "muslin/collision/detect/solid_faces.h"
#include "muslin/collision/detect/surfaces.h"
#include "muslin/collision/response/contact_response.h"

#include <cstdint>
#include <span>
#include <vector>

namespace muslin {

struct SolidContactSettings {
    /// Relative tangential speed that counts as low: the particle locks [m/s].
    double lock_speed = 0.05;
    /// How far inside a body a particle is still brought back [m]; one that is seen to cross a face
    /// is brought back from anywhere.
    double depth = 0.02;
    /// How fast position alteration moves a particle to the surface, at most [m/s]: a smaller step
    /// is to change less, or a rejected one could not be mended.
    double recovery = 1;
};

/// Contact of particles with bodies by constraints [BW98 2.1, 2.4, 5.4, 6.1, 6.2].
///
/// A particle that is near a face and on its wrong side, whose path crossed a face in the step
/// before, or whose motion will carry it across one in this step, is constrained: it gets the
/// velocity of the face, and position alteration brings it to the surface. It is locked while it
/// slides slowly and friction suffices, slides otherwise, and is released when the constraint
/// pulls.
class SolidContact {
public:
    SolidContact(const Model& model, const Surfaces& surfaces, SolidContactSettings settings);

    /// A particle in contact over the step.
    struct Active {
        int particle;
        Touch mode; ///< locked or sliding
        FacePoint place;
        Vec3 offset;        ///< of a locked particle, in the frame of the face [m]
        Vec3 normal;        ///< at the end of the step
        Vec3 face_velocity; ///< [m/s]
        double friction;
        double normal_force; ///< known or guessed before the solve [N]
        double drag;         ///< of sliding [N s/m]
    };

    /// What a step knows of the motion so far.
    struct Motion {
        const State& state;
        double h;                         ///< [s]
        Vec3 gravity;                     ///< [m/s^2]
        std::span<const Vec3> begin, end; ///< all points, the particles going on as they go
        std::span<const Vec3> before;     ///< all points at the begin of the step before
    };

    /// Finds the contacts of a step and adds their constraints. `touches` has one entry per
    /// particle and is not changed.
    void constrain(const Motion& motion, std::span<const SolidTouch> touches,
                   ConstraintSet& constraints);
    /// In the order of particles.
    std::span<const Active> active() const { return active_; }

    /// What becomes of the contacts: writes the touches that the next step begins with, and adds
    /// the normal forces to `contact_force` [N]. Returns how many hold.
    int follow(const ProposedStep& step, const State& end, std::span<SolidTouch> touches,
               std::span<double> contact_force) const;

private:
    struct Candidate {
        int particle, face;
    };
    void place_bodies(const Motion& motion);
    void search(const Motion& motion);
    std::span<const int> faces_near(int particle) const {
        return std::span(faces_).subspan(first_face_[particle],
                                         first_face_[particle + 1] - first_face_[particle]);
    }
    bool decide(const Motion& motion, int particle, const SolidTouch& touch,
                std::span<const int> faces, Active& out) const;
    /// The way of one particle and of all bodies.
    struct Path {
        Vec3 from, to;
        std::span<const Vec3> bodies_from, bodies_to;
    };
    bool find_crossing(const Path& path, int particle, std::span<const int> faces,
                       FacePoint& place) const;
    void start(const Motion& motion, int particle, const FacePoint& place, const Vec3& normal,
               Active& out) const;
    Vec3 face_velocity(const FacePoint& place, double h) const;
    ParticleConstraint constraint(const Motion& motion, const Active& contact) const;
    double drag(const Active& contact, const Vec3& velocity) const;

    const Model& model_;
    const Surfaces& surfaces_;
    SolidContactSettings settings_;
    SolidFaces begin_faces_, end_faces_;
    bool placed_ = false;
    BoxTree points_tree_, faces_tree_;
    std::vector<Box> boxes_;
    std::vector<std::vector<Candidate>> found_;
    std::vector<int> first_face_, faces_; ///< candidates by particle
    std::vector<Active> decided_;
    std::vector<std::uint8_t> touches_now_;
    std::vector<Active> active_;
};

} // namespace muslin
