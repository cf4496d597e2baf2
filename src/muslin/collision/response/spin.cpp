#include "muslin/collision/response/spin.h"

#include <algorithm>
#include <numeric>

namespace muslin {
namespace {

// A group whose moments of inertia multiply to a smaller part of their cubed sum is a straight
// line, about which nothing can be said.
constexpr double thinnest = 1e-9;

} // namespace

Spin::Spin(const Model& model) : model_(model) {
    parent_.resize(model.mass.size());
    std::iota(parent_.begin(), parent_.end(), 0);
    for (const auto& t : model.dynamics.triangles)
        for (int k = 1; k < 3; ++k)
            join_pieces(t[0], t[k]);
    for (const Link& link : model.dynamics.links)
        join_pieces(link.particles[0], link.particles[1]);
    for (const Seam& seam : model.seams)
        for (const std::vector<int>& joint : seam.joints)
            for (const int particle : joint)
                join_pieces(joint.front(), particle);
    // Numbered in the order of their first particles, which are the roots.
    piece_.resize(parent_.size());
    int count = 0;
    for (int i = 0; i < static_cast<int>(parent_.size()); ++i) {
        const int first = root(i);
        piece_[i] = first == i ? count++ : piece_[first];
    }
    parent_.resize(count);
    held_.resize(count);
    groups_.resize(count);
    start({}, {});
}

void Spin::start(const std::vector<Pull>& pulls, const State& end) {
    std::iota(parent_.begin(), parent_.end(), 0);
    std::fill(held_.begin(), held_.end(), std::uint8_t{0});
    for (const Pull& pull : pulls)
        if (pull.window.contains(end.time))
            for (const int particle : pull.particles)
                hold(particle);
    for (const Bond& bond : end.bonds) {
        const Sticking& sticking = model_.stickings[bond.sticking];
        hold(bond.particle);
        if (sticking.body < 0)
            hold(sticking.triangles[bond.triangle][0]);
    }
}

void Spin::touch(const Contact& contact) {
    int first = -1;
    bool with_body = false;
    for (const int point : contact.points) {
        if (point >= static_cast<int>(piece_.size())) { // particles come before points of bodies
            with_body = true;
            continue;
        }
        first = first < 0 ? point : first;
        join(first, point);
    }
    if (with_body && first >= 0)
        hold(first);
}

int Spin::root(int piece) const {
    while (parent_[piece] != piece)
        piece = parent_[piece];
    return piece;
}

void Spin::join_pieces(int a, int b) {
    a = root(a);
    b = root(b);
    parent_[std::max(a, b)] = std::min(a, b); // so that roots come first
}

// Gives each piece the root of its group, and roots what holds one of theirs; false where all are
// held.
bool Spin::spread_holds() {
    for (std::size_t p = 0; p < parent_.size(); ++p) {
        parent_[p] = parent_[parent_[p]];
        if (held_[p])
            held_[parent_[p]] = 1;
    }
    return std::any_of(parent_.begin(), parent_.end(), [&](int first) { return !held_[first]; });
}

void Spin::find_groups(const State& begin, double h, const State& end) {
    std::fill(groups_.begin(), groups_.end(), Group{});
    const std::vector<double>& mass = model_.mass;
    const State* const states[2] = {&begin, &end};
    const auto group = [&](std::size_t i) -> Group& { return groups_[parent_[piece_[i]]]; };
    for (std::size_t i = 0; i < mass.size(); ++i) {
        Group& g = group(i);
        g.mass += mass[i];
        for (int k = 0; k < 2; ++k) {
            g.centre[k] += mass[i] * states[k]->positions[i];
            g.velocity[k] += mass[i] * states[k]->velocities[i];
        }
    }
    for (Group& g : groups_)
        for (int k = 0; k < 2 && g.mass > 0; ++k) {
            g.centre[k] *= 1 / g.mass;
            g.velocity[k] *= 1 / g.mass;
        }
    for (std::size_t i = 0; i < mass.size(); ++i) {
        Group& g = group(i);
        const Vec3 r0 = begin.positions[i] - g.centre[0], r1 = end.positions[i] - g.centre[1];
        g.inertia += mass[i] * (dot(r1, r1) * Mat3::identity() - outer(r1, r1));
        g.missing += mass[i] * cross(r0, begin.velocities[i] - g.velocity[0]) +
                     h * cross(r1, outer_[i]) -
                     mass[i] * cross(r1, end.velocities[i] - g.velocity[1]);
    }
    for (Group& g : groups_) {
        const double size = g.inertia(0, 0) + g.inertia(1, 1) + g.inertia(2, 2);
        if (determinant(g.inertia) > thinnest * size * size * size)
            g.rate = inverse(g.inertia) * g.missing;
    }
}

void Spin::restore(const State& begin, double h, std::span<const std::unique_ptr<Force>> forces,
                   State& end) {
    if (!spread_holds())
        return;
    outer_.assign(model_.mass.size(), {0, 0, 0});
    for (const auto& force : forces)
        if (comes_from_outside(force->kind()))
            force->add_force({end.positions, end.velocities}, outer_);
    find_groups(begin, h, end);
    for (std::size_t i = 0; i < model_.mass.size(); ++i) {
        const int first = parent_[piece_[i]];
        if (!held_[first])
            end.velocities[i] +=
                cross(groups_[first].rate, end.positions[i] - groups_[first].centre[1]);
    }
}

} // namespace muslin
