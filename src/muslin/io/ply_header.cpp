#include "muslin/io/ply_header.h"

#include "muslin/io/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace muslin {
namespace {

std::optional<PlyType> type_named(std::string_view name) {
    struct Entry {
        std::string_view name, sized_name;
        PlyType type;
    };
    static constexpr Entry entries[] = {
        {"char", "int8", PlyType::i8},      {"uchar", "uint8", PlyType::u8},
        {"short", "int16", PlyType::i16},   {"ushort", "uint16", PlyType::u16},
        {"int", "int32", PlyType::i32},     {"uint", "uint32", PlyType::u32},
        {"float", "float32", PlyType::f32}, {"double", "float64", PlyType::f64},
    };
    for (const Entry& entry : entries)
        if (entry.name == name || entry.sized_name == name)
            return entry.type;
    return std::nullopt;
}

class PlyHeaderParser {
public:
    PlyHeaderParser(std::string_view bytes, const std::string& file)
        : bytes_(bytes), lines_(bytes), file_(file) {}

    PlyHeader parse() {
        if (!lines_.next() || lines_.word() != "ply")
            fail("the word ply on the first line", "another file");
        parse_format();
        for (;;) {
            next_line();
            const std::string_view statement = lines_.word();
            if (statement == "end_header")
                break;
            if (statement == "element")
                parse_element();
            else if (statement == "property")
                parse_property();
            else if (statement != "comment" && statement != "obj_info")
                fail("element, property, comment or end_header", quote(statement));
        }
        header_.body_offset = lines_.offset();
        header_.body_line = lines_.number() + 1;
        check_faces();
        check_room();
        return std::move(header_);
    }

private:
    [[noreturn]] void fail(std::string expected, std::string found) const {
        fail_input(file_, std::max(lines_.number(), 1), "head", std::move(expected),
                   std::move(found));
    }

    void next_line() {
        if (!lines_.next())
            fail_input(file_, lines_.last_number(), "head", "a line end_header", "end of file");
    }

    std::string_view required_word(const char* expected) {
        const std::string_view word = lines_.word();
        if (word.empty())
            fail(expected, "end of line");
        return word;
    }

    void parse_format() {
        std::string_view statement;
        do {
            next_line();
            statement = lines_.word();
        } while (statement == "comment" || statement == "obj_info");
        if (statement != "format")
            fail("a line format", quote(statement));
        const std::string_view encoding = lines_.word(), version = lines_.word();
        if (encoding == "ascii")
            header_.encoding = PlyHeader::Encoding::ascii;
        else if (encoding == "binary_little_endian")
            header_.encoding = PlyHeader::Encoding::little_endian;
        else if (encoding == "binary_big_endian")
            header_.encoding = PlyHeader::Encoding::big_endian;
        else
            fail("format ascii, binary_little_endian or binary_big_endian", quote(encoding));
        if (version != "1.0")
            fail("format version 1.0", quote(version));
    }

    void parse_element() {
        PlyElement element;
        element.line = lines_.number();
        element.name = required_word("the name of an element");
        const std::string_view word = required_word("the number of elements");
        const auto count = parse_integer(word);
        if (!count || *count < 0)
            fail("the number of elements", quote(word));
        element.count = static_cast<std::uint64_t>(*count);
        if (header_.find(element.name) != nullptr)
            fail("each element once", quote(element.name) + " again");
        header_.elements.push_back(std::move(element));
    }

    PlyType parse_type() {
        const std::string_view word = required_word("the type of a property");
        const auto type = type_named(word);
        if (!type)
            fail("a type such as uchar, int, float or double", quote(word));
        return *type;
    }

    void parse_property() {
        if (header_.elements.empty())
            fail("an element before its properties", "a property");
        PlyElement& element = header_.elements.back();
        PlyProperty property;
        LineReader ahead = lines_;
        if (ahead.word() == "list") {
            lines_.word();
            property.is_list = true;
            property.count_type = parse_type();
            if (!is_integer(property.count_type))
                fail("an integer type for the length of a list", "a type of fractions");
        }
        property.type = parse_type();
        property.name = required_word("the name of a property");
        if (element.find(property.name) != nullptr)
            fail(fmt::format("each property of element {} once", quote(element.name)),
                 quote(property.name) + " again");
        element.properties.push_back(std::move(property));
    }

    void check_faces() const {
        for (const char* name : {"vertex", "face"})
            if (header_.find(name) == nullptr)
                fail(fmt::format("an element {}", name), "none");
        for (const char* axis : {"x", "y", "z"}) {
            const PlyProperty* property = header_.find("vertex")->find(axis);
            if (property == nullptr || property->is_list)
                fail(fmt::format("a scalar property {} of element vertex", axis), "none");
        }
        const PlyProperty* indices = find_face_indices(*header_.find("face"));
        if (indices == nullptr || !is_integer(indices->type))
            fail("a list vertex_indices of integers in element face", "none");
    }

    /// The fewest bytes that one element can take.
    std::uint64_t smallest(const PlyElement& element) const {
        constexpr std::uint64_t fewest_corners = 3;
        std::uint64_t bytes = 0;
        for (const PlyProperty& property : element.properties) {
            const bool is_face = element.name == "face" && &property == find_face_indices(element);
            const std::uint64_t items = !property.is_list ? 1 : is_face ? fewest_corners : 0;
            if (header_.encoding == PlyHeader::Encoding::ascii)
                bytes += 2 * (items + (property.is_list ? 1 : 0)); // a digit and a space
            else
                bytes += items * size_of(property.type) +
                         (property.is_list ? size_of(property.count_type) : 0);
        }
        return bytes;
    }

    /// A declared size is believed only when bytes stand behind it, before memory is taken for it.
    void check_room() const {
        std::uint64_t room = bytes_.size() - header_.body_offset;
        if (header_.encoding == PlyHeader::Encoding::ascii)
            ++room; // the last line may lack its end
        for (const PlyElement& element : header_.elements) {
            const std::uint64_t bytes = smallest(element);
            if (bytes == 0)
                continue;
            if (element.count > room / bytes)
                fail_input(
                    file_, element.line, "element " + element.name,
                    fmt::format("at most {} in the {} bytes left of the file", room / bytes, room),
                    fmt::format("{} declared", element.count));
            room -= element.count * bytes;
        }
    }

    std::string_view bytes_;
    LineReader lines_;
    const std::string& file_;
    PlyHeader header_;
};

} // namespace

std::size_t size_of(PlyType type) {
    switch (type) {
    case PlyType::i8:
    case PlyType::u8:
        return 1;
    case PlyType::i16:
    case PlyType::u16:
        return 2;
    case PlyType::i32:
    case PlyType::u32:
    case PlyType::f32:
        return 4;
    case PlyType::f64:
        break;
    }
    return 8;
}

bool is_integer(PlyType type) {
    return type != PlyType::f32 && type != PlyType::f64;
}

const PlyProperty* PlyElement::find(std::string_view property) const {
    const auto found = std::find_if(properties.begin(), properties.end(),
                                    [&](const auto& p) { return p.name == property; });
    return found != properties.end() ? &*found : nullptr;
}

const PlyElement* PlyHeader::find(std::string_view element) const {
    const auto found = std::find_if(elements.begin(), elements.end(),
                                    [&](const auto& e) { return e.name == element; });
    return found != elements.end() ? &*found : nullptr;
}

const PlyProperty* find_face_indices(const PlyElement& face) {
    for (const char* name : {"vertex_indices", "vertex_index"}) {
        const PlyProperty* property = face.find(name);
        if (property != nullptr && property->is_list)
            return property;
    }
    return nullptr;
}

PlyHeader parse_ply_header(std::string_view bytes, const std::string& file) {
    return PlyHeaderParser(bytes, file).parse();
}

} // namespace muslin
