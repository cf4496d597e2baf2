#include "muslin/render/html.h"

#include "scenes.h"

#include <gtest/gtest.h>

namespace muslin {
namespace {

using namespace testing;

std::vector<unsigned char> decode_base64(const std::string& text) {
    static const std::string letters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::vector<unsigned char> out;
    unsigned word = 0;
    int bits = 0;
    for (const char c : text) {
        const std::size_t value = letters.find(c);
        if (value == std::string::npos)
            break;
        word = word << 6 | static_cast<unsigned>(value);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            out.push_back(static_cast<unsigned char>(word >> bits & 255));
        }
    }
    return out;
}

std::vector<unsigned char> block(const std::string& page, const std::string& id) {
    const std::string open = "id=\"" + id + "\">";
    const std::size_t from = page.find(open);
    EXPECT_NE(from, std::string::npos) << id;
    const std::size_t begin = from + open.size();
    return decode_base64(page.substr(begin, page.find("</script>", begin) - begin));
}

TEST(HtmlPage, HoldsEveryPositionWithinTheQuantisationError) {
    const ScratchDirectory directory("html");
    const int frames = 7;
    // More numbers than one piece of base64, so that pieces meet inside the block.
    const int n = 110;
    PageMesh mesh;
    mesh.name = "cloth";
    mesh.vertices = n * n;
    mesh.triangles = wavy_sheet(n, 0).triangles;
    for (int f = 0; f < frames; ++f)
        mesh.box.add(wavy_sheet(n, 0.4 * f).positions);
    const Box box = mesh.box;
    HtmlPage page({});
    const int number = page.add_mesh(mesh);
    for (int f = 0; f < frames; ++f)
        page.add_frame(number, wavy_sheet(n, 0.4 * f).positions);
    page.write(directory / "page.html");

    const std::string text = slurp(directory / "page.html");
    const auto bytes = block(text, "positions0");
    ASSERT_EQ(bytes.size(), static_cast<std::size_t>(frames * n * n) * HtmlPage::bytes_per_vertex);
    const Vec3 size = box.upper - box.lower;
    std::size_t at = 0;
    for (int f = 0; f < frames; ++f)
        for (const Vec3& p : wavy_sheet(n, 0.4 * f).positions)
            for (int axis = 0; axis < 3; ++axis, at += 2) {
                const double level = bytes[at] + 256 * bytes[at + 1];
                const double value = box.lower[axis] + level / 65535 * size[axis];
                ASSERT_NEAR(value, p[axis], 0.5001 / 65535 * size[axis]);
            }
    const auto indices = block(text, "indices0");
    ASSERT_EQ(indices.size(), 12 * mesh.triangles.size());
    for (std::size_t i = 0; i < 3 * mesh.triangles.size(); ++i) {
        const unsigned char* b = &indices[4 * i];
        const unsigned index = b[0] | b[1] << 8U | b[2] << 16U | static_cast<unsigned>(b[3]) << 24U;
        ASSERT_EQ(static_cast<int>(index), mesh.triangles[i / 3][i % 3]);
    }
}

TEST(HtmlPage, IsSelfContainedAndEscapesWhatItIsTold) {
    const ScratchDirectory directory("html");
    PageSettings settings;
    settings.title = "<b>Sheet & \"sphere\"</b>";
    settings.statistics = "</pre><script>alert(1)</script>";
    HtmlPage page(settings);
    PageMesh mesh;
    mesh.name = "</script>\n\"cloth\"";
    mesh.vertices = 1;
    page.add_mesh(mesh);
    page.add_frame(0, std::array{Vec3{0, 0, 0}});
    page.write(directory / "page.html");
    const std::string text = slurp(directory / "page.html");
    for (const char* unwanted : {"http:", "https:", "src=", "href=", "alert(1)</script>",
                                 "<b>Sheet", "\"name\":\"</script>", "{{", "@import"})
        EXPECT_EQ(text.find(unwanted), std::string::npos) << unwanted;
    EXPECT_NE(text.find("&lt;b&gt;Sheet &amp; &quot;sphere&quot;&lt;/b&gt;"), std::string::npos);
}

TEST(HtmlPage, KeepsGoingOverPositionsThatAreNotFinite) {
    HtmlPage page({});
    PageMesh mesh;
    mesh.vertices = 2;
    mesh.box = {{0, 0, 0}, {1, 1, 1}};
    page.add_mesh(mesh);
    page.add_frame(0, std::array{Vec3{std::nan(""), Box::inf, 0.5}, Vec3{2, -1, 0.5}});
    EXPECT_THROW(page.add_frame(0, std::array{Vec3{0, 0, 0}}), std::invalid_argument);
}

} // namespace
} // namespace muslin
