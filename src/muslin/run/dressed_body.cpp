#include "muslin/run/dressed_body.h"

#include "muslin/base/parallel.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

// Cloth nearer than the first is on the skin, cloth further than the second is not [m].
constexpr double near = 0.025, far = 0.05;

/// Points sorted into cells as large as `far`.
class PointGrid {
public:
    explicit PointGrid(std::span<const Vec3> points) {
        for (const Vec3& p : points)
            sorted_.push_back({cell(p.x), cell(p.y), cell(p.z), p});
        std::sort(sorted_.begin(), sorted_.end(), before);
    }
    /// From a place to the nearest point, squared, at most that of `far` [m^2].
    double squared_distance(const Vec3& at) const {
        double out = far * far;
        for (int x = cell(at.x) - 1; x <= cell(at.x) + 1; ++x)
            for (int y = cell(at.y) - 1; y <= cell(at.y) + 1; ++y) {
                const int z = cell(at.z);
                auto i =
                    std::lower_bound(sorted_.begin(), sorted_.end(), Item{x, y, z - 1, {}}, before);
                for (; i != sorted_.end() && i->x == x && i->y == y && i->z <= z + 1; ++i)
                    out = std::min(out, dot(i->point - at, i->point - at));
            }
        return out;
    }

private:
    struct Item {
        int x, y, z;
        Vec3 point;
    };
    static int cell(double at) { return static_cast<int>(std::floor(at / far)); }
    static bool before(const Item& a, const Item& b) {
        return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
    }
    std::vector<Item> sorted_;
};

} // namespace

void dressed_positions(const Body& body, double time, std::span<const Vec3> cloth,
                       std::span<Vec3> out) {
    shown_positions(body, time, out);
    if (body.parted.empty())
        return;
    std::vector<Vec3> contact(out.size());
    body_positions(body, time, contact);
    const PointGrid grid(cloth);
    parallel_for(out.size(), 1024, [&](std::size_t begin, std::size_t end) {
        for (std::size_t v = begin; v < end; ++v) {
            const Vec3 back = contact[v] - out[v];
            if (dot(back, back) == 0)
                continue;
            const double distance = std::sqrt(grid.squared_distance(out[v]));
            out[v] = out[v] + std::clamp((far - distance) / (far - near), 0.0, 1.0) * back;
        }
    });
}

} // namespace muslin
