// Each line is the argument of one --set.
#include "fuzz.h"
#include "scene_check.h"

#include <optional>
#include <sstream>

using namespace muslin;

namespace {

constexpr std::string_view text = R"(
[time]
frames = 10
[[cloth]]
name = "sheet"
mesh = { type = "grid", width = 1, depth = 1, columns = 5, rows = 5 }
material = "cotton"
[[body]]
name = "ball"
mesh = { type = "sphere", radius = 0.2 }
[[pin]]
cloth = "sheet"
vertices = [0, 4]
)";

} // namespace

FUZZ_TARGET(overrides) {
    std::vector<std::string> lines;
    std::istringstream stream{std::string(bytes)};
    for (std::string line; lines.size() < 20 && std::getline(stream, line);)
        lines.push_back(line);
    std::optional<SceneDescription> scene;
    if (!fuzz::accepts(
            [&] { scene = parse_scene(text, "fuzz.toml", "no-such-folder", "fuzz", lines); }))
        return;
    fuzz::check_scene(*scene);
    // The text that a run keeps is the scene that was run; in it, folders that the user named by
    // --set are the scene's own.
    const SceneDescription again = parse_scene(scene->source_text, "fuzz.toml", "no-such-folder",
                                               "fuzz", {}, {.allow_outside = true});
    fuzz::require(again.cloths.size() == scene->cloths.size() &&
                      again.time.frames == scene->time.frames && again.name == scene->name,
                  "the same scene again");
}
