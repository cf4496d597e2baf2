#pragma once

#include "muslin/math/vec.h"
#include "muslin/model/body.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

// Real bodies cut into themselves: at armpits, at the crotch, where thighs touch. Cloth between two
// parts that overlap has no room. For contact both surfaces step back there, so that cloth has
// some; everything else stays exactly where it is (docs/bodies.md).

namespace muslin {

/// Finds where parts of one surface are nearer to each other than a gap, pose after pose.
class BodyParter {
public:
    /// The triangles must outlive it. The pose that is given, the rest pose, says how thick the
    /// body is, and whether its surface is closed: only then overlaps are looked for.
    BodyParter(std::span<const Vec3> positions, std::span<const std::array<int, 3>> triangles,
               double gap);

    /// How far every vertex steps back along its normal [m], zero almost everywhere: half of what
    /// the gap to the surface opposite misses, overlaps included, where they are no deeper than
    /// 6 cm. A thin part steps back by no more than half the radius of the ball that touches its
    /// surface there from within, a thick one keeps a core, none steps further than 8 cm; what the
    /// one cannot give the other does. Around these places steps fade out. The same for any number
    /// of threads.
    void find_steps(std::span<const Vec3> positions, std::span<const Vec3> normals,
                    std::vector<double>& steps) const;

    /// Unit normals, the same for vertices at one place.
    void find_normals(std::span<const Vec3> positions, std::vector<Vec3>& normals) const;

private:
    class Round;
    void smooth(std::vector<double>& steps) const;
    void share(std::vector<double>& steps) const;
    void level_limits();
    bool is_thick(int vertex) const;    ///< not on a finger, nor in a crease
    double thickness(int vertex) const; ///< of what it is on, about; at most what matters [m]
    /// Whether a triangle is the other side of what a vertex is on: in the rest pose the vertex was
    /// near, behind it, and in nothing else.
    bool is_across(int vertex, const std::array<int, 3>& triangle) const;

    std::span<const std::array<int, 3>> triangles_;
    double gap_;
    bool closed_;
    // In the rest pose:
    std::vector<Vec3> rest_, rest_normals_;
    std::vector<std::uint8_t> rest_buried_;

    std::vector<int> first_;     ///< the first of all vertices at its place
    std::vector<int> places_;    ///< those first ones
    std::vector<double> most_;   ///< how far each of them may step back [m]
    std::vector<int> begin_;     ///< of each vertex in neighbour_
    std::vector<int> neighbour_; ///< over edges, first ones of their places
};

/// One pose: where the vertices are for contact; `flagged`, which may be null, says which have
/// stepped back.
void part_body(std::span<const Vec3> positions, std::span<const std::array<int, 3>> triangles,
               double gap, std::vector<Vec3>& out, std::vector<std::uint8_t>* flagged);

/// Parts every frame of a body and its mesh; what is shown stays (Body::parted). A step that
/// comes or goes from one frame to the next is spread over those around it.
void part_body(Body& body, double gap);

} // namespace muslin
