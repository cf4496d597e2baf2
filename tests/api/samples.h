#pragma once

#include <muslin/muslin.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace samples {

/// A square of `side` times `side` vertices and 1 m in the plane y = 0, of quads, face up; the
/// pattern as it lies. The first row of polygons is the group "edge".
inline muslin::Mesh sheet(int side) {
    muslin::Mesh out;
    for (int row = 0; row < side; ++row)
        for (int column = 0; column < side; ++column) {
            const double u = double(column) / (side - 1), v = double(row) / (side - 1);
            out.positions.push_back({u - 0.5, 0, 0.5 - v});
            out.uv.push_back({u, v});
        }
    for (int row = 0; row + 1 < side; ++row)
        for (int column = 0; column + 1 < side; ++column) {
            const int a = row * side + column, d = a + side;
            if (row == 0)
                out.groups["edge"].push_back(static_cast<int>(out.sizes.size()));
            out.corners.insert(out.corners.end(), {a, a + 1, d + 1, d});
            out.sizes.push_back(4);
        }
    return out;
}

/// A sheet that falls onto a ball 0.25 m below.
inline muslin::Scene drape(int side) {
    muslin::Scene out("drape");
    out.add(muslin::Cloth{
        .name = "sheet", .mesh = sheet(side), .material = {.base = "silk-charmeuse"}});
    out.add(muslin::Body{.name = "ball",
                         .source = "{ type = \"sphere\", radius = 0.2 }",
                         .position = {0, -0.25, 0}});
    return out;
}

/// A skirt of two halves on a cone, to be sewn within a second or two.
inline muslin::Scene skirt() {
    const auto half = [](const char* name, double z) {
        return muslin::Panel{.name = name,
                             .points = {{-0.28, -0.4}, {0.28, -0.4}, {0.2, 0}, {-0.2, 0}},
                             .edges = {{"hem"}, {"right"}, {"waist"}, {"left"}},
                             .position = {0, 0.9, z},
                             .rotation = {0, z < 0 ? 180.0 : 0.0, 0}};
    };
    const muslin::Pattern pattern = {
        .name = "skirt",
        .panels = {half("front", 0.3), half("back", -0.3)},
        .stitches = {{"front.right", "back.left"}, {"front.left", "back.right", 1}}};
    muslin::Scene out("skirt");
    out.set("dressing.sew", 4.0)
        .set("dressing.settle", 0.1)
        .set("dressing.preroll", 0.1)
        .set("dressing.cache", "none")
        .add(muslin::Body{.name = "cone",
                          .source = "{ type = \"revolution\", segments = 12, profile = "
                                    "[[0, 0], [0.2, 0], [0.2, 0.4], [0.08, 1.1], [0, 1.1]] }"})
        .add(muslin::Garment{.name = "skirt", .pattern = pattern, .resolution = 0.08});
    return out;
}

/// A folder that goes at the end.
class Folder {
public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "muslin-api-XXXXXX").string();
        path_ = mkdtemp(name.data());
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    const std::filesystem::path& path() const { return path_; }
    void write(const std::string& name, const std::string& text) const {
        std::ofstream(path_ / name, std::ios::binary) << text;
    }

private:
    std::filesystem::path path_;
};

/// The hash after so many frames.
inline std::string hash_after(const muslin::Scene& scene, int frames) {
    muslin::Simulation simulation(scene);
    std::string out;
    for (int i = 0; i < frames; ++i)
        out = simulation.step_frame().hash;
    return out;
}

} // namespace samples
