#pragma once

#include <string>

namespace muslin {

/// "muslin 0.1.0".
std::string version_text();

} // namespace muslin
