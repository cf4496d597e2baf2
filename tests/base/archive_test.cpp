// One list of members for both ways, and bytes that are not those that were written.
#include "muslin/base/archive.h"

#include "muslin/base/large_array.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace muslin {
namespace {

struct Things {
    double number = 0;
    int count = 0;
    bool yes = false;
    std::string text;
    std::vector<float> list;
    LargeArray<std::int32_t> large;
    std::vector<std::vector<int>> groups;

    void carry(Archive& a) {
        a(number);
        a(count);
        a(yes);
        a(text);
        a.list(list);
        a.list(large);
        a.list(groups, [](Archive& one, std::vector<int>& group) { one.list(group); });
    }
};

std::string written() {
    Things things = {-0.0, 7, true, "a\0b", {1, 2.5f}, {}, {{1}, {}, {2, 3}}};
    things.text = std::string("a\0b", 3);
    things.large.assign(3, -5);
    Archive archive;
    things.carry(archive);
    return archive.take();
}

TEST(Archive, GivesBackWhatItTook) {
    const std::string bytes = written();
    Things back;
    Archive archive(bytes);
    back.carry(archive);
    EXPECT_EQ(archive.left(), 0u);
    EXPECT_TRUE(back.number == 0 && std::signbit(back.number));
    EXPECT_EQ(back.count, 7);
    EXPECT_TRUE(back.yes);
    EXPECT_EQ(back.text, std::string("a\0b", 3));
    EXPECT_EQ(back.list, (std::vector<float>{1, 2.5f}));
    EXPECT_EQ(back.large.size(), 3u);
    EXPECT_EQ(back.groups, (std::vector<std::vector<int>>{{1}, {}, {2, 3}}));
    Archive again;
    back.carry(again);
    EXPECT_EQ(again.take(), bytes);
}

TEST(Archive, ThatIsCutShortAnywhereIsRefused) {
    const std::string bytes = written();
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        Things back;
        Archive archive(std::string_view(bytes).substr(0, size));
        EXPECT_THROW(back.carry(archive), ArchiveError) << size;
    }
}

TEST(Archive, BelievesNoCountThatItsBytesCannotHold) {
    for (const std::uint64_t count :
         {std::uint64_t{4}, std::uint64_t{1} << 40, std::numeric_limits<std::uint64_t>::max()}) {
        Archive out;
        out(count);
        out(1.0);
        const std::string bytes = out.take();
        std::vector<double> values;
        Archive in(bytes);
        EXPECT_THROW(in.list(values), ArchiveError) << count;
        EXPECT_LE(values.capacity(), 1u);
    }
}

TEST(Archive, AYesOrNoIsOneOfTwo) {
    bool value = false;
    Archive archive(std::string_view("\2", 1));
    EXPECT_THROW(archive(value), ArchiveError);
}

} // namespace
} // namespace muslin
