#include "viewer/panels.h"

#include "muslin/render/color_map.h"
#include "muslin/render/legend.h"
#include "viewer/style.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <span>

namespace muslin::viewer {
namespace {

ImVec2 at(double x, double y) {
    return {static_cast<float>(x), static_cast<float>(y)};
}

ImVec2 at(const Vec2& p) {
    return at(p.x, p.y);
}

// A line of text on a plate of linen.
void plate(ImDrawList* draw, double x, double y, const std::string& text, const Vec3& color,
           double scale) {
    const ImVec2 size = ImGui::CalcTextSize(text.c_str());
    const double pad_x = 8 * scale, pad_y = 4 * scale;
    draw->AddRectFilled(at(x, y), at(x + size.x + 2 * pad_x, y + size.y + 2 * pad_y),
                        packed(ink::linen, 0.86), static_cast<float>(5 * scale));
    draw->AddText(at(x + pad_x, y + pad_y), packed(color), text.c_str());
}

void draw_marks(Session& session, Pane& pane, int number, ImDrawList* draw, double scale) {
    const Rectangle& view = session.layout().panes[number];
    const Camera camera = session.camera();
    const auto place = [&](const LiveVertex& v) {
        return project(camera, view, pane.vertex(v.cloth, v.vertex));
    };
    const auto r = static_cast<float>(scale);
    if (LiveSource* live = pane.source().live()) {
        const auto shown = live->view();
        // Of a whole row of pins only so many are marked: more would hide the cloth.
        const std::size_t step = 1 + shown->pinned.size() / 400;
        for (std::size_t i = 0; i < shown->pinned.size(); i += step)
            if (const auto p = place(shown->pinned[i])) {
                draw->AddCircleFilled(at(*p), 3.6F * r, packed(ink::linen, 0.9));
                draw->AddCircleFilled(at(*p), 2.4F * r, packed(ink::accent));
            }
    }
    const auto& picked = session.picked();
    if (!picked || picked->pane != number)
        return;
    const auto p = place(picked->at);
    if (!p)
        return;
    if (session.dragging())
        if (const auto end = project(camera, view, session.drag_target())) {
            draw->AddLine(at(*p), at(*end), packed(ink::linen, 0.8), 3.5F * r);
            draw->AddLine(at(*p), at(*end), packed(ink::thread), 1.8F * r);
            draw->AddCircleFilled(at(*end), 3.5F * r, packed(ink::thread));
        }
    draw->AddCircle(at(*p), 6.0F * r, packed(ink::linen, 0.9), 0, 3.6F * r);
    draw->AddCircle(at(*p), 6.0F * r, packed(ink::thread), 0, 1.8F * r);
}

void draw_legend(Session& session, ImDrawList* draw, double scale) {
    const Look& look = session.look();
    const Rectangle& view = session.layout().view;
    if (!look.color || view.height < 260 * scale)
        return;
    const FieldInfo& field = info(*look.color);
    const double width = std::min(240 * scale, view.width - 60 * scale), height = 10 * scale;
    const double pad = 10 * scale, line = ImGui::GetTextLineHeight();
    const double box_height = 2 * pad + height + 2 * line + 6 * scale;
    const double x = view.x + 12 * scale, y = view.y + view.height - box_height - 12 * scale;
    draw->AddRectFilled(at(x, y), at(x + width + 2 * pad, y + box_height), packed(ink::linen, 0.88),
                        static_cast<float>(5 * scale));
    const std::string title = fmt::format("{} [{}]", field.label, field.unit);
    draw->AddText(at(x + pad, y + pad), packed(ink::slate), title.c_str());
    const double top = y + pad + line + 3 * scale;
    constexpr int bands = 128;
    for (int i = 0; i < bands; ++i)
        draw->AddRectFilled(at(x + pad + width * i / bands, top),
                            at(x + pad + width * (i + 1) / bands + 0.5, top + height),
                            packed(color_at((i + 0.5) / bands)));
    const std::vector<double> ticks = round_ticks(look.low, look.high, 4);
    const double step = ticks.size() > 1 ? ticks[1] - ticks[0] : look.high - look.low;
    for (double tick : ticks) {
        const double place = (tick - look.low) / (look.high - look.low);
        const std::string value = tick_text(tick, step);
        const double w = ImGui::CalcTextSize(value.c_str()).x;
        const double middle = std::clamp(place * width, 0.5 * w, width - 0.5 * w);
        draw->AddText(at(x + pad + middle - 0.5 * w, top + height + 3 * scale), packed(ink::slate),
                      value.c_str());
    }
}

// Leaves the line open for what comes next.
void draw_buttons(Session& session, double scale) {
    const auto button = [&](const char* name, double width) {
        const bool pressed = ImGui::Button(name, at(width * scale, 0));
        ImGui::SameLine();
        return pressed;
    };
    if (button(session.timeline().playing() ? "Pause" : "Play", 58))
        session.toggle_play();
    if (button("Step", 46))
        session.step(1);
    if (button(session.any_live() ? "Restart" : "Start", 64))
        session.restart();
}

void draw_frames(Session& session, float width) {
    const FrameRange range = session.range();
    int frame = session.timeline().frame();
    ImGui::SetNextItemWidth(std::max(40.0F, width));
    if (ImGui::SliderInt("##frames", &frame, range.first, std::max(range.last, range.first + 1),
                         "frame %d"))
        session.seek(frame);
}

void draw_speed(Session& session, float width) {
    auto speed = static_cast<float>(session.timeline().speed());
    ImGui::SetNextItemWidth(width);
    if (ImGui::SliderFloat("##speed", &speed, 0.05F, 4, "speed %.2f", ImGuiSliderFlags_Logarithmic))
        session.timeline().set_speed(static_cast<double>(speed));
}

std::string clock_text(Session& session) {
    const Timeline& timeline = session.timeline();
    const double rate = session.panes().front().source().frame_rate();
    std::string text = fmt::format("{:.2f} s", timeline.frame() / rate);
    if (timeline.simulating() && session.real_time_factor() > 0)
        text += fmt::format("   {:.2f}x real time", session.real_time_factor());
    return text;
}

struct HelpLine {
    const char *keys, *what;
};

constexpr HelpLine live_help[] = {
    {"drag the cloth", "pull it; a pin of yours goes along"},
    {"P", "pin or unpin the picked vertex"},
    {"Space", "run, pause"},
    {". or right arrow", "one frame"},
    {", or left arrow", "one frame back in the recording"},
    {"R", "restart"},
    {"I", "count intersections"},
};
constexpr HelpLine playback_help[] = {
    {"Space", "play, pause"},        {". or right arrow", "one frame on"},
    {", or left arrow", "one back"}, {"Home, End", "first, last frame"},
    {"R", "back to the start"},      {"L", "loop"},
};
constexpr HelpLine common_help[] = {
    {"drag the background", "turn the view (Alt: also on the cloth)"},
    {"right or middle drag", "move the view (also Shift)"},
    {"wheel", "nearer, farther"},
    {"F", "all in view"},
    {"1 .. 8, 0", "colour by stretch, shear, bending, speed,"},
    {"", "contact, seam, tension, ease; no colours"},
    {"W, C, M, T", "edges, checker, smooth, flat triangles"},
    {"G, X", "floor, crossings in red"},
    {"Tab", "open or close the panel"},
    {"F12 or S", "save a picture"},
    {"H or F1", "this help"},
    {"Esc or Q", "end"},
};

void draw_help_lines(std::span<const HelpLine> lines) {
    for (const HelpLine& line : lines) {
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        ImGui::PushStyleColor(ImGuiCol_Text, packed(ink::accent));
        ImGui::TextUnformatted(line.keys);
        ImGui::PopStyleColor();
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(line.what);
    }
}

} // namespace

void draw_overlays(Session& session, double scale) {
    ImDrawList* draw = ImGui::GetBackgroundDrawList();
    const Layout& layout = session.layout();
    for (std::size_t i = 0; i < session.panes().size(); ++i) {
        Pane& pane = session.panes()[i];
        const Rectangle& view = layout.panes[i];
        draw->PushClipRect(at(view.x, view.y), at(view.x + view.width, view.y + view.height));
        draw_marks(session, pane, static_cast<int>(i), draw, scale);
        const std::string recipe = pane.source().recipe();
        plate(draw, view.x + 12 * scale, view.y + 12 * scale,
              pane.source().name() + (recipe.empty() ? "" : "  \xc2\xb7  " + recipe), ink::slate,
              scale);
        draw->PopClipRect();
        if (i > 0)
            draw->AddLine(at(view.x, view.y), at(view.x, view.y + view.height), packed(ink::linen),
                          static_cast<float>(2 * scale));
    }
    draw_legend(session, draw, scale);
    if (session.over_cloth() || session.dragging())
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (const std::string notice = session.notice(); !notice.empty()) {
        const double wrap = std::max(120 * scale, layout.view.width - 80 * scale);
        const ImVec2 size =
            ImGui::CalcTextSize(notice.c_str(), nullptr, false, static_cast<float>(wrap));
        const double x = layout.view.x + 0.5 * (layout.view.width - size.x);
        const double y = layout.view.y + 48 * scale, pad = 10 * scale;
        ImDrawList* front = ImGui::GetForegroundDrawList();
        front->AddRectFilled(at(x - pad, y - 0.7 * pad),
                             at(x + size.x + pad, y + size.y + 0.7 * pad), packed(ink::slate, 0.9),
                             static_cast<float>(5 * scale));
        front->AddText(nullptr, 0, at(x, y), packed(ink::linen), notice.c_str(), nullptr,
                       static_cast<float>(wrap));
    }
}

void draw_bar(Session& session, double scale) {
    const Rectangle& r = session.layout().bar;
    ImGui::SetNextWindowPos(at(r.x, r.y));
    ImGui::SetNextWindowSize(at(r.width, r.height));
    ImGui::Begin("bar", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings);
    draw_buttons(session, scale);
    const float help = static_cast<float>(28 * scale), speed = static_cast<float>(84 * scale);
    const float clock = ImGui::CalcTextSize("000.00 s   0.00x real time").x;
    const float spacing = ImGui::GetStyle().ItemSpacing.x;
    const float room = ImGui::GetContentRegionAvail().x - help - spacing;
    const bool wide = room > clock + speed + static_cast<float>(160 * scale);
    draw_frames(session, wide ? room - clock - speed - 2 * spacing : room);
    if (wide) {
        ImGui::SameLine();
        draw_speed(session, speed);
        ImGui::SameLine();
        ImGui::AlignTextToFramePadding();
        text(clock_text(session));
    }
    ImGui::SameLine(ImGui::GetWindowWidth() - help - ImGui::GetStyle().WindowPadding.x);
    if (ImGui::Button("?", {help, 0}))
        session.panels.help = !session.panels.help;
    ImGui::End();
}

void draw_help(Session& session, double scale) {
    if (!session.panels.help)
        return;
    const double width = session.layout().bar.width, height = session.layout().bar.y;
    ImGui::SetNextWindowPos(at(0.5 * width, 0.5 * height), 0, {0.5F, 0.5F});
    ImGui::SetNextWindowSizeConstraints({0, 0}, at(width, height));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, static_cast<float>(8 * scale));
    ImGui::Begin("help", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                     ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings);
    if (ImGui::BeginTable("keys", 2)) {
        session.any_live() ? draw_help_lines(live_help) : draw_help_lines(playback_help);
        ImGui::TableNextRow(0, static_cast<float>(8 * scale));
        draw_help_lines(common_help);
        ImGui::EndTable();
    }
    ImGui::End();
    ImGui::PopStyleVar(2);
}

} // namespace muslin::viewer
