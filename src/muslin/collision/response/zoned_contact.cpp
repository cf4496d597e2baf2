#include "muslin/collision/response/zoned_contact.h"

#include "muslin/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace muslin {
namespace {

constexpr std::size_t pair_grain = 512;
// Room for the contacts of a range of pairs: steady steps find more now and then, but seldom more.
constexpr std::size_t usual_contacts = 64;
constexpr std::size_t point_grain = 2048;

// A pair up to this many thicknesses apart counts as near if it comes within one in the step.
constexpr double near_reach = 2;
// What keeps a gap of this many thicknesses is not taken for an impact.
constexpr double meeting_gap = 0.01;

// Edges that are shorter than this many thicknesses make neighbours near each other.
constexpr double fine = 4;

// The length of an edge in the pattern that half of them exceed [m].
double median_edge(std::span<const std::array<Vec2, 3>> pattern) {
    std::vector<double> lengths;
    for (const auto& corners : pattern)
        for (int k = 0; k < 3; ++k) {
            const Vec2 edge = corners[(k + 1) % 3] - corners[k];
            lengths.push_back(std::hypot(edge.x, edge.y));
        }
    if (lengths.empty())
        return 0;
    const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
    std::nth_element(lengths.begin(), middle, lengths.end());
    return *middle;
}

} // namespace

ZonedContact::ZonedContact(const Model& model, const ImpactZoneSettings& zones,
                           Surfaces::Bodies bodies)
    : surfaces_(model, bodies), detector_(surfaces_),
      zones_(surfaces_, detector_, candidates_, zones), tangles_(surfaces_) {
    for (double thickness : model.collision.thickness)
        thinnest_ = std::min(thinnest_, thickness);
    edge_ = median_edge(model.collision_pattern());
    double thickest = 0;
    for (double thickness : model.collision.thickness)
        thickest = std::max(thickest, thickness);
    if (edge_ < fine * thickest)
        detector_.leave_out_smooth(model.collision_pattern(), edge_);
}

// How far from where they are expected ends may be before pairs are looked for again [m]. Forces
// turn what moves; what rests stays, and there pairs that are only near would be a burden. So would
// neighbours in a fine mesh, which a wide margin makes all pairs with each other.
double ZonedContact::margin(const StepInput& step) {
    const auto& [conditions, begin, h, constraints] = step;
    constexpr double turned = 0.3;          // of the way of a step
    constexpr double least = 0.5, most = 2; // thicknesses
    constexpr double part_of_edge = 0.1;
    const double squares = parallel_sum<double>(
        begin.velocities.size(), point_grain, squares_, [&](std::size_t from, std::size_t to) {
            double sum = 0;
            for (std::size_t i = from; i < to; ++i)
                sum += dot(begin.velocities[i], begin.velocities[i]);
            return sum;
        });
    const double speed = std::sqrt(squares / static_cast<double>(begin.velocities.size()));
    // What falls and what has just come to rest are off by this much.
    const double fall = 1.2 * h * h * norm(conditions.gravity);
    const double widest = std::min(most * thinnest_, std::max(part_of_edge * edge_, fall));
    return std::clamp(turned * h * speed, std::min(least * thinnest_, widest), widest);
}

// Where all points are at the begin, and where they go if nothing changes their motion.
void ZonedContact::place(const State& begin, double h, const ConstraintSet& constraints) {
    const int particles = surfaces_.particle_count();
    begin_.resize(surfaces_.point_count());
    end_.resize(surfaces_.point_count());
    surfaces_.place_bodies(begin.time, begin_);
    surfaces_.place_bodies(begin.time + h, end_);
    parallel_for(particles, point_grain, [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            begin_[i] = begin.positions[i];
            end_[i] = begin.positions[i] + h * begin.velocities[i];
        }
    });
    for (const ParticleConstraint& c : constraints.list())
        for (int k = 0; k < c.count; ++k)
            end_[c.particle] +=
                (c.position[k] - dot(c.direction[k], end_[c.particle])) * c.direction[k];
}

void ZonedContact::sense(const StepInput& step, Profile& profile) {
    const auto& [conditions, begin, h, constraints] = step;
    {
        const ProfileScope scope(profile, Task::other);
        place(begin, h, constraints);
        mobility_.set(surfaces_, constraints);
        if (!started_ || tangles_.any()) {
            tangles_.update(begin_, !started_);
            started_ = true;
        }
        zones_.set_ignored(tangles_.any() ? tangles_.marks() : std::span<const std::uint8_t>{});
    }
    {
        const ProfileScope scope(profile, Task::detect_self);
        detector_.set_motion(begin_, end_, margin(step));
        detector_.find_self(candidates_);
    }
    {
        const ProfileScope scope(profile, Task::detect_body);
        detector_.append_body(candidates_);
    }
    const ProfileScope scope(profile, Task::detect_self);
    find_contacts();
    take_contacts(begin, h, found_);
}

void ZonedContact::store(ContactHistory& history) const {
    history.started = started_;
    tangles_.store(history.released);
    detector_.store(history);
}

void ZonedContact::recall(const ContactHistory& history) {
    started_ = history.started;
    tangles_.recall(history.released);
    detector_.recall(history);
}

void ZonedContact::find_contacts() {
    const std::size_t pairs = candidates_.size();
    // Ranges keep their room when there are fewer of them for a while.
    const std::size_t ranges = (pairs + pair_grain - 1) / pair_grain;
    if (found_.size() < ranges)
        found_.resize(ranges);
    for (std::size_t k = ranges; k < found_.size(); ++k)
        found_[k].clear();
    parallel_for(pairs, pair_grain, [&](std::size_t from, std::size_t to) {
        std::vector<Contact>& found = found_[from / pair_grain];
        found.clear();
        found.reserve(usual_contacts);
        for (std::size_t k = from; k < to; ++k) {
            Contact c = make_contact(surfaces_, candidates_, k);
            // Most candidates are neither near nor on their way to meet.
            if (zones_.is_ignored(c) ||
                keeps_gap(c, between_middles(c, begin_, end_), begin_, end_,
                          near_reach * c.thickness, meeting_gap * c.thickness))
                continue;
            double distance;
            const bool facing = set_closest(c, begin_, distance);
            const bool foresees = foresight_ == Foresight::all_that_meet;
            if (distance < (foresees && facing ? near_reach : 1) * c.thickness) {
                if (facing)
                    found.push_back(c);
            } else if (!foresees || keeps_gap(c, c.normal, begin_, end_, meeting_gap * c.thickness,
                                              meeting_gap * c.thickness)) {
                continue;
            } else if (const auto impact = find_impact(c, begin_, end_)) {
                set_impact(c, *impact, begin_, end_);
                found.push_back(c);
            }
        }
    });
}

ContactReport ZonedContact::resolve(const ProposedStep& step, State& end, Profile& profile) {
    const ProfileScope scope(profile, Task::resolve);
    const int particles = surfaces_.particle_count();
    std::copy(end.positions.begin(), end.positions.end(), end_.begin());
    solved_ = end_;
    displaced_ = tangles_.any();
    if (displaced_)
        tangles_.draw_out(begin_, mobility_, step.h, end_);
    ContactReport report;
    report.crossings = static_cast<int>(tangles_.crossings());
    report.contacts = push(step, end);
    report.released_energy = released_energy();
    const ImpactZones::Report zones = zones_.resolve(begin_, solved_, mobility_, end_);
    report.impacts = zones.impacts;
    impacts_.clear();
    if (zones.impacts > 0) {
        zones_.append_impacts(impacts_);
        double largest = 0;
        for (int i = 0; i < particles; ++i)
            if (const double move = norm(end_[i] - solved_[i]); move > largest) {
                largest = move;
                report.particle = i;
            }
        report.repeat = learn(impacts_, largest, step.h);
        if (report.repeat)
            return report;
    }
    if (!zones.resolved) {
        if (!step.last_try) {
            report.resolved = false;
            report.reason =
                fmt::format("{} impacts were left after {} rounds", zones.impacts, zones.rounds);
            return report;
        }
        release(zones_.freeze(begin_, mobility_, end_), report);
        displaced_ = true;
    }
    parallel_for(particles, point_grain, [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            end.velocities[i] += (1 / step.h) * (end_[i] - solved_[i]);
            end.positions[i] = end_[i];
        }
    });
    finish(step, end);
    return report;
}

// Lets go of what cannot be kept apart, and says so.
void ZonedContact::release(const ImpactZones::Report& zones, ContactReport& report) {
    const auto let_go = [&](const FeaturePair& pair, bool edges) {
        const Contact c = make_contact(surfaces_, pair, edges);
        tangles_.release(c.points);
        const int a = edges ? surfaces_.triangle_of_edge(pair.first)
                            : surfaces_.triangle_of_point(pair.first);
        const int b = edges ? surfaces_.triangle_of_edge(pair.second) : pair.second;
        report.released.push_back(fmt::format("{}, triangle {} and {}, triangle {}",
                                              surfaces_.owner_of_triangle(a), a,
                                              surfaces_.owner_of_triangle(b), b));
    };
    for (const FeaturePair& pair : zones.unresolved_vertex_face)
        let_go(pair, false);
    for (const FeaturePair& pair : zones.unresolved_edge_edge)
        let_go(pair, true);
}

} // namespace muslin
