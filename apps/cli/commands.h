#pragma once

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

// One function per word of the command line; each returns the exit code. They print results to
// stdout and throw InputError, FileError or SimulationError for main to report.

namespace CLI {
class App;
class Validator;
} // namespace CLI

namespace muslin {
struct Material;
}

namespace muslin::cli {

struct RunArguments {
    std::string scene;
    std::string output; ///< empty: out/NAME
    int frames = 0;     ///< 0: the scene's
    int threads = 0;    ///< 0: all
    std::vector<std::string> overrides;
    std::vector<std::string> exports; ///< names of formats
    bool resume = false;
    std::string resume_from; ///< a directory; empty: the run's own
    std::optional<int> resume_frame;
    bool resume_changed = false;
    int keep_checkpoints = 10;
    bool allow_outside = false; ///< the scene may name files anywhere
    bool quiet = false;
    bool json = false;
};
int run(const RunArguments& arguments);

int check(const std::string& scene, const std::vector<std::string>& overrides, bool json,
          bool allow_outside);
/// `output` is the file to draw a sewing pattern to; empty: none.
int info(const std::string& file, bool json, const std::string& output, bool allow_outside);
int info_pattern(const std::string& name_or_path, bool json, const std::string& output);
int info_export(const std::string& file, bool json);     ///< .usda, .pvd, .vtu, .fields
int info_checkpoint(const std::string& file, bool json); ///< .state
int info_character(const std::string& file, bool json);  ///< .gltf, .glb
int info_fabric(const std::string& file, bool json);
int measure(const std::vector<std::string>& inputs, bool json);
/// How garments sit at the last frame of a run; girths at `heights` [m] besides.
int measure_fit(const std::vector<std::string>& inputs, const std::vector<double>& heights,
                bool json);

struct ConvertArguments {
    std::string in, out;
    std::string mesh;      ///< of a cache; empty: the one beside it
    std::string format;    ///< empty: by the ending of `out`
    std::string cloth;     ///< empty: all, or the only one
    int frame = -1;        ///< -1: all, or the last
    double frame_rate = 0; ///< 0: as the input says, else 30 [1/s]
    std::string clip;      ///< of a character; empty: its only one
    bool quiet = false;
};
int convert(const ConvertArguments& arguments);

int recipes(bool json);
/// Of those named (built-in ones or files), or of all built-in ones.
int materials(std::vector<std::string> names, bool json, bool allow_outside);
nlohmann::ordered_json to_json(const Material& material);
int create(const std::string& cloth, const std::string& body, const std::string& output);

struct DemoArguments {
    std::string scene; ///< empty with `list`
    std::string output;
    bool list = false;
    bool allow_outside = false;
};
int demo(const DemoArguments& arguments);

/// One line to standard error, after the program's name.
void complain(const std::string& text);

struct RenderArguments {
    std::string directory;
    std::string output; ///< empty: DIR/frame.png, or DIR/page.html
    bool html = false;
    int frame = -1;     ///< -1: the last
    std::string frames; ///< FIRST:LAST[:STEP]; empty: all
    std::vector<int> sheet;
    int width = 1280, height = 720;
    std::optional<double> fps; ///< none: the run's
    std::string caption;
    double azimuth = 32, elevation = 22, zoom = 1, fov = 28;
    std::string fit;             ///< all or cloth
    std::vector<double> look_at; ///< empty or three
    bool turntable = false;
    std::string color, range; ///< a field's name, LOW:HIGH
    std::string texture;
    double texture_size = 0.2; ///< [m]
    int subdivide = 0;
    bool wireframe = false, checker = false, flat = false, mark = false, no_mark = false;
    bool no_ground = false, no_shadows = false, quiet = false;
    std::string background;
};
/// Of an option: a whole number that is not below `low`.
CLI::Validator whole_number(int low);
CLI::Validator positive_number();

void add_render_options(CLI::App& word, RenderArguments& arguments);
int render(const RenderArguments& arguments);

/// Adds the word `post` with its options; when it is used, `command` becomes what it does.
void add_post(CLI::App& app, std::function<int()>& command);
/// The same for `untangle`.
void add_untangle(CLI::App& app, std::function<int()>& command);
/// The same for `view`.
void add_view(CLI::App& app, std::function<int()>& command);

} // namespace muslin::cli
