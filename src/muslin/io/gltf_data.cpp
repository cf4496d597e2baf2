#include "muslin/io/base64.h"
#include "muslin/io/bytes.h"
#include "muslin/io/gltf_file.h"
#include "muslin/io/read_file.h"
#include "muslin/io/text.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

// The bytes of a glTF file: buffers by their URIs, and the numbers of accessors.

namespace muslin {
namespace {

/// Calls visit with a value of the C++ type of a component.
template <class Visit>
auto with_component(int component, const Visit& visit) {
    switch (component) {
    case 5120:
        return visit(std::int8_t{});
    case 5121:
        return visit(std::uint8_t{});
    case 5122:
        return visit(std::int16_t{});
    case 5123:
        return visit(std::uint16_t{});
    case 5125:
        return visit(std::uint32_t{});
    default:
        return visit(float{});
    }
}

std::string element_of(int accessor) {
    return fmt::format("accessors[{}]", accessor);
}

/// Where the elements of a view begin, and how far they are apart. The sizes have been checked.
struct Strided {
    const char* bytes;
    std::uint64_t stride;
};

Strided data_of(const GltfFile& gltf, int view, std::uint64_t offset, std::uint64_t element_bytes) {
    const GltfView& v = gltf.views[static_cast<std::size_t>(view)];
    const std::optional<std::string>& buffer = gltf.buffers[static_cast<std::size_t>(v.buffer)];
    if (!buffer)
        gltf.fail(fmt::format("buffers[{}].uri", v.buffer), "the bytes of the buffer", "none");
    return {buffer->data() + v.offset + offset, v.stride > 0 ? v.stride : element_bytes};
}

/// Copies elements to out; `at(i)` says the place of element i there.
template <class Out, class At>
void copy_elements(const GltfAccessor& a, const Strided& data, std::uint64_t count, const At& at,
                   std::vector<Out>& out) {
    with_component(a.component, [&](auto kind) {
        using T = decltype(kind);
        // The columns of a matrix begin at multiples of four bytes.
        const std::size_t column = a.columns > 1 ? (a.rows * sizeof(T) + 3) / 4 * 4 : 0;
        // Signed numbers have one value more on the negative side, which counts as -1.
        const double unit = a.normalized && std::is_integral_v<T>
                                ? 1.0 / static_cast<double>(std::numeric_limits<T>::max())
                                : 1.0;
        const std::size_t width = a.rows * a.columns;
        for (std::uint64_t i = 0; i < count; ++i)
            for (std::size_t k = 0; k < width; ++k) {
                const char* bytes =
                    data.bytes + i * data.stride + k / a.rows * column + k % a.rows * sizeof(T);
                const T value = load_bytes<T>(bytes, std::endian::little);
                Out& target = out[static_cast<std::size_t>(at(i)) * width + k];
                if constexpr (std::is_same_v<Out, double>)
                    target = unit == 1.0 ? static_cast<double>(value)
                                         : std::max(static_cast<double>(value) * unit, -1.0);
                else
                    target = static_cast<Out>(value);
            }
    });
}

std::uint64_t bytes_of(const GltfAccessor& a) {
    const std::size_t size = with_component(a.component, [](auto kind) { return sizeof(kind); });
    const std::size_t column = a.rows * size;
    return a.columns > 1 ? a.columns * ((column + 3) / 4 * 4) : column;
}

template <class Out>
std::vector<Out> elements(const GltfFile& gltf, int accessor) {
    const GltfAccessor& a = gltf.accessors[static_cast<std::size_t>(accessor)];
    std::vector<Out> out(static_cast<std::size_t>(a.count) * a.rows * a.columns);
    if (a.view >= 0)
        copy_elements(
            a, data_of(gltf, a.view, a.offset, bytes_of(a)), a.count,
            [](std::uint64_t i) { return i; }, out);
    if (!a.sparse)
        return out;
    const GltfSparse& s = *a.sparse;
    GltfAccessor place;
    place.component = s.index_component;
    std::vector<std::uint32_t> places(static_cast<std::size_t>(s.count));
    copy_elements(
        place, data_of(gltf, s.index_view, s.index_offset, bytes_of(place)), s.count,
        [](std::uint64_t i) { return i; }, places);
    for (const std::uint32_t i : places)
        if (i >= a.count)
            gltf.fail(element_of(accessor) + ".sparse.indices",
                      fmt::format("indices below {}", a.count), fmt::format("{}", i));
    copy_elements(
        a, data_of(gltf, s.value_view, s.value_offset, bytes_of(a)), s.count,
        [&](std::uint64_t i) { return places[static_cast<std::size_t>(i)]; }, out);
    return out;
}

int hex_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/// With %20 and the like as the bytes that they stand for; nothing where one is broken.
std::optional<std::string> percent_decoded(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            out += text[i];
            continue;
        }
        if (i + 2 >= text.size() || hex_digit(text[i + 1]) < 0 || hex_digit(text[i + 2]) < 0)
            return std::nullopt;
        out += static_cast<char>(16 * hex_digit(text[i + 1]) + hex_digit(text[i + 2]));
        i += 2;
    }
    return out;
}

/// What follows "data:" (RFC 2397): a media type, parameters, "base64" or not, a comma, the data.
std::optional<std::string> decoded_data(std::string_view text) {
    const std::size_t comma = text.find(',');
    if (comma == std::string_view::npos)
        return std::nullopt;
    std::string_view head = text.substr(0, comma);
    const std::string_view data = text.substr(comma + 1);
    if (head.find(";;") != std::string_view::npos || head.ends_with(';'))
        return std::nullopt;
    return head.ends_with(";base64") ? from_base64(data) : percent_decoded(data);
}

/// A scheme as RFC 3986 has it, of two letters or more: one is a drive of Windows.
bool has_scheme(std::string_view uri) {
    const std::size_t end = uri.find_first_of(":/?#");
    return end != std::string_view::npos && uri[end] == ':' && end != 1;
}

} // namespace

std::optional<std::filesystem::path> gltf_uri_file(const std::string& uri,
                                                   const std::filesystem::path& file) {
    const auto name = has_scheme(uri) ? std::nullopt : percent_decoded(uri);
    if (!name || name->empty() || name->find('\0') != std::string::npos)
        return std::nullopt;
    return file.parent_path() / *name;
}

std::string load_gltf_uri(const std::string& uri, const std::string& file,
                          const std::string& element) {
    if (uri.starts_with("data:")) {
        if (auto data = decoded_data(std::string_view(uri).substr(5)))
            return std::move(*data);
        fail_input(file, 0, element, "a data URI in base64", quote(uri));
    }
    const auto other = gltf_uri_file(uri, file);
    if (!other || std::filesystem::path(*percent_decoded(uri)).is_absolute())
        fail_input(file, 0, element, "a data URI, or the name of a file relative to this one",
                   quote(uri));
    return read_file(*other);
}

void GltfFile::fail(const std::string& element, const std::string& expected,
                    const std::string& found) const {
    fail_input(file, 0, element, expected, found);
}

void GltfFile::require_type(int accessor, const std::string& element,
                            std::initializer_list<std::string_view> types) const {
    const std::string& type = accessors[static_cast<std::size_t>(accessor)].type;
    std::string wanted;
    for (const std::string_view t : types) {
        if (t == type)
            return;
        wanted += (wanted.empty() ? "" : " or ") + std::string(t);
    }
    fail(element, "an accessor of type " + wanted,
         fmt::format("{} in accessors[{}]", type, accessor));
}

std::vector<double> GltfFile::numbers(int accessor) const {
    std::vector<double> out = elements<double>(*this, accessor);
    const GltfAccessor& a = accessors[static_cast<std::size_t>(accessor)];
    for (std::size_t i = 0; i < out.size(); ++i)
        if (!std::isfinite(out[i]))
            fail(element_of(accessor), "finite numbers",
                 fmt::format("{} in element {}", out[i], i / (a.rows * a.columns)));
    return out;
}

std::vector<std::uint32_t> GltfFile::indices(int accessor) const {
    return elements<std::uint32_t>(*this, accessor);
}

} // namespace muslin
