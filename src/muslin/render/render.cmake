# What the target muslin_render needs beyond its sources. The page, its scripts and the font of
# legends and captions are files of their own and become part of the library.
target_link_libraries(muslin_render PRIVATE OpenGL::EGL OpenGL::OpenGL)

include(MuslinEmbedFile)
set(muslin_page_dir ${PROJECT_SOURCE_DIR}/src/muslin/render)
muslin_embed_file(muslin_render page_html ${muslin_page_dir}/page.html)
muslin_embed_file(muslin_render viewer_js ${muslin_page_dir}/viewer.js)
muslin_embed_file(muslin_render viewer_shaders_js ${muslin_page_dir}/viewer_shaders.js)

find_file(MUSLIN_FONT DejaVuSans.ttf REQUIRED PATHS /usr/share/fonts/truetype/dejavu
          /usr/share/fonts/dejavu /usr/share/fonts/TTF /usr/share/fonts/dejavu-sans-fonts)
muslin_embed_file(muslin_render font_file ${MUSLIN_FONT})
