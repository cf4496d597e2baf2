#include "muslin/io/animation_formats.h"
#include "muslin/io/mesh_file.h"
#include "muslin/io/mesh_sequence.h"
#include "muslin/io/text.h"

#include <fmt/format.h>

namespace muslin {
namespace {

namespace fs = std::filesystem;

/// The mesh of an object, brought to one frame after the other with its fields.
class FrameMesh {
public:
    FrameMesh(AnimationSource& source, std::size_t object, bool with_fields)
        : source_(&source), object_(object), with_fields_(with_fields),
          mesh_(source.objects()[object].mesh) {}

    const PolygonMesh& at(int frame) {
        source_->read(object_, frame, mesh_.positions);
        if (!with_fields_)
            return mesh_;
        const auto& fields = source_->objects()[object_].fields;
        for (std::size_t f = 0; f < fields.size(); ++f)
            source_->read_field(object_, f, frame, mesh_.vertex_maps[fields[f]]);
        return mesh_;
    }

private:
    AnimationSource* source_;
    std::size_t object_;
    bool with_fields_;
    PolygonMesh mesh_;
};

} // namespace

void write_sequences(AnimationFormat format, const fs::path& output, AnimationSource& source,
                     const AnimationWriteOptions& options) {
    const std::string ending(ending_of(format));
    const auto& objects = source.objects();
    FrameCounter counter(options, source.frames() * static_cast<int>(objects.size()));
    MeshSequence files;
    files.folder = output;
    files.after = ending;
    if (is_pattern(output)) {
        if (objects.size() != 1)
            fail_input(source.place(), 0, "--cloth",
                       fmt::format("the one object that goes into '{}', or a folder as the output",
                                   output.string()),
                       fmt::format("{}", objects.size()));
        files = parse_pattern(output);
    }
    make_folder(files.folder);
    for (std::size_t i = 0; i < objects.size(); ++i) {
        if (!is_pattern(output))
            files.before = objects[i].name + ".";
        FrameMesh mesh(source, i, format == AnimationFormat::ply); // OBJ has no place for them
        const bool still = !objects[i].moves && !is_pattern(output);
        for (int frame = 0; frame < source.frames(); ++frame, counter.step())
            if (!still)
                write_mesh(files.file(frame), mesh.at(frame));
            else if (frame == 0)
                write_mesh(output / (objects[i].name + ending), mesh.at(0));
    }
}

} // namespace muslin
