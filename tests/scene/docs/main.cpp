// Writes the tables of keys in docs/scene-format.md and docs/pattern-format.md anew: `make
// scene-docs`. Takes the folder of the docs.
#include "scene/key_docs.h"

#include "muslin/scene/pattern_keys.h"

#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

namespace {

void rewrite(const std::filesystem::path& file, std::span<const muslin::KeyGroup* const> groups) {
    std::ostringstream old;
    old << std::ifstream(file, std::ios::binary).rdbuf();
    const std::string page = muslin::testing::with_key_tables(old.str(), groups);
    std::ofstream(file, std::ios::binary) << page;
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "usage: scene_docs FOLDER\n";
        return 2;
    }
    try {
        const std::filesystem::path folder = argv[1];
        rewrite(folder / "scene-format.md", muslin::keys::all());
        rewrite(folder / "pattern-format.md", muslin::pattern_keys::all());
    } catch (const std::exception& error) {
        std::cerr << "scene_docs: " << error.what() << '\n';
        return 1;
    }
}
