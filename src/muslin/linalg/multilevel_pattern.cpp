// The levels that belong to a pattern: which rows make up which patches, and where blocks go.
#include "muslin/linalg/multilevel.h"

#include <algorithm>
#include <numeric>

namespace muslin {
namespace {

constexpr int most_exact = 24; // rows of a level that is solved exactly
constexpr double blur = 0.8;   // of a patch's weight that goes to its neighbours
// A level that has more of the rows below than this is not worth having.
constexpr double least_coarsening = 0.7;

// Patches: a row that no neighbour's patch has taken yet takes its neighbours. What is left joins
// the patch that most of its neighbours are in. Returns the number of patches.
int gather_patches(const std::vector<std::vector<int>>& graph, std::vector<int>& patch) {
    const int rows = static_cast<int>(graph.size());
    patch.assign(rows, -1);
    int patches = 0;
    for (int i = 0; i < rows; ++i) {
        if (patch[i] >= 0 ||
            std::any_of(graph[i].begin(), graph[i].end(), [&](int j) { return patch[j] >= 0; }))
            continue;
        patch[i] = patches;
        for (int j : graph[i])
            patch[j] = patches;
        ++patches;
    }
    const std::vector<int> seeds = patch;
    for (int i = 0; i < rows; ++i) {
        if (patch[i] >= 0)
            continue;
        std::ptrdiff_t most = 0;
        for (int j : graph[i]) {
            const auto same = [&](int k) { return seeds[k] >= 0 && seeds[k] == seeds[j]; };
            const std::ptrdiff_t votes = std::count_if(graph[i].begin(), graph[i].end(), same);
            if (votes > most) {
                most = votes;
                patch[i] = seeds[j];
            }
        }
    }
    return patches;
}

// Patches are neighbours where rows of theirs are.
std::vector<std::vector<int>> join_patches(const std::vector<std::vector<int>>& graph,
                                           const std::vector<int>& patch, int patches) {
    std::vector<std::vector<int>> out(patches);
    for (std::size_t i = 0; i < graph.size(); ++i)
        for (int j : graph[i])
            if (patch[i] != patch[j])
                out[patch[i]].push_back(patch[j]);
    for (std::vector<int>& row : out) {
        std::sort(row.begin(), row.end());
        row.erase(std::unique(row.begin(), row.end()), row.end());
    }
    return out;
}

} // namespace

void Multilevel::set_pattern(const BlockMatrix& a) {
    if (a.pattern() == pattern_)
        return;
    pattern_ = a.pattern();
    levels_.clear();
    const int rows = a.rows();
    Graph graph(rows);
    for (int i = 0; i < rows; ++i)
        for (int k = a.row_begin()[i]; k < a.row_begin()[i + 1]; ++k)
            if (a.columns()[k] != i)
                graph[i].push_back(a.columns()[k]);
    std::span<const int> begin = a.row_begin(), column = a.columns();
    // One level at least: a solve that is not exact is to keep the momentum of what hangs free.
    while (levels_.empty() || static_cast<int>(graph.size()) > most_exact) {
        const std::size_t before = graph.size();
        add_level(graph, begin, column);
        if (static_cast<double>(graph.size()) >= least_coarsening * static_cast<double>(before)) {
            levels_.pop_back();
            break;
        }
        begin = levels_.back().begin;
        column = levels_.back().column;
    }
    exact_ = !levels_.empty() && levels_.back().rows <= most_exact;
}

double Multilevel::weight(int level, int row, int patch) const {
    const Blend& blend = levels_[level].blend[row];
    for (int k = 0; k < 4; ++k)
        if (blend.patch[k] == patch)
            return blend.weight[k]; // a place that repeats comes later
    return 0;
}

// A level above the one with this graph and these places of blocks. The graph becomes that of the
// new level.
void Multilevel::add_level(Graph& graph, std::span<const int> begin, std::span<const int> column) {
    Level& level = levels_.emplace_back();
    std::vector<int> gathered;
    level.rows = gather_patches(graph, gathered);
    blend_patches(graph, gathered, level);
    list_members(level);
    std::vector<int> half_column;
    place_half(begin, column, level, half_column);
    place_rest(half_column, level);
    level.overlay.resize(level.rows);
    level.inverse.resize(level.rows);
    level.force.resize(level.rows);
    level.motion.resize(level.rows);
    graph = join_patches(graph, gathered, level.rows);
}

// A row moves mostly with the patches of its neighbours; with the four that count most.
void Multilevel::blend_patches(const Graph& graph, const std::vector<int>& patch, Level& level) {
    std::vector<double> weight(level.rows, 0.0);
    std::vector<int> touched;
    const auto touch = [&](int p, double w) {
        if (weight[p] == 0)
            touched.push_back(p);
        weight[p] += w;
    };
    for (std::size_t i = 0; i < graph.size(); ++i) {
        touched.clear();
        touch(patch[i], graph[i].empty() ? 1.0 : 1 - blur);
        for (int j : graph[i])
            touch(patch[j], blur / static_cast<double>(graph[i].size()));
        std::sort(touched.begin(), touched.end(), [&](int a, int b) {
            return std::pair(-weight[a], a) < std::pair(-weight[b], b);
        });
        Blend blend{};
        double sum = 0;
        const std::size_t kept = std::min<std::size_t>(4, touched.size());
        for (std::size_t k = 0; k < kept; ++k)
            sum += weight[touched[k]];
        for (std::size_t k = 0; k < 4; ++k) {
            // Places that are not needed repeat one that is at hand.
            blend.patch[k] = touched[k < kept ? k : 0];
            blend.weight[k] = k < kept ? weight[touched[k]] / sum : 0;
        }
        for (int p : touched)
            weight[p] = 0;
        level.blend.push_back(blend);
    }
}

void Multilevel::list_members(Level& level) {
    Members& members = level.members;
    members.begin.assign(level.rows + 1, 0);
    const auto visit = [&](auto&& body) {
        for (std::size_t i = 0; i < level.blend.size(); ++i)
            for (int k = 0; k < 4 && level.blend[i].weight[k] > 0; ++k)
                body(static_cast<int>(i), level.blend[i].patch[k], level.blend[i].weight[k]);
    };
    visit([&](int, int p, double) { ++members.begin[p + 1]; });
    std::partial_sum(members.begin.begin(), members.begin.end(), members.begin.begin());
    members.row.resize(members.begin.back());
    members.weight.resize(members.begin.back());
    std::vector<int> fill(members.begin.begin(), members.begin.end() - 1);
    visit([&](int i, int p, double weight) {
        members.row[fill[p]] = i;
        members.weight[fill[p]++] = weight;
    });
}

// The places of A P, and where each of its products goes.
void Multilevel::place_half(std::span<const int> begin, std::span<const int> column, Level& level,
                            std::vector<int>& half_column) {
    std::vector<int> place(level.rows, -1);
    level.half_begin.assign(1, 0);
    for (std::size_t i = 0; i < level.blend.size(); ++i) {
        level.half_slot_begin.push_back(level.half_slot.size());
        for (int k = begin[i]; k < begin[i + 1]; ++k) {
            const Blend& blend = level.blend[column[k]];
            for (int w = 0; w < 4 && blend.weight[w] > 0; ++w) {
                int& at = place[blend.patch[w]];
                if (at < level.half_begin.back()) {
                    at = static_cast<int>(half_column.size());
                    half_column.push_back(blend.patch[w]);
                }
                level.half_slot.push_back(static_cast<std::uint16_t>(at - level.half_begin.back()));
            }
        }
        level.half_begin.push_back(static_cast<int>(half_column.size()));
    }
    level.half.assign(9 * half_column.size(), 0.0);
}

// The places of P^T (A P), and where each of its products goes.
void Multilevel::place_rest(const std::vector<int>& half_column, Level& level) {
    std::vector<int> place(level.rows, -1);
    const Members& members = level.members;
    const auto visit = [&](int g, auto&& body) {
        for (int k = members.begin[g]; k < members.begin[g + 1]; ++k)
            for (int h = level.half_begin[members.row[k]]; h < level.half_begin[members.row[k] + 1];
                 ++h)
                body(half_column[h]);
    };
    level.begin.assign(1, 0);
    for (int g = 0; g < level.rows; ++g) {
        const int first = level.begin.back();
        visit(g, [&](int column) {
            if (place[column] < first) {
                place[column] = first;
                level.column.push_back(column);
            }
        });
        std::sort(level.column.begin() + first, level.column.end());
        for (int k = first; k < static_cast<int>(level.column.size()); ++k)
            place[level.column[k]] = k;
        level.diagonal.push_back(place[g]);
        level.slot_begin.push_back(level.slot.size());
        visit(g, [&](int column) { level.slot.push_back(place[column]); });
        level.begin.push_back(static_cast<int>(level.column.size()));
        for (int k = first; k < level.begin.back(); ++k)
            place[level.column[k]] = -1;
    }
    level.value.assign(9 * level.column.size(), 0.0);
}

} // namespace muslin
