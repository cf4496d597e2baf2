#pragma once

#include "muslin/model/model.h"

#include <array>
#include <vector>

namespace muslin {

/// Rigidities by the components (k_uu, k_vv, k_uv) of curvature [N m]: a sheet stores k C k / 2 per
/// area.
using BendTensor = Mat3;

/// Of a fabric: bend_u and bend_v for curvature along u and v, and between them
/// bend_u cos^2 + bend_v sin^2. A Poisson ratio of zero.
BendTensor fabric_tensor(const Material& material);

/// How a cloth's mesh measures curvature.
enum class BendMesh {
    triangles, ///< per triangle, from the angles of its three hinges
    quads,     ///< along the two sides of rectangles and across their diagonal
};
struct ClothBending {
    BendMesh mesh = BendMesh::triangles;
    BendTensor tensor; ///< what triangles are given, which makes the cloth show its fabric's
};

/// Four vertices that bend about the line from the first to the second. In the pattern, where the
/// vertices of a hinge across a seam are laid flat about their edge.
struct BendStencil {
    std::array<int, 4> v = {};
    std::array<Vec2, 4> place = {};
    double shape = 0;      ///< its stiffness as a multiple of a rigidity
    bool diagonal = false; ///< of a quad: it measures twist
};

/// Elements of bending: E = 1/2 sum of b_i B_ij b_j over the angles b less their rest. B has
/// `stiffness` on its diagonal and few entries beside it.
struct BendElements {
    struct Coupling {
        int element = 0; ///< any, where the stiffness is zero
        double stiffness = 0;
    };
    std::vector<std::array<int, 4>> particles;
    std::vector<double> stiffness, damping, rest; ///< [N m, N m s, rad]
    /// The other hinges of the two triangles. Empty where nothing is coupled.
    std::vector<std::array<Coupling, 4>> couplings;
};

/// What the triangles, hinges and patterns of a model say, found once.
class BendTopology {
public:
    explicit BendTopology(const Model& model);

    const Model& model() const { return model_; }
    /// The hinges of a triangle's sides, from corner i to the next; -1 where there is none.
    const std::array<int, 3>& hinges_of(int triangle) const { return hinges_of_[triangle]; }
    /// Whether both triangles of a hinge are of one cloth and meet in its pattern.
    bool is_inside(int hinge) const { return inside_[hinge]; }
    /// The part of a cloth's triangles that pair up to quads, in which no rest angle is.
    double paired(int cloth) const;

    BendStencil hinge_stencil(int hinge) const;
    /// In place of a hinge between quads, at most two.
    int quad_stencils(int hinge, BendStencil (&out)[2]) const;
    /// Stiffness of a triangle by the angles of its three sides. Sides without a hinge are free of
    /// moment, which is the natural condition of an edge.
    Mat3 triangle_stiffness(int triangle, const BendTensor& tensor) const;

private:
    struct Mate {
        int triangle = -1, vertex = -1; ///< the other half of a quad and its fourth corner
    };
    Vec2 place(int triangle, int vertex) const;

    const Model& model_;
    std::vector<std::array<int, 3>> hinges_of_;
    std::vector<char> inside_, diagonal_; ///< per hinge
    std::vector<Mate> mate_;              ///< per triangle
};

/// The elements of a whole model, each cloth as `cloths` says.
BendElements bend_elements(const BendTopology& topology, const std::vector<ClothBending>& cloths);

} // namespace muslin
