// The mannequin's clips. All start from the same standing pose, arms off the body; lengths are
// those of a body of 1.72 m, times in seconds, angles in degrees.
#include "muslin/garment/mannequin_pose.h"

#include <algorithm>
#include <functional>
#include <span>

namespace muslin::mannequin {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double rate = 60; // samples of a clip [1/s]

BodyPose standing() {
    BodyPose out;
    out.shift.y = -0.001;
    out.left_arm.swing = out.right_arm.swing = 3;
    out.left_arm.wrist = out.right_arm.wrist = 4;
    return out;
}

double ease(double from, double to, double t) { // accelerations without jumps
    const double s = std::clamp((t - from) / (to - from), 0.0, 1.0);
    return s * s * s * (10 + s * (6 * s - 15));
}

/// How far to sink in each sample: enough for the legs to reach in all samples near it, and without
/// jumps: the mean of what the neighbours need at most.
std::vector<double> smooth_sinking(const std::vector<double>& needed) {
    constexpr int near = 4; // samples to each side
    const int count = static_cast<int>(needed.size());
    const auto over = [&](const std::vector<double>& in, auto combine) {
        std::vector<double> out(in.size());
        for (int k = 0; k < count; ++k) {
            out[k] = 0;
            for (int i = k - near; i <= k + near; ++i)
                out[k] = combine(out[k], in[std::clamp(i, 0, count - 1)]);
        }
        return out;
    };
    return over(over(needed, [](double a, double b) { return std::max(a, b); }),
                [](double a, double b) { return a + b / (2 * near + 1); });
}

void add_clip(Character& character, const Plan& plan, const char* name, double duration,
              const std::function<BodyPose(double)>& motion) {
    Clip clip;
    clip.name = name;
    clip.duration = duration;
    ClipChannel place;
    place.node = pelvis;
    std::vector<ClipChannel> turns(joint_count);
    const int last = static_cast<int>(std::lround(duration * rate));
    std::vector<double> needed;
    for (int k = 0; k <= last; ++k)
        needed.push_back(missing_reach(plan, motion(k / rate)));
    const std::vector<double> sink = smooth_sinking(needed);
    for (int k = 0; k <= last; ++k) {
        const double time = k / rate;
        BodyPose body = motion(time);
        body.shift.y -= sink[k];
        const JointPose pose = solve_pose(plan, body);
        place.times.push_back(time);
        place.values.insert(place.values.end(), {pose.pelvis.x, pose.pelvis.y, pose.pelvis.z});
        for (int joint = 0; joint < joint_count; ++joint) {
            ClipChannel& turn = turns[joint];
            turn.node = joint;
            turn.path = ClipChannel::Path::rotation;
            Quat q = pose.turns[joint];
            // Of the two quaternions of a turn, the one near the last: halfway stays halfway.
            if (const std::size_t n = turn.values.size(); n > 0) {
                const double* was = turn.values.data() + n - 4;
                if (was[0] * q.x + was[1] * q.y + was[2] * q.z + was[3] * q.w < 0)
                    q = {-q.x, -q.y, -q.z, -q.w};
            }
            turn.times.push_back(time);
            turn.values.insert(turn.values.end(), {q.x, q.y, q.z, q.w});
        }
    }
    clip.channels.push_back(std::move(place));
    for (ClipChannel& turn : turns)
        clip.channels.push_back(std::move(turn));
    character.clips.push_back(std::move(clip));
}

/// Turns a pose as a whole about a vertical axis.
void turn_about(BodyPose& body, double x, double z, double degrees) {
    const double c = std::cos(pi / 180 * degrees), s = std::sin(pi / 180 * degrees);
    const auto turn = [&](double& px, double& pz) {
        const double dx = px - x, dz = pz - z;
        px = x + c * dx + s * dz;
        pz = z - s * dx + c * dz;
    };
    constexpr double pelvis_z = -0.010; // as modelled; its shift counts from there
    body.shift.z += pelvis_z;
    turn(body.shift.x, body.shift.z);
    body.shift.z -= pelvis_z;
    body.pelvis.y += degrees;
    for (FootPose* foot : {&body.left_foot, &body.right_foot}) {
        turn(foot->x, foot->z);
        foot->yaw += degrees;
    }
}

/// A foot leaves the floor, rolling over its ball, and comes down elsewhere.
struct Step {
    double lift, land; ///< times [s]
    FootPose to;
    double off = 40;     ///< pitch as it leaves
    double strike = -18; ///< pitch as it lands
    double height = 0.05;
};

FootPose follow_steps(std::span<const Step> steps, FootPose foot, double t) {
    double swing = -1;
    const Step* near = nullptr;
    for (const Step& step : steps) {
        if (t > step.lift - 0.25 && t < step.land + 0.12)
            near = &step;
        if (t >= step.land) {
            foot = step.to;
        } else if (t > step.lift) {
            swing = (t - step.lift) / (step.land - step.lift);
            const double share = smoothstep(0.02, 0.95, swing);
            const auto go = [&](double FootPose::*what) {
                foot.*what += share * (step.to.*what - foot.*what);
            };
            for (const auto what :
                 {&FootPose::x, &FootPose::z, &FootPose::yaw, &FootPose::apart, &FootPose::ahead})
                go(what);
            const double arch = swing * swing * (1 - swing) * (1 - swing);
            foot.lift = step.height * arch * (1.6 - swing) / 0.0707; // highest before halfway
        }
    }
    if (near) {
        const double a = near->lift, d = near->land - near->lift;
        const Track pitch = {{a - 0.25, 0},
                             {a, near->off},
                             {a + 0.12 * d, 1.12 * near->off},
                             {a + 0.60 * d, 0.1 * near->off},
                             {a + 0.95 * d, near->strike},
                             {near->land + 0.11, 0}};
        foot.pitch = pitch(t);
        foot.toes = std::max(foot.pitch, 0.0) * (1 - smoothstep(0.12, 0.75, swing));
    }
    return foot;
}

BodyPose stand(double t) {
    BodyPose out = standing();
    const double breath = 0.5 - 0.5 * std::cos(2 * pi * t / 4), sway = std::sin(2 * pi * t / 8);
    out.shift.x = 0.006 * sway;
    out.pelvis.z = -0.5 * sway;
    out.spine.z = 0.4 * sway;
    out.chest.x = -1.2 * breath;
    out.neck.x = 0.8 * breath;
    out.left_arm.shrug = out.right_arm.shrug = 1.0 * breath;
    return out;
}

/// Walks along +z at 1.1 m/s from t = 0.5 s on.
class Walk {
public:
    Walk() {
        for (int i = 0; i < 8; ++i) {
            Step step;
            step.lift = start + i * beat;
            step.land = step.lift + swing;
            step.to.z = way(step.lift + beat + swing / 2) - 0.06;
            step.to.apart = narrow;
            step.off = i == 0 ? 24 : 54;
            (i % 2 == 0 ? right_ : left_).push_back(step);
        }
    }
    BodyPose operator()(double t) const {
        BodyPose out = standing();
        const double go = ease(0.3, 1.1, t), phase = pi * (t - start - swing / 2) / beat;
        // Right steps first: +1 while it passes the left.
        const double pass = go * std::cos(phase), reach = go * std::sin(phase);
        out.left_foot = follow_steps(left_, out.left_foot, t);
        out.right_foot = follow_steps(right_, out.right_foot, t);
        out.shift.z = way(t);
        out.shift.x = 0.018 * (pass + 0.4 * ease(0.2, 0.5, t) * (1 - go));
        out.shift.y += go * (-0.026 + 0.018 * std::cos(2 * phase - 0.3));
        out.pelvis = {2.0 * go, 5 * reach, 3.5 * pass};
        out.spine = {0.5 * go, -5 * reach, -3.0 * pass};
        out.chest = {-0.5 * go, -5.5 * reach, -1.5 * pass};
        out.neck = {0, 2.5 * reach, 0.5 * pass};
        out.head = {0, 2.5 * reach, 0.5 * pass};
        set_arm(out.left_arm, go, std::sin(phase - 0.25));
        set_arm(out.right_arm, go, -std::sin(phase - 0.25));
        return out;
    }

private:
    static constexpr double start = 0.5, beat = 0.55, swing = 0.44, speed = 1.1, narrow = 0.80;

    // How far the pelvis is [m]: it gathers speed in the first second.
    static double way(double t) {
        constexpr double from = 0.40, to = 1.40;
        const double s = std::clamp((t - from) / (to - from), 0.0, 1.0);
        return speed * ((to - from) * (s * s * s - s * s * s * s / 2) + std::max(t - to, 0.0));
    }
    static void set_arm(ArmPose& arm, double go, double forward) {
        arm.raise -= 2 * go;
        arm.swing += go * 15 * forward;
        arm.elbow += go * (3 + 7 * forward);
    }
    std::vector<Step> left_, right_;
};

/// Two turns to the left on the ball of the left foot.
BodyPose twirl(const Plan& plan, double t) {
    BodyPose out = standing();
    const double over = ease(0.15, 0.75, t) - ease(3.35, 4.0, t); // weight on the left foot
    const double open = Track{{0.2, 0}, {1.1, 1}, {2.6, 1}, {3.9, 0.25}, {4.5, 0.12}}(t);
    const Step away = {.lift = 0.5,
                       .land = 0.9,
                       .to = {.x = 0.055, .z = 0.02},
                       .off = 20,
                       .strike = 24,
                       .height = 0};
    const Step back = {
        .lift = 3.35, .land = 3.75, .to = {}, .off = 24, .strike = 6, .height = 0.01};
    const std::array<Step, 2> steps = {away, back};
    out.right_foot = follow_steps(steps, out.right_foot, t);
    const double aloft = ease(0.5, 0.85, t) - ease(3.4, 3.75, t);
    out.right_foot.pitch += aloft * (24 - out.right_foot.pitch);
    out.right_foot.toes *= 1 - aloft;
    out.right_foot.lift += 0.045 * aloft;
    out.left_foot.pitch = out.left_foot.toes = 13 * over;
    out.shift = {0.088 * over, out.shift.y + 0.034 * over, 0.052 * over};
    out.pelvis = {0, 0, -2.5 * over};
    out.spine = {-1 * over, 0, 3 * over};
    out.chest = {-2 * over, 0, 1.5 * over};
    const double turn = Track{{0.55, 0}, {1.15, 100}, {2.85, 620}, {3.55, 720}}(t);
    // The chest leads into the turn, the head is last to leave and first to arrive.
    const double lead = Track{{0.3, 0}, {0.8, 1}, {2.4, 0.3}, {3.3, -0.6}, {4.1, 0}}(t);
    out.spine.y = 5 * lead;
    out.chest.y = 7 * lead;
    out.neck.y = -4 * lead;
    out.head.y = -6 * lead;
    for (ArmPose* arm : {&out.left_arm, &out.right_arm}) {
        arm->raise += 42 * open;
        arm->swing += 12 * open;
        arm->elbow += 14 * open;
        arm->wrist -= 6 * open;
    }
    const Vec3 ball = (1 / plan.scale) * plan.at[toes];
    turn_about(out, ball.x, ball.z, turn);
    return out;
}

/// On a chair whose seat is 0.45 m high.
BodyPose sit(double t) {
    BodyPose out = standing();
    const double down = ease(0.35, 2.0, t),
                 lean = Track{{0.3, 0}, {1.2, 1}, {2.2, 0.1}, {2.6, 0}}(t);
    out.shift = {0, out.shift.y - 0.332 * down, -0.375 * down - 0.02 * lean};
    out.pelvis.x = -8 * down + 13 * lean;
    out.spine.x = 5 * down + 15 * lean;
    out.chest.x = 3 * down + 9 * lean;
    out.neck.x = -8 * lean;
    out.head.x = -10 * lean;
    for (ArmPose* arm : {&out.left_arm, &out.right_arm}) {
        arm->raise -= 4 * down;
        arm->swing += 20 * lean + 12 * down;
        arm->elbow += 10 * lean + 40 * down;
    }
    return out;
}

BodyPose t_pose(double t) {
    BodyPose out = standing();
    const double up = ease(0.1, 1.3, t);
    for (ArmPose* arm : {&out.left_arm, &out.right_arm}) {
        arm->raise += 70 * up;
        arm->swing *= 1 - up;
        arm->elbow *= 1 - up;
        arm->wrist *= 1 - up;
    }
    return out;
}

/// The upper body turns left and right, arms after it.
BodyPose twist(double t) {
    BodyPose out = standing();
    const double go = ease(0.1, 0.9, t) - ease(2.6, 3.3, t), phase = 2 * pi * 1.15 * (t - 0.25);
    const double turn = go * std::sin(phase), after = go * std::sin(phase - 0.7);
    out.shift.y -= 0.012 * go;
    out.shift.x = 0.010 * turn;
    out.pelvis.y = 13 * turn;
    out.spine = {0, 14 * turn, -2 * turn};
    out.chest = {0, 18 * turn, -1 * turn};
    out.neck.y = -9 * turn;
    out.head.y = -12 * turn;
    out.left_arm.raise += 20 * go;
    out.right_arm.raise += 20 * go;
    out.left_arm.swing += 14 * go + 16 * (turn - after);
    out.right_arm.swing += 14 * go - 16 * (turn - after);
    out.left_arm.elbow += 42 * go + 10 * after;
    out.right_arm.elbow += 42 * go - 10 * after;
    return out;
}

/// Four bars of four beats: steps to the side, a turn in four steps, a sway.
class Dance {
public:
    Dance() {
        const auto step = [&](std::vector<Step>& foot, double at, FootPose to) {
            foot.push_back({.lift = beats(at) + 0.04,
                            .land = beats(at) + 0.40,
                            .to = to,
                            .off = 20,
                            .strike = 5,
                            .height = 0.045});
        };
        for (int bar = 0; bar < 2; ++bar) {
            const double b = 4 * bar;
            step(right_, b, {.x = -side});
            step(left_, b + 1, {.x = -side, .apart = 0.85});
            step(left_, b + 2, {.x = 0});
            step(right_, b + 3, {.x = 0, .apart = 0.85});
        }
        for (int k = 0; k < 4; ++k)
            step(k % 2 == 0 ? left_ : right_, 8 + k,
                 {.x = 0.07 * (k + 1), .yaw = 90.0 * (k + 1), .apart = 1.9});
        step(left_, 12, {.x = 0.28, .yaw = 360});
        step(right_, 13, {.x = 0.28, .yaw = 360});
    }

    BodyPose operator()(double t) const {
        BodyPose out = standing();
        out.left_foot = follow_steps(left_, out.left_foot, t);
        out.right_foot = follow_steps(right_, out.right_foot, t);
        const double b = (t - start) / beat, go = ease(-0.5, 0.8, b) - ease(15.2, 16.2, b);
        out.shift.x = way(b);
        out.shift.y += go * (-0.025 + 0.010 * std::cos(2 * pi * b));
        out.pelvis.y = turn(b);
        const double calm = ease(7.2, 8.2, b) - ease(11.6, 12.4, b); // while turning
        const double sway = go * (1 - 0.7 * calm) * std::sin(pi * (b - 0.15) / 2);
        sway_hips(out, sway);
        arms(out, b, go, sway);
        return out;
    }

private:
    static constexpr double start = 0.5, beat = 0.54, side = 0.26;
    static double beats(double b) { return start + beat * b; }

    static double way(double b) {
        static const Track track = {
            {0, 0},      {1, -0.24},  {1.7, -0.28}, {2, -0.27},   {3, -0.02},   {3.7, 0.02},
            {4, 0.01},   {5, -0.24},  {5.7, -0.28}, {6, -0.27},   {7, -0.02},   {7.6, 0.03},
            {8.5, 0.06}, {9.5, 0.13}, {10.5, 0.20}, {11.5, 0.25}, {12.5, 0.28}, {16, 0.28}};
        return track(b);
    }
    static double turn(double b) {
        static const Track track = {{7.9, 0},    {8.9, 50},   {9.9, 140},
                                    {10.9, 230}, {11.9, 318}, {12.8, 360}};
        return track(b);
    }
    static void sway_hips(BodyPose& out, double sway) {
        out.shift.x -= 0.022 * sway * std::cos(pi / 180 * out.pelvis.y);
        out.pelvis.z = -6 * sway;
        out.spine.z = 7 * sway;
        out.chest.z = 2 * sway;
        out.head.z = -3 * sway;
        out.pelvis.y += 5 * sway;
        out.spine.y = -4 * sway;
        out.chest.y = -5 * sway;
    }
    static void arms(BodyPose& out, double b, double go, double sway) {
        static const Track rise = {{0, 0},  {1.5, 18}, {3.5, 12}, {5.5, 40}, {7.5, 26},
                                   {9, 52}, {11, 56},  {13, 60},  {15, 36},  {16.2, 0}};
        out.left_arm.raise += rise(b) + 10 * go * sway;
        out.right_arm.raise += rise(b) - 10 * go * sway;
        for (ArmPose* arm : {&out.left_arm, &out.right_arm}) {
            const double mirror = arm == &out.left_arm ? 1 : -1;
            arm->swing += go * (12 + 9 * mirror * sway);
            arm->elbow += go * (34 - 14 * mirror * sway);
            arm->wrist -= 8 * go * mirror * sway;
        }
    }

    std::vector<Step> left_, right_;
};

} // namespace

void add_clips(Character& character, const Plan& plan) {
    add_clip(character, plan, "stand", 4, stand);
    add_clip(character, plan, "walk", 4, Walk());
    add_clip(character, plan, "twirl", 4.5, [&](double t) { return twirl(plan, t); });
    add_clip(character, plan, "sit", 3.5, sit);
    add_clip(character, plan, "t-pose", 2, t_pose);
    add_clip(character, plan, "twist", 3.5, twist);
    add_clip(character, plan, "dance", 9.5, Dance());
}

} // namespace muslin::mannequin
