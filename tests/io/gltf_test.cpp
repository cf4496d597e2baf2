#include "muslin/io/gltf.h"

#include "mesh_samples.h"
#include "muslin/io/animation.h"
#include "muslin/io/animation_writer.h"
#include "muslin/io/base64.h"
#include "muslin/mesh/topology.h"
#include "muslin/mesh/triangle_mesh.h"
#include "test_data.h"

#include <nlohmann/json.hpp>

#include <set>

namespace muslin::test {
namespace {

using Json = nlohmann::json;
using Gltf = TemporaryDirectory;

/// Puts a glTF file together.
struct Builder {
    Json json = {{"asset", {{"version", "2.0"}}}, {"bufferViews", Json::array()}};
    std::string bytes;

    template <class T>
    int view(const std::vector<T>& values) {
        bytes.resize((bytes.size() + 3) / 4 * 4);
        json["bufferViews"].push_back({{"buffer", 0},
                                       {"byteOffset", bytes.size()},
                                       {"byteLength", values.size() * sizeof(T)}});
        bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
        return static_cast<int>(json["bufferViews"].size()) - 1;
    }
    template <class T>
    int accessor(const std::vector<T>& values, const char* type, std::size_t width,
                 bool normalized = false) {
        const int component = std::is_same_v<T, float>           ? 5126
                              : std::is_same_v<T, std::uint16_t> ? 5123
                                                                 : 5121;
        return add({{"bufferView", view(values)},
                    {"componentType", component},
                    {"count", values.size() / width},
                    {"type", type},
                    {"normalized", normalized}});
    }
    int add(const Json& accessor) {
        json["accessors"].push_back(accessor);
        return static_cast<int>(json["accessors"].size()) - 1;
    }
    std::string text() const {
        Json out = json;
        out["buffers"] = {{{"byteLength", bytes.size()},
                           {"uri", "data:application/octet-stream;base64," + base64(bytes)}}};
        return out.dump(1);
    }
};

/// A strip of cloth for an arm: two joints, of which the child comes first in the file; a morph
/// target that is sparse; weights as bytes whose sum is not 1; a matrix; a cubic animation.
Builder arm() {
    Builder b;
    const int positions = b.accessor<float>({0, 0, 0, 1, 0, 0, 0, 2, 0, 1, 2, 0}, "VEC3", 3);
    const int strip = b.accessor<std::uint16_t>({0, 1, 2, 3}, "SCALAR", 1);
    const int joints =
        b.accessor<std::uint8_t>({0, 9, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, "VEC4", 4);
    const int weights = b.accessor<std::uint8_t>(
        {255, 0, 0, 0, 255, 0, 0, 0, 128, 0, 0, 0, 255, 0, 0, 0}, "VEC4", 4, true);
    const int morph = b.add({{"componentType", 5126}, {"count", 4}, {"type", "VEC3"}});
    b.json["accessors"][morph]["sparse"] = {
        {"count", 1},
        {"indices", {{"bufferView", b.view<std::uint8_t>({2})}, {"componentType", 5121}}},
        {"values", {{"bufferView", b.view<float>({0, 0, 1})}}}};
    const int binds = b.accessor<float>({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0,  0,  -5, 1,
                                         1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -0, -1, -5, 1},
                                        "MAT4", 16);
    const int times = b.accessor<float>({0, 2}, "SCALAR", 1);
    const float r = std::sqrt(0.5F);
    const int turn = b.accessor<float>({0, 0, 0, 1, 0, 0, r, r}, "VEC4", 4);
    const int swell = b.accessor<float>({9, 0, 1, -1, 4, 9}, "SCALAR", 1);
    b.json["meshes"] = {
        {{"name", "sleeve"},
         {"extras", {{"targetNames", {"swell"}}}},
         {"primitives",
          {{{"mode", 5},
            {"indices", strip},
            {"attributes", {{"POSITION", positions}, {"JOINTS_0", joints}, {"WEIGHTS_0", weights}}},
            {"targets", {{{"POSITION", morph}}}}}}}}};
    b.json["nodes"] = {{{"mesh", 0}, {"skin", 0}, {"translation", {100, 0, 0}}},
                       {{"name", "elbow"}, {"translation", {0, 1, 0}}},
                       {{"name", "shoulder"},
                        {"children", {1}},
                        {"matrix", {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 5, 1}}}};
    b.json["skins"] = {{{"joints", {2, 1}}, {"inverseBindMatrices", binds}}};
    b.json["scenes"] = {{{"nodes", {0, 2}}}};
    b.json["animations"] = {
        {{"samplers",
          {{{"input", times}, {"output", turn}},
           {{"input", times}, {"output", swell}, {"interpolation", "CUBICSPLINE"}}}},
         {"channels",
          {{{"sampler", 0}, {"target", {{"node", 1}, {"path", "rotation"}}}},
           {{"sampler", 1}, {"target", {{"node", 0}, {"path", "weights"}}}},
           {{"sampler", 1}, {"target", {{"path", "weights"}}}}}}}};
    return b;
}

void expect_near(const Vec3& a, const Vec3& b) {
    for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(a[k], b[k], 5e-7); // floats
}

TEST_F(Gltf, IsPosedAsComputedByHand) {
    write_file_atomically(path("arm.gltf"), arm().text());
    const Character body = read_gltf(path("arm.gltf"));
    const std::vector<std::string>& warnings = body.mesh.warnings;
    ASSERT_EQ(warnings.size(), 2u);
    EXPECT_NE(warnings[0].find("animations[0].channels[2]"), std::string::npos);
    EXPECT_NE(warnings[1].find("meshes[0]: the weights of 1 of 4 vertices"), std::string::npos);
    EXPECT_EQ(body.nodes[2].name, "elbow");
    EXPECT_EQ(body.nodes[2].parent, 1);
    EXPECT_EQ(body.parts.at(0).morphs.at(0).name, "swell");
    EXPECT_EQ(body.mesh.corner_vertex, (std::vector{0, 1, 2, 1, 3, 2}));
    const Clip& clip = find_clip(body, "clip0");
    EXPECT_EQ(clip.duration, 2);
    std::array<std::vector<Vec3>, 2> at; // one and two seconds from the start
    for (std::size_t i = 0; i < at.size(); ++i) {
        at[i].resize(body.mesh.positions.size());
        pose_character(body, sample_clip(body, clip, 1.0 + static_cast<double>(i)), at[i]);
    }
    const double r = std::sqrt(0.5);
    expect_near(at[0][1], {1, 0, 0});
    expect_near(at[0][2], {-r, 1 + r, 2.5}); // 0.5 * 4 + 2 s * 0.125 * (1 + 1) of the morph
    expect_near(at[0][3], {0, 1 + 2 * r, 0});
    expect_near(at[1][2], {-1, 1, 4});
    EXPECT_EQ(read_mesh(path("arm.gltf")).positions[3].y, 2);

    AnimationOpenOptions options;
    options.frame_rate = 1;
    const auto frames = open_animation(path("arm.gltf"), options);
    ASSERT_EQ(frames->frames(), 3);
    std::vector<Vec3> positions;
    frames->read(0, 1, positions);
    expect_near(positions[2], at[0][2]);
    options.clip = "none";
    EXPECT_EQ(open_animation(path("arm.gltf"), options)->frames(), 1);
    options.clip = "walk";
    EXPECT_PROBLEM(problem_of([&] { open_animation(path("arm.gltf"), options); }),
                   path("arm.gltf").string(), 0, "--clip", "one of 'clip0', or 'none'", "'walk'");
}

// A tetrahedron with three vertices for each face, as flat shading needs them, and one beside it,
// whose vertices are its own, that touches it in a point.
TEST_F(Gltf, SplitVerticesAreOneAgain) {
    const std::vector<Vec3> corner = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    std::vector<float> split, uv, whole;
    std::vector<std::uint16_t> corners;
    for (const auto& face : faces)
        for (const int v : face) {
            for (int k = 0; k < 3; ++k)
                split.push_back(static_cast<float>(corner[v][k]));
            uv.insert(uv.end(), {static_cast<float>(uv.size()), 0.25F});
            corners.push_back(static_cast<std::uint16_t>(v));
        }
    for (const Vec3& p : corner)
        for (int k = 0; k < 3; ++k)
            whole.push_back(static_cast<float>(-p[k]));
    for (std::size_t i = 0; i < corners.size(); i += 3)
        std::swap(corners[i], corners[i + 1]); // mirrored, so turned over
    Builder b;
    b.json["meshes"] = {{{"primitives",
                          {{{"attributes",
                             {{"POSITION", b.accessor(split, "VEC3", 3)},
                              {"TEXCOORD_0", b.accessor(uv, "VEC2", 2)}}}},
                           {{"attributes", {{"POSITION", b.accessor(whole, "VEC3", 3)}}},
                            {"indices", b.accessor(corners, "SCALAR", 1)}}}}}};
    const Character body = parse_gltf(b.text(), "t.gltf", {});
    EXPECT_EQ(body.mesh.positions.size(), 8u);
    EXPECT_EQ(body.mesh.face_count(), 8);
    const Topology topology = build_topology(triangulate(body.mesh).triangles);
    EXPECT_EQ(topology.boundary_edges.size(), 0u);
    EXPECT_EQ(topology.edges.size(), 12u);
    ASSERT_EQ(body.mesh.corner_texcoord.size(), 24u);
    EXPECT_EQ(body.mesh.texcoords[body.mesh.corner_texcoord[11]].x, 22);
    EXPECT_EQ(body.mesh.texcoords[body.mesh.corner_texcoord[11]].y, 0.75);
    EXPECT_EQ(body.mesh.corner_texcoord[12], -1);

    // A node that mirrors turns the faces, so that they look outward still.
    b.json["nodes"] = {{{"mesh", 0}, {"scale", {-2, 1, 1}}}};
    const PolygonMesh mirrored = parse_mesh(b.text(), "t.gltf");
    EXPECT_EQ(mirrored.corner_vertex[1], body.mesh.corner_vertex[2]);
    EXPECT_EQ(mirrored.positions[2].x + mirrored.positions[1].x, -2);
}

TEST_F(Gltf, WhatIsWrongIsNamed) {
    const auto expect = [&](const char* element, const std::function<void(Json&)>& spoil) {
        Builder b = arm();
        spoil(b.json);
        const Problem problem = problem_of([&] { parse_gltf(b.text(), "arm.gltf", {}); });
        EXPECT_EQ(problem.key, element) << describe(problem);
        EXPECT_EQ(problem.where.file, "arm.gltf");
    };
    expect("asset.version", [](Json& j) { j["asset"]["version"] = "1.0"; });
    expect("extensionsRequired[0]",
           [](Json& j) { j["extensionsRequired"] = {"KHR_draco_mesh_compression"}; });
    expect("nodes[1]", [](Json& j) { j["nodes"][1]["children"] = {2}; }); // a circle
    expect("nodes[2].children", [](Json& j) { j["nodes"][0]["children"] = {1}; });
    expect("nodes[0].matrix", [](Json& j) {
        j["nodes"][0]["matrix"] = {1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    });
    expect("nodes[0].rotation", [](Json& j) { j["nodes"][0]["rotation"] = {0, 0, 0, 0}; });
    expect("skins[0].joints[1]", [](Json& j) { j["skins"][0]["joints"] = {2, 3}; });
    expect("accessors[0]", [](Json& j) { j["accessors"][0]["count"] = 4000000000U; });
    expect("accessors[4].sparse.indices",
           [](Json& j) { j["accessors"][4]["sparse"]["indices"]["bufferView"] = 3; });
    expect("meshes[0].primitives[0].attributes.JOINTS_0",
           [](Json& j) { j["skins"][0]["joints"] = {2}; });
    expect("animations[0].channels[0].output",
           [](Json& j) { j["animations"][0]["samplers"][0]["output"] = 0; });
    expect("meshes[0].primitives[0].indices",
           [](Json& j) { j["bufferViews"][1]["byteOffset"] = 72; }); // weights
    const Problem cut = problem_of([] { parse_gltf("{\n\"asset\": {\n", "a.gltf", {}); });
    EXPECT_EQ(cut.where.line, 3);
}

TEST_F(Gltf, TheFilesOfOthersAreClosedAgain) {
    struct Body {
        const char* name;
        std::size_t vertices;
        int triangles;
        const char* clip;
        double seconds;
        std::size_t open_edges, joints;
    };
    // Vertices are those of the file's distinct positions, counted apart from this reader.
    const Body bodies[] = {{"CesiumMan.glb", 2338, 4672, "clip0", 2, 0, 19},
                           {"RiggedFigure.glb", 130, 256, "clip0", 1.25, 0, 19},
                           {"RiggedSimple.glb", 96, 188, "clip0", 2.083333, 0, 2},
                           {"SimpleSkin.gltf", 10, 8, "clip0", 5.5, 10, 2},
                           {"mh_cmu_walk.glb", 13380, 26756, "walk", 3.833322, 0, 31}};
    for (const Body& expected : bodies) {
        MUSLIN_NEED_DATA(file, std::filesystem::path("bodies") / expected.name);
        const Character body = read_gltf(file);
        EXPECT_TRUE(body.mesh.warnings.empty()) << body.mesh.warnings[0];
        EXPECT_EQ(body.mesh.positions.size(), expected.vertices) << expected.name;
        EXPECT_EQ(body.mesh.face_count(), expected.triangles);
        ASSERT_EQ(body.clips.size(), 1u);
        EXPECT_NEAR(find_clip(body, expected.clip).duration, expected.seconds, 1e-6);
        EXPECT_EQ(body.parts.at(0).joints.size(), expected.joints);
        const auto triangles = triangulate(body.mesh).triangles;
        EXPECT_EQ(build_topology(triangles).boundary_edges.size(), expected.open_edges);
        EXPECT_FALSE(find_defect(triangles, static_cast<int>(expected.vertices)).has_value());
    }
}

/// "/meshes/0/weights" of the validator's reports as our messages have it: "meshes[0].weights".
std::string element_of(const std::string& pointer) {
    std::string out, word;
    std::istringstream words(pointer.substr(1));
    while (std::getline(words, word, '/'))
        out += word.find_first_not_of("0123456789") == std::string::npos
                   ? "[" + word + "]"
                   : (out.empty() ? "" : ".") + word;
    return out;
}

TEST_F(Gltf, MalformedFilesAreRefusedByTheirElement) {
    MUSLIN_NEED_DATA(directory, "malformed/gltf");
    // What the validator calls an error and a reader of shapes and motions need not mind.
    const std::set<std::string> harmless = {
        "MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS",
        "MESH_PRIMITIVE_ACCESSOR_UNALIGNED",
        "MESH_PRIMITIVE_INVALID_ATTRIBUTE",
        "MESH_PRIMITIVE_ACCESSOR_WITHOUT_BYTESTRIDE",
        "MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT",
        "MESH_PRIMITIVE_TOO_FEW_TEXCOORDS",
        "BUFFER_VIEW_TARGET_OVERRIDE",
        "MESH_PRIMITIVE_INDEXED_SEMANTIC_CONTINUITY",
        "MESH_PRIMITIVE_MORPH_TARGET_NO_BASE_ACCESSOR",
        "MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_UNSIGNED_INT",
        "ACCESSOR_MIN_MISMATCH",
        "ACCESSOR_MAX_MISMATCH",
        "ACCESSOR_ELEMENT_OUT_OF_MIN_BOUND",
        "ACCESSOR_ELEMENT_OUT_OF_MAX_BOUND",
        "ACCESSOR_NORMALIZED_INVALID",
        "ACCESSOR_OFFSET_ALIGNMENT",
        "ACCESSOR_TOTAL_OFFSET_ALIGNMENT",
        "ACCESSOR_MATRIX_ALIGNMENT",
        "UNSATISFIED_DEPENDENCY",
        "BUFFER_DATA_URI_MIME_TYPE_INVALID",
        "MESH_PRIMITIVE_INDICES_ACCESSOR_WITH_BYTESTRIDE",
        "EMPTY_ENTITY",
        "ACCESSOR_INVALID_FLOAT", // in numbers that no mesh there uses
        "IO_ERROR"};              // a FileError
    int files = 0, refused = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
        if (!is_gltf(entry.path()))
            continue;
        ++files;
        std::set<std::string> elements;
        const Json report = Json::parse(read_file(entry.path().string() + ".report.json"));
        for (const Json& message : report["issues"].value("messages", Json::array()))
            if (message["severity"] == 0 && !harmless.contains(message["code"]) &&
                !message["pointer"].get<std::string>().ends_with("/material"))
                elements.insert(element_of(message["pointer"]));
        std::string key = "read";
        try {
            read_gltf(entry.path());
        } catch (const InputError& error) {
            key = error.problem().key;
            EXPECT_EQ(error.problem().where.file, entry.path().string());
        } catch (const FileError&) {
            EXPECT_EQ(entry.path().filename(), "not_found.gltf");
        }
        if (elements.empty())
            continue;
        ++refused;
        EXPECT_TRUE(std::any_of(elements.begin(), elements.end(),
                                [&](const std::string& e) {
                                    return !key.empty() &&
                                           (e.starts_with(key) || key.starts_with(e));
                                }))
            << entry.path() << ": '" << key << "', not " << *elements.begin();
    }
    EXPECT_EQ(files, 73);
    EXPECT_GE(refused, 20);
}

// What Muslin writes it reads: a morph target per frame.
TEST_F(Gltf, ReadsItsOwnAnimations) {
    PolygonMesh mesh = textured_mesh();
    for (Vec3& p : mesh.positions)
        p = {std::fmod(p.x, 2), std::fmod(p.y, 2), std::fmod(p.z, 2)};
    for (int f = 0; f < 3; ++f) {
        mesh.positions[2].x += f;
        write_mesh(path(fmt::format("a.{}.obj", f)), mesh);
    }
    const auto source = open_animation(path("a.#.obj"));
    write_animation(AnimationFormat::glb, path("a.glb"), *source, {});
    const auto back = open_animation(path("a.glb"));
    ASSERT_EQ(back->frames(), 3);
    std::vector<Vec3> a, b;
    source->read(0, 2, a);
    back->read(0, 2, b);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i)
        expect_near(b[i], a[i]);
    EXPECT_EQ(back->objects()[0].mesh.group_names.at(0), "a");
}

} // namespace
} // namespace muslin::test
