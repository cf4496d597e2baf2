#include "muslin/io/mesh_convert.h"

#include <cmath>
#include <stdexcept>

namespace muslin {
namespace {

void require_unit(double unit) {
    if (!std::isfinite(unit) || unit <= 0)
        throw std::logic_error("mesh_convert: the unit must be a positive length");
}

} // namespace

void to_metres_y_up(PolygonMesh& mesh, double unit, bool z_up) {
    require_unit(unit);
    for (Vec3& p : mesh.positions) {
        if (z_up)
            p = {p.x, p.z, -p.y};
        p *= unit;
    }
}

} // namespace muslin
