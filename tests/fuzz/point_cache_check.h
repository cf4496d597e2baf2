#pragma once

#include "fuzz.h"

#include <algorithm>
#include <optional>

namespace muslin::fuzz {

/// Reads a point cache by `Reader` and asks it for its first samples.
template <class Reader>
void check_point_cache(std::string_view bytes) {
    static const MemoryFile file;
    std::optional<Reader> reader;
    if (!accepts([&] { reader.emplace(file(bytes)); }))
        return;
    require(reader->points() > 0 && reader->samples() >= 0, "points and samples");
    require(reader->samples_per_frame() > 0, "samples per frame");
    if (const auto rate = reader->frame_rate())
        require(*rate > 0 && std::isfinite(*rate), "a rate");
    std::vector<Vec3> positions;
    for (int s = 0; s < std::min(reader->samples(), 10); ++s)
        accepts([&] {
            reader->read(s, positions);
            require(positions.size() == static_cast<std::size_t>(reader->points()),
                    "a position for every point");
            for (const Vec3& p : positions)
                require(is_finite(p), "finite positions");
        });
}

} // namespace muslin::fuzz
