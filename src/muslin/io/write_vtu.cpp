#include "muslin/io/animation_formats.h"
#include "muslin/io/markup.h"
#include "muslin/io/mesh_sequence.h"

#include <fmt/format.h>

#include <cstdint>

namespace muslin {
namespace {

namespace fs = std::filesystem;

// VTK's numbers of cell types.
constexpr std::uint8_t vtk_triangle = 5, vtk_polygon = 7, vtk_quad = 9;

/// The cells of a mesh, which stay the same while it moves.
struct Cells {
    std::vector<std::int32_t> connectivity, offsets;
    std::vector<std::uint8_t> types;

    explicit Cells(const PolygonMesh& mesh)
        : connectivity(mesh.corner_vertex.begin(), mesh.corner_vertex.end()),
          offsets(mesh.face_begin.begin() + 1, mesh.face_begin.end()) {
        for (int f = 0; f < mesh.face_count(); ++f) {
            const int corners = mesh.face_begin[f + 1] - mesh.face_begin[f];
            types.push_back(corners == 3 ? vtk_triangle : corners == 4 ? vtk_quad : vtk_polygon);
        }
    }
};

/// Declares arrays one after the other, whose bytes then follow in the same order.
class AppendedArrays {
public:
    explicit AppendedArrays(ByteSink& sink) : sink_(sink) {}

    void declare(const char* type, const std::string& name, int components, std::size_t bytes) {
        sink_.print("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" "
                    "format=\"appended\" offset=\"{}\"/>\n",
                    type, escape_markup(name), components, offset_);
        offset_ += sizeof(std::uint64_t) + bytes;
    }
    void put(std::string_view bytes) {
        const auto size = to_bytes(static_cast<std::uint64_t>(bytes.size()), std::endian::little);
        sink_.put({size.data(), size.size()});
        sink_.put(bytes);
    }

private:
    ByteSink& sink_;
    std::uint64_t offset_ = 0;
};

void print_head(ByteSink& sink, AppendedArrays& arrays, const AnimatedObject& object,
                const Cells& cells, double time) {
    const std::size_t points = object.mesh.positions.size();
    sink.print("<?xml version=\"1.0\"?>\n"
               "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
               "header_type=\"UInt64\">\n<UnstructuredGrid>\n"
               "<FieldData><DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
               "format=\"ascii\">{}</DataArray></FieldData>\n"
               "<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n",
               time, points, cells.types.size());
    sink.put(object.fields.empty() ? std::string("<PointData>\n")
                                   : fmt::format("<PointData Scalars=\"{}\">\n",
                                                 escape_markup(object.fields.front())));
    for (const std::string& field : object.fields)
        arrays.declare("Float32", field, 1, points * sizeof(float));
    sink.put("</PointData>\n<Points>\n");
    arrays.declare("Float32", "Points", 3, points * sizeof(Float3));
    sink.put("</Points>\n<Cells>\n");
    arrays.declare("Int32", "connectivity", 1, raw_bytes(cells.connectivity).size());
    arrays.declare("Int32", "offsets", 1, raw_bytes(cells.offsets).size());
    arrays.declare("UInt8", "types", 1, raw_bytes(cells.types).size());
    sink.put("</Cells>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_");
}

/// One object's frames as .vtu files.
class VtuFrames {
public:
    VtuFrames(AnimationSource& source, std::size_t object)
        : source_(source), object_(object), cells_(source.objects()[object].mesh),
          frames_(source, object) {}

    void write(const fs::path& file, int frame) {
        const AnimatedObject& object = source_.objects()[object_];
        write_file_atomically(file, [&](ByteSink& sink) {
            AppendedArrays arrays(sink);
            print_head(sink, arrays, object, cells_, frame / source_.frame_rate());
            for (std::size_t f = 0; f < object.fields.size(); ++f) {
                read_float_field(source_, object_, f, frame, scratch_, values_);
                arrays.put(raw_bytes(values_));
            }
            arrays.put(raw_bytes(frames_.read(frame)));
            arrays.put(raw_bytes(cells_.connectivity));
            arrays.put(raw_bytes(cells_.offsets));
            arrays.put(raw_bytes(cells_.types));
            sink.put("\n</AppendedData>\n</VTKFile>\n");
        });
    }

private:
    AnimationSource& source_;
    std::size_t object_;
    Cells cells_;
    FloatFrames frames_;
    std::vector<double> scratch_;
    std::vector<float> values_;
};

MeshSequence files_of(const fs::path& folder, const AnimatedObject& object) {
    MeshSequence out;
    out.folder = folder;
    out.before = object.name + ".";
    out.after = ".vtu";
    return out;
}

void print_collection(ByteSink& sink, const AnimationSource& source, const std::string& folder) {
    sink.put("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
             "byte_order=\"LittleEndian\">\n<Collection>\n");
    for (int frame = 0; frame < source.frames(); ++frame)
        for (std::size_t i = 0; i < source.objects().size(); ++i) {
            const AnimatedObject& object = source.objects()[i];
            const fs::path file = files_of(folder, object).file(object.moves ? frame : 0);
            sink.print("<DataSet timestep=\"{}\" group=\"\" part=\"{}\" name=\"{}\" "
                       "file=\"{}\"/>\n",
                       frame / source.frame_rate(), i, escape_markup(object.name),
                       escape_markup(file.generic_string()));
        }
    sink.put("</Collection>\n</VTKFile>\n");
}

} // namespace

void write_vtu(const fs::path& file, AnimationSource& source, std::size_t object, int frame) {
    require_faces(source, "vtu");
    VtuFrames(source, object).write(file, frame);
}

void write_pvd(const fs::path& file, AnimationSource& source,
               const AnimationWriteOptions& options) {
    const auto& objects = source.objects();
    FrameCounter counter(options, source.frames() * static_cast<int>(objects.size()));
    const fs::path folder = fs::path(file).replace_extension();
    make_folder(folder);
    for (std::size_t i = 0; i < objects.size(); ++i) {
        VtuFrames frames(source, i);
        const MeshSequence files = files_of(folder, objects[i]);
        for (int frame = 0; frame < source.frames(); ++frame, counter.step())
            if (objects[i].moves || frame == 0)
                frames.write(files.file(frame), frame);
    }
    // Last: it names only files that are there.
    write_file_atomically(
        file, [&](ByteSink& sink) { print_collection(sink, source, folder.filename().string()); });
}

} // namespace muslin
