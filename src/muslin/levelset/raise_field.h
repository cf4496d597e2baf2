#pragma once

#include "muslin/math/vec.h"

#include <array>
#include <cstdint>
#include <vector>

namespace muslin {

/// A height over places on a surface: the greatest of hills, each flat on top and smooth down to
/// its foot. Found by a grid, so that many hills cost little.
class RaiseField {
public:
    struct Hill {
        Vec3 center;
        double core;   ///< how far the flat top reaches [m]
        double radius; ///< from where on it is not there [m]
        double height; ///< [m]
    };

    void clear();
    void add(const Hill& hill);
    bool empty() const { return hills_.empty(); }
    /// Sorts the hills into the grid: after adding, before asking.
    void build();
    double at(const Vec3& place) const;

private:
    using Cell = std::array<std::int64_t, 3>;
    struct Entry {
        Cell cell;
        int hill;
    };
    Cell cell_of(const Vec3& place) const;

    std::vector<Hill> hills_;
    std::vector<Entry> entries_; ///< one per hill, by the cell of its center
    double cell_size_ = 1;       ///< the greatest radius [m]
};

} // namespace muslin
