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
    for (const Cloth& cloth : model.cloths) {
        const Material& m = cloth.material;
        const double numbers[] = {m.density,      m.stretch_u,       m.stretch_v,    m.shear,
                                  m.bend_u,       m.bend_v,          m.friction,     m.thickness,
                                  m.bend_damping, m.stretch_damping, m.shear_damping};
        hash.add(numbers, sizeof numbers);
    }
}

} // namespace muslin
