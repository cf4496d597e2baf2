#include "muslin/collision/response/impact_zones.h"

#include "muslin/base/find_root.h"
#include "muslin/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace muslin {
namespace {

constexpr std::size_t pair_grain = 512;
// Room for the impacts of a range of pairs: at rest one or two are met now and then.
constexpr std::size_t usual_impacts = 8;
constexpr std::size_t point_grain = 2048;

// A gap below this part of the clearance at the end of a step is treated as an impact.
constexpr double near_part = 0.5;
// The part of an impulse's effect that constraints of particles must leave.
constexpr double least_response = 1e-3;
// So many impacts for each particle, all rounds together, are hopeless after eight rounds, and
// eight times as many at once: a whole cloth has collapsed into itself, and more rounds find more.
constexpr int hopeless_rounds = 8;
constexpr long hopeless_impacts = 8;
// What a sweep may leave open, as a part of the target gap.
constexpr double sweep_tolerance = 0.05;

// Whether a pair surely stays further apart than `near` [m], as nearly all do.
bool stays_off(const Contact& contact, std::span<const Vec3> begin, std::span<const Vec3> end,
               double near) {
    if (keeps_gap(contact, between_middles(contact, begin, end), begin, end, near, near))
        return true;
    Contact c = contact;
    double distance;
    set_closest(c, begin, distance);
    return distance > near && keeps_gap(c, c.normal, begin, end, near, near);
}

} // namespace

ImpactZones::ImpactZones(const Surfaces& surfaces, Detector& detector, Candidates& candidates,
                         ImpactZoneSettings settings)
    : surfaces_(surfaces), detector_(detector), settings_(settings), candidates_(candidates) {
    // Impacts come and go: steady steps allocate nothing for them.
    zone_.reserve(surfaces.particle_count() + 1);
    zones_.reserve(surfaces.particle_count());
}

bool ImpactZones::is_hopeless(const Report& report) const {
    const long rounds = std::clamp(report.rounds, 1, hopeless_rounds);
    return report.impacts > hopeless_impacts * hopeless_rounds / rounds *
                                static_cast<long>(surfaces_.particle_count());
}

// Tests the pairs that may have changed; true if some meet. They join the constraints, unless they
// are hopelessly many.
bool ImpactZones::find_constraints(std::span<const Vec3> begin, std::span<const Vec3> end,
                                   const Mobility& mobility, Report& report) {
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
        found.reserve(usual_impacts);
        for (std::size_t k = from; k < to; ++k) {
            Contact c = make_contact(surfaces_, candidates_, k);
            bool moved = all_moved_, movable = false;
            for (int p : c.points) {
                moved = moved || moved_[p];
                movable = movable || mobility.moves(p);
            }
            if (!moved || !movable || all_marked(c, ignored_))
                continue;
            const double near = near_part * settings_.clearance * c.thickness;
            if (stays_off(c, begin, end, near))
                continue;
            if (const auto impact = find_impact(c, begin, end)) {
                set_impact(c, *impact, begin, end);
                found.push_back(c);
                continue;
            }
            double distance, before;
            set_closest(c, end, distance);
            if (distance >= near || distance == 0)
                continue;
            Contact at_begin = c;
            set_closest(at_begin, begin, before);
            if (before > distance)
                found.push_back(c);
        }
    });
    bool any = false;
    for (const auto& found : found_) {
        report.impacts += static_cast<int>(found.size());
        any = any || !found.empty();
    }
    if (is_hopeless(report)) // and memory may not hold them all
        return any;
    for (const auto& found : found_)
        for (const Contact& c : found) {
            Constraint constraint;
            constraint.contact = c;
            const double clear = settings_.clearance * c.thickness;
            constraint.target = std::clamp(c.gap(begin), near_part * clear, clear);
            constraint.response = 0;
            constraint.sliding = 0;
            for (int k = 0; k < 4; ++k) {
                const double w2 = c.weights[k] * c.weights[k];
                constraint.response += w2 * mobility.along(c.points[k], c.normal);
                constraint.sliding += w2 * mobility.inverse_mass(c.points[k]);
            }
            // Particles that cannot give way along the normal would be sent far for little.
            if (constraint.response > least_response * constraint.sliding)
                constraints_.push_back(constraint);
        }
    return any;
}

void ImpactZones::sweep_constraints(std::span<const Vec3> begin, const Mobility& mobility,
                                    std::span<Vec3> end) {
    const auto push = [&](const Contact& c, const Vec3& impulse) {
        for (int k = 0; k < 4; ++k)
            if (c.weights[k] != 0 && mobility.moves(c.points[k]))
                end[c.points[k]] += mobility.response(c.points[k], c.weights[k] * impulse);
    };
    for (int sweep = 0; sweep < settings_.sweeps; ++sweep) {
        bool settled = true;
        for (Constraint& c : constraints_) {
            const Contact& at = c.contact;
            const double missing = c.target - at.gap(end);
            const double impulse = std::max(0.0, c.impulse + missing / c.response);
            if (impulse != c.impulse) {
                settled = settled && missing < sweep_tolerance * c.target;
                push(at, (impulse - c.impulse) * at.normal);
                c.impulse = impulse;
                c.pushed = true;
            }
            const Vec3 slid = tangential(at.difference(end) - at.difference(begin), at.normal);
            Vec3 slip = c.slip - (1 / c.sliding) * slid;
            const double most = at.friction * c.impulse, wanted = norm(slip);
            if (wanted > most)
                slip = (most / wanted) * slip;
            push(at, slip - c.slip);
            c.slip = slip;
        }
        if (settled && sweep > 0)
            break;
    }
}

// Gives each zone the angular momentum back that its constraints took, as a rigid turn.
void ImpactZones::keep_angular_momentum(std::span<const Vec3> begin, std::span<const Vec3> solved,
                                        const Mobility& mobility, std::span<Vec3> end) {
    const int particles = surfaces_.particle_count();
    zone_.resize(particles + 1);
    std::iota(zone_.begin(), zone_.end(), 0);
    const int held = particles; // what touches a body or a pin exchanges momentum with the world
    const auto join = [&](const Contact& c) {
        int root = -1;
        for (int k = 0; k < 4; ++k) {
            if (c.weights[k] == 0)
                continue;
            const int own = mobility.moves_freely(c.points[k]) ? c.points[k] : held;
            const int other = find_root(zone_, own);
            if (root >= 0 && other != root)
                zone_[std::min(other, root)] = std::max(other, root);
            root = find_root(zone_, own);
        }
    };
    for (const Constraint& c : constraints_)
        if (c.pushed)
            join(c.contact);

    zones_.assign(particles, {});
    const auto zone_of = [&](int i) {
        const int root = find_root(zone_, i);
        return root == held ? -1 : root;
    };
    for (int i = 0; i < particles; ++i)
        if (const int z = zone_of(i); z >= 0) {
            zones_[z].mass += surfaces_.mass[i];
            zones_[z].first += surfaces_.mass[i] * begin[i];
            ++zones_[z].count;
        }
    for (int i = 0; i < particles; ++i)
        if (const int z = zone_of(i); z >= 0 && zones_[z].count > 1) {
            const double m = surfaces_.mass[i];
            const Vec3 r = begin[i] - (1 / zones_[z].mass) * zones_[z].first;
            zones_[z].lost += m * cross(r, end[i] - solved[i]);
            zones_[z].inertia += m * (Mat3::diagonal(dot(r, r)) - outer(r, r));
        }
    for (Zone& s : zones_) {
        if (s.count < 3 || dot(s.lost, s.lost) == 0)
            continue;
        const double size = s.inertia.m[0][0] + s.inertia.m[1][1] + s.inertia.m[2][2];
        if (determinant(s.inertia) > 1e-9 * size * size * size)
            s.turn = inverse(s.inertia) * s.lost;
    }
    for (int i = 0; i < particles; ++i)
        if (const int z = zone_of(i); z >= 0 && zones_[z].count > 2)
            end[i] -= cross(zones_[z].turn, begin[i] - (1 / zones_[z].mass) * zones_[z].first);
}

// Marks the points that moved since the pairs were tested.
void ImpactZones::note_moves(std::span<const Vec3> end) {
    moved_.resize(end.size());
    parallel_for(end.size(), point_grain, [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            const Vec3 &a = end[i], &b = last_end_[i];
            moved_[i] = a.x != b.x || a.y != b.y || a.z != b.z;
        }
    });
    all_moved_ = false;
}

ImpactZones::Report ImpactZones::resolve(std::span<const Vec3> begin, std::span<const Vec3> solved,
                                         const Mobility& mobility, std::span<Vec3> end) {
    Report report;
    constraints_.clear();
    detector_.move_ends(end, candidates_);
    all_moved_ = true;
    while (find_constraints(begin, end, mobility, report)) {
        if (++report.rounds > settings_.rounds || is_hopeless(report)) {
            report.resolved = false;
            return report;
        }
        last_end_.assign(end.begin(), end.end());
        sweep_constraints(begin, mobility, end);
        keep_angular_momentum(begin, solved, mobility, end);
        note_moves(end);
        detector_.move_ends(end, candidates_);
    }
    return report;
}

ImpactZones::Report ImpactZones::freeze(std::span<const Vec3> begin, const Mobility& mobility,
                                        std::span<Vec3> end) {
    Report report;
    std::vector<std::uint8_t> frozen(end.size(), 0);
    for (;;) {
        constraints_.clear();
        report.unresolved_vertex_face.clear();
        report.unresolved_edge_edge.clear();
        detector_.move_ends(end, candidates_);
        all_moved_ = true;
        if (!find_constraints(begin, end, mobility, report))
            return report;
        ++report.rounds;
        bool changed = false;
        for (const auto& found : found_)
            for (const Contact& c : found) {
                bool fresh = false;
                for (int p : c.points)
                    if (mobility.moves(p) && !frozen[p]) {
                        frozen[p] = 1;
                        end[p] = begin[p];
                        fresh = true;
                    }
                changed = changed || fresh;
                if (!fresh)
                    (c.edges ? report.unresolved_edge_edge : report.unresolved_vertex_face)
                        .push_back({c.first, c.second});
            }
        if (!changed) {
            report.resolved = false;
            return report;
        }
    }
}

} // namespace muslin
