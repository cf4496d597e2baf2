#include "animation_samples.h"

#include <regex>

namespace muslin::test {
namespace {

using Vtu = TemporaryDirectory;

/// The bytes of an appended array, and what its declaration says.
struct Array {
    std::string type, bytes;
    int components = 0;

    template <class T>
    std::vector<double> values() const {
        std::vector<double> out;
        for (std::size_t at = 0; at < bytes.size(); at += sizeof(T))
            out.push_back(
                static_cast<double>(load_bytes<T>(bytes.data() + at, std::endian::little)));
        return out;
    }
};

Array find_array(const std::string& file, const std::string& name) {
    const std::size_t data = file.find("<AppendedData encoding=\"raw\">\n_") + 31;
    const std::string head = file.substr(0, data);
    std::smatch match;
    const std::regex declaration("type=\"(\\w+)\" Name=\"" + name +
                                 "\" NumberOfComponents=\"(\\d)\" format=\"appended\" "
                                 "offset=\"(\\d+)\"");
    if (!std::regex_search(head, match, declaration)) {
        ADD_FAILURE() << "no array " << name;
        return {};
    }
    const std::size_t at = data + std::stoul(match[3]);
    const auto size = load_bytes<std::uint64_t>(file.data() + at, std::endian::little);
    return {match[1], file.substr(at + 8, size), std::stoi(match[2])};
}

TEST_F(Vtu, PointsCellsAndFieldsOfEveryFrame) {
    SampleAnimation source(3);
    write_animation(AnimationFormat::vtu, path("a.pvd"), source);
    for (int frame = 0; frame < 3; ++frame) {
        const std::string file = read_file(path(fmt::format("a/sheet.000{}.vtu", frame)));
        EXPECT_NE(file.find("NumberOfPoints=\"11\" NumberOfCells=\"4\""), std::string::npos);
        EXPECT_NE(file.find(fmt::format("Name=\"TimeValue\" NumberOfTuples=\"1\" "
                                        "format=\"ascii\">{}<",
                                        frame / 25.0)),
                  std::string::npos);
        const Array points = find_array(file, "Points");
        EXPECT_EQ(points.components, 3);
        const std::vector<double> x = points.values<float>();
        const std::vector<double> height = find_array(file, "height").values<float>();
        const std::vector<double> speed = find_array(file, "speed").values<float>();
        ASSERT_EQ(x.size(), 33u);
        ASSERT_EQ(height.size(), 11u);
        for (std::size_t i = 0; i < 11; ++i) {
            const Vec3 p = SampleAnimation::moved(seamed_mesh().positions[i], frame);
            for (int axis = 0; axis < 3; ++axis)
                EXPECT_EQ(x[3 * i + axis], static_cast<float>(p[axis]));
            EXPECT_EQ(height[i], static_cast<float>(p.y));
            EXPECT_EQ(speed[i], 0.5 + frame);
        }
        EXPECT_EQ(find_array(file, "types").values<std::uint8_t>(),
                  (std::vector<double>{9, 9, 5, 7}))
            << "quad, quad, triangle, polygon";
        EXPECT_EQ(find_array(file, "offsets").values<std::int32_t>(),
                  (std::vector<double>{4, 8, 11, 16}));
        const PolygonMesh mesh = seamed_mesh();
        EXPECT_EQ(find_array(file, "connectivity").values<std::int32_t>(),
                  std::vector<double>(mesh.corner_vertex.begin(), mesh.corner_vertex.end()));
        EXPECT_TRUE(file.ends_with("</AppendedData>\n</VTKFile>\n"));
    }
}

TEST_F(Vtu, TheCollectionListsEveryFrameWithItsTime) {
    SampleAnimation source(3);
    write_animation(AnimationFormat::vtu, path("a.pvd"), source);
    const std::string text = read_file(path("a.pvd"));
    const std::regex entry(
        R"re(<DataSet timestep="([^"]*)" group="" part="(\d)" name="([^"]*)" file="([^"]*)"/>)re");
    std::vector<std::string> found;
    for (std::sregex_iterator match(text.begin(), text.end(), entry), none; match != none;
         ++match) {
        found.push_back(
            fmt::format("{} {} {}", (*match)[1].str(), (*match)[2].str(), (*match)[4].str()));
        EXPECT_TRUE(std::filesystem::exists(path((*match)[4].str())));
    }
    EXPECT_EQ(found,
              (std::vector<std::string>{"0 0 a/sheet.0000.vtu", "0 1 a/body-rock.0000.vtu",
                                        "0.04 0 a/sheet.0001.vtu", "0.04 1 a/body-rock.0000.vtu",
                                        "0.08 0 a/sheet.0002.vtu", "0.08 1 a/body-rock.0000.vtu"}))
        << "the body stands still: one file serves all times";
}

} // namespace
} // namespace muslin::test
