#include "muslin/io/animation_formats.h"
#include "muslin/io/text.h"
#include "muslin/mesh/corner_split.h"
#include "muslin/mesh/normals.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <limits>

namespace muslin {
namespace {

// glTF 2.0, binary. Each object that moves is a mesh with one morph target for every frame after
// the first, holding what to add to positions and normals, and one animation turns the weights from
// a target to the next. The file is written in passes over the frames: JSON comes first and holds
// the bounds of every target, so that it is produced twice, once to be counted.

constexpr int passes = 3; // JSON counted, JSON written, binary
constexpr int array_buffer = 34962, element_buffer = 34963;
constexpr int type_float = 5126, type_uint = 5125;

std::string quoted(const std::string& text) {
    // Bytes that are not UTF-8 become U+FFFD.
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// The vertices that glTF has of an object, and where its parts lie.
struct GlbObject {
    std::size_t index = 0;
    std::vector<std::array<int, 3>> triangles; ///< of the mesh's own vertices, for normals
    CornerSplit split;
    bool morphs = false;
    int first_accessor = 0, first_view = 0;

    std::uint64_t vertices() const { return split.source.size(); }
    std::uint64_t attribute_bytes() const { return vertices() * sizeof(Float3); }
    std::uint64_t index_bytes() const { return split.triangles.size() * 3 * sizeof(std::uint32_t); }
    std::uint64_t texcoord_bytes() const { return split.uv.size() * 2 * sizeof(float); }
    std::uint64_t morph_bytes(int frames) const {
        return morphs ? static_cast<std::uint64_t>(frames - 1) * 2 * attribute_bytes() : 0;
    }
    int views() const { return 3 + (split.uv.empty() ? 0 : 1) + (morphs ? 1 : 0); }
    int accessors(int frames) const {
        return 3 + (split.uv.empty() ? 0 : 1) + (morphs ? 2 * (frames - 1) : 0);
    }
};

/// Gives the difference of a frame to the first, for the mesh's own vertices.
class MorphFrames {
public:
    MorphFrames(AnimationSource& source, const GlbObject& object)
        : object_(object), frames_(source, object.index) {
        first_ = frames_.read(0);
        first_normals_ = normals();
    }

    const std::vector<Float3>& first() const { return first_; }
    const std::vector<Float3>& first_normals() const { return first_normals_; }

    const std::vector<Float3>& difference(int frame) {
        subtract(frames_.read(frame), first_);
        return difference_;
    }
    /// For the frame of the last difference().
    const std::vector<Float3>& normal_difference() {
        subtract(normals(), first_normals_);
        return difference_;
    }

private:
    const std::vector<Float3>& normals() {
        vertex_normals(frames_.positions(), object_.triangles, normals_);
        float_normals_.resize(normals_.size());
        for (std::size_t i = 0; i < normals_.size(); ++i)
            float_normals_[i] = {static_cast<float>(normals_[i].x),
                                 static_cast<float>(normals_[i].y),
                                 static_cast<float>(normals_[i].z)};
        return float_normals_;
    }
    void subtract(const std::vector<Float3>& a, const std::vector<Float3>& b) {
        difference_.resize(a.size());
        for (std::size_t i = 0; i < a.size(); ++i)
            for (std::size_t k = 0; k < 3; ++k)
                difference_[i][k] = a[i][k] - b[i][k];
    }

    const GlbObject& object_;
    FloatFrames frames_;
    std::vector<Vec3> normals_;
    std::vector<Float3> first_, first_normals_, float_normals_, difference_;
};

class GlbWriter {
public:
    GlbWriter(AnimationSource& source, const AnimationWriteOptions& options)
        : source_(source), frames_(source.frames()),
          counter_(options, passes * source.frames() * static_cast<int>(source.objects().size())) {
        int accessor = 0, view = 0;
        for (std::size_t i = 0; i < source.objects().size(); ++i) {
            const PolygonMesh& mesh = source.objects()[i].mesh;
            const TriangleMesh triangles = triangulate(mesh);
            GlbObject object;
            object.index = i;
            object.split = split_corners(mesh.positions.size(), triangles.triangles,
                                         texture_corners(mesh, triangles));
            object.triangles = triangles.triangles;
            object.morphs = source.objects()[i].moves && frames_ > 1;
            object.first_accessor = accessor;
            object.first_view = view;
            accessor += object.accessors(frames_);
            view += object.views();
            moves_ = moves_ || object.morphs;
            objects_.push_back(std::move(object));
        }
        times_accessor_ = accessor;
        times_view_ = view;
    }

    void write(const std::filesystem::path& file) {
        write_file_atomically(file, [&](ByteSink& sink) {
            const std::uint64_t json = counted_json(), padded = (json + 3) / 4 * 4;
            const std::uint64_t binary = binary_bytes(), all = 12 + 8 + padded + 8 + binary;
            if (all > std::numeric_limits<std::uint32_t>::max())
                fail_input(source_.place(), 0, "glb",
                           "an animation of at most 4 GiB, as the format holds",
                           fmt::format("{} bytes; usda, mdd and pc2 have no such limit", all));
            put(sink, 0x46546C67); // "glTF"
            put(sink, 2);
            put(sink, all);
            put(sink, padded);
            put(sink, 0x4E4F534A); // "JSON"
            print_json(sink);
            for (std::uint64_t i = json; i < padded; ++i)
                sink.put(" ");
            put(sink, binary);
            put(sink, 0x004E4942); // "BIN"
            put_binary(sink);
        });
    }

private:
    static void put(ByteSink& sink, std::uint64_t value) {
        const auto bytes = to_bytes(static_cast<std::uint32_t>(value), std::endian::little);
        sink.put({bytes.data(), bytes.size()});
    }

    std::uint64_t counted_json() {
        std::uint64_t size = 0;
        ByteSink counting([&](std::string_view bytes) { size += bytes.size(); });
        print_json(counting);
        counting.flush();
        return size;
    }

    std::uint64_t times_bytes() const { return moves_ ? sizeof(float) * frames_u() : 0; }
    std::uint64_t weights_bytes() const {
        return moves_ ? sizeof(float) * frames_u() * (frames_u() - 1) : 0;
    }
    std::uint64_t frames_u() const { return static_cast<std::uint64_t>(frames_); }
    std::uint64_t binary_bytes() const {
        std::uint64_t bytes = times_bytes() + weights_bytes();
        for (const GlbObject& o : objects_)
            bytes += o.index_bytes() + 2 * o.attribute_bytes() + o.texcoord_bytes() +
                     o.morph_bytes(frames_);
        return bytes;
    }

    void print_json(ByteSink& sink) {
        sink.put("{\"asset\":{\"version\":\"2.0\",\"generator\":\"Muslin\"},\"scene\":0,");
        sink.print("\"scenes\":[{{\"name\":{},\"nodes\":[", quoted(source_.name()));
        for (std::size_t i = 0; i < objects_.size(); ++i)
            sink.print("{}{}", i > 0 ? "," : "", i);
        sink.put("]}],\"nodes\":[");
        for (std::size_t i = 0; i < objects_.size(); ++i)
            sink.print("{}{{\"name\":{},\"mesh\":{}}}", i > 0 ? "," : "",
                       quoted(source_.objects()[i].name), i);
        sink.put("],\"meshes\":[");
        for (std::size_t i = 0; i < objects_.size(); ++i)
            print_mesh(sink, i);
        sink.put("],\"materials\":[");
        for (std::size_t i = 0; i < objects_.size(); ++i) {
            const Vec3 color = object_color(source_, i);
            sink.print("{}{{\"name\":{},\"doubleSided\":true,\"pbrMetallicRoughness\":"
                       "{{\"baseColorFactor\":[{:.4f},{:.4f},{:.4f},1],\"metallicFactor\":0,"
                       "\"roughnessFactor\":0.9}}}}",
                       i > 0 ? "," : "", quoted(source_.objects()[i].name), color.x, color.y,
                       color.z);
        }
        sink.put("],");
        if (moves_)
            print_animation(sink);
        print_accessors(sink);
        print_views(sink);
        sink.print("\"buffers\":[{{\"byteLength\":{}}}]}}", binary_bytes());
    }

    void print_mesh(ByteSink& sink, std::size_t i) const {
        const GlbObject& o = objects_[i];
        const int a = o.first_accessor, morph = a + 3 + (o.split.uv.empty() ? 0 : 1);
        sink.print("{}{{\"name\":{},\"primitives\":[{{\"indices\":{},\"material\":{},"
                   "\"attributes\":{{\"POSITION\":{},\"NORMAL\":{}",
                   i > 0 ? "," : "", quoted(source_.objects()[i].name), a, i, a + 1, a + 2);
        if (!o.split.uv.empty())
            sink.print(",\"TEXCOORD_0\":{}", a + 3);
        sink.put("}");
        if (o.morphs) {
            sink.put(",\"targets\":[");
            for (int k = 0; k < frames_ - 1; ++k)
                sink.print("{}{{\"POSITION\":{},\"NORMAL\":{}}}", k > 0 ? "," : "", morph + 2 * k,
                           morph + 2 * k + 1);
            sink.put("]");
        }
        sink.put("}]}");
    }

    // The objects share times and weights: they all have as many targets.
    void print_animation(ByteSink& sink) const {
        sink.print("\"animations\":[{{\"name\":{},\"samplers\":[{{\"input\":{},\"output\":{},"
                   "\"interpolation\":\"LINEAR\"}}],\"channels\":[",
                   quoted(source_.name()), times_accessor_, times_accessor_ + 1);
        bool first = true;
        for (std::size_t i = 0; i < objects_.size(); ++i) {
            if (!objects_[i].morphs)
                continue;
            sink.print("{}{{\"sampler\":0,\"target\":{{\"node\":{},\"path\":\"weights\"}}}}",
                       first ? "" : ",", i);
            first = false;
        }
        sink.put("]}],");
    }

    static void print_accessor(ByteSink& sink, int view, std::uint64_t offset, int type,
                               std::uint64_t count, const char* shape) {
        sink.print("{{\"bufferView\":{},\"byteOffset\":{},\"componentType\":{},\"count\":{},"
                   "\"type\":\"{}\"",
                   view, offset, type, count, shape);
    }

    // Printed as doubles, so that they read back as exactly these floats.
    static void print_bounds(ByteSink& sink, const std::vector<Float3>& points) {
        const FloatBox box = bounds(points);
        const auto print = [&](const char* key, const Float3& p) {
            sink.print(",\"{}\":[{},{},{}]", key, static_cast<double>(p[0]),
                       static_cast<double>(p[1]), static_cast<double>(p[2]));
        };
        print("min", box.low);
        print("max", box.high);
    }

    void print_accessors(ByteSink& sink) {
        sink.put("\"accessors\":[");
        for (const GlbObject& o : objects_) {
            MorphFrames morphs(source_, o);
            if (o.index > 0)
                sink.put(",");
            print_accessor(sink, o.first_view, 0, type_uint, 3 * o.split.triangles.size(),
                           "SCALAR");
            sink.put("},");
            print_accessor(sink, o.first_view + 1, 0, type_float, o.vertices(), "VEC3");
            print_bounds(sink, morphs.first());
            sink.put("},");
            print_accessor(sink, o.first_view + 2, 0, type_float, o.vertices(), "VEC3");
            sink.put("}");
            if (!o.split.uv.empty()) {
                sink.put(",");
                print_accessor(sink, o.first_view + 3, 0, type_float, o.vertices(), "VEC2");
                sink.put("}");
            }
            counter_.step();
            for (int frame = 1; frame < frames_; ++frame, counter_.step())
                if (o.morphs)
                    print_target_accessors(sink, o, frame, morphs.difference(frame));
        }
        if (moves_)
            print_animation_accessors(sink);
        sink.put("],");
    }

    void print_target_accessors(ByteSink& sink, const GlbObject& o, int frame,
                                const std::vector<Float3>& difference) const {
        const int view = o.first_view + o.views() - 1;
        const std::uint64_t at = static_cast<std::uint64_t>(frame - 1) * 2 * o.attribute_bytes();
        sink.put(",");
        print_accessor(sink, view, at, type_float, o.vertices(), "VEC3");
        print_bounds(sink, difference);
        sink.put("},");
        print_accessor(sink, view, at + o.attribute_bytes(), type_float, o.vertices(), "VEC3");
        sink.put("}");
    }

    void print_animation_accessors(ByteSink& sink) const {
        sink.put(",");
        print_accessor(sink, times_view_, 0, type_float, frames_u(), "SCALAR");
        sink.print(",\"min\":[0],\"max\":[{}]}},", static_cast<double>(time_of(frames_ - 1)));
        print_accessor(sink, times_view_ + 1, 0, type_float, frames_u() * (frames_u() - 1),
                       "SCALAR");
        sink.put("}");
    }

    void print_views(ByteSink& sink) const {
        std::uint64_t at = 0;
        const auto print = [&](std::uint64_t bytes, const std::string& more) {
            sink.print("{}{{\"buffer\":0,\"byteOffset\":{},\"byteLength\":{}{}}}",
                       at > 0 ? "," : "", at, bytes, more);
            at += bytes;
        };
        const std::string vertices = fmt::format(",\"target\":{}", array_buffer);
        sink.put("\"bufferViews\":[");
        for (const GlbObject& o : objects_) {
            print(o.index_bytes(), fmt::format(",\"target\":{}", element_buffer));
            print(o.attribute_bytes(), vertices);
            print(o.attribute_bytes(), vertices);
            if (!o.split.uv.empty())
                print(o.texcoord_bytes(), vertices);
            if (o.morphs) // all targets in one: their accessors then need the stride
                print(o.morph_bytes(frames_),
                      fmt::format(",\"byteStride\":{}{}", sizeof(Float3), vertices));
        }
        if (moves_) {
            print(times_bytes(), "");
            print(weights_bytes(), "");
        }
        sink.put("],");
    }

    float time_of(int frame) const { return static_cast<float>(frame / source_.frame_rate()); }

    void put_split(ByteSink& sink, const GlbObject& o, const std::vector<Float3>& values) {
        split_.resize(o.split.source.size());
        for (std::size_t i = 0; i < split_.size(); ++i)
            split_[i] = values[static_cast<std::size_t>(o.split.source[i])];
        sink.put(raw_bytes(split_));
    }

    void put_binary(ByteSink& sink) {
        for (const GlbObject& o : objects_) {
            sink.put(raw_bytes(o.split.triangles));
            MorphFrames morphs(source_, o);
            put_split(sink, o, morphs.first());
            put_split(sink, o, morphs.first_normals());
            std::vector<std::array<float, 2>> texcoords;
            // glTF's v grows downwards.
            for (const Vec2& t : o.split.uv)
                texcoords.push_back({static_cast<float>(t.x), static_cast<float>(1 - t.y)});
            sink.put(raw_bytes(texcoords));
            counter_.step();
            for (int frame = 1; frame < frames_; ++frame, counter_.step()) {
                if (!o.morphs)
                    continue;
                put_split(sink, o, morphs.difference(frame));
                put_split(sink, o, morphs.normal_difference());
            }
        }
        if (moves_)
            put_animation(sink);
    }

    void put_animation(ByteSink& sink) const {
        const auto put_float = [&](float value) {
            const auto bytes = to_bytes(value, std::endian::little);
            sink.put({bytes.data(), bytes.size()});
        };
        for (int frame = 0; frame < frames_; ++frame)
            put_float(time_of(frame));
        for (int frame = 0; frame < frames_; ++frame)
            for (int target = 1; target < frames_; ++target)
                put_float(target == frame ? 1.0F : 0.0F);
    }

    AnimationSource& source_;
    int frames_;
    FrameCounter counter_;
    std::vector<GlbObject> objects_;
    bool moves_ = false;
    int times_accessor_ = 0, times_view_ = 0;
    std::vector<Float3> split_;
};

} // namespace

void write_glb(const std::filesystem::path& file, AnimationSource& source,
               const AnimationWriteOptions& options) {
    GlbWriter(source, options).write(file);
}

} // namespace muslin
