#include "fuzz.h"
#include "pattern_check.h"

#include "muslin/pattern/pattern_file.h"

using namespace muslin;

FUZZ_TARGET(garmentcode) {
    static const fuzz::MemoryFile file;
    fuzz::accepts([&] { fuzz::check_pattern(read_pattern_json(file(bytes))); });
}
