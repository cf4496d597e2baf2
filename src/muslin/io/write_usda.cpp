#include "muslin/io/animation_formats.h"
#include "muslin/mesh/normals.h"
#include "muslin/mesh/triangle_mesh.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

namespace muslin {
namespace {

constexpr int passes = 3; // over the frames of an object: extent, points, normals

/// Names as USD has them, letters, digits and '_', each once.
class PrimNames {
public:
    std::string make(const std::string& name) {
        std::string out;
        for (const char c : name) {
            const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
            out += letter || (c >= '0' && c <= '9') ? c : '_';
        }
        if (out.empty() || (out[0] >= '0' && out[0] <= '9'))
            out.insert(0, "_");
        std::string unique = out;
        for (int i = 1; !taken_.insert(unique).second; ++i)
            unique = fmt::format("{}_{}", out, i);
        return unique;
    }

private:
    std::set<std::string> taken_;
};

/// A text in quotes; other bytes than those that would end it are kept (USD is UTF-8).
std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out += '\\';
        out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
    return out + "\"";
}

void print_point(ByteSink& sink, const Float3& p) {
    sink.print("({}, {}, {})", p[0], p[1], p[2]);
}

template <class Items, class Print>
void print_list(ByteSink& sink, const Items& items, const Print& print) {
    sink.put("[");
    bool first = true;
    for (const auto& item : items) {
        if (!first)
            sink.put(", ");
        first = false;
        print(item);
    }
    sink.put("]");
}

void print_ints(ByteSink& sink, const std::vector<int>& values) {
    print_list(sink, values, [&](int value) { sink.print("{}", value); });
}

void print_points(ByteSink& sink, const std::vector<Float3>& points) {
    print_list(sink, points, [&](const Float3& p) { print_point(sink, p); });
}

// Four decimals turn a normal by less than 0.01 degrees.
void print_normals(ByteSink& sink, const std::vector<Vec3>& normals) {
    const auto rounded = [](double x) { return std::round(1e4 * x) / 1e4 + 0.0; };
    print_list(sink, normals, [&](const Vec3& n) {
        sink.print("({}, {}, {})", rounded(n.x), rounded(n.y), rounded(n.z));
    });
}

class UsdaWriter {
public:
    UsdaWriter(ByteSink& sink, AnimationSource& source, FrameCounter& counter)
        : sink_(sink), source_(source), counter_(counter) {}

    void write() {
        PrimNames tops, names;
        const std::string root = tops.make(source_.name().empty() ? "Muslin" : source_.name());
        sink_.print("#usda 1.0\n(\n    defaultPrim = \"{}\"\n    doc = \"Written by Muslin\"\n"
                    "    endTimeCode = {}\n    framesPerSecond = {}\n    metersPerUnit = 1\n"
                    "    startTimeCode = 0\n    timeCodesPerSecond = {}\n    upAxis = \"Y\"\n)\n\n",
                    root, source_.frames() - 1, source_.frame_rate(), source_.frame_rate());
        sink_.print("def Xform \"{}\" (\n    kind = \"component\"\n)\n{{\n", root);
        for (std::size_t i = 0; i < source_.objects().size(); ++i)
            print_mesh(i, names.make(source_.objects()[i].name));
        sink_.put("}\n");
    }

private:
    void print_mesh(std::size_t index, const std::string& prim) {
        const AnimatedObject& object = source_.objects()[index];
        sink_.print("    def Mesh \"{}\" (\n        customData = {{\n            string name = {}\n"
                    "        }}\n    )\n    {{\n",
                    prim, quoted(object.name));
        const Vec3 color = object_color(source_, index);
        sink_.put("        uniform bool doubleSided = 1\n");
        print_extent(index);
        print_topology(object.mesh);
        print_normal_samples(index);
        sink_.put("        uniform token orientation = \"rightHanded\"\n");
        FloatFrames frames(source_, index);
        print_samples(index, "point3f[] points", "",
                      [&](int frame) { print_points(sink_, frames.read(frame)); });
        sink_.print("        color3f[] primvars:displayColor = [({:.4f}, {:.4f}, {:.4f})]\n",
                    color.x, color.y, color.z);
        print_texcoords(object.mesh);
        sink_.put("        uniform token subdivisionScheme = \"none\"\n    }\n\n");
    }

    void print_topology(const PolygonMesh& mesh) {
        sink_.put("        int[] faceVertexCounts = [");
        for (int f = 0; f < mesh.face_count(); ++f)
            sink_.print("{}{}", f > 0 ? ", " : "", mesh.face_begin[f + 1] - mesh.face_begin[f]);
        sink_.put("]\n        int[] faceVertexIndices = ");
        print_ints(sink_, mesh.corner_vertex);
        sink_.put("\n");
    }

    void print_extent(std::size_t index) {
        FloatFrames frames(source_, index);
        print_samples(index, "float3[] extent", "", [&](int frame) {
            const FloatBox box = bounds(frames.read(frame));
            print_points(sink_, {box.low, box.high});
        });
    }

    // Without them a mesh that is not subdivided is shown in facets.
    void print_normal_samples(std::size_t index) {
        const TriangleMesh triangles = triangulate(source_.objects()[index].mesh);
        std::vector<Vec3> positions, normals;
        print_samples(index, "normal3f[] normals",
                      " (\n            interpolation = \"vertex\"\n        )", [&](int frame) {
                          source_.read(index, frame, positions);
                          vertex_normals(positions, triangles.triangles, normals);
                          print_normals(sink_, normals);
                      });
    }

    /// One value where the object stands still, else one for each frame; `metadata` follows a
    /// value, which an attribute must then have.
    template <class Print>
    void print_samples(std::size_t index, const char* attribute, const char* metadata,
                       const Print& print) {
        const bool still = !source_.objects()[index].moves || source_.frames() == 1;
        if (still || *metadata != '\0') {
            sink_.print("        {} = ", attribute);
            print(0);
            sink_.print("{}\n", metadata);
        }
        if (!still)
            sink_.print("        {}.timeSamples = {{\n", attribute);
        for (int frame = 0; frame < source_.frames(); ++frame, counter_.step()) {
            if (still)
                continue;
            sink_.print("            {}: ", frame);
            print(frame);
            sink_.put(",\n");
        }
        if (!still)
            sink_.put("        }\n");
    }

    void print_texcoords(const PolygonMesh& mesh) {
        if (mesh.corner_texcoord.empty())
            return;
        // A corner without a coordinate refers to one more, at the origin.
        const int none = static_cast<int>(mesh.texcoords.size());
        bool lacks = false;
        std::vector<int> indices = mesh.corner_texcoord;
        for (int& t : indices)
            if (t < 0) {
                t = none;
                lacks = true;
            }
        sink_.put("        texCoord2f[] primvars:st = [");
        for (std::size_t i = 0; i < mesh.texcoords.size(); ++i)
            sink_.print("{}({}, {})", i > 0 ? ", " : "", static_cast<float>(mesh.texcoords[i].x),
                        static_cast<float>(mesh.texcoords[i].y));
        if (lacks)
            sink_.print("{}(0, 0)", none > 0 ? ", " : "");
        sink_.put("] (\n            interpolation = \"faceVarying\"\n        )\n"
                  "        int[] primvars:st:indices = ");
        print_ints(sink_, indices);
        sink_.put("\n");
    }

    ByteSink& sink_;
    AnimationSource& source_;
    FrameCounter& counter_;
};

} // namespace

void write_usda(const std::filesystem::path& file, AnimationSource& source,
                const AnimationWriteOptions& options) {
    FrameCounter counter(options,
                         passes * source.frames() * static_cast<int>(source.objects().size()));
    write_file_atomically(file, [&](ByteSink& sink) { UsdaWriter(sink, source, counter).write(); });
}

} // namespace muslin
