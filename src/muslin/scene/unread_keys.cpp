#include "muslin/scene/unread_keys.h"

#include "muslin/model/parts.h"
#include "muslin/scene/table_reader.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace muslin {
namespace {

/// What a fabric must have that starts from no other and is no isotropic sheet.
constexpr std::array<std::string_view, 5> stiffnesses = {"stretch_u", "stretch_v", "shear",
                                                         "bend_u", "bend_v"};

template <class List>
bool contains(const List& all, std::string_view one) {
    return std::find(all.begin(), all.end(), one) != all.end();
}

class Checker {
public:
    explicit Checker(const SceneDescription& scene)
        : recipe_(choose_recipe(scene.recipe, scene.parts)) {}

    /// Of one table of the scene; `group` is what the tables of keys call it.
    void check(const TomlTable& table, std::string_view group, std::string_view path) const {
        for (const TomlEntry& entry : table.entries)
            check(entry, group, path);
    }

    void check_material(const TomlTable& material, const std::string& path, bool isotropic) const {
        // A fabric of the scene's own is whole whatever reads it.
        const bool whole = !material.find("base");
        for (const TomlEntry& entry : material.entries) {
            const bool needed =
                whole && !material.find("young") && contains(stiffnesses, entry.key);
            // The stiffnesses of an isotropic sheet follow from them.
            const bool followed =
                isotropic && (entry.key == "poisson" || entry.key == "bend_factor");
            if (!needed && !followed)
                check(entry, "material", path);
        }
    }

private:
    void check(const TomlEntry& entry, std::string_view group, std::string_view path) const {
        const std::string key = fmt::format("{}.{}", group, entry.key);
        std::vector<std::string> here, elsewhere;
        for (const std::string_view stage : stages) {
            const std::string& chosen = recipe_.parts.at(std::string(stage));
            std::vector<std::string> readers;
            for (const Part& part : parts())
                if (part.stage == stage && contains(part.reads, key))
                    readers.push_back(fmt::format("\"{}\"", part.name));
            if (contains(readers, fmt::format("\"{}\"", chosen)))
                return;
            if (readers.empty())
                continue;
            here.push_back(fmt::format("{} = \"{}\"", stage, chosen));
            elsewhere.push_back(fmt::format("{} = {}", stage, fmt::join(readers, ", ")));
        }
        if (!here.empty())
            throw InputError({entry.where, join_path(path, entry.key),
                              fmt::format("a key that {} reads", fmt::join(here, " or ")),
                              '\'' + entry.key + '\'',
                              fmt::format("it is read with {}", fmt::join(elsewhere, " or "))});
    }

    Recipe recipe_;
};

const TomlTable* table_of(const TomlTable& table, std::string_view key) {
    const TomlEntry* entry = table.find(key);
    return entry ? entry->value.table() : nullptr;
}

/// The tables of an array of them, which has been read by now.
std::span<const TomlValue> tables_of(const TomlTable& document, std::string_view key) {
    const TomlEntry* entry = document.find(key);
    return entry ? std::span<const TomlValue>(*entry->value.array()) : std::span<const TomlValue>();
}

/// Whether the fabric of a cloth that was read from the table at `where` has a Young's modulus.
bool is_isotropic(const SceneDescription& scene, const Source& where) {
    return std::any_of(scene.cloths.begin(), scene.cloths.end(), [&](const ClothDescription& c) {
        return c.where.line == where.line && c.where.column == where.column && c.material.young > 0;
    });
}

} // namespace

void check_keys_are_read(const TomlValue& document, const SceneDescription& scene,
                         bool of_materials) {
    const Checker unread(scene);
    const TomlTable& whole = *document.table();
    unread.check(whole, "scene", "");
    for (const std::string_view name : {"world", "solver", "contact"})
        if (const TomlTable* table = table_of(whole, name))
            unread.check(*table, name, name);
    // Frames may be pushed out of bodies by level sets whatever the contact is.
    if (const TomlTable* grids = table_of(whole, "level_sets");
        grids && !scene.post.enabled.value_or(false))
        unread.check(*grids, "level_sets", "level_sets");
    for (const std::string_view kind : {"cloth", "garment", "body"}) {
        const std::span<const TomlValue> all = tables_of(whole, kind);
        for (std::size_t i = 0; i < all.size(); ++i) {
            const std::string path = fmt::format("{}[{}]", kind, i);
            const TomlTable& table = *all[i].table();
            unread.check(table, kind, path);
            if (const TomlTable* material = of_materials ? table_of(table, "material") : nullptr)
                unread.check_material(*material, path + ".material",
                                      is_isotropic(scene, all[i].where));
        }
    }
}

} // namespace muslin
