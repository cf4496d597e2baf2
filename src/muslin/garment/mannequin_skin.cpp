// The skin: the left half is meshed and mirrored. Weights follow the way along each limb from joint
// to joint; at shoulders and hips, whose skin it is decides, so that an arm does not drag the
// chest.
#include "muslin/garment/mannequin_parts.h"

#include <algorithm>

namespace muslin::mannequin {
namespace {

using Weights = std::array<double, joint_count>;

double target_edge(const Plan& plan, const Vec3& p) {
    const double h = plan.scale;
    const Vec3 hand_middle = plan.at[hand] + (0.09 * h) * plan.arm_direction;
    const Vec3 foot_middle = 0.5 * (plan.at[foot] + plan.at[toes]);
    double factor = 1.12 - 0.22 * smoothstep(1.42 * h, 1.50 * h, p.y);
    factor -= 0.30 * smoothstep(0.60 * h, 0.15 * h, p.y);
    factor -= 0.36 * smoothstep(0.45 * h, 0.10 * h, norm(p - plan.at[hand]));
    const Vec3 armpit = plan.at[upper_arm] + h * Vec3{-0.025, -0.095, 0};
    const Vec3 crotch = h * Vec3{0, 0.782, -0.01};
    factor -= 0.35 * smoothstep(0.10 * h, 0.03 * h, norm(p - armpit));
    factor -= 0.45 * smoothstep(0.12 * h, 0.03 * h, norm(p - crotch));
    factor = std::min(factor, 0.41 + smoothstep(0.10 * h, 0.26 * h, norm(p - hand_middle)));
    factor = std::min(factor, 0.62 + smoothstep(0.10 * h, 0.28 * h, norm(p - foot_middle)));
    // However coarse the body, the thumb keeps its shape.
    const double finest = 0.0095 * h + 0.25 * std::max(norm(p - hand_middle) - 0.12 * h, 0.0);
    return std::min(plan.settings.edge * factor, finest);
}

HalfSkin left_half(const Plan& plan, const Shape& shape) {
    const double h = plan.scale, reach = 0.10 * h;
    const Vec3 finger = plan.at[hand] + (0.19 * h) * plan.arm_direction;
    const double stout = std::max({plan.settings.bust, plan.settings.hip, plan.settings.waist});
    SkinSettings settings;
    settings.low = {0, -0.03 * h, -std::max(0.16 * h, 0.22 * stout)};
    settings.high = {std::max(finger.x, 0.3 * stout) + reach, plan.settings.height + 0.03,
                     std::max(0.22 * h, 0.22 * stout)};
    settings.cell = std::min(0.012 * h, 0.7 * plan.settings.edge);
    settings.edge = [&](const Vec3& p) { return target_edge(plan, p); };
    return mesh_half([&](const Vec3& p) { return shape(p); }, settings);
}

/// Both halves; vertices of the rim are shared. `partner` is the vertex on the other side.
struct Skin {
    std::vector<Vec3> positions;
    std::vector<std::array<int, 3>> triangles;
    std::vector<int> partner;
};

Skin mirror(const HalfSkin& half) {
    Skin out;
    out.positions = half.positions;
    out.triangles = half.triangles;
    out.partner.resize(half.positions.size());
    for (std::size_t v = 0; v < half.positions.size(); ++v) {
        out.partner[v] = static_cast<int>(v);
        if (half.rim[v])
            continue;
        out.partner[v] = static_cast<int>(out.positions.size());
        out.partner.push_back(static_cast<int>(v));
        out.positions.push_back(mirrored(half.positions[v]));
    }
    for (const auto& t : half.triangles)
        out.triangles.push_back({out.partner[t[0]], out.partner[t[2]], out.partner[t[1]]});
    return out;
}

void add_arm(Weights& w, const Plan& plan, const Shape& shape, const Vec3& p) {
    const double h = plan.scale;
    const double s = dot(p - plan.at[upper_arm], plan.arm_direction);
    const double own = smoothstep(-0.018 * h, 0.026 * h, shape.trunk(p) - shape.arm(p));
    const double arm = own * smoothstep(-0.04 * h, 0.06 * h, s);
    const double elbow = norm(plan.at[lower_arm] - plan.at[upper_arm]);
    const double wrist = plan.settings.arm_length;
    const double lower = smoothstep(elbow - 0.05 * h, elbow + 0.05 * h, s);
    const double palm = smoothstep(wrist - 0.03 * h, wrist + 0.03 * h, s);
    const double shoulder =
        0.65 * smoothstep(0.05 * h, 0.15 * h, p.x) * smoothstep(1.28 * h, 1.40 * h, p.y);
    for (double& other : w)
        other *= (1 - arm) * (1 - shoulder);
    w[clavicle] += (1 - arm) * shoulder;
    w[upper_arm] += arm * (1 - lower);
    w[lower_arm] += arm * lower * (1 - palm);
    w[hand] += arm * lower * palm;
}

void add_leg(Weights& w, const Plan& plan, const Vec3& p) {
    const double h = plan.scale;
    // The groin rises from the crotch to the side, and lies higher in front than the fold behind.
    const double groin = (0.80 * h + 0.75 * p.x + 0.25 * p.z);
    const double leg = smoothstep(groin + 0.085 * h, groin - 0.085 * h, p.y) *
                       smoothstep(-0.01 * h, 0.03 * h, p.x);
    const double knee = plan.at[lower_leg].y, ankle = plan.at[foot].y;
    const double lower = smoothstep(knee + 0.065 * h, knee - 0.065 * h, p.y);
    const double below = smoothstep(ankle + 0.035 * h, ankle - 0.025 * h, p.y);
    const Vec3 along =
        normalized(Vec3{plan.at[toes].x - plan.at[foot].x, 0, plan.at[toes].z - plan.at[foot].z});
    const double front = smoothstep(-0.022 * h, 0.022 * h, dot(p - plan.at[toes], along));
    for (double& other : w)
        other *= 1 - leg;
    w[upper_leg] += leg * (1 - lower);
    w[lower_leg] += leg * lower * (1 - below);
    w[foot] += leg * lower * below * (1 - front);
    w[toes] += leg * lower * below * front;
}

Weights skin_weights(const Plan& plan, const Shape& shape, const Vec3& p) {
    const double h = plan.scale;
    Weights w{};
    const double levels[] = {smoothstep(0.97 * h, 1.14 * h, p.y),
                             smoothstep(1.10 * h, 1.28 * h, p.y),
                             smoothstep(1.425 * h, 1.505 * h, p.y - 0.3 * p.x),
                             smoothstep(1.500 * h, 1.580 * h, p.y + p.z)};
    double rest = 1;
    for (int k = 4; k > 0; --k) {
        w[pelvis + k] = rest * levels[k - 1];
        rest *= 1 - levels[k - 1];
    }
    w[pelvis] = rest;
    add_leg(w, plan, p);
    add_arm(w, plan, shape, p);
    return w;
}

// More where three parts meet.
double smoothing_at(const Plan& plan, const Vec3& p) {
    const double h = plan.scale;
    const Vec3 q = {std::abs(p.x), p.y, p.z};
    const double shoulder = norm(q - plan.at[upper_arm]), hip = norm(q - plan.at[upper_leg]);
    return 0.15 + 0.5 * std::max(smoothstep(0.20 * h, 0.10 * h, shoulder),
                                 smoothstep(0.28 * h, 0.15 * h, hip));
}

void smooth(const Plan& plan, const Skin& skin, std::vector<Weights>& weights) {
    constexpr int rounds = 10;
    std::vector<std::vector<int>> beside(skin.positions.size());
    for (const auto& t : skin.triangles)
        for (int k = 0; k < 3; ++k)
            beside[t[k]].push_back(t[(k + 1) % 3]); // a closed surface: each neighbour once
    for (int round = 0; round < rounds; ++round) {
        const std::vector<Weights> before = weights;
        for (std::size_t v = 0; v < weights.size(); ++v) {
            const double share = smoothing_at(plan, skin.positions[v]);
            for (int j = 0; j < joint_count; ++j) {
                double sum = 0;
                for (const int w : beside[v])
                    sum += before[w][j];
                weights[v][j] += share * (sum / double(beside[v].size()) - before[v][j]);
            }
        }
    }
    for (std::size_t v = 0; v < weights.size(); ++v) {
        const int other = skin.partner[v];
        if (other < static_cast<int>(v))
            continue;
        const Weights here = weights[v], there = weights[other];
        for (int j = 0; j < joint_count; ++j) {
            const double mean = 0.5 * (here[j] + there[mirrored(j)]);
            weights[v][j] = weights[other][mirrored(j)] = mean;
        }
    }
}

/// The strongest four, which sum to one. Left goes before right where they are equal.
void keep_four(const Weights& weights, CharacterPart& part) {
    std::array<int, joint_count> order;
    for (int j = 0; j < joint_count; ++j)
        order[j] = j;
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return weights[a] > weights[b]; });
    double sum = 0;
    int count = 0;
    while (count < 4 && weights[order[count]] > 1e-4)
        sum += weights[order[count++]];
    for (int k = 0; k < count; ++k) {
        part.influence_joint.push_back(order[k]);
        part.influence_weight.push_back(weights[order[k]] / sum);
    }
    part.influence_begin.push_back(static_cast<int>(part.influence_joint.size()));
}

} // namespace

void add_skin(Character& character, const Plan& plan, const Shape& shape) {
    const HalfSkin half = left_half(plan, shape);
    Skin skin = mirror(half);
    std::vector<Weights> weights(skin.positions.size());
    for (std::size_t v = 0; v < half.positions.size(); ++v) {
        const Weights w = skin_weights(plan, shape, half.positions[v]);
        Weights& other = weights[skin.partner[v]];
        for (int j = 0; j < joint_count; ++j)
            other[mirrored(j)] = w[j];
        if (!half.rim[v])
            weights[v] = w;
    }
    smooth(plan, skin, weights);

    CharacterPart part;
    part.vertex_count = static_cast<int>(skin.positions.size());
    part.influence_begin.push_back(0);
    for (int j = 0; j < joint_count; ++j) {
        part.joints.push_back(j);
        part.inverse_bind.push_back({.offset = -plan.at[j]});
    }
    for (const Weights& w : weights)
        keep_four(w, part);
    character.parts.push_back(std::move(part));

    character.mesh.positions = std::move(skin.positions);
    for (const auto& t : skin.triangles) {
        for (const int v : t)
            character.mesh.corner_vertex.push_back(v);
        character.mesh.face_begin.push_back(static_cast<int>(character.mesh.corner_vertex.size()));
    }
}

} // namespace muslin::mannequin
