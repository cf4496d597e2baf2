#include "muslin/model/parts.h"

#include "muslin/model/builtin_parts.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

namespace muslin {
namespace {

struct Registry {
    std::vector<Part> parts = builtin_parts();
    std::vector<Recipe> recipes = builtin_recipes();
};

Registry& registry() {
    static Registry all;
    return all;
}

const Part* find_part(std::string_view stage, std::string_view name) {
    const std::vector<Part>& all = registry().parts;
    const auto found = std::find_if(all.begin(), all.end(), [&](const Part& part) {
        return part.stage == stage && part.name == name;
    });
    return found == all.end() ? nullptr : &*found;
}

const Recipe* find_recipe(std::string_view name) {
    const std::vector<Recipe>& all = registry().recipes;
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Recipe& one) { return one.name == name; });
    return found == all.end() ? nullptr : &*found;
}

/// 'a', 'b', 'c'
template <class Range, class Name>
std::string quoted_list(const Range& range, Name name) {
    std::string text;
    for (const auto& item : range)
        if (const std::string n = name(item); !n.empty())
            text += (text.empty() ? "'" : ", '") + n + "'";
    return text;
}

bool goes_with(const Part& contact, const std::string& integrator) {
    return contact.integrators.empty() ||
           std::find(contact.integrators.begin(), contact.integrators.end(), integrator) !=
               contact.integrators.end();
}

/// Contact that is part of the implicit system needs one.
void check_contact(const Recipe& recipe, const std::map<std::string, PartChoice>& overrides) {
    const std::string& integrator = recipe.parts.at("integrator");
    const Part& contact = *find_part("contact", recipe.parts.at("contact"));
    if (goes_with(contact, integrator))
        return;
    const auto chosen = overrides.find(overrides.count("contact") ? "contact" : "integrator");
    const std::string fitting = quoted_list(registry().parts, [&](const Part& part) {
        return part.stage == "contact" && goes_with(part, integrator) ? part.name : std::string();
    });
    const auto itself = [](const std::string& name) { return name; };
    throw InputError({chosen == overrides.end() ? Source{} : chosen->second.where,
                      "parts.contact",
                      fmt::format("one of {} with the integrator '{}'", fitting, integrator),
                      fmt::format("'{}', which needs one of {}", contact.name,
                                  quoted_list(contact.integrators, itself)),
                      {}});
}

} // namespace

std::span<const Part> parts() {
    return registry().parts;
}

std::span<const Recipe> recipes() {
    return registry().recipes;
}

void register_part(Part part) {
    if (part.stage != added_force &&
        std::find(stages.begin(), stages.end(), part.stage) == stages.end())
        throw std::logic_error(fmt::format("no stage is called '{}'", part.stage));
    if (find_part(part.stage, part.name))
        throw std::logic_error(
            fmt::format("the stage '{}' has a part '{}' already", part.stage, part.name));
    registry().parts.push_back(std::move(part));
}

void register_recipe(Recipe recipe) {
    if (find_recipe(recipe.name))
        throw std::logic_error(fmt::format("there is a recipe '{}' already", recipe.name));
    if (recipe.parts.size() != stages.size())
        throw std::logic_error(
            fmt::format("the recipe '{}' does not have a part for every stage", recipe.name));
    for (const auto& [stage, part] : recipe.parts)
        if (!find_part(stage, part))
            throw std::logic_error(fmt::format("the recipe '{}' has an unknown part '{}' of '{}'",
                                               recipe.name, part, stage));
    registry().recipes.push_back(std::move(recipe));
}

Recipe choose_recipe(const std::string& name, const std::map<std::string, PartChoice>& overrides) {
    const Recipe* known = find_recipe(name);
    if (!known)
        throw InputError(
            {{},
             "recipe",
             "one of " + quoted_list(recipes(), [](const Recipe& one) { return one.name; }),
             "'" + name + "'",
             {}});
    Recipe recipe = *known;
    for (const auto& [stage, choice] : overrides) {
        if (!recipe.parts.count(stage))
            throw InputError({choice.where,
                              "parts." + stage,
                              "one of the stages " +
                                  quoted_list(recipe.parts, [](const auto& p) { return p.first; }),
                              "'" + stage + "'",
                              {}});
        if (!find_part(stage, choice.part))
            throw InputError({choice.where,
                              "parts." + stage,
                              "one of " + quoted_list(parts(),
                                                      [&, s = stage](const Part& part) {
                                                          return part.stage == s ? part.name
                                                                                 : std::string();
                                                      }),
                              "'" + choice.part + "'",
                              {}});
        recipe.parts[stage] = choice.part;
    }
    check_contact(recipe, overrides);
    return recipe;
}

} // namespace muslin
