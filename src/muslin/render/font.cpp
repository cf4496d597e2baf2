#include "muslin/render/font.h"

#include <string_view>

namespace muslin {

std::string_view font_file(); // made by render.cmake

std::span<const unsigned char> font_bytes() {
    const std::string_view file = font_file();
    return {reinterpret_cast<const unsigned char*>(file.data()), file.size()};
}

} // namespace muslin
