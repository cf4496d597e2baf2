#include "fuzz.h"

#include "muslin/io/mesh_formats.h"

using namespace muslin;

FUZZ_TARGET(obj) {
    fuzz::accepts([&] { fuzz::check_mesh(parse_mesh(bytes, "fuzz.obj")); });
}
