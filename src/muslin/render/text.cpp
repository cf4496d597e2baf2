#include "muslin/render/text.h"

#include "muslin/render/font.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#define STB_TRUETYPE_IMPLEMENTATION
#define STBTT_STATIC
#include <stb/stb_truetype.h>

namespace muslin {

namespace {

const stbtt_fontinfo& font() {
    static const stbtt_fontinfo info = [] {
        stbtt_fontinfo out;
        if (!stbtt_InitFont(&out, font_bytes().data(), 0))
            throw std::logic_error("the font in the program cannot be read");
        return out;
    }();
    return info;
}

float scale_of(double size) {
    return stbtt_ScaleForPixelHeight(&font(), static_cast<float>(size));
}

constexpr int replacement = 0xFFFD;

/// Takes the next character off the front. Overlong and cut-off sequences give the replacement
/// character and cost one byte, so that the rest of the line is still read.
int next_character(std::string_view& text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    std::size_t length = first < 0x80 ? 1 : first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : 0;
    if (first >> 3 == 30)
        length = 4;
    constexpr std::array<int, 5> least = {0, 0, 0x80, 0x800, 0x10000};
    int code = length < 2 ? first : first & (0x7F >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if (i >= text.size() || byte(i) >> 6 != 2) {
            length = 0;
            break;
        }
        code = code << 6 | (byte(i) & 0x3F);
    }
    if (length == 0 || code < least[length]) {
        text.remove_prefix(1);
        return replacement;
    }
    text.remove_prefix(length);
    return code;
}

/// Calls place(glyph, x) for every letter, x in pixels from the start; returns the width.
template <class Place>
double lay_out(std::string_view text, double size, Place&& place) {
    const double scale = scale_of(size);
    double x = 0;
    int previous = 0;
    while (!text.empty()) {
        const int glyph = stbtt_FindGlyphIndex(&font(), next_character(text));
        if (previous != 0)
            x += scale * stbtt_GetGlyphKernAdvance(&font(), previous, glyph);
        place(glyph, x);
        int advance = 0, bearing = 0;
        stbtt_GetGlyphHMetrics(&font(), glyph, &advance, &bearing);
        x += scale * advance;
        previous = glyph;
    }
    return x;
}

double height_of(int letter, double size) {
    int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    stbtt_GetCodepointBox(&font(), letter, &x0, &y0, &x1, &y1);
    return scale_of(size) * static_cast<double>(y1);
}

} // namespace

double text_width(std::string_view text, double size) {
    return lay_out(text, size, [](int, double) {});
}

double cap_height(double size) {
    return height_of('H', size);
}

void draw_text(Image& target, std::string_view text, double x, double baseline,
               const TextStyle& style) {
    const double width = style.align == Align::left ? 0 : text_width(text, style.size);
    x -= style.align == Align::right ? width : style.align == Align::center ? 0.5 * width : 0;
    // Whole rows: horizontal strokes stay sharp.
    const int row = static_cast<int>(std::lround(baseline));
    const float scale = scale_of(style.size);
    std::vector<unsigned char> coverage;
    lay_out(text, style.size, [&](int glyph, double offset) {
        const double at = std::floor(x + offset);
        const auto shift = static_cast<float>(x + offset - at);
        int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
        stbtt_GetGlyphBitmapBoxSubpixel(&font(), glyph, scale, scale, shift, 0, &x0, &y0, &x1, &y1);
        const int w = x1 - x0, h = y1 - y0;
        if (w <= 0 || h <= 0)
            return;
        coverage.assign(static_cast<std::size_t>(w) * static_cast<std::size_t>(h), 0);
        stbtt_MakeGlyphBitmapSubpixel(&font(), coverage.data(), w, h, w, scale, scale, shift, 0,
                                      glyph);
        for (int j = 0; j < h; ++j)
            for (int i = 0; i < w; ++i)
                blend(target, static_cast<int>(at) + x0 + i, row + y0 + j, style.color,
                      style.opacity * coverage[static_cast<std::size_t>(j * w + i)] / 255.0);
    });
}

} // namespace muslin
