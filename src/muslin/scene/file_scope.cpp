#include "muslin/scene/file_scope.h"

#include "muslin/io/gltf_file.h"
#include "muslin/io/read_file.h"
#include "muslin/scene/overrides.h"
#include "muslin/scene/suggest.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

namespace muslin {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t most_text = 64 << 20;     // of a scene or a material [bytes]
constexpr std::string_view data_prefix = "data:"; // files of the collection of reference data

/// Where the collection of reference data is: the folder that the environment names, or shared/data
/// beside the project that the scene belongs to; of a built-in one, beside the current folder or
/// one above it.
fs::path data_folder(const fs::path& folder) {
    if (const char* named = std::getenv("MUSLIN_DATA"); named && *named)
        return named;
    std::error_code error;
    for (fs::path at = fs::absolute(folder.empty() ? "." : folder, error);; at = at.parent_path()) {
        if (fs::is_directory(at / "shared" / "data", error))
            return at / "shared" / "data";
        if (at == at.parent_path())
            return fs::path("shared") / "data";
    }
}

void require_in(const Place& place, const std::string& found, const fs::path& file,
                const fs::path& directory) {
    if (is_inside(file, directory))
        return;
    place.fail_found(
        fmt::format("a path inside the directory '{}'",
                    directory.empty() ? "." : directory.string()),
        '"' + found + '"',
        fmt::format("it leads to '{}'; --allow-outside lets it", resolved_path(file).string()));
}

template <class T>
const T& find_given(const Place& place, const GivenInputs::ByName<T> GivenInputs::*kind,
                    const FileScope& scope, std::string_view what) {
    const std::string name = place.text(what).substr(given_prefix.size());
    if (!scope.given)
        place.fail_found(fmt::format("the path of a file with {}", what), '"' + place.text() + '"',
                         "only the program that gave it can run this scene");
    std::vector<std::string_view> known;
    for (const auto& [other, input] : scope.given->*kind) {
        if (other == name)
            return input;
        known.push_back(other);
    }
    place.fail(fmt::format("{} that the program gave", what), suggest(name, known));
}

/// "data:bodies/body.obj" in the collection.
fs::path data_path(const Place& place, const std::string& name, const FileScope& scope) {
    const bool by_user = is_override(place.where());
    const fs::path data = data_folder(by_user ? "" : scope.folder);
    const fs::path out = (data / name.substr(data_prefix.size())).lexically_normal();
    if (!by_user && !scope.allow_outside)
        require_in(place, name, out, data);
    return out;
}

} // namespace

fs::path resolved_path(const fs::path& path) {
    std::error_code error;
    const fs::path whole = fs::absolute(path.empty() ? fs::path(".") : path, error);
    if (error)
        return {};
    const fs::path out = fs::weakly_canonical(whole, error).lexically_normal();
    return error ? fs::path() : out;
}

bool is_inside(const fs::path& file, const fs::path& directory) {
    const fs::path whole = resolved_path(file), root = resolved_path(directory);
    if (whole.empty() || root.empty())
        return false;
    // A root with a slash at its end has an empty part there.
    auto end = root.end();
    if (root.has_relative_path() && root.filename().empty())
        --end;
    return std::mismatch(root.begin(), end, whole.begin(), whole.end()).first == end;
}

FileScope FileScope::of_file(const fs::path& file) const {
    const fs::path beside = file.parent_path();
    return {beside, is_inside(file, root) ? root : beside, allow_outside, found, nullptr};
}

fs::path scoped_path(const Place& place, const std::string& name, const FileScope& scope) {
    if (is_override(place.where()))
        return fs::path(name).lexically_normal();
    const fs::path out = (scope.folder / name).lexically_normal();
    if (!scope.allow_outside)
        require_in(place, name, out, scope.root);
    return out;
}

fs::path readable_file(const Place& place, const std::string& name, const FileScope& scope,
                       std::string_view what) {
    const fs::path file = name.starts_with(data_prefix) ? data_path(place, name, scope)
                                                        : scoped_path(place, name, scope);
    std::error_code error;
    const bool regular = fs::is_regular_file(file, error);
    if (!regular || !std::ifstream(file))
        place.fail_found(
            fmt::format("a {} that can be read", what), '"' + name + '"',
            fmt::format("{}: '{}'", regular ? "cannot open" : "no such file", file.string()));
    if (scope.found)
        scope.found->push_back(file);
    if (is_gltf_file(file))
        for (const fs::path& other : gltf_side_files(file))
            require_inside(place, other, scope.of_file(file));
    return file;
}

std::shared_ptr<const PolygonMesh> given_mesh(const Place& place, const FileScope& scope) {
    return find_given(place, &GivenInputs::meshes, scope, "a mesh");
}

const std::string& given_pattern(const Place& place, const FileScope& scope) {
    return find_given(place, &GivenInputs::patterns, scope, "a pattern");
}

void require_inside(const Place& place, const fs::path& file, const FileScope& scope) {
    if (!scope.allow_outside)
        require_in(place, file.string(), file, scope.root);
    if (scope.found)
        scope.found->push_back(file);
}

std::string read_text_file(const fs::path& file) {
    return read_file(file, most_text);
}

} // namespace muslin
