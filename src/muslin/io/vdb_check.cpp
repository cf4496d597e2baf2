#include "muslin/io/vdb_check.h"

#include "muslin/io/bytes.h"
#include "muslin/io/text.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>
#include <set>
#include <string_view>

namespace muslin {
namespace {

struct Sized {
    std::string_view name;
    std::size_t bytes;
};

// TypedMetadata reads so much, whatever the file says of its length.
constexpr Sized notes[] = {{"bool", 1},   {"float", 4},  {"double", 8}, {"int32", 4},
                           {"int64", 8},  {"vec2i", 8},  {"vec2s", 8},  {"vec2d", 16},
                           {"vec3i", 12}, {"vec3s", 12}, {"vec3d", 24}, {"vec4i", 16},
                           {"vec4s", 16}, {"vec4d", 32}, {"mat4s", 64}, {"mat4d", 128}};

constexpr Sized transforms[] = {{"AffineMap", 128},
                                {"UnitaryMap", 128},
                                {"ScaleMap", 120},
                                {"UniformScaleMap", 120},
                                {"TranslationMap", 24},
                                {"ScaleTranslateMap", 144},
                                {"UniformScaleTranslateMap", 144}};

struct ValueType {
    std::string_view name;
    std::size_t bytes, half; ///< of a value, and of one saved as half floats
};

constexpr ValueType value_types[] = {{"float", 4, 2},  {"double", 8, 2},  {"vec3s", 12, 6},
                                     {"vec3d", 24, 6}, {"vec3i", 12, 12}, {"int32", 4, 4},
                                     {"int64", 8, 8},  {"bool", 1, 1},    {"mask", 1, 1}};

constexpr std::uint32_t zip = 1, active_mask = 2, blosc = 4;
constexpr std::size_t leaf_values = 512;
constexpr std::array<std::size_t, 2> node_values = {4096, 32768}; ///< above leaves, above those
constexpr int root_child_side = 4096;                             ///< voxels

class Walker {
public:
    Walker(std::string& bytes, const std::string& file, VdbUnpacks unpacks)
        : bytes_(bytes), file_(file), unpacks_(unpacks) {}

    void walk() {
        if (take<std::int64_t>() != 0x56444220)
            fail("an OpenVDB file, which begins with its mark", "another head");
        const auto version = take<std::uint32_t>();
        if (version < 222 || version > 224)
            fail("an OpenVDB file of version 222 to 224", fmt::format("version {}", version));
        skip(2 * sizeof(std::uint32_t) + 1 + 36); // of the library; a flag; an identity
        walk_notes();
        const auto grids = take<std::int32_t>();
        for (std::int32_t g = 0; g < grids; ++g)
            walk_grid();
    }

private:
    [[noreturn]] void fail(std::string expected, std::string found) const {
        fail_input(file_, 0, fmt::format("{}byte {}", grid_, at_), std::move(expected),
                   std::move(found));
    }
    void skip(std::uint64_t count) {
        if (count > bytes_.size() - at_)
            fail_input(file_, 0, "", "an OpenVDB file",
                       bytes_.empty() ? "an empty one" : "one that breaks off");
        at_ += count;
    }
    template <class T>
    T take() {
        skip(sizeof(T));
        return load_bytes<T>(bytes_.data() + at_ - sizeof(T), std::endian::little);
    }
    std::string_view take_text() {
        const auto length = take<std::uint32_t>();
        skip(length);
        return std::string_view(bytes_).substr(at_ - length, length);
    }
    void take_flag() {
        if (static_cast<unsigned char>(take<char>()) > 1)
            fail("a flag of 0 or 1", "another byte");
    }

    /// MetaMap. Says whether it has the note that numbers are saved as half floats.
    bool walk_notes() {
        bool half = false;
        for (auto left = take<std::uint32_t>(); left > 0; --left) {
            const std::string_view name = take_text(), kind = take_text();
            const std::size_t kind_at = at_ - kind.size();
            const auto length = take<std::uint32_t>();
            bool known = kind == "string";
            for (const Sized& note : notes)
                if (note.name == kind) {
                    known = true;
                    if (length != note.bytes)
                        fail(fmt::format("{} bytes of {}", note.bytes, quote(name)),
                             fmt::format("{}", length));
                }
            if (kind.empty())
                fail(fmt::format("the type of {}", quote(name)), "none");
            const bool is_half = name == "is_saved_as_half_float";
            if (is_half && kind != "bool")
                fail("a bool is_saved_as_half_float", quote(kind));
            const bool is_flag = kind == "bool";
            if (!known)
                bytes_[kind_at] = '?';
            skip(length);
            if (is_flag && static_cast<unsigned char>(bytes_[at_ - 1]) > 1)
                fail("a flag of 0 or 1", "another byte");
            if (is_half)
                half = bytes_[at_ - 1] == 1;
        }
        return half;
    }

    void walk_grid() {
        grid_.clear();
        const std::string_view name = take_text();
        // A name that is not the only one has a number after this sign.
        grid_ = fmt::format("grid {}, ", quote(name.substr(0, name.find('\x1e'))));
        std::string_view type = take_text();
        const bool half_type = type.ends_with("_HalfFloat");
        if (half_type)
            type.remove_suffix(10);
        choose_type(type);
        const bool instance = !take_text().empty();
        skip(3 * sizeof(std::int64_t)); // where its parts are, for who jumps
        compression_ = take<std::uint32_t>();
        half_ = walk_notes();
        if (half_ != half_type)
            fail("half floats in the type as in the notes", "a contradiction");
        const std::string_view map = take_text();
        walk_transform(map);
        if (!instance)
            walk_tree();
    }

    void choose_type(std::string_view type) {
        constexpr std::string_view begin = "Tree_", end = "_5_4_3";
        type_ = nullptr;
        if (type.starts_with(begin) && type.ends_with(end) &&
            type.size() > begin.size() + end.size())
            for (const ValueType& one : value_types)
                if (type.substr(begin.size(), type.size() - begin.size() - end.size()) == one.name)
                    type_ = &one;
        if (!type_)
            fail("a grid of numbers, vectors, flags or a mask", quote(type));
    }

    void walk_transform(std::string_view kind) {
        for (const Sized& one : transforms)
            if (one.name == kind)
                return skip(one.bytes);
        fail("a linear transform", quote(kind));
    }

    void walk_tree() {
        if (const auto buffers = take<std::int32_t>(); buffers != 1)
            fail("one buffer of values", fmt::format("{}", buffers));
        skip(type_->bytes); // the background
        const auto tiles = take<std::uint32_t>(), children = take<std::uint32_t>();
        std::set<std::array<std::int32_t, 3>> places;
        for (std::uint32_t t = 0; t < tiles; ++t) {
            walk_place(places);
            skip(type_->bytes);
            take_flag();
        }
        std::uint64_t leaves = 0;
        for (std::uint32_t c = 0; c < children; ++c) {
            walk_place(places);
            leaves += walk_node(1);
        }
        for (; leaves > 0; --leaves)
            walk_leaf();
    }

    /// Two nodes of one place would be lost to who owns them.
    void walk_place(std::set<std::array<std::int32_t, 3>>& places) {
        std::array<std::int32_t, 3> place;
        for (std::int32_t& x : place) {
            x = take<std::int32_t>();
            if (x % root_child_side != 0)
                fail(fmt::format("places that are multiples of {}", root_child_side),
                     fmt::format("{}", x));
        }
        if (!places.insert(place).second)
            fail("each place once", "one again");
    }

    /// The topology of an inner node and of all below it; gives the number of leaves.
    std::uint64_t walk_node(std::size_t level) {
        const std::size_t mask = node_values[level] / 8;
        const std::size_t children_at = at_;
        skip(mask);
        const std::size_t active_at = at_;
        skip(mask);
        walk_values(node_values[level], active_at);
        std::uint64_t children = count_bits(children_at, mask);
        if (level == 0) {
            skip(children * (leaf_values / 8)); // a mask each
            return children;
        }
        std::uint64_t leaves = 0;
        for (; children > 0; --children)
            leaves += walk_node(level - 1);
        return leaves;
    }

    void walk_leaf() {
        constexpr std::size_t mask = leaf_values / 8, place = 3 * sizeof(std::int32_t);
        const std::size_t active_at = at_;
        skip(mask);
        if (type_->name == "bool")
            skip(place + mask);
        else if (type_->name == "mask")
            skip(place);
        else
            walk_values(leaf_values, active_at);
    }

    std::size_t count_bits(std::size_t at, std::size_t count) const {
        std::size_t bits = 0;
        for (std::size_t i = 0; i < count; ++i)
            bits +=
                static_cast<std::size_t>(std::popcount(static_cast<unsigned char>(bytes_[at + i])));
        return bits;
    }

    /// io::readCompressedValues: of `count` values, or of those that are active.
    void walk_values(std::size_t count, std::size_t active_at) {
        enum Kept { none, minus, one, mask, mask_one, mask_two, all };
        const int kept = take<std::int8_t>();
        if (kept < none || kept > all)
            fail("how inactive values are kept, 0 to 6", fmt::format("{}", kept));
        if (kept == one || kept == mask_one || kept == mask_two)
            skip((kept == mask_two ? 2 : 1) * type_->bytes);
        if (kept == mask || kept == mask_one || kept == mask_two)
            skip(count / 8);
        std::size_t stored = count;
        if ((compression_ & active_mask) != 0 && kept != all)
            stored = count_bits(active_at, count / 8);
        const bool is_half = half_ && type_->half < type_->bytes;
        if (!(is_half && stored == 0))
            walk_block(stored * (is_half ? type_->half : type_->bytes));
    }

    /// io::readData: of so many bytes once they are unpacked.
    void walk_block(std::size_t size) {
        if ((compression_ & (zip | blosc)) == 0)
            return skip(size);
        const std::size_t begin = at_;
        const auto packed = take<std::int64_t>();
        if (packed > 0) {
            skip(static_cast<std::uint64_t>(packed));
            const auto block = std::string_view(bytes_).substr(begin, at_ - begin);
            if ((compression_ & blosc) != 0)
                check_blosc(block.substr(sizeof packed), size);
            if (!unpacks_(block, size, (compression_ & blosc) != 0))
                fail(fmt::format("{} bytes of packed values", size),
                     "what does not unpack to them");
            return;
        }
        // Not packed after all: as many bytes as the number says, which must be those of the array.
        if (packed != -static_cast<std::int64_t>(size))
            fail(fmt::format("{} bytes of values", size), fmt::format("{}", packed));
        skip(size);
    }

    /// Blosc is not told how long a block is and believes what stands in its head.
    void check_blosc(std::string_view block, std::size_t size) const {
        constexpr std::size_t head = 16, size_at = 4, length_at = 12;
        if (block.size() < head)
            fail("the head of a block that Blosc packed", fmt::format("{} bytes", block.size()));
        const auto number = [&](std::size_t at) {
            return load_bytes<std::uint32_t>(block.data() + at, std::endian::little);
        };
        if (number(size_at) != size || number(length_at) != block.size())
            fail(fmt::format("{} bytes packed into {}", size, block.size()),
                 fmt::format("{} in {}", number(size_at), number(length_at)));
    }

    std::string& bytes_;
    const std::string& file_;
    VdbUnpacks unpacks_;
    std::size_t at_ = 0;
    std::string grid_; ///< for messages
    const ValueType* type_ = nullptr;
    std::uint32_t compression_ = 0;
    bool half_ = false;
};

} // namespace

std::string checked_vdb(std::string bytes, const std::string& file, VdbUnpacks unpacks) {
    Walker(bytes, file, unpacks).walk();
    return bytes;
}

} // namespace muslin
