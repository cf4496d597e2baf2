#include "muslin/engine/start_check.h"

#include "muslin/base/error.h"
#include "muslin/engine/recipe.h"
#include "muslin/mesh/penetration.h"
#include "muslin/mesh/triangle_mesh.h"
#include "muslin/model/build_model.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace muslin {
namespace {

using Pairs = std::vector<std::array<int, 2>>;

constexpr std::size_t told = 3; // pairs named in a message

// From the triangles that are drawn back to the faces of the user's meshes.
class FaceNumbers {
public:
    FaceNumbers(const Model& model, const SurfaceTriangles& drawn) : drawn_(drawn) {
        for (const Cloth& cloth : model.cloths) {
            const TriangleMesh mesh = triangulate(cloth.surface.mesh);
            std::map<std::array<int, 3>, int>& face = faces_.emplace_back();
            for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
                std::array<int, 3> particles;
                for (int k = 0; k < 3; ++k)
                    particles[k] = cloth.surface.vertex_particle[mesh.triangles[t][k]];
                face.emplace(particles, mesh.source_face[t]);
            }
        }
    }
    int face(int triangle) const {
        return faces_[drawn_.cloth[triangle]].at(drawn_.triangles[triangle]);
    }

private:
    const SurfaceTriangles& drawn_;
    std::vector<std::map<std::array<int, 3>, int>> faces_;
};

Vec3 centre(const SurfaceTriangles& drawn, const State& state, int triangle) {
    const auto& [a, b, c] = drawn.triangles[triangle];
    return (1.0 / 3) * (state.positions[a] + state.positions[b] + state.positions[c]);
}

void add_cloth_tangles(const Model& model, const SurfaceTriangles& drawn, const State& state,
                       std::vector<Tangle>& out) {
    const Pairs pairs = find_self_intersections(state.positions, drawn.triangles);
    if (pairs.empty())
        return;
    const FaceNumbers numbers(model, drawn);
    std::map<std::array<int, 2>, Tangle> by_cloths;
    for (const auto& [t, u] : pairs) {
        const std::array<int, 2> cloths = {drawn.cloth[t], drawn.cloth[u]};
        Tangle& tangle = by_cloths[cloths];
        if (tangle.pairs++ == 0)
            tangle.place = centre(drawn, state, t);
        if (tangle.faces.size() < told)
            tangle.faces.push_back({numbers.face(t), numbers.face(u)});
    }
    for (auto& [cloths, tangle] : by_cloths) {
        tangle.cloth = model.cloths[cloths[0]].name;
        tangle.other = model.cloths[cloths[1]].name;
        out.push_back(std::move(tangle));
    }
}

void add_body_tangles(const Model& model, const SurfaceTriangles& drawn, const State& state,
                      const Body& body, std::vector<Tangle>& out) {
    std::vector<Vec3> place(body.mesh.positions.size()), points;
    body_positions(body, state.time, place);
    const TriangleView surface = {place, body.triangles};
    const bool closed = is_closed(surface);
    const Pairs pairs = find_intersections_between({state.positions, drawn.triangles}, surface);
    std::vector<Tangle> tangles(model.cloths.size());
    if (!pairs.empty()) {
        const FaceNumbers numbers(model, drawn);
        const std::vector<int> body_face = triangulate(body.mesh).source_face;
        for (const auto& [t, u] : pairs) {
            Tangle& tangle = tangles[drawn.cloth[t]];
            if (tangle.pairs++ == 0)
                tangle.place = centre(drawn, state, t);
            if (tangle.faces.size() < told)
                tangle.faces.push_back({numbers.face(t), body_face[u]});
        }
    }
    for (std::size_t c = 0; c < model.cloths.size(); ++c) {
        Tangle& tangle = tangles[c];
        surface_positions(model.cloths[c], state, points);
        if (closed) {
            const Penetration found = find_penetration(points, surface);
            tangle.inside = found.inside;
            tangle.deepest = found.deepest;
            tangle.depth = found.depth;
        }
        if (tangle.pairs == 0 && tangle.inside == 0)
            continue;
        if (tangle.inside > 0)
            tangle.deepest_place = points[tangle.deepest];
        tangle.cloth = model.cloths[c].name;
        tangle.other = body.name;
        tangle.is_body = true;
        out.push_back(std::move(tangle));
    }
}

std::string at(const Vec3& p) {
    return fmt::format("({:.4g}, {:.4g}, {:.4g}) m", p.x, p.y, p.z);
}

Source place_of(const SceneDescription& scene, const std::string& cloth) {
    for (const ClothDescription& c : scene.cloths)
        if (c.name == cloth)
            return c.where;
    return {scene.file.string(), 0, 0};
}

} // namespace

std::string describe(const Tangle& tangle) {
    std::string text = fmt::format("cloth '{}'", tangle.cloth);
    if (tangle.pairs > 0) {
        const std::string what = tangle.is_body ? fmt::format("body '{}'", tangle.other)
                                 : tangle.other == tangle.cloth
                                     ? std::string("itself")
                                     : fmt::format("cloth '{}'", tangle.other);
        text += fmt::format(" crosses {} in {} pair{} of triangles: faces ", what, tangle.pairs,
                            tangle.pairs == 1 ? "" : "s");
        for (std::size_t i = 0; i < tangle.faces.size(); ++i)
            text += fmt::format("{}{} and {}", i > 0 ? ", " : "", tangle.faces[i][0],
                                tangle.faces[i][1]);
        text += fmt::format("{}, the first near {}",
                            tangle.pairs > tangle.faces.size() ? ", ..." : "", at(tangle.place));
    }
    if (tangle.inside > 0)
        text += fmt::format("{} has {} {} inside body '{}', vertex {} at {} {:.3g} m deep",
                            tangle.pairs > 0 ? " and" : "", tangle.inside,
                            tangle.inside == 1 ? "vertex" : "vertices", tangle.other,
                            tangle.deepest, at(tangle.deepest_place), tangle.depth);
    return text;
}

std::vector<Tangle> find_tangles(const Model& model, const State& state) {
    std::vector<Tangle> out;
    const SurfaceTriangles drawn = surface_triangles(model);
    add_cloth_tangles(model, drawn, state, out);
    for (const Body& body : model.bodies)
        add_body_tangles(model, drawn, state, body, out);
    return out;
}

std::vector<std::string> mesh_warnings(const Model& model) {
    std::vector<std::string> out;
    const auto add = [&](const PolygonMesh& mesh) {
        for (const std::string& warning : mesh.warnings)
            if (std::find(out.begin(), out.end(), warning) == out.end())
                out.push_back(warning);
    };
    for (const Cloth& cloth : model.cloths)
        add(cloth.surface.mesh);
    for (const Body& body : model.bodies)
        add(body.mesh);
    return out;
}

std::vector<Tangle> check_start(const SceneDescription& scene, const Model& model,
                                const State& state) {
    const bool may_be_inside = std::any_of(model.bodies.begin(), model.bodies.end(), [](auto& b) {
        return is_closed({b.mesh.positions, b.triangles});
    });
    if (scene.limits.body_penetration_max && !model.bodies.empty() && !may_be_inside)
        throw InputError({{scene.file.string(), 0, 0},
                          "limits.body_penetration_max",
                          "a closed body, which cloth could be inside of",
                          "none",
                          {}});
    std::vector<Tangle> tangles = find_tangles(model, state);
    const bool gets_out =
        choose_recipe(scene.recipe, scene.parts).parts.at("contact") == "forecast_contact";
    if (scene.contact.allow_tangled ||
        std::all_of(tangles.begin(), tangles.end(), [&](auto& t) { return gets_out && t.is_body; }))
        return tangles;
    std::string found;
    for (const Tangle& tangle : tangles)
        found += (found.empty() ? "" : "; ") + describe(tangle);
    throw InputError(
        {place_of(scene, tangles.front().cloth), "cloth",
         "a start where cloth is clear of itself, of other cloth and of bodies", found,
         "'muslin untangle' separates it, contact.untangle = true does so whenever the "
         "scene starts, contact.allow_tangled = true starts all the same"});
}

} // namespace muslin
