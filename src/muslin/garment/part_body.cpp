#include "muslin/garment/part_body.h"

#include "muslin/base/parallel.h"
#include "muslin/garment/touching_ball.h"
#include "muslin/levelset/closest_point.h"
#include "muslin/mesh/box_tree.h"
#include "muslin/mesh/normals.h"
#include "muslin/mesh/penetration.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace muslin {
namespace {

constexpr std::size_t grain = 256;     // vertices per parallel range
constexpr double lift = 3e-4;          // a vertex is buried if so much above it is inside [m]
constexpr double reach = 0.06;         // the deepest overlap that is parted [m]
constexpr double longest_step = 0.08;  // [m]
constexpr double core = 0.025;         // of a thick part, that stays [m]
constexpr double thick = 0.015;        // what may step back so far is no finger [m]
constexpr double pit_depth = 0.025;    // what steps back further for a finger has a pit [m]
constexpr double pit_room = 0.015;     // by which the core may be less there [m]
constexpr double least_wall = 0.3;     // of a step that counts where the wall of a pit is steep
constexpr double across_reach = 0.2;   // of a hand [m]
constexpr double across_facing = -0.5; // beside each other on a limb is not across it
constexpr double least_facing = 0.1;
constexpr double least = 1e-5; // a step below this is none [m]
constexpr int rounds = 3;      // until steps that were held up elsewhere suffice
constexpr int pit_rounds = 5;
constexpr double later_gap = 0.8;   // of the gap, enough in later rounds
constexpr int normal_smoothing = 3; // skin that is crumpled in a fold has no use for its own
constexpr int smoothing = 4;        // so many rings of vertices the steps fade over
constexpr int frames_smoothing = 4; // and so many frames

/// How far surfaces count as opposite, from the cosine between one normal and the other's reverse:
/// gradual, since a step that comes at once would kick the cloth.
double opposition(double cosine) {
    return std::clamp((cosine - least_facing) / 0.3, 0.0, 1.0);
}

/// What is wanted beside the gap [m]: a finger that is deep in a thigh makes a narrow pit, and the
/// triangles of cloth that come along do not bend.
double room(double distance) {
    return 0.25 * std::max(0.0, -distance - 0.01);
}

} // namespace

/// Looks at the surface as it has stepped back so far.
class BodyParter::Round {
public:
    struct Need {
        double missing = 0;  ///< of the gap between a vertex and what is opposite [m]
        double distance = 0; ///< of these; below zero: how deep the vertex is in it [m]
        double facing = 0;   ///< cosine between one normal and the other's reverse
        std::array<int, 3> opposite = {-1, -1, -1}; ///< the corners of this
        Vec3 normal = {0, 0, 0};                    ///< and where it faces
    };

    /// `facing` are the triangles that may be opposite to something.
    Round(const BodyParter& parter, std::span<const Vec3> positions, std::span<const Vec3> normals,
          std::span<const std::array<int, 3>> facing)
        : parter_(parter), surface_{positions, facing}, normals_(normals), tree_(surface_) {}

    /// What each of `vertices` misses, and to which triangle.
    void find_needs(std::span<const int> vertices, double gap, std::vector<Need>& needs) {
        needs.assign(vertices.size(), {});
        find_buried(vertices);
        parallel_for(vertices.size(), grain, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                needs[i] = find_opposite(vertices[i], gap);
        });
        bound_depths(vertices, needs);
        for (Need& need : needs)
            need.missing =
                opposition(need.facing) * std::max(0.0, gap - need.distance + room(need.distance));
    }

    /// How far each of `vertices` may step back, after find_needs.
    void find_limits(std::span<const int> vertices, std::vector<double>& limits) const {
        limits.assign(surface_.positions.size(), 0.0);
        parallel_for(vertices.size(), grain, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                limits[vertices[i]] = limit(vertices[i]);
        });
    }

    const std::vector<std::uint8_t>& buried() const { return buried_; }

private:
    void find_buried(std::span<const int> vertices) {
        buried_.assign(surface_.positions.size(), 0);
        if (!parter_.closed_)
            return;
        std::vector<Vec3> above(vertices.size());
        for (std::size_t i = 0; i < vertices.size(); ++i)
            above[i] = surface_.positions[vertices[i]] + lift * normals_[vertices[i]];
        for (const int i : find_inside(above, {surface_.positions, parter_.triangles_}))
            buried_[vertices[i]] = 1;
    }

    double limit(int p) const {
        double diameter = 4 * longest_step;
        const Vec3 at = surface_.positions[p];
        double bound = 0.25 * diameter * diameter;
        tree_.approach(at - 0.5 * diameter * normals_[p], bound, [&](int t, double&) {
            for (const int q : surface_.triangles[t])
                if (!buried_[parter_.first_[q]]) // what is swallowed bounds no limb
                    shrink_ball(at - surface_.positions[q], normals_[p], diameter);
        });
        return std::min(longest_step, std::max(diameter / 4, diameter / 2 - core));
    }

    Need find_opposite(int p, double gap) const {
        const Vec3 at = surface_.positions[p], n = normals_[p];
        const bool buried = buried_[p] != 0;
        const Vec3 tested = buried ? at + lift * n : at;
        double bound = buried ? reach * reach : gap * gap;
        Need out;
        tree_.approach(at, bound, [&](int t, double& limit) {
            const auto& c = surface_.triangles[t];
            if (parter_.first_[c[0]] == p || parter_.first_[c[1]] == p || parter_.first_[c[2]] == p)
                return;
            const Vec3 a = surface_.positions[c[0]];
            const Vec3 m = cross(surface_.positions[c[1]] - a, surface_.positions[c[2]] - a);
            const Vec3 unit = (1 / std::max(norm(m), 1e-30)) * m;
            const double cosine = -dot(unit, n);
            // Of a part that p is in, p is behind the surface; of one before it, in front.
            if (cosine <= least_facing || (dot(tested - a, m) < 0) != buried)
                return;
            const ClosestPoint found = closest_point(at, surface_, t);
            if (found.squared_distance >= limit)
                return;
            const double distance = std::sqrt(found.squared_distance);
            if (!buried && dot(found.point - at, n) <= 0.5 * distance)
                return; // beside p
            if (buried && (parter_.is_across(p, c) || distance > parter_.thickness(c[0])))
                return; // of what p itself is on, or too thin for p to be in
            limit = found.squared_distance;
            out = {0, buried && dot(at - a, m) < 0 ? -distance : distance, cosine, c, unit};
        });
        return out;
    }

    /// What is buried comes out somewhere: it is no deeper than its neighbour and the way there. In
    /// the bottom of a fold this tells the other side of the fold from that of the limb.
    void bound_depths(std::span<const int> vertices, std::vector<Need>& needs) const {
        std::vector<double> depth(surface_.positions.size(), 0.0);
        for (std::size_t i = 0; i < vertices.size(); ++i)
            if (buried_[vertices[i]])
                depth[vertices[i]] = needs[i].facing > 0 && parter_.is_thick(vertices[i])
                                         ? std::max(0.0, -needs[i].distance)
                                         : reach;
        for (bool changed = true; changed;) {
            changed = false;
            for (const int v : vertices) {
                if (!buried_[v])
                    continue;
                for (int i = parter_.begin_[v]; i < parter_.begin_[v + 1]; ++i) {
                    const int q = parter_.neighbour_[i];
                    const double most =
                        depth[q] + norm(surface_.positions[v] - surface_.positions[q]);
                    changed = changed || most < depth[v];
                    depth[v] = std::min(depth[v], most);
                }
            }
        }
        for (std::size_t i = 0; i < vertices.size(); ++i)
            if (needs[i].distance < 0)
                needs[i].distance = std::max(needs[i].distance, -depth[vertices[i]]);
    }

    const BodyParter& parter_;
    TriangleView surface_;
    std::span<const Vec3> normals_;
    judging::BoxTree tree_;
    std::vector<std::uint8_t> buried_;
};

BodyParter::BodyParter(std::span<const Vec3> positions,
                       std::span<const std::array<int, 3>> triangles, double gap)
    : triangles_(triangles), gap_(gap), closed_(is_closed({positions, triangles})),
      rest_(positions.begin(), positions.end()) {
    const std::vector<int> place = weld_places(positions);
    std::vector<int> first(place.size(), -1);
    first_.resize(place.size());
    for (std::size_t v = 0; v < place.size(); ++v) {
        int& one = first[place[v]];
        one = one < 0 ? static_cast<int>(v) : one;
        first_[v] = one;
    }
    std::vector<std::array<int, 2>> edges;
    for (const auto& t : triangles)
        for (int k = 0; k < 3; ++k) {
            const int a = first_[t[k]], b = first_[t[(k + 1) % 3]];
            edges.push_back({a, b});
            edges.push_back({b, a});
        }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    begin_.assign(place.size() + 1, 0);
    for (const auto& [a, b] : edges) {
        ++begin_[a + 1];
        neighbour_.push_back(b);
    }
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    std::vector<Round::Need> needs;
    find_normals(positions, rest_normals_);
    Round look(*this, positions, rest_normals_, triangles);
    for (std::size_t v = 0; v < place.size(); ++v)
        if (first_[v] == static_cast<int>(v))
            places_.push_back(static_cast<int>(v));
    look.find_needs(places_, gap, needs);
    look.find_limits(places_, most_);
    level_limits();
    rest_buried_ = look.buried();
}

/// A crease of the skin makes no limb thinner.
void BodyParter::level_limits() {
    std::vector<double> next;
    for (int pass = 0; pass < smoothing; ++pass) {
        next = most_;
        for (const int v : places_) {
            if (!is_thick(v))
                continue;
            double sum = 0;
            for (int i = begin_[v]; i < begin_[v + 1]; ++i)
                sum += most_[neighbour_[i]];
            next[v] = std::max(most_[v], sum / std::max(1, begin_[v + 1] - begin_[v]));
        }
        most_.swap(next);
    }
}

bool BodyParter::is_thick(int v) const {
    return most_.empty() || most_[v] >= thick;
}

double BodyParter::thickness(int v) const {
    return is_thick(first_[v]) ? reach : 5 * most_[first_[v]];
}

bool BodyParter::is_across(int p, const std::array<int, 3>& triangle) const {
    if (rest_buried_.empty() || rest_buried_[p])
        return false;
    const Vec3 a = rest_[triangle[0]], b = rest_[triangle[1]], c = rest_[triangle[2]];
    const Vec3 m = cross(b - a, c - a);
    return norm(rest_[p] - a) < across_reach && dot(rest_[p] - a, m) < 0 &&
           -dot(m, rest_normals_[p]) > across_facing * norm(m);
}

void BodyParter::find_normals(std::span<const Vec3> positions, std::vector<Vec3>& normals) const {
    std::vector<std::array<int, 3>> joined(triangles_.begin(), triangles_.end());
    for (auto& t : joined)
        for (int& v : t)
            v = first_[v];
    vertex_normals(positions, joined, normals);
    std::vector<Vec3> next(normals.size());
    for (int pass = 0; pass < normal_smoothing; ++pass) {
        for (std::size_t v = 0; v < normals.size(); ++v) {
            Vec3 sum = normals[v];
            for (int i = begin_[v]; i < begin_[v + 1]; ++i)
                sum = sum + normals[neighbour_[i]];
            const double length = norm(sum);
            next[v] = length > 0 ? (1 / length) * sum : normals[v];
        }
        normals.swap(next);
    }
    for (std::size_t v = 0; v < first_.size(); ++v)
        normals[v] = normals[first_[v]];
}

void BodyParter::find_steps(std::span<const Vec3> positions, std::span<const Vec3> normals,
                            std::vector<double>& steps) const {
    steps.assign(positions.size(), 0.0);
    std::vector<int> vertices = places_;
    std::vector<Round::Need> needs;
    std::vector<double> wanted, needed = steps, most(positions.size(), -1.0), limit = most_;
    std::vector<std::array<int, 3>> near;
    std::vector<Vec3> moved(positions.begin(), positions.end());
    bool pits = false;
    for (int round = 0; round < (pits ? pit_rounds : rounds); ++round) {
        Round look(*this, moved, normals, round == 0 ? triangles_ : near);
        look.find_needs(vertices, round == 0 ? gap_ : later_gap * gap_, needs);
        wanted = steps;
        for (std::size_t i = 0; i < vertices.size(); ++i) {
            const int v = vertices[i];
            if (needs[i].missing < 2 * least)
                continue;
            // Half by the vertex, as far as it may; the rest by what is opposite: a finger in a
            // thigh has no room within itself.
            const double half = 0.5 * needs[i].missing;
            const double own = std::min(half, std::max(0.0, most_[v] - steps[v]));
            wanted[v] = std::max(wanted[v], steps[v] + own);
            for (const int corner : needs[i].opposite) {
                const int q = first_[corner];
                double wall = 1;
                if (!is_thick(v) && std::min(steps[q] + needs[i].missing, most_[q]) > pit_depth) {
                    wall = std::max(least_wall, dot(normals[q], needs[i].normal));
                    limit[q] = std::min(longest_step, most_[q] + pit_room);
                    pits = true;
                }
                wanted[q] = std::max(wanted[q], steps[q] + (needs[i].missing - own) / wall);
            }
        }
        bool any = false;
        for (std::size_t v = 0; v < steps.size(); ++v) {
            if (wanted[v] <= steps[v])
                continue;
            // In the bottom of a fold nothing helps: no use in going on and on.
            if (most[v] < 0)
                most[v] = wanted[v] + gap_;
            const bool pitted = limit[v] > most_[v];
            const double step =
                std::min(wanted[v], pitted ? limit[v] : std::min(most_[v], most[v]));
            any = any || step > steps[v] + least;
            needed[v] = std::max(needed[v], step);
        }
        if (!any)
            break;
        steps = needed;
        smooth(steps);
        vertices.clear(); // later only those that moved can be near to one another
        for (std::size_t v = 0; v < steps.size(); ++v) {
            moved[v] = positions[v] - steps[first_[v]] * normals[v];
            if (steps[v] > 0 && first_[v] == static_cast<int>(v))
                vertices.push_back(static_cast<int>(v));
        }
        near.clear();
        for (const auto& t : triangles_)
            if (steps[first_[t[0]]] + steps[first_[t[1]]] + steps[first_[t[2]]] > 0)
                near.push_back(t);
    }
    share(steps);
}

/// Never below what is there.
void BodyParter::smooth(std::vector<double>& steps) const {
    std::vector<double> next;
    for (int pass = 0; pass < smoothing; ++pass) {
        next = steps;
        for (std::size_t v = 0; v + 1 < begin_.size(); ++v) {
            double sum = 0;
            for (int i = begin_[v]; i < begin_[v + 1]; ++i)
                sum += steps[neighbour_[i]];
            if (sum > 0)
                next[v] = std::max(steps[v], std::min(most_[v], sum / (begin_[v + 1] - begin_[v])));
        }
        steps.swap(next);
    }
    for (double& step : steps)
        if (step < least)
            step = 0;
}

/// All vertices at a place have the step of the first.
void BodyParter::share(std::vector<double>& steps) const {
    for (std::size_t v = 0; v < steps.size(); ++v)
        steps[v] = steps[first_[v]];
}

void part_body(std::span<const Vec3> positions, std::span<const std::array<int, 3>> triangles,
               double gap, std::vector<Vec3>& out, std::vector<std::uint8_t>* flagged) {
    const BodyParter parter(positions, triangles, gap);
    std::vector<Vec3> normals;
    std::vector<double> steps;
    parter.find_normals(positions, normals);
    parter.find_steps(positions, normals, steps);
    out.assign(positions.begin(), positions.end());
    if (flagged)
        flagged->assign(positions.size(), 0);
    for (std::size_t v = 0; v < out.size(); ++v) {
        if (steps[v] == 0)
            continue;
        out[v] = out[v] - steps[v] * normals[v];
        if (flagged)
            (*flagged)[v] = 1;
    }
}

namespace {

/// Steps of all frames, made more like those of the frames around, never smaller.
void smooth_over_frames(std::vector<std::vector<double>>& steps) {
    const std::size_t frames = steps.size(), n = steps[0].size();
    parallel_for(n, grain, [&](std::size_t begin, std::size_t end) {
        std::vector<double> at(frames), next(frames);
        for (std::size_t v = begin; v < end; ++v) {
            double largest = 0;
            for (std::size_t f = 0; f < frames; ++f)
                largest = std::max(largest, at[f] = steps[f][v]);
            if (largest == 0)
                continue;
            // Between two frames what moves needs the room of both.
            for (std::size_t f = 0; f < frames; ++f)
                next[f] = std::max({at[f > 0 ? f - 1 : 0], at[f], at[std::min(f + 1, frames - 1)]});
            at.swap(next);
            for (int pass = 0; pass < frames_smoothing; ++pass) {
                for (std::size_t f = 0; f < frames; ++f) {
                    const double before = at[f > 0 ? f - 1 : 0];
                    const double after = at[std::min(f + 1, frames - 1)];
                    next[f] = std::max(at[f], 0.25 * (before + after) + 0.5 * at[f]);
                }
                at.swap(next);
            }
            for (std::size_t f = 0; f < frames; ++f)
                steps[f][v] = at[f] < least ? 0 : at[f];
        }
    });
}

} // namespace

void part_body(Body& body, double gap) {
    const BodyParter parter(body.mesh.positions, body.triangles, gap);
    // The mesh is the frame before the first, and the only one of a body that does not deform.
    const std::size_t frames = 1 + body.frames.size();
    const auto at = [&](std::size_t f) -> std::vector<Vec3>& {
        return f == 0 ? body.mesh.positions : body.frames[f - 1];
    };
    const auto stands = [&](std::size_t f) { // as in the frame before
        return f > 0 && std::equal(at(f).begin(), at(f).end(), at(f - 1).begin(),
                                   [](const Vec3& p, const Vec3& q) { return norm(p - q) == 0; });
    };
    std::vector<std::vector<double>> steps(frames);
    parallel_for(frames, 1, [&](std::size_t f, std::size_t) {
        if (stands(f))
            return;
        std::vector<Vec3> normals;
        parter.find_normals(at(f), normals);
        parter.find_steps(at(f), normals, steps[f]);
    });
    for (std::size_t f = 1; f < frames; ++f)
        if (steps[f].empty())
            steps[f] = steps[f - 1];
    smooth_over_frames(steps);
    std::vector<std::vector<PartedVertex>> parted(frames);
    parallel_for(frames, 1, [&](std::size_t f, std::size_t) {
        std::vector<Vec3> normals;
        parter.find_normals(at(f), normals);
        for (std::size_t v = 0; v < normals.size(); ++v) {
            if (steps[f][v] == 0)
                continue;
            const Vec3 back = steps[f][v] * normals[v];
            at(f)[v] = at(f)[v] - back;
            parted[f].push_back({static_cast<int>(v), back});
        }
    });
    const bool any =
        std::any_of(parted.begin(), parted.end(), [](const auto& frame) { return !frame.empty(); });
    body.parted.clear();
    if (any)
        body.parted.assign(std::make_move_iterator(parted.begin() + (frames > 1)),
                           std::make_move_iterator(parted.end()));
}

} // namespace muslin
