#include "fuzz.h"

#include "muslin/io/pc2.h"

#include <optional>

using namespace muslin;

FUZZ_TARGET(pc2) {
    static const fuzz::MemoryFile file;
    std::optional<Pc2Reader> reader;
    if (!fuzz::accepts([&] { reader.emplace(file(bytes)); }))
        return;
    fuzz::require(reader->points() > 0 && reader->samples() >= 0, "points and samples");
    fuzz::require(reader->samples_per_frame() > 0, "samples per frame");
    if (const auto rate = reader->frame_rate())
        fuzz::require(*rate > 0 && std::isfinite(*rate), "a rate");
    std::vector<Vec3> positions;
    for (int s = 0; s < std::min(reader->samples(), 10); ++s)
        fuzz::accepts([&] {
            reader->read(s, positions);
            fuzz::require(positions.size() == static_cast<std::size_t>(reader->points()),
                          "a position for every point");
            for (const Vec3& p : positions)
                fuzz::require(is_finite(p), "finite positions");
        });
}
