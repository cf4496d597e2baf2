#include "muslin/mesh/fold_angles.h"

#include <cmath>
#include <map>
#include <numeric>

namespace muslin {
namespace {

/// Twice the area along the normal [m^2].
Vec3 area_normal(std::span<const Vec3> x, const std::array<int, 3>& t) {
    return cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]]);
}

double angle_between(const Vec3& a, const Vec3& b) {
    return std::atan2(norm(cross(a, b)), dot(a, b));
}

} // namespace

FoldAngles::FoldAngles(std::span<const Vec3> start, std::span<const std::array<int, 3>> triangles,
                       std::span<const Hinge> hinges)
    : triangles_(triangles), piece_(triangles.size()) {
    std::vector<int> parent(triangles.size());
    std::iota(parent.begin(), parent.end(), 0);
    const auto root = [&](int t) {
        while (parent[t] != t)
            t = parent[t] = parent[parent[t]];
        return t;
    };
    std::vector<const Hinge*> creases;
    for (const Hinge& hinge : hinges) {
        const Vec3 a = area_normal(start, triangles[hinge.t[0]]),
                   b = area_normal(start, triangles[hinge.t[1]]);
        if (angle_between(a, b) > least_angle)
            creases.push_back(&hinge);
        else
            parent[root(hinge.t[0])] = root(hinge.t[1]);
    }
    std::map<int, int> number;
    std::vector<int> size;
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        const auto [at, is_new] = number.emplace(root(static_cast<int>(t)), pieces_);
        if (is_new) {
            ++pieces_;
            size.push_back(0);
        }
        piece_[t] = at->second;
        ++size[at->second];
    }
    std::map<std::array<int, 2>, double> lengths;
    for (const Hinge* hinge : creases) {
        const int a = piece_[hinge->t[0]], b = piece_[hinge->t[1]];
        if (a != b && size[a] >= least_triangles && size[b] >= least_triangles)
            lengths[{std::min(a, b), std::max(a, b)}] +=
                norm(start[hinge->v[1]] - start[hinge->v[0]]);
    }
    for (const auto& [pieces, length] : lengths)
        folds_.push_back({pieces, length});
}

double FoldAngles::mean(std::span<const Vec3> positions) const {
    std::vector<Vec3> normals(pieces_, Vec3{0, 0, 0});
    for (std::size_t t = 0; t < triangles_.size(); ++t)
        normals[piece_[t]] += area_normal(positions, triangles_[t]);
    double sum = 0, length = 0;
    for (const Fold& fold : folds_) {
        sum += fold.length * angle_between(normals[fold.pieces[0]], normals[fold.pieces[1]]);
        length += fold.length;
    }
    return length > 0 ? sum / length : 0;
}

} // namespace muslin
