#pragma once

#include "muslin/material.h"

#include <string>

namespace muslin::api {

/// A fabric as the value of a scene's `material`.
std::string material_text(const Material& material);

} // namespace muslin::api
