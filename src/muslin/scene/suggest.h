#pragma once

#include <span>
#include <string>
#include <string_view>

namespace muslin {

/// The least number of letters to add, drop, change or swap with the next to turn one word into
/// the other. Case, '-' and '_' do not count.
int edit_distance(std::string_view a, std::string_view b);

/// The known word that `word` was most likely meant to be, or nothing.
std::string nearest_word(std::string_view word, std::span<const std::string_view> known);

/// The hint that an unknown word deserves: "did you mean 'x'?", else "known: a, b, c", else "".
std::string suggest(std::string_view word, std::span<const std::string_view> known);

} // namespace muslin
