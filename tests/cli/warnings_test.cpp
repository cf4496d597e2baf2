// What readers mended or left out is told to whoever uses the file.

#include "cli/command_line.h"

#include <gtest/gtest.h>

namespace {

using muslin::testing::muslin;
using muslin::testing::Outcome;
using muslin::testing::Scratch;

// A square of 0.1 m in two triangles, and a primitive of points, which a simulation cannot use.
constexpr const char* square = R"({
    "asset": {"version": "2.0"},
    "buffers": [{"byteLength": 60, "uri": "data:application/octet-stream;base64,
AAAAAAAAAAAAAAAAzczMPQAAAAAAAAAAzczMPQAAAADNzMw9AAAAAAAAAADNzMw9AAACAAEAAAADAAIA"}],
    "bufferViews": [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 12}],
    "accessors": [
        {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3",
         "min": [0, 0, 0], "max": [0.1, 0, 0.1]},
        {"bufferView": 1, "componentType": 5123, "count": 6, "type": "SCALAR"}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1},
                               {"attributes": {"POSITION": 0}, "mode": 0}]}],
    "nodes": [{"mesh": 0}], "scenes": [{"nodes": [0]}], "scene": 0
})";

class Warnings : public testing::Test {
protected:
    void SetUp() override {
        std::string text = square;
        text.erase(text.find("base64,") + 7, 1); // a literal of this length wants two lines
        cloth_ = scratch_.write("cloth.gltf", text);
        body_ = scratch_.write("body.gltf", text);
        scene_ = scratch_.write("scene.toml", R"(
name = "square"
[time]
frames = 1
[[body]]
name = "floor"
mesh = { type = "file", path = "body.gltf" }
position = [0.0, -1.0, 0.0]
[[cloth]]
name = "sheet"
mesh = { type = "file", path = "cloth.gltf" }
)");
    }
    static std::string sentence(const std::string& file) {
        return "warning: " + file + ": meshes[0].primitives[1] has points or lines; left out\n";
    }
    void expect_both(const Outcome& outcome) const {
        EXPECT_EQ(outcome.code, 0) << outcome.text;
        for (const std::string& file : {cloth_, body_}) {
            const std::size_t at = outcome.text.find(sentence(file));
            ASSERT_NE(at, std::string::npos) << outcome.text;
            EXPECT_EQ(outcome.text.find(sentence(file), at + 1), std::string::npos) << "once";
        }
    }

    const Scratch scratch_{"warnings"};
    std::string cloth_, body_, scene_;
};

TEST_F(Warnings, OfGltfAreToldByInfo) {
    const Outcome outcome = muslin("info " + cloth_);
    EXPECT_EQ(outcome.code, 0) << outcome.text;
    EXPECT_NE(outcome.text.find(sentence(cloth_)), std::string::npos) << outcome.text;
}

TEST_F(Warnings, OfGltfAreToldByCheck) {
    expect_both(muslin("check " + scene_));
}

TEST_F(Warnings, OfGltfAreToldByRun) {
    expect_both(muslin("run " + scene_ + " -o " + (scratch_ / "out")));
    EXPECT_EQ(muslin("run " + scene_ + " --quiet -o " + (scratch_ / "out")).text, "");
}

} // namespace
