#pragma once

#include <span>
#include <string_view>

namespace muslin {

/// A file of the source tree that is part of the program (cmake/MuslinEmbed.cmake).
struct BuiltinFile {
    std::string_view name; ///< without its ending: "bw98/two-corner-sheet", "cotton"
    std::string_view text;
};

/// Every examples/**/*.toml, sorted by name.
std::span<const BuiltinFile> builtin_scenes();
/// Every materials/*.toml, sorted by name.
std::span<const BuiltinFile> builtin_materials();
/// Every patterns/*.toml, sorted by name.
std::span<const BuiltinFile> builtin_patterns();

} // namespace muslin
