// Protocols "drape" and "truth": drapes at many resolutions beside a membrane that is refined and
// not softened. The truth takes an hour, so it is kept in tests/referee/drape_truth.csv; `referee
// truth` measures it and prints the rows of that file.

#include "referee/protocols/drape.h"
#include "referee/protocols/protocols.h"

#include <fmt/format.h>

#include <cmath>

namespace muslin::referee {

namespace {

const std::filesystem::path folder = std::filesystem::path(MUSLIN_REFEREE_FOLDER);
// The membrane as it is without any softening in compression.
const std::vector<std::string> unsoftened = {"parts.in_plane=stretch_shear_limited"};
const char* const fabrics[] = {"cotton", "denim", "silk-charmeuse", "silk-chiffon"};

double itself(double shadow) {
    return shadow;
}

DrapeMean sphere_mean(Mesh mesh, int vertices, double fps, int variants) {
    std::vector<Drape> drapes;
    for (int k = 1; k <= variants; ++k) {
        drapes.push_back(
            run_drape(SphereDrape{.mesh = mesh, .vertices = vertices, .variant = k, .fps = fps}));
        fmt::print(stderr, "    variant {}: {:.4f} m^2, {} folds, {:.1e} m/s after {:.1f} s\n", k,
                   drapes.back().shadow, drapes.back().folds, drapes.back().speed,
                   drapes.back().time);
    }
    return mean_of(drapes, itself);
}

void report_sphere(const DrapeMean& found, double part, Report& report) {
    const auto truths = read_truths(folder / "drape_truth.csv");
    const auto truth = truths.find("sphere");
    report.inform("shadow spread", found.spread, "m^2");
    if (part <= 0) { // a coarse mesh, of which nothing is asked
        report.inform("shadow", found.value, "m^2");
        report.inform("folds", found.folds, "");
    } else if (truth == truths.end()) {
        report.without_truth("shadow", found.value, "no truth yet", "m^2");
        report.without_truth("folds", found.folds, "no truth yet", "");
    } else {
        report.within("shadow", found.value, truth->second.value, part, "m^2");
        report.near("folds", found.folds, truth->second.folds,
                    1 + std::max(found.folds_spread, truth->second.folds_spread), "");
    }
    report.at_most("speed left", found.speed, 5e-3, "m/s");
    report.inform("at rest after, the last", found.time, "s");
}

Case sphere(Mesh mesh, int vertices, int variants, Extent least) {
    return {"drape", "sphere",
            fmt::format("{} {}, mean of {}", vertex_count(mesh, vertices), name_of(mesh), variants),
            least, [=](Report& report) {
                const double part = vertices < 2600 ? 0 : vertices < 10000 ? 0.1 : 0.05;
                report_sphere(sphere_mean(mesh, vertices, 30, variants), part, report);
            }};
}

// The same drape at other frame rates, each a mean over the variants.
Case frame_rates(int variants) {
    return {"drape", "rates", fmt::format("sphere, 2601 irregular, mean of {}", variants),
            Extent::usual, [=](Report& report) {
                std::map<double, double> shadows;
                double mean = 0;
                for (const double fps : {24.0, 30.0, 60.0, 120.0})
                    mean += 0.25 * (shadows[fps] =
                                        sphere_mean(Mesh::irregular, 2601, fps, variants).value);
                for (const auto& [fps, shadow] : shadows)
                    report.within(fmt::format("shadow, {} fps", fps), shadow, mean, 0.03, "m^2");
            }};
}

Case cusick(const std::string& fabric, int vertices, Extent least) {
    return {"drape", "cusick", fmt::format("{}, {} vertices", fabric, vertices), least,
            [=](Report& report) {
                const Drape d = run_drape(CusickDrape{.material = fabric, .vertices = vertices});
                const double found = 100 * drape_coefficient(d.shadow);
                const auto truths = read_truths(folder / "drape_truth.csv");
                const auto truth = truths.find("cusick " + fabric);
                if (truth == truths.end())
                    report.without_truth("drape coefficient", found, "no truth yet", "%");
                else
                    report.near("drape coefficient", found, 100 * truth->second.value, 4, "%");
                const auto ranges = read_ranges(folder / "cusick_published.csv");
                const auto range = ranges.find(fabric);
                if (range == ranges.end())
                    report.without_truth("published range", found, "no published range yet", "%");
                else
                    report.between("published range", found, range->second.low, range->second.high,
                                   "%");
                report.inform("folds", d.folds, "");
                report.at_most("speed left", d.speed, 2e-3, "m/s");
            }};
}

// The row of drape_truth.csv from means of two sizes.
std::string truth_row(const std::string& name, int coarse_size, const DrapeMean& coarse,
                      int fine_size, const DrapeMean& fine, const std::string& how) {
    // The error of linear triangles that lock falls at least with the edge.
    const double edges = std::sqrt(double(fine_size) / coarse_size), rest = 1 / (edges - 1);
    const double value = fine.value + rest * (fine.value - coarse.value);
    return fmt::format("{},{:.5f},{:.5f},{},{},{}", name, value,
                       std::max(fine.spread, rest * std::abs(fine.value - coarse.value)),
                       fine.folds, fine.folds_spread, how);
}

// Reports the drapes of each size and prints a row from each two sizes that follow each other:
// a run that is ended early leaves what it has reached.
template <class Test>
void report_truth(const std::string& name, const std::vector<std::pair<std::string, Test>>& tests,
                  const std::vector<int>& sizes, const std::function<double(double)>& of,
                  const std::string& unit, Report& report) {
    std::vector<std::vector<Drape>> drapes(sizes.size());
    for (const auto& [which, test] : tests) {
        std::size_t k = 0;
        refine_drape(test, sizes, 4, [&](int vertices, const Drape& drape) {
            report.inform(fmt::format("{} {}", vertices, which), of(drape.shadow), unit);
            report.inform("folds", drape.folds, "");
            report.inform("speed left", drape.speed, "m/s");
            report.inform("change in 0.5 s", 100 * drape.change, "%");
            drapes[k++].push_back(drape);
            if (k < 2)
                return;
            fmt::print("{}\n",
                       truth_row(name, sizes[k - 2], mean_of(drapes[k - 2], of), sizes[k - 1],
                                 mean_of(drapes[k - 1], of),
                                 fmt::format("{} then {} in place; {} of {}", sizes[k - 2],
                                             sizes[k - 1], drapes[k - 1].size(), tests.size())));
            std::fflush(stdout);
        });
    }
}

Case sphere_truth(const std::vector<Mesh>& meshes) {
    std::string kinds;
    for (const Mesh mesh : meshes)
        kinds += std::string(kinds.empty() ? "" : " and ") + name_of(mesh);
    Case out = {"truth", "sphere", kinds + ", up to 160801 vertices, unsoftened", Extent::usual,
                [=](Report& report) {
                    std::vector<std::pair<std::string, SphereDrape>> tests;
                    for (const Mesh mesh : meshes)
                        tests.emplace_back(name_of(mesh),
                                           SphereDrape{.mesh = mesh, .overrides = unsoftened});
                    report_truth("sphere", tests, {10201, 40401, 160801}, itself, "m^2", report);
                }};
    out.on_request = true;
    return out;
}

Case cusick_truth(const std::string& fabric) {
    Case out = {"truth", "cusick", fabric + ", up to 56000 vertices, unsoftened", Extent::usual,
                [=](Report& report) {
                    std::vector<std::pair<std::string, CusickDrape>> tests;
                    for (const int seed : {1, 2})
                        tests.emplace_back(
                            fmt::format("seed {}", seed),
                            CusickDrape{.material = fabric, .seed = seed, .overrides = unsoftened});
                    report_truth("cusick " + fabric, tests, {4800, 14000, 56000}, drape_coefficient,
                                 "", report);
                }};
    out.on_request = true;
    return out;
}

} // namespace

std::vector<Case> drape_cases() {
    std::vector<Case> out;
    out.push_back(sphere(Mesh::irregular, 2601, 1, Extent::quick));
    for (const Mesh mesh : {Mesh::irregular, Mesh::grid})
        for (const int vertices : {676, 2601, 10201})
            out.push_back(sphere(mesh, vertices, 5, Extent::usual));
    out.push_back(frame_rates(5));
    out.push_back(cusick("cotton", 1200, Extent::quick));
    for (const char* fabric : fabrics)
        for (const int vertices : {1200, 4800, 14000})
            if (vertices > 1200 || fabric != fabrics[0])
                out.push_back(cusick(fabric, vertices, Extent::usual));
    for (const Mesh mesh : {Mesh::irregular, Mesh::grid}) {
        out.push_back(sphere(mesh, 40401, 1, Extent::usual));
        out.push_back(sphere(mesh, 40401, 5, Extent::full));
    }
    out.push_back(sphere_truth({Mesh::grid, Mesh::irregular}));
    for (const char* fabric : fabrics)
        out.push_back(cusick_truth(fabric));
    return out;
}

} // namespace muslin::referee
