// Forces that a program registers.
#include "samples.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace {

using muslin::Vec3;

/// A spring from each particle of the region "held" to its place at a height of 0; with `sides`,
/// also springs of no length from each to the next.
class Springs : public muslin::Force {
public:
    explicit Springs(const muslin::ForceScene& scene, bool told = true)
        : particles_(scene.regions.at("held")), stiffness_(scene.numbers.at("stiffness")),
          told_(told) {
        const auto sides = scene.numbers.find("sides");
        sides_ = sides == scene.numbers.end() ? 0 : sides->second;
    }
    double energy(const muslin::ForceInput& at) const override {
        double sum = 0;
        for (const int p : particles_)
            sum += 0.5 * stiffness_ * at.positions[p].y * at.positions[p].y;
        for (std::size_t k = 1; k < particles_.size(); ++k) {
            const Vec3 d = at.positions[particles_[k]] - at.positions[particles_[k - 1]];
            sum += 0.5 * sides_ * dot(d, d);
        }
        return sum;
    }
    void add_forces(const muslin::ForceInput& at, std::span<Vec3> forces) const override {
        for (const int p : particles_)
            forces[p].y -= stiffness_ * at.positions[p].y + damping_ * at.velocities[p].y;
        for (std::size_t k = 1; k < particles_.size(); ++k) {
            const int a = particles_[k - 1], b = particles_[k];
            const Vec3 pull = sides_ * (at.positions[b] - at.positions[a]);
            forces[a] = forces[a] + pull;
            forces[b] = forces[b] - pull;
        }
    }
    std::vector<std::array<int, 2>> pairs() const override {
        std::vector<std::array<int, 2>> out;
        for (std::size_t k = 1; k < particles_.size() && sides_ > 0; ++k)
            out.push_back({particles_[k - 1], particles_[k]});
        return out;
    }
    void add_blocks(const muslin::ForceInput&,
                    std::vector<muslin::ForceBlock>& blocks) const override {
        if (!told_)
            return;
        const muslin::Mat3 up = muslin::outer({0, 1, 0}, {0, 1, 0});
        for (const int p : particles_)
            blocks.push_back({p, p, stiffness_ * up, damping_ * up});
        for (const auto& [a, b] : pairs()) {
            blocks.push_back({a, a, muslin::diagonal(sides_), {}});
            blocks.push_back({b, b, muslin::diagonal(sides_), {}});
            blocks.push_back({a, b, muslin::diagonal(-sides_), {}});
        }
    }

private:
    std::vector<int> particles_;
    double stiffness_, sides_, damping_ = 0.05;
    bool told_;
};

void register_once(const std::string& name, bool told) {
    static std::map<std::string, bool> known;
    if (known.emplace(name, true).second)
        muslin::register_force({.name = name,
                                .summary = "springs to the ground",
                                .make = [told](const muslin::ForceScene& scene) {
                                    return std::make_unique<Springs>(scene, told);
                                }});
}

/// One side of a falling sheet on springs that bear a multiple of its weight.
muslin::Scene sprung(const std::string& type, double stiffness, double sides = 0) {
    register_once("springs", true);
    register_once("untold_springs", false);
    muslin::Scene out("sprung");
    out.add(muslin::Cloth{.name = "sheet", .mesh = samples::sheet(9)})
        .add(muslin::Region{.name = "held", .vertices = {0, 1, 2, 3, 4, 5, 6, 7, 8}})
        .add_force(type, {{"stiffness", stiffness}, {"sides", sides}});
    return out;
}

double lowest(const muslin::Simulation& simulation, int vertices) {
    double out = 0;
    const auto positions = simulation.positions("sheet");
    for (int v = 0; v < vertices; ++v)
        out = std::min(out, positions[v].y);
    return out;
}

} // namespace

TEST(Force, BearsTheClothUnderTheDefaultRecipe) {
    muslin::Scene scene = sprung("springs", 5);
    scene.set("cloth.sheet.material.stretch_damping", 20.0);
    muslin::Simulation simulation(scene);
    double mean = 0;
    for (int frame = 0; frame < 120; ++frame) {
        simulation.step_frame();
        if (frame >= 60)
            mean += simulation.positions("sheet")[4].y / 60;
    }
    // Nine springs share the weight, the middle ones a little more of it.
    const double weight = 9.81 * muslin::material_numbers("cotton").at("density");
    EXPECT_NEAR(mean, -weight / (9 * 5), 0.5 * weight / (9 * 5));
    EXPECT_GT(simulation.energies().elastic, 0);
}

// Without blocks a force is right where it is soft, and with them where it is stiff.
TEST(Force, BlocksChangeThePathToASolutionNotTheSolution) {
    const auto height = [](const char* type, double stiffness) {
        muslin::Simulation simulation(sprung(type, stiffness));
        for (int frame = 0; frame < 6; ++frame)
            simulation.step_frame();
        return lowest(simulation, 9);
    };
    EXPECT_NEAR(height("springs", 0.5), height("untold_springs", 0.5), 2e-3);
    EXPECT_LT(height("springs", 0.5), -0.02);
    EXPECT_GT(height("springs", 5e3), -1e-3); // h^2 k / m is 100
}

TEST(Force, OfPairsIsFeltByBothAndInEveryRecipe) {
    for (const char* recipe : {"muslin", "bw98", "bridson03", "volino95", "bayraktar07"}) {
        muslin::Scene scene = sprung("springs", 5, 20);
        scene.settings({.recipe = recipe, .gravity = Vec3{}}).part("contact", "none");
        muslin::Simulation simulation(scene);
        const double before = simulation.energies().elastic;
        EXPECT_NEAR(before, 8 * 0.5 * 20 * 0.125 * 0.125, 1e-6) << recipe;
        for (int frame = 0; frame < 3; ++frame)
            simulation.step_frame();
        EXPECT_LT(simulation.energies().elastic, before) << recipe;
        // The springs of its sides draw the row together, towards its own middle.
        const auto positions = simulation.positions("sheet");
        EXPECT_LT(positions[8].x - positions[0].x, 0.99995) << recipe;
    }
}

TEST(Force, TakesThePlaceOfAPart) {
    /// Half of the moon's gravity.
    class Moon : public muslin::Force {
    public:
        explicit Moon(const muslin::ForceScene& scene) : mass_(scene.mass) {}
        double energy(const muslin::ForceInput& at) const override {
            double sum = 0;
            for (std::size_t i = 0; i < mass_.size(); ++i)
                sum += 0.81 * mass_[i] * at.positions[i].y;
            return sum;
        }
        void add_forces(const muslin::ForceInput&, std::span<Vec3> forces) const override {
            for (std::size_t i = 0; i < mass_.size(); ++i)
                forces[i].y -= 0.81 * mass_[i];
        }

    private:
        std::vector<double> mass_;
    };
    muslin::register_force(
        {.name = "half_moon", .stage = "weight", .make = [](const muslin::ForceScene& scene) {
             return std::make_unique<Moon>(scene);
         }});
    muslin::Scene scene;
    scene.add(muslin::Cloth{.name = "sheet", .mesh = samples::sheet(5)})
        .part("weight", "half_moon")
        .part("air", "none");
    muslin::Simulation simulation(scene);
    for (int frame = 0; frame < 30; ++frame)
        simulation.step_frame();
    EXPECT_NEAR(simulation.velocities("sheet")[7].y, -0.81, 1e-9);
    const muslin::Energies energies = simulation.energies();
    EXPECT_NEAR(energies.kinetic + energies.gravity, 0, 1e-6 * energies.kinetic);
}

// Its pattern is the square, and it pulls along edges: enough for a cloth.
TEST(Force, MayBeTheClothItself) {
    static constexpr double stiffness = 200; // [N/m]
    class Edges : public muslin::Force {
    public:
        explicit Edges(const muslin::ForceScene& scene) {
            for (const auto& [name, cloth] : scene.cloths)
                for (std::size_t t = 0; t < cloth.triangles.size(); ++t)
                    for (int k = 0; k < 3; ++k) {
                        const muslin::Vec2 d = cloth.pattern[t][(k + 1) % 3] - cloth.pattern[t][k];
                        springs_.push_back({cloth.triangles[t][k], cloth.triangles[t][(k + 1) % 3],
                                            std::sqrt(d.x * d.x + d.y * d.y)});
                    }
        }
        double energy(const muslin::ForceInput& at) const override {
            double sum = 0;
            for (const auto& [a, b, rest] : springs_) {
                const double stretch = norm(at.positions[b] - at.positions[a]) - rest;
                sum += 0.5 * stiffness * stretch * stretch;
            }
            return sum;
        }
        void add_forces(const muslin::ForceInput& at, std::span<Vec3> forces) const override {
            for (const auto& [a, b, rest] : springs_) {
                const Vec3 d = at.positions[b] - at.positions[a];
                const Vec3 pull = (stiffness * (1 - rest / norm(d))) * d;
                forces[a] = forces[a] + pull;
                forces[b] = forces[b] - pull;
            }
        }
        std::vector<std::array<int, 2>> pairs() const override {
            std::vector<std::array<int, 2>> out;
            for (const auto& [a, b, rest] : springs_)
                out.push_back({a, b});
            return out;
        }
        void add_blocks(const muslin::ForceInput& at,
                        std::vector<muslin::ForceBlock>& blocks) const override {
            for (const auto& [a, b, rest] : springs_) {
                const Vec3 d = at.positions[b] - at.positions[a];
                const muslin::Mat3 along = (stiffness / dot(d, d)) * outer(d, d);
                blocks.push_back({a, a, along, {}});
                blocks.push_back({b, b, along, {}});
                blocks.push_back({a, b, -1 * along, {}});
            }
        }

    private:
        struct Spring {
            int a, b;
            double rest;
        };
        std::vector<Spring> springs_;
    };
    muslin::register_force(
        {.name = "edges", .stage = "in_plane", .make = [](const muslin::ForceScene& scene) {
             return std::make_unique<Edges>(scene);
         }});
    muslin::Scene scene;
    scene.add(muslin::Cloth{.name = "sheet", .mesh = samples::sheet(9)})
        .add(muslin::Pin{.vertices = {0, 8}})
        .part("in_plane", "edges");
    muslin::Simulation simulation(scene);
    for (int frame = 0; frame < 20; ++frame)
        simulation.step_frame();
    EXPECT_LT(simulation.judge().stretch_max, 1.1);
    EXPECT_LT(lowest(simulation, 81), -0.5);
}

TEST(Force, HasTheSameBitsOnAnyNumberOfThreads) {
    const auto hash = [](int threads) {
        muslin::Simulation simulation(sprung("springs", 20, 1), threads);
        std::string out;
        for (int frame = 0; frame < 8; ++frame)
            out = simulation.step_frame().hash;
        return out;
    };
    EXPECT_EQ(hash(1), hash(3));
}

TEST(Force, IsNamedByASceneFile) {
    const muslin::Scene given = sprung("springs", 5);
    muslin::Scene text = muslin::Scene::load("two-corner-sheet");
    text.add_tables("[[region]]\nname = 'held'\nvertices = [7]\n"
                    "[[force]]\ntype = 'springs'\nnumbers = { stiffness = 3 }");
    EXPECT_NO_THROW(text.check());
    EXPECT_NE(given.text().find("\"stiffness\" = 5"), std::string::npos);
}

TEST(Force, OfAnUnknownNameOrStageIsRefused) {
    register_once("springs", true);
    const auto problem = [](const std::function<void()>& work) {
        try {
            work();
        } catch (const muslin::InputError& error) {
            return error.problem();
        }
        ADD_FAILURE() << "nothing was refused";
        return muslin::Problem{};
    };
    const auto make = [](const muslin::ForceScene&) { return std::unique_ptr<muslin::Force>(); };
    muslin::Scene scene;
    scene.add(muslin::Cloth{.name = "sheet", .mesh = samples::sheet(3)});
    muslin::Scene misspelt = scene;
    muslin::Problem found = problem([&] { misspelt.add_force("springz").check(); });
    EXPECT_EQ(found.key, "force[0].type");
    EXPECT_EQ(found.hint, "did you mean 'springs'?");
    EXPECT_EQ(problem([&] { muslin::register_force({.name = "springs", .make = make}); }).key,
              "force.name");
    EXPECT_EQ(problem([&] {
                  muslin::register_force({.name = "x", .stage = "contact", .make = make});
              }).key,
              "force.stage");
    EXPECT_EQ(problem([&] { muslin::register_force({.name = "x"}); }).key, "force.make");
    muslin::register_force({.name = "nothing", .make = make});
    EXPECT_EQ(problem([&] { muslin::Simulation(scene.add_force("nothing")); }).key,
              "force 'nothing'.make");
}

TEST(Force, ThatThrowsLeavesTheLastGoodState) {
    static bool fails = false;
    class Failing : public muslin::Force {
    public:
        double energy(const muslin::ForceInput&) const override { return 0; }
        void add_forces(const muslin::ForceInput& at, std::span<Vec3>) const override {
            if (fails && at.time > 0.11)
                throw std::runtime_error("the program's own");
        }
    };
    muslin::register_force({.name = "failing", .make = [](const muslin::ForceScene&) {
                                return std::make_unique<Failing>();
                            }});
    muslin::Scene scene = samples::drape(6);
    scene.add_force("failing").settings({.frame_rate = 10, .max_step = 0.02});
    const std::string whole = samples::hash_after(scene, 3);
    muslin::Simulation simulation(scene);
    simulation.step_frame();
    fails = true;
    EXPECT_THROW(simulation.step_frame(), std::runtime_error);
    EXPECT_NEAR(simulation.time(), 0.1, 0.021);
    fails = false;
    simulation.step_frame();
    EXPECT_EQ(simulation.step_frame().hash, whole);
}
