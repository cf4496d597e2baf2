#include "fuzz.h"

#include "muslin/io/field_cache.h"

#include <optional>

using namespace muslin;

FUZZ_TARGET(field_cache) {
    static const fuzz::MemoryFile file;
    std::optional<FieldCacheReader> reader;
    if (!fuzz::accepts([&] { reader.emplace(file(bytes)); }))
        return;
    fuzz::require(reader->points() > 0 && reader->samples() >= 0, "points and samples");
    fuzz::require(!reader->fields().empty(), "a field");
    std::vector<double> values;
    for (const std::string& field : reader->fields()) {
        fuzz::check_message("field " + field);
        for (int s = 0; s < std::min(reader->samples(), 10); ++s)
            fuzz::accepts([&] {
                reader->read(field, s, values);
                fuzz::require(values.size() == static_cast<std::size_t>(reader->points()) &&
                                  fuzz::all_finite(values),
                              "a finite value for every point");
            });
    }
}
