# Which commit the program was built from, for `muslin --version`: a generated file of muslin_run
# (src/muslin/run/version.h). Run as a script (cmake -P) this file writes it, if it changes; included
# by the project it is run at every build, since a commit changes no file that a build depends on.
# Nothing else of the place or the time of a build gets into the program (docs/reliability.md).

if(CMAKE_SCRIPT_MODE_FILE)
    set(commit "")
    # Not that of a repository around an unpacked archive.
    if(EXISTS ${SOURCE_DIR}/.git)
        execute_process(COMMAND git -C ${SOURCE_DIR} rev-parse --verify --short=12 HEAD
                        OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
        if(commit)
            execute_process(COMMAND git -C ${SOURCE_DIR} diff --quiet HEAD -- RESULT_VARIABLE changed
                            ERROR_QUIET)
            if(NOT changed EQUAL 0)
                string(APPEND commit ", changed since")
            endif()
        endif()
    else()
        # `git archive` puts it there.
        file(STRINGS ${SOURCE_DIR}/cmake/commit.txt commit REGEX "^[0-9a-f]+$")
        string(SUBSTRING "${commit}" 0 12 commit)
    endif()
    if(NOT commit)
        set(commit "unknown: not built from a git checkout")
    endif()
    file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [=[
namespace muslin {

const char* built_from();

const char* built_from() {
    return "@commit@";
}

} // namespace muslin
]=])
    return()
endif()

set(muslin_commit_cpp ${PROJECT_BINARY_DIR}/generated/commit.cpp)
add_custom_target(muslin_commit BYPRODUCTS ${muslin_commit_cpp}
    COMMAND ${CMAKE_COMMAND} -DSOURCE_DIR=${PROJECT_SOURCE_DIR} -DOUTPUT=${muslin_commit_cpp}
            -P ${CMAKE_CURRENT_LIST_FILE}
    COMMENT "Looking up the commit" VERBATIM)
target_sources(muslin_run PRIVATE ${muslin_commit_cpp})
add_dependencies(muslin_run muslin_commit)

set(muslin_sanitizers "none")
if(MUSLIN_SANITIZE)
    set(muslin_sanitizers ${MUSLIN_SANITIZE})
endif()
set(muslin_arch "the compiler's default instructions")
if(MUSLIN_ARCH AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set(muslin_arch ${MUSLIN_ARCH})
endif()
set_source_files_properties(src/muslin/run/version.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON
    COMPILE_DEFINITIONS "MUSLIN_VERSION=\"${PROJECT_VERSION}\";MUSLIN_BUILD=\"${CMAKE_BUILD_TYPE}, ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}, ${muslin_arch}\";MUSLIN_BACKEND=\"${MUSLIN_PARALLEL}\";MUSLIN_OPENVDB=\"${OpenVDB_VERSION}\";MUSLIN_SANITIZERS=\"${muslin_sanitizers}\"")
