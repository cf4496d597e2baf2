#include "muslin/garment/fit.h"

#include "muslin/mesh/fields.h"
#include "muslin/mesh/penetration.h"
#include "muslin/model/build_model.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

namespace muslin {
namespace {

constexpr double girth_step = 0.01; // [m]

struct Weighted {
    double value, weight;
};

Spread spread_of(std::vector<Weighted> values) {
    if (values.empty())
        return {};
    std::sort(values.begin(), values.end(),
              [](const Weighted& a, const Weighted& b) { return a.value < b.value; });
    Spread out;
    double weight = 0, sum = 0;
    for (const Weighted& v : values) {
        weight += v.weight;
        sum += v.weight * v.value;
    }
    out.mean = weight > 0 ? sum / weight : 0;
    out.p95 = out.max = values.back().value;
    double below = 0;
    for (const Weighted& v : values) {
        below += v.weight;
        if (below >= 0.95 * weight) {
            out.p95 = v.value;
            break;
        }
    }
    return out;
}

/// The bodies of a model where they are at a time.
struct PlacedBodies {
    PlacedBodies(const Model& model, double time) {
        for (const Body& body : model.bodies) {
            positions.emplace_back(body.mesh.positions.size());
            shown_positions(body, time, positions.back());
        }
        for (std::size_t b = 0; b < positions.size(); ++b)
            views.push_back({positions[b], model.bodies[b].triangles});
    }
    std::vector<std::vector<Vec3>> positions;
    std::vector<TriangleView> views;
};

/// What every particle knows, once for all parts.
struct ParticleFit {
    std::vector<double> ease;     ///< to the nearest body [m]; empty: no bodies
    std::vector<double> reach;    ///< within which a particle touches that body [m]
    std::vector<double> pressure; ///< [Pa]; empty: no contact
};

ParticleFit particle_fit(const Model& model, const State& state, const PlacedBodies& bodies) {
    ParticleFit out;
    for (std::size_t b = 0; b < bodies.views.size(); ++b) {
        const std::vector<double> distance = surface_distances(state.positions, bodies.views[b]);
        if (b == 0) {
            out.ease.assign(distance.size(), std::numeric_limits<double>::infinity());
            out.reach.assign(distance.size(), 0);
        }
        for (std::size_t p = 0; p < distance.size(); ++p)
            if (distance[p] < out.ease[p]) {
                out.ease[p] = distance[p];
                out.reach[p] =
                    contact_reach * (model.collision.thickness[p] + model.bodies[b].thickness);
            }
    }
    if (state.contact_force.empty())
        return out;
    std::vector<double> area(model.mass.size(), 0);
    for (const auto& [i, j, k] : model.collision.triangles) {
        const double third = norm(cross(state.positions[j] - state.positions[i],
                                        state.positions[k] - state.positions[i])) /
                             6;
        for (const int p : {i, j, k})
            area[p] += third;
    }
    out.pressure.assign(model.mass.size(), 0);
    for (std::size_t p = 0; p < area.size(); ++p)
        if (area[p] > 0)
            out.pressure[p] = state.contact_force[p] / area[p];
    return out;
}

PartFit fit_part(const Model& model, const std::vector<TriangleTension>& tensions,
                 const ParticleFit& particles, std::span<const int> triangles) {
    std::vector<Weighted> values[5];
    std::map<int, double> share; // of particles in the area
    PartFit out;
    for (const int t : triangles) {
        const TriangleTension& s = tensions[t];
        out.area += s.area;
        const double five[] = {100 * s.stretch_u, 100 * s.stretch_v, s.along_u, s.along_v,
                               s.largest};
        for (int i = 0; i < 5; ++i)
            values[i].push_back({five[i], s.area});
        for (const int p : model.dynamics.triangles[t])
            share[p] += s.area / 3;
    }
    Spread* spreads[] = {&out.stretch_u, &out.stretch_v, &out.tension_u, &out.tension_v,
                         &out.tension};
    for (int i = 0; i < 5; ++i)
        *spreads[i] = spread_of(std::move(values[i]));
    if (!particles.pressure.empty()) {
        std::vector<Weighted> pressure;
        for (const auto& [p, area] : share)
            pressure.push_back({particles.pressure[p], area});
        out.pressure = spread_of(std::move(pressure));
    }
    if (!particles.ease.empty() && out.area > 0) {
        out.ease.emplace();
        out.ease->min = std::numeric_limits<double>::infinity();
        for (const auto& [p, area] : share) {
            out.ease->mean += area / out.area * particles.ease[p];
            out.ease->min = std::min(out.ease->min, particles.ease[p]);
            if (particles.ease[p] <= particles.reach[p])
                out.ease->contact += area / out.area;
        }
    }
    return out;
}

/// The panel of each triangle of a cloth, from its range's begin on; -1 for none. Triangles were
/// sorted when the model was built: their particles say which face each was cut from.
std::vector<int> triangle_panels(const Model& model, const Cloth& cloth) {
    const TriangleMesh mesh = triangulate(cloth.surface.mesh);
    const auto sorted = [](std::array<int, 3> t) {
        std::sort(t.begin(), t.end());
        return t;
    };
    std::map<std::array<int, 3>, int> panel;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        std::array<int, 3> particles;
        for (int k = 0; k < 3; ++k)
            particles[k] = cloth.surface.vertex_particle[mesh.triangles[t][k]];
        panel.emplace(sorted(particles), cloth.surface.mesh.face_group[mesh.source_face[t]]);
    }
    std::vector<int> out;
    for (int t = cloth.triangle_range[0]; t < cloth.triangle_range[1]; ++t) {
        const auto found = panel.find(sorted(model.dynamics.triangles[t]));
        out.push_back(found == panel.end() ? -1 : found->second);
    }
    return out;
}

/// The triangles of a cloth that pass.
std::vector<int> choose(const Cloth& cloth, const std::function<bool(int)>& passes) {
    std::vector<int> out;
    for (int t = cloth.triangle_range[0]; t < cloth.triangle_range[1]; ++t)
        if (passes(t))
            out.push_back(t);
    return out;
}

ClothFit fit_cloth(const Model& model, std::size_t c, const std::vector<TriangleTension>& tensions,
                   const ParticleFit& particles) {
    const Cloth& cloth = model.cloths[c];
    const std::vector<int> panel = triangle_panels(model, cloth);
    ClothFit out;
    out.cloth = cloth.name;
    const auto add = [&](PartFit::Kind kind, const std::string& name,
                         const std::function<bool(int)>& passes) {
        const std::vector<int> triangles = choose(cloth, passes);
        if (triangles.empty())
            return;
        out.parts.push_back(fit_part(model, tensions, particles, triangles));
        out.parts.back().kind = kind;
        out.parts.back().name = name;
    };
    add(PartFit::Kind::whole, cloth.name, [](int) { return true; });
    const auto& names = cloth.surface.mesh.group_names;
    for (std::size_t g = 0; g < names.size(); ++g)
        add(PartFit::Kind::panel, names[g],
            [&](int t) { return panel[t - cloth.triangle_range[0]] == static_cast<int>(g); });
    for (const Region& region : model.regions) {
        if (region.cloth != static_cast<int>(c))
            continue;
        const auto& all = region.particles;
        add(PartFit::Kind::region, region.name, [&](int t) {
            const auto& corners = model.dynamics.triangles[t];
            return std::all_of(corners.begin(), corners.end(), [&](int p) {
                return std::binary_search(all.begin(), all.end(), p);
            });
        });
    }
    return out;
}

std::vector<NamedHeight> heights_of_tallest(std::span<const Slices> bodies) {
    const auto tallest =
        std::max_element(bodies.begin(), bodies.end(), [](const Slices& a, const Slices& b) {
            return a.high() - a.low() < b.high() - b.low();
        });
    return tallest == bodies.end() ? std::vector<NamedHeight>() : body_heights(*tallest);
}

} // namespace

bool has_panels(const Cloth& cloth) {
    return cloth.surface_pulls && !cloth.surface.mesh.group_names.empty();
}

std::vector<NamedHeight> body_heights(const Slices& body) {
    struct Landmark {
        const char* name;
        double usual, low, high; ///< of the stature
        int sign;                ///< of what the tape is there: longest or shortest
    };
    constexpr Landmark landmarks[] = {{"bust", 0.72, 0.68, 0.76, 1},
                                      {"waist", 0.62, 0.56, 0.68, -1},
                                      {"hip", 0.51, 0.46, 0.56, 1}};
    const double stature = body.high() - body.low();
    const auto trunk = [&](double height) {
        double longest = 0;
        for (const LevelLoop& loop : body.at(height))
            longest = std::max(longest, tape_length(std::span(&loop, 1)));
        return longest;
    };
    std::vector<NamedHeight> out;
    for (const Landmark& mark : landmarks) {
        NamedHeight best = {mark.name, body.low() + mark.usual * stature};
        double most = mark.sign * trunk(best.height);
        const double end = body.low() + mark.high * stature;
        for (double y = body.low() + mark.low * stature; y <= end; y += girth_step) {
            const double tape = mark.sign * trunk(y);
            if (tape > most + 1e-6) { // not by rounding
                most = tape;
                best.height = y;
            }
        }
        out.push_back(best);
    }
    return out;
}

std::vector<NamedGirth> measure_girths(const Slices& cloth, std::span<const Slices> bodies,
                                       std::span<const NamedHeight> heights) {
    std::vector<NamedGirth> out;
    for (const NamedHeight& at : heights)
        for (const Girth& girth : girths_at(cloth, bodies, at.height))
            out.push_back({at.name, girth});
    std::optional<Girth> tightest;
    for (double y = cloth.low() + 0.5 * girth_step; y < cloth.high(); y += girth_step)
        for (const Girth& girth : girths_at(cloth, bodies, y))
            if (!tightest || girth.ease() < tightest->ease())
                tightest = girth;
    if (tightest)
        out.push_back({"tightest", *tightest});
    return out;
}

std::vector<ClothFit> measure_fit(const Model& model, const State& state, const ThreadLaw& law,
                                  std::span<const NamedHeight> heights) {
    if (std::none_of(model.cloths.begin(), model.cloths.end(), has_panels))
        return {};
    const PlacedBodies bodies(model, state.time);
    const std::vector<Slices> slices(bodies.views.begin(), bodies.views.end());
    const std::vector<NamedHeight> own =
        heights.empty() ? heights_of_tallest(slices)
                        : std::vector<NamedHeight>(heights.begin(), heights.end());
    const std::vector<TriangleTension> tensions = triangle_tensions(model, state, law);
    const ParticleFit particles = particle_fit(model, state, bodies);
    std::vector<ClothFit> out;
    for (std::size_t c = 0; c < model.cloths.size(); ++c) {
        if (!has_panels(model.cloths[c]))
            continue;
        out.push_back(fit_cloth(model, c, tensions, particles));
        const auto [begin, end] = model.cloths[c].triangle_range;
        const TriangleView surface = {state.positions,
                                      std::span(model.dynamics.triangles)
                                          .subspan(begin, static_cast<std::size_t>(end - begin))};
        out.back().girths = measure_girths(Slices(surface), slices, own);
    }
    return out;
}

} // namespace muslin
