#include "muslin/io/mesh_formats.h"
#include "muslin/io/text.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

namespace muslin {
namespace {

/// One pass over the statements of an OBJ file. Indices that count from the front may refer to
/// vertices further down, so they are checked at the end; those that count backwards, at once.
class ObjParser {
public:
    ObjParser(std::string_view text, const std::string& file, const ReadLimits& limits)
        : lines_(text, 1, LineReader::Continuation::backslash), file_(file), limits_(limits) {}

    PolygonMesh parse() {
        while (lines_.next()) {
            const std::string_view statement = lines_.word();
            if (statement == "v")
                parse_vertex();
            else if (statement == "vt")
                parse_texcoord();
            else if (statement == "f")
                parse_face();
            else if (statement == "g" || statement == "o")
                parse_group();
        }
        complete_mesh();
        return std::move(mesh_);
    }

private:
    struct Corner {
        int vertex;
        int texcoord; ///< -1: none
    };

    [[noreturn]] void fail(std::string key, std::string expected, std::string found) const {
        fail_input(file_, lines_.number(), std::move(key), std::move(expected), std::move(found));
    }
    std::string face_name(std::size_t face) const { return fmt::format("face {}", face + 1); }

    /// Reads the numbers of the statement, at most `most`; returns how many there are.
    int read_numbers(double* values, int most, const std::string_view what) {
        int count = 0;
        for (std::string_view word = lines_.word(); !word.empty(); word = lines_.word()) {
            if (count == most)
                fail(std::string(what), fmt::format("at most {} numbers", most),
                     quote(word) + " after them");
            const auto value = parse_finite(word);
            if (!value)
                fail(std::string(what), "a finite number", quote(word));
            values[count++] = *value;
        }
        return count;
    }

    void parse_vertex() {
        double v[7];
        const int count = read_numbers(v, 7, "v");
        // 4: a weight, which only free-form curves use; 7: colours with an opacity.
        if (count != 3 && count != 4 && count != 6 && count != 7)
            fail("v", "x y z, with an optional weight or an optional colour r g b",
                 fmt::format("{} numbers", count));
        mesh_.positions.push_back({v[0], v[1], v[2]});
        check_vertex_limit(mesh_.positions.size(), limits_, file_, lines_.number());
        if (count >= 6) {
            colours_.resize(mesh_.positions.size() - 1, Vec3{0, 0, 0});
            colours_.push_back({v[3], v[4], v[5]});
        }
    }

    void parse_texcoord() {
        double v[3] = {0, 0, 0};
        if (read_numbers(v, 3, "vt") == 0)
            fail("vt", "texture coordinates u v", "no number");
        mesh_.texcoords.push_back({v[0], v[1]});
        check_vertex_limit(mesh_.texcoords.size(), limits_, file_, lines_.number());
    }

    void parse_group() {
        const std::string name = lines_.rest();
        // The format's own word for "in no group".
        if (name.empty() || name == "default") {
            group_ = no_group;
            return;
        }
        group_ = unnamed_yet;
        group_name_ = name;
    }

    // A group gets its number with its first face: many exporters name groups that stay empty.
    int current_group() {
        if (group_ == unnamed_yet) {
            const int next = static_cast<int>(mesh_.group_names.size());
            const auto [place, is_new] = group_numbers_.try_emplace(group_name_, next);
            if (is_new)
                mesh_.group_names.push_back(group_name_);
            group_ = place->second;
        }
        return group_;
    }

    void parse_face() {
        const std::size_t face = face_line_.size();
        const std::size_t begin = mesh_.corner_vertex.size();
        for (std::string_view word = lines_.word(); !word.empty(); word = lines_.word()) {
            const Corner corner = parse_corner(word, face);
            mesh_.corner_vertex.push_back(corner.vertex);
            mesh_.corner_texcoord.push_back(corner.texcoord);
            has_texcoords_ |= corner.texcoord >= 0;
        }
        const std::size_t corners = mesh_.corner_vertex.size() - begin;
        if (corners < 3)
            fail(face_name(face), "at least 3 corners", fmt::format("{}", corners));
        check_corner_limit(mesh_.corner_vertex.size(), limits_, file_, lines_.number());
        mesh_.face_begin.push_back(static_cast<int>(mesh_.corner_vertex.size()));
        mesh_.face_group.push_back(current_group());
        face_line_.push_back(lines_.number());
    }

    /// A corner is V, V/T, V//N or V/T/N; a part after a slash may be missing.
    Corner parse_corner(std::string_view word, std::size_t face) {
        const char* at = word.data();
        const char* const end = word.data() + word.size();
        std::int64_t parts[3] = {0, 0, 0};
        bool present[3] = {false, false, false};
        for (int part = 0;; ++part) {
            const auto [stop, error] = std::from_chars(at, end, parts[part]);
            present[part] = error == std::errc{};
            at = present[part] ? stop : at;
            if (at == end || *at != '/' || part == 2)
                break;
            ++at;
        }
        if (at != end || !present[0])
            fail(face_name(face), "corners as v, v/vt, v//vn or v/vt/vn", quote(word));
        return {resolve(parts[0], mesh_.positions.size(), "vertex", face),
                present[1] ? resolve(parts[1], mesh_.texcoords.size(), "texture", face) : -1};
    }

    /// The index from 0 of an index in the file: from 1, or from -1 backwards.
    int resolve(std::int64_t index, std::size_t count, const char* what, std::size_t face) const {
        const auto known = static_cast<std::int64_t>(count);
        if (index == 0)
            fail(face_name(face),
                 fmt::format("a {} index that counts from 1, or back from -1", what), "0");
        if (index < 0 && index < -known)
            fail(face_name(face),
                 fmt::format("a {} index among the {} before this line", what, known),
                 fmt::format("{}", index));
        const std::int64_t resolved = index > 0 ? index - 1 : known + index;
        if (resolved >= static_cast<std::int64_t>(index_limit(limits_.max_vertices)))
            fail(face_name(face), fmt::format("a {} index within the file", what),
                 fmt::format("{}", index));
        return static_cast<int>(resolved);
    }

    void check_range(const std::vector<int>& corners, std::size_t count, const char* what) const {
        for (std::size_t c = 0; c < corners.size(); ++c) {
            if (corners[c] < static_cast<int>(count))
                continue;
            const auto after = std::upper_bound(mesh_.face_begin.begin(), mesh_.face_begin.end(),
                                                static_cast<int>(c));
            const auto face = static_cast<std::size_t>(after - mesh_.face_begin.begin() - 1);
            fail_input(file_, face_line_[face], face_name(face),
                       fmt::format("a {} index among the {} of the file", what, count),
                       fmt::format("{}", corners[c] + 1));
        }
    }

    void complete_mesh() {
        check_range(mesh_.corner_vertex, mesh_.positions.size(), "vertex");
        check_range(mesh_.corner_texcoord, mesh_.texcoords.size(), "texture");
        if (!has_texcoords_) {
            mesh_.corner_texcoord.clear();
            mesh_.texcoords.clear();
        }
        if (mesh_.group_names.empty())
            mesh_.face_group.clear();
        if (!colours_.empty())
            store_colours();
    }

    void store_colours() {
        // A file of several objects may have painted only some of them.
        colours_.resize(mesh_.positions.size(), Vec3{0, 0, 0});
        static constexpr const char* names[] = {"red", "green", "blue"};
        for (int channel = 0; channel < 3; ++channel) {
            std::vector<double>& map = mesh_.vertex_maps[names[channel]];
            map.reserve(colours_.size());
            for (const Vec3& colour : colours_)
                map.push_back(colour[channel]);
        }
    }

    static constexpr int no_group = -1, unnamed_yet = -2;

    LineReader lines_;
    const std::string& file_;
    const ReadLimits& limits_;
    PolygonMesh mesh_;
    std::vector<Vec3> colours_;  ///< of the first vertices; empty when none has one
    std::vector<int> face_line_; ///< where each face stands in the file
    bool has_texcoords_ = false;
    int group_ = no_group;
    std::string group_name_;
    std::unordered_map<std::string, int> group_numbers_;
};

/// A name that reads back as itself: one line, no comment, no continuation.
std::string group_statement(const std::string& name) {
    std::string out;
    for (char c : name) {
        const bool starts_word = out.empty() || out.back() == ' ';
        const bool breaks = static_cast<unsigned char>(c) < ' ' || c == '\x7f';
        if (breaks || c == '\\' || (starts_word && (c == '#' || c == ' ')))
            c = '_';
        out += c;
    }
    if (!out.empty() && out.back() == ' ')
        out.back() = '_';
    return out.empty() ? "_" : out;
}

void print_vertices(ByteSink& sink, const PolygonMesh& mesh) {
    const auto red = mesh.vertex_maps.find("red"), green = mesh.vertex_maps.find("green"),
               blue = mesh.vertex_maps.find("blue"), none = mesh.vertex_maps.end();
    const bool coloured = red != none && green != none && blue != none;
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
        const Vec3& p = mesh.positions[i];
        if (coloured)
            sink.print("v {} {} {} {} {} {}\n", p.x, p.y, p.z, red->second[i], green->second[i],
                       blue->second[i]);
        else
            sink.print("v {} {} {}\n", p.x, p.y, p.z);
    }
}

} // namespace

PolygonMesh parse_obj(std::string_view bytes, const std::string& file, const ReadLimits& limits) {
    return ObjParser(bytes, file, limits).parse();
}

void print_obj(ByteSink& sink, const PolygonMesh& mesh) {
    sink.put("# Muslin\n");
    print_vertices(sink, mesh);
    for (const Vec2& t : mesh.texcoords)
        sink.print("vt {} {}\n", t.x, t.y);
    int group = -1;
    for (int f = 0; f < mesh.face_count(); ++f) {
        const int next_group = mesh.face_group.empty() ? -1 : mesh.face_group[f];
        if (next_group != group)
            sink.print("g {}\n",
                       next_group < 0 ? "default" : group_statement(mesh.group_names[next_group]));
        group = next_group;
        sink.put("f");
        for (int c = mesh.face_begin[f]; c < mesh.face_begin[f + 1]; ++c) {
            const int texcoord = mesh.corner_texcoord.empty() ? -1 : mesh.corner_texcoord[c];
            if (texcoord >= 0)
                sink.print(" {}/{}", mesh.corner_vertex[c] + 1, texcoord + 1);
            else
                sink.print(" {}", mesh.corner_vertex[c] + 1);
        }
        sink.put("\n");
    }
}

} // namespace muslin
