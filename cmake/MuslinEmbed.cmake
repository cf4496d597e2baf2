# The example scenes, the materials and the sewing patterns become part of the program: their text goes into a generated
# file of muslin_scene (src/muslin/scene/builtin.h). Run as a script (cmake -P) this file writes it;
# included by the project it says when: whenever one of the files changes, appears or goes away.

if(CMAKE_SCRIPT_MODE_FILE)
    # muslin_embed(VARIABLE FUNCTION FOLDER GLOB): a C++ function that lists the files.
    function(muslin_embed result function folder glob)
        file(${glob} files RELATIVE ${folder} ${folder}/*.toml)
        list(SORT files)
        list(LENGTH files count)
        set(code "std::span<const BuiltinFile> ${function}() {\n")
        if(count EQUAL 0)
            string(APPEND code "    return {};\n}\n")
            set(${result} "${code}" PARENT_SCOPE)
            return()
        endif()
        string(APPEND code "    static constexpr BuiltinFile files[] = {\n")
        foreach(file IN LISTS files)
            file(READ ${folder}/${file} text)
            string(REGEX REPLACE "\\.toml$" "" name ${file})
            string(APPEND code "{\"${name}\", R\"muslin_file(${text})muslin_file\"},\n")
        endforeach()
        string(APPEND code "    };\n    return files;\n}\n")
        set(${result} "${code}" PARENT_SCOPE)
    endfunction()

    muslin_embed(scenes builtin_scenes ${SOURCE_DIR}/examples GLOB_RECURSE)
    muslin_embed(materials builtin_materials ${SOURCE_DIR}/materials GLOB)
    muslin_embed(patterns builtin_patterns ${SOURCE_DIR}/patterns GLOB)
    file(WRITE ${OUTPUT} "#include \"muslin/scene/builtin.h\"

namespace muslin {

${scenes}
${materials}
${patterns}
} // namespace muslin
")
    return()
endif()

file(GLOB_RECURSE muslin_embedded CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/examples/*.toml ${PROJECT_SOURCE_DIR}/materials/*.toml
    ${PROJECT_SOURCE_DIR}/patterns/*.toml)
set(muslin_builtin_cpp ${PROJECT_BINARY_DIR}/generated/builtin.cpp)
# The list itself is a dependency too, or a file taken away would leave its text behind.
set(muslin_embedded_list ${PROJECT_BINARY_DIR}/generated/builtin_files.txt)
string(REPLACE ";" "\n" muslin_embedded_lines "${muslin_embedded}")
file(GENERATE OUTPUT ${muslin_embedded_list} CONTENT "${muslin_embedded_lines}\n")
add_custom_command(
    OUTPUT ${muslin_builtin_cpp}
    COMMAND ${CMAKE_COMMAND} -DSOURCE_DIR=${PROJECT_SOURCE_DIR} -DOUTPUT=${muslin_builtin_cpp}
            -P ${CMAKE_CURRENT_LIST_FILE}
    DEPENDS ${muslin_embedded} ${muslin_embedded_list} ${CMAKE_CURRENT_LIST_FILE}
    COMMENT "Embedding the example scenes, the materials and the patterns"
    VERBATIM)
target_sources(muslin_scene PRIVATE ${muslin_builtin_cpp})
