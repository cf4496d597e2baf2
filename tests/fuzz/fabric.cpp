#include "fuzz.h"

#include "muslin/model/measured_fabric.h"

using namespace muslin;

FUZZ_TARGET(fabric) {
    static const fuzz::MemoryFile memory;
    const std::filesystem::path file = memory(bytes);
    fuzz::accepts([&] {
        const MeasuredFabric fabric = read_fabric(file);
        fuzz::require(std::isfinite(fabric.density) && fabric.density > 0, "a density");
        for (const auto& row : fabric.stretching)
            fuzz::require(fuzz::all_finite(row), "finite coefficients");
        for (const auto& row : fabric.bending)
            fuzz::require(fuzz::all_finite(row), "finite coefficients");
        const Material material = material_of(fabric, "fuzz");
        fuzz::require(std::isfinite(material.bend_u) && std::isfinite(material.shear),
                      "a finite material");
    });
}
