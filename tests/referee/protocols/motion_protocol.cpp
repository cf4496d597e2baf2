// Protocol "motion": modes, a pendulum, a fall, and energy that never rises.

#include "referee/protocols/collision.h"
#include "referee/protocols/energy.h"
#include "referee/protocols/motion.h"
#include "referee/protocols/protocols.h"

#include <fmt/format.h>

#include <numbers>

namespace muslin::referee {

namespace {

double frequency_of(const HangingSheet& sheet) {
    return theory_of(sheet).omega / (2 * std::numbers::pi);
}

// Three modes of one sheet together, since ratios of frequencies are asked for from 60 fps on.
Case modes(Mesh mesh, int vertices, double fps, Extent least) {
    const HangingSheet sheet = {.mesh = mesh, .vertices = vertices, .fps = fps};
    const std::string name =
        fmt::format("modes, {} {}, {} fps", vertex_count(mesh, vertices), name_of(mesh), fps);
    return {"motion", "hanging", name, least, [=](Report& report) {
                const int most = fps >= 60 ? 3 : 2;
                double measured[4], exact[4];
                for (int mode = 1; mode <= most; ++mode) {
                    HangingSheet one = sheet;
                    one.mode = mode;
                    one.periods = mode == 1 ? 3 : 4;
                    const Vibration v = vibrate(one);
                    measured[mode] = v.frequency;
                    exact[mode] = frequency_of(one);
                    if (mode == 3)
                        continue;
                    report.between(fmt::format("mode {} kept", mode), v.kept,
                                   mode == 1 ? 0.95 : 0.9, mode == 1 ? 1.01 : 1.02, "");
                    report.within(fmt::format("f{}", mode), v.frequency, exact[mode],
                                  mode == 1 ? 0.01 : 0.02, "Hz");
                }
                for (int mode = 2; mode <= most && fps >= 60; ++mode)
                    report.within(fmt::format("f{} / f1", mode), measured[mode] / measured[1],
                                  exact[mode] / exact[1], 0.02, "");
            }};
}

Case pendulum(double fps, Extent least) {
    return {"motion", "pendulum", fmt::format("plate of 0.5 m, {} fps", fps), least,
            [=](Report& report) {
                const Pendulum p = swing_plate(fps);
                report.between("kept after T/2", p.kept_half, 0.95, 1.01, "");
                report.between("kept after T", p.kept, 0.95, 1.01, "");
                report.within("period", p.period,
                              plate_period(pendulum_length, std::numbers::pi / 2, gravity), 0.01,
                              "s");
                report.at_most("energy rises", p.rise, 0.01, "");
            }};
}

Case free_fall(double fps, Extent least) {
    return {"motion", "fall", fmt::format("0.5 s, {} fps", fps), least, [=](Report& report) {
                const Fall f = fall(fps, 0.5);
                report.within("fell", f.way, 0.5 * gravity * f.time * f.time, 0.002, "m");
            }};
}

Case energy_case(const std::string& name, double fps, Extent least,
                 const std::function<EnergyRise()>& measure) {
    return {"motion", "energy", fmt::format("{}, {} fps", name, fps), least,
            [=](Report& report) { report.at_most("energy rises", measure().part, 0.01, ""); }};
}

std::vector<Case> energies() {
    std::vector<Case> out;
    for (const double fps : {24.0, 30.0, 120.0}) {
        const Extent quick = fps == 30 ? Extent::quick : Extent::usual;
        for (const auto& [gamma, alpha] : {std::pair{5.0, 2.0}, std::pair{12.0, 5.0}})
            out.push_back(energy_case(
                fmt::format("strip of Gamma {}, load of {} D/L^2 removed", gamma, alpha), fps,
                quick, [=] { return release_strip(gamma, alpha, fps, 2.5); }));
        out.push_back(energy_case("two sheets collide, mu 0.3", fps, Extent::usual, [=] {
            return EnergyRise{collide({.friction = 0.3, .fps = fps}, 0.4).rise, 0};
        }));
        for (const Ground ground : {Ground::plane, Ground::ball})
            out.push_back(energy_case(
                fmt::format("sheet dropped on a {}", ground == Ground::ball ? "ball" : "plane"),
                fps, ground == Ground::ball ? quick : Extent::usual,
                [=] { return drop_sheet(ground, 2602, fps, 1); }));
    }
    out.push_back(energy_case("sheet of 1000 dropped on a ball", 30, Extent::quick,
                              [] { return drop_sheet(Ground::ball, 1000, 30, 1); }));
    return out;
}

} // namespace

std::vector<Case> motion_cases() {
    std::vector<Case> out;
    out.push_back(modes(Mesh::irregular, 1000, 30, Extent::quick));
    for (const double fps : {24.0, 30.0, 60.0, 120.0})
        for (const Mesh mesh : {Mesh::irregular, Mesh::grid})
            out.push_back(modes(mesh, mesh == Mesh::grid ? 2601 : 2602, fps, Extent::usual));
    for (const double fps : {24.0, 30.0, 60.0, 120.0}) {
        const Extent quick = fps == 30 ? Extent::quick : Extent::usual;
        out.push_back(pendulum(fps, quick));
        out.push_back(free_fall(fps, quick));
    }
    for (Case& one : energies())
        out.push_back(std::move(one));
    return out;
}

} // namespace muslin::referee
