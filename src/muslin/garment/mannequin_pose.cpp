// From a pose as it is thought of to the turns of the joints; legs by the triangle of hip, knee and
// ankle.
#include "muslin/garment/mannequin_pose.h"
#include "muslin/math/rotation.h"

#include <algorithm>

namespace muslin::mannequin {

Track::Track(std::initializer_list<std::pair<double, double>> keys) {
    for (const auto& [time, value] : keys) {
        at_.push_back(time);
        value_.push_back(value);
    }
    // The harmonic mean of the slopes on both sides [Fritsch and Carlson 1980].
    slope_.assign(at_.size(), 0.0);
    for (std::size_t i = 1; i + 1 < at_.size(); ++i) {
        const double a = (value_[i] - value_[i - 1]) / (at_[i] - at_[i - 1]);
        const double b = (value_[i + 1] - value_[i]) / (at_[i + 1] - at_[i]);
        slope_[i] = a * b > 0 ? 2 * a * b / (a + b) : 0;
    }
}

double Track::operator()(double time) const {
    if (time <= at_.front())
        return value_.front();
    if (time >= at_.back())
        return value_.back();
    std::size_t i = 1;
    while (time > at_[i])
        ++i;
    const double h = at_[i] - at_[i - 1], t = (time - at_[i - 1]) / h, s = 1 - t;
    return s * s * (1 + 2 * t) * value_[i - 1] + t * t * (1 + 2 * s) * value_[i] +
           h * t * s * (s * slope_[i - 1] - t * slope_[i]);
}

namespace {

constexpr double degree = std::numbers::pi / 180;

Mat3 about(const Vec3& unit_axis, double degrees) {
    const double c = std::cos(degree * degrees), s = std::sin(degree * degrees);
    return c * Mat3::identity() + s * cross_matrix(unit_axis) +
           (1 - c) * outer(unit_axis, unit_axis);
}
Mat3 about_x(double degrees) {
    return about({1, 0, 0}, degrees);
}
Mat3 about_y(double degrees) {
    return about({0, 1, 0}, degrees);
}
Mat3 about_z(double degrees) {
    return about({0, 0, 1}, degrees);
}
Mat3 turned(const Vec3& angles) {
    return about_y(angles.y) * about_x(angles.x) * about_z(angles.z);
}
/// The same turn seen in a mirror: left for right.
Mat3 mirrored_turn(Mat3 a) {
    for (int k = 1; k < 3; ++k) {
        a(0, k) = -a(0, k);
        a(k, 0) = -a(k, 0);
    }
    return a;
}

Quat to_quaternion(const Mat3& a) {
    const double trace = a(0, 0) + a(1, 1) + a(2, 2);
    Quat q;
    if (trace > 0) {
        const double s = 2 * std::sqrt(1 + trace);
        q = {(a(2, 1) - a(1, 2)) / s, (a(0, 2) - a(2, 0)) / s, (a(1, 0) - a(0, 1)) / s, s / 4};
    } else {
        const int i = a(0, 0) > a(1, 1) ? (a(0, 0) > a(2, 2) ? 0 : 2) : (a(1, 1) > a(2, 2) ? 1 : 2);
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const double s = 2 * std::sqrt(1 + a(i, i) - a(j, j) - a(k, k));
        Vec3 v;
        v[i] = s / 4;
        v[j] = (a(j, i) + a(i, j)) / s;
        v[k] = (a(k, i) + a(i, k)) / s;
        q = {v.x, v.y, v.z, (a(k, j) - a(j, k)) / s};
    }
    const double n = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return {q.x / n, q.y / n, q.z / n, q.w / n};
}

struct ArmTurns {
    Mat3 clavicle, upper, lower, hand;
};
// Of the left arm.
ArmTurns arm_turns(const Plan& plan, const ArmPose& arm) {
    const Vec3 d = plan.arm_direction, crease = {d.y, -d.x, 0};
    const double modelled = 90 - plan.settings.arm_angle;
    // The collarbone takes its part of a high raise.
    const double shrug = arm.shrug + 0.25 * std::max(arm.raise - 40, 0.0);
    ArmTurns out;
    out.clavicle = about_z(shrug);
    out.upper = about_x(-arm.swing) * about_z(arm.raise - modelled - shrug) * about(d, arm.twist);
    out.lower = about(crease, arm.elbow);
    out.hand = about_z(-arm.wrist);
    return out;
}

/// A foot on the floor: where its ankle is and how it is turned, in metres and the world.
struct FootPlace {
    Vec3 ankle;
    Mat3 turn;
};
FootPlace place_foot(const Plan& plan, const FootPose& foot, int side) {
    const double h = plan.scale, mirror = side == 0 ? 1 : -1;
    Vec3 ankle = plan.at[mannequin::foot], ball = plan.at[toes];
    ankle.x *= mirror;
    ball.x *= mirror;
    const Vec3 along = normalized(Vec3{ball.x - ankle.x, 0, ball.z - ankle.z});
    const Vec3 heel = Vec3{ankle.x, 0, ankle.z} - (0.056 * h) * along;
    // About the joint of the toes, which then stay where they are.
    const Vec3 pivot = foot.pitch > 0 ? ball : heel;
    const Mat3 yaw = about_y(foot.yaw);
    const Vec3 flat =
        yaw * (Vec3{ankle.x * foot.apart, ankle.y, ankle.z} + (h * foot.ahead) * Vec3{0, 0, 1}) +
        h * Vec3{foot.x, foot.lift, foot.z};
    FootPlace out;
    out.turn = yaw * about({along.z, 0, -along.x}, foot.pitch);
    out.ankle = flat + yaw * (pivot - ankle) - out.turn * (pivot - ankle);
    return out;
}

Vec3 hip_from_pelvis(const Plan& plan, const Mat3& turn, int side) {
    return turn * (plan.at[upper_leg + side * side_joints] - plan.at[pelvis]);
}

Mat3 leg_frame(const Vec3& down, const Vec3& forward) {
    const Vec3 a = normalized(down), n = normalized(cross(a, forward)), b = cross(n, a);
    return {{{a.x, b.x, n.x}, {a.y, b.y, n.y}, {a.z, b.z, n.z}}};
}

struct LegTurns {
    Mat3 upper, lower; ///< in the world
};
LegTurns reach(const Plan& plan, int side, const Vec3& hip, const Vec3& ankle,
               const Vec3& forward) {
    const auto at = [&](int joint) {
        return side == 0 ? plan.at[joint] : mirrored(plan.at[joint]);
    };
    const Vec3 hip0 = at(upper_leg), knee0 = at(lower_leg), ankle0 = at(foot);
    const double l1 = norm(knee0 - hip0), l2 = norm(ankle0 - knee0);
    const Vec3 way = ankle - hip;
    const double distance = std::clamp(norm(way), 0.2 * (l1 + l2), 0.9995 * (l1 + l2));
    const Vec3 a = normalized(way);
    const Vec3 p = normalized(forward - dot(forward, a) * a);
    const double along = (l1 * l1 + distance * distance - l2 * l2) / (2 * distance);
    const double out = std::sqrt(std::max(l1 * l1 - along * along, 0.0));
    const Vec3 knee = hip + along * a + out * p;
    const Vec3 front = {0, 0, 1};
    return {leg_frame(knee - hip, forward) * transpose(leg_frame(knee0 - hip0, front)),
            leg_frame(hip + distance * a - knee, forward) *
                transpose(leg_frame(ankle0 - knee0, front))};
}

} // namespace

double missing_reach(const Plan& plan, const BodyPose& body) {
    const double length =
        norm(plan.at[lower_leg] - plan.at[upper_leg]) + norm(plan.at[foot] - plan.at[lower_leg]);
    const double reach = 0.9975 * length; // a knee is never quite straight
    double out = 0;
    for (int side = 0; side < 2; ++side) {
        const FootPlace place =
            place_foot(plan, side == 0 ? body.left_foot : body.right_foot, side);
        const Vec3 way = plan.at[pelvis] + plan.scale * body.shift +
                         hip_from_pelvis(plan, turned(body.pelvis), side) - place.ankle;
        const double across = std::hypot(way.x, way.z);
        out = std::max(out, way.y - std::sqrt(std::max(reach * reach - across * across, 0.0)));
    }
    return out / plan.scale;
}

JointPose solve_pose(const Plan& plan, const BodyPose& body) {
    std::array<Mat3, joint_count> local;
    local.fill(Mat3::identity());
    local[pelvis] = turned(body.pelvis);
    local[spine] = turned(body.spine);
    local[chest] = turned(body.chest);
    local[neck] = turned(body.neck);
    local[head] = turned(body.head);
    for (int side = 0; side < 2; ++side) {
        const ArmTurns arm = arm_turns(plan, side == 0 ? body.left_arm : body.right_arm);
        const int from = side == 0 ? 0 : side_joints;
        const auto set = [&](int joint, const Mat3& turn) {
            local[joint + from] = side == 0 ? turn : mirrored_turn(turn);
        };
        set(clavicle, arm.clavicle);
        set(upper_arm, arm.upper);
        set(lower_arm, arm.lower);
        set(hand, arm.hand);
    }

    JointPose out;
    out.pelvis = plan.at[pelvis] + plan.scale * body.shift;
    for (int side = 0; side < 2; ++side) {
        const int from = side * side_joints;
        const FootPose& pose = side == 0 ? body.left_foot : body.right_foot;
        const FootPlace place = place_foot(plan, pose, side);
        const Vec3 hip = out.pelvis + hip_from_pelvis(plan, local[pelvis], side);
        const Vec3 facing = about_y(0.5 * (pose.yaw + body.pelvis.y)) * Vec3{0, 0, 1};
        const LegTurns leg = reach(plan, side, hip, place.ankle, facing);
        local[upper_leg + from] = transpose(local[pelvis]) * leg.upper;
        local[lower_leg + from] = transpose(leg.upper) * leg.lower;
        local[foot + from] = transpose(leg.lower) * place.turn;
        local[toes + from] = about_x(-pose.toes);
    }
    for (int joint = 0; joint < joint_count; ++joint)
        out.turns[joint] = to_quaternion(local[joint]);
    return out;
}

} // namespace muslin::mannequin
