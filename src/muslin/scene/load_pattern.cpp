#include "muslin/scene/load_pattern.h"

#include "muslin/io/read_file.h"
#include "muslin/pattern/pattern_check.h"
#include "muslin/pattern/pattern_file.h"
#include "muslin/scene/builtin.h"
#include "muslin/scene/length_unit.h"
#include "muslin/scene/pattern_keys.h"
#include "muslin/scene/pattern_panel.h"
#include "muslin/scene/suggest.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>

#include <fmt/format.h>

namespace muslin {
namespace {

bool is_identifier(const std::string& name) {
    const auto is_letter = [](char c) {
        return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
    };
    return !name.empty() && is_letter(name[0]) &&
           std::all_of(name.begin(), name.end(),
                       [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

/// `sizes`: each a number or a formula of those before it.
void read_sizes(const Place& place, std::span<const PatternSize> given, PatternScale& out) {
    if (!place.is_table())
        place.fail("a table of sizes");
    for (const TomlEntry& entry : place.value().table()->entries) {
        const Place size(entry.value, join_path(place.path(), entry.key));
        if (!is_identifier(entry.key))
            size.fail_found("a name of letters, digits and _", '\'' + entry.key + '\'');
        const auto other = std::find_if(given.begin(), given.end(), [&](const PatternSize& one) {
            return one.name == entry.key;
        });
        const double value = other == given.end() ? out.number(size) : other->value;
        out.names.push_back(entry.key);
        out.values.push_back(value);
    }
}

PatternScale read_scale(TableReader& reader, std::span<const PatternSize> given) {
    PatternScale out;
    LengthUnit unit = LengthUnit::m;
    reader.require("unit", "the unit of lengths", "unit = \"cm\"").read(unit);
    out.metres = metres(unit);
    if (const auto place = reader.get("sizes"))
        read_sizes(*place, given, out);
    const std::vector<std::string_view> known(out.names.begin(), out.names.end());
    for (const PatternSize& size : given)
        if (std::find(known.begin(), known.end(), size.name) == known.end())
            throw InputError({reader.where(), "sizes", "a size of the pattern",
                              '\'' + size.name + '\'', suggest(size.name, known)});
    return out;
}

/// An edge as a stitch names it, and whether it is on the mirrored half or piece.
struct Chosen {
    const DrawnPanel* panel = nullptr; ///< the one that was drawn
    bool mirror = false;
    int drawn = 0;
};

/// The names of panels and edges.
class Book {
public:
    explicit Book(const std::vector<DrawnPanel>& panels) : panels_(panels) {}

    /// "front.side", "front.mirror.side", "front.3".
    Chosen choose(const Place& place) const {
        const std::string expected = "an edge, \"PANEL.EDGE\" or \"PANEL.mirror.EDGE\"";
        const std::string text = place.text(expected);
        const std::size_t dot = text.find('.');
        if (dot == std::string::npos)
            place.fail(expected);
        std::string edge = text.substr(dot + 1);
        Chosen out;
        out.panel = find_panel(place, text.substr(0, dot));
        if (edge.starts_with("mirror.")) {
            edge = edge.substr(7);
            out.mirror = true;
            if (!has_image(out))
                place.fail("a panel with `fold` or `mirror`, or no \"mirror\" here");
        }
        out.drawn = find_edge(place, *out.panel, edge);
        side(place, out); // there is one, if it is not the fold
        return out;
    }

    bool has_image(const Chosen& one) const { return one.panel->folded || one.panel->copied; }

    PatternStitch::Side side(const Place& place, const Chosen& one) const {
        // The image of a pair follows the panel that was drawn.
        const DrawnPanel& owner = one.mirror && one.panel->copied ? one.panel[1] : *one.panel;
        for (std::size_t e = 0; e < owner.edges.size(); ++e)
            if (owner.edges[e].drawn == one.drawn && owner.edges[e].mirror == one.mirror)
                return {static_cast<int>(&owner - panels_.data()), static_cast<int>(e)};
        place.fail("an edge that is not on the fold");
    }

private:
    const DrawnPanel* find_panel(const Place& place, const std::string& name) const {
        std::vector<std::string_view> known;
        for (const DrawnPanel& one : panels_) {
            if (one.panel.name == name)
                return &one;
            known.push_back(one.panel.name);
        }
        place.fail(fmt::format("a panel; there is no '{}'", name), suggest(name, known));
    }
    static int find_edge(const Place& place, const DrawnPanel& panel, const std::string& name) {
        std::vector<std::string_view> known;
        for (const NamedEdge& edge : panel.edges) {
            if (name == (edge.name.empty() ? "" : edge.name) && !name.empty())
                return edge.drawn;
            if (name == fmt::format("{}", edge.drawn))
                return edge.drawn;
            if (!edge.name.empty() && !edge.mirror)
                known.push_back(edge.name);
        }
        place.fail(fmt::format("an edge of panel '{}', by name or number", panel.panel.name),
                   suggest(name, known));
    }

    const std::vector<DrawnPanel>& panels_;
};

bool same(const PatternStitch::Side& a, const PatternStitch::Side& b) {
    return a.panel == b.panel && a.edge == b.edge;
}

/// Sews two edges, and their images where both panels have one.
void add_stitch(const Place& sides, PatternStitch stitch, bool mirror, const Book& book,
                Pattern& out) {
    const std::vector<Place> items = sides.items("two edges");
    if (items.size() < 2)
        sides.fail("two edges");
    std::array<Chosen, 2> chosen = {book.choose(items[0]), book.choose(items[1])};
    const auto add = [&] {
        for (int i = 0; i < 2; ++i)
            stitch.sides[i] = book.side(items[i], chosen[i]);
        out.stitches.push_back(stitch);
        checked_at(sides.where(), [&] { check_stitch(out, out.stitches.size() - 1); });
    };
    add();
    if (!mirror || !book.has_image(chosen[0]) || !book.has_image(chosen[1]))
        return;
    const PatternStitch first = stitch;
    for (Chosen& one : chosen)
        one.mirror = !one.mirror;
    // A stitch in the middle, of an edge with its own image, is its own image.
    if (same(book.side(items[0], chosen[0]), first.sides[1]))
        return;
    if (!stitch.name.empty())
        stitch.name += ".mirror";
    add();
}

/// Those of `sew` and [[seam]].
void read_stitches(TableReader& reader, const Book& book, Pattern& out) {
    if (const auto list = reader.get("sew"))
        for (const Place& sides : list->items("an array of pairs of edges")) {
            const std::vector<Place> items = sides.items("two edges, and a stage if any");
            if (items.size() != 2 && items.size() != 3)
                sides.fail("two edges, and a stage if any");
            PatternStitch stitch;
            if (items.size() == 3)
                stitch.stage = items[2].integer();
            add_stitch(sides, stitch, true, book, out);
        }
    for (const Place& place : reader.tables("seam")) {
        TableReader table(place, pattern_keys::seam);
        PatternStitch stitch;
        table.read("name", stitch.name);
        table.read("direct", stitch.direct);
        table.read("stage", stitch.stage);
        bool mirror = true;
        table.read("mirror", mirror);
        const Place sides = table.require("sides", "two edges");
        if (sides.items("two edges").size() != 2)
            sides.fail("two edges");
        add_stitch(sides, stitch, mirror, book, out);
    }
}

/// Gives every [[panel]] with `like` the keys of the earlier panel that it names, where it has none
/// of its own.
void complete_panels(TomlValue& document) {
    TomlEntry* panels = document.table()->find("panel");
    TomlValue::Array* list = panels ? panels->value.array() : nullptr;
    if (!list)
        return;
    std::map<std::string, const TomlTable*> known;
    for (TomlValue& panel : *list) {
        TomlTable* table = panel.table();
        if (!table)
            continue;
        if (const TomlEntry* like = table->find("like")) {
            const Place place(like->value, "panel.like");
            const std::string name = place.text("the name of an earlier panel");
            const auto found = known.find(name);
            if (found == known.end())
                place.fail("the name of an earlier panel");
            for (const TomlEntry& entry : found->second->entries)
                if (!table->find(entry.key))
                    table->set(entry.key, entry.value);
        }
        const TomlEntry* name = table->find("name");
        if (name && name->value.text())
            known[*name->value.text()] = table;
    }
}

std::vector<std::string_view> builtin_names() {
    std::vector<std::string_view> names;
    for (const BuiltinFile& file : builtin_patterns())
        names.push_back(file.name);
    return names;
}

const BuiltinFile* find_builtin(std::string_view name) {
    for (const BuiltinFile& file : builtin_patterns())
        if (file.name == name)
            return &file;
    return nullptr;
}

} // namespace

Pattern parse_pattern(std::string_view text, const std::string& file, const std::string& name,
                      std::span<const PatternSize> sizes) {
    TomlValue document = parse_toml(text, file);
    complete_panels(document);
    TableReader reader(Place(document, ""), pattern_keys::pattern);
    Pattern out;
    out.name = name;
    reader.read("name", out.name);
    std::string title;
    reader.read("title", title);
    const PatternScale scale = read_scale(reader, sizes);
    std::vector<DrawnPanel> panels;
    std::set<std::string> names;
    for (const Place& place : reader.tables("panel"))
        for (DrawnPanel& drawn : read_panel(place, scale)) {
            if (!names.insert(drawn.panel.name).second)
                place.fail_found("panels of different names", '\'' + drawn.panel.name + "' again");
            out.panels.push_back(drawn.panel);
            panels.push_back(std::move(drawn));
        }
    if (panels.empty())
        throw InputError({reader.where(), "panel", "at least one [[panel]]", "none", ""});
    read_stitches(reader, Book(panels), out);
    return out;
}

Pattern load_pattern(const std::string& name_or_path, const std::filesystem::path& folder,
                     std::span<const PatternSize> sizes) {
    const std::filesystem::path path = (folder / name_or_path).lexically_normal();
    if (path.extension() == ".json") {
        if (!sizes.empty())
            throw InputError({{path.string(), 0, 0},
                              "sizes",
                              "a TOML pattern: those in JSON have no sizes to change",
                              '\'' + sizes.front().name + '\'',
                              ""});
        return read_pattern_json(path);
    }
    if (path.extension() == ".toml")
        return parse_pattern(read_file(path), path.string(), path.stem().string(), sizes);
    if (const BuiltinFile* file = find_builtin(name_or_path))
        return parse_pattern(file->text, "built-in pattern " + name_or_path, name_or_path, sizes);
    throw InputError({{},
                      "pattern",
                      "a .json or .toml file or the name of a built-in pattern",
                      '\'' + name_or_path + '\'',
                      suggest(name_or_path, builtin_names())});
}

bool is_sewing_pattern(const std::string& name_or_path) {
    const std::filesystem::path path = name_or_path;
    if (path.extension() == ".json")
        return true;
    if (path.extension() != ".toml")
        return find_builtin(name_or_path) != nullptr;
    const TomlValue document = parse_toml(read_file(path), path.string());
    return document.table()->find("panel") != nullptr;
}

} // namespace muslin
