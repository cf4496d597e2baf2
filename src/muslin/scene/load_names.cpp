// Names of what is in a scene: good ones, each once.
#include "muslin/scene/load_parts.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace muslin {

std::string NameBook::read(TableReader& reader, const std::string& fallback) {
    const std::optional<Place> place =
        fallback.empty() ? reader.require("name", "a name") : reader.get("name");
    const std::string name = place ? place->text("a name") : fallback;
    if (place) {
        // Names become file names and parts of --set paths.
        const auto good = [](unsigned char c) {
            return std::isalnum(c) || c == '_' || c == '-' || c >= 0x80;
        };
        if (name.empty() || !std::all_of(name.begin(), name.end(), good) ||
            std::isdigit(static_cast<unsigned char>(name[0])) || name[0] == '-')
            place->fail("a name of letters, digits, '_' and '-' that begins with a letter");
    }
    take(name, place ? place->where() : reader.where(), reader.path_of("name"));
    return name;
}

void NameBook::take(const std::string& name, const Source& where, const std::string& key) {
    const auto [taken, is_new] = taken_.emplace(name, where);
    if (!is_new)
        throw InputError({where, key, fmt::format("a name that no other {} has", owners_),
                          '"' + name + '"',
                          taken->second.line > 0 ? fmt::format("line {} has it", taken->second.line)
                                                 : std::string()});
}

std::string NameBook::read_optional(TableReader& reader) {
    return reader.get("name") ? read(reader, "") : std::string();
}

} // namespace muslin
