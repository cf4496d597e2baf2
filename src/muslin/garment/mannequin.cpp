#include "muslin/garment/mannequin.h"

#include "muslin/base/error.h"
#include "muslin/garment/girth.h"
#include "muslin/garment/mannequin_parts.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace muslin {
namespace mannequin {
namespace {

void check(const char* key, double value, double low, double high, const char* unit) {
    if (!(value >= low && value <= high))
        throw InputError({.where = {},
                          .key = key,
                          .expected = fmt::format("{} to {} [{}]", low, high, unit),
                          .found = fmt::format("{}", value),
                          .hint = {}});
}

void check(const MannequinSettings& s) {
    check("height", s.height, 1.4, 2.1, "m");
    check("bust", s.bust, 0.70, 1.30, "m");
    check("waist", s.waist, 0.50, 1.20, "m");
    check("hip", s.hip, 0.75, 1.40, "m");
    check("shoulder_width", s.shoulder_width, 0.26, 0.46, "m");
    check("arm_length", s.arm_length, 0.42, 0.70, "m");
    check("arm_angle", s.arm_angle, 0, 60, "degrees");
    check("edge", s.edge, 0.008, 0.035, "m");
}

} // namespace

Plan::Plan(const MannequinSettings& given) : settings(given) {
    const double h = scale = given.height / 1.72;
    arm_scale = given.arm_length / (0.55 * h);
    // Stouter bodies have stouter limbs, by less than their girths.
    limb_scale = 1 + 0.5 * ((given.bust / 0.90 + given.hip / 0.96) / (2 * h) - 1);
    const double angle = given.arm_angle * std::numbers::pi / 180;
    arm_direction = {std::cos(angle), -std::sin(angle), 0};

    at[pelvis] = h * Vec3{0, 0.930, -0.010};
    at[spine] = h * Vec3{0, 1.060, -0.025};
    at[chest] = h * Vec3{0, 1.190, -0.030};
    at[neck] = h * Vec3{0, 1.465, -0.028};
    at[head] = h * Vec3{0, 1.550, -0.008};
    at[clavicle] = h * Vec3{0.025, 1.420, -0.010};
    at[upper_arm] = {given.shoulder_width / 2, 1.400 * h, -0.014 * h};
    at[lower_arm] = at[upper_arm] + (h * 0.290 * arm_scale) * arm_direction;
    at[hand] = at[upper_arm] + given.arm_length * arm_direction;
    at[upper_leg] = h * Vec3{0.092, 0.900, -0.004};
    at[lower_leg] = h * Vec3{0.097, 0.475, 0.000};
    at[foot] = h * Vec3{0.093, 0.080, -0.026};
    at[toes] = h * Vec3{0.093 + 0.118 * 0.139, 0.018, -0.026 + 0.118 * 0.990};
    for (int joint = clavicle; joint <= toes; ++joint)
        at[mirrored(joint)] = mirrored(at[joint]);
}

int parent_of(int joint) {
    constexpr int left[] = {chest,  clavicle,  upper_arm, lower_arm,
                            pelvis, upper_leg, lower_leg, foot};
    if (joint < clavicle)
        return joint - 1;
    if (on_left(joint))
        return left[joint - clavicle];
    const int parent = left[mirrored(joint) - clavicle];
    return mirrored(parent);
}

const char* name_of(int joint) {
    constexpr const char* names[] = {
        "pelvis",     "spine",           "chest",           "neck",
        "head",       "left_clavicle",   "left_upper_arm",  "left_lower_arm",
        "left_hand",  "left_upper_leg",  "left_lower_leg",  "left_foot",
        "left_toes",  "right_clavicle",  "right_upper_arm", "right_lower_arm",
        "right_hand", "right_upper_leg", "right_lower_leg", "right_foot",
        "right_toes"};
    return names[joint];
}

} // namespace mannequin

Character make_mannequin(const MannequinSettings& settings) {
    using namespace mannequin;
    mannequin::check(settings);
    const Plan plan(settings);
    Character out;
    for (int joint = 0; joint < joint_count; ++joint) {
        CharacterNode node;
        node.name = name_of(joint);
        node.parent = parent_of(joint);
        node.rest.translation =
            node.parent < 0 ? plan.at[joint] : plan.at[joint] - plan.at[node.parent];
        out.nodes.push_back(node);
    }
    add_skin(out, plan, Shape(plan));
    add_clips(out, plan);
    return out;
}

namespace {

double joint_height(const Character& character, const char* name) {
    for (std::size_t i = 0; i < character.nodes.size(); ++i)
        if (character.nodes[i].name == name) {
            double y = 0;
            for (int n = static_cast<int>(i); n >= 0; n = character.nodes[n].parent)
                y += character.nodes[n].rest.translation.y;
            return y;
        }
    throw InputError({.where = {},
                      .key = "mannequin",
                      .expected = fmt::format("a joint named '{}'", name),
                      .found = "none",
                      .hint = {}});
}

/// Vertices that arms move more than the trunk.
std::vector<char> arm_vertices(const Character& character) {
    std::vector<char> out(character.mesh.positions.size(), 0);
    for (const CharacterPart& part : character.parts)
        for (int v = 0; v < part.vertex_count && !part.joints.empty(); ++v) {
            double share = 0;
            for (int i = part.influence_begin[v]; i < part.influence_begin[v + 1]; ++i) {
                const std::string& name =
                    character.nodes[part.joints[part.influence_joint[i]]].name;
                if (name.find("arm") != name.npos || name.find("hand") != name.npos)
                    share += part.influence_weight[i];
            }
            out[part.first_vertex + v] = share > 0.5;
        }
    return out;
}

double girth_at(const PolygonMesh& mesh, const std::vector<char>& arm, double y) {
    std::vector<Vec2> points;
    for (int f = 0; f < mesh.face_count(); ++f) {
        const int begin = mesh.face_begin[f], end = mesh.face_begin[f + 1];
        for (int c = begin; c < end; ++c) {
            const int i = mesh.corner_vertex[c],
                      j = mesh.corner_vertex[c + 1 < end ? c + 1 : begin];
            const Vec3 &a = mesh.positions[i], &b = mesh.positions[j];
            if (arm[i] || arm[j] || (a.y < y) == (b.y < y))
                continue;
            const double t = (y - a.y) / (b.y - a.y);
            points.push_back({a.x + t * (b.x - a.x), a.z + t * (b.z - a.z)});
        }
    }
    return points.size() < 3 ? 0 : hull_length(std::move(points));
}

} // namespace

MannequinMeasures measure_mannequin(const Character& mannequin) {
    const std::vector<char> arm = arm_vertices(mannequin);
    MannequinMeasures out;
    for (const Vec3& x : mannequin.mesh.positions)
        out.height = std::max(out.height, x.y);
    const double leg = joint_height(mannequin, "left_upper_leg");
    const double spine = joint_height(mannequin, "spine");
    const double chest = joint_height(mannequin, "chest");
    const double step = 0.004 * out.height;
    const auto look = [&](double from, double to, double sign, double& girth, double& height) {
        for (double y = from; y <= to; y += step)
            if (const double g = girth_at(mannequin.mesh, arm, y);
                height == 0 || sign * g > sign * girth) {
                girth = g;
                height = y;
            }
    };
    // In parts of the lengths between joints, which scale with the height.
    const double unit = chest - spine;
    look(leg - 0.5 * unit, leg + 0.5 * unit, 1, out.hip, out.hip_y);
    look(spine - 0.5 * unit, spine + 0.7 * unit, -1, out.waist, out.waist_y);
    look(chest - 0.2 * unit, chest + 0.8 * unit, 1, out.bust, out.bust_y);
    return out;
}

} // namespace muslin
