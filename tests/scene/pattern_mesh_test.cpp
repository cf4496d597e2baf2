// Panels of real patterns, in triangles, with seams cut alike.
#include "muslin/scene/load_pattern.h"
#include "pattern/panel_referee.h"
#include "test_data.h"

#include <gtest/gtest.h>

namespace muslin {
namespace {

void expect_good_meshes(const std::string& name) {
    const Pattern pattern = load_pattern(name);
    for (const double length : {0.04, 0.02}) {
        std::vector<std::vector<int>> segments;
        for (const PatternPanel& panel : pattern.panels)
            segments.emplace_back(panel.edges.size(), 0);
        for (const PatternStitch& stitch : pattern.stitches) {
            int count = 0;
            for (const auto& side : stitch.sides)
                count =
                    std::max(count, edge_segments(pattern.panels[side.panel], side.edge, length));
            for (const auto& side : stitch.sides)
                segments[side.panel][side.edge] = count;
        }
        for (std::size_t i = 0; i < pattern.panels.size(); ++i) {
            const PatternPanel& panel = pattern.panels[i];
            const PanelMesh mesh = mesh_panel(panel, length, segments[i]);
            EXPECT_EQ(test::find_fault({panel, length, segments[i], {}}, mesh), "")
                << name << ", " << panel.name << ", " << length;
        }
    }
}

TEST(PatternMeshes, OfBuiltInPatternsKeepTheirPromises) {
    for (const char* name :
         {"blouse", "dress", "long-skirt", "shirt", "skirt", "trousers", "tunic"})
        expect_good_meshes(name);
}

TEST(PatternMeshes, OfRealPatternsKeepTheirPromises) {
    MUSLIN_NEED_DATA(folder, "patterns");
    int patterns = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".json") {
            expect_good_meshes(entry.path().string());
            ++patterns;
        }
    EXPECT_GT(patterns, 0);
}

} // namespace
} // namespace muslin
