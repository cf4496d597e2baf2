#pragma once

#include "muslin/io/json_place.h"
#include "muslin/pattern/pattern.h"

// The readers behind read_pattern_json, each given the whole document. What they return has yet to
// pass check_pattern.

namespace muslin {

Pattern read_garmentcode(const JsonPlace& document);
Pattern read_freesewing(const JsonPlace& document);

} // namespace muslin
