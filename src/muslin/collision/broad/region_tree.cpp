#include "muslin/collision/broad/region_tree.h"

#include <atomic>
#include <cmath>

namespace muslin {
namespace {

constexpr std::size_t region_grain = 512, pair_grain = 32;

// What a normal must have along a direction to count as seen from it. The smaller value passes
// more curved regions, the larger one such with small triangles.
constexpr double narrow_cosine = 0.7, wide_cosine = 0.3;
// Dot products of floats are off by far less.
constexpr double cosine_slack = 1e-4;
// Up to this many triangles are looked at one by one; beyond the smaller number only if one of the
// 62 directions sees them.
constexpr int few_triangles = 100, very_few_triangles = 24;

// The axes of an icosahedron through its corners, edges and faces: 31, which make 62 directions. No
// vector is further than 21 degrees from one of them.
struct Directions {
    static constexpr int lanes = 32;
    alignas(32) float x[lanes] = {}, y[lanes] = {}, z[lanes] = {}; // the last: none
    std::array<Vec3, 64> toward; // of bits: the axes, then their negatives

    Directions() {
        std::vector<Vec3> corners, axes;
        const double golden = (1 + std::sqrt(5.0)) / 2;
        for (double s : {-1.0, 1.0})
            for (double t : {-golden, golden}) {
                corners.push_back({0, s, t});
                corners.push_back({s, t, 0});
                corners.push_back({t, 0, s});
            }
        const auto add = [&](const Vec3& v) {
            const Vec3 axis = normalized(v);
            for (const Vec3& other : axes)
                if (std::abs(dot(axis, other)) > 1 - 1e-9)
                    return;
            axes.push_back(axis);
        };
        const auto joined = [](const Vec3& a, const Vec3& b) { return norm(a - b) < 2.1; };
        for (const Vec3& a : corners)
            add(a);
        for (const Vec3& a : corners)
            for (const Vec3& b : corners)
                if (norm(a - b) > 1e-9 && joined(a, b))
                    add(a + b);
        for (const Vec3& a : corners)
            for (const Vec3& b : corners)
                for (const Vec3& c : corners)
                    if (norm(a - b) > 1e-9 && norm(b - c) > 1e-9 && norm(a - c) > 1e-9 &&
                        joined(a, b) && joined(b, c) && joined(c, a))
                        add(a + b + c);
        for (std::size_t i = 0; i < axes.size(); ++i) {
            x[i] = static_cast<float>(axes[i].x);
            y[i] = static_cast<float>(axes[i].y);
            z[i] = static_cast<float>(axes[i].z);
            toward[i] = normalized({x[i], y[i], z[i]});
            toward[i + lanes] = -toward[i];
        }
    }
};

const Directions& directions() {
    static const Directions all;
    return all;
}

// Eight at a time.
using Lanes = float __attribute__((vector_size(32)));
using Mask = std::int32_t __attribute__((vector_size(32)));

std::uint64_t bits_of(Mask mask) {
#if defined(__AVX__)
    return static_cast<unsigned>(_mm256_movemask_ps(std::bit_cast<__m256>(mask)));
#else
    std::uint64_t bits = 0;
    for (int i = 0; i < 8; ++i)
        bits |= mask[i] != 0 ? 1u << i : 0u;
    return bits;
#endif
}

} // namespace

RegionTree::RegionTree(std::span<const std::array<int, 3>> triangles, int point_count,
                       std::span<const double> half_thickness)
    : triangles_(triangles), layout_(build_regions(triangles, point_count)),
      boxes_(layout_.regions.size()), sights_(layout_.regions.size()), facets_(triangles.size()),
      patch_status_(layout_.patches.size()) {
    for (const auto& [a, b, c] : triangles)
        half_thickness_.push_back(
            round_up(std::max({half_thickness[a], half_thickness[b], half_thickness[c]})));
}

RegionTree::Facet RegionTree::measure(int triangle) const {
    const auto& [a, b, c] = triangles_[triangle];
    const Vec3 ab = at_[b] - at_[a], ac = at_[c] - at_[a], bc = at_[c] - at_[b];
    const Vec3 n = cross(ab, ac);
    const double longest = std::max({dot(ab, ab), dot(ac, ac), dot(bc, bc)});
    return {{static_cast<float>(n.x), static_cast<float>(n.y), static_cast<float>(n.z)},
            longest > 0 ? static_cast<float>(dot(n, n) / longest) : 0.0f};
}

RegionTree::Sight RegionTree::sight_of(int triangle) const {
    const auto& [n, squared_height] = facets_[triangle];
    Sight sight;
    sight.half_thickness = half_thickness_[triangle];
    sight.squared_height = squared_height;
    std::copy(n, n + 3, sight.normal);
    const float length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (!(length > 0)) { // no normal: nothing sees it
        sight.narrow = sight.wide = 0;
        sight.squared_height = 0;
        return sight;
    }
    const Directions& d = directions();
    const float narrow = static_cast<float>(narrow_cosine) * length;
    const float wide = static_cast<float>(wide_cosine) * length;
    sight.narrow = sight.wide = 0;
    for (int i = 0; i < Directions::lanes; i += 8) {
        const auto load = [&](const float* from) {
            return *reinterpret_cast<const Lanes*>(from + i);
        };
        const Lanes along = n[0] * load(d.x) + n[1] * load(d.y) + n[2] * load(d.z);
        const int back = i + Directions::lanes; // the bits of the opposite directions
        sight.narrow |= bits_of(along >= narrow) << i | bits_of(along <= -narrow) << back;
        sight.wide |= bits_of(along >= wide) << i | bits_of(along <= -wide) << back;
    }
    return sight;
}

void RegionTree::refit(std::span<const Box> boxes) {
    for (int level = 0; level < layout_.level_count(); ++level) {
        const std::size_t first = layout_.level_begin[level];
        const std::size_t count = layout_.level_begin[level + 1] - first;
        parallel_for(count, region_grain, [&](std::size_t begin, std::size_t end) {
            for (std::size_t r = first + begin; r < first + end; ++r) {
                const auto& region = layout_.regions[r];
                Box box = Box::empty();
                Sight sight;
                if (level == 0)
                    for (int t : layout_.triangles_of(region)) {
                        box.merge(boxes[t]);
                        facets_[t] = measure(t);
                        sight.merge(sight_of(t));
                    }
                for (int i = 0; i < region.child_count; ++i) {
                    const int child = layout_.children[region.first_child + i];
                    box.merge(boxes_[child]);
                    sight.merge(sights_[child]);
                }
                boxes_[r] = box;
                sights_[r] = sight;
            }
        });
    }
}

// Of the directions left the one nearest to the mean normal sees the widest contour.
Vec3 RegionTree::choose_direction(const Sight& sight, bool narrow) const {
    const Directions& d = directions();
    double best = -HUGE_VAL;
    Vec3 direction = {0, 0, 0};
    for (std::uint64_t bits = narrow ? sight.narrow : sight.wide; bits != 0; bits &= bits - 1) {
        const Vec3& v = d.toward[std::countr_zero(bits)];
        const double along = v.x * sight.normal[0] + v.y * sight.normal[1] + v.z * sight.normal[2];
        if (along > best) {
            best = along;
            direction = v;
        }
    }
    return direction;
}

// The least cosine of normals and a direction; below zero where one is not `enough`.
double RegionTree::least_cosine(std::span<const int> triangles, const Vec3& direction,
                                double enough) const {
    double least = 1; // squared
    for (int t : triangles) {
        const float* n = facets_[t].normal;
        const Vec3 normal = {n[0], n[1], n[2]};
        const double along = dot(normal, direction), squared = dot(normal, normal);
        if (!(along > 0 && along * along > enough * enough * squared))
            return -1;
        least = std::min(least, along * along / squared);
    }
    return std::sqrt(least);
}

// (b) and (c) of the class comment.
bool RegionTree::passes(const RegionLayout::Outline& outline, const Sight& sight,
                        const Vec3& direction, double cosine, Work& work) const {
    const double distance = 2 * static_cast<double>(sight.half_thickness) + margin_;
    const double height = std::sqrt(static_cast<double>(sight.squared_height));
    const double reach = (1 - 1e-5) * height * (cosine - cosine_slack);
    if (!(reach > distance))
        return false;
    const Vec3 other = std::abs(direction.x) < 0.5 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    const Vec3 right = normalized(cross(other, direction)), up = cross(direction, right);
    work.contour.corners.clear();
    for (int point : layout_.contour(outline))
        work.contour.corners.push_back({dot(right, at_[point]), dot(up, at_[point])});
    double notch;
    // A touch further than rounding of the projection can move a corner.
    const double clear = (1 + 1e-6) * distance + 1e-12 * (1 + norm(work.contour.corners[0]));
    return work.contour.keeps_clear(clear, notch) && reach * notch > distance;
}

template <class Each>
bool RegionTree::is_regular(const RegionLayout::Outline& outline, int triangle_count, Sight sight,
                            Each&& each, Work& work) const {
    if (outline.corner_count == 0 || (triangle_count > very_few_triangles && sight.wide == 0))
        return false;
    const auto filling = layout_.filling(outline);
    for (int t : filling) {
        sight.squared_height = std::min(sight.squared_height, facets_[t].squared_height);
        sight.half_thickness = std::max(sight.half_thickness, half_thickness_[t]);
    }
    const double enough = (2 * static_cast<double>(sight.half_thickness) + margin_) /
                          std::sqrt(static_cast<double>(sight.squared_height));
    if (!(enough < 1))
        return false;
    if (triangle_count > few_triangles) {
        for (int t : filling)
            sight.merge(sight_of(t));
        const bool narrow = sight.narrow != 0;
        return sight.wide != 0 && passes(outline, sight, choose_direction(sight, narrow),
                                         narrow ? narrow_cosine : wide_cosine, work);
    }
    const Vec3 sum = {sight.normal[0], sight.normal[1], sight.normal[2]};
    const double length = norm(sum);
    if (!(length > 0))
        return false;
    const Vec3 direction = (1 / length) * sum;
    double cosine = least_cosine(filling, direction, enough);
    each([&](std::span<const int> triangles) {
        if (cosine > 0)
            cosine = std::min(cosine, least_cosine(triangles, direction, enough));
    });
    return passes(outline, sight, direction, cosine, work);
}

bool RegionTree::region_is_regular(int r, Work& work) const {
    const auto& region = layout_.regions[r];
    return is_regular(
        region.outline, region.triangle_count, sights_[r],
        [&](auto&& look) { look(layout_.triangles_of(region)); }, work);
}

// Each patch is judged once in an update. Two threads may both do it; they come to the same answer.
bool RegionTree::patch_is_regular(int p, Work& work) {
    const std::atomic_ref<std::uint8_t> status(patch_status_[p]);
    if (const std::uint8_t known = status.load(std::memory_order_relaxed); known != unknown)
        return known == regular;
    const auto& patch = layout_.patches[p];
    const auto regions =
        std::span(layout_.patch_regions).subspan(patch.first_region, patch.region_count);
    Sight sight;
    for (int r : regions)
        sight.merge(sights_[r]);
    const bool is = is_regular(
        patch.outline, patch.triangle_count, sight,
        [&](auto&& look) {
            for (int r : regions)
                look(layout_.triangles_of(layout_.regions[r]));
        },
        work);
    status.store(is ? regular : curved, std::memory_order_relaxed);
    return is;
}

bool RegionTree::share_regular_patch(int a, int b, Work& work) {
    const auto patches_of = [&](int r) {
        const auto& region = layout_.regions[r];
        return std::span(layout_.region_patches).subspan(region.first_patch, region.patch_count);
    };
    const auto of_a = patches_of(a), of_b = patches_of(b);
    for (std::size_t i = 0, j = 0; i < of_a.size() && j < of_b.size();) {
        if (of_a[i] == of_b[j] && patch_is_regular(of_a[i], work))
            return true;
        const bool next_a = of_a[i] <= of_b[j], next_b = of_b[j] <= of_a[i];
        i += next_a;
        j += next_b;
    }
    return false;
}

void RegionTree::descend(const Pair& pair, bool at_base, Work& work) {
    const auto [a, b] = pair;
    const auto& ra = layout_.regions[a];
    const auto& rb = layout_.regions[b];
    const auto child = [&](const RegionLayout::Region& r, int i) {
        return layout_.children[r.first_child + i];
    };
    if (a == b) {
        // A region of one part is that part.
        if ((at_base || ra.child_count > 1) && region_is_regular(a, work))
            return;
        if (at_base) {
            work.leaves.push_back(pair);
            return;
        }
        for (int i = 0; i < ra.child_count; ++i)
            for (int j = i; j < ra.child_count; ++j)
                work.next.push_back({child(ra, i), child(ra, j)});
        return;
    }
    if (!boxes_[a].overlaps(boxes_[b]) || share_regular_patch(a, b, work))
        return;
    if (at_base) {
        work.leaves.push_back(pair);
        return;
    }
    for (int i = 0; i < ra.child_count; ++i)
        for (int j = 0; j < rb.child_count; ++j)
            work.next.push_back({child(ra, i), child(rb, j)});
}

void RegionTree::update(std::span<const Vec3> positions, std::span<const Box> boxes,
                        double margin) {
    at_ = positions;
    boxes_of_triangles_ = boxes;
    margin_ = margin;
    leaves_.clear();
    if (layout_.regions.empty())
        return;
    refit(boxes);
    std::fill(patch_status_.begin(), patch_status_.end(), unknown);
    const int root = static_cast<int>(layout_.regions.size()) - 1;
    pairs_.assign(1, {root, root});
    // Level by level, each in ranges whose results are joined in order.
    for (int level = layout_.level_count() - 1; level >= 0; --level) {
        const std::size_t ranges = (pairs_.size() + pair_grain - 1) / pair_grain;
        if (works_.size() < ranges)
            works_.resize(ranges);
        for (Work& work : works_) {
            work.next.clear();
            work.leaves.clear();
        }
        parallel_for(pairs_.size(), pair_grain, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                descend(pairs_[i], level == 0, works_[begin / pair_grain]);
        });
        pairs_.clear();
        for (const Work& work : works_) {
            pairs_.insert(pairs_.end(), work.next.begin(), work.next.end());
            leaves_.insert(leaves_.end(), work.leaves.begin(), work.leaves.end());
        }
    }
}

} // namespace muslin
