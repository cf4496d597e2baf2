# muslin_embed_file(TARGET FUNCTION FILE): FILE becomes part of TARGET, byte by byte, and
#     std::string_view muslin::FUNCTION();
# gives it; a header of the target declares that function. The assembler takes the file as it is: a
# string literal of its size would take the compiler seconds and has a limit.
function(muslin_embed_file target function file)
    set(source ${PROJECT_BINARY_DIR}/generated/embedded/${function}.cpp)
    file(CONFIGURE OUTPUT ${source} @ONLY CONTENT [=[
#include <string_view>

__asm__(".pushsection .rodata\n"
        ".balign 16\n"
        ".globl muslin_embedded_@function@\n"
        ".hidden muslin_embedded_@function@\n"
        "muslin_embedded_@function@:\n"
        ".incbin \"@file@\"\n"
        ".globl muslin_embedded_@function@_end\n"
        ".hidden muslin_embedded_@function@_end\n"
        "muslin_embedded_@function@_end:\n"
        ".byte 0\n"
        ".popsection\n");

extern "C" const char muslin_embedded_@function@[], muslin_embedded_@function@_end[];

namespace muslin {

std::string_view @function@();

std::string_view @function@() {
    return {muslin_embedded_@function@, static_cast<std::size_t>(muslin_embedded_@function@_end -
                                                                muslin_embedded_@function@)};
}

} // namespace muslin
]=])
    set_property(SOURCE ${source} APPEND PROPERTY OBJECT_DEPENDS ${file})
    target_sources(${target} PRIVATE ${source})
endfunction()
