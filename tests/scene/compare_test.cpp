// What makes a scene another one, in words.
#include "muslin/scene/compare.h"

#include "muslin/base/error.h"

#include <gtest/gtest.h>

namespace muslin {
namespace {

using Changes = std::vector<std::string>;

const std::string scene = R"(title = "A sheet"
[time]
frames = 75
[world]
wind = [0, 0, 1] # a comment
[[cloth]]
name = "sheet"
material = { base = "cotton", shear = 1000 }
[[cloth]]
name = "band"
material = "denim"
)";

std::string with(const std::string& from, const std::string& to) {
    std::string text = scene;
    text.replace(text.find(from), from.size(), to);
    return text;
}

TEST(SceneChanges, NoneOfWhatMakesNoOtherRun) {
    EXPECT_EQ(scene_changes(scene, scene), Changes{});
    EXPECT_EQ(scene_changes(scene, with("frames = 75", "frames = 100")), Changes{});
    EXPECT_EQ(scene_changes(scene, with("A sheet", "Another")), Changes{});
    EXPECT_EQ(scene_changes(scene, with(" # a comment", "")), Changes{});
    EXPECT_EQ(scene_changes(scene, scene + "[limits]\nself_intersections = 0\n"), Changes{});
}

TEST(SceneChanges, NameTheKeyAndBothValues) {
    EXPECT_EQ(scene_changes(scene, with("1000", "300")),
              Changes{"cloth.sheet.material.shear: 300, was 1000"});
    EXPECT_EQ(scene_changes(scene, with("\"denim\"", "\"felt\"")),
              Changes{"cloth.band.material: 'felt', was 'denim'"});
    EXPECT_EQ(scene_changes(scene, with("[0, 0, 1]", "[0, 0, 2]")).size(), 1u);
    EXPECT_EQ(scene_changes(scene, with(", shear = 1000", "")),
              Changes{"cloth.sheet.material.shear: not given, was 1000"});
    EXPECT_EQ(scene_changes(scene, with("frames = 75", "frames = 75\nmax_step = 0.01")),
              Changes{"time.max_step: 0.01, was not given"});
}

TEST(SceneChanges, NeedTwoScenes) {
    EXPECT_THROW(scene_changes("= 3", scene), InputError);
}

} // namespace
} // namespace muslin
