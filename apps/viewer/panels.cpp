#include "viewer/panels.h"

#include "muslin/engine/recipe.h"
#include "muslin/render/color_map.h"
#include "viewer/run_source.h"
#include "viewer/style.h"

#include <fmt/format.h>
#include <imgui.h>

namespace muslin::viewer {
namespace {

bool section(const char* name, bool open = true) {
    ImGui::Spacing();
    return ImGui::CollapsingHeader(name, open ? ImGuiTreeNodeFlags_DefaultOpen : 0);
}

// The intersections of the frame that was asked for.
void draw_verdict(LiveSource& live) {
    const auto view = live.view();
    if (ImGui::Button("Count intersections"))
        live.judge();
    if (!view->verdict)
        return;
    const Verdict& v = *view->verdict;
    std::string line =
        fmt::format("frame {}: {} in the cloth", view->verdict_frame, v.self_intersections);
    if (v.body_penetration_max)
        line += fmt::format(", {} with bodies", v.body_intersections);
    const bool bad = v.self_intersections + v.body_intersections > 0;
    if (bad)
        ImGui::PushStyleColor(ImGuiCol_Text, packed(ink::alarm));
    text(line);
    text(fmt::format("edges {:.3f} to {:.3f} of their length", v.stretch_min, v.stretch_max));
    if (bad)
        ImGui::PopStyleColor();
}

// `label`: of the recipe, which two that stand side by side have each.
void draw_live_scene(LiveSource& live, const char* label) {
    const auto view = live.view();
    ImGui::PushID(label);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x * 0.62F);
    if (ImGui::BeginCombo(label, view->recipe.c_str())) {
        for (const Recipe& recipe : recipes())
            if (ImGui::Selectable(recipe.name.c_str(), recipe.name == view->recipe))
                live.send("recipe",
                          [name = recipe.name](LiveSimulation& s) { s.set_recipe(name); });
        ImGui::EndCombo();
    }
    double step = 1e3 * view->max_step, tolerance = view->tolerance;
    const double least_step = 0.5, most_step = 1e3 / live.frame_rate();
    const double least = 1e-4, most = 0.5;
    const float width = ImGui::GetContentRegionAvail().x * 0.62F;
    ImGui::SetNextItemWidth(width);
    bool changed = ImGui::SliderScalar("Longest step", ImGuiDataType_Double, &step, &least_step,
                                       &most_step, "%.3g ms", ImGuiSliderFlags_Logarithmic);
    ImGui::SetNextItemWidth(width);
    changed |= ImGui::SliderScalar("Tolerance", ImGuiDataType_Double, &tolerance, &least, &most,
                                   "%.4f", ImGuiSliderFlags_Logarithmic);
    if (changed)
        live.send("accuracy",
                  [step, tolerance](LiveSimulation& s) { s.set_accuracy(1e-3 * step, tolerance); });
    draw_verdict(live);
    ImGui::PopID();
    if (!view->status.empty()) {
        ImGui::PushStyleColor(ImGuiCol_Text, packed(ink::alarm));
        ImGui::PushTextWrapPos(0);
        text(view->status);
        ImGui::PopTextWrapPos();
        ImGui::PopStyleColor();
    }
    for (const std::string& warning : live.warnings())
        faint(warning);
}

void draw_run(const RunSource& run) {
    const auto& c = run.certificate();
    if (!c) {
        faint("This run has no certificate: it goes on, or was cut off.");
        return;
    }
    faint(fmt::format("{} particles, {} triangles, recipe {}", c->particles, c->triangles,
                      c->recipe));
    text(fmt::format("{} frames, {} steps, {:.1f} ms a frame", c->frames, c->steps,
                     1e3 * c->seconds_per_frame));
    text(fmt::format("edges {:.3f} to {:.3f} of their length", c->stretch_min, c->stretch_max));
    std::string crossings = fmt::format("intersections {}", c->self_intersections);
    if (c->body_intersections)
        crossings += fmt::format(", with bodies {}", *c->body_intersections);
    text(crossings);
    ImGui::PushStyleColor(ImGuiCol_Text, packed(c->passed ? ink::accent : ink::alarm));
    text(c->passed ? "Limits kept at every frame" : "Limits not kept");
    ImGui::PopStyleColor();
    if (!c->error.empty())
        faint(c->error);
}

void draw_scene(Session& session) {
    std::vector<Pane>& panes = session.panes();
    for (std::size_t i = 0; i < panes.size(); ++i) {
        FrameSource& source = panes[i].source();
        LiveSource* live = source.live();
        if (i == 0 || source.title() != panes[0].source().title() || !live) {
            if (i > 0)
                ImGui::Separator();
            ImGui::PushTextWrapPos(0);
            text(source.title());
            ImGui::PopTextWrapPos();
            if (live)
                faint(fmt::format("{} particles, {} triangles", live->particles(),
                                  live->triangles()));
        }
        if (live)
            draw_live_scene(*live, panes.size() == 1 ? "Recipe" : i == 0 ? "Left" : "Right");
        else if (const auto* run = dynamic_cast<const RunSource*>(&source))
            draw_run(*run);
    }
}

void draw_look(Session& session) {
    Look& look = session.look();
    const std::string now = look.color ? std::string(info(*look.color).label) : "Cloth";
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x * 0.62F);
    if (ImGui::BeginCombo("Colour", now.c_str())) {
        if (ImGui::Selectable("Cloth", !look.color))
            session.set_field(std::nullopt);
        for (Field field : all_fields) {
            bool held = false;
            for (Pane& pane : session.panes())
                held = held || pane.source().has_field(field);
            const std::string label = fmt::format("{} [{}]", info(field).label, info(field).unit);
            if (ImGui::Selectable(label.c_str(), look.color == field,
                                  held ? 0 : ImGuiSelectableFlags_Disabled))
                session.set_field(field);
        }
        ImGui::EndCombo();
    }
    if (look.color) {
        auto high = static_cast<float>(look.high);
        const FieldInfo& field = info(*look.color);
        const auto most = static_cast<float>(field.low + 20 * (field.high - field.low));
        const auto least = static_cast<float>(field.low + 0.02 * (field.high - field.low));
        ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x * 0.62F);
        if (ImGui::SliderFloat(
                "Up to", &high, least, most,
                fmt::format("%.3g {}", field.unit == "%" ? "%%" : field.unit).c_str(),
                ImGuiSliderFlags_Logarithmic))
            look.high = std::max(static_cast<double>(high), field.low + 1e-9);
    }
    const float half = ImGui::GetContentRegionAvail().x * 0.5F;
    ImGui::Checkbox("Edges", &look.wireframe);
    ImGui::SameLine(half);
    ImGui::Checkbox("Checker", &look.checker);
    ImGui::Checkbox("Smooth", &look.smooth);
    ImGui::SameLine(half);
    ImGui::Checkbox("Flat triangles", &look.flat);
    ImGui::Checkbox("Floor", &look.ground);
    ImGui::SameLine(half);
    ImGui::Checkbox("Shadows", &look.shadows);
    ImGui::Checkbox("Mark crossings", &look.marks);
}

} // namespace

void text(const std::string& line) {
    ImGui::TextUnformatted(line.c_str());
}

void faint(const std::string& line) {
    ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
    ImGui::PushTextWrapPos(0);
    text(line);
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
}

void draw_side_panel(Session& session, double scale) {
    const Rectangle& r = session.layout().panel;
    if (r.width <= 0)
        return;
    ImGui::SetNextWindowPos({static_cast<float>(r.x), static_cast<float>(r.y)});
    ImGui::SetNextWindowSize({static_cast<float>(r.width), static_cast<float>(r.height)});
    ImGui::Begin("panel", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus);
    ImGui::SetWindowFontScale(1);
    draw_scene(session);
    if (section("Look"))
        draw_look(session);
    if (session.any_live()) {
        if (section("Wind"))
            draw_wind(session);
        if (section("Fabric", false))
            draw_fabric(session, scale);
    }
    if (section("Particle"))
        draw_particle(session);
    if (section("Statistics"))
        draw_statistics(session, scale);
    ImGui::End();
}

} // namespace muslin::viewer
