#pragma once

#include "muslin/garment/mannequin.h"

#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <vector>

// The steps by which the mannequin is made: a plan of its joints, a shape around them, a skin on
// the shape, motions of the joints. Each has its own file.

namespace muslin::mannequin {

enum Joint {
    pelvis,
    spine,
    chest,
    neck,
    head,
    clavicle, // of the left side; the right one's are `side_joints` further on
    upper_arm,
    lower_arm,
    hand,
    upper_leg,
    lower_leg,
    foot,
    toes,
    joint_count = toes + 1 + (toes - clavicle + 1),
};
inline constexpr int side_joints = toes - clavicle + 1;

constexpr bool on_left(int joint) {
    return joint >= clavicle && joint <= toes;
}
/// The same joint of the other side.
constexpr int mirrored(int joint) {
    return joint < clavicle ? joint : (joint <= toes ? joint + side_joints : joint - side_joints);
}
constexpr Vec3 mirrored(const Vec3& a) {
    return {-a.x, a.y, a.z};
}

inline double smoothstep(double from, double to, double x) {
    const double t = std::fmin(std::fmax((x - from) / (to - from), 0.0), 1.0);
    return t * t * (3 - 2 * t);
}

/// Where the joints are as modelled, and by how much the parts of the body that was drawn, of
/// 1.72 m, are scaled.
struct Plan {
    explicit Plan(const MannequinSettings& settings);

    MannequinSettings settings;
    double scale = 1;                 ///< of lengths: height / 1.72 m
    double arm_scale = 1;             ///< along the arm from shoulder to wrist
    double limb_scale = 1;            ///< of radii, beyond `scale`
    Vec3 arm_direction = {0, 0, 0};   ///< of the left arm
    std::array<Vec3, joint_count> at; ///< [m]
};

int parent_of(int joint);
const char* name_of(int joint);

/// A body as a function of space that is below zero inside and roughly a distance near the skin.
class Shape {
public:
    explicit Shape(const Plan& plan);
    ~Shape();

    double operator()(const Vec3& p) const;
    /// Of the left arm and of the rest of the body apart from each other: whose skin this is.
    double arm(const Vec3& p) const;
    double trunk(const Vec3& p) const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

/// Half of a closed surface, the side x >= 0, as even triangles. Vertices of the rim have x = 0.
struct HalfSkin {
    std::vector<Vec3> positions;
    std::vector<std::array<int, 3>> triangles;
    std::vector<char> rim;
};
struct SkinSettings {
    Vec3 low, high;                          ///< what to look in for the surface; low.x is 0
    double cell;                             ///< of the grid on which it is found [m]
    std::function<double(const Vec3&)> edge; ///< target length of edges [m]
};
HalfSkin mesh_half(const std::function<double(const Vec3&)>& shape, const SkinSettings& settings);

/// The mesh and the weights of its vertices.
void add_skin(Character& character, const Plan& plan, const Shape& shape);

void add_clips(Character& character, const Plan& plan);

} // namespace muslin::mannequin
