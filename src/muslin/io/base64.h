#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace muslin {

/// Bytes as text (RFC 4648, with padding).
std::string base64(std::string_view bytes);

/// The bytes that a text stands for, with or without padding; nothing where it is not base64.
std::optional<std::string> from_base64(std::string_view text);

} // namespace muslin
