#include "viewer/frame_source.h"

namespace muslin::viewer {

namespace {

template <class T>
std::size_t bytes_of(const std::vector<std::vector<T>>& surfaces) {
    std::size_t sum = 0;
    for (const std::vector<T>& surface : surfaces)
        sum += sizeof(std::vector<T>) + surface.size() * sizeof(T);
    return sum;
}

} // namespace

std::size_t Frame::bytes() const {
    return sizeof(Frame) + bytes_of(positions) + bytes_of(contact) + bytes_of(seam) +
           bytes_of(tension);
}

std::vector<Frame::Point> to_single(const std::vector<Vec3>& points) {
    std::vector<Frame::Point> out;
    out.reserve(points.size());
    for (const Vec3& p : points)
        out.push_back({static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
    return out;
}

std::vector<Vec3> positions_of(const Surface& surface, const Frame& frame, std::size_t index) {
    const auto& points = frame.positions[index];
    if (points.empty())
        return surface.start;
    std::vector<Vec3> out;
    out.reserve(points.size());
    for (const Frame::Point& p : points)
        out.push_back(
            {static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])});
    return out;
}

std::vector<double> FrameSource::geometric_field(Field field, std::size_t index, int number) {
    const Surface& surface = surfaces_[index];
    const auto now = frame(number);
    const std::vector<Vec3> at = positions_of(surface, *now, index);
    std::vector<double> out;
    switch (field) {
    case Field::stretch:
        stretch_field(at, surface.triangles, surface.material, out);
        break;
    case Field::shear:
        shear_field(at, surface.triangles, surface.material, out);
        break;
    case Field::bending:
        bending_field(at, surface.triangles, surface.hinges, out);
        break;
    case Field::speed: {
        const auto before = frame(now->number - 1);
        if (before->number == now->number)
            out.assign(at.size(), 0);
        else
            speed_field(positions_of(surface, *before, index), at, now->time - before->time, out);
        break;
    }
    case Field::ease: {
        std::vector<std::vector<Vec3>> places;
        std::vector<TriangleView> bodies;
        for (std::size_t s = 0; s < surfaces_.size(); ++s)
            if (surfaces_[s].is_body)
                places.push_back(positions_of(surfaces_[s], *now, s));
        for (std::size_t s = 0, b = 0; s < surfaces_.size(); ++s)
            if (surfaces_[s].is_body)
                bodies.push_back({places[b++], surfaces_[s].triangles});
        ease_field(at, bodies, out);
        break;
    }
    case Field::contact:
    case Field::seam:
    case Field::tension:
        break;
    }
    return out;
}

SceneBounds box_of(const FrameSource& source, const Frame& frame) {
    SceneBounds box;
    for (std::size_t s = 0; s < source.surfaces().size(); ++s)
        box.add(positions_of(source.surfaces()[s], frame, s));
    return box;
}

} // namespace muslin::viewer
