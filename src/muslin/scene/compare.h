#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace muslin {

/// The keys in which two scenes differ, as TOML: `cloth.sheet.material: "silk", was "cotton"`.
/// Elements of lists go by their name where they have one. How many frames there are, the title and
/// the limits make no other run of it. Throws InputError for a text that is no TOML.
std::vector<std::string> scene_changes(std::string_view before, std::string_view now);

} // namespace muslin
