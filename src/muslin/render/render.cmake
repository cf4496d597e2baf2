# What the target muslin_render needs beyond its sources. The page and the scripts of the
# interactive viewer are files of their own, so that tools for their languages can read them, and
# become string constants here.
target_link_libraries(muslin_render PRIVATE OpenGL::EGL OpenGL::OpenGL)

set(muslin_page_dir ${PROJECT_SOURCE_DIR}/src/muslin/render)
file(READ ${muslin_page_dir}/page.html MUSLIN_PAGE_HTML)
file(READ ${muslin_page_dir}/viewer.js MUSLIN_VIEWER_JS)
file(READ ${muslin_page_dir}/viewer_shaders.js MUSLIN_VIEWER_SHADERS_JS)
configure_file(${muslin_page_dir}/page_text.h.in
               ${PROJECT_BINARY_DIR}/generated/muslin/render/page_text.h @ONLY)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
             ${muslin_page_dir}/page.html ${muslin_page_dir}/viewer.js
             ${muslin_page_dir}/viewer_shaders.js)
target_include_directories(muslin_render PRIVATE ${PROJECT_BINARY_DIR}/generated)

# The font of legends and captions becomes part of the library.
find_file(MUSLIN_FONT DejaVuSans.ttf REQUIRED PATHS /usr/share/fonts/truetype/dejavu
          /usr/share/fonts/dejavu /usr/share/fonts/TTF /usr/share/fonts/dejavu-sans-fonts)
set_source_files_properties(src/muslin/render/font.cpp PROPERTIES
    COMPILE_DEFINITIONS MUSLIN_FONT_FILE="${MUSLIN_FONT}" OBJECT_DEPENDS ${MUSLIN_FONT})
