#include "fuzz.h"
#include "level_set_check.h"

#include "muslin/io/vdb_file.h"

using namespace muslin;

FUZZ_TARGET(vdb) {
    static const fuzz::MemoryFile memory;
    const std::filesystem::path file = memory(bytes);
    const bool accepted = fuzz::accepts([&] {
        for (const VdbGrid& grid : describe_vdb(file))
            fuzz::require(!grid.type.empty(), "a type");
    });
    // Both begin by reading all grids.
    if (accepted)
        fuzz::accepts([&] { fuzz::check_level_set(read_vdb(file).level_set); });
}
