#pragma once

#include "muslin/collision/broad/box_tree.h"
#include "muslin/collision/detect/motion_bound.h"
#include "muslin/collision/detect/oriented_contact.h"
#include "muslin/collision/spheres/sphere_layer.h"
#include "muslin/collision/spheres/spread_contact.h"

#include <optional>
#include <span>
#include <vector>

namespace muslin {

struct SpherePairSettings {
    SphereLayerSettings layer;
    bool bodies = false; ///< whether bodies are covered too and met by their spheres
    /// Spheres of cloth no further apart along the surface than this many radii are neighbours and
    /// never a pair. A sheet that folds back on itself in an arc of radius r, the tightest fold
    /// that leaves spheres beside each other, is pi r long.
    double neighbour_reach = 4;
    int updates_aimed = 24; ///< searches are to come this many steps apart
};

/// Spheres that interpenetrate [Ohta95, Collision detection]: of cloths among themselves, without
/// those that are neighbours along a surface, and, where asked for, of cloths and bodies.
///
/// A search lists pairs that are near with a margin; the next one comes when points have moved by
/// the margin against each other. So the pairs found are those of a full search, bit for bit,
/// whatever was asked before.
class SpherePairs {
public:
    SpherePairs(const Model& model, const Surfaces& surfaces, const SpherePairSettings& settings);

    const SphereLayer& layer() const { return cloth_; }
    double radius() const { return cloth_.radius(); }
    int count() const { return cloth_.count() + (bodies_ ? bodies_->count() : 0); }
    /// Where the middle of a sphere is, those of cloth first.
    Vec3 middle(int sphere, std::span<const Vec3> positions) const {
        return is_cloth(sphere) ? cloth_.middle(sphere, positions)
                                : bodies_->middle(sphere - cloth_.count(), positions);
    }
    bool are_neighbours(int a, int b) const;

    /// Replaces `out` by the pairs whose middles are nearer than two radii and `slack` [m] more, in
    /// the order of their numbers. Positions are of all points of the surfaces.
    void find(std::span<const Vec3> positions, double slack,
              std::vector<Oriented<SpreadContact>>& out);

    long updates() const { return counts_.updates; }
    long searches() const { return counts_.searches; }

private:
    struct Pair {
        int a, b;         ///< a < b
        double clearance; ///< between the spheres at the search [m]
    };

    bool is_cloth(int sphere) const { return sphere < cloth_.count(); }
    const SurfaceSphere& sphere(int s) const {
        return is_cloth(s) ? cloth_.spheres()[s] : bodies_->spheres()[s - cloth_.count()];
    }
    void search(std::span<const Vec3> positions, double reach);
    void set_boxes(std::span<const Vec3> positions, double reach);
    void choose_margin(double moved);
    SpreadContact contact(int a, int b, const Vec3& apart, double distance) const;

    struct Range {
        double margin = 0, largest = 0; ///< of a search [m]
        double reach = -1;              ///< of the list [m]
    };
    struct Counts {
        long updates = 0, searches = 0, since_search = 0;
    };

    const Surfaces& surfaces_;
    SpherePairSettings settings_;
    SphereLayer cloth_;
    std::optional<SphereLayer> bodies_;
    Rows neighbours_;
    BoxTree cloth_tree_, body_tree_;
    std::vector<Box> boxes_;
    std::vector<Vec3> middles_; ///< at the search
    std::vector<std::vector<Pair>> chunks_;
    std::vector<Pair> pairs_; ///< by a, b
    std::vector<std::vector<Oriented<SpreadContact>>> found_;
    MotionBound motion_;
    Range range_;
    Counts counts_;
};

} // namespace muslin
