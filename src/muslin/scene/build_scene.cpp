#include "muslin/scene/build_scene.h"

#include "muslin/base/error.h"
#include "muslin/base/largest_number.h"
#include "muslin/io/mesh_file.h"
#include "muslin/kernels/bend_bw.h"
#include "muslin/model/build_model.h"
#include "muslin/scene/build_parts.h"
#include "muslin/scene/dressing.h"
#include "muslin/scene/load_parts.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <span>

namespace muslin {
namespace {

// The name by which messages about a mesh call it: its file, or the scene's line.
Source mesh_place(const MeshSource& source, const Source& scene) {
    if (const auto* file = std::get_if<MeshFile>(&source))
        return {file->path.string(), 0, 0};
    return scene;
}

[[noreturn]] void reject(const Source& where, const std::string& key, const std::string& expected,
                         const std::string& found) {
    throw InputError({where, key, expected, found, {}});
}

int index_of(const SceneDescription& scene, const std::string& cloth) {
    for (std::size_t i = 0; i < scene.cloths.size(); ++i)
        if (scene.cloths[i].name == cloth)
            return static_cast<int>(i);
    throw std::logic_error("the scene loader let an unknown cloth '" + cloth + "' through");
}

struct Selection {
    int cloth;
    std::vector<int> vertices;
};

// Joins vertices of different regions, or of one, that lie within the given distance.
std::vector<std::vector<StitchingLayer::Vertex>>
find_joints(const StitchDescription& stitch, const std::vector<LayeredCloth>& cloths,
            const std::vector<const Selection*>& regions) {
    struct Candidate {
        Vec3 position;
        StitchingLayer::Vertex vertex;
    };
    std::vector<Candidate> all;
    for (const Selection* region : regions)
        for (int v : region->vertices)
            all.push_back({cloths[region->cloth].places[v], {region->cloth, v}});
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& a, const auto& b) { return a.position.x < b.position.x; });
    std::vector<std::vector<StitchingLayer::Vertex>> joints;
    std::vector<char> used(all.size(), 0);
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (used[i])
            continue;
        std::vector<StitchingLayer::Vertex> joint = {all[i].vertex};
        for (std::size_t j = i + 1;
             j < all.size() && all[j].position.x - all[i].position.x <= stitch.distance; ++j) {
            const auto &a = all[i].vertex, &b = all[j].vertex;
            if (used[j] || (a.cloth == b.cloth && a.vertex == b.vertex) ||
                norm(all[j].position - all[i].position) > stitch.distance)
                continue;
            used[j] = 1;
            joint.push_back(b);
        }
        if (joint.size() > 1)
            joints.push_back(std::move(joint));
    }
    if (joints.empty())
        reject(stitch.where, "stitch",
               fmt::format("vertices of the regions within {} m of each other", stitch.distance),
               "none");
    return joints;
}

std::vector<int> region_triangles(const Model& model, int cloth, const Region* region) {
    std::vector<int> out;
    const auto [begin, end] = model.cloths[cloth].triangle_range;
    for (int t = begin; t < end; ++t) {
        const auto& corners = model.dynamics.triangles[t];
        if (!region || std::all_of(corners.begin(), corners.end(), [&](int p) {
                return std::binary_search(region->particles.begin(), region->particles.end(), p);
            }))
            out.push_back(t);
    }
    return out;
}

/// The angle of each hinge of a cloth, where its particles are as given.
void set_rest_angles(DynamicsLayer& layer, int cloth, std::span<const Vec3> x) {
    for (std::size_t h = 0; h < layer.hinges.size(); ++h) {
        const Hinge& hinge = layer.hinges[h];
        if (layer.triangle_cloth[hinge.t[0]] == cloth && layer.triangle_cloth[hinge.t[1]] == cloth)
            layer.rest_angles[h] =
                bend_state(x[hinge.v[0]], x[hinge.v[1]], x[hinge.v[2]], x[hinge.v[3]]).angle;
    }
}

/// Scaled and moved, a mesh may be where numbers end.
void require_near(std::span<const Vec3> places, const Source& where, const std::string& owner) {
    const auto far = std::find_if(places.begin(), places.end(), [](const Vec3& p) {
        return !(std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) <= largest_number);
    });
    if (far != places.end())
        reject(where, owner, fmt::format("vertices within {:g} m of the origin", largest_number),
               fmt::format("vertex {} at ({:g}, {:g}, {:g})", far - places.begin(), far->x, far->y,
                           far->z));
}

class SceneBuilder {
public:
    explicit SceneBuilder(const SceneDescription& scene) : scene_(scene) {}

    BuiltScene build() {
        BuiltScene out;
        std::vector<Body> bodies;
        for (const BodyDescription& body : scene_.bodies)
            require_near(bodies.emplace_back(make_body(body, scene_)).mesh.positions, body.where,
                         fmt::format("body '{}'", body.name));
        make_cloths(bodies);
        for (std::size_t c = 0; c < cloths_.size(); ++c)
            require_near(cloths_[c].places, scene_.cloths[c].where,
                         fmt::format("cloth '{}'", scene_.cloths[c].name));
        select_regions();
        out.model = make_model(out.start);
        out.start.time = -dressing_frames(scene_).all() / scene_.time.frame_rate;
        add_regions(out.model);
        add_rest_angles(out.model, out.start);
        place_starts(scene_, out.model, out.start);
        add_connections(scene_, out.model, out.start);
        add_controls(out);
        out.model.bodies = std::move(bodies);
        add_weights(scene_, out.model);
        require_masses(scene_, out.model, out.start);
        add_stickings(scene_, out.model);
        add_seams(scene_, garments_, out.model, out.start);
        out.conditions.gravity = scene_.world.gravity;
        out.conditions.air = {scene_.world.wind, nullptr, scene_.world.linear_drag,
                              0.5 * scene_.world.air_density * scene_.world.drag_coefficient,
                              scene_.world.viscous_drag};
        check_wind(out.start.positions);
        return out;
    }

private:
    /// A wind that differs from place to place, at some of those where the cloth starts.
    void check_wind(const std::vector<Vec3>& start) const {
        std::vector<Vec3> places;
        for (std::size_t i = 0; i < start.size(); i += 1 + start.size() / 64)
            places.push_back(start[i]);
        const TimeDescription& time = scene_.time;
        scene_.world.wind.check_field(0, time.frames / time.frame_rate,
                                      std::min(8 * time.frames, 2000) + 1, places);
    }

    void make_cloths(const std::vector<Body>& bodies) {
        garments_ = cut_garments(scene_, bodies);
        for (const ClothDescription& cloth : scene_.cloths) {
            const auto garment =
                std::find_if(garments_.begin(), garments_.end(), [&](const CutGarment& cut) {
                    return cut.description->cloth == cloth.name;
                });
            if (garment == garments_.end()) {
                cloths_.push_back(make_layers(cloth));
                continue;
            }
            LayeredCloth& out = cloths_.emplace_back();
            out.places = garment->garment.mesh.positions;
            out.input = {cloth.name, garment->garment.mesh, RestShape::texcoords, cloth.material,
                         cloth.velocity};
        }
    }

    void select_regions() {
        for (const RegionDescription& region : scene_.regions) {
            const int cloth = index_of(scene_, region.cloth);
            selections_.push_back({cloth, select_points(region, cloths_[cloth])});
        }
    }

    const Selection& selection(const std::string& name) const {
        return selections_[region_index(name)];
    }

    std::size_t region_index(const std::string& name) const {
        for (std::size_t i = 0; i < scene_.regions.size(); ++i)
            if (scene_.regions[i].name == name)
                return i;
        throw std::logic_error("the scene loader let an unknown region '" + name + "' through");
    }

    Model make_model(State& start) {
        std::vector<std::vector<StitchingLayer::Vertex>> joints;
        for (const StitchDescription& stitch : scene_.stitches) {
            std::vector<const Selection*> regions;
            for (const std::string& name : stitch.regions)
                regions.push_back(&selection(name));
            for (auto& joint : find_joints(stitch, cloths_, regions))
                joints.push_back(std::move(joint));
        }
        std::vector<ClothInput> inputs;
        for (const LayeredCloth& cloth : cloths_)
            inputs.push_back(cloth.input);
        try {
            return build_model(std::move(inputs), joints, start);
        } catch (const InputError& error) {
            Problem problem = error.problem();
            for (const ClothDescription& cloth : scene_.cloths)
                if (problem.key == "cloth '" + cloth.name + "'")
                    problem.where = mesh_place(cloth.mesh, cloth.where);
            throw InputError(problem);
        }
    }

    void add_regions(Model& model) {
        for (std::size_t i = 0; i < selections_.size(); ++i) {
            Region region;
            region.name = scene_.regions[i].name;
            region.cloth = selections_[i].cloth;
            for (int v : selections_[i].vertices)
                region.particles.push_back(model.cloths[region.cloth].particles[v]);
            std::sort(region.particles.begin(), region.particles.end());
            region.particles.erase(std::unique(region.particles.begin(), region.particles.end()),
                                   region.particles.end());
            model.regions.push_back(std::move(region));
        }
    }

    void add_controls(BuiltScene& out) {
        Model& model = out.model;
        for (const PinDescription& d : scene_.pins) {
            Pin pin;
            pin.name = d.name.empty() ? d.region : d.name;
            pin.particles = model.regions[region_index(d.region)].particles;
            for (int p : pin.particles)
                pin.start.push_back(out.start.positions[p]);
            pin.shape = d.shape;
            pin.motion = d.motion;
            pin.window = d.window;
            if (d.animation)
                add_frames(d, model, pin);
            out.conditions.pins.push_back(std::move(pin));
        }
        for (const GarmentDescription& garment : scene_.garments)
            if (const Animated<double> b = drawn_in(scene_, garment); !b.is_constant())
                model.rest_stretches.push_back(
                    {region_triangles(model, index_of(scene_, garment.cloth), nullptr), b, b});
        for (const RestStretchDescription& d : scene_.rest_stretches) {
            const Region* region =
                d.region.empty() ? nullptr : &model.regions[region_index(d.region)];
            const int cloth = region ? region->cloth : index_of(scene_, d.cloth);
            std::vector<int> triangles = region_triangles(model, cloth, region);
            if (triangles.empty())
                reject(d.where, "rest_stretch",
                       "a region that holds all corners of at least one triangle",
                       "'" + d.region + "'");
            model.rest_stretches.push_back({std::move(triangles), d.b_u, d.b_v});
        }
        for (const PullDescription& d : scene_.pulls)
            out.conditions.pulls.push_back({model.regions[region_index(d.region)].particles,
                                            d.target, d.stiffness, d.damping, d.window});
        for (const LoadDescription& d : scene_.loads)
            model.loads.push_back(
                {model.regions[region_index(d.region)].particles, d.force, d.window});
    }

    // The frames of the whole cloth, of which the pin takes its own particles.
    void add_frames(const PinDescription& d, const Model& model, Pin& pin) const {
        const int cloth = model.regions[region_index(d.region)].cloth;
        const ClothDescription& description = scene_.cloths[cloth];
        const std::string key = fmt::format("pin '{}': animation", pin.name);
        const Frames all = read_frames(
            *d.animation, key, {description.mesh, description.placement, cloths_[cloth].input.mesh},
            scene_.time.frame_rate);
        std::vector<int> vertex(model.mass.size(), -1); // of each particle of the cloth
        const auto& particle = model.cloths[cloth].surface.vertex_particle;
        for (std::size_t v = particle.size(); v-- > 0;)
            vertex[particle[v]] = static_cast<int>(v);
        for (const int p : pin.particles)
            if (vertex[p] < 0)
                reject(d.animation->where, key, "a region of vertices of the surface",
                       "points that it does not have");
        for (const std::vector<Vec3>& frame : all.frames) {
            std::vector<Vec3>& own = pin.frames.emplace_back();
            for (const int p : pin.particles)
                own.push_back(frame[vertex[p]]);
        }
        pin.frame_rate = all.rate;
        require_same_start(d, key, pin);
    }

    // A pin that holds from the start must not throw its vertices to the first frame.
    static void require_same_start(const PinDescription& d, const std::string& key,
                                   const Pin& pin) {
        constexpr double tolerance = 1e-3; // [m]; caches hold single precision
        if (!pin.window.contains(0))
            return;
        double worst = 0;
        for (std::size_t i = 0; i < pin.start.size(); ++i)
            worst = std::max(worst, norm(pin.motion.apply(0, pin.frames[0][i]) - pin.start[i]));
        if (worst > tolerance)
            throw InputError({d.animation->where, key,
                              "a first frame that has the vertices where the cloth starts",
                              fmt::format("one {:.3g} m off", worst),
                              "make the first frame the cloth's mesh, or let the pin start later"});
    }

    void add_rest_angles(Model& model, const State& start) {
        DynamicsLayer& layer = model.dynamics;
        const auto is_bent = [](const ClothDescription& cloth) {
            return cloth.rest_angles.from != RestAngles::From::flat;
        };
        if (scene_.rest_angles.empty() &&
            std::none_of(scene_.cloths.begin(), scene_.cloths.end(), is_bent))
            return;
        layer.rest_angles.assign(layer.hinges.size(), 0);
        for (std::size_t c = 0; c < scene_.cloths.size(); ++c) {
            const RestAngles& angles = scene_.cloths[c].rest_angles;
            if (angles.from == RestAngles::From::mesh)
                set_rest_angles(layer, static_cast<int>(c), start.positions);
            else if (angles.from == RestAngles::From::file)
                set_rest_angles(layer, static_cast<int>(c),
                                sculpted_positions(angles, model, static_cast<int>(c)));
        }
        for (const RestAngleDescription& d : scene_.rest_angles)
            add_creases(d, model);
    }

    // The particles of a cloth where another mesh of the same vertices has them. Angles do not
    // depend on its unit or axes.
    static std::vector<Vec3> sculpted_positions(const RestAngles& angles, const Model& model,
                                                int cloth) {
        const PolygonMesh mesh = read_mesh(angles.path);
        const auto& particle = model.cloths[cloth].particles;
        if (mesh.positions.size() != particle.size())
            reject({angles.path.string(), 0, 0}, "vertices",
                   fmt::format("the {} of cloth '{}', whose rest angles it gives", particle.size(),
                               model.cloths[cloth].name),
                   std::to_string(mesh.positions.size()));
        std::vector<Vec3> out(model.mass.size(), Vec3{0, 0, 0});
        for (std::size_t v = 0; v < particle.size(); ++v)
            out[particle[v]] = mesh.positions[v];
        return out;
    }

    void add_creases(const RestAngleDescription& d, Model& model) const {
        DynamicsLayer& layer = model.dynamics;
        const Region* region = d.region.empty() ? nullptr : &model.regions[region_index(d.region)];
        const int cloth = region ? region->cloth : index_of(scene_, d.cloth);
        const auto holds = [&](int p) {
            return !region ||
                   std::binary_search(region->particles.begin(), region->particles.end(), p);
        };
        int creased = 0;
        for (std::size_t h = 0; h < layer.hinges.size(); ++h) {
            const Hinge& hinge = layer.hinges[h];
            if (layer.triangle_cloth[hinge.t[0]] != cloth || !holds(hinge.v[0]) ||
                !holds(hinge.v[1]))
                continue;
            layer.rest_angles[h] = d.angle * std::numbers::pi / 180;
            ++creased;
        }
        if (creased == 0)
            reject(d.where, "rest_angle",
                   "a region that holds both ends of at least one inner edge",
                   "'" + d.region + "'");
    }

    const SceneDescription& scene_;
    std::vector<CutGarment> garments_;
    std::vector<LayeredCloth> cloths_;
    std::vector<Selection> selections_;
};

} // namespace

BuiltScene build_scene(const SceneDescription& scene) {
    return SceneBuilder(scene).build();
}

} // namespace muslin
