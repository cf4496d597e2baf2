#include "muslin/render/page_certificate.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace muslin {

namespace {

enum class Bound { above, below };

/// A figure with the scene's limit on it, where there is one.
PageFigure limited(const Certificate& certificate, const char* key, std::string label,
                   std::string value, double figure, Bound bound = Bound::above) {
    PageFigure out{std::move(label), std::move(value), {}, true};
    const auto limit = certificate.limits.find(key);
    if (limit == certificate.limits.end())
        return out;
    out.kept = bound == Bound::above ? figure <= limit->second : figure >= limit->second;
    out.value += fmt::format(" (limit {:g})", limit->second);
    return out;
}

std::string milliseconds(double seconds) {
    return seconds < 1 ? fmt::format("{:.0f} ms", 1e3 * seconds) : fmt::format("{:.2f} s", seconds);
}

std::string verdict_of(const Certificate& c) {
    if (!c.error.empty())
        return "The run ended early: " + c.error;
    if (!c.passed)
        return "A limit of the scene was broken.";
    return c.limits.empty() ? "The run is whole. The scene sets no limits."
                            : "Every limit of the scene was kept, at every frame.";
}

} // namespace

void describe_certificate(const std::optional<Certificate>& certificate, PageSettings& page) {
    if (!certificate) {
        page.verdict = "This run has no certificate: it is still going on or was cut off. Nothing "
                       "is certified.";
        return;
    }
    const Certificate& c = *certificate;
    page.passed = c.passed && c.error.empty();
    page.verdict = verdict_of(c);
    std::vector<PageFigure>& rows = page.certificate;
    rows.push_back(limited(c, "self_intersections", "Self-intersections",
                           fmt::format("{}", c.self_intersections),
                           static_cast<double>(c.self_intersections)));
    if (c.body_intersections)
        rows.push_back(limited(c, "body_intersections", "Body intersections",
                               fmt::format("{}", *c.body_intersections),
                               static_cast<double>(*c.body_intersections)));
    if (c.body_penetration_max)
        rows.push_back(limited(c, "body_penetration_max", "Deepest inside a body",
                               fmt::format("{:.3g} mm", 1e3 * *c.body_penetration_max),
                               *c.body_penetration_max));
    rows.push_back(limited(c, "stretch_max", "Longest edge / rest",
                           fmt::format("{:.4f}", c.stretch_max), c.stretch_max));
    rows.push_back(limited(c, "stretch_min", "Shortest edge / rest",
                           fmt::format("{:.4f}", c.stretch_min), c.stretch_min, Bound::below));
    const auto say = [&](const char* label, std::string value) {
        rows.push_back({label, std::move(value), {}, true});
    };
    say("Frames",
        c.frames == c.frames_wanted
            ? fmt::format("{} at {:g} / s", c.frames, c.frame_rate)
            : fmt::format("{} of {} at {:g} / s", c.frames, c.frames_wanted, c.frame_rate));
    say("Steps", fmt::format("{} ({:.1f} / frame)", c.steps,
                             static_cast<double>(c.steps) / std::max(c.frames, 1)));
    say("Computed in",
        c.threads > 0 ? fmt::format("{} / frame, {} thread{}", milliseconds(c.seconds_per_frame),
                                    c.threads, c.threads == 1 ? "" : "s")
                      : milliseconds(c.seconds_per_frame) + " / frame");
    say("Particles", fmt::format("{}", c.particles));
    say("Triangles", fmt::format("{}", c.triangles));
    if (!c.scene.empty())
        say("Scene", c.scene);
    say("Recipe", c.recipe);
    say("Program", c.program);
    say("Hash", c.hash);
}

std::vector<PageSeries> page_series(const std::vector<FrameFigures>& figures,
                                    const std::vector<int>& frames) {
    if (figures.empty() || frames.size() < 2)
        return {};
    std::vector<PageSeries> out = {{"Kinetic energy", "J", {}}, {"Elastic energy", "J", {}},
                                   {"Contacts", "", {}},        {"Longest edge / rest", "", {}},
                                   {"Steps", "", {}},           {"Computing", "s", {}}};
    for (const int frame : frames) {
        const auto at = std::find_if(figures.begin(), figures.end(),
                                     [&](const FrameFigures& f) { return f.frame == frame; });
        std::vector<double> values(out.size(), std::numeric_limits<double>::quiet_NaN());
        if (at != figures.end())
            values = {at->kinetic,     at->elastic,     1.0 * at->contacts,
                      at->stretch_max, 1.0 * at->steps, at->seconds};
        for (std::size_t k = 0; k < out.size(); ++k)
            out[k].values.push_back(values[k]);
    }
    return out;
}

} // namespace muslin
