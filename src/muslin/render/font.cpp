#include "muslin/render/font.h"

// The assembler takes the file as it is: a C++ array of its 750 kB would take seconds to compile.
asm(R"(
    .section .rodata
    .balign 16
    .local muslin_font_begin
    .local muslin_font_end
muslin_font_begin:
    .incbin ")" MUSLIN_FONT_FILE R"("
muslin_font_end:
    .byte 0
    .text
)");

extern "C" {
[[gnu::visibility("hidden")]] extern const unsigned char muslin_font_begin[];
[[gnu::visibility("hidden")]] extern const unsigned char muslin_font_end[];
}

namespace muslin {

std::span<const unsigned char> font_bytes() {
    return {muslin_font_begin, muslin_font_end};
}

} // namespace muslin
