#include "commands.h"
#include "export.h"

#include "muslin/base/error.h"
#include "muslin/io/atomic_file.h"
#include "muslin/io/mesh_file.h"
#include "muslin/io/mesh_sequence.h"
#include "muslin/io/text.h"

#include <fmt/format.h>

#include <filesystem>

namespace muslin::cli {
namespace {

namespace fs = std::filesystem;

bool is_mesh_ending(const fs::path& path) {
    const std::string ending = lower_case_ending(path);
    return ending == ".obj" || ending == ".ply" || ending == ".off";
}

/// What to make of the output: one mesh, one VTK file, or an animation.
struct Target {
    enum class Kind { mesh, vtu, animation } kind = Kind::mesh;
    AnimationFormat format = AnimationFormat::pc2;
};

Target target_of(const ConvertArguments& arguments) {
    const fs::path out = arguments.out;
    if (arguments.format.empty()) {
        if (const auto format = animation_format_of(out))
            return {Target::Kind::animation, *format};
        if (lower_case_ending(out) == ".vtu")
            return {Target::Kind::vtu};
        if (is_mesh_ending(out))
            return {Target::Kind::mesh};
        throw InputError({{arguments.out, 0, 0},
                          "OUT",
                          "an ending .obj, .ply, .off, .pc2, .mdd, .usda, .glb, .pvd or .vtu, or "
                          "--format for a folder",
                          out.has_extension() ? "'" + out.extension().string() + "'" : "no ending",
                          {}});
    }
    const AnimationFormat format = parse_export(arguments.format, "--format");
    if (format == AnimationFormat::vtu && lower_case_ending(out) == ".vtu")
        return {Target::Kind::vtu};
    const bool one_mesh = lower_case_ending(out) == "." + arguments.format && !is_pattern(out);
    if (one_mesh && (format == AnimationFormat::obj || format == AnimationFormat::ply))
        return {Target::Kind::mesh};
    return {Target::Kind::animation, format};
}

/// Of several objects the only cloth, for outputs that hold one; else the user must say which.
std::unique_ptr<AnimationSource> one_object(std::unique_ptr<AnimationSource> source) {
    if (source->objects().size() == 1)
        return source;
    std::string cloth, names;
    int cloths = 0;
    for (const AnimatedObject& object : source->objects()) {
        names += (names.empty() ? "'" : ", '") + object.name + "'";
        if (object.is_body)
            continue;
        cloth = object.name;
        ++cloths;
    }
    if (cloths == 1)
        return select_object(std::move(source), cloth);
    throw InputError({{source->place(), 0, 0},
                      "--cloth",
                      "one of " + names + ", as the output holds one object",
                      "no --cloth",
                      {}});
}

void write_one_mesh(const fs::path& out, AnimationSource& source) {
    const AnimatedObject& object = source.objects().front();
    if (object.mesh.face_count() == 0)
        throw InputError({{source.place(), 0, 0},
                          "--mesh",
                          "the mesh that the cache moves",
                          fmt::format("no {}.obj beside it", object.name),
                          {}});
    PolygonMesh mesh = object.mesh;
    source.read(0, 0, mesh.positions);
    for (std::size_t f = 0; f < object.fields.size(); ++f)
        source.read_field(0, f, 0, mesh.vertex_maps[object.fields[f]]);
    write_mesh(out, mesh);
}

/// A folder stands for a file of the source's name in it, where a format is one file.
fs::path animation_file(const Target& target, const fs::path& out, const std::string& name) {
    const bool one_file = target.format == AnimationFormat::usda ||
                          target.format == AnimationFormat::glb ||
                          target.format == AnimationFormat::vtu;
    std::error_code ignored;
    if (!one_file || (out.has_extension() && !fs::is_directory(out, ignored)))
        return out;
    make_folder(out);
    return out / (name + std::string(ending_of(target.format)));
}

bool wants_one_object(const Target& target, const fs::path& out) {
    if (target.kind != Target::Kind::animation)
        return true;
    switch (target.format) {
    case AnimationFormat::pc2:
    case AnimationFormat::mdd:
        return lower_case_ending(out) == ending_of(target.format);
    case AnimationFormat::obj:
    case AnimationFormat::ply:
        return is_pattern(out);
    default:
        return false;
    }
}

} // namespace

int convert(const ConvertArguments& arguments) {
    const Target target = target_of(arguments);
    AnimationOpenOptions options;
    options.mesh = arguments.mesh;
    options.clip = arguments.clip;
    if (arguments.frame_rate > 0)
        options.frame_rate = arguments.frame_rate;
    std::unique_ptr<AnimationSource> source = open_animation(arguments.in, options);
    if (!arguments.cloth.empty())
        source = select_object(std::move(source), arguments.cloth);
    const fs::path out = target.kind == Target::Kind::animation
                             ? animation_file(target, arguments.out, source->name())
                             : fs::path(arguments.out);
    if (wants_one_object(target, out))
        source = one_object(std::move(source));
    if (arguments.frame >= 0 || target.kind != Target::Kind::animation) {
        const int last = source->frames() - 1;
        source = select_frame(std::move(source), arguments.frame < 0 ? last : arguments.frame);
    }
    if (target.kind == Target::Kind::mesh)
        write_one_mesh(out, *source);
    else if (target.kind == Target::Kind::vtu)
        write_vtu(out, *source, 0, 0);
    else
        write_with_progress(target.format, out, *source, arguments.quiet);
    return 0;
}

} // namespace muslin::cli
