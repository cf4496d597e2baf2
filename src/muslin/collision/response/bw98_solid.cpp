#include "muslin/collision/response/bw98_solid.h"

#include "muslin/base/parallel.h"
#include "muslin/collision/detect/contact.h"
#include "muslin/kernels/continuous.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

constexpr std::size_t grain = 256; // particles per parallel range

} // namespace

SolidContact::SolidContact(const Model& model, const Surfaces& surfaces,
                           SolidContactSettings settings)
    : model_(model), surfaces_(surfaces), settings_(settings), begin_faces_(surfaces),
      end_faces_(surfaces) {}

void SolidContact::constrain(const Motion& motion, std::span<const SolidTouch> touches,
                             ConstraintSet& constraints) {
    active_.clear();
    if (surfaces_.body_triangle_count() == 0)
        return;
    place_bodies(motion);
    search(motion);
    const std::size_t particles = surfaces_.particle_count();
    decided_.resize(particles);
    touches_now_.assign(particles, 0);
    // What a pin holds in every direction has no motion left for contact to change.
    for (const ParticleConstraint& c : constraints.list())
        if (c.count == 3)
            touches_now_[c.particle] = 2;
    parallel_for(particles, grain, [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            const int particle = static_cast<int>(i);
            if (touches_now_[i] == 0)
                touches_now_[i] =
                    decide(motion, particle, touches[i], faces_near(particle), decided_[i]) ? 1 : 0;
        }
    });
    for (std::size_t i = 0; i < particles; ++i)
        if (touches_now_[i] == 1) {
            active_.push_back(decided_[i]);
            constraints.add(constraint(motion, active_.back()));
        }
}

/// The faces and their tree; bodies that stand are placed once.
void SolidContact::place_bodies(const Motion& motion) {
    if (placed_ && !surfaces_.bodies_move())
        return;
    placed_ = true;
    begin_faces_.set_positions(motion.begin);
    end_faces_.set_positions(motion.end);
    const int first = surfaces_.cloth_triangle_count();
    boxes_.resize(surfaces_.body_triangle_count());
    for (std::size_t f = 0; f < boxes_.size(); ++f) {
        const auto& [a, b, c] = surfaces_.triangles[first + f];
        boxes_[f] = Box::around(motion.begin[a], motion.begin[b], motion.begin[c], motion.end[a],
                                motion.end[b], motion.end[c], motion.before[a], motion.before[b],
                                motion.before[c]);
        boxes_[f].grow(surfaces_.half_thickness[a]);
    }
    faces_tree_.follow(boxes_);
}

/// Lists for every particle the faces that its way from the begin of the step before to the end of
/// this one comes near to.
void SolidContact::search(const Motion& motion) {
    const int particles = surfaces_.particle_count(), first = surfaces_.cloth_triangle_count();
    const double weight = norm(motion.gravity) * motion.h * motion.h;
    boxes_.resize(particles);
    parallel_for(particles, grain, [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            boxes_[i] = Box::around(motion.before[i], motion.begin[i], motion.end[i]);
            boxes_[i].grow(surfaces_.half_thickness[i] + settings_.depth + weight);
        }
    });
    points_tree_.follow(boxes_);

    found_.resize(points_tree_.chunk_count());
    for (auto& chunk : found_)
        chunk.clear();
    points_tree_.visit_pairs(faces_tree_, [&](std::size_t chunk, int particle, int face) {
        if (surfaces_.touches(particle))
            found_[chunk].push_back({particle, first + face});
    });
    first_face_.assign(particles + 1, 0);
    for (const auto& chunk : found_)
        for (const Candidate& c : chunk)
            ++first_face_[c.particle + 1];
    for (int i = 0; i < particles; ++i)
        first_face_[i + 1] += first_face_[i];
    faces_.resize(first_face_.back());
    for (const auto& chunk : found_)
        for (const Candidate& c : chunk)
            faces_[first_face_[c.particle]++] = c.face;
    for (int i = particles; i > 0; --i)
        first_face_[i] = first_face_[i - 1];
    first_face_[0] = 0;
}

/// The first face that a particle crosses from its outside, if any.
bool SolidContact::find_crossing(const Path& path, int particle, std::span<const int> faces,
                                 FacePoint& place) const {
    double earliest = 2;
    for (const int face : faces) {
        const auto& [a, b, c] = surfaces_.triangles[face];
        const auto& from = path.bodies_from;
        const auto& to = path.bodies_to;
        const std::array<Vec3, 4> x0 = {path.from, from[a], from[b], from[c]};
        const std::array<Vec3, 4> x1 = {path.to, to[a], to[b], to[c]};
        const Vec3 n0 = cross(x0[2] - x0[1], x0[3] - x0[1]);
        const Vec3 n1 = cross(x1[2] - x1[1], x1[3] - x1[1]);
        // What crosses inward is outside the plane before and inside after.
        if (!(dot(n0, x0[0] - x0[1]) >= 0 && dot(n1, x1[0] - x1[1]) < 0))
            continue;
        ContinuousSettings settings;
        settings.tolerance = std::max(1e-7, 1e-3 * surfaces_.thickness(particle, a));
        const auto impact = vertex_face_impact(x0, x1, settings);
        if (impact && impact->time < earliest) {
            earliest = impact->time;
            place = {face, {1 - impact->a - impact->b, impact->a, impact->b}, FaceRegion::interior};
        }
    }
    return earliest <= 1;
}

Vec3 SolidContact::face_velocity(const FacePoint& place, double h) const {
    return (1 / h) * (end_faces_.position(place) - begin_faces_.position(place));
}

/// A new contact: locked where it slides slowly, or no faster than the impulse that stops it along
/// the normal lets friction stop.
void SolidContact::start(const Motion& motion, int particle, const FacePoint& place,
                         const Vec3& normal, Active& out) const {
    out.particle = particle;
    out.place = place;
    out.normal = normal;
    out.face_velocity = face_velocity(place, motion.h);
    const int corner = surfaces_.triangles[place.face][0];
    out.friction = surfaces_.friction_between(particle, corner);
    const Vec3 relative = motion.state.velocities[particle] - out.face_velocity;
    const double approach = std::max(0.0, -dot(relative, normal));
    const double slip = norm(tangential(relative, normal));
    out.mode = slip <= std::max(settings_.lock_speed, out.friction * approach) ? Touch::locked
                                                                               : Touch::sliding;
    out.offset = end_faces_.to_frame(place.face, surfaces_.thickness(particle, corner) * normal);
    out.normal_force = surfaces_.mass[particle] * approach / motion.h;
    out.drag = drag(out, motion.state.velocities[particle]);
}

/// Friction of a sliding particle as a drag: the force of Coulomb's law at the speed it has, less
/// where it is slower than what counts as low, so that it never reverses the motion.
double SolidContact::drag(const Active& contact, const Vec3& velocity) const {
    if (contact.mode != Touch::sliding)
        return 0;
    const double slip = norm(tangential(velocity - contact.face_velocity, contact.normal));
    return contact.friction * contact.normal_force / std::max(slip, settings_.lock_speed);
}

bool SolidContact::decide(const Motion& motion, int particle, const SolidTouch& touch,
                          std::span<const int> faces, Active& out) const {
    if (touch.mode == Touch::locked) {
        out.particle = particle;
        out.mode = Touch::locked;
        out.place = touch.place;
        out.offset = touch.offset;
        const Vec3 offset = end_faces_.from_frame(touch.place.face, touch.offset);
        const Vec3 offset_before = begin_faces_.from_frame(touch.place.face, touch.offset);
        out.normal = norm(offset) > 0 ? normalized(offset) : end_faces_.outward(touch.place);
        out.face_velocity =
            face_velocity(touch.place, motion.h) + (1 / motion.h) * (offset - offset_before);
        out.friction =
            surfaces_.friction_between(particle, surfaces_.triangles[touch.place.face][0]);
        out.normal_force = touch.normal_force;
        out.drag = 0;
        return true;
    }
    if (faces.empty())
        return false;
    const Vec3 velocity = motion.state.velocities[particle];
    const NearestFace near = end_faces_.nearest(motion.end[particle], faces);
    if (near.place.face < 0)
        return false;
    const double thickness = surfaces_.thickness(particle, surfaces_.triangles[near.place.face][0]);
    if (touch.mode == Touch::sliding) {
        if (near.distance > thickness + settings_.depth)
            return false;
        start(motion, particle, near.place, near.normal, out);
        out.mode = Touch::sliding;
        out.normal_force = touch.normal_force;
        out.drag = drag(out, velocity);
        return true;
    }

    // Slower than this is rest: rounding would catch a particle that was just released.
    const double rest =
        std::max(0.01 * norm(motion.gravity) * motion.h, 1e-3 * thickness / motion.h);
    // Weight counts as motion only for what falls already. A particle that was released, is lifted
    // slowly or hangs between its neighbours would be caught before anything could carry it away.
    const double falls = 0.5 * norm(motion.gravity) * motion.h;
    const auto approaches = [&](const FacePoint& place, const Vec3& n, double speed) {
        return dot(velocity - face_velocity(place, motion.h), n) < -speed;
    };
    const auto begins = [&](const FacePoint& place, const Vec3& n) {
        start(motion, particle, place, n, out);
        return true;
    };
    const Vec3 &x = motion.begin[particle], &ahead = motion.end[particle];
    const Vec3 falling = ahead + motion.h * motion.h * motion.gravity;
    FacePoint place;
    if (find_crossing({motion.before[particle], x, motion.before, motion.begin}, particle, faces,
                      place) ||
        find_crossing({x, ahead, motion.begin, motion.end}, particle, faces, place))
        return begins(place, end_faces_.normal(place.face));
    if (find_crossing({x, falling, motion.begin, motion.end}, particle, faces, place) &&
        approaches(place, end_faces_.normal(place.face), falls))
        return begins(place, end_faces_.normal(place.face));
    const bool wrong_side = near.distance > -settings_.depth && near.distance < 0.5 * thickness;
    const bool near_enough = near.distance >= 0 && near.distance < thickness;
    if (wrong_side || (near_enough && approaches(near.place, near.normal, rest)))
        return begins(near.place, near.normal);
    return false;
}

ParticleConstraint SolidContact::constraint(const Motion& motion, const Active& contact) const {
    ParticleConstraint c;
    c.particle = contact.particle;
    Vec3 directions[3] = {contact.normal};
    if (contact.mode == Touch::locked) {
        c.count = 3;
        const Vec3& n = contact.normal;
        const Vec3 axis = std::abs(n.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
        directions[1] = normalized(cross(n, axis));
        directions[2] = cross(n, directions[1]);
    } else {
        c.count = 1;
    }
    const Vec3 carried = motion.begin[contact.particle] + motion.h * contact.face_velocity;
    Vec3 alteration = end_faces_.position(contact.place) +
                      end_faces_.from_frame(contact.place.face, contact.offset) - carried;
    if (c.count == 1)
        alteration = dot(alteration, contact.normal) * contact.normal;
    const double most = settings_.recovery * motion.h, length = norm(alteration);
    if (length > most)
        alteration = (most / length) * alteration;
    for (int k = 0; k < c.count; ++k) {
        c.direction[k] = directions[k];
        c.velocity[k] = dot(directions[k], contact.face_velocity);
        c.position[k] = dot(directions[k], carried + alteration);
    }
    return c;
}

int SolidContact::follow(const ProposedStep& step, const State& end, std::span<SolidTouch> touches,
                         std::span<double> contact_force) const {
    std::fill(touches.begin(), touches.end(), SolidTouch{});
    const auto& list = step.constraints.list();
    std::size_t k = 0;
    int holding = 0;
    for (const Active& contact : active_) {
        const int p = contact.particle;
        while (list[k].particle < p)
            ++k;
        const Vec3 force = step.constraint_forces[k];
        const double normal_force = dot(force, contact.normal);
        SolidTouch& touch = touches[p];
        if (normal_force < 0)
            continue; // released
        ++holding;
        contact_force[p] += normal_force;
        touch.normal_force = normal_force;
        touch.place = contact.place;
        touch.offset = contact.offset;
        touch.mode = contact.mode;
        if (contact.mode == Touch::locked) {
            const double held = norm(tangential(force, contact.normal));
            if (held > contact.friction * normal_force)
                touch.mode = Touch::sliding;
            continue;
        }
        // Slow, and friction can hold what drives it: what its motion and the drag balance.
        const auto slip = [&](const Vec3& v) {
            return tangential(v - contact.face_velocity, contact.normal);
        };
        const Vec3 before = slip(step.begin.velocities[p]), after = slip(end.velocities[p]);
        const Vec3 drive = (surfaces_.mass[p] / step.h) * (after - before) + contact.drag * after;
        if (norm(after) < settings_.lock_speed && norm(drive) <= contact.friction * normal_force) {
            const NearestFace near = end_faces_.nearest(end.positions[p], faces_near(p));
            const double thickness =
                surfaces_.thickness(p, surfaces_.triangles[near.place.face][0]);
            touch.mode = Touch::locked;
            touch.place = near.place;
            touch.offset = end_faces_.to_frame(near.place.face, thickness * near.normal);
        }
    }
    return holding;
}

} // namespace muslin
