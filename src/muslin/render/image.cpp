#include "muslin/render/image.h"

#include "muslin/io/atomic_file.h"

#include <algorithm>
#include <cstring>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#include <stb/stb_image_write.h>

namespace muslin {

namespace {

// Rows of the digits 0 .. 9, three dots each, the left dot in the highest bit.
constexpr std::array<std::array<std::uint8_t, 5>, 10> digits = {{{7, 5, 5, 5, 7},
                                                                 {2, 6, 2, 2, 7},
                                                                 {7, 1, 7, 4, 7},
                                                                 {7, 1, 3, 1, 7},
                                                                 {5, 5, 7, 1, 1},
                                                                 {7, 4, 7, 1, 7},
                                                                 {7, 4, 7, 5, 7},
                                                                 {7, 1, 1, 2, 2},
                                                                 {7, 5, 7, 5, 7},
                                                                 {7, 5, 7, 1, 7}}};

void fill(Image& target, int left, int top, int size, std::uint8_t shade) {
    for (int y = std::max(top, 0); y < std::min(top + size, target.height); ++y)
        for (int x = std::max(left, 0); x < std::min(left + size, target.width); ++x)
            std::memset(&target.rgb[3 * (static_cast<std::size_t>(y) * target.width + x)], shade,
                        3);
}

} // namespace

void paste(Image& target, const Image& source, int x, int y) {
    const int left = std::max(x, 0), right = std::min(x + source.width, target.width);
    if (left >= right)
        return;
    for (int row = std::max(y, 0); row < std::min(y + source.height, target.height); ++row)
        std::memcpy(&target.rgb[3 * (static_cast<std::size_t>(row) * target.width + left)],
                    &source.rgb[3 * (static_cast<std::size_t>(row - y) * source.width + left - x)],
                    3 * static_cast<std::size_t>(right - left));
}

void stamp_number(Image& target, int number, int x, int y, int scale) {
    for (const char letter : std::to_string(number)) {
        const auto& rows = digits[static_cast<std::size_t>(letter - '0')];
        for (int row = 0; row < 5; ++row)
            for (int column = 0; column < 3; ++column)
                if (rows[static_cast<std::size_t>(row)] >> (2 - column) & 1)
                    fill(target, x + column * scale, y + row * scale, scale, 70);
        x += 4 * scale;
    }
}

std::string encode_png(const Image& image) {
    std::string bytes;
    const auto append = [](void* out, void* data, int size) {
        static_cast<std::string*>(out)->append(static_cast<const char*>(data),
                                               static_cast<std::size_t>(size));
    };
    stbi_write_png_to_func(append, &bytes, image.width, image.height, 3, image.rgb.data(),
                           3 * image.width);
    return bytes;
}

void write_png(const std::filesystem::path& file, const Image& image) {
    write_file_atomically(file, encode_png(image));
}

} // namespace muslin
