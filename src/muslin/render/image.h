#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace muslin {

/// A picture: 8-bit sRGB, three bytes a pixel, rows from top to bottom without padding.
struct Image {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> rgb;

    Image() = default;
    Image(int columns, int rows)
        : width(columns), height(rows), rgb(3 * static_cast<std::size_t>(columns) * rows) {}

    std::array<std::uint8_t, 3> pixel(int x, int y) const {
        const std::uint8_t* p = &rgb[3 * (static_cast<std::size_t>(y) * width + x)];
        return {p[0], p[1], p[2]};
    }
};

/// Copies `source` into `target` with its top left corner at (x, y); what hangs over is cut off.
void paste(Image& target, const Image& source, int x, int y);

/// Writes a non-negative number in small dark digits with its top left corner at (x, y); `scale`
/// is the number of pixels to a dot of the 3 x 5 dots of a digit.
void stamp_number(Image& target, int number, int x, int y, int scale);

/// The picture as the bytes of a PNG file.
std::string encode_png(const Image& image);

/// The file appears whole or not at all. Throws FileError.
void write_png(const std::filesystem::path& file, const Image& image);

} // namespace muslin
