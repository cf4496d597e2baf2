#include "animation_samples.h"

#include <cstdlib>

namespace muslin::test {
namespace {

using Usda = TemporaryDirectory;

/// The text of a prim: from `def Mesh "NAME"` to the brace that closes it.
std::string prim(const std::string& text, const std::string& name) {
    const std::size_t begin = text.find("def Mesh \"" + name + "\"");
    EXPECT_NE(begin, std::string::npos) << name;
    std::size_t at = text.find("\n    {\n", begin);
    return text.substr(begin, text.find("\n    }\n", at) - begin);
}

/// Every number of the list (or the map from times to lists) that follows `attribute`.
std::vector<double> numbers(const std::string& text, const std::string& attribute) {
    const std::size_t begin = text.find(attribute + " = ");
    EXPECT_NE(begin, std::string::npos) << attribute;
    const char* at = text.c_str() + begin + attribute.size() + 3;
    const char close = *at == '{' ? '}' : ']';
    std::vector<double> out;
    for (++at; *at != close && *at != '\0';) {
        char* end = nullptr;
        const double value = std::strtod(at, &end);
        if (end == at) {
            ++at;
            continue;
        }
        out.push_back(value);
        at = end;
    }
    return out;
}

TEST_F(Usda, EveryFrameHasItsPoints) {
    SampleAnimation source(4);
    write_animation(AnimationFormat::usda, path("a.usda"), source);
    const std::string text = read_file(path("a.usda"));
    EXPECT_TRUE(text.starts_with("#usda 1.0\n"));
    for (const char* words : {"upAxis = \"Y\"", "metersPerUnit = 1\n", "timeCodesPerSecond = 25\n",
                              "framesPerSecond = 25\n", "startTimeCode = 0\n", "endTimeCode = 3\n",
                              "defaultPrim = \"a__scene___1_\"", "def Xform \"a__scene___1_\""})
        EXPECT_NE(text.find(words), std::string::npos) << words;
    const std::string mesh = prim(text, "sheet");
    const std::vector<double> samples = numbers(mesh, "point3f[] points.timeSamples");
    ASSERT_EQ(samples.size(), 4u * (1 + 3 * 11));
    const std::vector<double> extent = numbers(mesh, "float3[] extent.timeSamples");
    ASSERT_EQ(extent.size(), 4u * (1 + 6));
    const double* at = samples.data();
    for (int frame = 0; frame < 4; ++frame) {
        EXPECT_EQ(*at++, frame) << "the time code";
        EXPECT_EQ(extent[7 * frame], frame);
        for (const Vec3& rest : seamed_mesh().positions)
            for (int axis = 0; axis < 3; ++axis, ++at) {
                const auto exact = static_cast<float>(SampleAnimation::moved(rest, frame)[axis]);
                EXPECT_EQ(static_cast<float>(*at), exact) << "every float is read back";
                EXPECT_LE(static_cast<float>(extent[7 * frame + 1 + axis]), exact);
                EXPECT_GE(static_cast<float>(extent[7 * frame + 4 + axis]), exact);
            }
    }
    EXPECT_EQ(numbers(mesh, "normal3f[] normals.timeSamples").size(), 4u * (1 + 3 * 11));
}

TEST_F(Usda, PolygonsAndTexcoordsAreTheUsers) {
    SampleAnimation source(2);
    write_animation(AnimationFormat::usda, path("a.usda"), source);
    const std::string mesh = prim(read_file(path("a.usda")), "sheet");
    const PolygonMesh polygons = seamed_mesh();
    EXPECT_EQ(numbers(mesh, "int[] faceVertexCounts"), (std::vector<double>{4, 4, 3, 5}));
    EXPECT_EQ(numbers(mesh, "int[] faceVertexIndices"),
              std::vector<double>(polygons.corner_vertex.begin(), polygons.corner_vertex.end()));
    EXPECT_EQ(
        numbers(mesh, "int[] primvars:st:indices"),
        std::vector<double>(polygons.corner_texcoord.begin(), polygons.corner_texcoord.end()));
    const std::vector<double> st = numbers(mesh, "texCoord2f[] primvars:st");
    ASSERT_EQ(st.size(), 18u);
    EXPECT_EQ(st[13], 1.25);
    EXPECT_NE(mesh.find("interpolation = \"faceVarying\""), std::string::npos);
    EXPECT_NE(mesh.find("subdivisionScheme = \"none\""), std::string::npos);
    EXPECT_NE(mesh.find("orientation = \"rightHanded\""), std::string::npos);
}

TEST_F(Usda, StillObjectsAndCornersWithoutTexcoords) {
    SampleAnimation source(3);
    source.object(0).mesh.corner_texcoord[2] = -1;
    write_animation(AnimationFormat::usda, path("a.usda"), source);
    const std::string text = read_file(path("a.usda"));
    const std::string mesh = prim(text, "sheet"), body = prim(text, "body_rock");
    EXPECT_EQ(numbers(mesh, "int[] primvars:st:indices")[2], 9) << "one more, at the origin";
    EXPECT_EQ(numbers(mesh, "texCoord2f[] primvars:st").size(), 20u);
    EXPECT_EQ(body.find("timeSamples"), std::string::npos);
    EXPECT_EQ(numbers(body, "point3f[] points").size(), 12u);
    EXPECT_EQ(numbers(body, "float3[] extent"), (std::vector<double>{-1, -4, -1, 1, -3, 1}));
    EXPECT_EQ(body.find("primvars:st"), std::string::npos);
    EXPECT_NE(body.find("string name = \"body-rock\""), std::string::npos);
}

TEST_F(Usda, NamesAreMadeValidAndUnique) {
    SampleAnimation source(1);
    source.object(0).name = "1-\"x\"";
    source.object(1).name = "1 'x'";
    write_animation(AnimationFormat::usda, path("a.usda"), source);
    const std::string text = read_file(path("a.usda"));
    EXPECT_NE(text.find("def Mesh \"_1__x_\""), std::string::npos);
    EXPECT_NE(text.find("def Mesh \"_1__x__1\""), std::string::npos);
    EXPECT_NE(text.find("string name = \"1-\\\"x\\\"\""), std::string::npos);
}

} // namespace
} // namespace muslin::test
