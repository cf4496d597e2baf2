#include "muslin/render/color_map.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

constexpr std::array<Vec3, 7> stops = {{
    {0.965, 0.945, 0.860}, // ivory
    {0.790, 0.890, 0.720},
    {0.520, 0.810, 0.700},
    {0.250, 0.680, 0.740},
    {0.160, 0.490, 0.700},
    {0.190, 0.290, 0.580},
    {0.230, 0.110, 0.390}, // violet
}};

} // namespace

const std::array<Vec3, 256>& color_table() {
    static const std::array<Vec3, 256> table = [] {
        std::array<Vec3, 256> out;
        for (std::size_t i = 0; i < out.size(); ++i) {
            const double at =
                static_cast<double>(i) / (out.size() - 1) * static_cast<double>(stops.size() - 1);
            const auto stop = std::min(static_cast<std::size_t>(at), stops.size() - 2);
            const double part = at - static_cast<double>(stop);
            out[i] = (1 - part) * stops[stop] + part * stops[stop + 1];
        }
        return out;
    }();
    return table;
}

Vec3 color_at(double place) {
    const auto& table = color_table();
    const double at = std::clamp(place, 0.0, 1.0) * static_cast<double>(table.size() - 1);
    return table[static_cast<std::size_t>(std::lround(at))];
}

} // namespace muslin
