#include "muslin/collision/spheres/sphere_cover.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace muslin {
namespace {

// How often a piece that would fit into one circle is halved to see whether those that are there
// cover it: down to a sixteenth of its length.
constexpr int look_closer = 8;

// Circles count as smaller than they are by this part, for rounding.
constexpr double rounding = 1e-9;

struct Circle {
    Vec2 middle;
    Vec3 weights; ///< of the triangle's corners
    double radius;
};

// The corner that lies across the longest edge.
int across_longest(const std::array<Vec2, 3>& t) {
    int best = 0;
    double longest = -1;
    for (int k = 0; k < 3; ++k) {
        const Vec2 edge = t[(k + 2) % 3] - t[(k + 1) % 3];
        if (dot(edge, edge) > longest) {
            longest = dot(edge, edge);
            best = k;
        }
    }
    return best;
}

// The smallest circle around a piece.
Circle enclosing(const TriangleCover::Piece& p) {
    const int k = across_longest(p.at), i = (k + 1) % 3, j = (k + 2) % 3;
    const Vec2 ki = p.at[i] - p.at[k], kj = p.at[j] - p.at[k], ij = p.at[j] - p.at[i];
    if (!(dot(ki, kj) > 0)) // obtuse there, or right
        return {0.5 * (p.at[i] + p.at[j]), 0.5 * (p.weights[i] + p.weights[j]), 0.5 * norm(ij)};
    // The middle of the circle through all corners, by its weights a^2 (b^2 + c^2 - a^2).
    const double kk = dot(ij, ij), ii = dot(kj, kj), jj = dot(ki, ki);
    Vec3 w = {kk * (ii + jj - kk), ii * (jj + kk - ii), jj * (kk + ii - jj)};
    w *= 1 / (w.x + w.y + w.z);
    const Vec2 middle = w.x * p.at[k] + w.y * p.at[i] + w.z * p.at[j];
    double radius = 0;
    for (const Vec2& corner : p.at)
        radius = std::max(radius, norm(corner - middle));
    return {middle, w.x * p.weights[k] + w.y * p.weights[i] + w.z * p.weights[j], radius};
}

std::array<TriangleCover::Piece, 2> halve(const TriangleCover::Piece& p) {
    const int k = across_longest(p.at), i = (k + 1) % 3, j = (k + 2) % 3;
    const Vec2 middle = 0.5 * (p.at[i] + p.at[j]);
    const Vec3 weights = 0.5 * (p.weights[i] + p.weights[j]);
    return {{{{p.at[k], p.at[i], middle}, {p.weights[k], p.weights[i], weights}},
             {{p.at[k], middle, p.at[j]}, {p.weights[k], weights, p.weights[j]}}}};
}

} // namespace

int edge_parts(double length, double radius) {
    return std::max(1, static_cast<int>(std::ceil(length / (std::numbers::sqrt3 * radius))));
}

TriangleCover::TriangleCover(double radius) : radius_((1 - rounding) * radius), whole_() {}

void TriangleCover::start(const std::array<Vec2, 3>& triangle) {
    whole_ = {triangle, {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}};
    circles_.clear();
    added_.clear();
}

void TriangleCover::place(const Vec2& middle, const Vec3& weights) {
    circles_.push_back(middle);
    added_.push_back(weights);
}

std::span<const Vec3> TriangleCover::fill() {
    lay_lattice();
    fill(whole_, {}, 0);
    return added_;
}

// Rows parallel to the longest edge, whose own circles are the first row.
void TriangleCover::lay_lattice() {
    const int k = across_longest(whole_.at), i = (k + 1) % 3, j = (k + 2) % 3;
    const Vec2 base = whole_.at[j] - whole_.at[i], side = whole_.at[k] - whole_.at[i];
    const double length = norm(base);
    if (!(length > 0))
        return;
    const Vec2 u = (1 / length) * base;
    const double height = std::abs(cross(u, side)), up = cross(u, side) > 0 ? 1.0 : -1.0;
    const double area = length * height;
    const int parts = edge_parts(length, radius_);
    const double spacing = length / parts, row = 1.5 * radius_;
    // What is nearer to another edge than this is left to its circles.
    const double near_j = 0.6 * radius_ * norm(side) / area,
                 near_i = 0.6 * radius_ * norm(whole_.at[k] - whole_.at[j]) / area;
    for (int r = 1; r * row < height; ++r)
        for (int c = 0; c <= parts; ++c) {
            const double x = spacing * (c + (r % 2 == 0 ? 0.0 : 0.5)), y = r * row;
            const Vec2 place_at = whole_.at[i] + x * u + (up * y) * Vec2{-u.y, u.x};
            const double wk = y / height;
            const double wj = (x - wk * dot(side, u)) / length, wi = 1 - wk - wj;
            if (wj <= near_j || wi <= near_i)
                continue;
            Vec3 weights = {0, 0, 0};
            weights[k] = wk;
            weights[i] = wi;
            weights[j] = wj;
            place(place_at, weights);
        }
}

// `around` are circles near the piece this one is part of, among the first `seen`.
void TriangleCover::fill(const Piece& piece, const std::vector<int>& around, std::size_t seen) {
    const Circle own = enclosing(piece);
    const double reach = own.radius + radius_;
    std::vector<int> near;
    const auto keep = [&](int c) {
        const Vec2 d = circles_[c] - own.middle;
        if (dot(d, d) <= reach * reach)
            near.push_back(c);
    };
    for (const int c : around)
        keep(c);
    for (std::size_t c = seen; c < circles_.size(); ++c)
        keep(static_cast<int>(c));
    if (is_in_one(piece, near))
        return;
    if (own.radius <= radius_) {
        if (!is_covered(piece, near, look_closer))
            place(own.middle, own.weights);
        return;
    }
    // What the circles cover between them needs no more, however large it is.
    if (own.radius <= 4 * radius_ && is_covered(piece, near, look_closer + 4))
        return;
    for (const Piece& half : halve(piece)) {
        const std::size_t known = circles_.size();
        fill(half, near, known);
        for (std::size_t c = known; c < circles_.size(); ++c)
            keep(static_cast<int>(c));
    }
}

bool TriangleCover::is_in_one(const Piece& piece, std::span<const int> near) const {
    const double squared = radius_ * radius_;
    for (const int c : near) {
        bool inside = true;
        for (const Vec2& corner : piece.at) {
            const Vec2 d = corner - circles_[c];
            inside = inside && dot(d, d) <= squared;
        }
        if (inside)
            return true;
    }
    return false;
}

bool TriangleCover::is_covered(const Piece& piece, std::span<const int> near, int depth) const {
    if (is_in_one(piece, near))
        return true;
    if (depth == 0)
        return false;
    for (const Piece& half : halve(piece))
        if (!is_covered(half, near, depth - 1))
            return false;
    return true;
}

} // namespace muslin
