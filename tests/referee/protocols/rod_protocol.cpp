// Protocol "friction", the strips over a rod.

#include "referee/protocols/closed_forms.h"
#include "referee/protocols/protocols.h"
#include "referee/protocols/rod.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace muslin::referee {

namespace {

constexpr double limit = 0.05;
// What counts as sliding: 4 mm in 0.6 s, which a load 0.5 % above the critical one gives. A heavy
// strip has these 0.6 s after it was let go.
constexpr double slip_time = 0.6, slip_way = 4e-3;

// Weighs a hundredth of its lighter load, which the reference takes into account.
RodStrip light_strip(double mu, double fps, double ratio) {
    RodStrip s;
    s.mu = mu;
    s.fps = fps;
    s.density = 0.015;
    s.near = s.far = 0.08;
    s.near_mass = 0.01;
    s.far_mass = ratio * s.near_mass;
    return s;
}

// The ratio of loads at which the strip slides, with the weight of the strip itself.
double light_reference(const RodStrip& s) {
    const double weight = s.density * gravity;
    const double near = s.near_mass * gravity / s.width + weight * s.near;
    const double far = heavy_capstan(s.mu, near, s.arc_radius(), weight);
    return (far - weight * s.far) * s.width / (s.near_mass * gravity);
}

// Hangs by its own weight; `ratio` of the lengths on both sides, which are 0.4 m together.
RodStrip heavy_strip(double mu, double fps, double ratio) {
    constexpr double hanging = 0.4;
    RodStrip s;
    s.mu = mu;
    s.fps = fps;
    s.near = hanging / (1 + ratio);
    s.far = hanging - s.near;
    s.balanced = 0.1;
    return s;
}

Case capstan(bool heavy, double mu, double fps, Extent least) {
    const RodStrip at_one = heavy ? heavy_strip(mu, fps, 1) : light_strip(mu, fps, 1);
    const std::string name =
        fmt::format("{} strip, mu {}, R/h {:.0f}, {} fps", heavy ? "heavy" : "light", mu,
                    at_one.radius_over_edge(), fps);
    return {"friction", "capstan", name, least, [=](Report& report) {
                const double exact =
                    heavy ? heavy_capstan_lengths(mu, at_one.near + at_one.far, at_one.arc_radius())
                          : light_reference(at_one);
                const auto make = [=](double ratio) {
                    return heavy ? heavy_strip(mu, fps, ratio) : light_strip(mu, fps, ratio);
                };
                const double most = 2.5 * exact;
                const double found = slip_ratio(make, 0.7 * exact, most, 7,
                                                slip_time + 4 * at_one.balanced, slip_way);
                const char* what = heavy ? "slips at lengths" : "slips at loads";
                if (found >= most)
                    report.missing(what, found, "does not slip at 2.5 times the ratio", "");
                else
                    report.within(what, found, exact, limit, "");
            }};
}

Case frictionless(double fps, Extent least) {
    RodStrip s;
    s.radius = 0.025;
    s.edge = 0.0025;
    s.near = 0.24;
    s.far = 0.48;
    s.mu = 0;
    s.fps = fps;
    // At 30 fps the frame before: no frame ends at 0.25 s.
    const int frames = static_cast<int>(0.25 * fps + 1e-9);
    const double time = frames / fps;
    return {"friction", "rod",
            fmt::format("2:1 without friction after {:.4f} s, {} fps", time, fps), least,
            [=](Report& report) {
                report.within("slid", slide_over_rod(s, time, 1e9).back(),
                              frictionless_slide(s.near, s.far, s.arc_radius(), time, gravity),
                              limit, "m");
            }};
}

} // namespace

std::vector<Case> rod_cases() {
    std::vector<Case> out;
    for (const double fps : {30.0, 120.0})
        for (const double mu : {0.2, 0.4})
            for (const bool heavy : {false, true})
                out.push_back(capstan(heavy, mu, fps,
                                      fps == 30 && mu == 0.4 ? Extent::quick : Extent::usual));
    for (const double fps : {24.0, 30.0, 60.0, 120.0})
        out.push_back(frictionless(fps, fps == 30 ? Extent::quick : Extent::usual));
    return out;
}

} // namespace muslin::referee
