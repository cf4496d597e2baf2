#include "commands.h"

#include "muslin/engine/recipe.h"
#include "muslin/scene/builtin.h"
#include "muslin/scene/load.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace muslin::cli {

using Json = nlohmann::ordered_json;

int recipes(bool json) {
    if (json) {
        Json out;
        for (const Recipe& r : muslin::recipes())
            out["recipes"].push_back(
                {{"name", r.name}, {"title", r.title}, {"source", r.source}, {"parts", r.parts}});
        for (const Part& p : parts())
            out["parts"].push_back({{"stage", p.stage}, {"name", p.name}, {"summary", p.summary}});
        fmt::print("{}\n", out.dump(2, ' ', false, Json::error_handler_t::replace));
        return 0;
    }
    for (const Recipe& r : muslin::recipes()) {
        fmt::print("{}  {}\n  {}\n", r.name, r.title, r.source);
        for (const auto& [stage, part] : r.parts)
            fmt::print("  {:13} {}\n", stage, part);
    }
    fmt::print("\nParts that a scene can choose ([parts] stage = \"part\"):\n");
    for (const Part& p : parts())
        fmt::print("  {:13} {:17} {}\n", p.stage, p.name, p.summary);
    return 0;
}

Json to_json(const Material& m) {
    return {{"name", m.name},
            {"density", m.density},
            {"stretch_u", m.stretch_u},
            {"stretch_v", m.stretch_v},
            {"shear", m.shear},
            {"bend_u", m.bend_u},
            {"bend_v", m.bend_v},
            {"stretch_damping", m.stretch_damping},
            {"shear_damping", m.shear_damping},
            {"bend_damping", m.bend_damping},
            {"thickness", m.thickness},
            {"friction", m.friction},
            {"source", m.source}};
}

int materials(std::vector<std::string> names, bool json, bool allow_outside) {
    if (names.empty())
        for (const BuiltinFile& file : builtin_materials())
            names.emplace_back(file.name);
    Json out = Json::array();
    if (!json)
        fmt::print("{:22} {:>8} {:>15} {:>7} {:>19} {:>9} {:>8}\n{:22} {:>8} {:>15} {:>7} {:>19} "
                   "{:>9} {:>8}\n",
                   "fabric", "density", "stretch u/v", "shear", "bend u/v", "thickness", "friction",
                   "", "kg/m^2", "N/m", "N/m", "N m", "m", "");
    for (const std::string& name : names) {
        const Material m = load_material(name, allow_outside);
        if (json) {
            out.push_back(to_json(m));
            continue;
        }
        fmt::print("{:22} {:8.3f} {:>15} {:7.0f} {:>19} {:9.1e} {:8.2f}\n  {}\n", m.name, m.density,
                   fmt::format("{:.0f}/{:.0f}", m.stretch_u, m.stretch_v), m.shear,
                   fmt::format("{:.2e}/{:.2e}", m.bend_u, m.bend_v), m.thickness, m.friction,
                   m.source);
    }
    if (json)
        fmt::print("{}\n", out.dump(2, ' ', false, Json::error_handler_t::replace));
    return 0;
}

} // namespace muslin::cli
