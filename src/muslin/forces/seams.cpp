#include "muslin/forces/seams.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

// Within so many meet distances all differences of velocity are damped.
constexpr double near_meeting = 10;

Vec3 mean(std::span<const int> particles, std::span<const Vec3> a) {
    Vec3 sum = {0, 0, 0};
    for (const int p : particles)
        sum += a[p];
    return (1.0 / static_cast<double>(particles.size())) * sum;
}

} // namespace

SeamForce::SeamForce(const Model& model) : model_(model) {
    int slots = 0;
    for (std::size_t s = 0; s < model.seams.size(); ++s)
        for (const auto& joint : model.seams[s].joints) {
            const int count = static_cast<int>(joint.size());
            joints_.push_back(
                {static_cast<int>(s), static_cast<int>(particles_.size()), count, slots});
            particles_.insert(particles_.end(), joint.begin(), joint.end());
            slots += count * count;
        }
    cached_.resize(joints_.size());
}

void SeamForce::append_pairs(std::vector<std::array<int, 2>>& pairs) const {
    for (const Joint& joint : joints_)
        for (int i = 0; i < joint.count; ++i)
            for (int j = i + 1; j < joint.count; ++j)
                pairs.push_back({particles_[joint.begin + i], particles_[joint.begin + j]});
}

void SeamForce::bind(const BlockMatrix& matrix) {
    slots_.clear();
    for (const Joint& joint : joints_)
        for (int i = 0; i < joint.count; ++i)
            for (int j = 0; j < joint.count; ++j)
                slots_.push_back(
                    matrix.slot(particles_[joint.begin + i], particles_[joint.begin + j]));
}

// Where more sections meet each is drawn as hard as where two do.
double SeamForce::limit(const Joint& joint) const {
    const Seam& seam = model_.seams[joint.seam];
    const double elapsed = time_ - seam.window.start,
                 most = std::sqrt(joint.count / 2.0) * seam.max_force;
    return elapsed < seam.ramp ? std::max(0.0, elapsed) / seam.ramp * most : most;
}

void SeamForce::find_shape(const Joint& joint, std::span<const Vec3> positions,
                           Shape& shape) const {
    const std::span<const int> own = std::span(particles_).subspan(joint.begin, joint.count);
    const Vec3 middle = mean(own, positions);
    shape.offsets.clear();
    double squared = 0;
    for (const int p : own) {
        shape.offsets.push_back(positions[p] - middle);
        squared += dot(shape.offsets.back(), shape.offsets.back());
    }
    shape.width = std::sqrt(squared);
    const Seam& seam = model_.seams[joint.seam];
    const bool acts = seam.window.contains(time_);
    shape.secant = acts ? seam_pull(shape.width, seam.stiffness, limit(joint)).secant : 0.0;
    shape.damping = acts ? seam.damping : 0.0;
    shape.grip = seam_grip(shape.width, near_meeting * seam.meet_distance);
}

// f -= D w, D = c (g E + (1 - g) n n^T) with E what takes the mean away, n the offsets over r.
void SeamForce::add_damped(const Joint& joint, const Shape& shape, std::span<const Vec3> w,
                           std::span<Vec3> f) const {
    if (shape.damping == 0)
        return;
    const std::span<const int> own = std::span(particles_).subspan(joint.begin, joint.count);
    const Vec3 middle = mean(own, w);
    double rate = 0; // of r^2 / 2
    for (int i = 0; i < joint.count; ++i)
        rate += dot(shape.offsets[i], w[own[i]] - middle);
    const double along = shape.width > 0 ? rate / (shape.width * shape.width) : 0.0;
    for (int i = 0; i < joint.count; ++i)
        f[own[i]] -= (shape.damping * shape.grip) * (w[own[i]] - middle) +
                     (shape.damping * (1 - shape.grip) * along) * shape.offsets[i];
}

double SeamForce::energy(std::span<const Vec3> positions) const {
    double sum = 0;
    for (const Joint& joint : joints_) {
        const Seam& seam = model_.seams[joint.seam];
        if (!seam.window.contains(time_))
            continue;
        find_shape(joint, positions, shape_);
        sum += seam_pull(shape_.width, seam.stiffness, limit(joint)).energy;
    }
    return sum;
}

void SeamForce::add_force(const Kinematics& at, std::span<Vec3> f) const {
    for (const Joint& joint : joints_) {
        find_shape(joint, at.positions, shape_);
        for (int i = 0; i < joint.count; ++i)
            f[particles_[joint.begin + i]] -= shape_.secant * shape_.offsets[i];
        add_damped(joint, shape_, at.velocities, f);
    }
}

void SeamForce::add_linearised(const Kinematics& at, const Linearisation& step, std::span<Vec3> f,
                               BlockMatrix& a) const {
    for (const Joint& joint : joints_) {
        find_shape(joint, at.positions, shape_);
        if (shape_.secant == 0 && shape_.damping == 0)
            continue;
        const std::span<const int> own = std::span(particles_).subspan(joint.begin, joint.count);
        const Vec3 moved = mean(own, step.displacement);
        for (int i = 0; i < joint.count; ++i)
            f[own[i]] -= shape_.secant * (shape_.offsets[i] + step.displacement[own[i]] - moved);
        add_damped(joint, shape_, at.velocities, f);

        const double even =
            step.h * (step.h * shape_.secant + shape_.damping * shape_.grip); // on E
        const double along = shape_.width > 0 ? step.h * shape_.damping * (1 - shape_.grip) /
                                                    (shape_.width * shape_.width)
                                              : 0.0;
        for (int i = 0; i < joint.count; ++i)
            for (int j = i; j < joint.count; ++j) {
                const double share = (i == j ? 1.0 : 0.0) - 1.0 / joint.count;
                const Mat3 block = Mat3::diagonal(even * share) +
                                   along * outer(shape_.offsets[i], shape_.offsets[j]);
                const int slot = slots_[joint.slots + i * joint.count + j];
                if (i == j)
                    a.add(slot, block);
                else
                    a.add_pair(slot, slots_[joint.slots + j * joint.count + i], block);
            }
    }
}

void SeamForce::cache_damping(const Kinematics& at) {
    for (std::size_t k = 0; k < joints_.size(); ++k)
        find_shape(joints_[k], at.positions, cached_[k]);
}

void SeamForce::add_damping(std::span<const Vec3> w, std::span<Vec3> f) const {
    for (std::size_t k = 0; k < joints_.size(); ++k)
        add_damped(joints_[k], cached_[k], w, f);
}

// A joint has k / m at most; joints have no particle in common.
double SeamForce::added_eigenvalue() const {
    double most = 0;
    for (const Joint& joint : joints_)
        for (int i = 0; i < joint.count; ++i)
            most = std::max(most, model_.seams[joint.seam].stiffness /
                                      model_.mass[particles_[joint.begin + i]]);
    return most;
}

} // namespace muslin
