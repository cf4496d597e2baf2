#include "muslin/collision/response/bw98_cloth.h"

#include "muslin/base/parallel.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

constexpr std::size_t pair_grain = 512;

// Pairs up to this many thicknesses apart are near while they touch or approach: places of contact
// pass from feature to feature as layers slide.
constexpr double reach = 1.25;

// The direction that decides sides: the normal of the face, or across the two edges. Zero where
// the face has no area or the edges are parallel.
Vec3 side_normal(const Contact& c, std::span<const Vec3> x) {
    const auto& p = c.points;
    const Vec3 u = c.edges ? x[p[1]] - x[p[0]] : x[p[2]] - x[p[1]];
    const Vec3 v = c.edges ? x[p[3]] - x[p[2]] : x[p[3]] - x[p[1]];
    const Vec3 n = cross(u, v);
    const double length = norm(n);
    return length > 1e-3 * norm(u) * norm(v) ? (1 / length) * n : Vec3{0, 0, 0};
}

bool by_key(const CrossedPair& a, const CrossedPair& b) {
    return a.key < b.key;
}

bool holds(std::span<const CrossedPair> crossed, std::uint64_t key) {
    return std::binary_search(crossed.begin(), crossed.end(), CrossedPair{key, {}, {}, {}}, by_key);
}

} // namespace

ClothContact::ClothContact(const Surfaces& surfaces, Detector& detector,
                           ClothContactSettings settings)
    : surfaces_(surfaces), detector_(detector), settings_(settings) {
    for (int i = 0; i < surfaces.particle_count(); ++i)
        margin_ = std::max(margin_, (reach - 1) * surfaces.half_thickness[i]);
}

void ClothContact::sense(std::span<const Vec3> begin, std::span<const Vec3> end, double h,
                         const Mobility& mobility, const ClothMemory& memory) {
    detector_.set_motion(begin, end, margin_);
    detector_.find_self(candidates_);
    springs_.clear();
    keys_.clear();
    still_crossed_.clear();
    for (const CrossedPair& one : memory.crossed) {
        Contact contact = make_contact(surfaces_, one.pair, one.edges);
        if (!set_crossed(contact, begin, one.side))
            continue;
        still_crossed_.push_back(one);
        springs_.push_back(make_spring(contact, begin));
        keys_.push_back(one.key);
    }
    alter(begin, h, mobility);
    find(begin, end, memory.pushing);
}

/// Appends the springs of pairs that are near or will meet.
void ClothContact::find(std::span<const Vec3> begin, std::span<const Vec3> end,
                        std::span<const std::uint64_t> pushing) {
    const std::size_t pairs = candidates_.size();
    found_.resize((pairs + pair_grain - 1) / pair_grain);
    parallel_for(pairs, pair_grain, [&](std::size_t from, std::size_t to) {
        auto& found = found_[from / pair_grain];
        found.clear();
        for (std::size_t k = from; k < to; ++k) {
            Contact contact = make_contact(surfaces_, candidates_, k);
            const std::uint64_t key = contact.key();
            const bool pushed = std::binary_search(pushing.begin(), pushing.end(), key);
            if (set_near(contact, begin, end, pushed) && !holds(still_crossed_, key))
                found.push_back({key, make_spring(contact, begin)});
        }
    });
    for (const auto& found : found_)
        for (const Found& one : found) {
            springs_.push_back(one.spring);
            keys_.push_back(one.key);
        }
}

/// Turns the contact of a crossed pair to the side where it belongs. False where it is back there,
/// or away beside the face or the edge.
bool ClothContact::set_crossed(Contact& c, std::span<const Vec3> begin, double side) const {
    double distance;
    set_closest(c, begin, distance);
    c.normal = side * side_normal(c, begin);
    const Vec3 apart = c.difference(begin);
    const double gap = dot(c.normal, apart);
    return gap < 0 && norm(apart - gap * c.normal) <= c.thickness - gap;
}

bool ClothContact::set_near(Contact& c, std::span<const Vec3> begin, std::span<const Vec3> end,
                            bool pushing) const {
    double distance;
    const bool facing = set_closest(c, begin, distance);
    // What moves apart by itself needs no push; a spring would pull it back.
    if (distance < reach * c.thickness && facing)
        return pushing || c.gap(end) < c.thickness;
    if (distance < c.thickness)
        return false; // another pair of features is the one that faces
    const auto impact = find_impact(c, begin, end);
    if (!impact)
        return false;
    set_impact(c, *impact, begin, end);
    return c.gap(end) < c.thickness;
}

ContactSpring ClothContact::make_spring(const Contact& c, std::span<const Vec3> begin) const {
    double inverse_area = 0;
    for (int k = 0; k < 4; ++k)
        inverse_area += c.weights[k] * c.weights[k] / surfaces_.area[c.points[k]];
    ContactSpring spring;
    spring.points = c.points;
    spring.weights = c.weights;
    spring.normal = c.normal;
    spring.thickness = c.thickness;
    spring.stiffness = settings_.stiffness / inverse_area;
    spring.damping = settings_.damping_time * spring.stiffness;
    const double pressed = std::clamp(c.thickness - c.gap(begin), 0.0, c.thickness);
    spring.drag = c.friction * spring.stiffness * pressed / settings_.slip_speed;
    return spring;
}

/// Moves the crossed places, the only ones with springs yet, apart in proportion to how easily each
/// particle moves; a particle in many such pairs moves by the mean of what they ask for.
void ClothContact::alter(std::span<const Vec3> begin, double h, const Mobility& mobility) {
    alteration_.assign(surfaces_.particle_count(), {0, 0, 0});
    crowding_.assign(surfaces_.particle_count(), 0);
    for (const ContactSpring& s : springs_) {
        double gap = 0, response = 0;
        for (int i = 0; i < 4; ++i) {
            gap += s.weights[i] * dot(s.normal, begin[s.points[i]]);
            response += s.weights[i] * s.weights[i] * mobility.along(s.points[i], s.normal);
        }
        if (response <= 0)
            continue;
        const double jump = std::min(s.thickness - gap, settings_.recovery * h);
        for (int i = 0; i < 4; ++i) {
            Vec3 share =
                mobility.response(s.points[i], (s.weights[i] * jump / response) * s.normal);
            // Where only a particle far from the place can move, it would go far to move it.
            if (const double length = norm(share); length > jump)
                share *= jump / length;
            alteration_[s.points[i]] += share;
            ++crowding_[s.points[i]];
        }
    }
    for (std::size_t i = 0; i < alteration_.size(); ++i)
        if (crowding_[i] > 1)
            alteration_[i] *= 1.0 / crowding_[i];
}

int ClothContact::follow(std::span<const Vec3> begin, std::span<const Vec3> end,
                         ClothMemory& memory) {
    memory.pushing.clear();
    for (std::size_t k = 0; k < springs_.size(); ++k) {
        const ContactSpring& s = springs_[k];
        double gap = 0;
        for (int i = 0; i < 4; ++i)
            gap += s.weights[i] * dot(s.normal, end[s.points[i]]);
        if (gap < s.thickness)
            memory.pushing.push_back(keys_[k]);
    }
    std::sort(memory.pushing.begin(), memory.pushing.end());

    detector_.set_motion(begin, end, margin_);
    detector_.find_self(candidates_);
    const std::size_t pairs = candidates_.size();
    crossing_.resize((pairs + pair_grain - 1) / pair_grain);
    parallel_for(pairs, pair_grain, [&](std::size_t from, std::size_t to) {
        auto& crossing = crossing_[from / pair_grain];
        crossing.clear();
        for (std::size_t k = from; k < to; ++k) {
            Contact c = make_contact(surfaces_, candidates_, k);
            if (holds(still_crossed_, c.key()))
                continue;
            const auto impact = find_impact(c, begin, end);
            if (!impact)
                continue;
            set_impact(c, *impact, begin, end);
            const double before = dot(side_normal(c, begin), c.difference(begin));
            const double after = dot(side_normal(c, end), c.difference(end));
            if (before * after < 0)
                crossing.push_back(
                    {c.key(), {c.first, c.second}, c.edges, before > 0 ? 1.0 : -1.0});
        }
    });
    memory.crossed = still_crossed_;
    for (const auto& crossing : crossing_)
        memory.crossed.insert(memory.crossed.end(), crossing.begin(), crossing.end());
    std::sort(memory.crossed.begin(), memory.crossed.end(), by_key);
    return static_cast<int>(memory.crossed.size() - still_crossed_.size());
}

} // namespace muslin
