#include "muslin/io/fabric_file.h"

#include "muslin/io/json_text.h"
#include "muslin/io/read_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace muslin {
namespace {

using Json = nlohmann::json;

Json parse(const std::string& file, const std::string& text) {
    try {
        return Json::parse(text);
    } catch (const Json::exception& error) {
        const auto* place = dynamic_cast<const Json::parse_error*>(&error);
        const auto end = text.begin() + static_cast<std::ptrdiff_t>(
                                            place ? std::min(place->byte, text.size()) : 0);
        const int line = 1 + static_cast<int>(std::count(text.begin(), end, '\n'));
        fail_input(file, line, "", "JSON", "text that cannot be read as such");
    }
}

double read_number(const std::string& file, const std::string& key, const Json& value) {
    if (!value.is_number() || !std::isfinite(value.get<double>()))
        fail_input(file, 0, key, "a finite number", found_text(value));
    return value.get<double>();
}

template <std::size_t rows, std::size_t columns>
void read_table(const std::string& file, const std::string& key, const Json& document,
                std::array<std::array<double, columns>, rows>& out) {
    const auto at = document.find(key);
    if (at == document.end())
        fail_input(file, 0, key, fmt::format("{} lists of {} numbers", rows, columns), "nothing");
    if (!at->is_array() || at->size() != rows)
        fail_input(file, 0, key, fmt::format("{} lists of {} numbers", rows, columns),
                   found_text(*at));
    for (std::size_t i = 0; i < rows; ++i) {
        const Json& row = (*at)[i];
        if (!row.is_array() || row.size() != columns)
            fail_input(file, 0, fmt::format("{}[{}]", key, i), fmt::format("{} numbers", columns),
                       found_text(row));
        for (std::size_t j = 0; j < columns; ++j)
            out[i][j] = read_number(file, fmt::format("{}[{}][{}]", key, i, j), row[j]);
    }
}

void require_positive(const std::string& file, const std::string& key, double value,
                      std::string_view unit) {
    if (!(value > 0))
        fail_input(file, 0, key, fmt::format("a positive number [{}]", unit),
                   fmt::format("{}", value));
}

} // namespace

MeasuredFabric read_fabric(const std::filesystem::path& path) {
    const std::string file = path.string();
    const Json document = parse(file, read_file(path));
    if (!document.is_object())
        fail_input(file, 0, "", "an object with density, stretching and bending",
                   found_text(document));
    MeasuredFabric out;
    const auto density = document.find("density");
    if (density == document.end())
        fail_input(file, 0, "density", "a positive number [kg/m^2]", "nothing");
    out.density = read_number(file, "density", *density);
    require_positive(file, "density", out.density, "kg/m^2");
    read_table(file, "stretching", document, out.stretching);
    read_table(file, "bending", document, out.bending);
    for (const int column : {0, 2, 3})
        require_positive(file, fmt::format("stretching[0][{}]", column), out.stretching[0][column],
                         "N/m");
    require_positive(file, "stretching[1][0]", out.stretching[1][0], "N/m");
    require_positive(file, "stretching[5][2]", out.stretching[5][2], "N/m");
    for (const int row : {0, 1, 2})
        require_positive(file, fmt::format("bending[{}][0]", row), out.bending[row][0], "N m");
    return out;
}

bool is_fabric(const std::filesystem::path& file) {
    if (lower_case_ending(file) != ".json")
        return false;
    std::string text;
    try {
        text = read_file(file);
    } catch (const FileError&) {
        return false;
    }
    const Json document = Json::parse(text, nullptr, false);
    return document.is_object() &&
           (document.contains("stretching") || document.contains("bending"));
}

} // namespace muslin
