#include "muslin/run/run_inputs.h"

#include "muslin/base/error.h"
#include "muslin/base/hash.h"
#include "muslin/io/read_file.h"
#include "muslin/io/sample_file.h"
#include "muslin/run/model_hash.h"
#include "muslin/scene/file_scope.h"
#include "muslin/scene/given.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

namespace muslin {
namespace {

namespace fs = std::filesystem;

/// Piece by piece: caches may be larger than memory.
std::string digest(const fs::path& file) {
    SampleReader reader(file);
    std::vector<char> piece(std::size_t(1) << 20);
    Hash64 hash;
    for (std::uint64_t at = 0; at < reader.size(); at += piece.size()) {
        piece.resize(std::min<std::uint64_t>(piece.size(), reader.size() - at));
        reader.read(at, piece);
        hash.add(piece.data(), piece.size());
    }
    return hash.hex();
}

std::string digest(const PolygonMesh& mesh) {
    Hash64 hash;
    add_values(hash, mesh.positions);
    add_values(hash, mesh.texcoords);
    add_values(hash, mesh.face_begin);
    add_values(hash, mesh.corner_vertex);
    add_values(hash, mesh.corner_texcoord);
    add_values(hash, mesh.face_group);
    return hash.hex();
}

/// Digests by name; files of one name in several folders one after the other.
std::map<std::string, std::string> by_name(const std::string& text) {
    std::map<std::string, std::string> out;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        if (const std::size_t gap = line.find(' '); gap != std::string::npos)
            out[line.substr(gap + 1)] += line.substr(0, gap);
    return out;
}

/// The names that a run gives to files, exports of it among them (docs/output.md).
std::set<std::string> output_names(const SceneDescription& scene) {
    std::set<std::string> out = {"report.json", "stats.jsonl"};
    const auto add = [&](const std::string& name, std::initializer_list<const char*> endings) {
        for (const char* ending : endings)
            out.insert(name + ending);
    };
    for (const ClothDescription& cloth : scene.cloths)
        add(cloth.name, {".obj", ".pc2", ".fields", ".mdd"});
    for (const BodyDescription& body : scene.bodies)
        add("body-" + body.name, {".obj", ".pc2", ".mdd"});
    add(scene.name, {".usda", ".glb"});
    return out;
}

[[noreturn]] void refuse(const SceneDescription& scene, const fs::path& file,
                         const fs::path& directory) {
    throw InputError(
        {{scene.file.string(), 0, 0},
         "-o",
         "a directory that holds nothing of what the scene reads under a name that the "
         "run writes",
         fmt::format("'{}'", directory.string()),
         fmt::format("'{}' would be overwritten", file.string())});
}

} // namespace

std::string digest_inputs(const SceneDescription& scene) {
    std::string out;
    const auto add_given = [&](const MeshSource& source) {
        if (const auto* given = std::get_if<GivenMesh>(&source))
            out += fmt::format("{} {}{}\n", digest(*given->mesh), given_prefix, given->name);
    };
    for (const ClothDescription& cloth : scene.cloths)
        add_given(cloth.mesh);
    for (const BodyDescription& body : scene.bodies)
        add_given(body.mesh);
    std::set<fs::path> known;
    for (const fs::path& file : scene.files)
        if (known.insert(resolved_path(file)).second)
            out += fmt::format("{} {}\n", digest(file), file.filename().string());
    return out;
}

std::vector<std::string> input_changes(const std::string& before, const std::string& now) {
    std::vector<std::string> out;
    const auto old = by_name(before);
    for (const auto& [name, digest] : by_name(now))
        if (const auto found = old.find(name); found != old.end() && found->second != digest)
            out.push_back(fmt::format("the file '{}'", name));
    return out;
}

void protect_inputs(const SceneDescription& scene, const fs::path& directory) {
    const fs::path folder = resolved_path(directory);
    if (!scene.file.empty() && resolved_path(scene.file) == folder / "scene.toml" &&
        read_file(scene.file) != scene.source_text)
        refuse(scene, scene.file, directory);
    const std::set<std::string> names = output_names(scene);
    for (const fs::path& file : scene.files) {
        const fs::path at = resolved_path(file);
        if (at.parent_path() == folder && names.contains(at.filename().string()))
            refuse(scene, file, directory);
    }
}

} // namespace muslin
