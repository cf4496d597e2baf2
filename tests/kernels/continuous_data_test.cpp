// The public benchmark of continuous collision [Wang et al. 2021], whose answers are exact: no
// impact may be missed, few may be found where there is none. Each query is also asked in every
// equivalent way. Figures for docs/collision.md are printed.

#include "muslin/kernels/continuous.h"

#include "muslin/io/mesh_file.h"
#include "muslin/kernels/distance.h"
#include "muslin/mesh/polygon_mesh.h"

#include "kernels/ccd_queries.h"
#include "kernels/distance_referee.h"
#include "test_data.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <functional>
#include <map>
#include <tuple>

using namespace muslin;
using namespace muslin::test;

namespace {

struct QuerySet {
    std::string name;
    bool edges;
    std::vector<CcdQuery> queries;
};

struct Count {
    int queries = 0, hits = 0, missed = 0, false_hits = 0;

    void add(bool truth, bool answer) {
        ++queries;
        hits += truth;
        missed += truth && !answer;
        false_hits += !truth && answer;
    }
    void operator+=(const Count& c) {
        queries += c.queries;
        hits += c.hits;
        missed += c.missed;
        false_hits += c.false_hits;
    }
};

void print(const std::string& what, const Count& c) {
    std::printf("  %-44s %5d queries %4d impacts %d missed %3d false\n", what.c_str(), c.queries,
                c.hits, c.missed, c.false_hits);
}

const std::vector<std::string> set_names = {"unit-tests", "erleben-spike-wedge", "erleben-spikes",
                                            "erleben-wedges"};

std::vector<QuerySet> read_sets(const std::filesystem::path& folder) {
    std::vector<QuerySet> sets;
    for (const std::string& name : set_names)
        for (const bool edges : {false, true})
            for (const char* file : {"data_0_0.csv", "data_0_1.csv"}) {
                const std::filesystem::path path =
                    std::filesystem::path(name) / (edges ? "edge-edge" : "vertex-face") / file;
                sets.push_back({path.string(), edges, read_queries(folder / path, true)});
            }
    return sets;
}

using Change = std::function<CcdQuery(const CcdQuery&)>;

Change on_corners(const std::function<void(Corners4&)>& change) {
    return [change](CcdQuery query) {
        change(query.begin);
        change(query.end);
        return query;
    };
}

Change order(const std::array<int, 4>& from) {
    return on_corners([from](Corners4& x) {
        const Corners4 old = x;
        for (int i = 0; i < 4; ++i)
            x[i] = old[from[i]];
    });
}

Change scale(double factor) {
    return on_corners([factor](Corners4& x) {
        for (Vec3& a : x)
            a = factor * a;
    });
}

CcdQuery reversed(const CcdQuery& query) {
    return {query.end, query.begin, query.hits};
}

bool answer(const CcdQuery& query, bool edges, const ContinuousSettings& settings) {
    return edges ? edge_edge_impact(query.begin, query.end, settings).has_value()
                 : vertex_face_impact(query.begin, query.end, settings).has_value();
}

Count ask(const QuerySet& set, const ContinuousSettings& settings, const Change& change = {}) {
    Count count;
    for (const CcdQuery& query : set.queries)
        count.add(query.hits, answer(change ? change(query) : query, set.edges, settings));
    return count;
}

// The least distance on the way, by sampling in long double, ever finer around the best sample.
Real closest_approach(const CcdQuery& query, bool edges) {
    constexpr int samples = 1000;
    Real low = 0, high = 1, best_time = 0, best = HUGE_VALL;
    for (int round = 0; round < 8; ++round) {
        const Real step = (high - low) / samples;
        for (int i = 0; i <= samples; ++i) {
            const auto x = at_time(query.begin, query.end, low + i * step);
            const Real squared = edges ? edge_edge_distance(x[0], x[1], x[2], x[3]).squared
                                       : vertex_face_distance(x[0], x[1], x[2], x[3]).squared;
            if (squared < best) {
                best = squared;
                best_time = low + i * step;
            }
        }
        low = std::max(Real(0), best_time - 2 * step);
        high = std::min(Real(1), best_time + 2 * step);
    }
    return std::sqrt(best);
}

// All sets, asked in another way; `edges` restricts to one kind of pair.
Count ask_all(const std::vector<QuerySet>& sets, const std::string& what,
              const ContinuousSettings& settings, const Change& change,
              std::optional<bool> edges = std::nullopt) {
    Count all;
    for (const QuerySet& set : sets)
        if (!edges || *edges == set.edges)
            all += ask(set, settings, change);
    print(what, all);
    EXPECT_GT(all.hits, 90) << what;
    EXPECT_EQ(all.missed, 0) << what;
    EXPECT_LT(100 * all.false_hits, all.queries) << what;
    return all;
}

} // namespace

TEST(continuous_data, as_given) {
    MUSLIN_NEED_DATA(folder, "ccd/unit-tests");
    Count all;
    for (const QuerySet& set : read_sets(folder.parent_path())) {
        const Count count = ask(set, {});
        EXPECT_EQ(count.missed, 0) << set.name;
        print(set.name, count);
        all += count;
    }
    print("all", all);
    EXPECT_EQ(all.queries, 1824); // the files are whole
    EXPECT_EQ(all.hits, 282);
    EXPECT_LT(100 * all.false_hits, all.queries);
}

// With a coarser resolution there are more false impacts, but all of them come that close.
TEST(continuous_data, false_impacts_are_near_misses) {
    MUSLIN_NEED_DATA(folder, "ccd/unit-tests");
    const auto sets = read_sets(folder.parent_path());
    for (const double resolution : {1e-12, 1e-9, 1e-6}) {
        ContinuousSettings settings;
        settings.resolution = resolution;
        Count all;
        for (const QuerySet& set : sets) {
            all += ask(set, settings);
            for (const CcdQuery& query : set.queries) {
                if (query.hits || !answer(query, set.edges, settings))
                    continue;
                EXPECT_LT(closest_approach(query, set.edges), 1.01L * resolution + 1e-13L);
            }
        }
        EXPECT_EQ(all.missed, 0);
        EXPECT_LT(100 * all.false_hits, 2 * all.queries);
        std::printf("  resolution %.0e m:", resolution);
        print("", all);
    }
}

TEST(continuous_data, other_order_of_corners) {
    MUSLIN_NEED_DATA(folder, "ccd/unit-tests");
    const auto sets = read_sets(folder.parent_path());
    const std::vector<std::array<int, 4>> faces = {
        {0, 2, 3, 1}, {0, 3, 1, 2}, {0, 1, 3, 2}, {0, 3, 2, 1}, {0, 2, 1, 3}};
    for (const auto& from : faces)
        ask_all(sets, "face corners permuted", {}, order(from), false);
    const std::vector<std::array<int, 4>> edges = {{2, 3, 0, 1}, {1, 0, 2, 3}, {0, 1, 3, 2},
                                                   {1, 0, 3, 2}, {3, 2, 0, 1}, {2, 3, 1, 0},
                                                   {3, 2, 1, 0}};
    for (const auto& from : edges)
        ask_all(sets, "edges swapped, reversed", {}, order(from), true);
}

TEST(continuous_data, other_axes_and_mirrored) {
    MUSLIN_NEED_DATA(folder, "ccd/unit-tests");
    const auto sets = read_sets(folder.parent_path());
    for (const auto& [i, j, k] : {std::tuple{1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}})
        ask_all(sets, "axes permuted", {}, on_corners([=](Corners4& x) {
                    for (Vec3& a : x)
                        a = {a[i], a[j], a[k]};
                }));
    ask_all(sets, "mirrored", {}, on_corners([](Corners4& x) {
                for (Vec3& a : x)
                    a.y = -a.y;
            }));
}

TEST(continuous_data, time_reversed) {
    MUSLIN_NEED_DATA(folder, "ccd/unit-tests");
    ask_all(read_sets(folder.parent_path()), "time reversed", {}, reversed);
}

// The tolerance stays at 1e-6 m, whatever the size; then it is scaled along, which changes no
// answer.
TEST(continuous_data, other_scales) {
    MUSLIN_NEED_DATA(folder, "ccd/unit-tests");
    const auto sets = read_sets(folder.parent_path());
    const Count as_given = ask_all(sets, "as given", {}, {});
    for (const int exponent : {-20, -10, -3, 3, 10, 20}) {
        const double factor = std::ldexp(1.0, exponent);
        const std::string name = "times 2^" + std::to_string(exponent);
        ask_all(sets, name, {}, scale(factor));
        ContinuousSettings settings;
        settings.tolerance *= factor;
        const Count scaled = ask_all(sets, name + ", tolerance too", settings, scale(factor));
        EXPECT_EQ(scaled.false_hits, as_given.false_hits);
    }
}

// A frame of a real simulation: the candidates that a broad phase found, with exact answers.
TEST(continuous_data, cloth_in_a_funnel) {
    MUSLIN_NEED_DATA(folder, "ccd/cloth-funnel");
    const PolygonMesh begin = read_mesh(folder / "frames/227.ply"),
                      end = read_mesh(folder / "frames/228.ply");
    std::map<std::tuple<double, double, double>, int> vertex_at;
    for (std::size_t i = 0; i < begin.positions.size(); ++i) {
        const Vec3& a = begin.positions[i];
        vertex_at[{a.x, a.y, a.z}] = static_cast<int>(i);
    }
    for (const bool edges : {false, true}) {
        const std::string name = edges ? "227ee" : "227vf";
        std::vector<CcdQuery> queries = read_queries(folder / "queries" / (name + ".csv"), false);
        const auto read_json = [](const std::filesystem::path& file) {
            std::ifstream in(file);
            return nlohmann::json::parse(in);
        };
        const auto truth = read_json(folder / "mma_bool" / (name + "_mma_bool.json"));
        const auto pairs = read_json(folder / "boxes" / (name + ".json"));
        ASSERT_EQ(queries.size(), truth.size());
        ASSERT_EQ(queries.size(), pairs.size());
        ASSERT_EQ(queries.size(), edges ? 263u : 92u);
        Count count;
        for (std::size_t i = 0; i < queries.size(); ++i) {
            CcdQuery& query = queries[i];
            query.hits = truth[i].get<bool>();
            // The query is what the frames say of these vertices.
            for (int corner = 0; corner < 4; ++corner) {
                const Vec3& a = query.begin[corner];
                const auto vertex = vertex_at.find({a.x, a.y, a.z});
                ASSERT_NE(vertex, vertex_at.end()) << name << " " << i;
                EXPECT_EQ(norm(end.positions[vertex->second] - query.end[corner]), 0);
                if (!edges && corner == 0) {
                    EXPECT_EQ(vertex->second, pairs[i][0].get<int>());
                }
            }
            count.add(query.hits, answer(query, edges, {}));
            ContinuousSettings thick;
            thick.separation = 1e-4;
            EXPECT_TRUE(!query.hits || answer(query, edges, thick)) << name << " " << i;
        }
        print("cloth-funnel " + name, count);
        EXPECT_GT(count.hits, 25);
        EXPECT_EQ(count.missed, 0);
        EXPECT_LT(100 * count.false_hits, count.queries);
    }
}
