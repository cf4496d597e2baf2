#include "fuzz.h"
#include "pattern_check.h"

#include "muslin/scene/load_pattern.h"

using namespace muslin;

FUZZ_TARGET(pattern) {
    fuzz::accepts([&] { fuzz::check_pattern(parse_pattern(bytes, "fuzz.toml", "fuzz")); });
}
