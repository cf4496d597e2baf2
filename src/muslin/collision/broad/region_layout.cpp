#include "muslin/collision/broad/region_layout.h"

#include <algorithm>
#include <tuple>

namespace muslin {
namespace {

using Triangle = std::array<int, 3>;

// Half-edge 3 t + k leads from corner k of triangle t to the next one.
class Builder {
public:
    Builder(std::span<const Triangle> triangles, int point_count);
    RegionLayout build();

private:
    struct Part {                 // a region of the level in hand
        std::vector<int> members; // parts of the level below, or triangles
        std::vector<int> contour; // half-edges
        bool is_disc = true;      // the contour is one loop that passes no point twice
        int group = -1;           // of the level above
    };
    struct Stamps { // marks of which none needs to be wiped away: a new count is a new mark
        std::vector<int> at;
        int count = 0;
    };
    int from(int half_edge) const { return triangles_[half_edge / 3][half_edge % 3]; }
    int to(int half_edge) const { return triangles_[half_edge / 3][(half_edge + 1) % 3]; }
    int beyond(int half_edge) const {
        return opposite_[half_edge] < 0 ? -1 : part_of_[opposite_[half_edge] / 3];
    }
    void join_half_edges();
    void list_vertex_triangles();
    void merge_level();
    void choose_partner(int part, bool discs_only);
    bool make_disc(const Part& a, const Part& b, int shared);
    void append_contour(std::span<const int> parts, std::vector<int>& out);
    void join(int part, int other);
    void store_level(bool is_base);
    void store_patches(int first_region);
    void order_triangles();
    bool find_loop(const std::vector<int>& half_edges);
    void fill_notches();
    bool store_outline(const std::vector<int>& half_edges, RegionLayout::Outline& out);

    std::span<const Triangle> triangles_;
    std::vector<int> opposite_; // per half-edge; -1: none
    std::vector<int> point_begin_, point_triangles_;
    std::vector<char> at_border_; // per point
    std::vector<int> part_of_;    // per triangle
    std::vector<Part> parts_, groups_;
    std::vector<int> loop_;
    std::vector<int> junctions_; // points where regions of the level may meet
    std::vector<int> start_at_;  // per point
    Stamps points_stamped_, half_edges_stamped_;
    RegionLayout out_;
};

Builder::Builder(std::span<const Triangle> triangles, int point_count)
    : triangles_(triangles), at_border_(point_count, 0), part_of_(triangles.size()),
      start_at_(point_count, -1), points_stamped_{std::vector<int>(point_count, 0)},
      half_edges_stamped_{std::vector<int>(3 * triangles.size(), 0)} {
    join_half_edges();
    list_vertex_triangles();
    parts_.resize(triangles.size());
    for (int t = 0; t < static_cast<int>(triangles.size()); ++t) {
        part_of_[t] = t;
        parts_[t].members = {t};
        parts_[t].contour = {3 * t, 3 * t + 1, 3 * t + 2};
    }
    for (int p = 0; p < point_count; ++p)
        junctions_.push_back(p);
}

void Builder::join_half_edges() {
    const int count = 3 * static_cast<int>(triangles_.size());
    std::vector<std::array<int, 3>> sorted(count); // both ends, half-edge
    for (int h = 0; h < count; ++h)
        sorted[h] = {std::min(from(h), to(h)), std::max(from(h), to(h)), h};
    std::sort(sorted.begin(), sorted.end());
    opposite_.assign(count, -1);
    for (int i = 0; i < count;) {
        int j = i + 1;
        while (j < count && sorted[j][0] == sorted[i][0] && sorted[j][1] == sorted[i][1])
            ++j;
        const int g = sorted[i][2];
        if (const int h = sorted[j - 1][2]; j - i == 2 && from(g) == to(h)) {
            opposite_[g] = h;
            opposite_[h] = g;
        } else {
            at_border_[sorted[i][0]] = at_border_[sorted[i][1]] = 1;
        }
        i = j;
    }
}

void Builder::list_vertex_triangles() {
    point_begin_.assign(at_border_.size() + 1, 0);
    for (const Triangle& t : triangles_)
        for (int p : t)
            ++point_begin_[p + 1];
    for (std::size_t i = 0; i + 1 < point_begin_.size(); ++i)
        point_begin_[i + 1] += point_begin_[i];
    point_triangles_.resize(point_begin_.back());
    std::vector<int> next = point_begin_;
    for (std::size_t t = 0; t < triangles_.size(); ++t)
        for (int p : triangles_[t])
            point_triangles_[next[p]++] = static_cast<int>(t);
}

// Two discs make a disc where their borders have one path in common, and nothing besides: as many
// edges as points, less one.
bool Builder::make_disc(const Part& a, const Part& b, int shared) {
    if (!a.is_disc || !b.is_disc)
        return false;
    ++points_stamped_.count;
    for (int h : a.contour)
        points_stamped_.at[from(h)] = points_stamped_.count;
    int points = 0;
    for (int h : b.contour)
        points += points_stamped_.at[from(h)] == points_stamped_.count;
    return points == shared + 1;
}

// The half-edges around all of the parts.
void Builder::append_contour(std::span<const int> parts, std::vector<int>& out) {
    ++half_edges_stamped_.count;
    for (int part : parts)
        for (int h : parts_[part].contour)
            half_edges_stamped_.at[h] = half_edges_stamped_.count;
    for (int part : parts)
        for (int h : parts_[part].contour)
            if (opposite_[h] < 0 ||
                half_edges_stamped_.at[opposite_[h]] != half_edges_stamped_.count)
                out.push_back(h);
}

// Puts a part into the group of another, or into a new one with it.
void Builder::join(int p, int other) {
    int& group = parts_[other].group;
    if (group < 0) {
        group = static_cast<int>(groups_.size());
        groups_.push_back({{other}, {}, true, -1});
    }
    parts_[p].group = group;
    Part& whole = groups_[group];
    whole.members.push_back(p);
    whole.contour.clear();
    append_contour(whole.members, whole.contour);
}

// Joins a part with what makes the shortest contour: a free neighbour, or, where there is none, a
// pair that others have made.
void Builder::choose_partner(int p, bool discs_only) {
    struct Choice {
        bool is_pair;
        int contour, part, group, shared;
    };
    Part& part = parts_[p];
    std::vector<Choice> choices;
    for (int h : part.contour) {
        const int other = beyond(h);
        if (other < 0 || other == p)
            continue;
        const int group = parts_[other].group;
        const auto known = std::find_if(choices.begin(), choices.end(), [&](const Choice& c) {
            return group < 0 ? c.part == other : c.group == group;
        });
        if (known != choices.end()) {
            ++known->shared;
            known->contour -= 2;
            continue;
        }
        const Part& with = group < 0 ? parts_[other] : groups_[group];
        if (group < 0 || with.members.size() < 3)
            choices.push_back({group >= 0,
                               static_cast<int>(part.contour.size() + with.contour.size()) - 2,
                               other, group, 1});
    }
    std::sort(choices.begin(), choices.end(), [](const Choice& a, const Choice& b) {
        return std::tie(a.is_pair, a.contour, a.part) < std::tie(b.is_pair, b.contour, b.part);
    });
    for (const Choice& c : choices) {
        const bool disc =
            make_disc(part, c.group < 0 ? parts_[c.part] : groups_[c.group], c.shared);
        if (!disc && discs_only)
            continue;
        join(p, c.part);
        groups_[part.group].is_disc = disc;
        return;
    }
}

// Makes the parts of the next level from those of this one; always fewer.
void Builder::merge_level() {
    const int count = static_cast<int>(parts_.size());
    groups_.clear();
    for (Part& part : parts_)
        part.group = -1;
    const auto each_free = [&](auto&& act) {
        for (int p = 0; p < count; ++p)
            if (parts_[p].group < 0)
                act(p);
    };
    const auto is_slow = [&] {
        int after = static_cast<int>(groups_.size());
        each_free([&](int) { ++after; });
        return after > count - std::max(1, count / 8);
    };
    each_free([&](int p) { choose_partner(p, true); });
    if (is_slow()) // rings and tubes
        each_free([&](int p) { choose_partner(p, false); });
    if (is_slow()) { // pieces that do not touch; neighbours in number are mostly near each other
        int before = -1;
        each_free([&](int p) {
            if (before >= 0) {
                join(p, before);
                groups_[parts_[p].group].is_disc = false;
            }
            before = before < 0 ? p : -1;
        });
    }
    each_free([&](int p) {
        parts_[p].group = static_cast<int>(groups_.size());
        groups_.push_back({{p}, parts_[p].contour, parts_[p].is_disc, -1});
    });
    for (int& part : part_of_)
        part = parts_[part].group;
}

// Orders a contour as the loop `loop_`, if it is one that passes no point twice.
bool Builder::find_loop(const std::vector<int>& half_edges) {
    loop_.clear();
    ++points_stamped_.count;
    for (int h : half_edges) {
        if (points_stamped_.at[from(h)] == points_stamped_.count)
            return false;
        points_stamped_.at[from(h)] = points_stamped_.count;
        start_at_[from(h)] = h;
    }
    for (int h : half_edges) {
        if (loop_.empty())
            loop_.push_back(h);
        else if (points_stamped_.at[to(loop_.back())] == points_stamped_.count)
            loop_.push_back(start_at_[to(loop_.back())]);
        if (loop_.size() > 1 && loop_.back() == loop_.front())
            return false; // one of several loops
    }
    return !loop_.empty() && to(loop_.back()) == from(loop_.front()) &&
           loop_.size() == half_edges.size();
}

// Two edges of the loop in a row that have the same triangle beyond them are a narrow notch: the
// triangle is taken in. As many as the loop has edges at most, or regions would grow into each
// other.
void Builder::fill_notches() {
    std::size_t left = loop_.size();
    for (std::size_t i = 0, steady = 0; left > 0 && loop_.size() > 3 && steady < loop_.size();) {
        const std::size_t next = (i + 1) % loop_.size();
        const int g = opposite_[loop_[i]], h = opposite_[loop_[next]];
        if (g < 0 || h < 0 || g / 3 != h / 3) {
            i = next;
            ++steady;
            continue;
        }
        const int triangle = g / 3, third = 9 * triangle + 3 - g - h; // of 3 t, 3 t + 1, 3 t + 2
        out_.fillings.push_back(triangle);
        loop_[i] = third;
        loop_.erase(loop_.begin() + static_cast<std::ptrdiff_t>(next));
        i = next < i ? i - 1 : i;
        i = (i + loop_.size() - 1) % loop_.size(); // the corner before may be a notch now
        steady = 0;
        --left;
    }
}

bool Builder::store_outline(const std::vector<int>& half_edges, RegionLayout::Outline& out) {
    if (!find_loop(half_edges))
        return false;
    out.first_corner = static_cast<int>(out_.corners.size());
    out.first_filling = static_cast<int>(out_.fillings.size());
    fill_notches();
    for (int h : loop_)
        out_.corners.push_back(from(h));
    out.corner_count = static_cast<int>(loop_.size());
    out.filling_count = static_cast<int>(out_.fillings.size()) - out.first_filling;
    return true;
}

// The regions that meet at a point, for the points where three do, or two at the border.
void Builder::store_patches(int first_region) {
    std::vector<int> here, contour;
    std::vector<std::vector<int>> patches_of(parts_.size());
    const auto passed = [&](int p) {
        here.clear();
        for (int i = point_begin_[p]; i < point_begin_[p + 1]; ++i)
            here.push_back(part_of_[point_triangles_[i]]);
        std::sort(here.begin(), here.end());
        here.erase(std::unique(here.begin(), here.end()), here.end());
        return here.size() < (at_border_[p] ? 2u : 3u);
    };
    std::erase_if(junctions_, passed); // where few meet, fewer do on the levels above
    for (int p : junctions_) {
        passed(p);
        contour.clear();
        append_contour(here, contour);
        RegionLayout::Patch patch;
        if (!store_outline(contour, patch.outline))
            continue;
        patch.first_region = static_cast<int>(out_.patch_regions.size());
        patch.region_count = static_cast<int>(here.size());
        patch.triangle_count = patch.outline.filling_count;
        for (int part : here) {
            out_.patch_regions.push_back(first_region + part);
            patch.triangle_count += out_.regions[first_region + part].triangle_count;
            patches_of[part].push_back(static_cast<int>(out_.patches.size()));
        }
        out_.patches.push_back(patch);
    }
    for (std::size_t part = 0; part < parts_.size(); ++part) {
        auto& region = out_.regions[first_region + part];
        region.first_patch = static_cast<int>(out_.region_patches.size());
        region.patch_count = static_cast<int>(patches_of[part].size());
        out_.region_patches.insert(out_.region_patches.end(), patches_of[part].begin(),
                                   patches_of[part].end());
    }
}

void Builder::store_level(bool is_base) {
    const int first = static_cast<int>(out_.regions.size());
    const int below = is_base ? 0 : out_.level_begin.back();
    out_.level_begin.push_back(first);
    for (Part& part : parts_) {
        RegionLayout::Region region{};
        region.first_child = static_cast<int>(out_.children.size());
        if (is_base) {
            region.first_triangle = static_cast<int>(out_.triangles.size());
            region.triangle_count = static_cast<int>(part.members.size());
            out_.triangles.insert(out_.triangles.end(), part.members.begin(), part.members.end());
        } else {
            region.child_count = static_cast<int>(part.members.size());
            for (int member : part.members) {
                out_.children.push_back(below + member);
                region.triangle_count += out_.regions[below + member].triangle_count;
            }
        }
        part.is_disc = store_outline(part.contour, region.outline);
        out_.regions.push_back(region);
    }
    store_patches(first);
}

// Puts the triangles of every region in a row.
void Builder::order_triangles() {
    const std::vector<int> before = out_.triangles;
    out_.triangles.clear();
    std::vector<int> waiting = {static_cast<int>(out_.regions.size()) - 1};
    while (!waiting.empty()) {
        RegionLayout::Region& region = out_.regions[waiting.back()];
        waiting.pop_back();
        const int first = static_cast<int>(out_.triangles.size());
        for (int i = region.child_count - 1; i >= 0; --i)
            waiting.push_back(out_.children[region.first_child + i]);
        if (region.child_count == 0)
            for (int i = 0; i < region.triangle_count; ++i)
                out_.triangles.push_back(before[region.first_triangle + i]);
        region.first_triangle = first; // what follows first are its own
    }
}

RegionLayout Builder::build() {
    // The smallest regions have a handful of triangles, which are compared one by one.
    constexpr int base_merges = 1;
    for (int i = 0; i < base_merges && parts_.size() > 1; ++i) {
        merge_level();
        for (Part& group : groups_) {
            std::vector<int> triangles;
            for (int member : group.members)
                triangles.insert(triangles.end(), parts_[member].members.begin(),
                                 parts_[member].members.end());
            std::sort(triangles.begin(), triangles.end());
            group.members = std::move(triangles);
        }
        parts_.swap(groups_);
    }
    store_level(true);
    while (parts_.size() > 1) {
        merge_level();
        parts_.swap(groups_);
        store_level(false);
    }
    out_.level_begin.push_back(static_cast<int>(out_.regions.size()));
    order_triangles();
    return std::move(out_);
}

} // namespace

RegionLayout build_regions(std::span<const std::array<int, 3>> triangles, int point_count) {
    if (triangles.empty())
        return {};
    return Builder(triangles, point_count).build();
}

} // namespace muslin
