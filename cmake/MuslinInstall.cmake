# Installs the program, the headers, the libraries and the CMake package `muslin`, with which
# another project writes
#     find_package(muslin REQUIRED)
#     target_link_libraries(app PRIVATE muslin::muslin)
# examples/library is such a project; tests/project installs, builds and runs it.
include(GNUInstallDirs)
# What is installed and packaged is the program and its libraries: tests need not be built for it.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
include(CMakePackageConfigHelpers)

get_property(muslin_modules GLOBAL PROPERTY MUSLIN_MODULES)

add_library(muslin_all INTERFACE)
add_library(muslin::muslin ALIAS muslin_all)
set_target_properties(muslin_all PROPERTIES EXPORT_NAME muslin)
target_link_libraries(muslin_all INTERFACE ${muslin_modules})

# Inline functions that pass packed numbers are compiled into the library and again into the user's
# program: both need one instruction set, or they disagree on the registers.
if(MUSLIN_ARCH AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    target_compile_options(muslin_base INTERFACE $<INSTALL_INTERFACE:-march=${MUSLIN_ARCH}>)
endif()

install(TARGETS muslin RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS muslin_all ${muslin_modules} EXPORT muslin
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/muslin/ DESTINATION include/muslin
        FILES_MATCHING PATTERN "*.h")
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
