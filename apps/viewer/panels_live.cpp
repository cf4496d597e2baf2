// The parts of the side panel that change a simulation, and what a picked particle feels.
#include "viewer/panels.h"

#include "muslin/scene/builtin.h"
#include "muslin/scene/load.h"
#include "viewer/style.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace muslin::viewer {
namespace {

// The first simulation: what its fabric and wind are, all have.
LiveSource* first_live(Session& session) {
    if (LiveSource* live = session.active_live())
        return live;
    for (Pane& pane : session.panes())
        if (LiveSource* live = pane.source().live())
            return live;
    return nullptr;
}

struct Property {
    const char* label;
    double Material::*value;
    double unit; ///< of the slider, in that of the material: ImGui's sliders round tiny numbers
    const char* format;
    double low, high; ///< of the slider
    bool logarithmic = true;
};

constexpr std::array properties = {
    Property{"Density", &Material::density, 1e-3, "%.4g g/m\xc2\xb2", 20, 2000},
    Property{"Stretch u", &Material::stretch_u, 1, "%.4g N/m", 10, 1e5},
    Property{"Stretch v", &Material::stretch_v, 1, "%.4g N/m", 10, 1e5},
    Property{"Shear", &Material::shear, 1, "%.4g N/m", 1, 1e4},
    Property{"Bend u", &Material::bend_u, 1e-6, "%.4g \xc2\xb5N m", 0.1, 1e4},
    Property{"Bend v", &Material::bend_v, 1e-6, "%.4g \xc2\xb5N m", 0.1, 1e4},
    Property{"Stretch damping", &Material::stretch_damping, 1, "%.4g N s/m", 0.01, 1e3},
    Property{"Shear damping", &Material::shear_damping, 1e-3, "%.4g mN s/m", 0.1, 1e5},
    Property{"Bend damping", &Material::bend_damping, 1e-9, "%.4g nN m s", 0.1, 1e6},
    Property{"Friction", &Material::friction, 1, "%.2f", 0, 1.5, false},
    Property{"Thickness", &Material::thickness, 1e-3, "%.3g mm", 0.05, 10},
};

bool slider(const Property& property, Material& material) {
    double value = material.*property.value / property.unit;
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x * 0.56F);
    const bool changed = ImGui::SliderScalar(
        property.label, ImGuiDataType_Double, &value, &property.low, &property.high,
        property.format,
        ImGuiSliderFlags_AlwaysClamp | (property.logarithmic ? ImGuiSliderFlags_Logarithmic : 0));
    if (changed)
        material.*property.value = value * property.unit;
    return changed;
}

void send_material(Session& session, int cloth, const Material& material) {
    session.send(fmt::format("material {}", cloth), [cloth, material](LiveSimulation& s) {
        if (cloth < static_cast<int>(s.scene().cloths.size()))
            s.set_material(cloth, material);
    });
}

std::string vector_text(const Vec3& v, int digits) {
    return fmt::format("({:.{}f}, {:.{}f}, {:.{}f})", v.x, digits, v.y, digits, v.z, digits);
}

// Names of forces as a tailor would say them.
std::string plain_name(const std::string& name) {
    if (name == "stretch_bw+shear_bw")
        return "stretch, shear";
    if (name == "edge_springs" || name == "strain_rosette" || name == "mass_spring")
        return "stretch";
    if (name == "bend_shape" || name == "bend_bw" || name == "bend_bridson" ||
        name == "bend_volino" || name == "flexion_springs" || name == "curvature_energy")
        return "bending";
    if (name == "air_drag")
        return "air";
    if (name == "outside")
        return "hand, pulls";
    if (name == "bw98_contact")
        return "contact";
    return name;
}

std::string newtons(double force) {
    return std::abs(force) < 1e-6 ? "0" : fmt::format("{:.2g}", force);
}

void draw_forces(const ParticleReport& report) {
    if (!ImGui::BeginTable("forces", 4, ImGuiTableFlags_RowBg))
        return;
    ImGui::TableSetupColumn("Force [N]", ImGuiTableColumnFlags_WidthStretch, 1.6F);
    for (const char* axis : {"x", "y", "z"})
        ImGui::TableSetupColumn(axis, ImGuiTableColumnFlags_WidthStretch, 1);
    ImGui::TableHeadersRow();
    const auto row = [](const std::string& name, const Vec3& force) {
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        text(name);
        for (int i = 0; i < 3; ++i) {
            ImGui::TableNextColumn();
            text(newtons(force[i]));
        }
    };
    for (const ParticleReport::Part& part : report.forces)
        row(plain_name(part.name), part.force);
    row("total", report.total);
    ImGui::EndTable();
}

} // namespace

void draw_wind(Session& session) {
    LiveSource* live = first_live(session);
    if (!live)
        return;
    const auto view = live->view();
    if (!view->has_air) {
        text("This scene has no air.");
        return;
    }
    std::array<float, 3> wind = {static_cast<float>(view->wind.x), static_cast<float>(view->wind.y),
                                 static_cast<float>(view->wind.z)};
    bool changed = false;
    const char* axes[] = {"x", "y", "z"};
    const float width =
        (ImGui::GetContentRegionAvail().x - 2 * ImGui::GetStyle().ItemSpacing.x) / 3;
    for (int i = 0; i < 3; ++i) {
        if (i > 0)
            ImGui::SameLine();
        ImGui::SetNextItemWidth(width);
        changed |= ImGui::SliderFloat(fmt::format("##wind {}", axes[i]).c_str(), &wind[i], -12, 12,
                                      fmt::format("{} %.1f m/s", axes[i]).c_str());
    }
    if (wind[0] != 0 || wind[1] != 0 || wind[2] != 0)
        if (ImGui::SmallButton("Still air")) {
            wind = {0, 0, 0};
            changed = true;
        }
    if (changed)
        session.send("wind", [wind](LiveSimulation& s) {
            s.set_wind({static_cast<double>(wind[0]), static_cast<double>(wind[1]),
                        static_cast<double>(wind[2])});
        });
}

void draw_fabric(Session& session, double) {
    LiveSource* live = first_live(session);
    if (!live)
        return;
    const auto view = live->view();
    const int cloths = static_cast<int>(view->materials.size());
    int& chosen = session.panels.fabric_cloth;
    chosen = std::clamp(chosen, 0, cloths - 1);
    if (cloths > 1) {
        ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x * 0.56F);
        if (ImGui::BeginCombo("Cloth", live->surfaces()[chosen].name.c_str())) {
            for (int i = 0; i < cloths; ++i)
                if (ImGui::Selectable(live->surfaces()[i].name.c_str(), i == chosen))
                    chosen = i;
            ImGui::EndCombo();
        }
    }
    Material material = view->materials[chosen];
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x * 0.56F);
    if (ImGui::BeginCombo("Fabric", material.name.c_str())) {
        for (const BuiltinFile& file : builtin_materials()) {
            const std::string name(file.name);
            if (ImGui::Selectable(name.c_str(), name == material.name))
                send_material(session, chosen, load_material(name));
        }
        ImGui::EndCombo();
    }
    bool changed = false;
    for (const Property& property : properties)
        changed |= slider(property, material);
    if (changed)
        send_material(session, chosen, material);
}

void draw_particle(Session& session) {
    const auto& picked = session.picked();
    if (!picked) {
        ImGui::TextDisabled(session.any_live() ? "Click the cloth; drag to pull it."
                                               : "Click the cloth.");
        return;
    }
    Pane& pane = session.panes()[picked->pane];
    const Surface& surface = pane.source().surfaces()[picked->at.cloth];
    text(fmt::format("Vertex {} of {}", picked->at.vertex, surface.name));
    const Vec3 x = pane.vertex(picked->at.cloth, picked->at.vertex);
    text(fmt::format("at {} m", vector_text(x, 3)));
    LiveSource* live = pane.source().live();
    const auto view = live ? live->view() : nullptr;
    if (!view || !view->watched)
        return;
    const ParticleReport& report = view->report;
    for (const std::string& region : report.regions)
        text("in region " + region);
    text(fmt::format("speed {:.3f} m/s, mass {:.3g} g", norm(report.velocity), 1e3 * report.mass));
    if (ImGui::SmallButton(report.pinned ? "Unpin (P)" : "Pin (P)"))
        session.toggle_pin();
    if (report.contact_normal > 0) {
        ImGui::SameLine();
        text(fmt::format("contact {:.3g} N", report.contact_normal));
    }
    draw_forces(report);
}

} // namespace muslin::viewer
