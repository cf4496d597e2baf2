#pragma once

#include "muslin/io/animation_writer.h"

#include <filesystem>
#include <string>
#include <vector>

namespace muslin::cli {

/// The format of that name; InputError, naming the option, for another.
AnimationFormat parse_export(const std::string& name, const std::string& option);
/// The same of lists "mdd,glb".
std::vector<AnimationFormat> parse_exports(const std::vector<std::string>& lists,
                                           const std::string& option);

/// write_animation with a line that says how far it is, once it takes a while.
void write_with_progress(AnimationFormat format, const std::filesystem::path& out,
                         AnimationSource& source, bool quiet);

/// Writes a finished run in each format into its own directory, as docs/output.md says.
void export_run(const std::filesystem::path& directory, const std::vector<AnimationFormat>& formats,
                bool quiet);

/// Removes what exports of an earlier run left in a directory: they would show another simulation.
void remove_exports(const std::filesystem::path& directory);

} // namespace muslin::cli
