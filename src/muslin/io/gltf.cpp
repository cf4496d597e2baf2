#include "muslin/io/gltf.h"

#include "muslin/io/gltf_part.h"
#include "muslin/io/mesh_formats.h"
#include "muslin/io/read_file.h"
#include "muslin/io/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

using Path = ClipChannel::Path;
using Interpolation = ClipChannel::Interpolation;

class CharacterReader {
public:
    CharacterReader(const GltfFile& gltf, const ReadLimits& limits,
                    std::vector<std::string>& warnings)
        : gltf_(gltf), limits_(limits), warnings_(warnings) {}

    Character read() {
        sort_nodes();
        add_parts();
        if (out_.mesh.face_count() == 0)
            gltf_.fail({}, "a mesh with triangles", "none in its scene");
        for (std::size_t a = 0; a < gltf_.animations.size(); ++a)
            add_clip(a);
        std::vector<Vec3> posed(out_.mesh.positions.size());
        pose_character(out_, rest_pose(out_), posed);
        if (!std::all_of(posed.begin(), posed.end(), is_finite))
            gltf_.fail("nodes", "transforms that leave vertices at finite places", "others");
        return std::move(out_);
    }

private:
    const GltfNode& node(int index) const { return gltf_.nodes[static_cast<std::size_t>(index)]; }

    /// Parents first; else in the order in which the file has them.
    void sort_nodes() {
        const std::size_t count = gltf_.nodes.size();
        std::vector<int> parent(count, -1);
        for (std::size_t n = 0; n < count; ++n)
            for (const int child : gltf_.nodes[n].children) {
                int& its = parent[static_cast<std::size_t>(child)];
                if (its >= 0)
                    gltf_.fail(fmt::format("nodes[{}].children", n), "nodes without another parent",
                               fmt::format("{}, a child of nodes[{}]", child, its));
                its = static_cast<int>(n);
            }
        place_.assign(count, -1);
        std::vector<int> waiting;
        for (std::size_t n = count; n-- > 0;)
            if (parent[n] < 0)
                waiting.push_back(static_cast<int>(n));
        while (!waiting.empty()) {
            const int next = waiting.back();
            waiting.pop_back();
            const int above = parent[static_cast<std::size_t>(next)];
            place_[static_cast<std::size_t>(next)] = static_cast<int>(out_.nodes.size());
            out_.nodes.push_back({node(next).name,
                                  above < 0 ? -1 : place_[static_cast<std::size_t>(above)],
                                  node(next).transform});
            const std::vector<int>& children = node(next).children;
            waiting.insert(waiting.end(), children.rbegin(), children.rend());
        }
        for (std::size_t n = 0; n < count; ++n)
            if (place_[n] < 0)
                gltf_.fail(fmt::format("nodes[{}]", n), "a tree of nodes",
                           "a node that is its own ancestor");
    }

    void add_parts() {
        if (gltf_.nodes.empty())
            for (std::size_t m = 0; m < gltf_.meshes.size(); ++m)
                add_part(-1, static_cast<int>(m));
        const std::vector<char> shown = in_scene();
        for (std::size_t n = 0; n < gltf_.nodes.size(); ++n)
            if (shown[n] && gltf_.nodes[n].mesh >= 0)
                add_part(static_cast<int>(n), gltf_.nodes[n].mesh);
    }

    std::vector<char> in_scene() const {
        std::vector<char> out(gltf_.nodes.size(), gltf_.roots ? 0 : 1);
        std::vector<int> waiting = gltf_.roots.value_or(std::vector<int>());
        while (!waiting.empty()) {
            const int next = waiting.back();
            waiting.pop_back();
            char& shown = out[static_cast<std::size_t>(next)];
            if (shown)
                continue;
            shown = 1;
            waiting.insert(waiting.end(), node(next).children.begin(), node(next).children.end());
        }
        return out;
    }

    void add_part(int n, int m) {
        const GltfMesh& mesh = gltf_.meshes[static_cast<std::size_t>(m)];
        const int skin = n < 0 ? -1 : node(n).skin;
        CharacterPart part;
        part.node = n < 0 ? -1 : place_[static_cast<std::size_t>(n)];
        if (skin >= 0)
            add_joints(skin, part);
        GltfPart data = read_gltf_part(gltf_, m, part.joints.size(), limits_, warnings_);
        weld_gltf_part(data);
        if (data.triangles.empty())
            return;
        if (skin < 0 && n >= 0 && mirrors(part.node))
            turn_over(data);
        part.first_vertex = static_cast<int>(out_.mesh.positions.size());
        part.vertex_count = static_cast<int>(data.positions.size());
        check_vertex_limit(out_.mesh.positions.size() + data.positions.size(), limits_, gltf_.file,
                           0);
        check_corner_limit(out_.mesh.corner_vertex.size() + 3 * data.triangles.size(), limits_,
                           gltf_.file, 0);
        part.morph_weights = n >= 0 && !node(n).weights.empty() ? node(n).weights : mesh.weights;
        part.morph_weights.resize(data.morphs.size(), 0);
        for (std::size_t t = 0; t < data.morphs.size(); ++t)
            part.morphs.push_back({mesh.target_names[t], std::move(data.morphs[t])});
        part.influence_begin = std::move(data.influence_begin);
        part.influence_joint = std::move(data.influence_joint);
        part.influence_weight = std::move(data.influence_weight);
        add_faces(data, mesh.name.empty() && n >= 0 ? node(n).name : mesh.name);
        out_.parts.push_back(std::move(part));
    }

    /// Whether a node turns left hands into right ones: glTF then has its triangles inside out.
    bool mirrors(int n) const {
        double sign = 1;
        for (; n >= 0; n = out_.nodes[static_cast<std::size_t>(n)].parent) {
            const Vec3& scale = out_.nodes[static_cast<std::size_t>(n)].rest.scale;
            for (int k = 0; k < 3; ++k)
                sign = scale[k] < 0 ? -sign : sign;
        }
        return sign < 0;
    }
    static void turn_over(GltfPart& data) {
        for (auto* triangles : {&data.triangles, &data.texcoord_triangles})
            for (auto& triangle : *triangles)
                std::swap(triangle[1], triangle[2]);
    }

    void add_joints(int s, CharacterPart& part) const {
        const GltfSkin& skin = gltf_.skins[static_cast<std::size_t>(s)];
        for (const int joint : skin.joints)
            part.joints.push_back(place_[static_cast<std::size_t>(joint)]);
        part.inverse_bind.resize(skin.joints.size());
        if (skin.inverse_bind < 0)
            return;
        const std::vector<double> numbers = gltf_.numbers(skin.inverse_bind);
        for (std::size_t j = 0; j < part.inverse_bind.size(); ++j) {
            const double* v = numbers.data() + 16 * j; // column by column
            if (std::abs(v[3]) + std::abs(v[7]) + std::abs(v[11]) + std::abs(v[15] - 1) > 1e-4)
                gltf_.fail(fmt::format("skins[{}].inverseBindMatrices", s),
                           "matrices with a last row of 0, 0, 0, 1",
                           fmt::format("another in element {}", j));
            part.inverse_bind[j] = {{{{v[0], v[4], v[8]}, {v[1], v[5], v[9]}, {v[2], v[6], v[10]}}},
                                    {v[12], v[13], v[14]}};
        }
    }

    void add_faces(const GltfPart& data, const std::string& name) {
        PolygonMesh& mesh = out_.mesh;
        const int first = static_cast<int>(mesh.positions.size());
        const int first_texcoord = static_cast<int>(mesh.texcoords.size());
        mesh.positions.insert(mesh.positions.end(), data.positions.begin(), data.positions.end());
        mesh.texcoords.insert(mesh.texcoords.end(), data.texcoords.begin(), data.texcoords.end());
        if (!data.texcoords.empty()) // parts before this one may have none
            mesh.corner_texcoord.resize(mesh.corner_vertex.size(), -1);
        const bool textured = !mesh.texcoords.empty();
        for (std::size_t t = 0; t < data.triangles.size(); ++t) {
            for (std::size_t k = 0; k < 3; ++k) {
                mesh.corner_vertex.push_back(first + data.triangles[t][k]);
                const int texcoord = data.texcoord_triangles[t][k];
                if (textured)
                    mesh.corner_texcoord.push_back(texcoord < 0 ? -1 : first_texcoord + texcoord);
            }
            mesh.face_begin.push_back(static_cast<int>(mesh.corner_vertex.size()));
            mesh.face_group.push_back(static_cast<int>(mesh.group_names.size()));
        }
        mesh.group_names.push_back(name.empty() ? fmt::format("mesh{}", mesh.group_names.size())
                                                : name);
    }

    void add_clip(std::size_t a) {
        const GltfAnimation& animation = gltf_.animations[a];
        Clip clip;
        clip.name = animation.name.empty() ? fmt::format("clip{}", a) : animation.name;
        for (const GltfChannel& channel : animation.channels)
            add_channel(channel, clip);
        out_.clips.push_back(std::move(clip));
    }

    /// Numbers per key, or 0 where a channel moves nothing.
    std::size_t width_of(const GltfChannel& channel) const {
        switch (channel.path) {
        case Path::translation:
        case Path::scale:
            return 3;
        case Path::rotation:
            return 4;
        default:
            break;
        }
        const int mesh = node(channel.node).mesh;
        return mesh < 0
                   ? 0
                   : gltf_.meshes[static_cast<std::size_t>(mesh)].primitives.front().targets.size();
    }

    void add_channel(const GltfChannel& channel, Clip& clip) {
        const std::size_t width = width_of(channel);
        if (width == 0) {
            warnings_.push_back(channel.where + " moves morph targets of a node that has none");
            return;
        }
        const bool weights = channel.path == Path::weights;
        gltf_.require_type(channel.input, channel.where + ".input", {"SCALAR"});
        gltf_.require_type(channel.output, channel.where + ".output",
                           {weights ? "SCALAR" : (width == 4 ? "VEC4" : "VEC3")});
        ClipChannel out;
        out.node = place_[static_cast<std::size_t>(channel.node)];
        out.path = channel.path;
        out.interpolation = channel.interpolation;
        out.times = gltf_.numbers(channel.input);
        for (std::size_t k = 1; k < out.times.size(); ++k)
            if (out.times[k] < out.times[k - 1])
                gltf_.fail(channel.where + ".input", "times that grow",
                           fmt::format("{} after {}", out.times[k], out.times[k - 1]));
        out.values = gltf_.numbers(channel.output);
        const std::size_t wanted =
            out.times.size() * width * (out.interpolation == Interpolation::cubic ? 3 : 1);
        if (out.values.size() != wanted)
            gltf_.fail(channel.where + ".output",
                       fmt::format("{} numbers for {} keys", wanted, out.times.size()),
                       fmt::format("{}", out.values.size()));
        clip.duration = std::max(clip.duration, out.times.back());
        clip.channels.push_back(std::move(out));
    }

    const GltfFile& gltf_;
    const ReadLimits& limits_;
    std::vector<std::string>& warnings_;
    Character out_;
    std::vector<int> place_; ///< of the file's nodes among the character's
};

} // namespace

Character parse_gltf(std::string_view bytes, const std::string& file, const ReadLimits& limits) {
    std::vector<std::string> said;
    const GltfFile gltf = parse_gltf_file(bytes, file, said);
    Character out = CharacterReader(gltf, limits, said).read();
    for (const std::string& sentence : said)
        out.mesh.warnings.push_back(file + ": " + sentence);
    return out;
}

Character read_gltf(const std::filesystem::path& file) {
    return parse_gltf(read_file(file), file.string(), {});
}

PolygonMesh parse_gltf_mesh(std::string_view bytes, const std::string& file,
                            const ReadLimits& limits) {
    Character body = parse_gltf(bytes, file, limits);
    std::vector<Vec3> posed(body.mesh.positions.size());
    pose_character(body, rest_pose(body), posed);
    body.mesh.positions = std::move(posed);
    return std::move(body.mesh);
}

bool is_gltf(const std::filesystem::path& file) {
    const std::string ending = lower_case_ending(file);
    return ending == ".glb" || ending == ".gltf";
}

} // namespace muslin
