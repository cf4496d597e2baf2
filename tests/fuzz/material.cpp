#include "fuzz.h"

#include "muslin/scene/load.h"

using namespace muslin;

FUZZ_TARGET(material) {
    static const fuzz::MemoryFile file;
    fuzz::accepts([&] {
        const Material m = load_material(file(bytes).string());
        fuzz::require(fuzz::all_finite(std::array{m.density, m.stretch_u, m.stretch_v, m.shear,
                                                  m.bend_u, m.bend_v, m.thickness, m.friction,
                                                  m.stretch_damping, m.shear_damping}),
                      "finite numbers");
        fuzz::require(m.density > 0 && m.thickness > 0 && m.stretch_u > 0 && m.stretch_v > 0,
                      "a fabric");
    });
}
