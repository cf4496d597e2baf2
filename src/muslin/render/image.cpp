#include "muslin/render/image.h"

#include "muslin/base/error.h"
#include "muslin/io/atomic_file.h"
#include "muslin/io/deflate.h"
#include "muslin/io/read_file.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <new>

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_MAX_DIMENSIONS 16384
#include <stb/stb_image.h>

namespace {

/// In place of stb's own compressor, whose files are half as large again.
unsigned char* compress_for_png(unsigned char* data, int size, int* out_size, int /*quality*/) {
    muslin::Deflater deflater(muslin::Deflater::quick);
    deflater.put({reinterpret_cast<const char*>(data), static_cast<std::size_t>(size)});
    const std::string bytes = deflater.finish();
    auto* out = static_cast<unsigned char*>(std::malloc(bytes.size())); // stb frees it
    if (out == nullptr)
        return nullptr;
    std::memcpy(out, bytes.data(), bytes.size());
    *out_size = static_cast<int>(bytes.size());
    return out;
}

} // namespace

#define STBIW_ZLIB_COMPRESS compress_for_png
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#include <stb/stb_image_write.h>

namespace muslin {

void paste(Image& target, const Image& source, int x, int y) {
    const int left = std::max(x, 0), right = std::min(x + source.width, target.width);
    if (left >= right)
        return;
    for (int row = std::max(y, 0); row < std::min(y + source.height, target.height); ++row)
        std::memcpy(&target.rgb[3 * (static_cast<std::size_t>(row) * target.width + left)],
                    &source.rgb[3 * (static_cast<std::size_t>(row - y) * source.width + left - x)],
                    3 * static_cast<std::size_t>(right - left));
}

void blend(Image& target, int x, int y, const Vec3& color, double opacity) {
    if (x < 0 || y < 0 || x >= target.width || y >= target.height || opacity <= 0)
        return;
    std::uint8_t* p = &target.rgb[3 * (static_cast<std::size_t>(y) * target.width + x)];
    for (int c = 0; c < 3; ++c)
        p[c] = static_cast<std::uint8_t>(
            std::lround((1 - opacity) * p[c] + opacity * 255 * std::clamp(color[c], 0.0, 1.0)));
}

void fill(Image& target, const RoundBox& box, const Vec3& color, double opacity) {
    const double half_x = 0.5 * (box.right - box.left), half_y = 0.5 * (box.bottom - box.top);
    const double r = std::min({box.radius, half_x, half_y});
    const int top = std::max(0, static_cast<int>(std::floor(box.top)));
    const int bottom = std::min(target.height, static_cast<int>(std::ceil(box.bottom)));
    const int left = std::max(0, static_cast<int>(std::floor(box.left)));
    const int right = std::min(target.width, static_cast<int>(std::ceil(box.right)));
    for (int y = top; y < bottom; ++y)
        for (int x = left; x < right; ++x) {
            // How far the pixel's middle is outside the box: less than half a pixel is an edge.
            const double dx = std::abs(x + 0.5 - box.left - half_x) - half_x + r;
            const double dy = std::abs(y + 0.5 - box.top - half_y) - half_y + r;
            const double outside = std::hypot(std::max(dx, 0.0), std::max(dy, 0.0)) +
                                   std::min(std::max(dx, dy), 0.0) - r;
            blend(target, x, y, color, opacity * std::clamp(0.5 - outside, 0.0, 1.0));
        }
}

Image read_image(const std::filesystem::path& file) {
    const std::string bytes = read_file(file);
    const auto refuse = [&](const std::string& found) {
        return InputError({{file.string()}, "", "a PNG or JPEG picture", found, ""});
    };
    if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        throw refuse("a file too large for one");
    int width = 0, height = 0, channels = 0;
    const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
        stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(bytes.data()),
                              static_cast<int>(bytes.size()), &width, &height, &channels, 4),
        stbi_image_free);
    if (!pixels)
        throw refuse(std::string("none that can be read: ") + stbi_failure_reason());
    Image image(width, height);
    for (std::size_t i = 0; i < image.rgb.size(); ++i) {
        const stbi_uc* pixel = pixels.get() + 4 * (i / 3);
        image.rgb[i] = static_cast<std::uint8_t>(255 - (255 - pixel[i % 3]) * pixel[3] / 255);
    }
    return image;
}

std::string encode_png(const Image& image) {
    std::string bytes;
    const auto append = [](void* out, void* data, int size) {
        static_cast<std::string*>(out)->append(static_cast<const char*>(data),
                                               static_cast<std::size_t>(size));
    };
    if (!stbi_write_png_to_func(append, &bytes, image.width, image.height, 3, image.rgb.data(),
                                3 * image.width)) // nothing else can fail in it
        throw std::bad_alloc();
    return bytes;
}

void write_png(const std::filesystem::path& file, const Image& image) {
    write_file_atomically(file, encode_png(image));
}

} // namespace muslin
