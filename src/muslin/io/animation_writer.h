#pragma once

#include "muslin/io/animation.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace muslin {

/// The formats an animation is written in (docs/formats.md).
enum class AnimationFormat { pc2, mdd, obj, ply, usda, glb, vtu };

std::span<const AnimationFormat> all_animation_formats();
std::string_view name_of(AnimationFormat format);
std::string_view ending_of(AnimationFormat format); ///< ".pc2"; of vtu ".pvd"
std::optional<AnimationFormat> animation_format_by_name(std::string_view name);
/// By the ending of a path: .pc2, .mdd, .usda, .glb, .pvd; .obj and .ply where it has a # for the
/// number of the frame.
std::optional<AnimationFormat> animation_format_of(const std::filesystem::path& path);
std::string animation_format_names(); ///< "pc2, mdd, ..."

struct AnimationWriteOptions {
    /// Called as frames are passed, with how many of how many (all passes together).
    std::function<void(int done, int all)> progress;
};

/// Writes all frames of all objects.
///   pc2, mdd   a file of that ending, for one object; else a folder, NAME.pc2 in it for each
///   object
///              that moves
///   obj, ply   "dir/NAME.####.obj", for one object; else a folder, in it NAME.0000.obj ... for
///   each
///              object that moves and NAME.obj for each that does not
///   usda, glb  one file
///   vtu        the .pvd file; the frames lie in a folder of its name beside it
/// Every file appears whole or not at all; memory does not grow with the number of frames. Throws
/// FileError when the disk refuses; InputError where the source does not fit the format: no faces,
/// several objects for one file, a coordinate too large for a float.
void write_animation(AnimationFormat format, const std::filesystem::path& output,
                     AnimationSource& source, const AnimationWriteOptions& options = {});

/// Where the results of a run named `name` go in a folder: the folder itself (pc2, mdd),
/// FOLDER/obj, FOLDER/NAME.usda, FOLDER/vtu/NAME.pvd, ...
std::filesystem::path animation_output(AnimationFormat format, const std::filesystem::path& folder,
                                       const std::string& name);

/// One frame of one object as a VTK file, with its fields.
void write_vtu(const std::filesystem::path& file, AnimationSource& source, std::size_t object,
               int frame);

} // namespace muslin
