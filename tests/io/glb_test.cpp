#include "animation_samples.h"

#include "muslin/mesh/triangle_mesh.h"

#include <nlohmann/json.hpp>

#include <map>

namespace muslin::test {
namespace {

using Glb = TemporaryDirectory;
using Json = nlohmann::json;

/// A small reader of glTF, written from the specification alone.
class GlbFile {
public:
    explicit GlbFile(const std::string& bytes) : bytes_(bytes) {
        EXPECT_EQ(bytes.substr(0, 4), "glTF");
        EXPECT_EQ(word(4), 2u);
        EXPECT_EQ(word(8), bytes.size());
        EXPECT_EQ(bytes.substr(16, 4), "JSON");
        EXPECT_EQ(word(12) % 4, 0u);
        json = Json::parse(bytes.substr(20, word(12)));
        binary_ = 20 + word(12) + 8;
        EXPECT_EQ(bytes.substr(binary_ - 4, 4), std::string("BIN\0", 4));
        EXPECT_EQ(word(binary_ - 8), bytes.size() - binary_);
        EXPECT_EQ(json["buffers"][0]["byteLength"], bytes.size() - binary_);
    }

    /// The numbers of an accessor, `width` in a row.
    std::vector<std::vector<double>> read(const Json& index) const {
        const Json& accessor = json["accessors"].at(index.get<std::size_t>());
        const Json& view = json["bufferViews"].at(accessor["bufferView"].get<std::size_t>());
        static const std::map<std::string, std::size_t> widths = {
            {"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}};
        const std::size_t width = widths.at(accessor["type"]);
        const std::size_t stride = view.value("byteStride", 4 * width);
        const std::size_t begin = accessor.value("byteOffset", std::size_t{0});
        const auto count = accessor["count"].get<std::size_t>();
        EXPECT_LE(begin + stride * (count - 1) + 4 * width, view["byteLength"].get<std::size_t>());
        std::vector<std::vector<double>> out(count);
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t k = 0; k < width; ++k) {
                const char* at = bytes_.data() + binary_ + view["byteOffset"].get<std::size_t>() +
                                 begin + stride * i + 4 * k;
                out[i].push_back(
                    accessor["componentType"] == 5126
                        ? static_cast<double>(load_bytes<float>(at, std::endian::little))
                        : static_cast<double>(load_bytes<std::uint32_t>(at, std::endian::little)));
            }
        return out;
    }

    Json json;

private:
    std::uint32_t word(std::size_t at) const {
        return load_bytes<std::uint32_t>(bytes_.data() + at, std::endian::little);
    }
    const std::string& bytes_;
    std::size_t binary_ = 0;
};

void expect_bounds(const GlbFile& file, const Json& index) {
    const auto values = file.read(index);
    const Json& accessor = file.json["accessors"].at(index.get<std::size_t>());
    for (std::size_t k = 0; k < values[0].size(); ++k) {
        double low = values[0][k], high = values[0][k];
        for (const auto& row : values) {
            low = std::min(low, row[k]);
            high = std::max(high, row[k]);
        }
        EXPECT_EQ(accessor["min"].at(k).get<double>(), low) << "accessor " << index;
        EXPECT_EQ(accessor["max"].at(k).get<double>(), high) << "accessor " << index;
    }
}

TEST_F(Glb, EveryFrameIsTheFirstAndItsTarget) {
    constexpr int frames = 6;
    SampleAnimation source(frames);
    write_animation(AnimationFormat::glb, path("a.glb"), source);
    const std::string bytes = read_file(path("a.glb"));
    const GlbFile file(bytes);
    const Json& animation = file.json["animations"][0];
    const Json& sampler = animation["samplers"][0];
    const auto times = file.read(sampler["input"]), weights = file.read(sampler["output"]);
    ASSERT_EQ(animation["channels"].size(), 1u) << "the body stands still";
    EXPECT_EQ(animation["channels"][0]["target"]["path"], "weights");
    EXPECT_EQ(animation["channels"][0]["target"]["node"], 0);
    ASSERT_EQ(times.size(), 6u);
    ASSERT_EQ(weights.size(), 6u * 5u);
    expect_bounds(file, sampler["input"]);
    const Json& mesh = file.json["meshes"][0]["primitives"][0];
    ASSERT_EQ(mesh["targets"].size(), 5u);
    const auto base = file.read(mesh["attributes"]["POSITION"]);
    expect_bounds(file, mesh["attributes"]["POSITION"]);
    for (const Json& target : mesh["targets"])
        expect_bounds(file, target["POSITION"]);
    for (std::size_t frame = 0; frame < frames; ++frame) {
        EXPECT_EQ(times[frame][0], static_cast<float>(static_cast<int>(frame) / 25.0));
        auto points = base;
        for (std::size_t k = 0; k < 5; ++k) {
            const auto delta = file.read(mesh["targets"][k]["POSITION"]);
            for (std::size_t i = 0; i < points.size(); ++i)
                for (std::size_t axis = 0; axis < 3; ++axis)
                    points[i][axis] += weights[5 * frame + k][0] * delta[i][axis];
        }
        for (std::size_t i = 0; i < 11; ++i) {
            const Vec3 p =
                SampleAnimation::moved(seamed_mesh().positions[i], static_cast<int>(frame));
            for (int axis = 0; axis < 3; ++axis)
                EXPECT_NEAR(points[i][axis], p[axis], 1e-6) << "frame " << frame << ", " << i;
        }
    }
}

TEST_F(Glb, NormalsTurnWithTheCloth) {
    SampleAnimation source(4);
    write_animation(AnimationFormat::glb, path("a.glb"), source);
    const std::string bytes = read_file(path("a.glb"));
    const GlbFile file(bytes);
    const Json& mesh = file.json["meshes"][0]["primitives"][0];
    const auto base = file.read(mesh["attributes"]["NORMAL"]);
    const auto delta = file.read(mesh["targets"][2]["NORMAL"]);
    EXPECT_NEAR(base[0][2], 1, 1e-6) << "flat at the start";
    double turned = 0;
    for (std::size_t i = 0; i < base.size(); ++i) {
        double length = 0;
        for (std::size_t k = 0; k < 3; ++k)
            length += std::pow(base[i][k] + delta[i][k], 2);
        EXPECT_NEAR(length, 1, 1e-6);
        turned = std::max(turned, std::abs(delta[i][0]));
    }
    EXPECT_GT(turned, 0.005);
}

TEST_F(Glb, SeamsAreSplitAndTheUsersVerticesComeFirst) {
    SampleAnimation source(3);
    write_animation(AnimationFormat::glb, path("a.glb"), source);
    const std::string bytes = read_file(path("a.glb"));
    const GlbFile file(bytes);
    const Json& mesh = file.json["meshes"][0]["primitives"][0];
    const auto points = file.read(mesh["attributes"]["POSITION"]);
    const auto uv = file.read(mesh["attributes"]["TEXCOORD_0"]);
    const auto indices = file.read(mesh["indices"]);
    const PolygonMesh polygons = seamed_mesh();
    const TriangleMesh triangles = triangulate(polygons);
    ASSERT_EQ(uv.size(), points.size());
    ASSERT_GT(points.size(), 11u);
    ASSERT_EQ(indices.size(), 3 * triangles.triangles.size());
    for (std::size_t t = 0; t < triangles.triangles.size(); ++t)
        for (std::size_t k = 0; k < 3; ++k) {
            const int vertex = triangles.triangles[t][k];
            const auto copy = static_cast<std::size_t>(indices[3 * t + k][0]);
            EXPECT_EQ(points[copy][0], static_cast<float>(polygons.positions[vertex].x));
            EXPECT_EQ(points[copy][1], static_cast<float>(polygons.positions[vertex].y));
            const int face = triangles.source_face[t];
            int corner = polygons.face_begin[face];
            while (polygons.corner_vertex[corner] != vertex)
                ++corner;
            const Vec2 expected = polygons.texcoords[polygons.corner_texcoord[corner]];
            EXPECT_EQ(uv[copy][0], static_cast<float>(expected.x));
            EXPECT_EQ(uv[copy][1], static_cast<float>(1 - expected.y)) << "glTF's v grows down";
        }
    EXPECT_EQ(points[10][0], 7) << "a vertex of no face keeps its place";
}

TEST_F(Glb, BodiesAndNames) {
    SampleAnimation source(3);
    write_animation(AnimationFormat::glb, path("a.glb"), source);
    const std::string bytes = read_file(path("a.glb"));
    const GlbFile file(bytes);
    EXPECT_EQ(file.json["scenes"][0]["name"], "a \"scene\" <1>");
    EXPECT_EQ(file.json["nodes"][1]["name"], "body-rock");
    const Json& body = file.json["meshes"][1]["primitives"][0];
    EXPECT_FALSE(body.contains("targets"));
    EXPECT_FALSE(body["attributes"].contains("TEXCOORD_0"));
    for (const Json& material : file.json["materials"])
        EXPECT_EQ(material["doubleSided"], true);
    // One frame: a plain mesh.
    SampleAnimation still(1);
    write_animation(AnimationFormat::glb, path("b.glb"), still);
    const std::string still_bytes = read_file(path("b.glb"));
    const GlbFile plain(still_bytes);
    EXPECT_FALSE(plain.json.contains("animations"));
    EXPECT_FALSE(plain.json["meshes"][0]["primitives"][0].contains("targets"));
}

} // namespace
} // namespace muslin::test
