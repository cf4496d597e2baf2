#include "muslin/base/hash.h"
#include "muslin/io/bytes.h"
#include "muslin/io/mesh_formats.h"
#include "muslin/io/ply_header.h"
#include "muslin/io/text.h"

#include <array>
#include <cmath>
#include <unordered_map>

namespace muslin {
namespace {

/// Where in the body a reader is, for messages.
struct PlyPlace {
    const PlyElement* element = nullptr;
    std::uint64_t index = 0;

    std::string key(const PlyProperty* property = nullptr) const {
        const std::string text = fmt::format("{} {}", element->name, index);
        return property != nullptr ? text + ", " + property->name : text;
    }
};

/// The values of a body in text, one element a line.
class AsciiBody {
public:
    AsciiBody(std::string_view bytes, const PlyHeader& header, const std::string& file)
        : lines_(bytes.substr(header.body_offset), header.body_line), file_(file) {}

    PlyPlace place;

    int line() const { return lines_.number(); }
    void open() {
        if (!lines_.next())
            fail_input(file_, lines_.last_number(), place.key(), "an element", "end of file");
    }
    void close() {
        const std::string_view word = lines_.word();
        if (!word.empty())
            fail(nullptr, "no more values than the head declares", quote(word));
    }
    double value(const PlyProperty& property, PlyType type) {
        const std::string_view word = next_word(property);
        if (is_integer(type)) {
            const auto integer = parse_integer(word);
            if (!integer)
                fail(&property, "an integer", quote(word));
            return static_cast<double>(*integer);
        }
        const auto number = parse_finite(word);
        if (!number)
            fail(&property, "a finite number", quote(word));
        return *number;
    }
    void skip(const PlyProperty& property, std::uint64_t count) {
        for (std::uint64_t i = 0; i < count; ++i)
            next_word(property);
    }
    // Taking memory word by word, a text cannot claim more than it has.
    void require_values(const PlyProperty&, std::uint64_t) {}

    [[noreturn]] void fail(const PlyProperty* property, std::string expected,
                           std::string found) const {
        fail_input(file_, lines_.number(), place.key(property), std::move(expected),
                   std::move(found));
    }

private:
    std::string_view next_word(const PlyProperty& property) {
        const std::string_view word = lines_.word();
        if (word.empty())
            fail(&property, "a value", "end of line");
        return word;
    }

    LineReader lines_;
    const std::string& file_;
};

/// The values of a body in binary.
class BinaryBody {
public:
    BinaryBody(std::string_view bytes, const PlyHeader& header, const std::string& file)
        : bytes_(bytes), offset_(header.body_offset), file_(file),
          order_(header.encoding == PlyHeader::Encoding::little_endian ? std::endian::little
                                                                       : std::endian::big) {}

    PlyPlace place;

    int line() const { return 0; }
    void open() {}
    void close() {}
    double value(const PlyProperty& property, PlyType type) {
        const double number = load(take(property, size_of(type)), type);
        if (!std::isfinite(number))
            fail(&property, "a finite number", fmt::format("{}", number));
        return number;
    }
    void skip(const PlyProperty& property, std::uint64_t count) {
        require_values(property, count);
        offset_ += count * size_of(property.type);
    }
    void require_values(const PlyProperty& property, std::uint64_t count) {
        if (count > (bytes_.size() - offset_) / size_of(property.type))
            fail(&property, fmt::format("{} values", count), "end of file");
    }

    [[noreturn]] void fail(const PlyProperty* property, std::string expected,
                           const std::string& found) const {
        fail_input(file_, 0, place.key(property), std::move(expected),
                   found + fmt::format(" (at byte {})", offset_));
    }

private:
    const char* take(const PlyProperty& property, std::size_t size) {
        if (size > bytes_.size() - offset_)
            fail(&property, "a value", "end of file");
        offset_ += size;
        return bytes_.data() + offset_ - size;
    }
    double load(const char* at, PlyType type) const {
        switch (type) {
        case PlyType::i8:
            return load_bytes<std::int8_t>(at, order_);
        case PlyType::u8:
            return load_bytes<std::uint8_t>(at, order_);
        case PlyType::i16:
            return load_bytes<std::int16_t>(at, order_);
        case PlyType::u16:
            return load_bytes<std::uint16_t>(at, order_);
        case PlyType::i32:
            return load_bytes<std::int32_t>(at, order_);
        case PlyType::u32:
            return load_bytes<std::uint32_t>(at, order_);
        case PlyType::f32:
            return static_cast<double>(load_bytes<float>(at, order_));
        case PlyType::f64:
            break;
        }
        return load_bytes<double>(at, order_);
    }

    std::string_view bytes_;
    std::size_t offset_;
    const std::string& file_;
    std::endian order_;
};

constexpr const char* face_texcoords = "texcoord";
constexpr std::array<std::array<const char*, 2>, 3> vertex_texcoords = {
    {{"s", "t"}, {"u", "v"}, {"texture_u", "texture_v"}}};

bool is_scalar(const PlyProperty* property) {
    return property != nullptr && !property->is_list;
}

/// Gives equal texture coordinates at one vertex one index, so that what was joined stays joined.
class SharedTexcoords {
public:
    explicit SharedTexcoords(std::vector<Vec2>& texcoords) : texcoords_(texcoords) {}

    int index(int vertex, const Vec2& uv) {
        const auto [place, is_new] =
            known_.try_emplace({vertex, uv.x, uv.y}, static_cast<int>(texcoords_.size()));
        if (is_new)
            texcoords_.push_back(uv);
        return place->second;
    }

private:
    struct Key {
        int vertex;
        double u, v;
        bool operator==(const Key&) const = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key& key) const {
            // Zero has two bit patterns but is one key.
            const double values[] = {key.u + 0.0, key.v + 0.0};
            Hash64 hash;
            hash.add(&key.vertex, sizeof key.vertex);
            hash.add(values, sizeof values);
            return hash.value();
        }
    };

    std::vector<Vec2>& texcoords_;
    std::unordered_map<Key, int, KeyHash> known_;
};

template <class Body>
class PlyParser {
public:
    PlyParser(const PlyHeader& header, Body body, const std::string& file, const ReadLimits& limits)
        : header_(header), body_(std::move(body)), file_(file), limits_(limits),
          vertices_(header.find("vertex")->count), shared_texcoords_(mesh_.texcoords) {}

    PolygonMesh parse() {
        const PlyElement& faces = *header_.find("face");
        check_vertex_limit(vertices_, limits_, file_, header_.find("vertex")->line);
        // Cannot overflow: the head's counts have been found to fit into the file.
        check_corner_limit(3 * faces.count, limits_, file_, faces.line);
        for (const PlyElement& element : header_.elements) {
            body_.place = {&element, 0};
            if (element.name == "vertex")
                parse_vertices(element);
            else if (element.name == "face")
                parse_faces(element);
            else if (!element.properties.empty())
                skip_element(element);
        }
        if (!mesh_.texcoords.empty() && mesh_.corner_texcoord.empty())
            mesh_.corner_texcoord = mesh_.corner_vertex;
        return std::move(mesh_);
    }

private:
    /// Where the values of one vertex property go: a component of a vector, or a map of its own.
    struct Column {
        const PlyProperty* property;
        double* component = nullptr;
        std::vector<double>* map = nullptr;
        double scale = 1;
    };

    void parse_vertices(const PlyElement& element) {
        Vec3 position = {0, 0, 0};
        Vec2 texcoord = {0, 0};
        const std::vector<Column> columns = plan_columns(element, position, texcoord);
        bool has_texcoords = false;
        for (const Column& column : columns)
            has_texcoords |= column.component == &texcoord.x;
        mesh_.positions.reserve(element.count);
        mesh_.texcoords.reserve(has_texcoords ? element.count : 0);
        for (std::uint64_t& i = body_.place.index; i < element.count; ++i) {
            body_.open();
            for (const Column& column : columns)
                parse_column(column);
            body_.close();
            mesh_.positions.push_back(position);
            if (has_texcoords)
                mesh_.texcoords.push_back(texcoord);
        }
    }

    std::vector<Column> plan_columns(const PlyElement& element, Vec3& position, Vec2& texcoord) {
        std::vector<Column> columns;
        for (const PlyProperty& property : element.properties)
            columns.push_back({&property});
        const auto direct = [&](std::string_view name, double& component) {
            for (Column& column : columns)
                if (column.property->name == name)
                    column.component = &component;
        };
        direct("x", position.x);
        direct("y", position.y);
        direct("z", position.z);
        // Coordinates per corner say more than those per vertex.
        const bool per_corner = header_.find("face")->find(face_texcoords) != nullptr;
        for (const auto& [u, v] : vertex_texcoords) {
            if (per_corner || !is_scalar(element.find(u)) || !is_scalar(element.find(v)))
                continue;
            direct(u, texcoord.x);
            direct(v, texcoord.y);
            break;
        }
        for (Column& column : columns)
            if (column.component == nullptr && !column.property->is_list)
                plan_map(column, element.count);
        return columns;
    }

    void plan_map(Column& column, std::uint64_t count) {
        const PlyProperty& property = *column.property;
        if (property.name == "nx" || property.name == "ny" || property.name == "nz")
            return;
        column.map = &mesh_.vertex_maps[property.name];
        column.map->reserve(count);
        for (const char* channel : {"red", "green", "blue", "alpha"}) {
            if (property.name == channel && property.type == PlyType::u8)
                column.scale = 1.0 / 255;
            if (property.name == channel && property.type == PlyType::u16)
                column.scale = 1.0 / 65535;
        }
    }

    void parse_column(const Column& column) {
        const PlyProperty& property = *column.property;
        if (column.component != nullptr)
            *column.component = body_.value(property, property.type);
        else if (column.map != nullptr)
            column.map->push_back(column.scale * body_.value(property, property.type));
        else
            skip_property(property);
    }

    void parse_faces(const PlyElement& element) {
        const PlyProperty* const indices = find_face_indices(element);
        const PlyProperty* texcoords = element.find(face_texcoords);
        if (texcoords != nullptr && !texcoords->is_list)
            texcoords = nullptr;
        mesh_.face_begin.reserve(element.count + 1);
        std::vector<double> uvs;
        for (std::uint64_t& i = body_.place.index; i < element.count; ++i) {
            body_.open();
            for (const PlyProperty& property : element.properties) {
                if (&property == indices)
                    parse_corners(property);
                else if (&property == texcoords)
                    parse_list(property, uvs);
                else
                    skip_property(property);
            }
            body_.close();
            if (texcoords != nullptr)
                store_texcoords(*texcoords, uvs);
            mesh_.face_begin.push_back(static_cast<int>(mesh_.corner_vertex.size()));
        }
        if (mesh_.texcoords.empty())
            mesh_.corner_texcoord.clear();
    }

    std::uint64_t parse_length(const PlyProperty& property) {
        const double length = body_.value(property, property.count_type);
        if (length < 0)
            body_.fail(&property, "the length of a list", fmt::format("{}", length));
        return static_cast<std::uint64_t>(length);
    }

    void parse_corners(const PlyProperty& property) {
        const std::uint64_t corners = parse_length(property);
        if (corners < 3)
            body_.fail(&property, "at least 3 corners", fmt::format("{}", corners));
        body_.require_values(property, corners);
        check_corner_limit(mesh_.corner_vertex.size() + corners, limits_, file_, body_.line());
        for (std::uint64_t c = 0; c < corners; ++c) {
            const double index = body_.value(property, property.type);
            if (index < 0 || index >= static_cast<double>(vertices_))
                body_.fail(&property, fmt::format("a vertex index from 0 to below {}", vertices_),
                           fmt::format("{:.0f}", index));
            mesh_.corner_vertex.push_back(static_cast<int>(index));
        }
    }

    void parse_list(const PlyProperty& property, std::vector<double>& values) {
        const std::uint64_t length = parse_length(property);
        body_.require_values(property, length);
        values.clear();
        for (std::uint64_t i = 0; i < length; ++i)
            values.push_back(body_.value(property, property.type));
    }

    /// u and v of each corner of the face just read, or an empty list for none.
    void store_texcoords(const PlyProperty& property, const std::vector<double>& uvs) {
        const auto begin = static_cast<std::size_t>(mesh_.face_begin.back());
        const std::size_t corners = mesh_.corner_vertex.size() - begin;
        if (!uvs.empty() && uvs.size() != 2 * corners)
            body_.fail(&property, fmt::format("{} values for {} corners", 2 * corners, corners),
                       fmt::format("{}", uvs.size()));
        for (std::size_t c = 0; c < corners; ++c)
            mesh_.corner_texcoord.push_back(
                uvs.empty() ? -1
                            : shared_texcoords_.index(mesh_.corner_vertex[begin + c],
                                                      {uvs[2 * c], uvs[2 * c + 1]}));
    }

    void skip_property(const PlyProperty& property) {
        body_.skip(property, property.is_list ? parse_length(property) : 1);
    }

    void skip_element(const PlyElement& element) {
        for (std::uint64_t& i = body_.place.index; i < element.count; ++i) {
            body_.open();
            for (const PlyProperty& property : element.properties)
                skip_property(property);
            body_.close();
        }
    }

    const PlyHeader& header_;
    Body body_;
    const std::string& file_;
    const ReadLimits& limits_;
    std::uint64_t vertices_;
    PolygonMesh mesh_;
    SharedTexcoords shared_texcoords_;
};

} // namespace

PolygonMesh parse_ply(std::string_view bytes, const std::string& file, const ReadLimits& limits) {
    const PlyHeader header = parse_ply_header(bytes, file);
    if (header.encoding == PlyHeader::Encoding::ascii)
        return PlyParser(header, AsciiBody(bytes, header, file), file, limits).parse();
    return PlyParser(header, BinaryBody(bytes, header, file), file, limits).parse();
}

} // namespace muslin
