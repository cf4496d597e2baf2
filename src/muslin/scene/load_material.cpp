#include "muslin/io/text.h"
#include "muslin/model/measured_fabric.h"
#include "muslin/scene/builtin.h"
#include "muslin/scene/load.h"
#include "muslin/scene/load_parts.h"
#include "muslin/scene/suggest.h"

#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace muslin {

namespace {

/// When a key is read, and who must give it.
enum class Need {
    always,   ///< by every material that starts from no other
    sheet,    ///< optional; what the next follow from
    or_young, ///< as `always`, unless Young's modulus is given: then they follow from it
    optional,
};

struct NumberKey {
    std::string_view key;
    double Material::*member;
    Need need;
};

constexpr NumberKey number_keys[] = {
    {"density", &Material::density, Need::always},
    {"stretch_u", &Material::stretch_u, Need::or_young},
    {"stretch_v", &Material::stretch_v, Need::or_young},
    {"shear", &Material::shear, Need::or_young},
    {"bend_u", &Material::bend_u, Need::or_young},
    {"bend_v", &Material::bend_v, Need::or_young},
    {"stretch_damping", &Material::stretch_damping, Need::optional},
    {"shear_damping", &Material::shear_damping, Need::optional},
    {"bend_damping", &Material::bend_damping, Need::optional},
    {"bend_stiffening", &Material::bend_stiffening, Need::optional},
    {"bend_rate_stiffening", &Material::bend_rate_stiffening, Need::optional},
    {"thickness", &Material::thickness, Need::always},
    {"friction", &Material::friction, Need::optional},
    {"young", &Material::young, Need::sheet},
    {"poisson", &Material::poisson, Need::sheet},
    {"bend_factor", &Material::bend_factor, Need::sheet},
    {"compression_stiffness", &Material::compression_stiffness, Need::optional},
    {"soft_extension", &Material::soft_extension, Need::optional},
    {"curvature_limit", &Material::curvature_limit, Need::optional},
    {"yield_stretch", &Material::yield_stretch, Need::optional},
    {"yield_bend", &Material::yield_bend, Need::optional},
    {"relaxation_time", &Material::relaxation_time, Need::optional},
    {"spring_structural", &Material::spring_structural, Need::optional},
    {"spring_shear", &Material::spring_shear, Need::optional},
    {"spring_flexion", &Material::spring_flexion, Need::optional},
    {"spring_damping", &Material::spring_damping, Need::optional},
    {"elongation_limit", &Material::elongation_limit, Need::optional},
};

// Damping is rarely measured. Unless given it is the stiffness times a relaxation time [s] short
// against a frame: it calms jitter and leaves swinging and folding alone.
constexpr double in_plane_relaxation = 1e-3;
constexpr double bend_relaxation = 1e-2;

void set_default_damping(Material& material) {
    material.stretch_damping =
        in_plane_relaxation * 0.5 * (material.stretch_u + material.stretch_v);
    material.shear_damping = in_plane_relaxation * material.shear;
    material.bend_damping = bend_relaxation * 0.5 * (material.bend_u + material.bend_v);
}

// What the other laws of force know of a sheet that is given by its Young's modulus.
void set_from_young(Material& material) {
    const double nu = material.poisson;
    const double factor = material.bend_factor > 0 ? material.bend_factor : 1;
    material.stretch_u = material.stretch_v = sheet_stiffness(material);
    material.shear = sheet_stiffness(material) / (2 * (1 + nu));
    material.bend_u = material.bend_v = factor * solid_rigidity(material);
}

void read_springs(TableReader& reader, Material& material) {
    reader.read("elongation_law", material.elongation_law);
    material.potential = read_potential(reader, material.potential);
    if (material.potential.law == Potential::Law::quadratic ||
        std::isinf(material.elongation_limit))
        return;
    const std::string_view key = reader.has("potential") ? "potential" : "elongation_limit";
    if (const auto place = reader.get(key))
        place->fail("potential = \"quadratic\" with an elongation_limit, which multiplies the "
                    "constant of a spring");
}

/// A chain of `base` longer than this is a circle of files.
constexpr int max_bases = 8;

std::vector<std::string_view> builtin_names() {
    std::vector<std::string_view> names;
    for (const BuiltinFile& file : builtin_materials())
        names.push_back(file.name);
    return names;
}

const BuiltinFile* find_builtin(std::string_view name) {
    for (const BuiltinFile& file : builtin_materials())
        if (file.name == name)
            return &file;
    return nullptr;
}

Material read_named(const Place& place, const FileScope& scope, int bases);

Material read_table(const Place& place, const FileScope& scope, const std::string& default_name,
                    int bases) {
    TableReader reader(place, keys::material);
    Material out;
    const std::optional<Place> base = reader.get("base");
    if (base) {
        if (bases >= max_bases)
            base->fail("a material that does not lead back to itself");
        out = read_named(*base, scope, bases + 1);
    } else {
        out.name = default_name;
        out.source.clear();
    }
    std::vector<std::string_view> changed;
    const auto read_numbers = [&](Need need, bool required) {
        for (const NumberKey& number : number_keys) {
            if (number.need != need)
                continue;
            if (required)
                reader.require(number.key, {},
                               "or base = \"cotton\", to start from a known fabric");
            if (reader.has(number.key))
                changed.push_back(number.key);
            reader.read(number.key, out.*number.member);
        }
    };
    read_numbers(Need::always, !base);
    read_numbers(Need::sheet, false);
    const bool follows = out.young > 0 && (reader.has("young") || reader.has("thickness") ||
                                           reader.has("poisson") || reader.has("bend_factor"));
    if (follows)
        set_from_young(out);
    read_numbers(Need::or_young, !base && out.young == 0);
    if (!base || follows)
        set_default_damping(out);
    read_numbers(Need::optional, false);
    read_springs(reader, out);
    reader.read("name", out.name);
    // The numbers of the base no longer speak for a fabric with changes.
    if (base && !changed.empty())
        out.source = fmt::format("{}, with {} changed{}{}", base->text(), fmt::join(changed, ", "),
                                 out.source.empty() ? "" : "; ", out.source);
    reader.read("source", out.source);
    return out;
}

Material read_document(std::string_view text, const std::string& label, const FileScope& scope,
                       const std::string& name, int bases) {
    const TomlValue document = parse_toml(text, label);
    return read_table(Place(document, ""), scope, name, bases);
}

Material read_builtin(const BuiltinFile& file, int bases) {
    const std::string name(file.name);
    return read_document(file.text, "built-in material " + name, {}, name, bases);
}

bool is_measured(const std::filesystem::path& file) {
    return lower_case_ending(file) == ".json";
}

Material read_measured(const std::filesystem::path& file) {
    Material out = material_of(read_fabric(file), file.stem().string());
    // Coefficients of which each is sound can still make a sheet that gains from being pulled.
    for (const double stretch : {out.stretch_u, out.stretch_v})
        if (!(stretch > 0))
            throw InputError({{file.string(), 0, 0},
                              "stretching",
                              "coefficients that resist a pull along u and along v",
                              fmt::format("{:.4g} N/m", stretch),
                              "is c12 larger than c11 and c22?"});
    set_default_damping(out);
    return out;
}

/// `scope` is the file's own.
Material read_file(const std::filesystem::path& file, const FileScope& scope, int bases) {
    if (is_measured(file))
        return read_measured(file);
    return read_document(read_text_file(file), file.string(), scope, file.stem().string(), bases);
}

bool is_file_name(const std::string& name) {
    return name.ends_with(".toml") || is_measured(name);
}

Material read_named(const Place& place, const FileScope& scope, int bases) {
    const std::string name = place.text("the name of a material, or the path of a material file");
    if (is_file_name(name)) {
        const std::filesystem::path file = readable_file(place, name, scope, "material file");
        return read_file(file, scope.of_file(file), bases);
    }
    if (const BuiltinFile* file = find_builtin(name))
        return read_builtin(*file, bases);
    place.fail("the name of a material, or the path of a .toml or .json file",
               suggest(name, builtin_names()));
}

} // namespace

Material read_material(const Place& place, const FileScope& scope) {
    if (place.is_text())
        return read_named(place, scope, 0);
    if (!place.is_table())
        place.fail("a material: a name, the path of a file, or a table");
    return read_table(place, scope, "custom", 0);
}

std::vector<std::pair<std::string_view, double>> material_numbers(const Material& material) {
    std::vector<std::pair<std::string_view, double>> out;
    for (const auto& [key, member, need] : number_keys) {
        const double value = material.*member;
        const Range& range = keys::material.find(key)->range;
        if (value <= range.max && (range.min_excluded ? value > range.min : value >= range.min))
            out.emplace_back(key, value);
    }
    return out;
}

Material load_material(const std::string& name_or_path, bool allow_outside) {
    // First the names: the program itself is a file called like one of the fabrics.
    if (const BuiltinFile* file = find_builtin(name_or_path))
        return read_builtin(*file, 0);
    std::error_code error;
    if (std::filesystem::is_regular_file(name_or_path, error) || is_file_name(name_or_path))
        return read_file(
            name_or_path,
            FileScope::of(std::filesystem::path(name_or_path).parent_path(), allow_outside), 0);
    throw InputError({{},
                      "material",
                      "a material file or the name of a built-in material",
                      '\'' + name_or_path + '\'',
                      suggest(name_or_path, builtin_names())});
}

} // namespace muslin
