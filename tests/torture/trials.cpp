#include "torture/trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace muslin::torture {
namespace {

// The distributions of the standard library differ from one to another.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t bits() { // splitmix64
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }
    double between(double a, double b) {
        return a + (b - a) * static_cast<double>(bits() >> 11) * 0x1p-53;
    }
    int whole(int a, int b) { return a + static_cast<int>(bits() % std::uint64_t(b - a + 1)); }
    /// Evenly among orders of magnitude, to three digits: scenes stay legible.
    double magnitude(double a, double b) {
        return std::stod(
            fmt::format("{:.3g}", std::pow(10, between(std::log10(a), std::log10(b)))));
    }
    template <class T>
    const T& of(const std::vector<T>& list) {
        return list[bits() % list.size()];
    }

private:
    std::uint64_t state_;
};

/// What becomes a scene; troubles change it.
struct Draft {
    Random random{0};
    std::string situation, recipe;
    double size = 1; ///< of the cloth's sides [m]
    int columns = 12, frames = 8;
    double frame_rate = 30, max_step = 0; ///< 0: the recipe's
    double gravity = 9.81;                ///< downwards
    double density = 0.15, thickness = 4e-4, friction = 0.4;
    double stretch_u = 6000, stretch_v = 9000, shear = 62, bend = 8e-6;
    double narrow = 1; ///< the width of the narrowest column, over that of the others
    double cap = 0;    ///< height of the flattest corner triangle, over an edge; 0: as the grid
    bool two_corners = true;
    double speed = 0; ///< of the cloth at the start, downwards [m/s]
    double wind = 0;  ///< [m/s]
    std::string body_motion, more;
    std::string impossible; ///< why it cannot succeed, where a trouble knows

    bool has_body() const { return situation == "drape" || situation == "stack"; }
    bool is_implicit() const { return recipe == "muslin" || recipe == "bw98"; }
    double edge() const { return size / (columns - 1); }
    double seconds() const { return frames / frame_rate; }
    int vertices() const { return columns * columns * (situation == "stack" ? 2 : 1); }
    double longest_step() const {
        const double frame = 1 / frame_rate;
        const double wanted = max_step > 0           ? max_step
                              : recipe == "muslin"   ? 1.0 / 120
                              : recipe == "volino95" ? 1.0 / 250
                                                     : frame;
        return std::min(wanted, frame);
    }
};

void make_slivers(Draft& d) {
    d.narrow =
        d.random.whole(0, 1) ? d.random.magnitude(1e-7, 1e-2) : d.random.magnitude(1e-2, 0.3);
}

// Density of cloth that is next to nothing; a corner that has hardly any area; a point that weighs
// nothing beside what holds it; vertices that no triangle gives any mass.
void make_massless(Draft& d) {
    switch (d.random.whole(0, 3)) {
    case 0:
        d.density = d.random.magnitude(1e-12, 1e-4);
        break;
    case 1:
        d.cap = d.random.magnitude(1e-9, 1e-3);
        break;
    case 2:
        d.more += fmt::format("\n[[cloth.points]]\nname = \"grain\"\nplaces = [[0, {}, 0]]\n"
                              "mass = {}\n\n[[region]]\nname = \"all\"\ncloth = \"sheet\"\n"
                              "layer = \"surface\"\n\n[[connections]]\n"
                              "between = [\"grain\", \"all\"]\nrule = \"nearest\"\ncount = 4\n"
                              "stiffness = 10\n",
                              0.1 * d.size, d.random.magnitude(1e-15, 1e-6));
        if (!d.is_implicit())
            d.impossible = "a light point on springs asks for steps too short";
        break;
    default:
        d.more += "\n[cloth.dynamics]\nmesh = { type = \"grid\", columns = 3, rows = 3, width = " +
                  fmt::format("{0}, depth = {0}", d.size) + " }\n";
        d.impossible = "vertices have no mass";
    }
}

void make_stiff(Draft& d) {
    const double ratio = d.random.magnitude(1e6, 1e10), root = std::sqrt(ratio);
    switch (d.random.whole(0, 2)) {
    case 0:
        d.stretch_u *= root;
        d.stretch_v /= root;
        break;
    case 1:
        d.stretch_u *= root;
        d.stretch_v *= root;
        d.shear /= root;
        break;
    default:
        d.bend = std::min(d.bend * ratio, 1000.0); // the most that a scene may have
        break;
    }
}

void make_steps_long(Draft& d) {
    d.frame_rate = 1;
    d.max_step = 1;
    d.frames = d.random.whole(3, 6);
    d.columns = std::min(d.columns, 10); // in one such step everything may meet everything
}

// A jump through the cloth, or away from it; a half turn within a step.
void make_teleporting(Draft& d) {
    d.situation = "drape";
    const double t = d.random.between(0.2, 0.6) * d.frames / d.frame_rate;
    const double way = d.random.between(0.8, 3) * d.size;
    switch (d.random.whole(0, 3)) {
    case 0:
        d.body_motion = fmt::format("translation = [0, \"{:.4g} * step({:.4g}, t)\", 0]", way, t);
        d.impossible = "the body jumps through the cloth";
        break;
    case 1:
        d.body_motion = fmt::format("translation = [{{ t = {:.6g}, value = [0, 0, 0] }}, {{ t = "
                                    "{:.6g}, value = [{:.4g}, {:.4g}, 0] }}]",
                                    t, t * (1 + 1e-5), 0.2 * way, way);
        d.impossible = "the body jumps through the cloth";
        break;
    case 2:
        d.body_motion = fmt::format("translation = [0, \"-{:.4g} * step({:.4g}, t)\", 0]", way, t);
        break;
    default:
        d.body_motion = fmt::format("rotation = [0, 0, \"180 * step({:.4g}, t)\"], "
                                    "pivot = [0, {:.6g}, 0]",
                                    t, -0.32 * d.size);
    }
}

void make_heavy(Draft& d) {
    d.gravity = d.random.magnitude(3e3, 3e4);
    d.frame_rate = d.random.whole(0, 1) ? 30 : 1000;
}

void make_rough(Draft& d) {
    d.friction = 10;
}

// Thickness is a part of the edges, as it must be: cloth of ordinary thickness would be a block.
void make_tiny(Draft& d) {
    d.size = d.random.magnitude(1e-6, 1e-5);
    d.thickness = 0.05 * d.edge();
    if (d.random.whole(0, 2))
        d.frame_rate = std::floor(30 / std::sqrt(d.size));
    if (d.random.whole(0, 2)) { // as thin as it is small
        d.stretch_u *= d.size;
        d.stretch_v *= d.size;
        d.shear *= d.size;
        d.bend *= d.size * d.size * d.size;
        d.density *= d.size;
    }
}

void make_huge(Draft& d) {
    d.size = d.random.magnitude(500, 1000);
    if (d.random.whole(0, 1))
        d.thickness = 0.1;
    if (d.random.whole(0, 1))
        d.frame_rate = 2;
    d.two_corners = d.random.whole(0, 1);
}

// Numbers that no cloth has; infinite ones come of them sooner or later.
void make_overflowing(Draft& d) {
    d.impossible = "numbers without sense";
    const double much =
        d.random.whole(0, 2) ? d.random.magnitude(1e8, 1e28) : d.random.magnitude(1e31, 1e300);
    switch (d.random.whole(0, 5)) {
    case 0:
        d.gravity = much;
        break;
    case 1:
        d.speed = much;
        break;
    case 2:
        d.wind = much;
        break;
    case 3:
        d.stretch_u = d.stretch_v = much;
        break;
    case 4:
        d.more += fmt::format("\n[[pull]]\ncloth = \"sheet\"\nvertices = [{}]\n"
                              "target = [0, {:.3g}, 0]\n",
                              d.columns * d.columns - 1, much);
        break;
    default:
        d.more += fmt::format("\n[[load]]\ncloth = \"sheet\"\nvertices = [{}]\n"
                              "force = [0, \"{:.3g} * t\", 0]\n",
                              d.columns * d.columns - 1, much);
    }
}

struct TroubleMaker {
    const char* name;
    void (*make)(Draft&);
};

// In the order in which they act: later ones go by the size, the time and the mesh of earlier ones.
const TroubleMaker makers[] = {
    {"tiny", make_tiny},           {"huge", make_huge},       {"long-steps", make_steps_long},
    {"gravity", make_heavy},       {"slivers", make_slivers}, {"massless", make_massless},
    {"stiffness", make_stiff},     {"friction", make_rough},  {"teleport", make_teleporting},
    {"overflow", make_overflowing}};
constexpr int maker_count = static_cast<int>(std::size(makers));

/// The stretch of the threads that bear the weight of a sheet that hangs.
double weight_strain(const Draft& d) {
    if (d.situation != "hang" && d.situation != "twist")
        return 0;
    const double weight = d.density * d.gravity * d.size; // per width [N/m]
    const double gathered = d.situation == "hang" && d.two_corners ? 0.5 * (d.columns - 1) : 1;
    return weight * gathered / std::min(d.stretch_u, d.stretch_v);
}

double narrowest_edge(const Draft& d) {
    return d.edge() * std::min(d.narrow, d.cap > 0 ? d.cap : 1.0);
}

/// The steps that an explicit method needs, by the fastest vibration of the grid.
double explicit_steps(const Draft& d) {
    const double narrow = narrowest_edge(d) / d.edge(); // stiffer by as much, lighter by as much
    const double stiffest =
        std::max({d.stretch_u, d.stretch_v, d.shear, d.bend / (d.edge() * d.edge())});
    const double mass = d.density * d.edge() * d.edge();
    return d.seconds() / (0.5 * narrow * std::sqrt(mass / stiffest));
}

/// How far the matrix of an implicit step is from the masses alone.
double implicit_condition(const Draft& d) {
    const double narrow = narrowest_edge(d) / d.edge();
    const double stiffest = std::max({d.stretch_u, d.stretch_v, d.bend / (d.edge() * d.edge())});
    const double h = d.longest_step();
    return h * h * stiffest / (d.density * d.edge() * d.edge() * narrow * narrow);
}

/// Why the scene is not feasible; empty: it is.
std::string judge(const Draft& d) {
    if (!d.impossible.empty())
        return d.impossible;
    if (weight_strain(d) > 0.3)
        return "its weight tears it";
    if (narrowest_edge(d) < d.thickness)
        return "narrower than it is thick";
    if (d.is_implicit() && implicit_condition(d) > 1e12)
        return "beyond the digits of a number";
    if (!d.is_implicit() && explicit_steps(d) > 20000)
        return "explicit steps are too short";
    const double way = (d.speed + d.gravity * d.seconds()) * d.longest_step() / 16;
    if (d.has_body() && way > (d.recipe == "muslin" ? 0.5 * d.size : 25 * d.thickness))
        return "too fast for the contact of the recipe";
    return {};
}

// A grid in the numbering of the generator "grid", one column narrower than the others and the
// first corner flattened.
std::string grid_file(const Draft& d) {
    std::string text;
    const int n = d.columns, at = n / 2;
    std::vector<double> x(n, 0);
    for (int i = 1; i < n; ++i)
        x[i] = x[i - 1] + (i == at ? d.narrow : 1.0);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            double u = (x[i] / x[n - 1] - 0.5) * d.size, v = (0.5 - double(j) / (n - 1)) * d.size;
            if (d.cap > 0 && i == 0 && j == 0) { // beside the diagonal that cuts it off
                u += 0.5 * (1 - d.cap) * d.edge();
                v -= 0.5 * (1 - d.cap) * d.edge();
            }
            text += fmt::format("v {} 0 {}\n", u, v);
        }
    for (int j = 0; j + 1 < n; ++j)
        for (int i = 0; i + 1 < n; ++i) {
            const int a = j * n + i + 1, b = a + 1, c = a + n, e = c + 1;
            text += fmt::format("f {} {} {}\nf {} {} {}\n", a, b, c, b, e, c);
        }
    return text;
}

std::string cloth_text(const Draft& d, const std::string& name, double height) {
    const bool file = d.narrow < 1 || d.cap > 0;
    std::string text = fmt::format("\n[[cloth]]\nname = \"{}\"\n", name);
    if (file)
        text += "mesh = \"grid.obj\"\n";
    else
        text += fmt::format("mesh = {{ type = \"grid\", width = {0}, depth = {0}, columns = {1}, "
                            "rows = {1} }}\n",
                            d.size, d.columns);
    text += fmt::format("position = [0, {}, 0]\n", height);
    if (d.speed > 0)
        text += fmt::format("velocity = [0, {:.3g}, 0]\n", -d.speed);
    text += fmt::format(
        "material = {{ density = {:.6g}, thickness = {:.6g}, friction = {}, stretch_u = {:.6g}, "
        "stretch_v = {:.6g}, shear = {:.6g}, bend_u = {:.6g}, bend_v = {:.6g} }}\n",
        d.density, d.thickness, d.friction, d.stretch_u, d.stretch_v, d.shear, d.bend, d.bend);
    return text;
}

// The sphere has as many faces as the cloth about; its top is just below the cloth.
std::string body_text(const Draft& d) {
    const double gap = std::max(0.01 * d.size, 3 * d.thickness), radius = 0.3 * d.size;
    std::string text = fmt::format("\n[[body]]\nname = \"ball\"\nmesh = {{ type = \"sphere\", "
                                   "radius = {:.6g}, rings = 10, segments = 20 }}\n"
                                   "position = [0, {:.6g}, 0]\nfriction = {}\n",
                                   radius, -radius - gap, d.friction);
    if (!d.body_motion.empty())
        text += fmt::format("motion = {{ {} }}\n", d.body_motion);
    return text;
}

std::string pin_text(const Draft& d) {
    const int n = d.columns;
    std::string row;
    for (int i = 0; i < n; ++i)
        row += fmt::format("{}{}", i ? ", " : "", i);
    if (d.situation == "hang")
        return fmt::format("\n[[pin]]\ncloth = \"sheet\"\nvertices = [{}]\n",
                           d.two_corners ? fmt::format("0, {}", n - 1) : row);
    if (d.situation == "twist") {
        std::string last;
        for (int i = 0; i < n; ++i)
            last += fmt::format("{}{}", i ? ", " : "", n * (n - 1) + i);
        return fmt::format("\n[[pin]]\ncloth = \"sheet\"\nvertices = [{}]\n\n[[pin]]\n"
                           "cloth = \"sheet\"\nvertices = [{}]\nmotion = {{ rotation = [0, 0, "
                           "\"{:.4g} * t\"] }}\n",
                           row, last, 60 / d.seconds());
    }
    return {};
}

std::string scene_text(const Draft& d, const Trial& trial) {
    std::string text = fmt::format("# {}; {}\n", trial.name(),
                                   trial.feasible ? "feasible" : "not feasible: " + trial.why_not);
    text += fmt::format("recipe = \"{}\"\nlevel_sets = {{ cache = \"none\" }}\n", d.recipe);
    text += fmt::format("\n[time]\nframes = {}\nframe_rate = {}\n", d.frames, d.frame_rate);
    if (d.max_step > 0)
        text += fmt::format("max_step = {}\n", std::min(d.max_step, 1 / d.frame_rate));
    // Of implicit steps, in contact, each may take as long as a hundred explicit ones.
    text += fmt::format("max_steps = {}\n", d.is_implicit()     ? 1000
                                            : d.frame_rate < 10 ? 12000
                                                                : 5000);
    text += fmt::format("\n[world]\ngravity = [0, {:.3g}, 0]\n", -d.gravity);
    if (d.wind > 0)
        text += fmt::format("wind = [{:.3g}, 0, {:.3g}]\n", 0.5 * d.wind, d.wind);
    text += cloth_text(d, "sheet", 0) + d.more;
    if (d.situation == "stack")
        text += cloth_text(d, "upper", std::max(0.03 * d.size, 5 * d.thickness));
    if (d.has_body())
        text += body_text(d);
    return text + pin_text(d);
}

} // namespace

std::string Trial::name() const {
    std::string text = fmt::format("{:03}-{}-{}", number, recipe, situation);
    for (const std::string& trouble : troubles)
        text += "-" + trouble;
    return text;
}

const std::vector<std::string>& trouble_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const TroubleMaker& maker : makers)
            all.push_back(maker.name);
        return all;
    }();
    return names;
}

Trial make_trial(std::uint64_t seed, int number) {
    Draft d;
    d.random = Random(seed * 1000003 + static_cast<std::uint64_t>(number));
    static const std::vector<std::string> recipes = {
        "muslin", "bw98", "bridson03", "volino95", "muslin", "bayraktar07", "ohta95"};
    static const std::vector<std::string> situations = {"hang", "drape", "stack", "flight",
                                                        "twist"};
    d.recipe = recipes[number % recipes.size()];
    d.situation = d.random.of(situations);
    d.columns = d.random.whole(8, 20);
    d.frames = d.random.whole(5, 12);
    d.two_corners = d.random.whole(0, 1);
    d.friction = 0.1 * d.random.whole(0, 8);
    if (d.situation == "flight")
        d.wind = d.random.whole(0, 10);
    // Two of ten are ordinary, five have one trouble, three have two.
    const int of_ten = number % 10, round = number / 10;
    std::vector<int> chosen;
    if (of_ten >= 2)
        chosen.push_back((5 * round + of_ten) % maker_count);
    if (of_ten >= 7)
        chosen.push_back((chosen.front() + d.random.whole(1, maker_count - 1)) % maker_count);
    std::sort(chosen.begin(), chosen.end());
    Trial trial;
    trial.number = number;
    for (const int c : chosen) {
        makers[c].make(d);
        trial.troubles.emplace_back(makers[c].name);
    }
    trial.recipe = d.recipe;
    trial.situation = d.situation;
    trial.why_not = judge(d);
    trial.feasible = trial.why_not.empty();
    trial.time_bound = 60; // two threads of one core take twice as long each
    trial.scene_text = scene_text(d, trial);
    if (d.narrow < 1 || d.cap > 0)
        trial.files.emplace_back("grid.obj", grid_file(d));
    return trial;
}

} // namespace muslin::torture
