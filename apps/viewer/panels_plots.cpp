// Plots of what frames took.
#include "viewer/panels.h"

#include "viewer/run_source.h"
#include "viewer/style.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

namespace muslin::viewer {
namespace {

struct Series {
    std::string name;
    Vec3 color;
    std::vector<double> values;
};

// To two digits; what is nothing beside `scale` is zero.
std::string short_number(double value, double scale) {
    if (std::abs(value) < 1e-3 * scale)
        return "0";
    return std::abs(value) >= 10 ? fmt::format("{:.0f}", value) : fmt::format("{:.2g}", value);
}

double largest(const std::vector<double>& values) {
    double out = 0;
    for (double v : values)
        out = std::max(out, std::abs(v));
    return out;
}

// Lines over frames in a box, the newest at the right; the last values stand beside the title.
void plot(const char* title, const std::vector<Series>& all, double height) {
    ImGui::TextUnformatted(title);
    double scale = 0;
    for (const Series& series : all)
        scale = std::max(scale, largest(series.values));
    for (const Series& series : all) {
        ImGui::SameLine();
        ImGui::PushStyleColor(ImGuiCol_Text, packed(series.color));
        const double last = series.values.empty() ? 0 : series.values.back();
        ImGui::TextUnformatted((series.name + short_number(last, scale)).c_str());
        ImGui::PopStyleColor();
    }
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const ImVec2 size = {ImGui::GetContentRegionAvail().x, static_cast<float>(height)};
    ImGui::Dummy(size);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(corner, {corner.x + size.x, corner.y + size.y}, packed(ink::slate, 0.05),
                        3);
    double low = 0, high = 0;
    for (const Series& series : all)
        for (double v : series.values) {
            low = std::min(low, v);
            high = std::max(high, v);
        }
    if (!(high > low))
        return;
    const auto y_of = [&](double v) {
        return corner.y + size.y -
               static_cast<float>((v - low) / (high - low) * (size.y - 4.0) + 2.0);
    };
    if (low < 0)
        draw->AddLine({corner.x, y_of(0)}, {corner.x + size.x, y_of(0)}, packed(ink::slate, 0.2));
    for (const Series& series : all) {
        std::vector<ImVec2> points;
        const std::size_t n = series.values.size();
        for (std::size_t i = 0; i < n; ++i)
            points.emplace_back(corner.x +
                                    size.x * static_cast<float>(i + 1) / static_cast<float>(n),
                                y_of(series.values[i]));
        draw->AddPolyline(points.data(), static_cast<int>(points.size()), packed(series.color),
                          ImDrawFlags_None, 1.5F);
    }
}

/// The figures of frames, whatever they come from.
struct Figures {
    std::vector<double> kinetic, elastic, gravity, steps, iterations, contacts, milliseconds;
};

template <class Record>
void add(Figures& out, const Record& r) {
    out.kinetic.push_back(r.kinetic);
    out.elastic.push_back(r.elastic);
    out.gravity.push_back(r.gravity);
    out.steps.push_back(r.steps);
    out.iterations.push_back(r.cg_iterations);
    out.contacts.push_back(r.contacts);
    out.milliseconds.push_back(1e3 * r.seconds);
}

Figures figures_of(FrameSource& source, int frame) {
    Figures out;
    if (LiveSource* live = source.live()) {
        for (const LiveStatistics& r : live->view()->history)
            if (r.frame <= frame)
                add(out, r);
    } else if (const auto* run = dynamic_cast<const RunSource*>(&source)) {
        for (const FrameFigures& r : run->figures())
            if (r.frame <= frame)
                add(out, r);
    }
    return out;
}

} // namespace

void draw_statistics(Session& session, double scale) {
    FrameSource& source = session.panes()[session.active()].source();
    if (session.panes().size() > 1)
        ImGui::TextDisabled("%s", fmt::format("of the {} view, {} {}",
                                              session.active() == 0 ? "left" : "right",
                                              source.name(), source.recipe())
                                      .c_str());
    const Figures f = figures_of(source, session.timeline().frame());
    if (f.steps.empty()) {
        ImGui::TextDisabled("Nothing yet.");
        return;
    }
    const double height = 38 * scale;
    const Vec3 blue = ink::accent, rust = ink::thread, sage = {0.38, 0.50, 0.32};
    const auto most = [](const std::vector<double>& values) {
        return fmt::format("(most {})  ", short_number(largest(values), 0));
    };
    plot("Energy [J]",
         {{"kin. ", rust, f.kinetic}, {"el. ", sage, f.elastic}, {"grav. ", blue, f.gravity}},
         1.4 * height);
    plot("Time a frame [ms]", {{most(f.milliseconds), blue, f.milliseconds}}, height);
    plot("Steps a frame", {{most(f.steps), blue, f.steps}}, height);
    plot("Solver iterations", {{most(f.iterations), blue, f.iterations}}, height);
    plot("Contacts", {{most(f.contacts), blue, f.contacts}}, height);
}

} // namespace muslin::viewer
