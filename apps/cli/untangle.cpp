#include "commands.h"

#include "muslin/base/error.h"
#include "muslin/engine/start.h"
#include "muslin/io/atomic_file.h"
#include "muslin/io/mesh_file.h"
#include "muslin/mesh/triangle_mesh.h"
#include "muslin/model/build_model.h"
#include "muslin/scene/load.h"
#include "muslin/scene/toml_value.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>

namespace muslin::cli {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

// Something is still tangled: the exit code of what could not be brought to its end.
constexpr int something_remains = 3;
constexpr std::size_t told = 3; // places named in words

struct UntangleArguments {
    std::string input, output;
    double thickness = 0; ///< 0: not given [m]
    int iterations = UntangleSettings{}.max_iterations;
    bool quiet = false, json = false;
    bool allow_outside = false; ///< the scene may name files outside its directory
};

bool is_mesh_file(const fs::path& path) {
    std::string ending = path.extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return ending == ".obj" || ending == ".ply" || ending == ".off";
}

UntangleSettings settings_of(const UntangleArguments& a) {
    UntangleSettings settings;
    settings.max_iterations = a.iterations;
    settings.always_widen = a.thickness > 0;
    return settings;
}

void refuse_to_overwrite(const fs::path& input, const fs::path& output) {
    std::error_code none;
    if (fs::equivalent(input, output, none))
        throw InputError(
            {{}, "--output", "another file than the input", "'" + output.string() + "'", {}});
}

std::size_t pairs_of(const std::vector<Tangle>& tangles) {
    std::size_t sum = 0;
    for (const Tangle& t : tangles)
        sum += t.pairs;
    return sum;
}

Json tangles_json(const std::vector<Tangle>& tangles) {
    Json out = Json::array();
    for (const Tangle& t : tangles)
        out.push_back({{"cloth", t.cloth},
                       {"other", t.other},
                       {"is_body", t.is_body},
                       {"pairs", t.pairs},
                       {"inside", t.inside},
                       {"depth", t.depth},
                       {"place", {t.place.x, t.place.y, t.place.z}}});
    return out;
}

Json report_json(const StartUntangling& done) {
    const UntangleReport& r = done.report;
    Json places = Json::array();
    for (const Vec3& p : done.places)
        places.push_back({p.x, p.y, p.z});
    return {{"clear", done.left.empty()},
            {"before",
             {{"pairs", pairs_of(done.before)},
              {"crossings", r.crossings_before},
              {"contours", r.contours_before},
              {"inside_bodies", r.inside_before},
              {"tangles", tangles_json(done.before)}}},
            {"left",
             {{"pairs", pairs_of(done.left)},
              {"crossings", r.crossings},
              {"contours", r.contours},
              {"inside_bodies", r.inside},
              {"tangles", tangles_json(done.left)},
              {"places", places}}},
            {"nearer_than_thickness", r.near},
            {"moved", {{"vertices", r.moved}, {"max", r.largest_move}, {"mean", r.mean_move}}},
            {"edge_strain_max", r.strain},
            {"iterations", r.iterations}};
}

void print_words(const std::string& input, const StartUntangling& done) {
    if (done.before.empty())
        fmt::print("{}: nothing crosses\n", input);
    for (const Tangle& tangle : done.before)
        fmt::print("{}: {}\n", input, describe(tangle));
    if (!done.before.empty() || done.report.moved > 0)
        fmt::print("  {}\n", describe(done.report));
    if (done.report.near > 0)
        fmt::print("  {} places are still nearer than the thickness\n", done.report.near);
    for (const Tangle& tangle : done.left)
        fmt::print("  still tangled: {}\n", describe(tangle));
    for (std::size_t i = 0; i < std::min(told, done.places.size()); ++i)
        fmt::print("  a contour is left around ({:.4g}, {:.4g}, {:.4g}) m\n", done.places[i].x,
                   done.places[i].y, done.places[i].z);
    if (done.places.size() > told)
        fmt::print("  and {} more\n", done.places.size() - told);
}

int report(const UntangleArguments& a, const StartUntangling& done, Json files,
           const std::string& written) {
    if (a.json) {
        Json out = {{"input", a.input}};
        out.update(files);
        out.update(report_json(done));
        fmt::print("{}\n", out.dump(2, ' ', false, Json::error_handler_t::replace));
    } else if (!a.quiet) {
        print_words(a.input, done);
        fmt::print("{}\n", written);
    }
    return done.left.empty() ? 0 : something_remains;
}

double mean_edge(const PolygonMesh& mesh) {
    double sum = 0;
    std::size_t count = 0;
    for (int f = 0; f < mesh.face_count(); ++f)
        for (int c = mesh.face_begin[f]; c < mesh.face_begin[f + 1]; ++c) {
            const int next = c + 1 < mesh.face_begin[f + 1] ? c + 1 : mesh.face_begin[f];
            sum += norm(mesh.positions[mesh.corner_vertex[next]] -
                        mesh.positions[mesh.corner_vertex[c]]);
            ++count;
        }
    return count > 0 ? sum / static_cast<double>(count) : 0;
}

int untangle_mesh(const UntangleArguments& a) {
    PolygonMesh mesh = read_mesh(a.input);
    const fs::path input = a.input;
    fs::path output = a.output;
    if (a.output.empty())
        output = input.parent_path() /
                 (input.stem().string() + "-untangled" + input.extension().string());
    else if (fs::is_directory(output))
        output /= input.stem().string() + "-untangled" + input.extension().string();
    if (!is_mesh_file(output))
        throw InputError(
            {{}, "--output", "a mesh file, .obj, .ply or .off", "'" + output.string() + "'", {}});
    refuse_to_overwrite(input, output);

    ClothInput cloth;
    cloth.name = input.stem().string();
    cloth.mesh = mesh;
    cloth.rest = RestShape::positions;
    cloth.material = Material{};
    cloth.material.thickness = a.thickness > 0 ? a.thickness : 0.01 * mean_edge(mesh);
    State start;
    Model model;
    try {
        model = build_model({cloth}, {}, start);
    } catch (const InputError& error) {
        Problem problem = error.problem();
        problem.where = {a.input, 0, 0};
        throw InputError(problem);
    }
    const StartUntangling done = untangle_start(model, {}, start, settings_of(a));
    surface_positions(model.cloths.front(), start, mesh.positions);
    write_mesh(output, mesh);
    return report(a, done, {{"output", output.string()}},
                  fmt::format("{}: written", output.string()));
}

/// The scene with other starts than it had.
std::string with_starts(const SceneDescription& scene, const std::string& folder) {
    std::string text = scene.source_text;
    if (!scene.starts.empty()) {
        TomlValue document = parse_toml(text, scene.file.string());
        std::erase_if(document.table()->entries,
                      [](const TomlEntry& entry) { return entry.key == "start"; });
        text = write_toml(*document.table());
    }
    text += "\n\n# Where nothing crosses: made by 'muslin untangle'.\n";
    for (const ClothDescription& cloth : scene.cloths)
        text += fmt::format("[[start]]\ncloth = \"{}\"\npath = \"{}{}.obj\"\n\n", cloth.name,
                            folder, cloth.name);
    text.pop_back();
    return text;
}

int untangle_scene(const UntangleArguments& a) {
    SceneDescription scene = load_scene(a.input, {}, {.allow_outside = a.allow_outside});
    if (a.thickness > 0)
        for (ClothDescription& cloth : scene.cloths)
            cloth.material.thickness = a.thickness;
    const std::string stem = scene.file.empty() ? scene.name : scene.file.stem().string();
    fs::path output = a.output;
    fs::path meshes; // relative to the scene's folder
    if (output.extension() == ".toml") {
        meshes = output.stem();
    } else if (a.output.empty()) {
        output = scene.file.parent_path() / (stem + "-untangled.toml");
        meshes = stem + "-untangled";
    } else {
        output /= stem + "-untangled.toml";
    }
    if (!scene.file.empty())
        refuse_to_overwrite(scene.file, output);

    BuiltScene built = build_scene(scene);
    const StartUntangling done =
        untangle_start(built.model, built.conditions, built.start, settings_of(a));
    const fs::path folder = output.parent_path() / meshes;
    make_folder(folder);
    for (const Cloth& cloth : built.model.cloths) {
        PolygonMesh mesh = cloth.surface.mesh;
        point_positions(cloth, built.start, mesh.positions); // [[start]] wants them all
        write_mesh(folder / (cloth.name + ".obj"), mesh);
    }
    const std::string text =
        with_starts(scene, meshes.empty() ? "" : meshes.generic_string() + "/");
    try {
        parse_scene(text, output.string(), output.parent_path(), scene.name, {},
                    {.allow_outside = a.allow_outside});
    } catch (const InputError& error) {
        throw InputError({{},
                          "--output",
                          "a place beside the scene, whose file names count from there",
                          "'" + output.string() + "'",
                          error.what()});
    }
    write_file_atomically(output, text);
    return report(a, done, {{"scene", output.string()}, {"meshes", folder.string()}},
                  fmt::format("{}: written; run it with 'muslin run {}{}'", output.string(),
                              output.string(), a.allow_outside ? " --allow-outside" : ""));
}

} // namespace

void add_untangle(CLI::App& app, std::function<int()>& command) {
    const auto a = std::make_shared<UntangleArguments>();
    auto* word = app.add_subcommand(
        "untangle", "Separate a mesh, or the start of a scene, that crosses itself");
    word->add_option("INPUT", a->input,
                     "A mesh (.obj .ply .off), a scene (.toml) or the name of a built-in scene")
        ->required();
    word->add_option(
        "-o,--output", a->output,
        "The mesh or scene to write, or a folder for it [NAME-untangled beside INPUT]");
    word->add_option("--thickness", a->thickness,
                     "The gap to leave [m] [of a mesh: 1 % of its mean edge; of a scene: its own]")
        ->check(positive_number());
    word->add_option("--iterations", a->iterations, "Steps to try at most [400]")
        ->check(whole_number(1));
    word->add_flag("--allow-outside", a->allow_outside,
                   "Let the scene name files outside its directory");
    word->add_flag("--quiet", a->quiet, "Print nothing");
    word->add_flag("--json", a->json, "Print the report as JSON");
    word->footer("Exit codes: 0 nothing crosses any more, 3 something is still tangled (the best "
                 "state is written all the same), 2 bad usage or input, 4 cannot read or write "
                 "files.");
    word->callback([a, &command] {
        command = [a] { return is_mesh_file(a->input) ? untangle_mesh(*a) : untangle_scene(*a); };
    });
}

} // namespace muslin::cli
