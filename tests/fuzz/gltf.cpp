#include "fuzz.h"

#include "muslin/io/gltf.h"
#include "muslin/io/mesh_formats.h"

using namespace muslin;

namespace {

void check_part(const Character& body, const CharacterPart& part) {
    fuzz::require(part.node >= -1 && part.node < static_cast<int>(body.nodes.size()), "a node");
    fuzz::require(fuzz::all_within(part.joints, 0, body.nodes.size()), "nodes as joints");
    fuzz::require(part.inverse_bind.size() == part.joints.size(), "one bind per joint");
    if (!part.joints.empty())
        fuzz::require(part.influence_begin.size() ==
                          static_cast<std::size_t>(part.vertex_count) + 1,
                      "influences of every vertex");
    fuzz::require(fuzz::all_within(part.influence_joint, 0, part.joints.size()), "joints");
    fuzz::require(fuzz::all_finite(part.influence_weight), "finite weights");
    fuzz::require(part.morph_weights.size() == part.morphs.size(), "one weight per morph");
    for (const MorphTarget& morph : part.morphs)
        fuzz::require(morph.offsets.size() == static_cast<std::size_t>(part.vertex_count),
                      "an offset of every vertex");
}

void check_character(const Character& body) {
    fuzz::check_mesh(body.mesh);
    for (std::size_t n = 0; n < body.nodes.size(); ++n)
        fuzz::require(body.nodes[n].parent < static_cast<int>(n), "parents before children");
    int vertices = 0;
    for (const CharacterPart& part : body.parts) {
        fuzz::require(part.first_vertex == vertices, "parts one after the other");
        vertices += part.vertex_count;
        check_part(body, part);
    }
    fuzz::require(vertices == static_cast<int>(body.mesh.positions.size()), "parts that cover all");
    std::vector<Vec3> posed(body.mesh.positions.size());
    for (const Clip& clip : body.clips) {
        fuzz::require(std::isfinite(clip.duration), "a finite duration");
        for (const double share : {0.0, 0.3, 1.0})
            pose_character(body, sample_clip(body, clip, share * clip.duration), posed);
    }
}

} // namespace

FUZZ_TARGET(gltf) {
    const bool accepted = fuzz::accepts([&] {
        const Character body = parse_gltf(bytes, "no-such-folder/fuzz.gltf", {});
        check_character(body);
        for (const std::string& warning : body.mesh.warnings)
            fuzz::check_message(warning);
    });
    // As a mesh it is read by the same function, and then posed.
    if (accepted)
        fuzz::accepts([&] { fuzz::check_mesh(parse_mesh(bytes, "no-such-folder/fuzz.gltf")); });
}
