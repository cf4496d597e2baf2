// Protocol "lost": what was won before truth was asked for stays won. Nothing crosses, edges keep
// their lengths, and the number of threads changes no bit.

#include "muslin/base/parallel.h"
#include "muslin/run/judge.h"
#include "referee/protocols/collision.h"
#include "referee/protocols/drape.h"
#include "referee/protocols/energy.h"
#include "referee/protocols/protocols.h"
#include "referee/protocols/rod.h"
#include "referee/protocols/slope.h"

#include <fmt/format.h>

#include <algorithm>

namespace muslin::referee {

namespace {

struct Kept {
    int crossings = 0;                ///< the most in any frame, with itself and with bodies
    double longest = 1, shortest = 1; ///< edge over its rest length
    std::vector<std::string> hashes;  ///< of each frame
};

Kept watch(Simulation& simulation, int frames, bool judges) {
    Kept out;
    const Judge judge(simulation.model());
    for (int k = 0; k < frames; ++k) {
        const FrameReport report = simulation.advance_frame();
        out.hashes.push_back(report.hash);
        if (!judges)
            continue;
        const Verdict v = judge.judge(simulation.state().positions, simulation.state().time);
        out.crossings = std::max(out.crossings, v.self_intersections + v.body_intersections);
        out.longest = std::max(out.longest, v.stretch_max);
        out.shortest = std::min(out.shortest, v.stretch_min);
    }
    return out;
}

// Where a cloth that shears easily drapes, edges askew to its threads grow by shear alone; there
// the limit is that of the recipe's own strain limit.
constexpr double tight = 1.05, draped = 1.1;

Case lost(const std::string& name, int frames, double longest, Extent least,
          const std::function<std::unique_ptr<Simulation>()>& make) {
    return {"lost", "scene", name, least, [=](Report& report) {
                const int before = thread_count();
                set_thread_count(1);
                const Kept one = watch(*make(), frames, true);
                set_thread_count(2);
                const Kept two = watch(*make(), frames, false);
                set_thread_count(before);
                report.at_most("crossings", one.crossings, 0, "");
                report.at_most("longest edge", one.longest, longest, "");
                report.between("shortest edge", one.shortest, 0.8, 1, "");
                int differ = 0;
                for (std::size_t k = 0; k < one.hashes.size(); ++k)
                    differ += one.hashes[k] != two.hashes[k];
                report.at_most("frames that differ", differ, 0, "");
            }};
}

template <class Scene>
std::function<std::unique_ptr<Simulation>()> maker(const Scene& scene) {
    return [scene] { return std::make_unique<Simulation>(describe(scene)); };
}

} // namespace

std::vector<Case> lost_cases() {
    std::vector<Case> out;
    out.push_back(lost("slope of 50 degrees, 1000 irregular, dropped", 20, tight, Extent::quick,
                       maker(Slope{.angle = 50, .vertices = 1000})));
    out.push_back(lost("slope of 28 degrees on cloth, 1000 irregular", 15, tight, Extent::usual,
                       maker(Slope{.vertices = 1000, .on_cloth = true})));
    out.push_back(lost("two sheets collide", 12, tight, Extent::usual, maker(Collision{})));
    out.push_back(lost("two sheets of 1000 collide", 12, tight, Extent::quick,
                       maker(Collision{.vertices = 1000})));
    out.push_back(lost("sheet dropped on a ball", 30, tight, Extent::usual, [] {
        return std::make_unique<Simulation>(describe_drop(Ground::ball, 2602, 30));
    }));
    out.push_back(
        lost("sphere drape, 2601 irregular", 75, draped, Extent::usual, maker(SphereDrape{})));
    out.push_back(lost("sphere drape, 2601 grid", 75, draped, Extent::usual,
                       maker(SphereDrape{.mesh = Mesh::grid})));
    out.push_back(lost("Cusick, cotton, 4800", 45, draped, Extent::usual, maker(CusickDrape{})));
    out.push_back(lost("heavy strip over a rod, 3:1", 15, tight, Extent::quick, [] {
        RodStrip s;
        s.near = 0.1;
        s.far = 0.3;
        s.mu = 0.2;
        return lay_over_rod(s);
    }));
    return out;
}

} // namespace muslin::referee
