#include "muslin/model/body.h"

#include "muslin/base/parallel.h"
#include "muslin/math/rotation.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace muslin {
namespace {

constexpr std::size_t grain = 4096;

} // namespace

double time_in_frames(const Body& body, double time) {
    const double paused =
        std::clamp(time - (body.pause.end - body.pause.length), 0.0, body.pause.length);
    return time - body.frames_start - paused;
}

FrameInterval find_interval(std::size_t frames, double frame_rate, double time) {
    const double last = static_cast<double>(frames - 1);
    const double place = std::clamp(time * frame_rate, 0.0, last);
    const auto first = static_cast<std::size_t>(place);
    return {first, std::min(first + 1, frames - 1), place - std::floor(place)};
}

bool is_moving(const Body& body) {
    return body.is_given() || body.frames.size() > 1 || !body.motion.is_constant();
}

namespace {

// Where the vertices are before the motion: between two sets of places.
struct Between {
    const Vec3 *first, *second; ///< [m]
    double weight;
};

Between places_of(const Body& body, double time) {
    if (body.is_given()) {
        const FrameInterval at = body.path->time.at(time);
        return {body.path->frames[at.first].data(), body.path->frames[at.second].data(), at.weight};
    }
    if (body.frames.empty())
        return {body.mesh.positions.data(), body.mesh.positions.data(), 0};
    const FrameInterval at =
        find_interval(body.frames.size(), body.frame_rate, time_in_frames(body, time));
    return {body.frames[at.first].data(), body.frames[at.second].data(), at.weight};
}

} // namespace

void body_positions(const Body& body, double time, std::span<Vec3> out) {
    if (out.size() != body.mesh.positions.size())
        throw std::logic_error("a body has as many positions as its mesh has vertices");
    static const Motion still;
    const Between at = places_of(body, time);
    const Vec3 *a = at.first, *b = at.second;
    const Motion& motion = body.is_given() ? still : body.motion;
    const Vec3 angles = motion.rotation.at(motion_time(time));
    const Vec3 shift = motion.translation.at(motion_time(time));
    const Vec3 pivot = motion.pivot;
    const bool turns = dot(angles, angles) > 0; // else (p - pivot) + pivot would round
    const Mat3 turn = rotation_degrees(angles);
    parallel_for(out.size(), grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            Vec3 p = a[i];
            if (at.weight > 0)
                p = (1.0 - at.weight) * p + at.weight * b[i];
            out[i] = (turns ? pivot + turn * (p - pivot) : p) + shift;
        }
    });
}

void shown_positions(const Body& body, double time, std::span<Vec3> out) {
    body_positions(body, time, out);
    if (body.parted.empty() || body.is_given())
        return;
    const FrameInterval at =
        find_interval(body.parted.size(), body.frame_rate, time_in_frames(body, time));
    const Mat3 turn = rotation_degrees(body.motion.rotation.at(motion_time(time)));
    const auto add = [&](std::size_t frame, double weight) {
        for (const PartedVertex& p : body.parted[frame])
            out[p.vertex] = out[p.vertex] + weight * (turn * p.back);
    };
    add(at.first, 1.0 - at.weight);
    if (at.weight > 0)
        add(at.second, at.weight);
}

} // namespace muslin
