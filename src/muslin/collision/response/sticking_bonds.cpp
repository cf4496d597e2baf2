#include "muslin/collision/response/sticking_bonds.h"

#include "muslin/base/parallel.h"
#include "muslin/forces/sticking.h"
#include "muslin/kernels/distance.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <queue>
#include <tuple>

namespace muslin {
namespace {

constexpr std::size_t grain = 256;

auto order_of(const Bond& b) {
    return std::tuple(b.sticking, b.particle, b.triangle);
}
bool comes_first(const Bond& a, const Bond& b) {
    return order_of(a) < order_of(b);
}

/// Neighbours along the edges of the cloths with their lengths in the pattern [m].
std::vector<std::map<int, double>> pattern_edges(const Model& model) {
    std::vector<std::map<int, double>> out(model.mass.size());
    for (std::size_t t = 0; t < model.dynamics.triangles.size(); ++t)
        for (int i = 0; i < 3; ++i) {
            const int j = (i + 1) % 3;
            const int a = model.dynamics.triangles[t][i], b = model.dynamics.triangles[t][j];
            const double length = norm(model.dynamics.pattern[t][j] - model.dynamics.pattern[t][i]);
            out[a][b] = out[b][a] = length;
        }
    return out;
}

/// The particles no further than `distance` from one along edges, and its neighbours in any case.
std::vector<int> surroundings(const std::vector<std::map<int, double>>& edges, int from,
                              double distance) {
    using Entry = std::pair<double, int>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> next;
    std::map<int, double> reached = {{from, 0.0}};
    next.emplace(0.0, from);
    while (!next.empty()) {
        const auto [d, p] = next.top();
        next.pop();
        if (d > reached[p])
            continue;
        for (const auto& [q, length] : edges[p]) {
            const double far = d + length;
            if (far > distance && p != from)
                continue;
            const auto [it, is_new] = reached.try_emplace(q, far);
            if (!is_new && it->second <= far)
                continue;
            it->second = far;
            if (far <= distance)
                next.emplace(far, q);
        }
    }
    std::vector<int> out;
    for (const auto& entry : reached)
        out.push_back(entry.first);
    return out;
}

} // namespace

StickingBonds::StickingBonds(const Model& model)
    : model_(model), searches_(model.stickings.size()), bodies_(model.bodies.size()) {
    for (std::size_t k = 0; k < searches_.size(); ++k) {
        const Sticking& sticking = model.stickings[k];
        if (sticking.body >= 0) {
            const Body& body = model.bodies[sticking.body];
            bodies_[sticking.body].resize(body.mesh.positions.size());
            searches_[k].half_thickness.assign(sticking.triangles.size(), body.thickness);
            continue;
        }
        for (const auto& t : sticking.triangles) {
            const auto& thickness = model.collision.thickness;
            searches_[k].half_thickness.push_back(
                0.5 * std::max({thickness[t[0]], thickness[t[1]], thickness[t[2]]}));
        }
        find_own_triangles(sticking, searches_[k]);
    }
}

// Cloth does not stick to what it hangs together with: triangles that are near along the cloth are
// near in space whatever it does.
void StickingBonds::find_own_triangles(const Sticking& sticking, Search& search) const {
    const auto edges = pattern_edges(model_);
    std::vector<std::vector<int>> of_particle(model_.mass.size());
    for (std::size_t t = 0; t < sticking.triangles.size(); ++t)
        for (const int p : sticking.triangles[t])
            of_particle[p].push_back(static_cast<int>(t));
    const double reach = sticking.nearest ? 0 : 2 * sticking.tolerance;
    for (const int p : sticking.particles) {
        std::vector<int> own;
        for (const int q : surroundings(edges, p, reach))
            own.insert(own.end(), of_particle[q].begin(), of_particle[q].end());
        std::sort(own.begin(), own.end());
        own.erase(std::unique(own.begin(), own.end()), own.end());
        search.own.push_back(std::move(own));
    }
}

StickingBonds::Change StickingBonds::update(State& state) {
    place_bodies(state.time);
    Change change;
    change.broken = break_bonds(state);
    for (std::size_t k = 0; k < searches_.size(); ++k)
        if (model_.stickings[k].strength_at(state.time) > 0)
            change.formed += form_bonds(static_cast<int>(k), state);
    return change;
}

void StickingBonds::keep_fitting(std::vector<Bond>& bonds) const {
    std::erase_if(bonds, [&](const Bond& bond) {
        if (bond.sticking < 0 || bond.sticking >= static_cast<int>(model_.stickings.size()))
            return true;
        const Sticking& s = model_.stickings[bond.sticking];
        return bond.triangle < 0 || bond.triangle >= static_cast<int>(s.triangles.size()) ||
               !std::binary_search(s.particles.begin(), s.particles.end(), bond.particle);
    });
}

void StickingBonds::place_bodies(double time) {
    for (std::size_t b = 0; b < bodies_.size(); ++b)
        if (!bodies_[b].empty())
            body_positions(model_.bodies[b], time, bodies_[b]);
}

/// The places that the corners of a sticking's triangles are numbers of.
const Vec3* StickingBonds::corners_of(const Sticking& sticking, const State& state) const {
    return sticking.body < 0 ? state.positions.data() : bodies_[sticking.body].data();
}

int StickingBonds::break_bonds(State& state) {
    ends_.assign(state.bonds.size(), 0);
    parallel_for(state.bonds.size(), grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            Bond& bond = state.bonds[k];
            const Sticking& sticking = model_.stickings[bond.sticking];
            const auto& t = sticking.triangles[bond.triangle];
            const Vec3* place = corners_of(sticking, state);
            const Vec3 x[3] = {place[t[0]], place[t[1]], place[t[2]]};
            const Vec3& p = state.positions[bond.particle];
            const double length = norm(p - stick_target(x, bond.weights, bond.height).place);
            ends_[k] = !(sticking.strength_at(state.time) > 0) || length >= sticking.break_distance;
            // A bond that formed between pressed layers lets contact push them apart: its place
            // follows outward up to the thickness. That makes the bond shorter, never longer.
            const double thickness = 0.5 * model_.collision.thickness[bond.particle] +
                                     searches_[bond.sticking].half_thickness[bond.triangle];
            const double side = bond.height < 0 ? -1 : 1;
            const double height = side * stick_offset(x, p).height;
            if (std::abs(bond.height) < thickness && height > std::abs(bond.height))
                bond.height = side * std::min(height, thickness);
        }
    });
    std::size_t kept = 0;
    for (std::size_t k = 0; k < state.bonds.size(); ++k)
        if (!ends_[k])
            state.bonds[kept++] = state.bonds[k];
    const int broken = static_cast<int>(state.bonds.size() - kept);
    state.bonds.resize(kept);
    return broken;
}

int StickingBonds::form_bonds(int index, State& state) {
    choose_particles(index, state);
    if (searches_[index].particles.empty())
        return 0;
    if (model_.stickings[index].nearest)
        find_nearest(index, state);
    else
        find_near(index, state, model_.stickings[index].tolerance);
    keep_new(index, state);
    if (near_.empty())
        return 0;
    for (const Near& near : near_)
        state.bonds.push_back(make_bond(index, near, state));
    std::sort(state.bonds.begin(), state.bonds.end(), comes_first);
    share_out(state);
    return static_cast<int>(near_.size());
}

/// Those that may take a bond; of tape and tacks, those that have none yet.
void StickingBonds::choose_particles(int index, const State& state) {
    const Sticking& sticking = model_.stickings[index];
    std::vector<int>& out = searches_[index].particles;
    out.clear();
    for (const int p : sticking.particles) {
        const Bond first = {index, p, -1, {}, 0, 0};
        const auto it =
            std::lower_bound(state.bonds.begin(), state.bonds.end(), first, comes_first);
        const bool has_bond = it != state.bonds.end() && it->sticking == index && it->particle == p;
        if (!sticking.nearest || !has_bond)
            out.push_back(p);
    }
}

/// Sets near_ to the pairs within the distance, in the order of particle and triangle.
void StickingBonds::find_near(int index, const State& state, double distance) {
    const Sticking& sticking = model_.stickings[index];
    Search& s = searches_[index];
    const Vec3* corners = corners_of(sticking, state);
    s.point_boxes.resize(s.particles.size());
    parallel_for(s.particles.size(), grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            s.point_boxes[i] = Box::around(state.positions[s.particles[i]]);
            s.point_boxes[i].grow(distance);
        }
    });
    s.triangle_boxes.resize(sticking.triangles.size());
    parallel_for(sticking.triangles.size(), grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t t = begin; t < end; ++t) {
            const auto& [a, b, c] = sticking.triangles[t];
            s.triangle_boxes[t] = Box::around(corners[a], corners[b], corners[c]);
        }
    });
    s.points.follow(s.point_boxes);
    s.triangles.follow(s.triangle_boxes);
    if (s.chunks.size() < s.triangles.chunk_count())
        s.chunks.resize(s.triangles.chunk_count());
    for (auto& chunk : s.chunks)
        chunk.clear();
    s.triangles.visit_pairs(s.points, [&](std::size_t chunk, int triangle, int point) {
        const int p = s.particles[point];
        const auto& [a, b, c] = sticking.triangles[triangle];
        const double squared =
            vertex_face_distance(state.positions[p], corners[a], corners[b], corners[c]).squared;
        if (!(squared <= distance * distance))
            return;
        if (!s.own.empty()) {
            const auto at = std::lower_bound(sticking.particles.begin(), sticking.particles.end(),
                                             p); // `particles` may be fewer
            const auto& own = s.own[at - sticking.particles.begin()];
            if (std::binary_search(own.begin(), own.end(), triangle))
                return;
        }
        s.chunks[chunk].push_back({p, triangle, squared});
    });
    near_.clear();
    for (const auto& chunk : s.chunks)
        near_.insert(near_.end(), chunk.begin(), chunk.end());
    std::sort(near_.begin(), near_.end(), [](const Near& a, const Near& b) {
        return std::pair(a.particle, a.triangle) < std::pair(b.particle, b.triangle);
    });
}

/// Sets near_ to the nearest triangle of each particle, if within the tolerance: looks in boxes
/// that double, until the distance that was looked in is larger than that to the triangle found.
void StickingBonds::find_nearest(int index, const State& state) {
    const Sticking& sticking = model_.stickings[index];
    Search& s = searches_[index];
    Box all = Box::empty();
    const Vec3* corners = corners_of(sticking, state);
    for (const auto& t : sticking.triangles)
        for (const int v : t)
            all.add(corners[v]);
    for (const int p : s.particles)
        all.add(state.positions[p]);
    const double whole = std::hypot(all.side(0), all.side(1), all.side(2));
    const double most = std::min(sticking.tolerance, 1.001 * whole + 1e-9);
    found_.clear();
    for (double distance = std::min(most, whole / 64 + 1e-9);; distance *= 2) {
        distance = std::min(distance, most);
        find_near(index, state, distance);
        take_nearest(s.particles);
        if (s.particles.empty() || distance >= most)
            break;
    }
    near_ = found_;
}

/// Moves the nearest of each particle in near_ to found_, and takes these particles off the list.
void StickingBonds::take_nearest(std::vector<int>& particles) {
    const std::size_t before = found_.size();
    for (const Near& near : near_)
        if (found_.size() == before || found_.back().particle != near.particle)
            found_.push_back(near);
        else if (near.squared < found_.back().squared) // of equals the lowest number stays
            found_.back() = near;
    auto taken = found_.begin() + static_cast<std::ptrdiff_t>(before);
    std::erase_if(particles, [&](int p) {
        const bool is_taken = taken != found_.end() && taken->particle == p;
        if (is_taken)
            ++taken;
        return is_taken;
    });
}

/// Drops from near_ the pairs that are bonded already.
void StickingBonds::keep_new(int index, const State& state) {
    std::erase_if(near_, [&](const Near& near) {
        const Bond bond = {index, near.particle, near.triangle, {}, 0, 0};
        return std::binary_search(state.bonds.begin(), state.bonds.end(), bond, comes_first);
    });
}

Bond StickingBonds::make_bond(int index, const Near& near, const State& state) const {
    const Sticking& sticking = model_.stickings[index];
    const auto& t = sticking.triangles[near.triangle];
    const Vec3* place = corners_of(sticking, state);
    const Vec3 x[3] = {place[t[0]], place[t[1]], place[t[2]]};
    const StickOffset offset = stick_offset(x, state.positions[near.particle]);
    return {index, near.particle, near.triangle, offset.weights, offset.height, 1};
}

void StickingBonds::share_out(State& state) const {
    const auto is_other = [](const Bond& a, const Bond& b) {
        return a.sticking != b.sticking || a.particle != b.particle;
    };
    auto& bonds = state.bonds;
    for (std::size_t begin = 0, end = 0; begin < bonds.size(); begin = end) {
        while (end < bonds.size() && !is_other(bonds[begin], bonds[end]))
            ++end;
        const double share = 1.0 / static_cast<double>(end - begin);
        for (std::size_t k = begin; k < end; ++k)
            bonds[k].share = std::min(bonds[k].share, share);
    }
}

} // namespace muslin
