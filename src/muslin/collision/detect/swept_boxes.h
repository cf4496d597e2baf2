#pragma once

#include "muslin/base/parallel.h"
#include "muslin/collision/broad/box.h"
#include "muslin/collision/detect/candidates.h"
#include "muslin/collision/detect/surfaces.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace muslin {

/// The edges of surfaces in the order of the triangles that own them, so that a triangle's lie
/// together.
class OwnedEdges {
public:
    struct Edge {
        int edge;
        std::array<int, 2> points;
    };
    explicit OwnedEdges(const Surfaces& surfaces);

    int begin(int triangle) const { return first_[triangle]; }
    int end(int triangle) const { return first_[triangle + 1]; }
    const Edge& operator[](int i) const { return edges_[i]; }
    /// Where an edge of the surfaces is here.
    int place(int edge) const { return place_[edge]; }

private:
    std::vector<Edge> edges_;
    std::vector<int> first_; ///< per triangle, and the end: in edges_
    std::vector<int> place_; ///< per edge: in edges_
};

/// The boxes that points, edges and triangles sweep in a motion along straight lines, and which
/// features of two triangles they let through.
class SweptBoxes {
public:
    explicit SweptBoxes(const Surfaces& surfaces);

    /// Takes a motion (Detector::set_motion). Bodies that never move keep their boxes; whether
    /// those of bodies were made anew.
    bool set_motion(std::span<const Vec3> begin, std::span<const Vec3> end, double margin);
    /// Makes those of bodies anew with the next motion.
    void forget_bodies() { bodies_margin_ = -1; }
    std::span<const Vec3> begin() const { return begin_; }
    double margin() const { return margin_; }
    std::span<const Box> triangles() const { return triangles_; }

    /// Gives particles that have left the margin their new ends, and marks them. Whether there are
    /// any. The boxes of their triangles are still those of before.
    bool move_strayed_points(std::span<const Vec3> end, std::vector<std::uint8_t>& strayed);
    /// Makes the boxes of a triangle and its edges anew.
    void update_triangle(int triangle);

    /// Appends the features that triangles a and b own, of which one lies in each, that can meet.
    void pair_triangles(int a, int b, Candidates& out) const;

private:
    void set_edge_box(int edge);
    void set_triangle_box(int triangle);
    void pair_edges(int a, int b, Candidates& out) const;
    template <std::size_t N, std::size_t M>
    bool stay_apart(const std::array<int, N>& a, const std::array<int, M>& b,
                    double thickness) const;

    const Surfaces& surfaces_;
    OwnedEdges owned_;
    std::span<const Vec3> begin_;
    std::vector<Vec3> end_;
    double margin_ = 0;
    double bodies_margin_ = -1;                   ///< that the boxes of the bodies were made with
    std::vector<Box> points_, edges_, triangles_; ///< those of edges in the order of owned_
    Partials<int> strayed_counts_;
};

} // namespace muslin
