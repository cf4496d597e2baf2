#pragma once

#include <string_view>

namespace muslin {

// The parts of an interactive page, embedded in the program by render.cmake.
std::string_view page_html();         ///< src/muslin/render/page.html
std::string_view viewer_data_js();    ///< src/muslin/render/viewer_data.js
std::string_view viewer_shaders_js(); ///< src/muslin/render/viewer_shaders.js
std::string_view viewer_scene_js();   ///< src/muslin/render/viewer_scene.js
std::string_view viewer_js();         ///< src/muslin/render/viewer.js
std::string_view three_js();          ///< three.js, minified
std::string_view orbit_controls_js(); ///< its OrbitControls

} // namespace muslin
