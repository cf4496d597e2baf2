#pragma once

#include "muslin/scene/given.h"
#include "muslin/scene/table_reader.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace muslin {

/// Where the file names in an input count from, and where they may lead. What the user names, on
/// the command line, by --set or by MUSLIN_DATA, is the user's choice; what a scene or a material
/// file names stays in its directory, so that one from elsewhere reads and writes nothing else.
struct FileScope {
    std::filesystem::path folder; ///< names count from here; empty: the working directory
    std::filesystem::path root;   ///< nothing outside may be named; empty: the working directory
    bool allow_outside = false;   ///< the user lets names lead anywhere
    /// Gets every file that a name led to; may be null.
    std::vector<std::filesystem::path>* found = nullptr;
    /// What "given:NAME" stands for; may be null.
    const GivenInputs* given = nullptr;

    /// Of an input that lies in `directory`, which the user chose.
    static FileScope of(const std::filesystem::path& directory, bool allow_outside) {
        return {directory, directory, allow_outside, nullptr, nullptr};
    }
    /// Of a file that was named in this scope: the same root, or, where the user named one
    /// elsewhere, that file's own directory.
    FileScope of_file(const std::filesystem::path& file) const;
};

/// One name for a file or folder, however it is reached: absolute, without links; what does not
/// exist is taken as it is written. Empty where that cannot be told.
std::filesystem::path resolved_path(const std::filesystem::path& path);

/// Whether a file or folder lies in a directory once symbolic links are resolved; it need not
/// exist.
bool is_inside(const std::filesystem::path& file, const std::filesystem::path& directory);

/// The path that a name in the input stands for: in the folder of the scope, or in the working
/// directory when it was given by --set. Throws InputError at that place if it leads outside.
std::filesystem::path scoped_path(const Place& place, const std::string& name,
                                  const FileScope& scope);

/// The same for a file that must be there, beside it or, after "data:", in the collection of
/// reference data; the files that a glTF file names must lie inside too. Throws InputError if
/// nothing can be read there; `what` is "mesh file", "material file" or the like.
std::filesystem::path readable_file(const Place& place, const std::string& name,
                                    const FileScope& scope, std::string_view what);

/// The mesh that "given:NAME" stands for. Throws InputError where the program gave none of the
/// name.
std::shared_ptr<const PolygonMesh> given_mesh(const Place& place, const FileScope& scope);
/// The text of the pattern, likewise.
const std::string& given_pattern(const Place& place, const FileScope& scope);

/// Throws InputError at `place` if a file that comes with what it names leads outside.
void require_inside(const Place& place, const std::filesystem::path& file, const FileScope& scope);

/// The whole of a scene or a material. Throws FileError, and InputError above 64 MiB.
std::string read_text_file(const std::filesystem::path& file);

} // namespace muslin
