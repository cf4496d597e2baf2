#include "muslin/run/certificate.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <sys/resource.h>

namespace muslin {

using Json = nlohmann::ordered_json;

double peak_memory_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

Json to_json(const Profile& profile) {
    Json out;
    out["total"] = profile.total();
    for (std::size_t i = 0; i < task_names.size(); ++i)
        out[task_names[i]] = profile.seconds[i];
    return out;
}

void put_verdict(Json& out, const Verdict& v, bool has_bodies) {
    out["stretch_max"] = v.stretch_max;
    out["stretch_min"] = v.stretch_min;
    out["stretch_99"] = v.stretch_99;
    out["principal_stretch_max"] = v.principal_max;
    out["principal_stretch_min"] = v.principal_min;
    out["self_intersections"] = v.self_intersections;
    // Null: no body encloses anything that the cloth could be inside of.
    out["body_penetration_max"] = v.body_penetration_max ? Json(*v.body_penetration_max) : Json();
    out["body_intersections"] = has_bodies ? Json(v.body_intersections) : Json(nullptr);
    if (v.pinched_intersections + v.pinched_vertices + v.pinched_self_intersections > 0) {
        out["pinched_intersections"] = v.pinched_intersections;
        out["pinched_vertices"] = v.pinched_vertices;
        out["pinched_self_intersections"] = v.pinched_self_intersections;
    }
}

void widen(Verdict& worst, const Verdict& v) {
    worst.stretch_max = std::max(worst.stretch_max, v.stretch_max);
    worst.stretch_min = std::min(worst.stretch_min, v.stretch_min);
    worst.stretch_99 = std::max(worst.stretch_99, v.stretch_99);
    worst.principal_max = std::max(worst.principal_max, v.principal_max);
    worst.principal_min = std::min(worst.principal_min, v.principal_min);
    worst.self_intersections = std::max(worst.self_intersections, v.self_intersections);
    worst.body_intersections = std::max(worst.body_intersections, v.body_intersections);
    worst.pinched_intersections = std::max(worst.pinched_intersections, v.pinched_intersections);
    worst.pinched_vertices = std::max(worst.pinched_vertices, v.pinched_vertices);
    worst.pinched_self_intersections =
        std::max(worst.pinched_self_intersections, v.pinched_self_intersections);
    if (v.body_penetration_max)
        worst.body_penetration_max =
            std::max(worst.body_penetration_max.value_or(0), *v.body_penetration_max);
}

bool keeps(const LimitsDescription& limits, const Verdict& worst, int seams_open) {
    return (!limits.stretch_max || worst.stretch_max <= *limits.stretch_max) &&
           (!limits.stretch_min || worst.stretch_min >= *limits.stretch_min) &&
           (!limits.self_intersections || worst.self_intersections <= *limits.self_intersections) &&
           (!limits.body_intersections || worst.body_intersections <= *limits.body_intersections) &&
           (!limits.body_penetration_max ||
            worst.body_penetration_max.value_or(0) <= *limits.body_penetration_max) &&
           (!limits.seams_open || seams_open <= *limits.seams_open);
}

Json limits_json(const LimitsDescription& limits) {
    Json out = Json::object();
    if (limits.stretch_max)
        out["stretch_max"] = *limits.stretch_max;
    if (limits.stretch_min)
        out["stretch_min"] = *limits.stretch_min;
    if (limits.self_intersections)
        out["self_intersections"] = *limits.self_intersections;
    if (limits.body_intersections)
        out["body_intersections"] = *limits.body_intersections;
    if (limits.body_penetration_max)
        out["body_penetration_max"] = *limits.body_penetration_max;
    if (limits.seams_open)
        out["seams_open"] = *limits.seams_open;
    return out;
}

// An object that the new scene lacks would else be taken for a part of it.
void remove_earlier_run(const std::filesystem::path& directory) {
    const std::filesystem::path report = directory / "report.json";
    std::error_code error;
    if (std::filesystem::is_regular_file(report, error)) {
        std::ifstream stream(report);
        const auto old = Json::parse(stream, nullptr, false);
        for (const auto& [key, prefix] : {std::pair("cloths", ""), std::pair("bodies", "body-")})
            if (old.is_object() && old.contains(key) && old[key].is_array())
                for (const Json& object : old[key])
                    if (object.is_object() && object.contains("name") && object["name"].is_string())
                        for (const char* ending : {".obj", ".pc2", ".fields"}) {
                            const std::string name = object["name"].get<std::string>();
                            if (name.find('/') == std::string::npos)
                                std::filesystem::remove(directory / (prefix + name + ending),
                                                        error);
                        }
    }
    std::filesystem::remove(report, error);
}

} // namespace muslin
