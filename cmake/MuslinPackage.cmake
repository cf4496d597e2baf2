# `make package`: a Debian package of the program, its manual, the library and its headers. Nothing is read
# at run time but the shared libraries that dpkg-shlibdeps finds: scenes, fabrics, patterns, letters and the page are
# part of the program.
install(FILES ${PROJECT_SOURCE_DIR}/packaging/muslin.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${PROJECT_SOURCE_DIR}/packaging/copyright ${PROJECT_SOURCE_DIR}/README.md
              ${PROJECT_SOURCE_DIR}/CHANGELOG.md
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs
        FILES_MATCHING PATTERN "*.md" PATTERN "images" EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME muslin)
set(CPACK_PACKAGE_VENDOR "The Muslin authors")
set(CPACK_PACKAGE_CONTACT "The Muslin authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION "Simulates cloth and sewn garments on moving bodies from scenes in TOML, without
interpenetration, and writes point caches, meshes, pictures, movies and pages.
It needs a processor with the instructions of ${MUSLIN_ARCH}.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/package)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Movies, and OpenGL without a graphics card. Who links the library needs the others.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "ffmpeg, libgl1-mesa-dri")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
    "g++, cmake, libfmt-dev, libtomlplusplus-dev, zlib1g-dev, libopenvdb-dev, libegl-dev, libopengl-dev")
include(CPack)
