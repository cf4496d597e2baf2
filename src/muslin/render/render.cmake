# What the target muslin_render needs beyond its sources. The page, its scripts and the font of
# legends and captions are files of their own and become part of the library.
target_link_libraries(muslin_render PRIVATE OpenGL::EGL OpenGL::OpenGL
                                            nlohmann_json::nlohmann_json)

include(MuslinEmbedFile)
set(muslin_page_dir ${PROJECT_SOURCE_DIR}/src/muslin/render)
muslin_embed_file(muslin_render page_html ${muslin_page_dir}/page.html)
foreach(muslin_script viewer_data viewer_shaders viewer_scene viewer)
    muslin_embed_file(muslin_render ${muslin_script}_js ${muslin_page_dir}/${muslin_script}.js)
endforeach()
find_path(MUSLIN_THREE_DIR three.min.js REQUIRED PATHS /usr/share/javascript/three)
muslin_embed_file(muslin_render three_js ${MUSLIN_THREE_DIR}/three.min.js)
muslin_embed_file(muslin_render orbit_controls_js
                  ${MUSLIN_THREE_DIR}/examples/js/controls/OrbitControls.js)

find_file(MUSLIN_FONT DejaVuSans.ttf REQUIRED PATHS /usr/share/fonts/truetype/dejavu
          /usr/share/fonts/dejavu /usr/share/fonts/TTF /usr/share/fonts/dejavu-sans-fonts)
muslin_embed_file(muslin_render font_file ${MUSLIN_FONT})
