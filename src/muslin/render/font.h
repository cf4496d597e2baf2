#pragma once

#include <span>

namespace muslin {

/// The TrueType file of DejaVu Sans, which is part of the program: pictures and windows need no
/// font on the machine they run on.
std::span<const unsigned char> font_bytes();

} // namespace muslin
