#include "muslin/model/shape.h"

#include "muslin/math/rotation.h"

namespace muslin {

Vec3 Motion::apply(double time, const Vec3& point) const {
    return pivot + turn(time, point - pivot) + translation.at(time);
}

Vec3 Motion::undo(double time, const Vec3& place) const {
    return pivot +
           transpose(rotation_degrees(rotation.at(time))) * (place - pivot - translation.at(time));
}

Vec3 Motion::turn(double time, const Vec3& direction) const {
    return rotation_degrees(rotation.at(time)) * direction;
}

} // namespace muslin
