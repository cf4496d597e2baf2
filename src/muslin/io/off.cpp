#include "muslin/io/mesh_formats.h"
#include "muslin/io/text.h"

namespace muslin {
namespace {

/// Reads an OFF file line by line. Words after a vertex's coordinates or a face's corners (normals
/// and colours, which the variants COFF, NOFF, ... declare) are passed over.
class OffParser {
public:
    OffParser(std::string_view text, const std::string& file, const ReadLimits& limits)
        : text_(text), lines_(text), file_(file), limits_(limits) {}

    PolygonMesh parse() {
        parse_head();
        mesh_.positions.reserve(vertices_);
        for (std::size_t v = 0; v < vertices_; ++v)
            parse_vertex(v);
        mesh_.face_begin.reserve(faces_ + 1);
        for (std::size_t f = 0; f < faces_; ++f)
            parse_face(f);
        if (lines_.next()) {
            element_ = head;
            fail(fmt::format("nothing after the {} faces that the head declares", faces_),
                 quote(lines_.word()));
        }
        return std::move(mesh_);
    }

private:
    [[noreturn]] void fail(std::string expected, std::string found) const {
        fail_input(file_, lines_.number(), place(), std::move(expected), std::move(found));
    }

    std::string place() const {
        return element_ == head ? head : fmt::format("{} {}", element_, index_);
    }

    void next_line(const char* element, std::size_t index, const char* expected) {
        element_ = element;
        index_ = index;
        if (!lines_.next())
            fail_input(file_, lines_.last_number(), place(), expected, "end of file");
    }

    void parse_head() {
        next_line(head, 0, "the word OFF");
        std::string_view word = lines_.word();
        const std::size_t at = word.find("OFF");
        if (at == std::string_view::npos ||
            word.substr(0, at).find_first_not_of("STCN") != std::string_view::npos)
            fail("the word OFF (or COFF, NOFF, STOFF)", quote(word));
        // The counts may follow on the same line, in some files without a space between.
        word.remove_prefix(at + 3);
        if (word.empty())
            word = lines_.word();
        if (word == "BINARY")
            fail("an OFF file in text", "a binary one");
        if (word.empty()) {
            next_line(head, 0, "the numbers of vertices, faces and edges");
            word = lines_.word();
        }
        vertices_ = parse_count(word, "vertices");
        faces_ = parse_count(lines_.word(), "faces");
        check_sizes();
    }

    std::size_t parse_count(std::string_view word, const char* what) {
        const auto count = parse_integer(word);
        if (!count || *count < 0)
            fail(fmt::format("the number of {}", what), word.empty() ? "end of line" : quote(word));
        return static_cast<std::size_t>(*count);
    }

    void check_sizes() {
        // "0 0 0" and "3 0 0 0" with a line end, which the last line may lack.
        constexpr std::size_t shortest_vertex = 6, shortest_face = 8;
        std::size_t room = text_.size() - lines_.offset() + 1;
        require_room("vertices", vertices_, room / shortest_vertex);
        room -= vertices_ * shortest_vertex;
        require_room("faces", faces_, room / shortest_face);
        check_vertex_limit(vertices_, limits_, file_, lines_.number());
        check_corner_limit(3 * faces_, limits_, file_, lines_.number());
    }

    void require_room(const char* what, std::size_t declared, std::size_t room) {
        if (declared > room)
            fail(fmt::format("at most {} {} in a file of this size", room, what),
                 fmt::format("{} declared", declared));
    }

    void parse_vertex(std::size_t index) {
        next_line("vertex", index, "x y z");
        double v[3];
        for (double& value : v) {
            const std::string_view word = lines_.word();
            const auto parsed = parse_finite(word);
            if (!parsed)
                fail("x y z, each a finite number", word.empty() ? "end of line" : quote(word));
            value = *parsed;
        }
        mesh_.positions.push_back({v[0], v[1], v[2]});
    }

    void parse_face(std::size_t index) {
        next_line("face", index, "the number of corners and their vertices");
        const std::string_view word = lines_.word();
        const auto corners = parse_integer(word);
        if (!corners || *corners < 3)
            fail("at least 3 corners", quote(word));
        for (std::int64_t c = 0; c < *corners; ++c)
            mesh_.corner_vertex.push_back(parse_index(*corners));
        check_corner_limit(mesh_.corner_vertex.size(), limits_, file_, lines_.number());
        mesh_.face_begin.push_back(static_cast<int>(mesh_.corner_vertex.size()));
    }

    int parse_index(std::int64_t corners) {
        const std::string_view word = lines_.word();
        if (word.empty())
            fail(fmt::format("{} vertex indices", corners), "end of line");
        const auto index = parse_integer(word);
        if (!index || *index < 0 || static_cast<std::size_t>(*index) >= vertices_)
            fail(fmt::format("a vertex index from 0 to below {}", vertices_), quote(word));
        return static_cast<int>(*index);
    }

    static constexpr const char* head = "head";

    std::string_view text_;
    LineReader lines_;
    const std::string& file_;
    const ReadLimits& limits_;
    std::size_t vertices_ = 0, faces_ = 0; ///< as the head declares them
    const char* element_ = head;           ///< what is being read, for messages
    std::size_t index_ = 0;
    PolygonMesh mesh_;
};

} // namespace

PolygonMesh parse_off(std::string_view bytes, const std::string& file, const ReadLimits& limits) {
    return OffParser(bytes, file, limits).parse();
}

void print_off(ByteSink& sink, const PolygonMesh& mesh) {
    sink.print("OFF\n{} {} 0\n", mesh.positions.size(), mesh.face_count());
    for (const Vec3& p : mesh.positions)
        sink.print("{} {} {}\n", p.x, p.y, p.z);
    for (int f = 0; f < mesh.face_count(); ++f) {
        sink.print("{}", mesh.face_begin[f + 1] - mesh.face_begin[f]);
        for (int c = mesh.face_begin[f]; c < mesh.face_begin[f + 1]; ++c)
            sink.print(" {}", mesh.corner_vertex[c]);
        sink.put("\n");
    }
}

} // namespace muslin
