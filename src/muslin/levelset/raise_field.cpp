#include "muslin/levelset/raise_field.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace muslin {

void RaiseField::clear() {
    hills_.clear();
    entries_.clear();
}

void RaiseField::add(const Hill& hill) {
    hills_.push_back(hill);
}

RaiseField::Cell RaiseField::cell_of(const Vec3& place) const {
    const auto index = [this](double x) {
        return static_cast<std::int64_t>(std::floor(x / cell_size_));
    };
    return {index(place.x), index(place.y), index(place.z)};
}

void RaiseField::build() {
    cell_size_ = 0;
    for (const Hill& hill : hills_)
        cell_size_ = std::max(cell_size_, hill.radius);
    if (!(cell_size_ > 0))
        cell_size_ = 1;
    entries_.clear();
    for (std::size_t h = 0; h < hills_.size(); ++h)
        entries_.push_back({cell_of(hills_[h].center), static_cast<int>(h)});
    std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
        return std::tie(a.cell, a.hill) < std::tie(b.cell, b.hill);
    });
}

double RaiseField::at(const Vec3& place) const {
    double out = 0;
    const Cell center = cell_of(place);
    for (std::int64_t dx = -1; dx <= 1; ++dx)
        for (std::int64_t dy = -1; dy <= 1; ++dy) {
            // Three cells that follow each other in the order.
            const Cell first = {center[0] + dx, center[1] + dy, center[2] - 1};
            const Cell last = {center[0] + dx, center[1] + dy, center[2] + 1};
            auto it = std::lower_bound(entries_.begin(), entries_.end(), first,
                                       [](const Entry& e, const Cell& c) { return e.cell < c; });
            for (; it != entries_.end() && it->cell <= last; ++it) {
                const Hill& hill = hills_[static_cast<std::size_t>(it->hill)];
                const double d = norm(place - hill.center);
                if (d >= hill.radius || hill.height <= out)
                    continue;
                const double s = d <= hill.core ? 1 : (hill.radius - d) / (hill.radius - hill.core);
                out = std::max(out, hill.height * s * s * (3 - 2 * s));
            }
        }
    return out;
}

} // namespace muslin
