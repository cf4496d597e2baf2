#include "muslin/collision/fields/deforming_field.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace muslin {
namespace {

// More times between two frames would be of no use: what moves on at that rate has jumped.
constexpr int most_between = 64;
constexpr double furthest = 1.0 / 3; // of the band, from knot to knot
// Of following a place: the displacement hardly differs from one place to the next.
constexpr int rounds = 3;

Bounds join(const Bounds& a, const Bounds& b) {
    return {
        {std::min(a.low.x, b.low.x), std::min(a.low.y, b.low.y), std::min(a.low.z, b.low.z)},
        {std::max(a.high.x, b.high.x), std::max(a.high.y, b.high.y), std::max(a.high.z, b.high.z)}};
}

} // namespace

DeformingField::DeformingField(const Body& body, const LevelSetSettings& grid, LevelSetCache& cache)
    : body_(body), grid_(grid), cache_(cache) {
    grid_.nearest_triangles = true;
    for (std::size_t f = 0; f < body.frames.size(); ++f) {
        const double frame = static_cast<double>(f);
        knots_.push_back(frame);
        if (f + 1 == body.frames.size())
            break;
        double way = 0;
        for (std::size_t i = 0; i < body.frames[f].size(); ++i)
            way = std::max(way, norm(body.frames[f + 1][i] - body.frames[f][i]));
        const double parts =
            std::clamp(std::ceil(way / (furthest * grid.band)), 1.0, double(most_between));
        for (int k = 1; k < static_cast<int>(parts); ++k)
            knots_.push_back(frame + k / parts);
    }
}

void DeformingField::points_at(double frame, std::vector<Vec3>& out) const {
    const auto before = static_cast<std::size_t>(frame);
    const double part = frame - std::floor(frame);
    out = body_.frames[before];
    if (part > 0)
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = (1 - part) * out[i] + part * body_.frames[before + 1][i];
}

void DeformingField::load(Knot& knot, int number) const {
    points_at(knots_[number], knot.points);
    knot.level_set = cache_.get_or_make(surface(knot), grid_);
    knot.number = number;
}

void DeformingField::set_time(double time, double interval) {
    const double last = knots_.back();
    const double frame = std::clamp(time_in_frames(body_, time) * body_.frame_rate, 0.0, last);
    // The knots around a moment beside the time: at a knot the side decides.
    const double beside = frame + (interval < 0 ? -1e-6 : 1e-6);
    const auto after = std::upper_bound(knots_.begin() + 1, knots_.end() - 1, beside);
    const int number = static_cast<int>(after - knots_.begin()) - 1;
    if (number != first_.number) {
        if (number == second_.number)
            std::swap(first_, second_);
        else
            load(first_, number);
        load(second_, number + 1);
        displacement_.resize(first_.points.size());
        for (std::size_t i = 0; i < displacement_.size(); ++i)
            displacement_[i] = second_.points[i] - first_.points[i];
        off_first_.emplace(first_.level_set, surface(first_), displacement_);
        off_second_.emplace(second_.level_set, surface(second_), displacement_);
        bounds_ = join(first_.level_set.bounds(), second_.level_set.bounds());
    }
    const double length = knots_[number + 1] - knots_[number];
    weight_ = std::clamp((frame - knots_[number]) / length, 0.0, 1.0);
    duration_ = length / body_.frame_rate;
    // Before the first frame and after the last one the body stands still.
    if (beside < 0 || beside > last)
        duration_ = HUGE_VAL;
}

// Where the surface carried a place from: y = place - part * displacement(y); for a negative part,
// where it takes it.
DeformingField::Followed DeformingField::follow(const VelocityExtension& extension,
                                                const Vec3& place, double part) {
    Followed out = {place, extension.at(place)};
    if (part == 0)
        return out;
    for (int k = 0; k < rounds; ++k) {
        const Vec3 next = place - part * out.displacement;
        const Vec3 moved = next - out.place;
        out = {next, extension.at(next)};
        if (dot(moved, moved) < 1e-16)
            break;
    }
    return out;
}

BodySample DeformingField::sample(const Vec3& place) const {
    // What is beyond the band at a knot is beyond what is known at the time, and most places are.
    if (const LevelSetSample at = first_.level_set.sample(place); dot(at.normal, at.normal) == 0)
        return {at.distance < 0 ? -band() : band(), {0, 0, 0}, {0, 0, 0}};
    BodySample out;
    Vec3 displacement = {0, 0, 0}, normal = {0, 0, 0};
    bool known = true;
    const auto add = [&](const Knot& knot, const VelocityExtension& off, double part,
                         double weight) {
        if (weight == 0)
            return;
        const Followed at = follow(off, place, part);
        const LevelSetSample s = knot.level_set.sample(at.place);
        known = known && dot(s.normal, s.normal) > 0;
        out.distance += weight * s.distance;
        normal += weight * s.normal;
        displacement += weight * at.displacement;
    };
    add(first_, *off_first_, weight_, 1 - weight_);
    add(second_, *off_second_, weight_ - 1, weight_);
    const double length = norm(normal);
    if (!known || !(length > 0) || std::abs(out.distance) >= band())
        return {out.distance < 0 ? -band() : band(), {0, 0, 0}, {0, 0, 0}};
    out.normal = (1 / length) * normal;
    out.velocity = (1 / duration_) * displacement;
    return out;
}

std::size_t DeformingField::memory() const {
    return first_.level_set.memory() + second_.level_set.memory();
}

int DeformingField::count(double until) const {
    const double frame = time_in_frames(body_, until) * body_.frame_rate;
    const auto after = std::lower_bound(knots_.begin(), knots_.end(), frame - 1e-6);
    return static_cast<int>(std::min(after + 1, knots_.end()) - knots_.begin());
}

void DeformingField::prepare(double until, const std::function<void(int, int)>& progress) const {
    const int all = std::max(2, count(until));
    Knot knot;
    for (int k = 0; k < all; ++k) {
        points_at(knots_[k], knot.points);
        if (cache_.holds(surface(knot), grid_))
            continue;
        knot.level_set = cache_.get_or_make(surface(knot), grid_);
        if (progress)
            progress(k + 1, all);
    }
}

} // namespace muslin
