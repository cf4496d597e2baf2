#include "muslin/forces/sticking.h"

#include "muslin/base/parallel.h"

#include <algorithm>

namespace muslin {
namespace {

constexpr std::size_t grain = 256;
/// Half the time over which the speed of a body's vertex is taken [s].
constexpr double moment = 1e-5;

/// The way from the target to the particle, or the rate of it, of what the cloth's particles do:
/// G a with G = (I, -dt/dx_0, -dt/dx_1, -dt/dx_2).
Vec3 difference(const Bond& bond, const std::array<int, 3>* corners, const StickTarget& target,
                std::span<const Vec3> a) {
    Vec3 d = a[bond.particle];
    if (corners)
        for (int i = 0; i < 3; ++i)
            d -= target.by_corner[i] * a[(*corners)[i]];
    return d;
}

/// f += G^T force.
void share(const Bond& bond, const std::array<int, 3>* corners, const StickTarget& target,
           const Vec3& force, std::span<Vec3> f) {
    f[bond.particle] += force;
    if (corners)
        for (int i = 0; i < 3; ++i)
            f[(*corners)[i]] -= transpose(target.by_corner[i]) * force;
}

/// The corners of a bond's triangle where they are particles.
const std::array<int, 3>* cloth_corners(const Model& model, const Bond& bond) {
    const Sticking& sticking = model.stickings[bond.sticking];
    return sticking.body < 0 ? &sticking.triangles[bond.triangle] : nullptr;
}

} // namespace

StickingForce::StickingForce(const Model& model)
    : model_(model), strength_(model.stickings.size(), 0.0), place_(model.bodies.size()),
      rate_(model.bodies.size()) {
    for (const Sticking& sticking : model.stickings)
        if (sticking.body >= 0) {
            const std::size_t vertices = model.bodies[sticking.body].mesh.positions.size();
            place_[sticking.body].resize(vertices);
            rate_[sticking.body].resize(vertices);
        }
    prepare(0);
}

void StickingForce::set_bonds(std::span<const Bond> bonds) {
    bonds_.assign(bonds.begin(), bonds.end());
}

void StickingForce::prepare(double time) {
    if (prepared_ && time == time_)
        return;
    time_ = time;
    prepared_ = true;
    for (std::size_t s = 0; s < strength_.size(); ++s)
        strength_[s] = model_.stickings[s].strength_at(time);
    for (std::size_t b = 0; b < place_.size(); ++b) {
        if (place_[b].empty())
            continue;
        const Body& body = model_.bodies[b];
        before_.resize(place_[b].size());
        body_positions(body, time - moment, before_);
        body_positions(body, time + moment, rate_[b]);
        for (std::size_t i = 0; i < before_.size(); ++i)
            rate_[b][i] = (0.5 / moment) * (rate_[b][i] - before_[i]);
        body_positions(body, time, place_[b]);
    }
}

StickParameters StickingForce::parameters(const Bond& bond) const {
    const Sticking& s = model_.stickings[bond.sticking];
    const double factor = bond.share * strength_[bond.sticking];
    return {factor * s.stiffness, factor * (s.stiffness * s.interval + s.damping),
            s.break_distance};
}

void StickingForce::find_corners(const Bond& bond, std::span<const Vec3> positions,
                                 Vec3 (&x)[3]) const {
    const Sticking& sticking = model_.stickings[bond.sticking];
    const Vec3* place = sticking.body < 0 ? positions.data() : place_[sticking.body].data();
    for (int i = 0; i < 3; ++i)
        x[i] = place[sticking.triangles[bond.triangle][i]];
}

double StickingForce::energy(std::span<const Vec3> positions) const {
    return parallel_sum<double>(bonds_.size(), grain, [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t k = begin; k < end; ++k) {
            const Bond& bond = bonds_[k];
            Vec3 x[3];
            find_corners(bond, positions, x);
            const Vec3 c =
                positions[bond.particle] - stick_target(x, bond.weights, bond.height).place;
            const StickParameters p = parameters(bond);
            sum += p.stiffness * stick_fade(dot(c, c), p.break_distance).energy;
        }
        return sum;
    });
}

// Bodies are at the end of an implicit step already when particles are still at its begin: fading
// is taken for where the displacement has them, or every long step of a moving body would seem to
// tear its bonds.
void StickingForce::find_pulls(const Kinematics& at, std::span<const Vec3> displacement,
                               std::vector<Pull>& pulls) const {
    pulls.resize(bonds_.size());
    parallel_for(bonds_.size(), grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const Bond& bond = bonds_[k];
            const Sticking& sticking = model_.stickings[bond.sticking];
            Pull& pull = pulls[k];
            Vec3 x[3];
            find_corners(bond, at.positions, x);
            const Vec3& point = at.positions[bond.particle];
            pull.target = stick_target(x, bond.weights, bond.height);
            const StickOffset offset = stick_offset(x, point);
            pull.here = stick_target(x, offset.weights, offset.height);
            const std::array<int, 3>* corners = cloth_corners(model_, bond);
            const Vec3 c = point - pull.target.place;
            const Vec3 fades_at =
                corners || displacement.empty() ? c : c + displacement[bond.particle];
            pull.response = stick_response(c, fades_at, parameters(bond));
            Vec3 rate = difference(bond, corners, pull.here, at.velocities);
            if (!corners)
                for (int i = 0; i < 3; ++i)
                    rate -= pull.here.by_corner[i] *
                            rate_[sticking.body][sticking.triangles[bond.triangle][i]];
            pull.drag = -pull.response.damping * rate;
        }
    });
}

void StickingForce::add_force(const Kinematics& at, std::span<Vec3> f) const {
    find_pulls(at, {}, pulls_);
    for (std::size_t k = 0; k < bonds_.size(); ++k) {
        const std::array<int, 3>* corners = cloth_corners(model_, bonds_[k]);
        share(bonds_[k], corners, pulls_[k].target, pulls_[k].response.elastic, f);
        share(bonds_[k], corners, pulls_[k].here, pulls_[k].drag, f);
    }
}

void StickingForce::add_linearised(const Kinematics& at, const Linearisation& step,
                                   std::span<Vec3> f, BlockMatrix& a) const {
    find_pulls(at, step.displacement, pulls_);
    entries_.clear();
    for (std::size_t k = 0; k < bonds_.size(); ++k) {
        const Bond& bond = bonds_[k];
        const Pull& pull = pulls_[k];
        const std::array<int, 3>* corners = cloth_corners(model_, bond);
        const Vec3 moved = difference(bond, corners, pull.target, step.displacement);
        share(bond, corners, pull.target, pull.response.elastic - pull.response.stiffness * moved,
              f);
        share(bond, corners, pull.here, pull.drag, f);
        const double stiffness = step.h * step.h * pull.response.stiffness;
        const double damping = step.h * pull.response.damping;
        a.add_diagonal(bond.particle, Mat3::diagonal(stiffness + damping));
        if (corners) {
            add_entries(bond, *corners, pull.target, stiffness);
            add_entries(bond, *corners, pull.here, damping);
        }
    }
    a.add_overlay(entries_);
}

// factor G^T G, less its first diagonal block.
void StickingForce::add_entries(const Bond& bond, const std::array<int, 3>& corners,
                                const StickTarget& target, double factor) const {
    for (int i = 0; i < 3; ++i) {
        const Mat3 &mine = target.by_corner[i], row = -factor * transpose(mine);
        entries_.push_back({corners[i], bond.particle, row});
        entries_.push_back({bond.particle, corners[i], -factor * mine});
        for (int j = 0; j < 3; ++j)
            entries_.push_back({corners[i], corners[j], -1.0 * (row * target.by_corner[j])});
    }
}

void StickingForce::cache_damping(const Kinematics& at) {
    find_pulls(at, {}, cached_);
}

void StickingForce::add_damping(std::span<const Vec3> w, std::span<Vec3> f) const {
    for (std::size_t k = 0; k < bonds_.size(); ++k) {
        const std::array<int, 3>* corners = cloth_corners(model_, bonds_[k]);
        const Vec3 rate = difference(bonds_[k], corners, cached_[k].here, w);
        share(bonds_[k], corners, cached_[k].here, -cached_[k].response.damping * rate, f);
    }
}

// The eigenvalues of a sum of matrices are at most the sums of the largest. A bond alone has
// k (1/m + sum |dt/dx_i|^2 / m_i), and a corner of the cloth may have its three triangles full.
double StickingForce::added_eigenvalue() const {
    double sum = 0;
    for (const Sticking& sticking : model_.stickings) {
        const double strength = sticking.strength.largest();
        double lightest = std::numeric_limits<double>::infinity(), corner = lightest;
        for (const int p : sticking.particles)
            lightest = std::min(lightest, model_.mass[p]);
        if (sticking.body < 0)
            for (const auto& triangle : sticking.triangles)
                for (const int p : triangle)
                    corner = std::min(corner, model_.mass[p]);
        sum += strength * sticking.stiffness * (1 / lightest + 3 / corner);
    }
    return sum;
}

} // namespace muslin
