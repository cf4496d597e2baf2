#include "muslin/collision/response/tangles.h"

#include "muslin/model/state.h"

#include <algorithm>

namespace muslin {
namespace {

// How fast a crossing is drawn out [m/s]: slow beside any motion, and a tangle of a centimetre is
// gone in a tenth of a second.
constexpr double pace = 0.1;

} // namespace

Tangles::Tangles(const Surfaces& surfaces)
    : surfaces_(surfaces), marks_(surfaces.point_count(), 0), finder_(surfaces) {}

void Tangles::release(std::span<const int> points) {
    for (int p : points)
        marks_[p] = squeezed;
    any_ = any_ || !points.empty();
}

void Tangles::store(ContactHistory& history) const {
    history.started = searched_;
    history.released.clear();
    if (any_)
        history.released.assign(marks_.begin(), marks_.end());
}

void Tangles::recall(const ContactHistory& history) {
    const std::vector<std::uint8_t>& marks = history.released;
    require_history(marks.empty() || marks.size() == marks_.size(), "other points are released");
    searched_ = history.started;
    any_ = !marks.empty();
    if (any_)
        std::copy(marks.begin(), marks.end(), marks_.begin());
    else
        std::fill(marks_.begin(), marks_.end(), held);
    crossings_.clear(); // found anew as the next step begins
}

void Tangles::update(std::span<const Vec3> positions) {
    if (searched_ && !any_)
        return;
    find_crossings(positions);
    searched_ = true;
    std::vector<std::uint8_t> marks(marks_.size(), held);
    const auto mark = [&](int p) { marks[p] = marks_[p] == squeezed ? squeezed : tangled; };
    for (const Interference& c : crossings_) {
        for (int p : surfaces_.edges[c.edge])
            mark(p);
        for (int p : surfaces_.triangles[c.triangle])
            mark(p);
    }
    marks_ = std::move(marks);
    any_ = !crossings_.empty();
}

void Tangles::find_crossings(std::span<const Vec3> positions) {
    if (!searched_) {
        finder_.find(positions, crossings_);
        return;
    }
    finder_.find(positions, crossings_, [&](int t) {
        const auto& [a, b, c] = surfaces_.triangles[t];
        return marks_[a] || marks_[b] || marks_[c];
    });
}

void Tangles::draw_out(std::span<const Vec3> begin, const Mobility& mobility, double h,
                       std::span<Vec3> end) const {
    std::vector<Vec3> sums(end.size(), {0, 0, 0});
    std::vector<int> counts(end.size(), 0);
    for (const Interference& c : crossings_) {
        if (marks_[surfaces_.edges[c.edge][0]] == squeezed)
            continue;
        const Vec3 way = way_out(surfaces_, finder_.adjacency(), c, begin);
        const auto push = [&](int point, double sign) {
            if (!mobility.moves(point))
                return;
            sums[point] += sign * way;
            ++counts[point];
        };
        for (int p : surfaces_.edges[c.edge])
            push(p, 1);
        for (int p : surfaces_.triangles[c.triangle])
            push(p, -1);
    }
    for (std::size_t i = 0; i < end.size(); ++i)
        if (counts[i] > 0)
            end[i] += (pace * h / counts[i]) * sums[i];
}

} // namespace muslin
