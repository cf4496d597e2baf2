#pragma once

#include "muslin/garment/mannequin_parts.h"

#include <initializer_list>
#include <utility>

// Poses in the terms that a motion is thought of: where the feet stand, how the pelvis moves over
// them, how trunk and arms turn. Angles in degrees; lengths as of a body of 1.72 m.

namespace muslin::mannequin {

/// A value over time through keys: rests at its extremes and at both ends, never beyond the keys.
class Track {
public:
    Track(std::initializer_list<std::pair<double, double>> keys);
    double operator()(double time) const;

private:
    std::vector<double> at_, value_, slope_;
};

struct ArmPose {
    double raise = 20; ///< to the side; 0 hangs, 90 is level
    double swing = 0;  ///< to the front
    double twist = 0;  ///< about its axis: the elbow's crease to the front and up
    double elbow = 14; ///< bend
    double wrist = 0;  ///< bend to the palm
    double shrug = 0;  ///< of the shoulder upwards
};

/// A foot flat on the floor where `x`, `z` put the middle of both feet, then rolled about its ball
/// (pitch above 0: heel up) or its heel (below 0: toes up), then lifted.
struct FootPose {
    double x = 0, z = 0;
    double yaw = 0;   ///< to the left
    double apart = 1; ///< distance from the middle, in parts of that as modelled
    double ahead = 0; ///< in the foot's own direction
    double pitch = 0;
    double toes = 0; ///< bend upwards
    double lift = 0;
};

/// Angles: x bends forward, y turns left, z leans right.
struct BodyPose {
    Vec3 shift = {0, 0, 0}; ///< of the pelvis from where it was modelled
    Vec3 pelvis = {0, 0, 0};
    Vec3 spine = {0, 0, 0}, chest = {0, 0, 0}, neck = {0, 0, 0}, head = {0, 0, 0};
    ArmPose left_arm, right_arm;
    FootPose left_foot, right_foot;
};

/// By how much the pelvis must be lower for the legs to reach the feet.
double missing_reach(const Plan& plan, const BodyPose& body);

/// The local turns of all joints, and where the pelvis is. Legs reach for the feet.
struct JointPose {
    std::array<Quat, joint_count> turns;
    Vec3 pelvis = {0, 0, 0};
};
JointPose solve_pose(const Plan& plan, const BodyPose& body);

} // namespace muslin::mannequin
