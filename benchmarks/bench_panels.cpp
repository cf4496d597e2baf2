// Random panels in triangles: how many are meshed and how many refused, of each kind, and how long
// it takes. `make panel-meshes` runs it; --panels N and --seed S for others, --picture FILE.svg for
// the picture of docs/panels.md.

#include "processor_time.h"

#include "muslin/base/error.h"
#include "pattern/panel_referee.h"
#include "pattern/random_panels.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>

namespace {

using namespace muslin;
using bench::milliseconds;

struct Count {
    int made = 0, meshed = 0, faults = 0, no_outline = 0, details = 0;
};

void print(const std::string& kind, const Count& c) {
    fmt::print("{:10} {:6} {:8} {:12} {:10} {:8}\n", kind, c.made, c.meshed, c.no_outline,
               c.details, c.faults);
}

/// Refused by check_panel: no outline. Refused after it: details too small.
bool is_outline(const PatternPanel& panel) {
    try {
        check_panel(panel);
    } catch (const InputError&) {
        return false;
    }
    return true;
}

bool run_random(int panels, std::uint64_t seed) {
    test::PanelMaker maker(seed);
    std::map<std::string, Count> kinds;
    Count all;
    std::size_t vertices = 0;
    double time = 0;
    for (int i = 0; i < panels; ++i) {
        const test::RandomPanel made = maker.make(i);
        Count one;
        one.made = 1;
        PanelMesh mesh;
        std::string refusal;
        time += milliseconds(
            [&] {
                try {
                    mesh = mesh_panel(made.panel, made.length, made.segments);
                } catch (const InputError& error) {
                    refusal = error.what();
                }
            },
            1);
        vertices += mesh.points.size();
        if (!refusal.empty()) {
            (is_outline(made.panel) ? one.details : one.no_outline) = 1;
            one.faults =
                refusal.find("panel '" + made.panel.name + "', edge ") == std::string::npos;
        } else {
            const std::string fault = test::find_fault(made, mesh);
            (fault.empty() ? one.meshed : one.faults) = 1;
            if (!fault.empty())
                fmt::print("{}: {}\n", made.panel.name, fault);
        }
        for (Count* c : {&kinds[made.kind], &all}) {
            c->made += one.made;
            c->meshed += one.meshed;
            c->no_outline += one.no_outline;
            c->details += one.details;
            c->faults += one.faults;
        }
    }
    fmt::print("{:10} {:>6} {:>8} {:>12} {:>10} {:>8}\n", "kind", "made", "meshed", "no outline",
               "too small", "faults");
    for (const auto& [kind, count] : kinds)
        print(kind, count);
    print("all", all);
    fmt::print("{} vertices, {:.2f} s\n", vertices, time / 1000);
    return all.faults == 0 && all.meshed >= 0.95 * all.made;
}

/// The first random panel of a kind, with edges for about so many vertices.
test::RandomPanel panel_of(const std::string& kind, int vertices, std::uint64_t seed, int skip) {
    test::PanelMaker maker(seed);
    for (int i = 0;; ++i) {
        test::RandomPanel made = maker.make(i);
        if (made.kind != kind || skip-- > 0)
            continue;
        if (vertices > 0) {
            made.segments.clear();
            made.length = std::sqrt(std::abs(doubled_area(made.panel)) / 2 / (0.866 * vertices));
        }
        return made;
    }
}

void run_large() {
    for (const char* kind : {"bodice", "skirt", "trousers"}) {
        const test::RandomPanel made = panel_of(kind, 10000, 1, 0);
        PanelMesh mesh;
        const double best = milliseconds([&] { mesh = mesh_panel(made.panel, made.length); }, 3);
        fmt::print("{}: {} vertices in {:.0f} ms\n", kind, mesh.points.size(), best);
    }
}

/// Panels side by side.
void draw(const std::string& file) {
    struct Drawn {
        const char* kind;
        int skip, vertices;
    };
    std::string body;
    double x = 12, height = 0;
    for (const Drawn& d : {Drawn{"bodice", 12, 260}, Drawn{"skirt", 10, 260},
                           Drawn{"holes", 8, 260}, Drawn{"trousers", 3, 110}}) {
        test::RandomPanel made = panel_of(d.kind, d.vertices, 2, d.skip);
        const PanelMesh mesh = mesh_panel(made.panel, made.length);
        Vec2 low = mesh.points[0], high = low;
        for (const Vec2& p : mesh.points) {
            low = {std::min(low.x, p.x), std::min(low.y, p.y)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y)};
        }
        const double scale = 12 / made.length;
        const auto at = [&](int v) {
            return fmt::format("{:.1f} {:.1f}", x + scale * (mesh.points[v].x - low.x),
                               12 + scale * (high.y - mesh.points[v].y));
        };
        body += "<path class='t' d='";
        for (const auto& [a, b, c] : mesh.triangles)
            body += fmt::format("M{}L{}L{}Z", at(a), at(b), at(c));
        body += "'/>\n<path class='e' d='";
        for (const auto& edge : mesh.edge_points)
            for (std::size_t i = 0; i < edge.size(); ++i)
                body += fmt::format("{}{}", i == 0 ? "M" : "L", at(edge[i]));
        body += "'/>\n";
        x += scale * (high.x - low.x) + 24;
        height = std::max(height, scale * (high.y - low.y) + 24);
    }
    std::ofstream(file) << fmt::format(
        "<svg xmlns='http://www.w3.org/2000/svg' width='{0:.0f}' height='{1:.0f}' "
        "viewBox='0 0 {0:.0f} {1:.0f}'>\n<style>.t{{fill:#e3eefa;stroke:#456;stroke-width:.6}}"
        ".e{{fill:none;stroke:#a22;stroke-width:1.6}}</style>\n"
        "<rect width='100%' height='100%' fill='white'/>\n{2}</svg>\n",
        x - 12, height, body);
}

} // namespace

int main(int count, char** words) {
    int panels = 1000;
    std::uint64_t seed = 1;
    for (int i = 1; i + 1 < count; i += 2) {
        if (std::strcmp(words[i], "--panels") == 0)
            panels = std::atoi(words[i + 1]);
        else if (std::strcmp(words[i], "--seed") == 0)
            seed = static_cast<std::uint64_t>(std::atoll(words[i + 1]));
        else if (std::strcmp(words[i], "--picture") == 0)
            return draw(words[i + 1]), 0;
    }
    const bool good = run_random(panels, seed);
    run_large();
    return good ? 0 : 1;
}
