// [[connections]]: which points are joined, how long and how stiff.
#include "muslin/base/error.h"
#include "muslin/mesh/measure.h"
#include "muslin/mesh/penetration.h"
#include "muslin/mesh/spring_network.h"
#include "muslin/scene/build_parts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

namespace muslin {
namespace {

using Rule = ConnectionsDescription::Rule;
using Layer = LayerKind;
using Rest = ConnectionsDescription::Rest;
/// Two particles, the smaller first.
using Pair = std::array<int, 2>;
/// Which are joined, with their length on the pattern [m]; 0: they have none.
using Pairs = std::map<Pair, double>;

Pair ordered(int a, int b) {
    return {std::min(a, b), std::max(a, b)};
}

/// The triangles of one layer of one cloth.
struct LayerTriangles {
    std::vector<std::array<int, 3>> triangles; ///< particles
    std::vector<std::array<Vec2, 3>> pattern;
};

LayerTriangles triangles_of(const Model& model, int cloth, Layer layer) {
    LayerTriangles out;
    const auto take = [&](const auto& triangles, const auto& pattern, const auto& owner) {
        for (std::size_t t = 0; t < triangles.size(); ++t)
            if (owner[t] == cloth) {
                out.triangles.push_back(triangles[t]);
                out.pattern.push_back(pattern[t]);
            }
    };
    if (layer == Layer::surface) {
        const SurfaceTriangles all = surface_triangles(model);
        take(all.triangles, all.pattern, all.cloth);
    } else if (layer == Layer::dynamics) {
        take(model.dynamics.triangles, model.dynamics.pattern, model.dynamics.triangle_cloth);
    } else {
        take(model.collision.triangles, model.collision_pattern(), model.collision_cloths());
    }
    return out;
}

Pairs edges_of(const LayerTriangles& layer) {
    Pairs out;
    const PatternEdges edges = pattern_edges(layer.triangles, layer.pattern);
    for (std::size_t e = 0; e < edges.edges.size(); ++e)
        out.emplace(edges.edges[e], edges.lengths[e]);
    return out;
}

/// What shear and flexion springs join: see mesh/spring_network.h.
Pairs second_nearest(const LayerTriangles& layer) {
    const SpringNetwork network = build_spring_network(layer.triangles, layer.pattern);
    Pairs out;
    for (const SpringNetwork::Shear& shear : network.shear)
        out.emplace(shear.vertices, shear.length);
    for (const SpringNetwork::Flexion& flexion : network.flexion)
        out.emplace(flexion.ends, flexion.length);
    for (const auto& [edge, length] : edges_of(layer))
        out.erase(edge);
    return out;
}

class ConnectionBuilder {
public:
    ConnectionBuilder(const ConnectionsDescription& d, const Model& model, const State& start)
        : d_(d), model_(model), x_(start.positions),
          key_(d.name.empty() ? "connections" : "connections '" + d.name + "'") {
        for (std::size_t c = 0; c < model.cloths.size(); ++c)
            if (model.cloths[c].name == d.cloth)
                cloth_ = static_cast<int>(c);
        from_ = d.region.empty() ? all_points() : particles_of(d.region);
        if (!d.to_region.empty())
            to_ = particles_of(d.to_region);
    }

    void add_to(DynamicsLayer& layer) {
        const Pairs pairs = find();
        if (pairs.empty())
            reject("a rule that joins at least two points", "none");
        const int potential = static_cast<int>(layer.potentials.size());
        layer.potentials.push_back(d_.potential);
        const double share =
            d_.modulus ? 6 * *d_.modulus * volume() / static_cast<double>(pairs.size()) : 0;
        for (const auto& [pair, flat] : pairs) {
            Link link;
            link.particles = pair;
            link.rest = d_.rest == Rest::pattern ? flat : norm(x_[pair[1]] - x_[pair[0]]);
            if (!(link.rest > 0))
                reject("points apart from each other",
                       fmt::format("two at ({:.6g}, {:.6g}, {:.6g}) m", x_[pair[0]].x,
                                   x_[pair[0]].y, x_[pair[0]].z));
            link.stiffness = d_.stiffness.value_or(share / (link.rest * link.rest));
            link.damping = d_.damping.value_or(d_.relaxation * link.stiffness);
            link.potential = potential;
            layer.links.push_back(link);
        }
    }

private:
    [[noreturn]] void reject(const std::string& expected, const std::string& found) const {
        throw InputError({d_.where, key_, expected, found, {}});
    }

    std::vector<int> all_points() const {
        std::vector<int> out = model_.cloths[cloth_].particles;
        std::sort(out.begin(), out.end());
        out.erase(std::unique(out.begin(), out.end()), out.end());
        return out;
    }

    std::vector<int> particles_of(const std::string& name) const {
        for (const Region& region : model_.regions)
            if (region.name == name)
                return region.particles;
        throw std::logic_error("the scene loader let an unknown region '" + name + "' through");
    }

    static bool holds(const std::vector<int>& increasing, int p) {
        return std::binary_search(increasing.begin(), increasing.end(), p);
    }

    bool may_join(int a, int b) const {
        if (d_.to_region.empty())
            return holds(from_, a) && holds(from_, b);
        return (holds(from_, a) && holds(to_, b)) || (holds(from_, b) && holds(to_, a));
    }

    Pairs find() const {
        if (d_.rule == Rule::edges || d_.rule == Rule::second_nearest)
            return of_layer();
        if (d_.rule == Rule::pairs)
            return as_listed();
        return d_.rule == Rule::within ? within() : nearest();
    }

    Pairs of_layer() const {
        const LayerTriangles layer = triangles_of(model_, cloth_, d_.layer);
        if (layer.triangles.empty())
            reject("a layer with triangles", "one without");
        Pairs out = d_.rule == Rule::edges ? edges_of(layer) : second_nearest(layer);
        std::erase_if(out,
                      [&](const auto& entry) { return !may_join(entry.first[0], entry.first[1]); });
        return out;
    }

    Pairs as_listed() const {
        const auto& particles = model_.cloths[cloth_].particles;
        const int count = static_cast<int>(particles.size());
        Pairs out;
        for (const auto& [a, b] : d_.pairs) {
            if (std::max(a, b) >= count)
                reject(fmt::format("vertex numbers 0 to {} of cloth '{}'", count - 1, d_.cloth),
                       std::to_string(std::max(a, b)));
            if (particles[a] == particles[b])
                reject("two particles", fmt::format("one, that {} and {} share", a, b));
            out.emplace(ordered(particles[a], particles[b]), 0.0);
        }
        return out;
    }

    /// The points that one of `from_` may be joined with, by x.
    std::vector<int> others() const {
        std::vector<int> out = to_.empty() ? from_ : to_;
        std::stable_sort(out.begin(), out.end(), [&](int a, int b) { return x_[a].x < x_[b].x; });
        return out;
    }

    Pairs within() const {
        Pairs out;
        const std::vector<int> all = others();
        for (const int a : from_) {
            auto b = std::lower_bound(all.begin(), all.end(), x_[a].x - d_.distance,
                                      [&](int p, double x) { return x_[p].x < x; });
            for (; b != all.end() && x_[*b].x <= x_[a].x + d_.distance; ++b)
                if (*b != a && norm(x_[*b] - x_[a]) <= d_.distance)
                    out.emplace(ordered(a, *b), 0.0);
        }
        return out;
    }

    Pairs nearest() const {
        Pairs out;
        const std::vector<int> all = others();
        std::vector<std::pair<double, int>> by_distance;
        for (const int a : from_) {
            by_distance.clear();
            for (const int b : all)
                if (b != a)
                    by_distance.emplace_back(norm(x_[b] - x_[a]), b);
            const auto count = std::min<std::size_t>(d_.count, by_distance.size());
            std::partial_sort(by_distance.begin(), by_distance.begin() + count, by_distance.end());
            for (std::size_t i = 0; i < count; ++i)
                out.emplace(ordered(a, by_distance[i].second), 0.0);
        }
        return out;
    }

    double volume() const {
        if (d_.volume)
            return *d_.volume;
        const LayerTriangles surface = triangles_of(model_, cloth_, Layer::surface);
        if (!is_closed({x_, surface.triangles}))
            reject("a volume [m^3] for the modulus, or a cloth with a closed surface", "neither");
        double sum = 0;
        for (const auto& [a, b, c] : surface.triangles)
            sum += dot(x_[a], cross(x_[b], x_[c])) / 6;
        return std::abs(sum);
    }

    const ConnectionsDescription& d_;
    const Model& model_;
    const std::vector<Vec3>& x_;
    std::string key_;
    int cloth_ = 0;
    std::vector<int> from_, to_; ///< particles, increasing
};

} // namespace

void add_connections(const SceneDescription& scene, Model& model, const State& start) {
    for (const ConnectionsDescription& d : scene.connections)
        ConnectionBuilder(d, model, start).add_to(model.dynamics);
}

} // namespace muslin
