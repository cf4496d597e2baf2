#include "muslin/mesh/character.h"

#include "muslin/base/error.h"
#include "muslin/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace muslin {
namespace {

// Interpolation and skinning as glTF 2.0 defines them: appendix C and section 3.7.3.

using Path = ClipChannel::Path;
using Interpolation = ClipChannel::Interpolation;

constexpr std::size_t vertex_grain = 1024;

double dot(const Quat& a, const Quat& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

Quat combined(double s, const Quat& a, double t, const Quat& b) {
    return {s * a.x + t * b.x, s * a.y + t * b.y, s * a.z + t * b.z, s * a.w + t * b.w};
}

Quat normalized(const Quat& q) {
    const double length = std::sqrt(dot(q, q));
    if (!(length > 0))
        return {};
    return {q.x / length, q.y / length, q.z / length, q.w / length};
}

/// Between two unit quaternions at a constant rate, the shorter way.
Quat slerp(const Quat& a, const Quat& b, double t) {
    const double cosine = dot(a, b), sign = cosine < 0 ? -1 : 1;
    const Quat difference = combined(1, b, -sign, a), sum = combined(1, b, sign, a);
    // The half angle by its tangent: the arc cosine is blind to small angles.
    const double half =
        std::atan2(std::sqrt(dot(difference, difference)), std::sqrt(dot(sum, sum)));
    const double angle = 2 * half, sine = std::sin(angle);
    if (sine < 1e-9)
        return normalized(combined(1 - t, a, sign * t, b));
    return normalized(
        combined(std::sin((1 - t) * angle) / sine, a, sign * std::sin(t * angle) / sine, b));
}

Vec3 lerp(const Vec3& a, const Vec3& b, double t) {
    return (1 - t) * a + t * b;
}

Mat3 matrix_of(const Quat& q) {
    const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    const double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    const double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return {{{1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy)},
             {2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx)},
             {2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)}}};
}

/// Of a rotation, by the largest of the four numbers, which keeps the others exact.
Quat quaternion_of(const Mat3& m) {
    const double traces[] = {m.m[0][0] - m.m[1][1] - m.m[2][2], m.m[1][1] - m.m[0][0] - m.m[2][2],
                             m.m[2][2] - m.m[0][0] - m.m[1][1], m.m[0][0] + m.m[1][1] + m.m[2][2]};
    const auto largest = std::max_element(std::begin(traces), std::end(traces)) - traces;
    const double yz = m.m[2][1] - m.m[1][2], zx = m.m[0][2] - m.m[2][0], xy = m.m[1][0] - m.m[0][1];
    const double ab = m.m[0][1] + m.m[1][0], ac = m.m[0][2] + m.m[2][0], bc = m.m[1][2] + m.m[2][1];
    const double four = 1 + traces[largest]; // four squares of the largest
    switch (largest) {
    case 0:
        return normalized({four, ab, ac, yz});
    case 1:
        return normalized({ab, four, bc, zx});
    case 2:
        return normalized({ac, bc, four, xy});
    default:
        return normalized({yz, zx, xy, four});
    }
}

/// A time within the keys of a channel: between `key` and the next, at `share` of the way.
struct Place {
    std::size_t key = 0;
    double share = 0, length = 0; ///< of the interval [s]; 0 on a key
};

Place place_in(const std::vector<double>& times, double time) {
    if (!(time > times.front()))
        return {0, 0, 0};
    if (time >= times.back())
        return {times.size() - 1, 0, 0};
    const auto after = std::upper_bound(times.begin(), times.end(), time);
    const std::size_t key = static_cast<std::size_t>(after - times.begin()) - 1;
    const double length = times[key + 1] - times[key];
    return {key, (time - times[key]) / length, length};
}

/// The value of a channel, `width` numbers. Rotations are neither on the sphere yet nor slerped.
void interpolate(const ClipChannel& channel, std::size_t width, const Place& at, double* out) {
    const bool cubic = channel.interpolation == Interpolation::cubic;
    const std::size_t stride = cubic ? 3 * width : width;
    const double* here = channel.values.data() + at.key * stride;
    const double* value = cubic ? here + width : here;
    if (at.length == 0 || channel.interpolation == Interpolation::step) {
        std::copy_n(value, width, out);
        return;
    }
    const double t = at.share, t2 = t * t, t3 = t2 * t;
    const double* next = value + stride;
    if (!cubic) {
        for (std::size_t i = 0; i < width; ++i)
            out[i] = (1 - t) * value[i] + t * next[i];
        return;
    }
    const double* leaving = here + 2 * width; // each key: arriving tangent, value, leaving tangent
    const double* arriving = here + stride;
    for (std::size_t i = 0; i < width; ++i)
        out[i] = (2 * t3 - 3 * t2 + 1) * value[i] + at.length * (t3 - 2 * t2 + t) * leaving[i] +
                 (3 * t2 - 2 * t3) * next[i] + at.length * (t3 - t2) * arriving[i];
}

Quat rotation_at(const ClipChannel& channel, const Place& at) {
    if (channel.interpolation == Interpolation::linear && at.length > 0) {
        const double* v = channel.values.data() + 4 * at.key;
        return slerp(normalized({v[0], v[1], v[2], v[3]}), normalized({v[4], v[5], v[6], v[7]}),
                     at.share);
    }
    double q[4];
    interpolate(channel, 4, at, q);
    return normalized({q[0], q[1], q[2], q[3]});
}

Vec3 vector_at(const ClipChannel& channel, const Place& at) {
    double v[3];
    interpolate(channel, 3, at, v);
    return {v[0], v[1], v[2]};
}

void require(bool condition, const char* what) {
    if (!condition)
        throw std::logic_error(std::string("character: ") + what);
}

void apply_weights(const Character& character, const ClipChannel& channel, const Place& at,
                   CharacterPose& pose) {
    const std::size_t keys = channel.times.size();
    const std::size_t per_key = channel.interpolation == Interpolation::cubic ? 3 : 1;
    for (std::size_t p = 0; p < character.parts.size(); ++p) {
        const std::size_t width = character.parts[p].morphs.size();
        if (character.parts[p].node != channel.node || width == 0)
            continue;
        require(channel.values.size() == keys * per_key * width,
                "a channel of weights has one value per morph and key");
        interpolate(channel, width, at, pose.morph_weights[p].data());
    }
}

/// The moving coordinates of one part.
struct Skin {
    std::vector<Affine> joints; ///< one for a part without a skin
    std::vector<std::pair<const Vec3*, double>> morphs;
};

Skin skin_of(const CharacterPart& part, const std::vector<Affine>& nodes,
             const std::vector<double>& weights) {
    Skin skin;
    require(weights.size() == part.morphs.size(), "one weight per morph");
    for (std::size_t m = 0; m < weights.size(); ++m)
        if (weights[m] != 0)
            skin.morphs.emplace_back(part.morphs[m].offsets.data(), weights[m]);
    for (std::size_t j = 0; j < part.joints.size(); ++j)
        skin.joints.push_back(nodes[static_cast<std::size_t>(part.joints[j])] *
                              part.inverse_bind[j]);
    if (skin.joints.empty())
        skin.joints.push_back(part.node < 0 ? Affine{}
                                            : nodes[static_cast<std::size_t>(part.node)]);
    return skin;
}

Vec3 morphed(const Skin& skin, const Vec3& modelled, std::size_t v) {
    Vec3 p = modelled;
    for (const auto& [offsets, weight] : skin.morphs)
        p += weight * offsets[v];
    return p;
}

// Matrices are blended, not points: their twelve numbers fill vector registers.
Affine blended(const CharacterPart& part, const Skin& skin, std::size_t v) {
    double sum[12] = {};
    const int end = part.influence_begin[v + 1];
    for (int i = part.influence_begin[v]; i < end; ++i) {
        const std::size_t k = static_cast<std::size_t>(i);
        const Affine& joint = skin.joints[static_cast<std::size_t>(part.influence_joint[k])];
        const double weight = part.influence_weight[k];
        const double* row = &joint.linear.m[0][0];
        for (int c = 0; c < 9; ++c)
            sum[c] += weight * row[c];
        sum[9] += weight * joint.offset.x;
        sum[10] += weight * joint.offset.y;
        sum[11] += weight * joint.offset.z;
    }
    return {{{{sum[0], sum[1], sum[2]}, {sum[3], sum[4], sum[5]}, {sum[6], sum[7], sum[8]}}},
            {sum[9], sum[10], sum[11]}};
}

void pose_part(const CharacterPart& part, const Skin& skin, std::span<const Vec3> modelled,
               std::span<Vec3> out) {
    const bool rigid = part.joints.empty();
    parallel_for(modelled.size(), vertex_grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t v = begin; v < end; ++v) {
            const Vec3 p = morphed(skin, modelled[v], v);
            out[v] = rigid ? skin.joints[0] * p : blended(part, skin, v) * p;
        }
    });
}

} // namespace

Affine operator*(const Affine& a, const Affine& b) {
    return {a.linear * b.linear, a.linear * b.offset + a.offset};
}

Vec3 operator*(const Affine& a, const Vec3& point) {
    return a.linear * point + a.offset;
}

Affine affine(const NodeTransform& transform) {
    Affine out{matrix_of(transform.rotation), transform.translation};
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            out.linear.m[r][c] *= transform.scale[c];
    return out;
}

std::optional<NodeTransform> decompose(const Affine& affine) {
    NodeTransform out;
    out.translation = affine.offset;
    const Mat3 columns = transpose(affine.linear);
    Mat3 turned = Mat3::identity();
    for (int c = 0; c < 3; ++c) {
        const Vec3 column = {columns.m[c][0], columns.m[c][1], columns.m[c][2]};
        out.scale[c] = norm(column);
    }
    if (determinant(affine.linear) < 0)
        out.scale.x = -out.scale.x; // a mirror
    if (out.scale.x == 0 || out.scale.y == 0 || out.scale.z == 0)
        return out; // nothing left to be turned
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            turned.m[r][c] = affine.linear.m[r][c] / out.scale[c];
    constexpr double most_shear = 1e-4; // of a right angle's cosine; exporters round
    const Mat3 square = transpose(turned) * turned;
    if (!(std::abs(square.m[0][1]) + std::abs(square.m[0][2]) + std::abs(square.m[1][2]) <
          most_shear))
        return std::nullopt;
    out.rotation = quaternion_of(turned);
    return out;
}

std::vector<Affine> node_transforms(const Character& character, const CharacterPose& pose) {
    require(pose.nodes.size() == character.nodes.size(), "a pose has one transform per node");
    std::vector<Affine> out;
    out.reserve(pose.nodes.size());
    for (std::size_t n = 0; n < pose.nodes.size(); ++n) {
        const int parent = character.nodes[n].parent;
        require(parent < static_cast<int>(n), "a parent comes before its children");
        const Affine own = affine(pose.nodes[n]);
        out.push_back(parent < 0 ? own : out[static_cast<std::size_t>(parent)] * own);
    }
    return out;
}

CharacterPose rest_pose(const Character& character) {
    CharacterPose pose;
    for (const CharacterNode& node : character.nodes)
        pose.nodes.push_back(node.rest);
    for (const CharacterPart& part : character.parts) {
        pose.morph_weights.push_back(part.morph_weights);
        pose.morph_weights.back().resize(part.morphs.size(), 0);
    }
    return pose;
}

CharacterPose sample_clip(const Character& character, const Clip& clip, double time) {
    CharacterPose pose = rest_pose(character);
    for (const ClipChannel& channel : clip.channels) {
        if (channel.times.empty())
            continue;
        const Place at = place_in(channel.times, time);
        NodeTransform& node = pose.nodes.at(static_cast<std::size_t>(channel.node));
        switch (channel.path) {
        case Path::translation:
            node.translation = vector_at(channel, at);
            break;
        case Path::rotation:
            node.rotation = rotation_at(channel, at);
            break;
        case Path::scale:
            node.scale = vector_at(channel, at);
            break;
        case Path::weights:
            apply_weights(character, channel, at, pose);
            break;
        }
    }
    return pose;
}

CharacterPose blend_poses(const CharacterPose& a, const CharacterPose& b, double share) {
    require(a.nodes.size() == b.nodes.size() && a.morph_weights.size() == b.morph_weights.size(),
            "only poses of one character blend");
    if (share <= 0)
        return a;
    if (share >= 1)
        return b;
    CharacterPose out = a;
    for (std::size_t n = 0; n < out.nodes.size(); ++n) {
        const NodeTransform &from = a.nodes[n], &to = b.nodes[n];
        out.nodes[n] = {lerp(from.translation, to.translation, share),
                        slerp(from.rotation, to.rotation, share),
                        lerp(from.scale, to.scale, share)};
    }
    for (std::size_t p = 0; p < out.morph_weights.size(); ++p)
        for (std::size_t m = 0; m < out.morph_weights[p].size(); ++m)
            out.morph_weights[p][m] =
                (1 - share) * a.morph_weights[p][m] + share * b.morph_weights[p].at(m);
    return out;
}

void pose_character(const Character& character, const CharacterPose& pose, std::span<Vec3> out) {
    const std::vector<Vec3>& modelled = character.mesh.positions;
    require(out.size() == modelled.size(), "a pose has one place per vertex");
    require(pose.morph_weights.size() == character.parts.size(), "one list of weights per part");
    const std::vector<Affine> nodes = node_transforms(character, pose);
    std::size_t posed = 0;
    for (std::size_t p = 0; p < character.parts.size(); ++p) {
        const CharacterPart& part = character.parts[p];
        const std::size_t first = static_cast<std::size_t>(part.first_vertex);
        const std::size_t count = static_cast<std::size_t>(part.vertex_count);
        require(first == posed && first + count <= modelled.size(),
                "parts follow each other and cover the vertices");
        pose_part(part, skin_of(part, nodes, pose.morph_weights[p]),
                  std::span(modelled).subspan(first, count), out.subspan(first, count));
        posed += count;
    }
    require(posed == modelled.size(), "parts follow each other and cover the vertices");
}

const Clip& find_clip(const Character& character, const std::string& name) {
    std::string known;
    for (const Clip& clip : character.clips) {
        if (clip.name == name)
            return clip;
        known += (known.empty() ? "'" : ", '") + clip.name + "'";
    }
    throw InputError({{},
                      "clip",
                      known.empty() ? "a character with clips" : "one of " + known,
                      known.empty() ? "none" : "'" + name + "'",
                      {}});
}

} // namespace muslin
