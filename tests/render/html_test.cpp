#include "muslin/render/html.h"

#include "muslin/io/base64.h"
#include "muslin/render/color_map.h"
#include "muslin/render/page_codec.h"
#include "scenes.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <zlib.h>

namespace muslin {
namespace {

using namespace testing;
using Json = nlohmann::json;
using Bytes = std::vector<unsigned char>;

Bytes decode_base64(const std::string& text) {
    static const std::string letters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    Bytes out;
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

Bytes inflated(const Bytes& packed) {
    Bytes out;
    z_stream z{};
    EXPECT_EQ(inflateInit(&z), Z_OK);
    z.next_in = const_cast<Bytef*>(packed.data());
    z.avail_in = static_cast<uInt>(packed.size());
    for (int state = Z_OK; state == Z_OK;) {
        std::array<unsigned char, 65536> buffer;
        z.next_out = buffer.data();
        z.avail_out = buffer.size();
        state = inflate(&z, Z_NO_FLUSH);
        EXPECT_TRUE(state == Z_OK || state == Z_STREAM_END) << state;
        out.insert(out.end(), buffer.begin(), buffer.end() - z.avail_out);
    }
    EXPECT_EQ(z.avail_in, 0U);
    inflateEnd(&z);
    return out;
}

std::string part(const std::string& page, const std::string& id) {
    const std::string open = "id=\"" + id + "\">";
    const std::size_t from = page.find(open);
    EXPECT_NE(from, std::string::npos) << id;
    const std::size_t begin = from + open.size();
    return page.substr(begin, page.find("</script>", begin) - begin);
}

Bytes block(const std::string& page, const std::string& id) {
    return inflated(decode_base64(part(page, id)));
}

/// The referee of the packer: the format as its header states it, read number by number.
class Reader {
public:
    explicit Reader(Bytes bytes) : bytes_(std::move(bytes)) {}

    std::vector<std::array<int, 3>> triangles(std::size_t count) {
        std::vector<std::array<int, 3>> out(count);
        for (std::size_t t = 0; t < count; ++t)
            for (std::size_t k = 0; k < 3; ++k) {
                unsigned folded = 0;
                for (std::size_t plane = 0; plane < 4; ++plane)
                    folded |= static_cast<unsigned>(bytes_.at(plane * 3 * count + 3 * t + k))
                              << (8 * plane);
                out[t][k] = (t > 0 ? out[t - 1][k] : 0) + unfolded(folded);
            }
        at_ += 12 * count;
        return out;
    }

    /// All numbers of the next frame; `past` are those of the frames before it, the last first.
    std::vector<int> frame(int components, int bytes, const std::vector<int>& neighbours,
                           const std::vector<std::vector<int>>& past) {
        const std::size_t n = neighbours.size(), c_count = static_cast<std::size_t>(components);
        std::vector<int> out(n * c_count), errors(n);
        const std::size_t planes = at_ + c_count;
        const int range = 1 << (8 * bytes);
        for (std::size_t c = 0; c < c_count; ++c) {
            const int mode = bytes_.at(at_ + c);
            EXPECT_LT(mode, 6);
            modes.insert(mode);
            for (std::size_t v = 0; v < n; ++v) {
                unsigned folded = 0;
                for (int b = 0; b < bytes; ++b)
                    folded |= static_cast<unsigned>(bytes_.at(
                                  planes + (static_cast<std::size_t>(b) * c_count + c) * n + v))
                              << (8 * b);
                int error = unfolded(folded);
                if (mode % 2 == 1 && neighbours[v] >= 0)
                    error += errors[static_cast<std::size_t>(neighbours[v])];
                errors[v] = error;
                int value = error;
                const std::size_t at = v * c_count + c;
                if (mode / 2 == 1)
                    value += past.at(0)[at];
                if (mode / 2 == 2)
                    value += 2 * past.at(0)[at] - past.at(1)[at];
                out[at] = ((value % range) + range) % range;
            }
        }
        at_ = planes + n * c_count * static_cast<std::size_t>(bytes);
        return out;
    }

    bool at_end() const { return at_ == bytes_.size(); }
    std::set<int> modes;

private:
    static int unfolded(unsigned folded) {
        return static_cast<int>(folded >> 1) ^ -static_cast<int>(folded & 1);
    }
    Bytes bytes_;
    std::size_t at_ = 0;
};

/// Neighbours by the definition, from all pairs of vertices of a triangle.
std::vector<int> plain_neighbours(int vertices, const std::vector<std::array<int, 3>>& triangles) {
    std::vector<int> out;
    for (int v = 0; v < vertices; ++v) {
        int last = -1;
        for (const auto& t : triangles)
            if (std::count(t.begin(), t.end(), v) > 0)
                for (const int w : t)
                    last = w < v ? std::max(last, w) : last;
        out.push_back(last < 0 ? v - 1 : last);
    }
    return out;
}

PageMesh page_mesh(const std::string& name, const RenderMesh& mesh) {
    PageMesh out;
    out.name = name;
    out.vertices = static_cast<int>(mesh.positions.size());
    out.triangles = mesh.triangles;
    out.box.add(mesh.positions);
    return out;
}

TEST(HtmlPage, HoldsEveryPositionAndValueWithinTheQuantisationError) {
    const ScratchDirectory directory("html");
    const int frames = 7, n = 40;
    const auto cloth_at = [&](int f) { return wavy_sheet(n, 0.02 * f * f); };
    const RenderMesh ball = sphere({0.5, 0.5, -0.4}, 0.2, 8);
    PageMesh cloth = page_mesh("cloth", cloth_at(0)), body = page_mesh("ball", ball);
    for (int f = 0; f < frames; ++f)
        cloth.box.add(cloth_at(f).positions);
    body.moves = false;
    const auto value_at = [](const Vec3& p) { return 30 * p.z; };

    HtmlPage page({});
    page.add_mesh(cloth);
    page.add_mesh(body);
    page.add_field({"height", "Height", "cm", -1, 2});
    for (int f = 0; f < frames; ++f) {
        const RenderMesh now = cloth_at(f);
        page.add_frame(0, now.positions);
        if (f == 0)
            page.add_frame(1, ball.positions);
        std::vector<double> values;
        for (const Vec3& p : now.positions)
            values.push_back(value_at(p));
        page.add_values(0, 0, values);
    }
    EXPECT_NEAR(page.position_error(), 0.5 * cloth.box.diagonal() / 65535, 1e-12);
    page.write(directory / "page.html");

    const std::string text = slurp(directory / "page.html");
    Reader shape(block(text, "shape")), motion(block(text, "motion")), field(block(text, "field0"));
    EXPECT_EQ(shape.triangles(cloth.triangles.size()), cloth.triangles);
    const auto neighbours = plain_neighbours(n * n, cloth.triangles);
    const auto ball_neighbours = plain_neighbours(body.vertices, body.triangles);
    EXPECT_EQ(earlier_neighbours(n * n, cloth.triangles), neighbours);
    std::vector<std::vector<int>> past, past_values;
    double worst = 0;
    for (int f = 0; f < frames; ++f) {
        past.insert(past.begin(), motion.frame(3, 2, neighbours, past));
        past_values.insert(past_values.begin(), field.frame(1, 1, neighbours, past_values));
        const RenderMesh now = cloth_at(f);
        const auto check = [&](const std::vector<int>& levels, const RenderMesh& mesh,
                               const SceneBounds& box) {
            const Vec3 size = box.upper - box.lower;
            for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
                Vec3 shown;
                for (int axis = 0; axis < 3; ++axis)
                    shown[axis] = box.lower[axis] + levels[3 * v + static_cast<std::size_t>(axis)] /
                                                        65535. * size[axis];
                worst = std::max(worst, norm(shown - mesh.positions[v]));
            }
        };
        check(past[0], now, cloth.box);
        if (f == 0)
            check(motion.frame(3, 2, ball_neighbours, {}), ball, body.box);
        for (std::size_t v = 0; v < now.positions.size(); ++v) {
            const double shown = -1 + past_values[0][v] / 255. * 3;
            const double held = std::clamp(value_at(now.positions[v]), -1.0, 2.0);
            ASSERT_NEAR(shown, held, 0.5001 / 255 * 3);
        }
    }
    EXPECT_LE(worst, 1.0001 * page.position_error());
    EXPECT_GT(worst, 0.3 * page.position_error()); // the bound is not an idle one
    EXPECT_TRUE(motion.at_end());
    EXPECT_TRUE(field.at_end());
    EXPECT_GE(motion.modes.size(), 3U); // or the referee has seen only a part of the format
}

TEST(HtmlPage, NumbersWrapAroundAndBadOnesTakeTheLowest) {
    const ScratchDirectory directory("html");
    PageMesh mesh;
    mesh.vertices = 3;
    mesh.box = {{0, 0, 0}, {1, 1, 1}};
    HtmlPage page({});
    page.add_mesh(mesh);
    // Jumps from end to end of the range, so that no prediction stays inside it.
    const std::array<std::array<Vec3, 3>, 4> frames = {
        {{Vec3{0, 1, 0}, {1, 0, 1}, {0, 1, 0}},
         {Vec3{1, 0, 1}, {0, 1, 0}, {1, 0, 1}},
         {Vec3{0, 1, 0}, {1, 0, 1}, {0.25, 1, 0}},
         {Vec3{std::nan(""), SceneBounds::inf, 0.5}, {2, -1, 0.5}, {1, 1, 1}}}};
    for (const auto& frame : frames)
        page.add_frame(0, frame);
    EXPECT_THROW(page.add_frame(0, std::array{Vec3{0, 0, 0}}), std::invalid_argument);
    page.write(directory / "page.html");
    Reader motion(block(slurp(directory / "page.html"), "motion"));
    std::vector<std::vector<int>> past;
    for (std::size_t f = 0; f < frames.size(); ++f) {
        past.insert(past.begin(), motion.frame(3, 2, {-1, 0, 1}, past));
        for (std::size_t i = 0; i < 9; ++i) {
            const double number = frames[f][i / 3][static_cast<int>(i % 3)];
            const double held = std::isfinite(number) ? std::clamp(number, 0.0, 1.0) : 0.0;
            EXPECT_EQ(past[0][i], std::lround(65535 * held)) << f << ' ' << i;
        }
    }
}

TEST(HtmlPage, MeshesTakeTurns) {
    PageMesh mesh;
    mesh.vertices = 1;
    HtmlPage page({});
    page.add_mesh(mesh);
    page.add_mesh(mesh);
    mesh.moves = false;
    page.add_mesh(mesh);
    page.add_field({});
    const std::array<Vec3, 1> point = {};
    const std::array<double, 1> value = {};
    EXPECT_THROW(page.add_frame(1, point), std::logic_error);
    for (const int turn : {0, 1, 2, 0, 1, 0})
        page.add_frame(turn, point);
    EXPECT_THROW(page.add_frame(0, point), std::logic_error);
    EXPECT_THROW(page.add_frame(2, point), std::logic_error);
    for (const int turn : {0, 1, 0})
        page.add_values(0, turn, value);
    EXPECT_THROW(page.add_values(0, 0, value), std::logic_error);
    EXPECT_THROW(page.add_values(0, 2, value), std::logic_error);
}

/// Everything a user names, made of what HTML, scripts and JSON take for their own.
constexpr const char* hostile = "</script><script>alert(1)</script>\n\"'<!--&\\u003c \xff";

TEST(HtmlPage, IsSelfContainedAndEscapesWhatItIsTold) {
    const ScratchDirectory directory("html");
    PageSettings settings;
    settings.title = std::string("<b>Sheet & \"sphere\"</b>") + hostile;
    settings.verdict = hostile;
    settings.certificate = {{hostile, hostile, true, true}};
    settings.series = {{hostile, hostile, {1, std::nan(""), 2}}};
    HtmlPage page(settings);
    PageMesh mesh;
    mesh.name = hostile;
    mesh.vertices = 1;
    page.add_mesh(mesh);
    page.add_field({hostile, hostile, hostile, 0, 1});
    page.add_frame(0, std::array{Vec3{0, 0, 0}});
    page.write(directory / "page.html");
    const std::string text = slurp(directory / "page.html");
    for (const char* unwanted :
         {"http:", "https:", " src=", " href=", "alert(1)</script>", "<b>Sheet", "{{", "@import"})
        EXPECT_EQ(text.find(unwanted), std::string::npos) << unwanted;
    EXPECT_NE(text.find("<title>&lt;b&gt;Sheet &amp; &quot;sphere&quot;&lt;/b&gt;"),
              std::string::npos);
    const Json head = Json::parse(part(text, "head"));
    const std::string kept = std::string(hostile).substr(0, std::string(hostile).size() - 1) +
                             "\xef\xbf\xbd"; // the stray byte becomes the sign for such
    EXPECT_EQ(head["meshes"][0]["name"], kept);
    EXPECT_EQ(head["verdict"], kept);
    EXPECT_EQ(head["certificate"][0]["value"], kept);
    EXPECT_EQ(head["fields"][0]["unit"], kept);
    EXPECT_EQ(head["series"][0]["values"], Json::parse("[1,null,2]"));
    EXPECT_FALSE(head.contains("passed"));
}

TEST(HtmlPage, CarriesThreeAndTheColourTable) {
    const ScratchDirectory directory("html");
    HtmlPage page({});
    page.write(directory / "page.html");
    const std::string text = slurp(directory / "page.html");
    const Bytes three = block(text, "three");
    const std::string script(three.begin(), three.end());
    EXPECT_NE(script.find("WebGLRenderer"), std::string::npos);
    EXPECT_NE(script.find("OrbitControls"), std::string::npos);
    EXPECT_EQ(script.find("</script"), std::string::npos);
    EXPECT_NE(text.find("Copyright (c) 2010-2019 three.js authors"), std::string::npos);
    const Bytes colors = decode_base64(Json::parse(part(text, "head"))["colors"]);
    ASSERT_EQ(colors.size(), 768U);
    for (std::size_t i = 0; i < 768; ++i)
        EXPECT_NEAR(colors[i], 255 * color_table()[i / 3][static_cast<int>(i % 3)], 0.501);
}

TEST(HtmlPage, DrapedSheetStaysSmall) {
    const ScratchDirectory directory("html");
    const int frames = 75, n = 51;
    PageMesh cloth = page_mesh("cloth", wavy_sheet(n, 0));
    const auto at = [&](int f) { return wavy_sheet(n, 2 * std::exp(-0.05 * f)); };
    for (int f = 0; f < frames; ++f)
        cloth.box.add(at(f).positions);
    HtmlPage page({});
    page.add_mesh(cloth);
    page.add_field({"height", "Height", "m", -0.1, 0.1});
    for (int f = 0; f < frames; ++f) {
        const RenderMesh now = at(f);
        page.add_frame(0, now.positions);
        std::vector<double> values;
        for (const Vec3& p : now.positions)
            values.push_back(p.z);
        page.add_values(0, 0, values);
    }
    const std::size_t estimate = page.size();
    for (const auto& [name, bytes] : page.sizes())
        std::cout << name << ": " << bytes << " bytes\n";
    page.write(directory / "page.html");
    const std::size_t size = slurp(directory / "page.html").size();
    EXPECT_LT(size, 1'500'000U);
    EXPECT_NEAR(static_cast<double>(size), static_cast<double>(estimate), 12'000);
    // 16 bits and 8 bits as they are would be 2.3 MB of text.
    const std::size_t plain = static_cast<std::size_t>(frames * n * n) * 7 * 4 / 3;
    EXPECT_LT(size, plain);
}

TEST(Base64, EndsOfEveryLength) {
    EXPECT_EQ(base64(""), "");
    EXPECT_EQ(base64("f"), "Zg==");
    EXPECT_EQ(base64("fo"), "Zm8=");
    EXPECT_EQ(base64("foo"), "Zm9v");
    EXPECT_EQ(base64("\xff\xfe\xfd"), "//79");
}

} // namespace
} // namespace muslin
