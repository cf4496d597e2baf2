#include "muslin/collision/response/passed_vertices.h"

#include "muslin/collision/response/separation.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace muslin {
namespace {

bool has_corner(const std::array<int, 3>& triangle, int point) {
    return triangle[0] == point || triangle[1] == point || triangle[2] == point;
}

std::optional<VertexCrossing> find_crossing(int point, const std::array<int, 3>& triangle,
                                            const CorrectedPoints& points) {
    const auto& [a, b, c] = triangle;
    const auto corners = [&](std::span<const Vec3> x, Vec3(&out)[4]) {
        out[0] = x[point];
        out[1] = x[a];
        out[2] = x[b];
        out[3] = x[c];
    };
    Vec3 begin[4], end[4];
    corners(points.begin, begin);
    corners(points.end, end);
    return vertex_crossing(begin, end);
}

} // namespace

void PassedVertices::find_pairs(const CorrectedPoints& points, Profile& profile) {
    {
        const ProfileScope scope(profile, Task::detect_body);
        pairs_.update(points.begin, points.end);
        pairs_.find_body_pairs(points.begin, points.end, body_pairs_);
    }
    const ProfileScope scope(profile, Task::detect_self);
    pairs_.find_cloth_pairs(points.begin, points.end, cloth_pairs_);
}

std::span<const PassedVertices::Passed>
PassedVertices::passed_cloth(const CorrectedPoints& points) {
    return find_passed(cloth_pairs_, points);
}

std::span<const PassedVertices::Passed>
PassedVertices::passed_bodies(const CorrectedPoints& points) {
    return find_passed(body_pairs_, points);
}

std::span<const PassedVertices::Passed>
PassedVertices::find_passed(std::span<const TrianglePair> pairs, const CorrectedPoints& points) {
    passed_.clear();
    const auto look = [&](int from, int triangle) {
        for (const int point : surfaces_.triangles[from])
            if (!has_corner(surfaces_.triangles[triangle], point))
                if (const auto crossing =
                        find_crossing(point, surfaces_.triangles[triangle], points))
                    passed_.push_back({point, triangle, *crossing});
    };
    for (const TrianglePair& pair : pairs) {
        look(pair.cloth, pair.other);
        if (pair.other < surfaces_.cloth_triangle_count())
            look(pair.other, pair.cloth);
    }
    const auto key = [](const Passed& p) { return std::pair(p.point, p.triangle); };
    std::sort(passed_.begin(), passed_.end(),
              [&](const Passed& a, const Passed& b) { return key(a) < key(b); });
    passed_.erase(std::unique(passed_.begin(), passed_.end(),
                              [&](const Passed& a, const Passed& b) { return key(a) == key(b); }),
                  passed_.end());
    return passed_;
}

Contact PassedVertices::cloth_contact(const Passed& passed, const Vec3& normal, double gap) const {
    Contact c = make_contact(surfaces_, {passed.point, passed.triangle}, false);
    const Vec3& w = passed.crossing.weights;
    c.weights = {1, -w.x, -w.y, -w.z};
    c.normal = passed.crossing.from_front ? normal : -normal;
    c.thickness *= gap;
    return c;
}

void PassedVertices::append_entered(std::span<const Passed> passed, const CorrectedPoints& points,
                                    double gap, std::vector<Contact>& out) const {
    const std::span<const Vec3> end = points.end;
    for (std::size_t first = 0, last; first < passed.size(); first = last) {
        const int point = passed[first].point;
        int depth = 0;
        Vec3 sum = {0, 0, 0};
        for (last = first; last < passed.size() && passed[last].point == point; ++last) {
            depth += passed[last].crossing.from_front ? 1 : -1;
            if (passed[last].crossing.from_front)
                sum += triangle_normal(surfaces_, end, passed[last].triangle);
        }
        const double length = norm(sum);
        if (depth <= 0 || !(length > 0))
            continue;
        const Vec3 normal = (1 / length) * sum;
        double furthest = 0;
        Contact contact;
        for (std::size_t k = first; k < last; ++k) {
            const int triangle = passed[k].triangle;
            const auto& [a, b, c] = surfaces_.triangles[triangle];
            const Vec3 n = triangle_normal(surfaces_, end, triangle);
            const double slope = dot(n, normal);
            if (!passed[k].crossing.from_front || !(slope > 0.1))
                continue;
            const double way = dot(n, end[a] - end[point]) / slope;
            if (!(way > furthest))
                continue;
            furthest = way;
            // Where the way ends in the plane of the polygon, which need not be in the polygon.
            const Vec3 d = end[point] + way * normal - end[a];
            const Vec3 e = end[b] - end[a], f = end[c] - end[a], across = cross(e, f);
            const double scale = 1 / dot(across, across);
            const double v = scale * dot(cross(d, f), across), w = scale * dot(cross(e, d), across);
            contact = make_contact(surfaces_, {point, triangle}, false);
            contact.weights = {1, v + w - 1, -v, -w};
            contact.normal = normal;
            contact.thickness = gap;
        }
        if (furthest > 0)
            out.push_back(contact);
    }
}

} // namespace muslin
