#include "muslin/base/hash.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

using namespace muslin;

namespace {

std::uint64_t digest(const std::string& bytes) {
    Hash64 hash;
    hash.add(bytes.data(), bytes.size());
    return hash.value();
}

} // namespace

// Golden values: digests are kept in files and compared between runs, so a change of the function
// is a change that users see.
TEST(hash, golden_values) {
    Hash64 empty;
    EXPECT_EQ(empty.hex(), "cbf29ce2dbb6c401");
    Hash64 hash;
    const double numbers[3] = {0.0, 1.5, -2.25};
    hash.add(numbers, sizeof numbers);
    EXPECT_EQ(hash.hex(), "8f2e65f808acac76");
    EXPECT_EQ(digest("muslin"), 0x63b78587634d5a4fULL);
}

TEST(hash, every_bit_counts) {
    const std::string zeros(19, '\0');
    std::set<std::uint64_t> seen = {digest(zeros)};
    for (std::size_t byte = 0; byte < zeros.size(); ++byte)
        for (int bit = 0; bit < 8; ++bit) {
            std::string changed = zeros;
            changed[byte] = static_cast<char>(1 << bit);
            EXPECT_TRUE(seen.insert(digest(changed)).second) << "byte " << byte << " bit " << bit;
        }
}

TEST(hash, length_and_order_count) {
    std::set<std::uint64_t> seen;
    for (std::size_t length = 0; length < 40; ++length)
        EXPECT_TRUE(seen.insert(digest(std::string(length, '\0'))).second) << length;
    EXPECT_NE(digest("01234567abcdefgh"), digest("abcdefgh01234567"));
}

TEST(hash, negative_zero_differs_from_zero) {
    const double plus = 0.0, minus = -0.0;
    Hash64 a, b;
    a.add(&plus, sizeof plus);
    b.add(&minus, sizeof minus);
    EXPECT_NE(a.value(), b.value());
}

TEST(hash, words_may_come_in_several_calls) {
    const std::vector<double> numbers = {1, 2, 3, 4, 5};
    Hash64 whole, parts;
    whole.add(numbers.data(), 5 * sizeof(double));
    parts.add(numbers.data(), 2 * sizeof(double));
    parts.add(numbers.data() + 2, 3 * sizeof(double));
    EXPECT_EQ(whole.value(), parts.value());
}

TEST(hash, hex_has_sixteen_digits) {
    Hash64 hash;
    for (int i = 0; i < 200; ++i) {
        hash.add(&i, sizeof i);
        const std::string hex = hash.hex();
        EXPECT_EQ(hex.size(), 16u);
        EXPECT_EQ(std::stoull(hex, nullptr, 16), hash.value());
    }
}
