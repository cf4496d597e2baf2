#include "commands.h"

#include "muslin/model/measured_fabric.h"
#include "muslin/scene/load.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <numbers>

namespace muslin::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr double strains[] = {0.01, 0.05, 0.10};

struct Direction {
    const char* name;
    double angle; ///< to u [rad]
};
constexpr Direction directions[] = {
    {"u", 0}, {"v", std::numbers::pi / 2}, {"45 degrees", std::numbers::pi / 4}};

} // namespace

int info_fabric(const std::string& file, bool json) {
    const MeasuredFabric fabric = read_fabric(file);
    const Material m = load_material(file);
    const StressLaw measured = [&](const PatternTensor& g) { return measured_stress(fabric, g); };
    const StressLaw ours = [&](const PatternTensor& g) { return linear_stress(m, g); };
    Json out = {{"file", file}, {"format", "measured fabric"}, {"material", to_json(m)}};
    if (!json) {
        fmt::print("{}: a measured fabric, {:.3f} kg/m^2; as a material:\n", file, fabric.density);
        fmt::print("  stretch u {:.1f}, v {:.1f} N/m; shear {:.1f} N/m; bend u {:.2e}, v {:.2e} "
                   "N m; thickness {:.2f} mm; friction {:.2f}\n",
                   m.stretch_u, m.stretch_v, m.shear, m.bend_u, m.bend_v, 1e3 * m.thickness,
                   m.friction);
        fmt::print("  force of a pulled strip [N/m], measured / as a material:\n  {:12}", "");
        for (const double strain : strains)
            fmt::print(" {:>18}", fmt::format("{:.0f} %", 100 * strain));
        fmt::print("\n");
    }
    for (const Direction& direction : directions) {
        if (!json)
            fmt::print("  {:12}", direction.name);
        for (const double strain : strains) {
            const double theirs = pull_strip(measured, direction.angle, strain);
            const double force = pull_strip(ours, direction.angle, strain);
            out["pulls"].push_back({{"direction", direction.name},
                                    {"strain", strain},
                                    {"measured", theirs},
                                    {"material", force}});
            if (!json)
                fmt::print(" {:>18}", fmt::format("{:.3g} / {:.3g}", theirs, force));
        }
        if (!json)
            fmt::print("\n");
    }
    if (json)
        fmt::print("{}\n", out.dump(2, ' ', false, Json::error_handler_t::replace));
    return 0;
}

} // namespace muslin::cli
