#include "commands.h"

#include "muslin/base/error.h"
#include "muslin/garment/fit.h"
#include "muslin/io/run_reader.h"
#include "muslin/io/run_report.h"
#include "muslin/run/fit_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace muslin::cli {
namespace {

using Json = OrderedJson;

/// The elements of a list, each named after its place.
std::vector<JsonPlace> items(const JsonPlace& list, const char* expected) {
    std::vector<JsonPlace> out;
    for (std::size_t i = 0; i < list.size(expected); ++i)
        out.push_back(list.item(i).named(fmt::format("{}[{}]", list.key(), i)));
    return out;
}

/// Throws InputError where the fit is not as a run writes it, which all below relies on.
void check_fit(const JsonPlace& fit) {
    const auto check_numbers = [](const JsonPlace& place, std::initializer_list<const char*> keys) {
        for (const char* key : keys)
            place.at(key, "a number").number();
    };
    for (const JsonPlace& cloth : items(fit, "an array of cloths")) {
        cloth.at("cloth", "the name of a cloth").text("the name of a cloth");
        for (const JsonPlace& part :
             items(cloth.at("parts", "an array of parts"), "an array of parts")) {
            part.at("part", "the name of a part").text("the name of a part");
            check_numbers(part, {"area"});
            for (const char* key :
                 {"stretch_u", "stretch_v", "tension_u", "tension_v", "tension", "pressure"})
                if (part.has(key))
                    check_numbers(part.at(key, "an object"), {"mean", "p95", "max"});
            if (part.has("ease"))
                check_numbers(part.at("ease", "an object"), {"mean", "min", "contact"});
        }
        for (const JsonPlace& girth :
             items(cloth.at("girths", "an array of girths"), "an array of girths")) {
            girth.at("at", "the name of a girth").text("the name of a girth");
            check_numbers(girth, {"height", "cloth", "body", "ease"});
        }
    }
}

/// What the report of a run says of its garments at the last frame.
Json read_fit(const std::string& directory) {
    const std::string file = (std::filesystem::path(directory) / "report.json").string();
    const Json report = read_run_report(file);
    if (const auto fit = JsonPlace(report, file, "").find("fit")) {
        check_fit(*fit);
        return fit->value();
    }
    throw InputError({{file, 0, 0},
                      "fit",
                      "the fit of a garment",
                      "nothing",
                      report.contains("passed") ? "a cloth has it whose mesh has named panels"
                                                : "a run has it when it has ended"});
}

/// Girths at heights that a user asks for, from the last frame of the caches.
void add_girths(RunReader& run, const std::vector<double>& heights, Json& fit) {
    const int last = run.frames() - 1;
    std::vector<std::vector<Vec3>> places(run.bodies().size());
    std::vector<Slices> bodies;
    for (std::size_t b = 0; b < places.size(); ++b) {
        run.bodies()[b].read(last, places[b]);
        bodies.emplace_back(TriangleView{places[b], run.bodies()[b].triangles().triangles});
    }
    std::vector<Vec3> positions;
    for (RunObject& cloth : run.cloths())
        for (Json& entry : fit) {
            if (entry.at("cloth") != cloth.name())
                continue;
            cloth.read(last, positions);
            const Slices surface({positions, cloth.triangles().triangles});
            for (const double height : heights)
                for (const Girth& girth : girths_at(surface, bodies, height))
                    entry["girths"].push_back(
                        to_json(NamedGirth{fmt::format("{:.3g} m", height), girth}));
        }
}

/// The values of some keys in one column.
std::string figures(const Json& part, const char* key, std::initializer_list<const char*> names,
                    double factor = 1) {
    if (!part.contains(key))
        return "-";
    std::string out;
    for (const char* name : names)
        out += fmt::format("{}{:.1f}", out.empty() ? "" : " ",
                           factor * part[key].at(name).get<double>());
    return out;
}

void print_row(const std::string& name, std::size_t width,
               const std::array<std::string, 9>& cells) {
    constexpr int widths[] = {7, 10, 10, 9, 9, 15, 18, 11, 7};
    fmt::print("  {:{}}", name, width);
    for (std::size_t i = 0; i < cells.size(); ++i)
        fmt::print(" {:>{}}", cells[i], widths[i]);
    fmt::print("\n");
}

void print_parts(const Json& parts) {
    std::size_t width = 4;
    for (const Json& part : parts)
        width = std::max(width, part.at("part").get<std::string>().size());
    print_row("part", width,
              {"area", "stretch u", "stretch v", "tension u", "tension v", "tension", "pressure",
               "ease", "contact"});
    print_row("", width, {"m^2", "%", "%", "N/m", "N/m", "N/m", "Pa", "mm", "%"});
    print_row("", width,
              {"", "mean max", "mean max", "mean", "mean", "mean 95% max", "mean 95% max",
               "mean min", ""});
    for (const Json& part : parts)
        print_row(
            part.at("part").get<std::string>(), width,
            {fmt::format("{:.4f}", part.at("area").get<double>()),
             figures(part, "stretch_u", {"mean", "max"}),
             figures(part, "stretch_v", {"mean", "max"}), figures(part, "tension_u", {"mean"}),
             figures(part, "tension_v", {"mean"}), figures(part, "tension", {"mean", "p95", "max"}),
             figures(part, "pressure", {"mean", "p95", "max"}),
             figures(part, "ease", {"mean", "min"}, 1e3), figures(part, "ease", {"contact"}, 100)});
}

void print_girths(const Json& girths) {
    if (girths.empty())
        return;
    fmt::print("  {:12} {:>9} {:>9} {:>9} {:>9}\n", "girth at", "height", "cloth", "body", "ease");
    fmt::print("  {:12} {:>9} {:>9} {:>9} {:>9}\n", "", "m", "m", "m", "m");
    for (const Json& girth : girths)
        fmt::print("  {:12} {:9.3f} {:9.3f} {:9.3f} {:9.3f}\n", girth.at("at").get<std::string>(),
                   girth.at("height").get<double>(), girth.at("cloth").get<double>(),
                   girth.at("body").get<double>(), girth.at("ease").get<double>());
}

} // namespace

int measure_fit(const std::vector<std::string>& inputs, const std::vector<double>& heights,
                bool json) {
    const std::string& directory = inputs.front();
    if (inputs.size() > 1)
        throw InputError({{inputs[1], 0, 0}, "INPUT", "the directory of one run", "several", ""});
    RunReader run(directory);
    Json fit = read_fit(directory);
    if (!heights.empty())
        add_girths(run, heights, fit);
    if (json) {
        fmt::print("{}\n", fit.dump(2, ' ', false, Json::error_handler_t::replace));
        return 0;
    }
    for (const Json& cloth : fit) {
        fmt::print("{}, frame {}:\n", cloth.at("cloth").get<std::string>(), run.frames() - 1);
        print_parts(cloth.at("parts"));
        print_girths(cloth.at("girths"));
    }
    return 0;
}

} // namespace muslin::cli
