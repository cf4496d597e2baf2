#include "muslin/scene/suggest.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace muslin {

namespace {

std::string folded(std::string_view word) {
    std::string out(word);
    for (char& c : out)
        c = c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
}

} // namespace

int edit_distance(std::string_view first, std::string_view second) {
    const std::string a = folded(first), b = folded(second);
    // Rows i - 2, i - 1 and i of the table of distances between prefixes.
    std::vector<int> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        row[j] = static_cast<int>(j);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::swap(before, last);
        std::swap(last, row);
        row[0] = static_cast<int>(i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const int change = a[i - 1] == b[j - 1] ? 0 : 1;
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + change});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
    }
    return row[b.size()];
}

std::string nearest_word(std::string_view word, std::span<const std::string_view> known) {
    std::string_view nearest;
    int best = std::numeric_limits<int>::max();
    for (std::string_view candidate : known) {
        // More than a third of the letters wrong is a guess, not a suggestion.
        const int longest = static_cast<int>(std::max(word.size(), candidate.size()));
        const int distance = edit_distance(word, candidate);
        if (distance <= (longest + 1) / 3 && distance < best) {
            best = distance;
            nearest = candidate;
        }
    }
    return std::string(nearest);
}

std::string suggest(std::string_view word, std::span<const std::string_view> known) {
    if (const std::string nearest = nearest_word(word, known); !nearest.empty())
        return fmt::format("did you mean '{}'?", nearest);
    if (known.empty())
        return "";
    return fmt::format("known: {}", fmt::join(known, ", "));
}

} // namespace muslin
