#include "commands.h"
#include "size_text.h"

#include "muslin/io/gltf.h"
#include "muslin/mesh/quality.h"
#include "muslin/mesh/topology.h"
#include "muslin/mesh/triangle_mesh.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace muslin::cli {
namespace {

using Json = nlohmann::ordered_json;

std::size_t keys_of(const Clip& clip) {
    std::size_t most = 0;
    for (const ClipChannel& channel : clip.channels)
        most = std::max(most, channel.times.size());
    return most;
}

Json part_json(const Character& body, std::size_t p) {
    const CharacterPart& part = body.parts[p];
    const auto triangles =
        std::count(body.mesh.face_group.begin(), body.mesh.face_group.end(), static_cast<int>(p));
    Json morphs = Json::array();
    for (const MorphTarget& morph : part.morphs)
        morphs.push_back(morph.name);
    return {{"name", body.mesh.group_names[p]}, {"vertices", part.vertex_count},
            {"triangles", triangles},           {"joints", part.joints.size()},
            {"targets", part.morphs.size()},    {"target_names", morphs}};
}

Json describe(const std::string& file, const Character& body) {
    Json out = {{"file", file}, {"format", "glTF 2.0"}, {"nodes", body.nodes.size()}};
    out["meshes"] = Json::array();
    for (std::size_t p = 0; p < body.parts.size(); ++p)
        out["meshes"].push_back(part_json(body, p));
    std::set<int> joints;
    for (const CharacterPart& part : body.parts)
        joints.insert(part.joints.begin(), part.joints.end());
    out["joints"] = Json::array();
    for (const int joint : joints)
        out["joints"].push_back(body.nodes[static_cast<std::size_t>(joint)].name);
    out["clips"] = Json::array();
    for (const Clip& clip : body.clips) // single precision; as many digits as that has
        out["clips"].push_back({{"name", clip.name},
                                {"seconds", std::stod(fmt::format("{:.7g}", clip.duration))},
                                {"channels", clip.channels.size()},
                                {"keys", keys_of(clip)}});
    return out;
}

/// At most so many names; the rest as a count.
std::string some_names(const Json& names) {
    constexpr std::size_t most = 8;
    std::string out;
    for (std::size_t i = 0; i < std::min(most, names.size()); ++i)
        out += (i > 0 ? ", " : "") + names[i].get<std::string>();
    return names.size() > most ? fmt::format("{} and {} more", out, names.size() - most) : out;
}

void print(const Json& out) {
    for (const Json& mesh : out["meshes"]) {
        fmt::print("  mesh '{}': {} vertices, {} triangles, {} joints, {} morph targets\n",
                   mesh["name"].get<std::string>(), mesh["vertices"].get<int>(),
                   mesh["triangles"].get<int>(), mesh["joints"].get<int>(),
                   mesh["targets"].get<int>());
        if (!mesh["target_names"].empty())
            fmt::print("    morph targets: {}\n", some_names(mesh["target_names"]));
    }
    if (!out["joints"].empty())
        fmt::print("  joints: {}\n", some_names(out["joints"]));
    for (const Json& clip : out["clips"])
        fmt::print("  clip '{}': {:.7g} s, {} channels, at most {} keys\n",
                   clip["name"].get<std::string>(), clip["seconds"].get<double>(),
                   clip["channels"].get<int>(), clip["keys"].get<int>());
    if (out["clips"].empty())
        fmt::print("  no clips\n");
    for (const Json& warning : out["warnings"])
        fmt::print("  warning: {}\n", warning.get<std::string>());
}

} // namespace

int info_character(const std::string& file, bool json) {
    Character body = read_gltf(file);
    std::vector<Vec3> posed(body.mesh.positions.size());
    pose_character(body, rest_pose(body), posed);
    const TriangleMesh mesh = triangulate(body.mesh);
    const MeshQuality q = measure_quality(posed, mesh.triangles);
    const auto defect = find_defect(mesh.triangles, static_cast<int>(posed.size()));
    Json out = describe(file, body);
    out["vertices"] = q.vertices;
    out["triangles"] = q.triangles;
    out["boundary_edges"] = q.boundary_edges;
    out["components"] = q.components;
    out["defect"] = defect ? Json(defect->text) : Json(nullptr);
    out["warnings"] = body.mesh.warnings;
    if (json) {
        fmt::print("{}\n", out.dump(2, ' ', false, Json::error_handler_t::replace));
        return 0;
    }
    fmt::print("{}: glTF 2.0, {} vertices, {} triangles, {} pieces\n  size {}\n  surface: {}{}\n",
               file, q.vertices, q.triangles, q.components, size_text(posed, " m"),
               q.boundary_edges == 0 ? "closed" : fmt::format("{} open edges", q.boundary_edges),
               defect ? "; " + defect->text : "");
    print(out);
    return 0;
}

} // namespace muslin::cli
