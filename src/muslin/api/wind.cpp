// Winds that a program sets.
#include "muslin/api/convert.h"
#include "muslin/api/guard.h"
#include "muslin/api/simulation_parts.h"
#include "muslin/base/parallel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace muslin::api {
namespace {

/// Linear between the points of a grid.
class GridField final : public WindField {
public:
    explicit GridField(const WindGrid& grid)
        : origin_{grid.origin.x, grid.origin.y, grid.origin.z}, spacing_{grid.spacing.x,
                                                                         grid.spacing.y,
                                                                         grid.spacing.z},
          counts_(grid.counts), velocities_(to_engine(grid.velocities)) {}

    void find(double, std::span<const muslin::Vec3> places,
              std::span<muslin::Vec3> wind) const override {
        parallel_for(places.size(), 1024, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                wind[i] = at({places[i].x, places[i].y, places[i].z});
        });
    }

private:
    muslin::Vec3 at(const std::array<double, 3>& place) const {
        std::array<int, 3> first;
        std::array<double, 3> part;
        for (int k = 0; k < 3; ++k) {
            const double last = counts_[k] - 1;
            // A step that goes wrong may ask for the wind at no place at all.
            const double along = (place[k] - origin_[k]) / spacing_[k];
            const double inside = along > 0 ? std::min(along, last) : 0;
            first[k] = std::min(static_cast<int>(inside), std::max(counts_[k] - 2, 0));
            part[k] = inside - first[k];
        }
        muslin::Vec3 sum = {0, 0, 0};
        for (int corner = 0; corner < 8; ++corner) {
            double weight = 1;
            std::array<int, 3> point;
            for (int k = 0; k < 3; ++k) {
                const int side = (corner >> k) & 1;
                weight *= side ? part[k] : 1 - part[k];
                point[k] = std::min(first[k] + side, counts_[k] - 1);
            }
            const auto row = static_cast<std::size_t>(point[2]) * counts_[1] + point[1];
            sum += weight * velocities_[row * counts_[0] + point[0]];
        }
        return sum;
    }

    std::array<double, 3> origin_, spacing_; ///< [m]
    std::array<int, 3> counts_;
    std::vector<muslin::Vec3> velocities_; ///< [m/s]
};

/// Asks a function of the program.
class FunctionField final : public WindField {
public:
    explicit FunctionField(const WindFunction& wind) : wind_(wind) {}

    void find(double time, std::span<const muslin::Vec3> places,
              std::span<muslin::Vec3> wind) const override {
        places_ = to_public(places);
        answer_.assign(places.size(), Vec3{});
        wind_(time, places_, answer_);
        for (std::size_t i = 0; i < wind.size(); ++i) {
            wind[i] = {answer_[i].x, answer_[i].y, answer_[i].z};
            if (!is_finite(wind[i]) && is_finite(places[i]))
                reject(
                    "wind", "finite velocities [m/s]",
                    fmt::format("another at ({}, {}, {})", places[i].x, places[i].y, places[i].z));
        }
    }

private:
    WindFunction wind_;
    mutable std::vector<Vec3> places_, answer_; ///< kept for their memory
};

} // namespace

void Simulation::set_wind(const Vec3& velocity) {
    parts_->call([&] {
        if (!is_finite(to_engine(velocity)))
            reject("wind", "finite numbers [m/s]", "others");
        parts_->live.set_wind(to_engine(velocity));
    });
}

void Simulation::set_wind_grid(const WindGrid& grid) {
    parts_->call([&] {
        const auto& [columns, rows, layers] = grid.counts;
        if (columns < 1 || rows < 1 || layers < 1)
            reject("wind.counts", "three numbers above zero",
                   fmt::format("{}, {}, {}", columns, rows, layers));
        const std::size_t points = std::size_t(columns) * std::size_t(rows) * std::size_t(layers);
        if (grid.velocities.size() != points)
            reject("wind.velocities", fmt::format("{}, one for each point", points),
                   fmt::format("{}", grid.velocities.size()));
        const Vec3& s = grid.spacing;
        if (!(s.x > 0 && s.y > 0 && s.z > 0) || !is_finite(to_engine(s)))
            reject("wind.spacing", "three positive numbers [m]",
                   fmt::format("{}, {}, {}", s.x, s.y, s.z));
        if (!is_finite(to_engine(grid.origin)))
            reject("wind.origin", "finite numbers [m]", "others");
        for (const Vec3& velocity : grid.velocities)
            if (!is_finite(to_engine(velocity)))
                reject("wind.velocities", "finite numbers [m/s]", "others");
        parts_->live.set_wind_field(std::make_shared<const GridField>(grid));
    });
}

void Simulation::set_wind_function(const WindFunction& wind) {
    parts_->call([&] {
        if (!wind)
            reject("wind", "a function", "none");
        parts_->live.set_wind_field(std::make_shared<const FunctionField>(wind));
    });
}

} // namespace muslin::api
