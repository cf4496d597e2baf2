#pragma once

#include "muslin/math/vec.h"

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

/// Lays a colour (sRGB, 0 .. 1) over a pixel; nothing happens outside the picture.
void blend(Image& target, int x, int y, const Vec3& color, double opacity);

/// A box with round corners, its edges smoothed; sides and radius in pixels from the top left.
struct RoundBox {
    double left = 0, top = 0, right = 0, bottom = 0, radius = 0;
};
void fill(Image& target, const RoundBox& box, const Vec3& color, double opacity = 1);

/// A PNG or JPEG file; what is transparent shows white. Throws FileError when it cannot be read and
/// InputError when it holds no such picture.
Image read_image(const std::filesystem::path& file);

/// The picture as the bytes of a PNG file.
std::string encode_png(const Image& image);

/// The file appears whole or not at all. Throws FileError.
void write_png(const std::filesystem::path& file, const Image& image);

} // namespace muslin
