#include "fuzz.h"
#include "scene_check.h"

using namespace muslin;

FUZZ_TARGET(scene) {
    fuzz::accepts(
        [&] { fuzz::check_scene(parse_scene(bytes, "fuzz.toml", "no-such-folder", "fuzz")); });
}
