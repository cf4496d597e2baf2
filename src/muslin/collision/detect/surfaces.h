#pragma once

#include "muslin/model/model.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace muslin {

/// All that can touch, as one set of points and triangles: first the particles and triangles of the
/// cloths, then the vertices and triangles of the bodies. What is searched and what is resolved
/// need not know which is which: a body's point is one that no impulse moves.
///
/// A vertex belongs to many triangles and an edge to two; each is *owned* by one of them, so that a
/// search over pairs of triangles meets every pair of features once.
class Surfaces {
public:
    /// What is in the set besides the cloths.
    enum class Bodies { all, none };
    explicit Surfaces(const Model& model, Bodies bodies = Bodies::all);

    int particle_count() const { return counts_.particles; }
    int point_count() const { return static_cast<int>(half_thickness.size()); }
    int cloth_triangle_count() const { return counts_.cloth_triangles; }
    int cloth_edge_count() const { return counts_.cloth_edges; }
    int body_triangle_count() const {
        return static_cast<int>(triangles.size()) - counts_.cloth_triangles;
    }
    bool is_cloth(int point) const { return point < counts_.particles; }
    bool bodies_move() const { return bodies_.move; }
    int body_count() const { return static_cast<int>(bodies_.first_point.size()); }
    /// The triangles of a body: [begin, end).
    std::array<int, 2> body_triangles(int body) const {
        return {bodies_.first_triangle[body], body + 1 < body_count()
                                                  ? bodies_.first_triangle[body + 1]
                                                  : static_cast<int>(triangles.size())};
    }

    /// Writes where the points of the bodies are at a time [s] to their places in `points`.
    void place_bodies(double time, std::span<Vec3> points) const;

    /// The cloth or body a triangle belongs to, in words: "cloth 'sheet'".
    std::string owner_of_triangle(int triangle) const;
    /// A triangle that has the edge or the point.
    int triangle_of_edge(int edge) const { return owners_.of_edge[edge]; }
    int triangle_of_point(int point) const { return owners_.of_point[point]; }
    /// Whether a point is in the collision layer: those that only pull are in no triangle of it.
    bool touches(int point) const { return owners_.of_point[point] >= 0; }

    std::vector<std::array<int, 3>> triangles;      ///< points
    std::vector<std::array<int, 2>> edges;          ///< points; cloth edges first
    std::vector<std::array<int, 3>> triangle_edges; ///< edge k joins corners k and k + 1
    std::vector<std::uint8_t> owned; ///< per triangle: bits 0..2 its corners, bits 3..5 its edges
    std::vector<double> half_thickness; ///< per point [m]
    /// Of edges and triangles: that of their thickest corner [m].
    std::vector<double> edge_half_thickness, triangle_half_thickness;
    std::vector<double> friction; ///< per point, Coulomb; negative: the other's
    std::vector<double> mass;     ///< per particle [kg]
    std::vector<double> area;     ///< per particle: its share of the pattern [m^2]
    /// Whether two features have a point in common: such do not touch.
    static bool share_point(std::span<const int> a, std::span<const int> b) {
        for (const int i : a)
            for (const int j : b)
                if (i == j)
                    return true;
        return false;
    }

    /// The gap that two points keep [m].
    double thickness(int a, int b) const { return half_thickness[a] + half_thickness[b]; }
    /// The coefficient between two points: the mean of two cloths, the body's own if it has one.
    double friction_between(int a, int b) const;

private:
    void add_features(int first_triangle);

    struct Counts {
        int particles = 0, cloth_triangles = 0, cloth_edges = 0;
    };
    /// Of each body the first of its points and triangles.
    struct Ranges {
        std::vector<int> first_point, first_triangle;
        bool move = false;
    };
    /// A triangle that has the edge or the point.
    struct Owners {
        std::vector<int> of_edge, of_point;
    };

    const Model& model_;
    Counts counts_;
    Ranges bodies_;
    Owners owners_;
};

} // namespace muslin
