#pragma once

#include "muslin/pattern/pattern.h"

#include <filesystem>

namespace muslin {

/// Reads a sewing pattern in JSON, by its content: GarmentCode and the older Garment Pattern
/// Generator ("pattern" and "properties"), or outlines drafted by FreeSewing ("parts"), which know
/// neither seams nor places. All lengths in metres.
///
/// Throws FileError where the file cannot be read, and InputError, its key naming panel and edge,
/// for whatever cannot be cut or sewn (pattern/pattern_check.h).
Pattern read_pattern_json(const std::filesystem::path& file);

} // namespace muslin
