#include "mesh_samples.h"

#include "muslin/io/atomic_file.h"
#include "muslin/io/field_cache.h"

#include <limits>
#include <stdexcept>

namespace muslin::test {
namespace {

using FieldCache = TemporaryDirectory;
using Values = std::vector<std::vector<double>>;

Values values(int sample) {
    return {{0.25 * sample, 1, 2}, {-1, 0.5, 4.0 * sample}};
}

TEST_F(FieldCache, ReadsBackEveryFieldOfEverySample) {
    const auto file = path("a.fields");
    FieldCacheWriter writer(file, 3, {"contact", "exactly16letters"});
    for (int sample = 0; sample < 4; ++sample) {
        writer.append(values(sample));
        FieldCacheReader reader(file); // whole after every sample
        EXPECT_EQ(reader.samples(), sample + 1);
    }
    FieldCacheReader reader(file);
    EXPECT_EQ(reader.points(), 3);
    EXPECT_EQ(reader.fields(), (std::vector<std::string>{"contact", "exactly16letters"}));
    EXPECT_TRUE(reader.has("contact"));
    EXPECT_FALSE(reader.has("seam"));
    std::vector<double> found;
    for (const int sample : {3, 0, 2}) {
        reader.read("contact", sample, found);
        EXPECT_EQ(found, values(sample)[0]);
        reader.read("exactly16letters", sample, found);
        EXPECT_EQ(found, values(sample)[1]);
    }
    EXPECT_THROW(reader.read("seam", 0, found), std::out_of_range);
    EXPECT_THROW(reader.read("contact", 4, found), std::out_of_range);
}

TEST_F(FieldCache, WriterRefusesWhatDoesNotFit) {
    EXPECT_THROW(FieldCacheWriter(path("a"), 0, {"contact"}), std::logic_error);
    EXPECT_THROW(FieldCacheWriter(path("a"), 3, {}), std::logic_error);
    EXPECT_THROW(FieldCacheWriter(path("a"), 3, {"seventeen letters"}), std::logic_error);
    EXPECT_THROW(FieldCacheWriter(path("none/a"), 3, {"contact"}), FileError);
    FieldCacheWriter writer(path("a"), 3, {"contact"});
    EXPECT_THROW(writer.append(values(0)), std::logic_error);
    EXPECT_THROW(writer.append(Values{{1, 2}}), std::logic_error);
    EXPECT_THROW(writer.append(Values{{1, 2, std::numeric_limits<double>::infinity()}}),
                 std::logic_error);
    EXPECT_EQ(FieldCacheReader(path("a")).samples(), 0);
}

TEST_F(FieldCache, EveryTruncationIsToldOrPassedOver) {
    const auto file = path("a.fields");
    {
        FieldCacheWriter writer(file, 3, {"contact", "seam"});
        writer.append(values(0));
        writer.append(values(1));
    }
    const std::string whole = read_file(file);
    for (std::size_t size = 0; size < whole.size(); ++size) {
        write_file_atomically(file, whole.substr(0, size));
        EXPECT_THROW(FieldCacheReader{file}, InputError) << size;
    }
    write_file_atomically(file,
                          whole + "half a sample"); // was being written when the program stopped
    EXPECT_EQ(FieldCacheReader(file).samples(), 2);
}

TEST_F(FieldCache, HostileHeadsAreRefused) {
    const auto file = path("a.fields");
    const auto head = [](const std::string& magic, std::array<std::int32_t, 4> numbers) {
        std::string out = magic;
        for (const std::int32_t number : numbers)
            append_bytes(out, number, std::endian::little);
        return out + std::string(2000, '\0');
    };
    constexpr std::int32_t huge = std::numeric_limits<std::int32_t>::max();
    for (const std::string& bytes :
         {head("POINTCACHE2\0", {1, 3, 1, 1}), head("MUSLINFIELDS", {2, 3, 1, 1}),
          head("MUSLINFIELDS", {1, 0, 1, 1}), head("MUSLINFIELDS", {1, -3, 1, 1}),
          head("MUSLINFIELDS", {1, 3, 0, 1}), head("MUSLINFIELDS", {1, 3, huge, 1}),
          head("MUSLINFIELDS", {1, 3, 1, -1}), head("MUSLINFIELDS", {1, huge, 64, huge})}) {
        write_file_atomically(file, bytes);
        EXPECT_THROW(FieldCacheReader{file}, InputError);
    }
    std::string good = head("MUSLINFIELDS", {1, 3, 1, 1});
    write_file_atomically(file, good);
    EXPECT_THROW(FieldCacheReader{file}, InputError); // a field without a name
    good.replace(28, 5, "pinch");
    write_file_atomically(file, good);
    EXPECT_EQ(FieldCacheReader(file).samples(), 1);
}

} // namespace
} // namespace muslin::test
