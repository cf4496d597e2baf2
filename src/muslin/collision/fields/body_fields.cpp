#include "muslin/collision/fields/body_fields.h"

#include "muslin/base/error.h"
#include "muslin/base/parallel.h"
#include "muslin/math/rotation.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>

namespace muslin {
namespace {

constexpr std::size_t grain = 512;

// Voxels: across the mean thickness of a body, along its longest side, and to either side of its
// surface.
constexpr double through = 20, least_through = 3;
constexpr double least_along = 100, most_along = 300;
constexpr double band_voxels = 10;
constexpr double least_band_voxels = 3; // distances at its end are those of the end

// A node's distance, and the share of nodes that blocks repeat.
constexpr double node_bytes = 4 * 1.42;

// Between now and later where the velocity of the moment is asked for [s]: short beside any motion,
// long beside the rounding of coordinates.
constexpr double moment = 1e-5;

Bounds bounds_of(std::span<const Vec3> points) {
    Bounds out = {points[0], points[0]};
    for (const Vec3& p : points) {
        out.low = {std::min(out.low.x, p.x), std::min(out.low.y, p.y), std::min(out.low.z, p.z)};
        out.high = {std::max(out.high.x, p.x), std::max(out.high.y, p.y),
                    std::max(out.high.z, p.z)};
    }
    return out;
}

bool contains(const Bounds& box, const Vec3& p) {
    return p.x >= box.low.x && p.y >= box.low.y && p.z >= box.low.z && p.x <= box.high.x &&
           p.y <= box.high.y && p.z <= box.high.z;
}

bool deforms(const Body& body) {
    return body.frames.size() > 1;
}

// Adds the time that it lives.
class Stopwatch {
public:
    explicit Stopwatch(double& seconds)
        : seconds_(seconds), began_(std::chrono::steady_clock::now()) {}
    ~Stopwatch() {
        seconds_ +=
            std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

private:
    double& seconds_;
    std::chrono::steady_clock::time_point began_;
};

// Twice the volume over the area: how thick a plate is.
double mean_thickness(const TriangleView& surface) {
    double volume = 0, area = 0;
    const Vec3 origin = surface.positions[surface.triangles[0][0]];
    for (const auto& [i, j, k] : surface.triangles) {
        const Vec3 a = surface.positions[i] - origin, b = surface.positions[j] - origin,
                   c = surface.positions[k] - origin;
        const Vec3 n = cross(b - a, c - a);
        volume += dot(a, cross(b, c)) / 6;
        area += norm(n) / 2;
    }
    return area > 0 ? 2 * std::abs(volume) / area : 0;
}

// The points that a body has before its motion, if it never deforms or where its frames begin.
std::span<const Vec3> own_points(const Body& body) {
    return body.frames.empty() ? body.mesh.positions : body.frames.front();
}

} // namespace

LevelSetSettings level_set_settings(const Body& body, const BodyFieldsSettings& settings) {
    LevelSetSettings out;
    out.voxel = settings.voxel;
    if (out.voxel <= 0) {
        const TriangleView surface = {own_points(body), body.triangles};
        const Bounds box = bounds_of(surface.positions);
        const Vec3 size = box.high - box.low;
        const double longest = std::max({size.x, size.y, size.z});
        const double thick = mean_thickness(surface);
        out.voxel = std::clamp(thick / through, longest / most_along, longest / least_along);
        if (thick > 0)
            out.voxel = std::min(out.voxel, thick / least_through);
    }
    out.band = settings.band > 0 ? settings.band : band_voxels * out.voxel;
    if (out.band < least_band_voxels * out.voxel)
        throw InputError({{},
                          "level_sets.band",
                          fmt::format("at least three voxels of body '{}', {:.4g} [m]", body.name,
                                      least_band_voxels * out.voxel),
                          fmt::format("{}", out.band),
                          "or give a smaller level_sets.voxel"});
    return out;
}

double level_set_bytes(const Body& body, const LevelSetSettings& grid) {
    double area = 0;
    const std::span<const Vec3> x = own_points(body);
    for (const auto& [i, j, k] : body.triangles)
        area += norm(cross(x[j] - x[i], x[k] - x[i])) / 2;
    // A shell of blocks of eight voxels, of which the outermost are in part beyond the band.
    const double width = 2 * grid.band + 14 * grid.voxel;
    const double each = deforms(body) ? 2 * node_bytes : node_bytes; // and its nearest triangle
    return each * area * width / (grid.voxel * grid.voxel * grid.voxel);
}

int level_set_count(const Body& body, const LevelSetSettings& grid, double until) {
    LevelSetCache none({});
    return deforms(body) ? DeformingField(body, grid, none).count(until) : 1;
}

BodyFields::BodyFields(std::span<const Body> bodies, const BodyFieldsSettings& settings)
    : cache_(settings.cache) {
    band_ = HUGE_VAL;
    for (const Body& body : bodies) {
        const Stopwatch watch(seconds_);
        Part part;
        part.body = &body;
        const LevelSetSettings grid = level_set_settings(body, settings);
        try {
            if (deforms(body)) {
                part.deforming = std::make_unique<DeformingField>(body, grid, cache_);
                part.deforming->set_time(0, 0);
            } else {
                part.level_set = cache_.get_or_make({own_points(body), body.triangles}, grid);
            }
        } catch (const InputError& error) {
            Problem problem = error.problem();
            problem.key = fmt::format("body '{}': {}", body.name, problem.key);
            throw InputError(problem);
        }
        band_ = std::min(band_, part.deforming ? part.deforming->band() : part.level_set.band());
        parts_.push_back(std::move(part));
    }
    set_time(0, 0);
}

void BodyFields::set_time(double time, double interval) {
    interval_ = interval != 0 ? interval : moment;
    for (Part& part : parts_) {
        const Motion& motion = part.body->motion;
        const auto place = [&](double moment, Mat3& turn, Vec3& shift) {
            const double at = motion_time(moment);
            turn = rotation_degrees(motion.rotation.at(at));
            shift = motion.pivot - turn * motion.pivot + motion.translation.at(at);
        };
        place(time, part.turn, part.shift);
        place(time + interval_, part.later_turn, part.later_shift);
        if (part.deforming) {
            const Stopwatch watch(seconds_);
            part.deforming->set_time(time, interval_);
        }
        part.bounds = part.deforming ? part.deforming->bounds() : part.level_set.bounds();
    }
}

// In the space of the scene: a material point is carried on by its deformation and the motion.
BodySample BodyFields::sample_part(const Part& part, const Vec3& place) const {
    const Vec3 own = transpose(part.turn) * (place - part.shift);
    BodySample out;
    if (part.deforming) {
        if (!contains(part.bounds, own))
            return {part.deforming->band(), {0, 0, 0}, {0, 0, 0}};
        out = part.deforming->sample(own);
    } else {
        const LevelSetSample at = part.level_set.sample(own);
        out = {at.distance, at.normal, {0, 0, 0}};
    }
    out.normal = part.turn * out.normal;
    const Vec3 later = part.later_turn * (own + interval_ * out.velocity) + part.later_shift;
    out.velocity = (1 / interval_) * (later - place);
    return out;
}

FieldSample BodyFields::sample(const Vec3& place) const {
    FieldSample out;
    out.distance = band_;
    int inside = 0;
    for (std::size_t b = 0; b < parts_.size(); ++b) {
        const BodySample at = sample_part(parts_[b], place);
        inside += at.distance < 0;
        if (at.distance >= out.distance)
            continue;
        out.distance = at.distance;
        out.normal = at.normal;
        out.velocity = at.velocity;
        out.body = dot(at.normal, at.normal) > 0 ? static_cast<int>(b) : -1;
    }
    out.pinched = inside > 1;
    return out;
}

void BodyFields::sample(std::span<const Vec3> places, std::span<FieldSample> out) const {
    parallel_for(places.size(), grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            out[i] = sample(places[i]);
    });
}

// Of the two bodies that it is deepest in, a and b, with the function (phi_a - phi_b) / 2: it is
// zero where the place is as deep in one as in the other, and its gradient is (N_a - N_b) / 2.
Pinch BodyFields::pinch(const Vec3& place) const {
    BodySample deepest[2] = {{HUGE_VAL, {}, {}}, {HUGE_VAL, {}, {}}};
    for (const Part& part : parts_) {
        const BodySample at = sample_part(part, place);
        if (at.distance < deepest[0].distance) {
            deepest[1] = deepest[0];
            deepest[0] = at;
        } else if (at.distance < deepest[1].distance) {
            deepest[1] = at;
        }
    }
    const auto& [a, b] = deepest;
    Pinch out = {0, {0, 0, 0}, 0.5 * (a.velocity + b.velocity), std::max(0.0, -b.distance), 0};
    const Vec3 gradient = 0.5 * (a.normal - b.normal);
    const double slope = norm(gradient);
    if (slope > 1e-3) { // else the bodies lie side by side here: there is no way between them
        out.normal = (1 / slope) * gradient;
        out.across = (a.distance - b.distance) / (2 * slope);
    }
    return out;
}

bool BodyFields::may_meet(const Vec3& a, const Vec3& b) const {
    for (const Part& part : parts_) {
        const Mat3 back = transpose(part.turn);
        const Vec3 from = back * (a - part.shift), to = back * (b - part.shift);
        const Vec3 low = {std::min(from.x, to.x), std::min(from.y, to.y), std::min(from.z, to.z)};
        const Vec3 high = {std::max(from.x, to.x), std::max(from.y, to.y), std::max(from.z, to.z)};
        const Bounds& box = part.bounds;
        if (low.x <= box.high.x && low.y <= box.high.y && low.z <= box.high.z &&
            high.x >= box.low.x && high.y >= box.low.y && high.z >= box.low.z)
            return true;
    }
    return false;
}

void BodyFields::prepare(double until, const std::function<void(int, int)>& progress) {
    const Stopwatch watch(seconds_);
    for (const Part& part : parts_)
        if (part.deforming)
            part.deforming->prepare(until, progress);
}

LevelSetWork BodyFields::work() const {
    return {static_cast<int>(cache_.made()), static_cast<int>(cache_.read()), seconds_,
            cache_.warnings()};
}

std::size_t BodyFields::memory() const {
    std::size_t sum = 0;
    for (const Part& part : parts_)
        sum += part.deforming ? part.deforming->memory() : part.level_set.memory();
    return sum;
}

} // namespace muslin
