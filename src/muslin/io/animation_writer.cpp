#include "muslin/io/animation_writer.h"

#include "muslin/base/error.h"
#include "muslin/io/animation_formats.h"
#include "muslin/io/mesh_sequence.h"
#include "muslin/io/text.h"
#include "muslin/mesh/palette.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace muslin {
namespace {

namespace fs = std::filesystem;

struct FormatName {
    AnimationFormat format;
    std::string_view name, ending;
};

constexpr FormatName formats[] = {
    {AnimationFormat::pc2, "pc2", ".pc2"},    {AnimationFormat::mdd, "mdd", ".mdd"},
    {AnimationFormat::obj, "obj", ".obj"},    {AnimationFormat::ply, "ply", ".ply"},
    {AnimationFormat::usda, "usda", ".usda"}, {AnimationFormat::glb, "glb", ".glb"},
    {AnimationFormat::vtu, "vtu", ".pvd"},
};

const FormatName& row_of(AnimationFormat format) {
    return *std::find_if(std::begin(formats), std::end(formats),
                         [&](const FormatName& f) { return f.format == format; });
}

bool is_sequence(AnimationFormat format) {
    return format == AnimationFormat::obj || format == AnimationFormat::ply;
}

} // namespace

std::span<const AnimationFormat> all_animation_formats() {
    static constexpr auto all = [] {
        std::array<AnimationFormat, std::size(formats)> out{};
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = formats[i].format;
        return out;
    }();
    return all;
}

std::string_view name_of(AnimationFormat format) {
    return row_of(format).name;
}

std::string_view ending_of(AnimationFormat format) {
    return row_of(format).ending;
}

std::optional<AnimationFormat> animation_format_by_name(std::string_view name) {
    for (const FormatName& format : formats)
        if (format.name == name)
            return format.format;
    return std::nullopt;
}

std::optional<AnimationFormat> animation_format_of(const fs::path& path) {
    const std::string ending = lower_case_ending(path);
    for (const FormatName& format : formats)
        if (ending == format.ending && (!is_sequence(format.format) || is_pattern(path)))
            return format.format;
    return std::nullopt;
}

std::string animation_format_names() {
    std::string out;
    for (const FormatName& format : formats)
        out += (out.empty() ? "" : ", ") + std::string(format.name);
    return out;
}

void write_animation(AnimationFormat format, const fs::path& output, AnimationSource& source,
                     const AnimationWriteOptions& options) {
    if (format != AnimationFormat::pc2 && format != AnimationFormat::mdd)
        require_faces(source, name_of(format));
    if (format == AnimationFormat::usda || format == AnimationFormat::glb)
        require_float_texcoords(source);
    switch (format) {
    case AnimationFormat::pc2:
    case AnimationFormat::mdd:
        return write_point_caches(format, output, source, options);
    case AnimationFormat::obj:
    case AnimationFormat::ply:
        return write_sequences(format, output, source, options);
    case AnimationFormat::usda:
        return write_usda(output, source, options);
    case AnimationFormat::glb:
        return write_glb(output, source, options);
    case AnimationFormat::vtu:
        return write_pvd(output, source, options);
    }
}

fs::path animation_output(AnimationFormat format, const fs::path& folder, const std::string& name) {
    switch (format) {
    case AnimationFormat::obj:
        return folder / "obj";
    case AnimationFormat::ply:
        return folder / "ply";
    case AnimationFormat::usda:
    case AnimationFormat::glb:
        return folder / (name + std::string(ending_of(format)));
    case AnimationFormat::vtu:
        return folder / "vtu" / (name + std::string(ending_of(format)));
    case AnimationFormat::pc2:
    case AnimationFormat::mdd:
        break;
    }
    return folder;
}

const std::vector<Float3>& FloatFrames::read(int frame) {
    source_->read(object_, frame, positions_);
    floats_.resize(positions_.size());
    for (std::size_t i = 0; i < positions_.size(); ++i) {
        for (int axis = 0; axis < 3; ++axis)
            floats_[i][static_cast<std::size_t>(axis)] = static_cast<float>(positions_[i][axis]);
        const Float3& p = floats_[i];
        if (!std::isfinite(p[0]) || !std::isfinite(p[1]) || !std::isfinite(p[2]))
            fail_input(
                source_->place(), 0,
                fmt::format("'{}', frame {}, vertex {}", source_->objects()[object_].name, frame,
                            i),
                "coordinates that single precision holds",
                fmt::format("({}, {}, {})", positions_[i].x, positions_[i].y, positions_[i].z));
    }
    return floats_;
}

void read_float_field(AnimationSource& source, std::size_t object, std::size_t field, int frame,
                      std::vector<double>& scratch, std::vector<float>& values) {
    source.read_field(object, field, frame, scratch);
    values.resize(scratch.size());
    for (std::size_t i = 0; i < scratch.size(); ++i) {
        values[i] = static_cast<float>(scratch[i]);
        if (!std::isfinite(values[i]))
            fail_input(source.place(), 0,
                       fmt::format("'{}', {}, frame {}, vertex {}", source.objects()[object].name,
                                   source.objects()[object].fields[field], frame, i),
                       "a number that single precision holds", fmt::format("{}", scratch[i]));
    }
}

FloatBox bounds(std::span<const Float3> points) {
    FloatBox box{points.front(), points.front()};
    for (const Float3& p : points)
        for (std::size_t k = 0; k < 3; ++k) {
            box.low[k] = std::min(box.low[k], p[k]);
            box.high[k] = std::max(box.high[k], p[k]);
        }
    return box;
}

void require_faces(const AnimationSource& source, std::string_view format) {
    for (const AnimatedObject& object : source.objects())
        if (object.mesh.face_count() == 0)
            throw InputError({{source.place(), 0, 0},
                              "--mesh",
                              fmt::format("the mesh that the cache moves, for {}", format),
                              fmt::format("no {}.obj beside it", object.name),
                              {}});
}

void require_float_texcoords(const AnimationSource& source) {
    for (const AnimatedObject& object : source.objects())
        for (const Vec2& t : object.mesh.texcoords)
            if (!std::isfinite(static_cast<float>(t.x)) || !std::isfinite(static_cast<float>(t.y)))
                fail_input(source.place(), 0, fmt::format("'{}'", object.name),
                           "texture coordinates that single precision holds",
                           fmt::format("({}, {})", t.x, t.y));
}

Vec3 object_color(const AnimationSource& source, std::size_t object) {
    std::size_t cloth = 0;
    for (std::size_t i = 0; i < object; ++i)
        cloth += source.objects()[i].is_body ? 0 : 1;
    Vec3 color = source.objects()[object].is_body ? body_color : cloth_colors(cloth).front;
    for (int k = 0; k < 3; ++k)
        color[k] =
            color[k] <= 0.04045 ? color[k] / 12.92 : std::pow((color[k] + 0.055) / 1.055, 2.4);
    return color;
}

} // namespace muslin
