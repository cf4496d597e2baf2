#include "muslin/run/judge.h"

#include "muslin/mesh/penetration.h"

#include <algorithm>

namespace muslin {

ClothJudge::ClothJudge(std::span<const std::array<int, 3>> triangles,
                       std::span<const std::array<Vec2, 3>> pattern)
    : triangles_(triangles), pattern_(pattern), edges_(pattern_edges(triangles, pattern)) {}

Verdict ClothJudge::judge(std::span<const Vec3> positions,
                          std::span<const PlacedBody> bodies) const {
    Verdict v;
    const EdgeStretch edges = edge_stretch(positions, edges_.edges, edges_.lengths);
    v.stretch_max = edges.max;
    v.stretch_min = edges.min;
    v.stretch_99 = edges.p99;
    const PrincipalStretch principal = extreme_stretch(positions, triangles_, pattern_);
    v.principal_max = principal.max;
    v.principal_min = principal.min;
    v.self_intersections = static_cast<int>(count_self_intersections(positions, triangles_));
    for (const PlacedBody& body : bodies) {
        if (body.parted.empty())
            v.body_intersections += static_cast<int>(
                count_intersections_between({positions, triangles_}, body.surface));
        else
            for (const auto& [t, u] :
                 find_intersections_between({positions, triangles_}, body.surface))
                ++(body.parted[u] ? v.pinched_intersections : v.body_intersections);
        if (!body.closed)
            continue;
        const Penetration found = find_penetration(positions, body.surface, body.parted);
        v.body_penetration_max = std::max(v.body_penetration_max.value_or(0), found.depth);
        v.pinched_vertices += static_cast<int>(found.passed_over);
    }
    if (v.self_intersections > 0)
        v.pinched_self_intersections = count_pinched(positions, bodies);
    return v;
}

int ClothJudge::count_pinched(std::span<const Vec3> positions,
                              std::span<const PlacedBody> bodies) const {
    constexpr double reach = 0.01; // cloth so near to what has stepped back is between [m]
    std::vector<char> pinched(positions.size(), 0);
    for (const PlacedBody& body : bodies) {
        if (body.parted.empty())
            continue;
        const std::vector<int> nearest = nearest_triangles(positions, body.surface, reach);
        for (std::size_t i = 0; i < positions.size(); ++i)
            if (nearest[i] >= 0 && body.parted[nearest[i]])
                pinched[i] = 1;
    }
    const auto is_pinched = [&](int t) {
        const auto& c = triangles_[t];
        return pinched[c[0]] && pinched[c[1]] && pinched[c[2]];
    };
    if (std::find(pinched.begin(), pinched.end(), 1) == pinched.end())
        return 0;
    int out = 0;
    for (const auto& [t, u] : find_self_intersections(positions, triangles_))
        out += is_pinched(t) && is_pinched(u);
    return out;
}

namespace {

/// Vertices of which contact knows as good as what is shown [m].
constexpr double same_place = 1e-5;

/// Which triangles of a body have stepped back; empty where none has.
std::vector<std::uint8_t> find_parted(const Body& body, double time, std::span<const Vec3> shown) {
    if (body.parted.empty())
        return {};
    std::vector<Vec3> contact(shown.size());
    body_positions(body, time, contact);
    std::vector<std::uint8_t> vertices(shown.size()), out(body.triangles.size());
    for (std::size_t v = 0; v < shown.size(); ++v)
        vertices[v] = norm(shown[v] - contact[v]) > same_place;
    bool any = false;
    for (std::size_t t = 0; t < out.size(); ++t) {
        const auto& c = body.triangles[t];
        out[t] = vertices[c[0]] | vertices[c[1]] | vertices[c[2]];
        any = any || out[t];
    }
    if (!any)
        out.clear();
    return out;
}

bool has_own_surfaces(const Model& model) {
    return std::any_of(model.cloths.begin(), model.cloths.end(),
                       [](const Cloth& cloth) { return !cloth.surface_pulls; });
}

/// The particles of all surfaces, increasing; none where surfaces are the layer that pulls.
std::vector<int> drawn_particles(const Model& model) {
    std::vector<int> out;
    if (!has_own_surfaces(model))
        return out;
    for (const Cloth& cloth : model.cloths)
        out.insert(out.end(), cloth.surface.vertex_particle.begin(),
                   cloth.surface.vertex_particle.end());
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

/// Over the places of particles in `drawn`.
SurfaceTriangles drawn_triangles(const Model& model, const std::vector<int>& drawn) {
    if (drawn.empty())
        return {};
    SurfaceTriangles out = surface_triangles(model);
    for (auto& triangle : out.triangles)
        for (int& p : triangle)
            p = static_cast<int>(std::lower_bound(drawn.begin(), drawn.end(), p) - drawn.begin());
    return out;
}

} // namespace

Judge::Judge(const Model& model)
    : model_(model), drawn_(drawn_particles(model)), surface_(drawn_triangles(model, drawn_)),
      cloth_(drawn_.empty() ? ClothJudge(model.dynamics.triangles, model.dynamics.pattern)
                            : ClothJudge(surface_.triangles, surface_.pattern)) {
    for (const Body& body : model.bodies)
        body_closed_.push_back(is_closed({body.mesh.positions, body.triangles}));
}

Verdict Judge::judge(std::span<const Vec3> positions, double time) const {
    std::vector<std::vector<Vec3>> places(model_.bodies.size());
    std::vector<std::vector<std::uint8_t>> parted(model_.bodies.size());
    std::vector<PlacedBody> bodies;
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
        const Body& body = model_.bodies[b];
        places[b].resize(body.mesh.positions.size());
        shown_positions(body, time, places[b]);
        parted[b] = find_parted(body, time, places[b]);
        bodies.push_back({{places[b], body.triangles}, body_closed_[b] != 0, parted[b]});
    }
    if (drawn_.empty())
        return cloth_.judge(positions, bodies);
    std::vector<Vec3> drawn;
    for (const int p : drawn_)
        drawn.push_back(positions[p]);
    return cloth_.judge(drawn, bodies);
}

} // namespace muslin
