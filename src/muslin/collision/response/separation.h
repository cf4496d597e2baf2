#pragma once

#include "muslin/collision/detect/contact.h"
#include "muslin/collision/detect/surfaces.h"
#include "muslin/kernels/meetings.h"

#include <span>
#include <vector>

namespace muslin {

/// Which way triangles part that intersect, and how far that is.
struct WayOut {
    Vec3 direction; ///< unit
    double way;     ///< until nothing intersects [m]
};

/// The unit normal of a triangle, outward for a body; zero where it has no area.
Vec3 triangle_normal(const Surfaces& surfaces, std::span<const Vec3> points, int triangle);

/// How a cloth triangle leaves the body polygons that it intersects: along the mean of their
/// normals [Bayraktar07 3]. Where one of the normals alone is a shorter way it is that one: the
/// mean of opposite polygons says nothing. And where that is further than the triangle can have
/// come in the step it is the way it came from, if that is shorter: a triangle that fell flat on a
/// corner intersects the sides of the body and no longer its top.
WayOut mean_normal_way(const Surfaces& surfaces, std::span<const Vec3> begin,
                       std::span<const Vec3> end, int triangle, std::span<const int> polygons);

/// How two cloth triangles part, the first along the direction. Those that were apart at the begin
/// of the step go back to where they came from: along the line of the points that were closest. For
/// those that were not it is the shortest way along a normal of either; which side is the right one
/// cannot be told from one moment.
WayOut way_apart(const Surfaces& surfaces, std::span<const Vec3> begin, std::span<const Vec3> end,
                 int first, int second, bool crossed_before);

/// Appends the contacts by which the first triangle, moved along the direction, still meets the
/// others: one for each of its corners that has to go some way, and the one that has to go
/// furthest where that is a corner of the others or two edges. Their gaps are to become `gap` [m].
void append_contacts(const Surfaces& surfaces, std::span<const Vec3> points, int first,
                     std::span<const int> others, const Vec3& direction, double gap,
                     std::vector<Contact>& out);

} // namespace muslin
