// Protocol "friction": Coulomb's law on planes, at stops, between sheets.

#include "referee/protocols/closed_forms.h"
#include "referee/protocols/collision.h"
#include "referee/protocols/protocols.h"
#include "referee/protocols/slope.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <numbers>

namespace muslin::referee {

namespace {

constexpr double limit = 0.05; // of the distance slid
constexpr double slide_time = 1.2;
constexpr double on_cloth_time = 0.8; // the ground cloth is shorter than the box

// Sticks: the landing, which Coulomb lets slide by height times tan(angle), and then the creep.
void report_sticking(const Slope& slope, Report& report) {
    const Slide s = slide(slope, slope.on_cloth ? 2.5 : 5.5);
    report.at_most("landing", std::abs(s.at(0.5)), 3e-3, "m");
    // A shorter run is held to the same creep per second.
    const double rest = s.time.back() - s.time[frames_for(0.5, slope.fps)];
    report.at_most("creep a second", std::abs(s.end() - s.at(0.5)) / rest, 1e-3 / 5, "m/s");
}

void report_sliding(const Slope& slope, Report& report) {
    const Slide s = slide(slope, slope.on_cloth ? on_cloth_time : slide_time);
    report.within("slid", s.end(), reference_slide(slope, s), limit, "m");
}

Case slope_case(const Slope& slope, Extent least) {
    return {"friction", "slope", slope.name(), least, [slope](Report& report) {
                (slope.angle < 20 ? report_sticking : report_sliding)(slope, report);
            }};
}

// Each factor varies with at least two values of the others; `full` adds the whole product.
std::vector<Case> slopes() {
    std::map<std::string, Extent> listed;
    std::vector<Case> out;
    const auto add = [&](const Slope& slope, Extent least) {
        if (listed.emplace(slope.name(), least).second)
            out.push_back(slope_case(slope, least));
    };
    for (const double angle : {18.0, 28.0})
        add({.angle = angle, .vertices = 1000}, Extent::quick);
    add({.angle = 34, .mesh = Mesh::grid, .vertices = 121, .height = 0, .fps = 60}, Extent::quick);
    for (const double angle : {18.0, 24.0, 28.0, 34.0, 50.0})
        add({.angle = angle}, Extent::usual);
    for (const double angle : {18.0, 24.0, 28.0, 34.0, 50.0})
        add({.angle = angle, .mesh = Mesh::grid, .vertices = 1000, .height = 0}, Extent::usual);
    for (const int vertices : {121, 1000, 10000})
        for (const double angle : {18.0, 28.0})
            add({.angle = angle, .vertices = vertices}, Extent::usual);
    for (const double fps : {24.0, 60.0, 120.0})
        for (const double angle : {18.0, 28.0})
            add({.angle = angle, .vertices = 1000, .fps = fps}, Extent::usual);
    add({.mesh = Mesh::grid, .vertices = 2601}, Extent::usual);
    add({.height = 0}, Extent::usual);
    add({.angle = 50, .mesh = Mesh::grid, .vertices = 121, .fps = 24}, Extent::usual);
    add({.mesh = Mesh::grid, .vertices = 10000, .height = 0, .fps = 60}, Extent::usual);
    for (const double angle : {18.0, 24.0, 28.0, 34.0, 50.0})
        for (const int vertices : {121, 1000, 2602, 10000})
            for (const Mesh mesh : {Mesh::grid, Mesh::irregular})
                for (const double height : {0.0, 5e-3})
                    for (const double fps : {24.0, 30.0, 60.0, 120.0})
                        add({.angle = angle,
                             .mesh = mesh,
                             .vertices = vertices,
                             .height = height,
                             .fps = fps},
                            Extent::full);
    return out;
}

// A cloth elsewhere must not loosen the solve of this one.
std::vector<Case> beside_heavy() {
    std::vector<Case> out;
    for (const double angle : {18.0, 28.0})
        out.push_back(slope_case({.angle = angle, .vertices = 1000, .beside_heavy = true},
                                 angle == 28 ? Extent::quick : Extent::usual));
    return out;
}

std::vector<Case> cloth_on_cloth() {
    std::vector<Case> out;
    for (const double angle : {18.0, 28.0, 34.0})
        out.push_back(slope_case({.angle = angle, .vertices = 1000, .on_cloth = true},
                                 angle == 28 ? Extent::quick : Extent::usual));
    out.push_back(slope_case({.angle = 28, .on_cloth = true}, Extent::usual));
    out.push_back(slope_case({.angle = 28,
                              .mesh = Mesh::grid,
                              .vertices = 1000,
                              .height = 0,
                              .fps = 120,
                              .on_cloth = true},
                             Extent::usual));
    return out;
}

// A sheet that lands as it slides is braked by its landing, and by no more than mu times that.
Case stop_case(const Slope& level, const std::string& mesh_name, Extent least) {
    return {"friction", "C2",
            fmt::format("stop from 1 m/s, {}, {}", level.height > 0 ? "dropped 1 mm" : "placed",
                        mesh_name),
            least, [level](Report& report) {
                const Slide s = slide(level, 0.6);
                report.within("stops after", s.end(),
                              coulomb_stop(level.speed, level.mu, level.height, gravity), limit,
                              "m");
                report.at_most("speed left", std::abs(s.speed.back()), 1e-3, "m/s");
            }};
}

// C1 and C2 of PROTOCOLS.md: mu 0.3, 0.2 kg/m^2, the sheet lies on the plane.
std::vector<Case> plane_protocols() {
    std::vector<Case> out;
    for (const double fps : {30.0, 120.0})
        for (const Mesh mesh : {Mesh::irregular, Mesh::grid}) {
            const Slope base = {.mesh = mesh,
                                .vertices = mesh == Mesh::grid ? 2601 : 2602,
                                .height = 0,
                                .fps = fps,
                                .mu = 0.3,
                                .density = 0.2};
            const std::string mesh_name =
                fmt::format("{} {}, {} fps", vertex_count(mesh, base.vertices), name_of(mesh), fps);
            Slope still = base;
            still.angle = 16.199;
            out.push_back({"friction", "C1", "16.199 degrees, " + mesh_name, Extent::usual,
                           [still](Report& report) {
                               const Slide s = slide(still, 5);
                               report.at_most("drift in 5 s", std::abs(s.end()), 1e-3, "m");
                           }});
            for (const double angle : {18.699, 26.699}) {
                Slope steep = base;
                steep.angle = angle;
                out.push_back({"friction", "C1", fmt::format("{} degrees, {}", angle, mesh_name),
                               Extent::usual, [steep](Report& report) {
                                   const double a = steep.angle * std::numbers::pi / 180;
                                   const double exact =
                                       gravity * (std::sin(a) - steep.mu * std::cos(a));
                                   report.near("acceleration", fitted_acceleration(slide(steep, 1)),
                                               exact, std::max(0.02 * exact, 0.01), "m/s^2");
                               }});
            }
            for (const double height : {0.0, 1e-3}) {
                Slope level = base;
                level.angle = 0;
                level.speed = 1;
                level.height = height;
                out.push_back(stop_case(level, mesh_name, Extent::usual));
            }
        }
    for (const double height : {0.0, 1e-3})
        out.push_back(
            stop_case({.angle = 0, .vertices = 1000, .height = height, .mu = 0.3, .speed = 1},
                      "1000 irregular, 30 fps", Extent::quick));
    return out;
}

// C5. Momentum is kept to what the solver leaves, angular momentum to what the integrator loses
// before the sheets touch.
std::vector<Case> collisions() {
    std::vector<Case> out;
    for (const double friction : {0.0, 0.3})
        for (const double fps : {30.0, 120.0}) {
            const Collision c = {.friction = friction, .fps = fps};
            const Extent least = friction > 0 && fps == 30 ? Extent::quick : Extent::usual;
            out.push_back({"friction", "C5", c.name(), least, [c](Report& report) {
                               const Collided found = collide(c, 0.4);
                               report.at_most("momentum changes", found.linear, 1e-3, "");
                               report.at_most("angular momentum", found.angular, 0.02, "");
                               report.at_most("energy rises", found.rise, 0.01, "");
                           }});
        }
    return out;
}

} // namespace

std::vector<Case> friction_cases() {
    std::vector<Case> out;
    for (auto part : {slopes(), beside_heavy(), cloth_on_cloth(), plane_protocols(), collisions()})
        out.insert(out.end(), part.begin(), part.end());
    return out;
}

} // namespace muslin::referee
