#pragma once

#include "muslin/model/parts.h"

#include <vector>

namespace muslin {

/// The parts and recipes that Muslin has by itself. Everybody else asks for parts() and recipes().
std::vector<Part> builtin_parts();
std::vector<Recipe> builtin_recipes();

} // namespace muslin
