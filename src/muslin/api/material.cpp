#include "muslin/material.h"

#include "muslin/api/guard.h"
#include "muslin/api/material_text.h"
#include "muslin/api/toml_text.h"
#include "muslin/scene/builtin.h"
#include "muslin/scene/load.h"

#include <fmt/format.h>

namespace muslin::api {
namespace {

struct Number {
    const char* key;
    std::optional<double> Material::*member;
};

constexpr Number numbers[] = {
    {"density", &Material::density},
    {"stretch_u", &Material::stretch_u},
    {"stretch_v", &Material::stretch_v},
    {"shear", &Material::shear},
    {"bend_u", &Material::bend_u},
    {"bend_v", &Material::bend_v},
    {"stretch_damping", &Material::stretch_damping},
    {"shear_damping", &Material::shear_damping},
    {"bend_damping", &Material::bend_damping},
    {"thickness", &Material::thickness},
    {"friction", &Material::friction},
};

} // namespace

std::string material_text(const Material& material) {
    std::string out;
    const auto add = [&](const std::string& key, const std::string& value) {
        out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", key, value);
    };
    if (!material.base.empty())
        add("base", toml(material.base));
    for (const Number& number : numbers)
        if (const auto& value = material.*number.member)
            add(number.key, toml(*value));
    for (const auto& [key, value] : material.others)
        add(toml(key), toml(value));
    return "{ " + out + " }";
}

std::map<std::string, double> material_numbers(const std::string& name_or_path) {
    return guarded(nullptr, [&] {
        std::map<std::string, double> out;
        for (const auto& [key, value] : muslin::material_numbers(load_material(name_or_path, true)))
            out[std::string(key)] = value;
        return out;
    });
}

std::vector<std::string> material_names() {
    std::vector<std::string> out;
    for (const BuiltinFile& file : builtin_materials())
        out.emplace_back(file.name);
    return out;
}

} // namespace muslin::api
