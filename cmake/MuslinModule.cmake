# muslin_module(NAME DEPS...): the static library muslin_NAME of every file in src/muslin/NAME and
# its subfolders, linked to the modules it stands on. A folder of headers alone becomes an interface
# library.
function(muslin_module name)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/muslin/${name}/*.cpp)
    set(scope PUBLIC)
    if(sources)
        add_library(muslin_${name} STATIC ${sources})
    else()
        add_library(muslin_${name} INTERFACE)
        set(scope INTERFACE)
    endif()
    add_library(muslin::${name} ALIAS muslin_${name})
    set_target_properties(muslin_${name} PROPERTIES EXPORT_NAME ${name})
    target_include_directories(muslin_${name} ${scope}
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:include>)
    target_compile_features(muslin_${name} ${scope} cxx_std_20)
    foreach(dependency IN LISTS ARGN)
        target_link_libraries(muslin_${name} ${scope} muslin_${dependency})
    endforeach()
    set_property(GLOBAL APPEND PROPERTY MUSLIN_MODULES muslin_${name})
endfunction()
