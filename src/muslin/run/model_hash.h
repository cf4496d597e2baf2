#pragma once

#include "muslin/base/hash.h"
#include "muslin/model/model.h"

#include <vector>

namespace muslin {

template <class T>
void add_values(Hash64& hash, const std::vector<T>& values) {
    const std::size_t size = values.size();
    hash.add(&size, sizeof size);
    hash.add(values.data(), size * sizeof(T));
}

inline void add_material(Hash64& hash, const Material& m) {
    const double numbers[] = {m.density,
                              m.stretch_u,
                              m.stretch_v,
                              m.shear,
                              m.bend_u,
                              m.bend_v,
                              m.stretch_damping,
                              m.shear_damping,
                              m.bend_damping,
                              m.bend_stiffening,
                              m.bend_rate_stiffening,
                              m.thickness,
                              m.friction,
                              m.young,
                              m.poisson,
                              m.bend_factor,
                              m.compression_stiffness,
                              m.soft_extension,
                              m.curvature_limit,
                              m.yield_stretch,
                              m.yield_bend,
                              m.relaxation_time,
                              m.spring_structural,
                              m.spring_shear,
                              m.spring_flexion,
                              m.spring_damping,
                              m.elongation_limit,
                              static_cast<double>(m.elongation_law),
                              static_cast<double>(m.potential.law),
                              m.potential.sharpness};
    hash.add(numbers, sizeof numbers);
}

/// What a model took from the files of its scene: meshes, patterns, fabrics. Of bodies that deform
/// the first frame.
inline void add_model(Hash64& hash, const Model& model) {
    add_values(hash, model.mass);
    add_values(hash, model.dynamics.triangles);
    add_values(hash, model.dynamics.pattern);
    add_values(hash, model.collision.thickness);
    for (const Body& body : model.bodies) {
        add_values(hash, body.triangles);
        add_values(hash, body.frames.empty() ? body.mesh.positions : body.frames.front());
    }
    for (const Region& region : model.regions)
        add_values(hash, region.particles);
    for (const Cloth& cloth : model.cloths)
        add_material(hash, cloth.material);
}

} // namespace muslin
