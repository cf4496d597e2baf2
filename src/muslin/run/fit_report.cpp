#include "muslin/run/fit_report.h"

#include "muslin/engine/recipe.h"

#include <nlohmann/json.hpp>

namespace muslin {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Spread& spread) {
    return {{"mean", spread.mean}, {"p95", spread.p95}, {"max", spread.max}};
}

Json to_json(const PartFit& part) {
    constexpr const char* kinds[] = {"whole", "panel", "region"};
    Json out = {{"part", part.name},
                {"kind", kinds[static_cast<int>(part.kind)]},
                {"area", part.area},
                {"stretch_u", to_json(part.stretch_u)},
                {"stretch_v", to_json(part.stretch_v)},
                {"tension_u", to_json(part.tension_u)},
                {"tension_v", to_json(part.tension_v)},
                {"tension", to_json(part.tension)}};
    if (part.pressure)
        out["pressure"] = to_json(*part.pressure);
    if (part.ease)
        out["ease"] = {
            {"mean", part.ease->mean}, {"min", part.ease->min}, {"contact", part.ease->contact}};
    return out;
}

} // namespace

Json to_json(const NamedGirth& girth) {
    return {{"at", girth.name},           {"height", girth.girth.height},
            {"x", girth.girth.centre.x},  {"z", girth.girth.centre.y},
            {"cloth", girth.girth.cloth}, {"body", girth.girth.body},
            {"ease", girth.girth.ease()}};
}

Json fit_json(const Simulation& simulation) {
    Json out;
    for (const ClothFit& cloth :
         measure_fit(simulation.model(), simulation.state(), thread_law(simulation.recipe()))) {
        Json parts = Json::array(), girths = Json::array();
        for (const PartFit& part : cloth.parts)
            parts.push_back(to_json(part));
        for (const NamedGirth& girth : cloth.girths)
            girths.push_back(to_json(girth));
        out.push_back({{"cloth", cloth.cloth}, {"parts", parts}, {"girths", girths}});
    }
    return out;
}

} // namespace muslin
