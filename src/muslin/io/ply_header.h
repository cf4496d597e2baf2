#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace muslin {

enum class PlyType { i8, u8, i16, u16, i32, u32, f32, f64 };

std::size_t size_of(PlyType type);
bool is_integer(PlyType type);

struct PlyProperty {
    std::string name;
    PlyType type = PlyType::f32; ///< of the value, or of each value of a list
    bool is_list = false;
    PlyType count_type = PlyType::u8; ///< of the length of a list
};

struct PlyElement {
    std::string name;
    std::uint64_t count = 0;
    int line = 0; ///< where it is declared
    std::vector<PlyProperty> properties;

    const PlyProperty* find(std::string_view property) const;
};

/// The head of a PLY file: what its body holds and how.
struct PlyHeader {
    enum class Encoding { ascii, little_endian, big_endian };

    Encoding encoding = Encoding::ascii;
    std::vector<PlyElement> elements; ///< in the order of the body
    std::size_t body_offset = 0;
    int body_line = 0; ///< the number of the first line of the body

    const PlyElement* find(std::string_view element) const;
};

/// Reads the head, and checks that the rest of the file has room for every element it declares.
/// Throws InputError.
PlyHeader parse_ply_header(std::string_view bytes, const std::string& file);

/// The list of a face that holds its vertices, under either of its two usual names.
const PlyProperty* find_face_indices(const PlyElement& face);

} // namespace muslin
