#include "muslin/collision/response/body_forecast.h"

#include "muslin/base/parallel.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

constexpr std::size_t grain = 1024;

// The part of the band that a point may cross in a step without having been seen.
constexpr double unseen_part = 0.5;
// The part of an impulse's effect that constraints of a particle must leave.
constexpr double least_response = 1e-3;

} // namespace

BodyForecast::BodyForecast(const Model& model, const Surfaces& surfaces, double relaxation,
                           std::unique_ptr<MovingField> field)
    : model_(model), surfaces_(surfaces), relaxation_(relaxation), field_(std::move(field)) {}

void BodyForecast::sense(const State& begin, double h) {
    samples_.resize(begin.positions.size());
    field_->set_time(begin.time, h);
    field_->sample(begin.positions, samples_);
    const double most = unseen_part * field_->band();
    longest_step_ = HUGE_VAL;
    for (std::size_t i = 0; i < samples_.size(); ++i) {
        const double speed = norm(begin.velocities[i]);
        if (samples_[i].body < 0 && h * speed > most &&
            field_->may_meet(begin.positions[i], begin.positions[i] + h * begin.velocities[i]))
            longest_step_ = std::min(longest_step_, most / speed);
    }
}

Forecast BodyForecast::respond(int i, const Mobility& mobility, const Vec3& place,
                               const Vec3& velocity, double h) const {
    const FieldSample& at = samples_[i];
    Forecast out = {velocity, 0, false};
    if (at.body < 0 || !mobility.moves(i))
        return out;
    const Body& body = model_.bodies[at.body];
    const double friction = body.friction.value_or(model_.collision.friction[i]);
    const double relaxation = std::max(relaxation_, h);
    Vec3 normal = at.normal;
    if (at.pinched) {
        Pinch pinch = field_->pinch(place);
        pinch.friction = friction;
        normal = pinch.normal;
        out = hold_pinched(velocity, pinch, h, relaxation);
    } else {
        const double kept = model_.collision.thickness[i] / 2 + body.thickness;
        out =
            forecast(velocity, {at.distance - kept, normal, at.velocity, friction}, h, relaxation);
    }
    if (!out.met || mobility.moves_freely(i))
        return out;
    // Along a curve or a surface that the particle is held to, as far as that lets it give way:
    // `slope` is the way there that leads out, and friction acts across it.
    const double mass = surfaces_.mass[i];
    const Vec3 slope = mobility.response(i, mass * normal);
    const double along = dot(slope, normal);
    if (along < least_response)
        return {velocity, 0, false};
    const Vec3 lost = mobility.response(i, mass * (out.velocity - velocity - out.push * normal));
    out.velocity = velocity + (out.push / along) * slope + lost -
                   (dot(lost, slope) / dot(slope, slope)) * slope;
    return out;
}

int BodyForecast::change_step(double h, const Mobility& mobility, StepPoints& points) {
    const int particles = surfaces_.particle_count();
    met_.assign(particles, 0);
    parallel_for(particles, grain, [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            if (!surfaces_.touches(static_cast<int>(i)))
                continue;
            const Vec3 velocity = (1 / h) * (points.end[i] - points.begin[i]);
            const Forecast f = respond(static_cast<int>(i), mobility, points.begin[i], velocity, h);
            if (!f.met)
                continue;
            met_[i] = 1;
            const Vec3 moved = h * (f.velocity - velocity);
            points.end[i] += moved;
            points.solved[i] += moved;
        }
    });
    return static_cast<int>(std::count(met_.begin(), met_.end(), 1));
}

void BodyForecast::change_end(double h, const Mobility& mobility, State& end) {
    field_->set_time(end.time, -h);
    field_->sample(end.positions, samples_);
    end.contact_force.assign(end.positions.size(), 0.0);
    parallel_for(end.positions.size(), grain, [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            if (!surfaces_.touches(static_cast<int>(i)))
                continue;
            const Forecast f =
                respond(static_cast<int>(i), mobility, end.positions[i], end.velocities[i], h);
            if (!f.met)
                continue;
            end.velocities[i] = f.velocity;
            end.contact_force[i] = surfaces_.mass[i] * std::max(0.0, f.push) / h;
        }
    });
}

} // namespace muslin
