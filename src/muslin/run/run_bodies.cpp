#include "muslin/run/run_bodies.h"

#include "muslin/base/error.h"
#include "muslin/mesh/penetration.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace muslin {
namespace {

// By how much a body may differ from its shape in frame 0 and count as the same: caches hold
// single precision [m].
constexpr double rigid_tolerance = 1e-5;

/// Three vertices of a body that span it well.
std::array<std::size_t, 3> pick_corners(const std::vector<Vec3>& x) {
    std::array<std::size_t, 3> out = {0, 0, 0};
    const auto farthest = [&](auto&& distance) {
        std::size_t best = 0;
        for (std::size_t v = 0; v < x.size(); ++v)
            if (distance(x[v]) > distance(x[best]))
                best = v;
        return best;
    };
    out[1] = farthest([&](const Vec3& p) { return norm(p - x[0]); });
    const Vec3 along = x[out[1]] - x[0];
    out[2] = farthest([&](const Vec3& p) { return norm(cross(p - x[0], along)); });
    return out;
}

/// A right-handed frame of the three vertices, as columns.
Mat3 frame_of(const std::vector<Vec3>& x, const std::array<std::size_t, 3>& corner) {
    const Vec3 a = normalized(x[corner[1]] - x[corner[0]]);
    const Vec3 c = normalized(cross(a, x[corner[2]] - x[corner[0]]));
    const Vec3 b = cross(c, a);
    return {{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}}};
}

/// The angles [degrees] of math/rotation.h.
Vec3 angles_of(const Mat3& r) {
    constexpr double degrees = 180 / std::numbers::pi;
    return degrees * Vec3{std::atan2(r(2, 1), r(2, 2)), -std::asin(std::clamp(r(2, 0), -1.0, 1.0)),
                          std::atan2(r(1, 0), r(0, 0))};
}

/// The rigid motion of a body over its frames, or none where it deforms.
std::optional<Motion> find_motion(RunObject& body, double frame_rate) {
    std::vector<Vec3> start, now;
    body.read(0, start);
    if (!body.moves())
        return Motion{};
    const auto corner = pick_corners(start);
    const Mat3 first = frame_of(start, corner);
    std::vector<std::pair<double, Vec3>> turns, shifts;
    for (int frame = 0; frame < body.frames(); ++frame) {
        body.read(frame, now);
        const Mat3 turn = frame_of(now, corner) * transpose(first);
        const Vec3 shift = now[corner[0]] - turn * start[corner[0]];
        for (std::size_t v = 0; v < now.size(); ++v)
            if (!(norm(turn * start[v] + shift - now[v]) <= rigid_tolerance))
                return std::nullopt;
        turns.emplace_back(frame / frame_rate, angles_of(turn));
        shifts.emplace_back(frame / frame_rate, shift);
    }
    Motion out;
    out.rotation = Animated<Vec3>(std::move(turns));
    out.translation = Animated<Vec3>(std::move(shifts));
    return out;
}

} // namespace

RunBodies::RunBodies(RunReader& run)
    : run_(run), positions_(run.bodies().size()), placed_(run.bodies().size()) {
    show(0);
    for (std::size_t b = 0; b < placed_.size(); ++b) {
        placed_[b].closed = is_closed(placed_[b].surface);
        if (!placed_[b].closed)
            throw InputError({{run.directory().string(), 0, 0},
                              "body '" + run.bodies()[b].name() + "'",
                              "a closed mesh, so that it has an inside",
                              "an open one",
                              {}});
    }
}

void RunBodies::show(int frame) {
    frame_ = frame;
    for (std::size_t b = 0; b < positions_.size(); ++b) {
        run_.bodies()[b].read(frame, positions_[b]);
        placed_[b].surface = {positions_[b], run_.bodies()[b].triangles().triangles};
    }
}

void RunBodies::set_fields(const FoldSettings& fold, const LevelSetsDescription& level_sets) {
    for (RunObject& object : run_.bodies()) {
        Body& body = bodies_.emplace_back();
        body.name = object.name();
        body.mesh = object.mesh();
        object.read(0, body.mesh.positions);
        body.triangles = object.triangles().triangles;
        const std::optional<Motion> motion = find_motion(object, run_.frame_rate());
        deforms_ = deforms_ || !motion;
        body.motion = motion.value_or(Motion{});
    }
    for (Body& body : bodies_)
        if (deforms_)
            body.motion = {}; // their places are taken from the frames
    settings_ = fields_for(fold, level_sets, bodies_);
}

const DistanceField& RunBodies::field() {
    if (deforms_) {
        fields_.reset();
        for (std::size_t b = 0; b < bodies_.size(); ++b)
            bodies_[b].mesh.positions = positions_[b];
    }
    if (!fields_)
        fields_ = std::make_unique<BodyFields>(bodies_, settings_);
    fields_->set_time(deforms_ ? 0 : frame_ / run_.frame_rate());
    return *fields_;
}

} // namespace muslin
