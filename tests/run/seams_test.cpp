// Regions brought together until they meet and merge [Ohta95, Deformation process], in whole runs.
#include "muslin/base/parallel.h"
#include "muslin/engine/recipe.h"
#include "muslin/engine/simulation.h"
#include "muslin/forces/seams.h"
#include "muslin/mesh/measure.h"
#include "muslin/run/checkpoint.h"
#include "muslin/run/judge.h"
#include "muslin/run/live.h"
#include "muslin/run/run.h"
#include "muslin/scene/load.h"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

namespace muslin {
namespace {

SceneDescription scene_of(const std::string& text) {
    return parse_scene(text, "test.toml", {}, "test");
}

std::string square(const std::string& name, const std::string& place, double edge = 0.05) {
    return "[[cloth]]\nname = \"" + name + "\"\n" + place +
           "\n[cloth.mesh]\ntype = \"panel\"\nedge = " + std::to_string(edge) +
           "\noutline = [[-0.1, -0.15], [0.1, -0.15], [0.1, 0.15], [-0.1, 0.15]]\n"
           "sides = [\"bottom\", \"right\", \"top\", \"left\"]\n";
}
std::string seam(const std::string& a, const std::string& side_a, const std::string& b,
                 const std::string& side_b) {
    return "[[seam]]\nregions = [{ cloth = \"" + a + "\", map = \"" + side_a +
           "\" }, { cloth = \"" + b + "\", map = \"" + side_b + "\" }]\n";
}

const std::string weightless = "[world]\ngravity = [0, 0, 0]\nair_density = 0\n";

/// Two squares side by side, 6 cm apart.
std::string side_by_side(const std::string& head) {
    return head + weightless + square("a", "position = [-0.13, 0, 0]") +
           square("b", "position = [0.13, 0, 0]") + seam("a", "right", "b", "left");
}

/// Four squares whose corners meet in the middle: a four-way point.
std::string four(const std::string& head) {
    return head + weightless + square("a", "position = [-0.12, 0, -0.17]") +
           square("b", "position = [0.12, 0, -0.17]") + square("c", "position = [0.12, 0, 0.17]") +
           square("d", "position = [-0.12, 0, 0.17]") + seam("a", "right", "b", "left") +
           seam("d", "right", "c", "left") + seam("a", "bottom", "d", "top") +
           seam("b", "bottom", "c", "top");
}

/// The triangles about every particle are one fan, open or closed: no bow ties.
int bow_ties(const Model& model) {
    std::map<int, std::vector<std::array<int, 2>>> around;
    for (const auto& t : model.dynamics.triangles)
        for (int k = 0; k < 3; ++k)
            around[t[k]].push_back({t[(k + 1) % 3], t[(k + 2) % 3]});
    int out = 0;
    for (const auto& [particle, edges] : around) {
        std::set<int> reached = {edges[0][0], edges[0][1]};
        for (bool grows = true; grows;) {
            grows = false;
            for (const auto& [a, b] : edges)
                if (reached.contains(a) != reached.contains(b))
                    grows = reached.insert(a).second || reached.insert(b).second || grows;
        }
        for (const auto& edge : edges)
            if (!reached.contains(edge[0])) {
                ++out;
                break;
            }
    }
    return out;
}

Vec3 momentum(const Simulation& s) {
    Vec3 sum = {0, 0, 0};
    for (std::size_t i = 0; i < s.model().mass.size(); ++i)
        sum += s.model().mass[i] * s.state().velocities[i];
    return sum;
}

TEST(SeamScenes, TwoSectionsBecomeOneSurface) {
    for (const std::string head :
         {"recipe = \"muslin\"\n",
          "recipe = \"volino95\"\nparts = { integrator = \"leapfrog_trapezoidal\" }\n",
          // Thousands of impacts where the sections meet, each followed by a solve.
          "recipe = \"bridson03\"\n[solver]\ntolerance = 1e-5\n"}) {
        Simulation simulation(scene_of(side_by_side(head)));
        const int joints = 7;
        FrameReport report;
        int merges = 0;
        double most = 0;
        while (simulation.frame() < 30 && (report.frame == 0 || report.joints_open > 0)) {
            report = simulation.advance_frame();
            EXPECT_EQ(report.joints_open + report.joints_merged, joints) << head;
            merges += simulation.merges();
            most = std::max(most, report.kinetic);
        }
        EXPECT_EQ(report.joints_open, 0) << head;
        EXPECT_EQ(report.seam_gap, 0);
        EXPECT_GT(merges, 0);
        EXPECT_LT(report.time, 1.0) << head;
        EXPECT_GT(report.time, 0.1) << head; // not at a blow
        const Model& model = simulation.model();
        EXPECT_EQ(model.particle_count(), simulation.start_model().particle_count() - joints);
        EXPECT_FALSE(find_defect(model.dynamics.triangles, model.particle_count()));
        EXPECT_EQ(bow_ties(model), 0);
        // Nothing but the seam pulls, and it keeps momentum as well as the solver does.
        double mass = 0;
        for (const double m : model.mass)
            mass += m;
        EXPECT_LT(norm(momentum(simulation)), 1e-3 * std::sqrt(2 * most * mass)) << head;
        const Verdict verdict =
            Judge(model).judge(simulation.state().positions, simulation.state().time);
        EXPECT_EQ(verdict.self_intersections, 0) << head;
        EXPECT_LT(verdict.stretch_max, 1.1) << head;
    }
}

double energy_of(const Simulation& simulation, const Model& model, const State& state) {
    ForceSet set = make_forces(simulation.recipe(), model, simulation.conditions());
    set.forces.push_back(std::make_unique<SeamForce>(model));
    double sum = 0;
    for (const auto& force : set.forces) {
        force->set_conditions(simulation.conditions());
        force->prepare(state.time);
        sum += force->energy(state.positions);
    }
    for (std::size_t i = 0; i < model.mass.size(); ++i)
        sum += 0.5 * model.mass[i] * dot(state.velocities[i], state.velocities[i]);
    return sum;
}

// Joints 0.6 mm wide that close: what is lost is their own energy and the speed at which they do.
TEST(SeamScenes, AMergeAddsNoEnergy) {
    const Simulation simulation(
        scene_of("recipe = \"muslin\"\n" + weightless + square("a", "position = [-0.1003, 0, 0]") +
                 square("b", "position = [0.1003, 0, 0]") + seam("a", "right", "b", "left")));
    const Model& open = simulation.model();
    State state = simulation.state();
    state.time = 5; // the pull has grown to its most
    for (const auto& joint : open.seams[0].joints)
        for (const int p : joint)
            state.velocities[p].x = state.positions[p].x > 0 ? -0.1 : 0.1;
    const ParticleGroups met = joints_that_met(open, state);
    ASSERT_EQ(met.size(), 7u);
    const ParticleMap map = map_particles(open.particle_count(), met);
    const Model merged = merge_particles(open, map);
    const double before = energy_of(simulation, open, state);
    merge_state(open, merged, map, state);
    const double after = energy_of(simulation, merged, state);
    EXPECT_GT(after, 0);
    EXPECT_LT(after, before);
}

TEST(SeamScenes, WhereFourSectionsMeetFourPointsAreOne) {
    Simulation simulation(scene_of(four("recipe = \"muslin\"\n")));
    std::size_t largest = 0;
    for (const Seam& s : simulation.model().seams)
        for (const auto& joint : s.joints)
            largest = std::max(largest, joint.size());
    EXPECT_EQ(largest, 4u);
    FrameReport report;
    for (int i = 0; i < 36; ++i)
        report = simulation.advance_frame();
    EXPECT_EQ(report.joints_open, 0);
    const Model& model = simulation.model();
    largest = 0;
    for (const auto& group : simulation.state().merged)
        largest = std::max(largest, group.size());
    EXPECT_EQ(largest, 4u);
    EXPECT_FALSE(find_defect(model.dynamics.triangles, model.particle_count()));
    EXPECT_EQ(bow_ties(model), 0);
    // One border around all four: 2 x 12 edges along z and 2 x 8 along x.
    EXPECT_EQ(build_topology(model.dynamics.triangles).boundary_edges.size(), 40u);
}

TEST(SeamScenes, ASectionIsSewnToItself) {
    const std::string text =
        "recipe = \"muslin\"\n" + weightless +
        "[[cloth]]\nname = \"tube\"\n[cloth.mesh]\ntype = \"panel\"\nedge = 0.05\nroll = 300\n"
        "outline = [[-0.3, -0.15], [0.3, -0.15], [0.3, 0.15], [-0.3, 0.15]]\n"
        "sides = [\"bottom\", \"right\", \"top\", \"left\"]\n" +
        seam("tube", "left", "tube", "right");
    Simulation simulation(scene_of(text));
    FrameReport report;
    for (int i = 0; i < 36; ++i)
        report = simulation.advance_frame();
    EXPECT_EQ(report.joints_open, 0);
    const Model& model = simulation.model();
    EXPECT_FALSE(find_defect(model.dynamics.triangles, model.particle_count()));
    // A tube: edges are as many as vertices and triangles together.
    EXPECT_EQ(build_topology(model.dynamics.triangles).edges.size(),
              model.dynamics.triangles.size() + model.mass.size());
    EXPECT_EQ(bow_ties(model), 0);
}

// A small version of examples/ohta95/eight-sections: closed, a manifold, crossing nothing, at rest.
TEST(SeamScenes, AVestIsSewnOnAFigureAndHangs) {
    std::string text = R"(recipe = "muslin"
[[body]]
name = "torso"
mesh = { type = "figure", part = "torso" }
friction = 0.5
[[cloth]]
name = "front"
position = [0, 0, 0.16]
rotation = [90, 0, 0]
material = { base = "cotton", stretch_u = 400, stretch_v = 400, thickness = 0.001 }
[cloth.mesh]
type = "panel"
edge = 0.05
outline = [[-0.24, 1.1], [0.24, 1.1], [0.25, 1.25], [0.24, 1.5], [0.12, 1.54], [0, 1.47], [-0.12, 1.54], [-0.24, 1.5], [-0.25, 1.25]]
sides = ["hem", "left", "left-arm", "left-shoulder", "neck", "neck", "right-shoulder", "right-arm", "right"]
[[cloth]]
name = "back"
position = [0, 0, -0.16]
rotation = [90, 180, 0]
material = { base = "cotton", stretch_u = 400, stretch_v = 400, thickness = 0.001 }
[cloth.mesh]
type = "panel"
edge = 0.05
outline = [[-0.24, 1.1], [0.24, 1.1], [0.25, 1.25], [0.24, 1.5], [0.12, 1.54], [0, 1.47], [-0.12, 1.54], [-0.24, 1.5], [-0.25, 1.25]]
sides = ["hem", "right", "right-arm", "right-shoulder", "neck", "neck", "left-shoulder", "left-arm", "left"]
[[pin]]
cloth = "front"
map = "neck"
hold = "directions"
directions = [[0, 1, 0]]
end = 1
[[pin]]
cloth = "back"
map = "neck"
hold = "directions"
directions = [[0, 1, 0]]
end = 1
)";
    for (const std::string side : {"left", "right", "left-shoulder", "right-shoulder"})
        text += seam("front", side, "back", side);
    Simulation simulation(scene_of(text));
    FrameReport report;
    double earlier = 0; // the energy of its weight, half a second before the end [J]
    for (int i = 0; i < 75; ++i) {
        report = simulation.advance_frame();
        if (i == 59)
            earlier = report.gravity;
    }
    EXPECT_EQ(report.joints_open, 0);
    EXPECT_EQ(report.joints_merged, 16);
    const Model& model = simulation.model();
    EXPECT_FALSE(find_defect(model.dynamics.triangles, model.particle_count()));
    EXPECT_EQ(bow_ties(model), 0);
    const Verdict verdict =
        Judge(model).judge(simulation.state().positions, simulation.state().time);
    EXPECT_EQ(verdict.self_intersections, 0);
    EXPECT_EQ(verdict.body_intersections, 0);
    // On the shoulders: it fell by some centimetres and hangs.
    double mass = 0;
    for (const double m : model.mass)
        mass += m;
    EXPECT_GT(report.gravity / (9.81 * mass), 1.2);
    EXPECT_LT((earlier - report.gravity) / (9.81 * mass), 0.003);
}

TEST(SeamScenes, WhatNoClothCanBeStaysDrawnTogetherAndIsTold) {
    // Both ends of an edge on the border.
    const std::string text = "recipe = \"muslin\"\n" + weightless + square("a", "") +
                             "[[seam]]\nname = \"pinch\"\njoints = [[[\"a\", 0], [\"a\", 1]]]\n"
                             "meet_distance = 0.06\n";
    Simulation simulation(scene_of(text));
    int told = 0;
    FrameReport report;
    for (int i = 0; i < 20; ++i) {
        report = simulation.advance_frame();
        told += static_cast<int>(report.joints_refused.size());
        for (const std::string& text_of : report.joints_refused)
            EXPECT_NE(text_of.find("'pinch'"), std::string::npos);
    }
    EXPECT_EQ(told, 1);
    EXPECT_EQ(report.joints_open, 1);
    EXPECT_EQ(simulation.merges(), 0);
}

TEST(SeamScenes, ARunGoesOnFromAStateOfWhichPartIsSewn) {
    // By parts that keep nothing beside the state.
    const std::string text = four("recipe = \"muslin\"\nparts = { contact = \"none\" }\n") +
                             "start = 0.4\n"; // the last seam
    const std::filesystem::path file =
        std::filesystem::path(::testing::TempDir()) / "muslin_sewn_state";
    Simulation whole(scene_of(text));
    std::vector<std::string> expected;
    bool saved = false;
    while (whole.frame() < 45) {
        const FrameReport report = whole.advance_frame();
        if (saved)
            expected.push_back(report.hash);
        if (!saved && report.joints_merged > 0 && report.joints_open > 0) {
            save_state(file, whole.state(), whole.frame());
            saved = true;
        }
    }
    ASSERT_TRUE(saved);
    Simulation resumed(scene_of(text));
    const Checkpoint read = load_state(file, resumed.model());
    std::filesystem::remove(file);
    EXPECT_FALSE(read.state.merged.empty());
    resumed.continue_from(read.state, read.frame);
    for (const std::string& hash : expected)
        ASSERT_EQ(resumed.advance_frame().hash, hash);
    EXPECT_EQ(resumed.state().merged, whole.state().merged);
}

TEST(SeamScenes, SameBitsOnAnyNumberOfThreads) {
    std::string expected;
    const int threads = thread_count();
    for (const int count : {1, 3}) {
        set_thread_count(count);
        Simulation simulation(scene_of(side_by_side("recipe = \"muslin\"\n")));
        std::string hash;
        for (int i = 0; i < 24; ++i)
            hash = simulation.advance_frame().hash;
        if (expected.empty())
            expected = hash;
        EXPECT_EQ(hash, expected);
    }
    set_thread_count(threads);
}

TEST(SeamScenes, PinsAndTheHandHoldWhatBecomesOne) {
    LiveSimulation live(scene_of(side_by_side("recipe = \"muslin\"\n")));
    const std::vector<double>& right =
        live.simulation().model().cloths[0].surface.mesh.vertex_maps.at("right");
    const int sewn = static_cast<int>(std::find(right.begin(), right.end(), 1.0) - right.begin());
    live.pin({0, sewn});
    const Vec3 place =
        live.simulation()
            .state()
            .positions[live.simulation().model().cloths[0].surface.vertex_particle[sewn]];
    const auto last =
        static_cast<int>(live.simulation().model().cloths[1].surface.vertex_particle.size()) - 1;
    live.grab({1, last});
    live.drag({0.2, 0.05, 0});
    for (int i = 0; i < 30; ++i)
        ASSERT_TRUE(live.step_frame()) << live.status();
    EXPECT_GT(live.simulation().merges(), 0);
    EXPECT_TRUE(live.is_pinned({0, sewn}));
    EXPECT_LT(norm(live.report({0, sewn}).position - place), 1e-3);
    EXPECT_GE(live.pinned().size(), 2u); // it is a vertex of both cloths now
    // A change of the fabric builds the scene anew and keeps what is sewn.
    const auto merged = live.simulation().state().merged;
    live.set_material(0, live.material(0));
    EXPECT_EQ(live.simulation().state().merged, merged);
    EXPECT_TRUE(live.step_frame());
    live.restart();
    EXPECT_TRUE(live.simulation().state().merged.empty());
}

TEST(SeamScenes, ReportAndStatisticsSayWhatIsSewn) {
    SceneDescription scene = scene_of(side_by_side("recipe = \"muslin\"\n"));
    scene.time.frames = 30;
    RunOptions options;
    options.directory = std::filesystem::path(::testing::TempDir()) / "muslin_sewn_run";
    run_scene(scene, options);
    std::ifstream file(options.directory / "report.json");
    const auto report = nlohmann::json::parse(file);
    ASSERT_EQ(report.at("seams").size(), 1u);
    EXPECT_TRUE(report["seams"][0]["closed"].get<bool>());
    EXPECT_EQ(report["seams"][0]["joints"], 7);
    EXPECT_EQ(report["seams"][0]["merged"], 7);
    EXPECT_EQ(report["seams"][0]["gap"], 0.0);
    std::ifstream stats(options.directory / "stats.jsonl");
    std::string line;
    int first = -1, last = -1;
    while (std::getline(stats, line)) {
        const auto frame = nlohmann::json::parse(line);
        last = frame.at("seams_open");
        EXPECT_EQ(last + frame.at("seams_merged").get<int>(), 7);
        if (first < 0)
            first = last;
    }
    EXPECT_EQ(first, 7);
    EXPECT_EQ(last, 0);
    std::filesystem::remove_all(options.directory);
}

} // namespace
} // namespace muslin
