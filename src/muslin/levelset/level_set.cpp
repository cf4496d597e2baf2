#include "muslin/levelset/level_set.h"

#include "muslin/base/error.h"
#include "muslin/base/parallel.h"
#include "muslin/levelset/narrow_band.h"
#include "muslin/mesh/penetration.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace muslin {
namespace {

constexpr std::size_t grain = 512; // places per parallel range
constexpr double max_voxels = 1e9; // about 6 GB
constexpr double max_box = 5e10;   // voxels: 0.4 GB of the table of blocks

void expect(bool good, const char* key, const char* expected, const std::string& found,
            const char* hint = "") {
    if (!good)
        throw InputError(Problem{{}, key, expected, found, hint});
}

double area_of(const TriangleView& surface) {
    double twice = 0;
    for (const auto& t : surface.triangles)
        twice += norm(cross(surface.positions[t[1]] - surface.positions[t[0]],
                            surface.positions[t[2]] - surface.positions[t[0]]));
    return twice / 2;
}

} // namespace

void check_level_set(const TriangleView& surface, const LevelSetSettings& settings) {
    expect(settings.voxel > 0 && std::isfinite(settings.voxel), "voxel", "a positive number [m]",
           fmt::format("{}", settings.voxel));
    expect(settings.band >= settings.voxel && std::isfinite(settings.band), "band",
           "at least one voxel [m]", fmt::format("{}", settings.band));
    Vec3 low = {0, 0, 0}, high = {0, 0, 0};
    for (std::size_t i = 0; i < surface.positions.size(); ++i) {
        const Vec3& p = surface.positions[i];
        expect(is_finite(p), "surface", "finite positions",
               fmt::format("({}, {}, {}) at vertex {}", p.x, p.y, p.z, i));
        for (int k = 0; k < 3; ++k) {
            low[k] = i == 0 ? p[k] : std::min(low[k], p[k]);
            high[k] = i == 0 ? p[k] : std::max(high[k], p[k]);
        }
    }
    expect(is_closed(surface), "surface", "a closed surface: each edge run along both ways",
           surface.triangles.empty() ? "no triangles" : "an edge without its opposite",
           "close its holes, or turn the triangles the same way round");
    const double area = area_of(surface);
    expect(area > 1e-14 * dot(high - low, high - low), "surface", "triangles with an area", "none");
    const double width = 2 * (settings.band + 2 * settings.voxel), h = settings.voxel;
    const double voxels = area * width / (h * h * h);
    double box = 1;
    for (int k = 0; k < 3; ++k)
        box *= (high[k] - low[k] + width) / h + 2 * BlockGrid::side;
    expect(voxels <= max_voxels && box <= max_box, "voxel",
           "one that gives no more than 1e9 voxels in the band and 5e10 in the surface's box",
           fmt::format("{:g} m: {:.3g} and {:.3g}", h, voxels, box),
           "take a larger voxel or a narrower band");
}

LevelSet LevelSet::from_mesh(const TriangleView& surface, const LevelSetSettings& settings) {
    check_level_set(surface, settings);
    return LevelSet(make_narrow_band(surface, settings));
}

LevelSet::LevelSet(BlockGrid grid) : grid_(std::make_shared<const BlockGrid>(std::move(grid))) {}

std::shared_ptr<const BlockGrid> LevelSet::empty_grid() {
    static const auto empty = std::make_shared<const BlockGrid>();
    return empty;
}

Bounds LevelSet::bounds() const {
    const double width = BlockGrid::side * grid_->voxel;
    const auto& n = grid_->blocks;
    return {grid_->origin, grid_->origin + width * Vec3{double(n[0]), double(n[1]), double(n[2])}};
}

std::size_t LevelSet::memory() const {
    const auto& g = *grid_;
    return sizeof(BlockGrid) + g.values.size() * sizeof(float) +
           (g.table.size() + g.place.size() + g.nearest_triangle.size()) * sizeof(int);
}

void LevelSet::sample(std::span<const Vec3> places, std::span<LevelSetSample> out) const {
    if (places.size() != out.size())
        throw std::logic_error("LevelSet::sample: one sample for each place");
    parallel_for(places.size(), grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            out[i] = sample(places[i]);
    });
}

} // namespace muslin
