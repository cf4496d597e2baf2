#pragma once

#include "muslin/pattern/pattern.h"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace muslin {

/// A value for one of a pattern's `sizes`, in the units that the pattern has for it.
struct PatternSize {
    std::string name;
    double value = 0;
};

/// Reads and checks a sewing pattern: a .json file (pattern/pattern_file.h), a .toml file
/// (docs/pattern-format.md), both looked for in `folder`, or a built-in pattern by its name
/// ("skirt"). `sizes` take the place of those that a TOML pattern gives itself.
///
/// Throws InputError (file, line, panel and edge, expected, found) for whatever cannot be cut or
/// sewn; FileError if the file cannot be read.
Pattern load_pattern(const std::string& name_or_path, const std::filesystem::path& folder = {},
                     std::span<const PatternSize> sizes = {});

/// The same for a TOML text; `file` is what messages call it, `name` the pattern's name unless it
/// gives one.
Pattern parse_pattern(std::string_view text, const std::string& file, const std::string& name,
                      std::span<const PatternSize> sizes = {});

/// Whether load_pattern would take it for a pattern: a built-in one, a .json file, or a .toml file
/// with a [[panel]].
bool is_sewing_pattern(const std::string& name_or_path);

} // namespace muslin
