# Installs the program, the library as one archive with the headers of include/muslin, and the CMake
# package `muslin`, with which another project writes
#     find_package(muslin REQUIRED)
#     target_link_libraries(app PRIVATE muslin::muslin)
# examples/library is such a project; tests/project installs, builds and runs it. Headers of
# src/muslin stay here: nothing of the engine, its instruction set included, reaches that project.
include(GNUInstallDirs)
# What is installed and packaged is the program and its library: tests need not be built for it.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
include(CMakePackageConfigHelpers)

get_property(muslin_modules GLOBAL PROPERTY MUSLIN_MODULES)
set(muslin_objects)
foreach(module IN LISTS muslin_modules)
    get_target_property(type ${module} TYPE)
    if(NOT type STREQUAL "INTERFACE_LIBRARY")
        list(APPEND muslin_objects $<TARGET_OBJECTS:${module}>)
    endif()
endforeach()
add_library(muslin_library STATIC ${muslin_objects})
add_library(muslin::muslin ALIAS muslin_library)
set_target_properties(muslin_library PROPERTIES EXPORT_NAME muslin OUTPUT_NAME muslin LINKER_LANGUAGE CXX)
target_include_directories(muslin_library INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
target_compile_features(muslin_library INTERFACE cxx_std_20)
# What the modules link themselves; the archive leaves it to whoever links it.
target_link_libraries(muslin_library PRIVATE fmt::fmt tomlplusplus::tomlplusplus ${MUSLIN_PARALLEL_LIBRARIES} ZLIB::ZLIB OpenVDB::openvdb
                      OpenGL::EGL OpenGL::OpenGL)

install(TARGETS muslin RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS muslin_library EXPORT muslin ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/muslin DESTINATION include FILES_MATCHING PATTERN "*.h")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(muslin_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/muslin)
install(EXPORT muslin NAMESPACE muslin:: FILE muslin-targets.cmake
        DESTINATION ${muslin_package_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/muslin-config.cmake.in
    ${PROJECT_BINARY_DIR}/package/muslin-config.cmake
    INSTALL_DESTINATION ${muslin_package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/muslin-config-version.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/muslin-config.cmake
              ${PROJECT_BINARY_DIR}/package/muslin-config-version.cmake
        DESTINATION ${muslin_package_dir})
