#include "viewer/style.h"

#include "muslin/render/font.h"

#include <imgui.h>

#include <cmath>

namespace muslin::viewer {
namespace {

ImVec4 mix(const Vec3& a, const Vec3& b, double t, double opacity = 1) {
    const Vec3 c = a + t * (b - a);
    return {static_cast<float>(c.x), static_cast<float>(c.y), static_cast<float>(c.z),
            static_cast<float>(opacity)};
}

void set_colors(ImGuiStyle& style) {
    using namespace ink;
    ImGui::StyleColorsLight(&style);
    ImVec4* c = style.Colors;
    const auto linen_to = [](const Vec3& other, double t, double opacity = 1) {
        return mix(linen, other, t, opacity);
    };
    c[ImGuiCol_Text] = mix(slate, slate, 0);
    c[ImGuiCol_TextDisabled] = linen_to(slate, 0.62);
    c[ImGuiCol_WindowBg] = linen_to(linen, 0);
    c[ImGuiCol_PopupBg] = linen_to({1, 1, 1}, 0.5);
    c[ImGuiCol_Border] = linen_to(slate, 0.16);
    c[ImGuiCol_FrameBg] = linen_to(slate, 0.07);
    c[ImGuiCol_FrameBgHovered] = linen_to(accent, 0.16);
    c[ImGuiCol_FrameBgActive] = linen_to(accent, 0.24);
    c[ImGuiCol_SliderGrab] = linen_to(accent, 0.42); // numbers are read through it
    c[ImGuiCol_SliderGrabActive] = linen_to(accent, 0.6);
    c[ImGuiCol_CheckMark] = mix(accent, accent, 0);
    c[ImGuiCol_Button] = linen_to(accent, 0.14);
    c[ImGuiCol_ButtonHovered] = linen_to(accent, 0.28);
    c[ImGuiCol_ButtonActive] = linen_to(accent, 0.42);
    c[ImGuiCol_Header] = linen_to(accent, 0.12);
    c[ImGuiCol_HeaderHovered] = linen_to(accent, 0.22);
    c[ImGuiCol_HeaderActive] = linen_to(accent, 0.32);
    c[ImGuiCol_Separator] = linen_to(slate, 0.16);
    c[ImGuiCol_PlotLines] = mix(accent, accent, 0);
    c[ImGuiCol_PlotLinesHovered] = mix(thread, thread, 0);
    c[ImGuiCol_PlotHistogram] = linen_to(accent, 0.7);
    c[ImGuiCol_ScrollbarBg] = linen_to(linen, 0, 0);
    c[ImGuiCol_ScrollbarGrab] = linen_to(slate, 0.22);
    c[ImGuiCol_ScrollbarGrabHovered] = linen_to(slate, 0.34);
    c[ImGuiCol_ScrollbarGrabActive] = linen_to(slate, 0.45);
    c[ImGuiCol_TextSelectedBg] = linen_to(accent, 0.3);
    c[ImGuiCol_TableHeaderBg] = linen_to(linen, 0);
    c[ImGuiCol_TableRowBgAlt] = linen_to(slate, 0.04);
}

} // namespace

unsigned int packed(const Vec3& color, double opacity) {
    return ImGui::ColorConvertFloat4ToU32(mix(color, color, 0, opacity));
}

void apply_style(double scale, double pixels) {
    ImGuiStyle& style = ImGui::GetStyle();
    style = ImGuiStyle();
    set_colors(style);
    style.WindowPadding = {12, 10};
    style.FramePadding = {7, 3};
    style.ItemSpacing = {7, 5};
    style.ItemInnerSpacing = {6, 4};
    style.FrameRounding = 4;
    style.GrabRounding = 4;
    style.GrabMinSize = 9;
    style.PopupRounding = 4;
    style.ScrollbarSize = 10;
    style.WindowBorderSize = 0;
    style.ScaleAllSizes(static_cast<float>(scale));

    ImGuiIO& io = ImGui::GetIO();
    const auto bytes = font_bytes();
    ImFontConfig config;
    config.FontDataOwnedByAtlas = false;
    config.OversampleH = 2;
    // The signs that panels use beside Latin letters: dashes, dot, powers, arrows.
    static const ImWchar ranges[] = {0x20,   0xFF,   0x2010, 0x2027, 0x2030, 0x2044, 0x2070,
                                     0x209C, 0x2190, 0x2193, 0x2212, 0x2212, 0};
    const double size = 14 * scale;
    io.Fonts->Clear();
    io.Fonts->AddFontFromMemoryTTF(const_cast<unsigned char*>(bytes.data()),
                                   static_cast<int>(bytes.size()),
                                   static_cast<float>(std::round(size * pixels)), &config, ranges);
    io.FontGlobalScale = static_cast<float>(1 / pixels); // rendered at the pixels' own size
}

} // namespace muslin::viewer
