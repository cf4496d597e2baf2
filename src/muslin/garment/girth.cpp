#include "muslin/garment/girth.h"

#include "muslin/mesh/penetration.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace muslin {
namespace {

/// Where lines of triangles meet: an edge, by its places, that the plane cuts.
using EdgeKey = std::pair<int, int>;

struct Crossing {
    Vec2 point;
    std::vector<EdgeKey> next; ///< across the triangles of the edge
};

// What is exactly at the height counts as above it, so that every triangle is cut by two edges or
// by none.
std::map<EdgeKey, Crossing> cut_edges(const TriangleView& surface, const std::vector<int>& place,
                                      double height) {
    std::map<EdgeKey, Crossing> out;
    for (const auto& triangle : surface.triangles) {
        EdgeKey cut[2];
        int cuts = 0;
        for (int k = 0; k < 3; ++k) {
            int i = triangle[k], j = triangle[(k + 1) % 3];
            if (place[i] > place[j])
                std::swap(i, j);
            const Vec3 &a = surface.positions[i], &b = surface.positions[j];
            if ((a.y >= height) == (b.y >= height))
                continue;
            const double s = (height - a.y) / (b.y - a.y);
            cut[cuts] = {place[i], place[j]};
            out[cut[cuts]].point = {a.x + s * (b.x - a.x), a.z + s * (b.z - a.z)};
            ++cuts;
        }
        if (cuts == 2) {
            out[cut[0]].next.push_back(cut[1]);
            out[cut[1]].next.push_back(cut[0]);
        }
    }
    return out;
}

double turn(const Vec2& a, const Vec2& b, const Vec2& c) {
    return cross(b - a, c - a);
}

double distance(const Vec2& a, const Vec2& b) {
    return std::hypot(b.x - a.x, b.y - a.y);
}

int winding_number(const LevelLoop& loop, const Vec2& p) {
    int winding = 0;
    for (std::size_t i = 0; i < loop.size(); ++i) {
        const Vec2 &a = loop[i], &b = loop[(i + 1) % loop.size()];
        if (a.y <= p.y && b.y > p.y && turn(a, b, p) > 0)
            ++winding;
        else if (a.y > p.y && b.y <= p.y && turn(a, b, p) < 0)
            --winding;
    }
    return winding;
}

bool encloses(const LevelLoop& outer, const LevelLoop& inner) {
    const auto inside = std::count_if(inner.begin(), inner.end(),
                                      [&](const Vec2& p) { return winding_number(outer, p) != 0; });
    return 2 * inside > static_cast<std::ptrdiff_t>(inner.size());
}

Vec2 centre_of(const LevelLoop& loop) {
    Vec2 sum = {0, 0};
    for (const Vec2& p : loop)
        sum = sum + p;
    return (1.0 / static_cast<double>(loop.size())) * sum;
}

} // namespace

Slices::Slices(const TriangleView& surface)
    : surface_(surface), place_(weld_places(surface.positions)),
      low_(std::numeric_limits<double>::infinity()), high_(-low_) {
    for (const auto& t : surface.triangles)
        for (const int v : t) {
            low_ = std::min(low_, surface.positions[v].y);
            high_ = std::max(high_, surface.positions[v].y);
        }
}

std::vector<LevelLoop> Slices::at(double height) const {
    std::map<EdgeKey, Crossing> edges = cut_edges(surface_, place_, height);
    std::vector<LevelLoop> out;
    while (!edges.empty()) {
        const EdgeKey first = edges.begin()->first;
        LevelLoop loop;
        EdgeKey at = first, from = first;
        bool closed = false;
        for (auto found = edges.find(at); found != edges.end(); found = edges.find(at)) {
            const Crossing here = std::move(found->second);
            edges.erase(found);
            loop.push_back(here.point);
            if (here.next.size() != 2) // an end, or where more than two sheets meet
                break;
            const EdgeKey to = here.next[0] == from ? here.next[1] : here.next[0];
            from = at;
            at = to;
            closed = at == first;
        }
        if (closed && loop.size() > 2)
            out.push_back(std::move(loop));
    }
    return out;
}

double loop_length(const LevelLoop& loop) {
    double sum = 0;
    for (std::size_t i = 0; i < loop.size(); ++i)
        sum += distance(loop[i], loop[(i + 1) % loop.size()]);
    return sum;
}

double hull_length(std::vector<Vec2> points) {
    std::sort(points.begin(), points.end(),
              [](const Vec2& a, const Vec2& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
    // Both halves of the hull, by Andrew's monotone chain.
    LevelLoop hull;
    for (int half = 0; half < 2; ++half) {
        const std::size_t base = hull.size();
        for (const Vec2& p : points) {
            while (hull.size() >= base + 2 && turn(hull[hull.size() - 2], hull.back(), p) <= 0)
                hull.pop_back();
            hull.push_back(p);
        }
        if (!hull.empty())
            hull.pop_back(); // begins the other half
        std::reverse(points.begin(), points.end());
    }
    return loop_length(hull);
}

double tape_length(std::span<const LevelLoop> loops) {
    std::vector<Vec2> points;
    for (const LevelLoop& loop : loops)
        points.insert(points.end(), loop.begin(), loop.end());
    return hull_length(std::move(points));
}

std::vector<Girth> girths_at(const Slices& cloth, std::span<const Slices> bodies, double height) {
    std::vector<LevelLoop> solid;
    for (const Slices& body : bodies)
        for (LevelLoop& loop : body.at(height))
            solid.push_back(std::move(loop));
    std::vector<Girth> out;
    for (const LevelLoop& loop : cloth.at(height)) {
        std::vector<LevelLoop> within;
        for (const LevelLoop& inner : solid)
            if (encloses(loop, inner))
                within.push_back(inner);
        if (!within.empty())
            out.push_back({height, centre_of(loop), loop_length(loop), tape_length(within)});
    }
    std::sort(out.begin(), out.end(), [](const Girth& a, const Girth& b) {
        return a.centre.x != b.centre.x ? a.centre.x < b.centre.x : a.centre.y < b.centre.y;
    });
    return out;
}

} // namespace muslin
