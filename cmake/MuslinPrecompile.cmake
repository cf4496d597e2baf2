# muslin_precompile(TARGET...): the headers that most sources include are read once per target. All sources of a
# target must have its level of optimisation, or skip it. A compiler cache would keep nothing that depends on
# precompiled headers: none then.
function(muslin_precompile)
    if(CMAKE_CXX_COMPILER_LAUNCHER)
        return()
    endif()
    foreach(target IN LISTS ARGN)
        target_precompile_headers(${target} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/precompiled.h)
        # GCC 12 warns of bounds and sizes where a precompiled std::string is joined.
        target_compile_options(${target} PRIVATE -Wno-array-bounds $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overread>)
    endforeach()
endfunction()
