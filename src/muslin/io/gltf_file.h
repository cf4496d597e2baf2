#pragma once

#include "muslin/io/mesh_file.h"
#include "muslin/mesh/character.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// A glTF 2.0 file as it is written down, every reference and size checked: what io/gltf.h makes a
// character of. Numbers that refer to something are indices into the lists here, -1 for none.

namespace muslin {

struct GltfView {
    int buffer = 0;
    std::uint64_t offset = 0, length = 0;
    std::uint64_t stride = 0; ///< 0: tightly packed
};

struct GltfSparse {
    std::uint64_t count = 0;
    int index_view = 0, value_view = 0;
    std::uint64_t index_offset = 0, value_offset = 0;
    int index_component = 0;
};

struct GltfAccessor {
    int view = -1; ///< none: zeros
    std::uint64_t offset = 0, count = 0;
    int component = 0;    ///< glTF's number of the type of a component
    std::string type;     ///< "SCALAR", "VEC3", ...
    std::size_t rows = 1; ///< of each column; 4 for a VEC4 or a MAT4
    std::size_t columns = 1;
    bool normalized = false;
    std::optional<GltfSparse> sparse;
};

struct GltfPrimitive {
    int mode = 4;
    int indices = -1, positions = -1, texcoords = -1;
    std::vector<int> joints, weights; ///< of the sets 0, 1, ...
    std::vector<int> targets;         ///< positions of each morph target
};

struct GltfMesh {
    std::string name;
    std::vector<GltfPrimitive> primitives; ///< all with as many targets
    std::vector<double> weights;           ///< of the targets; empty: zero
    std::vector<std::string> target_names; ///< one per target
};

struct GltfNode {
    std::string name;
    std::vector<int> children;
    int mesh = -1, skin = -1;
    NodeTransform transform;
    std::vector<double> weights; ///< of its mesh's targets; empty: the mesh's own
};

struct GltfSkin {
    std::vector<int> joints;
    int inverse_bind = -1; ///< none: identities
};

struct GltfChannel {
    int node = -1;
    ClipChannel::Path path = ClipChannel::Path::translation;
    ClipChannel::Interpolation interpolation = ClipChannel::Interpolation::linear;
    int input = 0, output = 0;
    std::string where; ///< "animations[0].channels[2]"
};

struct GltfAnimation {
    std::string name;
    std::vector<GltfChannel> channels;
};

struct GltfFile {
    std::string file; ///< for messages
    std::vector<std::optional<std::string>> buffers;
    std::vector<GltfView> views;
    std::vector<GltfAccessor> accessors;
    std::vector<GltfMesh> meshes;
    std::vector<GltfNode> nodes;
    std::vector<GltfSkin> skins;
    std::vector<GltfAnimation> animations;
    std::optional<std::vector<int>> roots; ///< nodes of the scene; none: the file has no scene

    /// Throws InputError about an element of this file: "meshes[0].primitives[1]".
    [[noreturn]] void fail(const std::string& element, const std::string& expected,
                           const std::string& found) const;
    /// Throws where an accessor is not of one of the types, as `element` needs it.
    void require_type(int accessor, const std::string& element,
                      std::initializer_list<std::string_view> types) const;
    /// All numbers of an accessor, normalised integers as fractions. Throws for one not finite.
    std::vector<double> numbers(int accessor) const;
    /// The same for indices, which are unsigned.
    std::vector<std::uint32_t> indices(int accessor) const;
};

/// Parses the bytes of a .gltf or .glb file; buffers in other files are read from beside it.
/// Throws InputError or FileError.
GltfFile parse_gltf_file(std::string_view bytes, const std::string& file,
                         std::vector<std::string>& warnings);

/// By its ending, .gltf or .glb.
bool is_gltf_file(const std::filesystem::path& file);

/// The files, other than itself, that a glTF file has its buffers in, up to where it cannot be
/// parsed, which is for whoever reads it to tell. Throws FileError.
std::vector<std::filesystem::path> gltf_side_files(const std::filesystem::path& file);

/// The file that a URI other than a data URI stands for; nothing where it is none.
std::optional<std::filesystem::path> gltf_uri_file(const std::string& uri,
                                                   const std::filesystem::path& file);

/// The bytes that a buffer's URI stands for, a data URI or a file beside `file`. `element` is for
/// messages.
std::string load_gltf_uri(const std::string& uri, const std::string& file,
                          const std::string& element);

} // namespace muslin
