#include "muslin/model/build_model.h"

#include "muslin/base/error.h"
#include "muslin/base/find_root.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace muslin {
namespace {

// Sets of vertices that share a particle.
class UnionFind {
public:
    explicit UnionFind(int count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }
    int find(int i) { return find_root(parent_, i); }
    void join(int a, int b) {
        a = find(a), b = find(b);
        parent_[std::max(a, b)] = std::min(a, b);
    }

private:
    std::vector<int> parent_;
};

std::uint64_t spread_bits(std::uint64_t v) { // two zero bits after each of the low 21
    v &= 0x1fffff;
    v = (v | v << 32) & 0x1f00000000ffffULL;
    v = (v | v << 16) & 0x1f0000ff0000ffULL;
    v = (v | v << 8) & 0x100f00f00f00f00fULL;
    v = (v | v << 4) & 0x10c30c30c30c30c3ULL;
    v = (v | v << 2) & 0x1249249249249249ULL;
    return v;
}

// Position along a Morton curve through the box of all points.
std::vector<std::uint64_t> curve_positions(const std::vector<Vec3>& points) {
    if (points.empty())
        return {};
    Vec3 low = points.front(), high = low;
    for (const Vec3& p : points)
        for (int k = 0; k < 3; ++k) {
            low[k] = std::min(low[k], p[k]);
            high[k] = std::max(high[k], p[k]);
        }
    const Vec3 size = high - low;
    const double extent = std::max({size.x, size.y, size.z, 1e-30});
    const double scale = 2097151.0 / extent;
    std::vector<std::uint64_t> codes;
    codes.reserve(points.size());
    for (const Vec3& p : points) {
        const Vec3 q = scale * (p - low);
        codes.push_back(spread_bits(static_cast<std::uint64_t>(q.x)) |
                        spread_bits(static_cast<std::uint64_t>(q.y)) << 1 |
                        spread_bits(static_cast<std::uint64_t>(q.z)) << 2);
    }
    return codes;
}

struct Particles {
    std::vector<int> of_vertex; ///< all vertices of all cloths in turn -> particle
    std::vector<int> first_vertex;
    int count = 0;
};

Particles number_particles(const std::vector<Vec3>& positions, UnionFind& sets) {
    const int vertices = static_cast<int>(positions.size());
    const std::vector<std::uint64_t> code = curve_positions(positions);
    std::vector<int> roots;
    for (int i = 0; i < vertices; ++i)
        if (sets.find(i) == i)
            roots.push_back(i);
    std::sort(roots.begin(), roots.end(),
              [&](int a, int b) { return std::pair(code[a], a) < std::pair(code[b], b); });
    Particles out;
    out.count = static_cast<int>(roots.size());
    std::vector<int> number(vertices, -1);
    for (int k = 0; k < out.count; ++k)
        number[roots[k]] = k;
    out.of_vertex.resize(vertices);
    for (int i = 0; i < vertices; ++i)
        out.of_vertex[i] = number[sets.find(i)];
    return out;
}

[[noreturn]] void reject(const std::string& cloth, const std::string& expected,
                         const std::string& found) {
    throw InputError({{}, "cloth '" + cloth + "'", expected, found, {}});
}

void check_defects(const std::vector<std::array<int, 3>>& triangles, int vertices,
                   const std::string& name) {
    if (const auto defect = find_defect(triangles, vertices))
        reject(name, "a mesh that can be simulated", defect->text);
}

// What joining points may have made of sound meshes; a layer need not use every point.
void check_joined(const std::vector<std::array<int, 3>>& triangles, int particles,
                  const std::string& name) {
    const auto defect = find_defect(triangles, particles);
    if (defect && defect->kind != MeshDefect::Kind::unused_vertex)
        reject(name, "a mesh that can be simulated", defect->text);
}

TriangleMesh prepare_mesh(const PolygonMesh& source, RestShape rest, const std::string& name) {
    if (source.face_count() == 0 && source.positions.empty())
        return {};
    TriangleMesh mesh = triangulate(source);
    check_defects(mesh.triangles, static_cast<int>(mesh.positions.size()), name);
    try {
        set_material_coordinates(mesh, source, rest);
    } catch (const InputError& error) {
        reject(name, error.problem().expected,
               error.problem().key + (error.problem().key.empty() ? "" : ": ") +
                   error.problem().found);
    }
    return mesh;
}

/// Where the triangles of a layer go.
struct LayerLists {
    std::vector<std::array<int, 3>>& triangles;
    std::vector<std::array<Vec2, 3>>& pattern;
    std::vector<int>& cloth;
};

// Appends the triangles of one cloth in the order of their smallest particle. Returns that order.
std::vector<int> append_triangles(const TriangleMesh& mesh, std::span<const int> particle,
                                  int cloth, const LayerLists& layer) {
    std::vector<std::array<int, 3>> triangles(mesh.triangles);
    for (auto& t : triangles)
        for (int& v : t)
            v = particle[v];
    std::vector<int> order(triangles.size());
    std::iota(order.begin(), order.end(), 0);
    const auto key = [&](int t) {
        return std::pair(std::min({triangles[t][0], triangles[t][1], triangles[t][2]}), t);
    };
    std::sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });
    for (int t : order) {
        layer.triangles.push_back(triangles[t]);
        layer.pattern.push_back(mesh.material[t]);
        layer.cloth.push_back(cloth);
    }
    return order;
}

// Appends the triangles of a cloth's dynamics layer, and of which point each corner is. `layer`:
// its own, or null where it is the surface.
void append_dynamics(const TriangleMesh& mesh, const LayerInput* layer,
                     std::span<const int> particle, int cloth, Model& model) {
    std::vector<int> points(mesh.positions.size());
    if (layer)
        points = layer->points;
    else
        std::iota(points.begin(), points.end(), 0);
    std::vector<int> particles;
    for (const int point : points)
        particles.push_back(particle[point]);
    DynamicsLayer& pulls = model.dynamics;
    for (const int t : append_triangles(mesh, particles, cloth,
                                        {pulls.triangles, pulls.pattern, pulls.triangle_cloth})) {
        const auto& [a, b, c] = mesh.triangles[t];
        model.stitching.corners.push_back({points[a], points[b], points[c]});
    }
}

/// The particles of a layer's vertices.
std::vector<int> layer_particles(const LayerInput& layer, std::span<const int> particle) {
    std::vector<int> out;
    for (const int point : layer.points)
        out.push_back(particle[point]);
    return out;
}

// Fills the collision layer. Where every cloth touches with the triangles that pull, it says no
// more than that.
void set_collision(const std::vector<ClothInput>& inputs, Model& model) {
    CollisionLayer& layer = model.collision;
    if (std::none_of(inputs.begin(), inputs.end(),
                     [](const ClothInput& input) { return input.collision.has_value(); })) {
        layer.triangles = model.dynamics.triangles;
        return;
    }
    for (std::size_t c = 0; c < inputs.size(); ++c) {
        const LayerLists lists = {layer.triangles, layer.pattern, layer.triangle_cloth};
        const Cloth& cloth = model.cloths[c];
        if (const auto& own = inputs[c].collision) {
            append_triangles(prepare_mesh(own->mesh, own->rest, cloth.name),
                             layer_particles(*own, cloth.particles), static_cast<int>(c), lists);
            continue;
        }
        for (int t = cloth.triangle_range[0]; t < cloth.triangle_range[1]; ++t) {
            lists.triangles.push_back(model.dynamics.triangles[t]);
            lists.pattern.push_back(model.dynamics.pattern[t]);
            lists.cloth.push_back(static_cast<int>(c));
        }
    }
}

void set_masses(Model& model) {
    const DynamicsLayer& layer = model.dynamics;
    for (std::size_t t = 0; t < layer.triangles.size(); ++t) {
        const auto& p = layer.pattern[t];
        const double area = 0.5 * std::abs(cross(p[1] - p[0], p[2] - p[0]));
        const double density = model.cloths[layer.triangle_cloth[t]].material.density;
        for (int i : layer.triangles[t])
            model.mass[i] += density * area / 3; // a third of each triangle's [BW98 2.2]
    }
}

} // namespace

void set_hinges(DynamicsLayer& layer) {
    layer.hinges = build_topology(layer.triangles).hinges;
    const auto key = [](const Hinge& h) {
        return std::pair(*std::min_element(h.v.begin(), h.v.end()), h.v);
    };
    std::sort(layer.hinges.begin(), layer.hinges.end(),
              [&](const Hinge& a, const Hinge& b) { return key(a) < key(b); });
}

Model build_model(std::vector<ClothInput> inputs,
                  const std::vector<std::vector<StitchingLayer::Vertex>>& joints, State& start) {
    Model model;
    std::vector<TriangleMesh> meshes;
    std::vector<int> first_vertex;
    std::vector<Vec3> positions, velocities;
    for (const ClothInput& input : inputs) {
        first_vertex.push_back(static_cast<int>(positions.size()));
        meshes.push_back(prepare_mesh(input.mesh, input.rest, input.name));
        for (const auto* points : {&input.mesh.positions, &input.points})
            positions.insert(positions.end(), points->begin(), points->end());
        velocities.resize(positions.size(), input.velocity);
    }
    UnionFind sets(static_cast<int>(positions.size()));
    for (const auto& joint : joints)
        for (const auto& v : joint)
            sets.join(first_vertex[joint[0].cloth] + joint[0].vertex,
                      first_vertex[v.cloth] + v.vertex);
    const Particles particles = number_particles(positions, sets);

    // A joined particle starts at the mean of its vertices.
    start = {};
    start.positions.assign(particles.count, {0, 0, 0});
    start.velocities.assign(particles.count, {0, 0, 0});
    std::vector<int> share(particles.count, 0);
    for (int p : particles.of_vertex)
        ++share[p];
    for (std::size_t v = 0; v < positions.size(); ++v) {
        const int p = particles.of_vertex[v];
        start.positions[p] += (1.0 / share[p]) * positions[v];
        start.velocities[p] += (1.0 / share[p]) * velocities[v];
    }

    model.mass.assign(particles.count, 0);
    model.collision.thickness.assign(particles.count, 0);
    model.collision.friction.assign(particles.count, 0);
    for (std::size_t c = 0; c < inputs.size(); ++c) {
        ClothInput& input = inputs[c];
        const std::span<const int> particle(particles.of_vertex.data() + first_vertex[c],
                                            input.mesh.positions.size() + input.points.size());
        Cloth cloth;
        cloth.name = input.name;
        cloth.material = input.material;
        cloth.particles.assign(particle.begin(), particle.end());
        cloth.surface_pulls = !input.dynamics;
        cloth.triangle_range[0] = static_cast<int>(model.dynamics.triangles.size());
        if (const auto& own = input.dynamics)
            append_dynamics(prepare_mesh(own->mesh, own->rest, input.name), &*own, particle,
                            static_cast<int>(c), model);
        else
            append_dynamics(meshes[c], nullptr, particle, static_cast<int>(c), model);
        cloth.triangle_range[1] = static_cast<int>(model.dynamics.triangles.size());
        cloth.surface.vertex_particle.assign(particle.begin(),
                                             particle.begin() + input.mesh.positions.size());
        cloth.surface.mesh = std::move(input.mesh);
        cloth.surface.rest = input.rest;
        for (int p : particle) {
            model.collision.thickness[p] = input.material.thickness;
            model.collision.friction[p] = input.material.friction;
        }
        for (std::size_t i = 0; i < input.masses.size(); ++i)
            model.mass[particle[i]] += input.masses[i];
        model.cloths.push_back(std::move(cloth));
    }
    set_collision(inputs, model);
    // Stitching, and layers laid on points, may have made a defect that no mesh had.
    const bool layered = std::any_of(inputs.begin(), inputs.end(), [](const ClothInput& input) {
        return input.dynamics || input.collision;
    });
    if (!joints.empty() || layered)
        check_joined(model.dynamics.triangles, particles.count, "stitched");
    if (!model.collision.pattern.empty())
        check_joined(model.collision.triangles, particles.count, "stitched");
    model.stitching.joints = joints;
    set_hinges(model.dynamics);
    set_masses(model);
    return model;
}

SurfaceTriangles surface_triangles(const Model& model) {
    SurfaceTriangles out;
    for (std::size_t c = 0; c < model.cloths.size(); ++c) {
        const Cloth& cloth = model.cloths[c];
        if (!cloth.surface_pulls) {
            append_triangles(prepare_mesh(cloth.surface.mesh, cloth.surface.rest, cloth.name),
                             cloth.surface.vertex_particle, static_cast<int>(c),
                             {out.triangles, out.pattern, out.cloth});
            continue;
        }
        for (int t = cloth.triangle_range[0]; t < cloth.triangle_range[1]; ++t) {
            out.triangles.push_back(model.dynamics.triangles[t]);
            out.pattern.push_back(model.dynamics.pattern[t]);
            out.cloth.push_back(static_cast<int>(c));
        }
    }
    return out;
}

namespace {

void gather(const std::vector<int>& particles, const State& state, std::vector<Vec3>& out) {
    out.resize(particles.size());
    for (std::size_t i = 0; i < particles.size(); ++i)
        out[i] = state.positions[particles[i]];
}

} // namespace

void point_positions(const Cloth& cloth, const State& state, std::vector<Vec3>& out) {
    gather(cloth.particles, state, out);
}

void surface_positions(const Cloth& cloth, const State& state, std::vector<Vec3>& out) {
    gather(cloth.surface.vertex_particle, state, out);
}

} // namespace muslin
