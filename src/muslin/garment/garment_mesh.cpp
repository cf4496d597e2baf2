#include "muslin/garment/garment_mesh.h"

#include "muslin/garment/panel_frame.h"
#include "muslin/pattern/outline_mesh.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace muslin {
namespace {

/// How far from an edge its map reaches on the panel [m].
constexpr double map_reach = 0.1;

/// Into how many parts each edge of each panel is cut; zero where no seam asks.
std::vector<std::vector<int>> count_segments(const Pattern& pattern, double edge) {
    std::vector<std::vector<int>> out;
    for (const PatternPanel& panel : pattern.panels)
        out.emplace_back(panel.edges.size(), 0);
    for (const PatternStitch& stitch : pattern.stitches) {
        double longest = 0;
        for (const PatternStitch::Side& side : stitch.sides)
            longest = std::max(longest, edge_length(pattern.panels[side.panel], side.edge));
        const int count = std::max(1, static_cast<int>(std::ceil(longest / edge - 1e-9)));
        for (const PatternStitch::Side& side : stitch.sides)
            out[side.panel][side.edge] = count;
    }
    return out;
}

void add_panel(const PatternPanel& panel, const PanelMesh& cut, GarmentMesh& out) {
    PolygonMesh& mesh = out.mesh;
    const int first = static_cast<int>(mesh.positions.size());
    const int group = static_cast<int>(mesh.group_names.size());
    const PanelFrame frame(panel);
    const bool faces_down = doubled_area(panel) < 0;
    mesh.group_names.push_back(panel.name);
    for (const Vec2& p : cut.points) {
        mesh.positions.push_back(frame.place(p));
        mesh.texcoords.push_back(p);
        out.vertex_panel.push_back(group);
    }
    for (std::array<int, 3> corners : cut.triangles) {
        if (faces_down)
            std::swap(corners[1], corners[2]);
        for (const int c : corners) {
            mesh.corner_vertex.push_back(first + c);
            mesh.corner_texcoord.push_back(first + c);
        }
        mesh.face_begin.push_back(static_cast<int>(mesh.corner_vertex.size()));
        mesh.face_group.push_back(group);
    }
}

std::string side_name(const Pattern& pattern, const PatternStitch::Side& side) {
    const PatternPanel& panel = pattern.panels[side.panel];
    const std::string& label = panel.edges[side.edge].label;
    return label.empty() ? fmt::format("{}.{}", panel.name, side.edge)
                         : fmt::format("{}.{}", panel.name, label);
}

} // namespace

GarmentMesh make_garment(const Pattern& pattern, double edge) {
    const auto segments = count_segments(pattern, edge);
    GarmentMesh out;
    std::vector<PanelMesh> cut;
    std::vector<int> first; // vertex of each panel
    for (std::size_t p = 0; p < pattern.panels.size(); ++p) {
        cut.push_back(mesh_panel(pattern.panels[p], edge, segments[p]));
        first.push_back(static_cast<int>(out.mesh.positions.size()));
        add_panel(pattern.panels[p], cut.back(), out);
    }
    for (const PatternStitch& stitch : pattern.stitches) {
        GarmentMesh::Seam& seam = out.seams.emplace_back();
        const auto& [a, b] = stitch.sides;
        seam.name = !stitch.name.empty() ? stitch.name
                                         : side_name(pattern, a) + "-" + side_name(pattern, b);
        seam.stage = stitch.stage;
        const std::vector<int>& from = cut[a.panel].edge_points[a.edge];
        const std::vector<int>& to = cut[b.panel].edge_points[b.edge];
        const std::size_t n = from.size();
        for (std::size_t i = 0; i < n; ++i) {
            const int v = first[a.panel] + from[i];
            const int w = first[b.panel] + to[stitch.direct ? i : n - 1 - i];
            if (v != w) // the tip of a dart
                seam.joints.push_back({v, w});
        }
    }
    return out;
}

std::vector<double> edge_map(const Pattern& pattern, const GarmentMesh& garment,
                             const std::string& name) {
    std::vector<double> out;
    for (std::size_t p = 0; p < pattern.panels.size(); ++p) {
        const PatternPanel& panel = pattern.panels[p];
        std::vector<Vec2> line;
        for (std::size_t e = 0; e < panel.edges.size(); ++e) {
            const std::string& label = panel.edges[e].label;
            const bool meant = (!label.empty() && name == label) ||
                               name == fmt::format("{}.{}", panel.name, e) ||
                               (!label.empty() && name == panel.name + "." + label);
            if (!meant)
                continue;
            out.resize(garment.mesh.positions.size(), 0.0);
            // Far finer than any mesh of the panel.
            line = sample_edge(panel, static_cast<int>(e), 200);
            for (std::size_t v = 0; v < out.size(); ++v) {
                if (garment.vertex_panel[v] != static_cast<int>(p))
                    continue;
                double nearest = map_reach;
                for (std::size_t i = 0; i + 1 < line.size(); ++i)
                    nearest = std::min(nearest, distance_to_segment(garment.mesh.texcoords[v],
                                                                    line[i], line[i + 1]));
                // On the edge itself a chord may pass a little beside the vertex.
                const double value = 1 - nearest / map_reach;
                out[v] = std::max(out[v], value > 1 - 1e-3 ? 1.0 : value);
            }
        }
    }
    return out;
}

} // namespace muslin
