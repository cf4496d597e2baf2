// The bending protocols in full, three resolutions each (docs/validation.md): prints what it
// measures, leaves tables for scripts/plot-validation, and fails where a limit is missed.
//
//     validation_sweep [beam] [cantilever] [drape] [euler] [lateral] [patch] [peirce] [strain]
//     [tip-load]

#include "muslin/base/parallel.h"
#include "validation/bending.h"
#include "validation/drape.h"
#include "validation/jerked_sheet.h"
#include "validation/patch.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>

namespace {

using namespace muslin;
using namespace muslin::validation;

constexpr int resolutions[] = {10, 20, 40};
int missed = 0;

void judge(const char* what, double error, double limit) {
    if (std::abs(error) <= limit)
        return;
    ++missed;
    fmt::print("  MISSED: {}: {:.2f} %, limit {:.2f} %\n", what, 100 * error, 100 * limit);
}

/// A limit that docs/validation.md says is missed: not counted.
void judge_known(const char* what, double error, double limit) {
    fmt::print("  {}: {}: {:.2f} %, limit {:.2f} %\n",
               std::abs(error) <= limit ? "kept, though known as missed" : "known miss", what,
               100 * error, 100 * limit);
}

const char* name(StripMesh mesh) {
    return mesh == StripMesh::m1   ? "M1"
           : mesh == StripMesh::m2 ? "M2"
           : mesh == StripMesh::m3 ? "M3"
                                   : "M4";
}

Strip strip(int rows, StripMesh mesh = StripMesh::m1, const std::string& bending = "bend_bridson") {
    Strip s;
    s.rows = rows;
    s.mesh = mesh;
    s.bending = bending;
    return s;
}

/// The order of convergence from values at 10, 20 and 40 rows, whatever they converge to: free
/// sides keep a strip off the exact value.
double order(const std::map<int, double>& values) {
    return std::log2(std::abs((values.at(20) - values.at(10)) / (values.at(40) - values.at(20))));
}

bool first_row = true;
double cantilever_row(const Strip& s, double gamma) {
    const Cantilever c = cantilever(s, gamma);
    fmt::print("{} {:<12} {:>3} rows  Gamma {:>8.2f}  H/W {:>9.6f}  exact {:>9.6f}  {:>6.2f} %  "
               "tip spread {:.4f} L  speed {:.1e} L/s\n",
               name(s.mesh), s.bending, s.rows, c.gamma, c.ratio.value, c.ratio.reference,
               100 * c.ratio.error(), c.spread, c.speed);
    std::fflush(stdout);
    write_row("cantilever", "mesh,bending,rows,gamma,ratio,reference,spread,speed",
              fmt::format("{},{},{},{},{},{},{},{}", name(s.mesh), s.bending, s.rows, c.gamma,
                          c.ratio.value, c.ratio.reference, c.spread, c.speed),
              first_row);
    first_row = false;
    return c.ratio.error();
}

void sweep_cantilever() {
    fmt::print("B1: cantilever under its own weight\n");
    first_row = true;
    const std::pair<double, std::vector<int>> rows_of[] = {
        {1, {10, 20, 40, 80}}, {2, {10, 20, 40}},   {5, {10, 20, 40}},   {10, {10, 20, 40, 80}},
        {20, {10, 20, 40}},    {50, {20, 40, 80}},  {100, {20, 40, 80}}, {200, {20, 40, 80}},
        {500, {20, 40, 80}},   {1000, {20, 40, 80}}};
    for (const auto& [gamma, list] : rows_of) {
        std::vector<double> errors;
        for (const int rows : list) {
            errors.push_back(cantilever_row(strip(rows), gamma));
            if ((rows == 40 && gamma <= 100) || rows == 80)
                judge("M1", errors.back(), 0.02);
        }
        for (std::size_t k = 2; k < list.size(); ++k)
            fmt::print(
                "  order from {} rows {:.2f}\n", list[k - 2],
                std::log2(std::abs((errors[k - 1] - errors[k - 2]) / (errors[k] - errors[k - 1]))));
    }
    for (const double gamma : {1.0, 10.0, 100.0}) {
        judge("bend_bw, M1 at 40 rows", cantilever_row(strip(40, StripMesh::m1, "bend_bw"), gamma),
              0.02);
        for (const StripMesh mesh : {StripMesh::m2, StripMesh::m3, StripMesh::m4})
            for (const int rows : {20, 40, 80}) {
                if (rows == 80 && (gamma != 100 || mesh == StripMesh::m4))
                    continue;
                const double error = cantilever_row(strip(rows, mesh), gamma);
                if (mesh == StripMesh::m3 && rows == 40)
                    (gamma < 100 ? judge : judge_known)("M3 at 40 rows", error, 0.05);
                if (mesh == StripMesh::m2 && rows == 40)
                    judge("M2 at 40 rows", error, 0.08);
            }
    }
}

void sweep_patch() {
    fmt::print("A0: a patch on a cylinder, rigidity shown over D\n");
    for (const auto& [mesh, text] : {std::pair{"M1", patch_m1()}, std::pair{"M4", patch_m4()}}) {
        const Shown shown = patch(text, 0.36, BendLaw::half_angle);
        fmt::print("  {}: {:.4f} to {:.4f}\n", mesh, shown.least, shown.greatest);
    }
    std::vector<double> spreads;
    Shown worst;
    for (int seed = 1; seed <= 40; ++seed) {
        const Shown shown = patch(patch_m3(seed), 0.36, BendLaw::half_angle);
        if (seed == 1)
            fmt::print("  M3: {:.4f} to {:.4f}\n", shown.least, shown.greatest);
        worst.least = std::min(worst.least, shown.least);
        worst.greatest = std::max(worst.greatest, shown.greatest);
        spreads.push_back(shown.greatest / shown.least - 1);
    }
    std::sort(spreads.begin(), spreads.end());
    fmt::print("  M3, 40 seeds: {:.4f} to {:.4f}; spread by direction {:.1f} to {:.1f} %, median "
               "{:.1f} %, {} within 5 %\n",
               worst.least, worst.greatest, 100 * spreads.front(), 100 * spreads.back(),
               100 * spreads[20],
               std::count_if(spreads.begin(), spreads.end(), [](double s) { return s < 0.05; }));
    judge_known("M3, median spread by direction", spreads[20], 0.05);
}

void sweep_peirce() {
    fmt::print("B2: chord angle at Gamma = 8.004, 41.5 degrees\n");
    for (const int rows : resolutions) {
        const Cantilever c = cantilever(strip(rows), 8.004197);
        const double angle = std::atan(c.ratio.value) * 180 / std::numbers::pi;
        fmt::print("  {:>3} rows: {:.3f} degrees\n", rows, angle);
        write_row("peirce", "rows,angle", fmt::format("{},{}", rows, angle), rows == 10);
        if (rows == 40)
            judge("chord angle", (angle - 41.5) / 41.5, 0.4 / 41.5);
    }
}

void sweep_tip_load() {
    fmt::print("B3: load at the free edge\n");
    bool first = true;
    for (const std::string bending : {"bend_bridson", "bend_bw"})
        for (const double alpha : {1.0, 2.0, 5.0, 10.0}) {
            std::map<int, double> errors;
            for (const int rows : resolutions) {
                if (bending == "bend_bw" && rows != 40)
                    continue;
                const TipLoad t = tip_load(strip(rows, StripMesh::m1, bending), alpha);
                fmt::print("{:<12} {:>3} rows  alpha {:>4}  v {:.6f} ({:+.2f} %)  u {:.6f} "
                           "({:+.2f} %)  speed {:.1e} L/s\n",
                           bending, rows, alpha, t.drop.value, 100 * t.drop.error(),
                           t.shortening.value, 100 * t.shortening.error(), t.speed);
                std::fflush(stdout);
                write_row("tip_load", "bending,rows,alpha,drop,drop_exact,shortening,short_exact",
                          fmt::format("{},{},{},{},{},{},{}", bending, rows, alpha, t.drop.value,
                                      t.drop.reference, t.shortening.value, t.shortening.reference),
                          first);
                first = false;
                errors[rows] = t.drop.error();
                if (rows >= 40) {
                    judge("drop", t.drop.error(), 0.01);
                    judge("shortening", t.shortening.error(), 0.01);
                }
            }
            if (errors.size() == 3)
                fmt::print("  order {:.2f}\n", order(errors));
        }
}

void sweep_lateral() {
    fmt::print("B4: lateral buckling, b / L = 0.2; nu = -1/3: 22.156\n");
    bool first = true;
    // Rows along L; across b there are about 4, 8 and 16. Gammas just above the critical one.
    const std::map<int, std::vector<double>> gammas = {
        {23, {24.2, 24, 23.9, 23.8}}, {46, {23.4, 23.2, 23.1, 23}}, {92, {23, 22.9, 22.8, 22.7}}};
    for (const auto& [rows, list] : gammas) {
        Strip s = strip(rows);
        s.width = 0.04;
        s.stretch = 1e5;
        const Lateral l = lateral(s, list);
        for (std::size_t i = 0; i < list.size(); ++i) {
            fmt::print("  {:>3} rows  Gamma {:>6.2f}  offset {:.5f} L\n", rows, l.gamma[i],
                       l.offset[i]);
            write_row("lateral", "rows,gamma,offset,critical",
                      fmt::format("{},{},{},{}", rows, l.gamma[i], l.offset[i], l.critical), first);
            first = false;
        }
        fmt::print("  {:>3} rows: critical Gamma {:.3f} ({:+.2f} %)  speed {:.1e} L/s\n", rows,
                   l.critical, 100 * (l.critical / 22.156 - 1), l.speed);
        std::fflush(stdout);
        if (rows == 92)
            judge("critical Gamma", l.critical / 22.156 - 1, 0.03);
    }
}

void sweep_euler() {
    fmt::print("B6: pinned strip, shortened\n");
    bool first = true;
    for (const std::string bending : {"bend_bridson", "bend_bw"})
        for (const double e : {0.0076033637, 0.030269093, 0.11879649, 0.25898039}) {
            std::map<int, double> errors;
            for (const int rows : resolutions) {
                if (bending == "bend_bw" && rows != 40)
                    continue;
                const Euler b = euler(strip(rows, StripMesh::m1, bending), e);
                fmt::print("{:<12} {:>3} rows  e {:.5f}  height {:.6f} ({:+.2f} %)  P {:.4f} "
                           "({:+.2f} %)  speed {:.1e} L/s\n",
                           bending, rows, e, b.height.value, 100 * b.height.error(), b.force.value,
                           100 * b.force.error(), b.speed);
                std::fflush(stdout);
                write_row("euler", "bending,rows,shortening,height,height_exact,force,force_exact",
                          fmt::format("{},{},{},{},{},{},{}", bending, rows, e, b.height.value,
                                      b.height.reference, b.force.value, b.force.reference),
                          first);
                first = false;
                errors[rows] = b.force.error();
                if (rows >= 40) {
                    judge("height", b.height.error(), 0.01);
                    judge("force", b.force.error(), 0.03);
                }
            }
            if (errors.size() == 3)
                fmt::print("  order of the force {:.2f}\n", order(errors));
        }
}

void sweep_beam() {
    fmt::print("D2: free vibration, variable_step\n");
    bool first = true, first_response = true;
    std::map<int, double> found[3];
    for (const int rows : {10, 20, 40})
        for (const int mode : {1, 2}) {
            Strip s = strip(rows);
            s.stretch = 50; // Y L^2 / D = 2000: no part in small bending, and long steps
            const Beam b = beam(s, mode, mode == 1 ? 1 : 2);
            found[mode][rows] = b.frequency.value;
            fmt::print("  {:>3} rows  mode {}: {:.5f} Hz, exact {:.5f} ({:+.2f} %)\n", rows, mode,
                       b.frequency.value, b.frequency.reference, 100 * b.frequency.error());
            std::fflush(stdout);
            write_row(
                "beam", "rows,mode,frequency,reference",
                fmt::format("{},{},{},{}", rows, mode, b.frequency.value, b.frequency.reference),
                first);
            first = false;
            for (std::size_t i = 0; mode == 1 && i < b.time.size(); ++i) {
                write_row(
                    "beam_response", "rows,phase,modal",
                    fmt::format("{},{},{}", rows, b.time[i] * b.frequency.reference, b.modal[i]),
                    first_response);
                first_response = false;
            }
            if (rows == 40)
                judge("frequency", b.frequency.error(), 0.01);
        }
    const double ratio = found[2][40] / found[1][40];
    fmt::print("  f2 / f1 {:.4f}, exact 6.2669\n", ratio);
    judge("f2 / f1", ratio / 6.2669 - 1, 0.01);
}

void drape_row(int rows, bool by_damping, bool first) {
    const Drape d = drape(rows, "bend_bridson", by_damping);
    fmt::print("  {:>3} rows{}  above {:.5f} m^2  side {:.5f} m^2  lowest {:.4f} m  elastic {:.6f} "
               "J  weight {:.6f} J  speed {:.1e} m/s\n",
               rows, by_damping ? ", damped" : "", d.above, d.side, d.lowest, d.elastic, d.gravity,
               d.speed);
    std::fflush(stdout);
    write_row("drape", "rows,damped,above,side,lowest,elastic,gravity",
              fmt::format("{},{},{},{},{},{},{}", rows, int(by_damping), d.above, d.side, d.lowest,
                          d.elastic, d.gravity),
              first);
}

void sweep_drape() {
    fmt::print("Drape of a held square\n");
    for (const int rows : {26, 54, 110})
        drape_row(rows, false, rows == 26);
    drape_row(26, true, false);
}

void sweep_strain() {
    fmt::print("The jerked sheet, every step to its end, 1.5 s\n");
    bool first = true;
    for (const double beyond : {0.04, 0.08}) {
        const Jerked j = run_jerked_sheet(1.5, beyond, [&](double time, const Jerked& step) {
            write_row(
                "strain", "beyond,time,least,greatest,sweeps",
                fmt::format("{},{},{},{},{}", beyond, time, step.least, step.greatest, step.sweeps),
                first);
            first = false;
        });
        fmt::print("  pins {:.0f} % beyond the width: {} steps, strain {:.2f} to {:+.2f} %, {:.0f} "
                   "sweeps a step, at most {}\n",
                   100 * beyond, j.steps, 100 * j.least, 100 * j.greatest,
                   double(j.sweeps) / j.steps, j.most_sweeps);
        std::fflush(stdout);
        if (beyond > 0.05)
            continue; // near the limit: that it goes on is what is asked
        judge("extension beyond 10 %", std::max(0.0, j.greatest - 0.1), 0.01);
        judge("compression", std::min(0.0, j.least), 0.01);
    }
}

} // namespace

int main(int argc, char** argv) {
    const std::map<std::string, std::function<void()>> all = {
        {"cantilever", sweep_cantilever}, {"peirce", sweep_peirce}, {"tip-load", sweep_tip_load},
        {"lateral", sweep_lateral},       {"euler", sweep_euler},   {"beam", sweep_beam},
        {"drape", sweep_drape},           {"strain", sweep_strain}, {"patch", sweep_patch}};
    for (int i = 1; i < argc; ++i)
        if (!all.count(argv[i])) {
            fmt::print(stderr, "validation_sweep: no protocol '{}'\n", argv[i]);
            return 2;
        }
    for (const auto& [protocol, run] : all)
        if (argc == 1 ||
            std::count_if(argv + 1, argv + argc, [&](const char* a) { return protocol == a; }) > 0)
            run();
    fmt::print("{}\n", missed == 0 ? "every limit kept" : fmt::format("{} limits missed", missed));
    return missed == 0 ? 0 : 1;
}
