#include "muslin/io/gltf_file.h"

#include "muslin/io/gltf_json.h"
#include "muslin/io/read_file.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

using namespace gltf;

class Parser {
public:
    Parser(const Element& root, const Container& container, GltfFile& out,
           std::vector<std::string>& warnings)
        : root_(root), container_(container), out_(out), warnings_(warnings) {}

    void parse() {
        check_version();
        check_extensions();
        for (const Element& e : root_.list("buffers"))
            add_buffer(e);
        for (const Element& e : root_.list("bufferViews"))
            add_view(e);
        for (const Element& e : root_.list("accessors"))
            add_accessor(e);
        for (const Element& e : root_.list("meshes"))
            add_mesh(e);
        const auto nodes = root_.list("nodes"), skins = root_.list("skins");
        for (const Element& e : nodes)
            add_node(e, nodes.size(), skins.size());
        for (const Element& e : skins)
            add_skin(e);
        for (const Element& e : root_.list("animations"))
            add_animation(e);
        const auto scenes = root_.list("scenes");
        const int scene = std::max(0, root_.index("scene", scenes.size(), "scenes"));
        if (!scenes.empty())
            out_.roots = scenes[static_cast<std::size_t>(scene)].indices("nodes", out_.nodes.size(),
                                                                         "nodes");
    }

private:
    void check_version() const {
        const Element version = root_.member("asset").member("version");
        if (!version.text().starts_with("2."))
            version.fail("glTF 2.0", quote(version.text()));
    }

    // What a file requires is needed to read it, except for what only pictures need.
    void check_extensions() const {
        for (const Element& e : root_.list("extensionsRequired")) {
            const std::string name = e.text();
            const auto has = [&](const char* part) { return name.find(part) != name.npos; };
            if (name != "KHR_mesh_quantization" && !has("_materials_") && !has("_texture_") &&
                !has("_lights_"))
                e.fail("glTF without extensions that change its geometry", quote(name));
        }
    }

    void add_buffer(const Element& e) {
        const Element length = e.member("byteLength");
        if (length.size() == 0)
            length.fail("at least one byte", "0");
        std::optional<std::string> bytes;
        if (const auto uri = e.find("uri"))
            bytes = load_gltf_uri(uri->text(), out_.file, uri->path());
        else if (out_.buffers.empty() && container_.is_binary) {
            if (!container_.binary)
                e.fail("the chunk BIN of the file", "none");
            bytes = std::string(*container_.binary);
        }
        if (bytes && bytes->size() < length.size())
            e.fail(fmt::format("{} bytes, as byteLength declares", length.size()),
                   fmt::format("{}", bytes->size()));
        all_bytes_ += bytes ? bytes->size() : 0;
        out_.buffers.push_back(std::move(bytes));
        lengths_.push_back(length.size());
    }

    void add_view(const Element& e) {
        GltfView view;
        view.buffer = e.member("buffer").index(out_.buffers.size(), "buffers");
        view.offset = e.size("byteOffset", 0);
        view.length = e.member("byteLength").size();
        view.stride = e.size("byteStride", 0);
        const std::uint64_t all = lengths_[static_cast<std::size_t>(view.buffer)];
        if (view.offset > all || view.length > all - view.offset)
            e.fail(fmt::format("a part of the {} bytes of buffers[{}]", all, view.buffer),
                   fmt::format("{} bytes from {} on", view.length, view.offset));
        out_.views.push_back(view);
    }

    static std::size_t component_bytes(const Element& e) {
        switch (e.size()) {
        case 5120:
        case 5121:
            return 1;
        case 5122:
        case 5123:
            return 2;
        case 5125:
        case 5126:
            return 4;
        default:
            e.fail("the number of a type that glTF has", fmt::format("{}", e.size()));
        }
    }

    /// Throws where `count` elements do not lie within their view.
    void require_fit(const Element& e, int view, std::uint64_t offset, std::uint64_t element,
                     std::uint64_t count, std::uint64_t packed = 0) const {
        const GltfView& v = out_.views[static_cast<std::size_t>(view)];
        if (v.stride > 0 && v.stride < element)
            e.fail(fmt::format("elements of at most {} bytes, the byteStride of bufferViews[{}]",
                               v.stride, view),
                   fmt::format("{}", element));
        // The last column of a matrix needs no filling up; element after element it is there.
        const std::uint64_t stride = v.stride > 0 ? v.stride : std::max(element, packed);
        if (offset > v.length || v.length - offset < element ||
            (v.length - offset - element) / stride < count - 1)
            e.fail(fmt::format("a part of the {} bytes of bufferViews[{}]", v.length, view),
                   fmt::format("{} elements of {} bytes from {} on", count, element, offset));
    }

    void add_accessor(const Element& e) {
        struct Type {
            const char* name;
            std::size_t rows, columns;
        };
        static constexpr Type types[] = {{"SCALAR", 1, 1}, {"VEC2", 2, 1}, {"VEC3", 3, 1},
                                         {"VEC4", 4, 1},   {"MAT2", 2, 2}, {"MAT3", 3, 3},
                                         {"MAT4", 4, 4}};
        GltfAccessor a;
        const Element type = e.member("type");
        a.type = type.text();
        const Type* const known = std::find_if(std::begin(types), std::end(types),
                                               [&](const Type& t) { return t.name == a.type; });
        if (known == std::end(types))
            type.fail("SCALAR, VEC2, VEC3, VEC4, MAT2, MAT3 or MAT4", quote(a.type));
        a.rows = known->rows;
        a.columns = known->columns;
        const std::size_t size = component_bytes(e.member("componentType"));
        a.component = static_cast<int>(e.member("componentType").size());
        a.count = e.member("count").size();
        a.offset = e.size("byteOffset", 0);
        a.view = e.index("bufferView", out_.views.size(), "bufferViews");
        a.normalized = e.flag("normalized");
        // Zeros take no bytes in the file. They stand for offsets of few of the vertices of a mesh,
        // whose bytes are there: a false count takes no more memory than those, or than a few
        // pages.
        const std::uint64_t most_zeros =
            std::clamp(all_bytes_, std::uint64_t{1} << 12, std::uint64_t{1} << 22);
        if (a.count == 0 || (a.view < 0 && a.count > most_zeros))
            e.member("count").fail(a.count == 0
                                       ? "at least one element"
                                       : fmt::format("at most {} without a bufferView", most_zeros),
                                   fmt::format("{}", a.count));
        const std::size_t column = a.rows * size, filled = (column + 3) / 4 * 4;
        const std::size_t bytes = (a.columns - 1) * filled + column;
        const std::size_t packed = a.columns > 1 ? a.columns * filled : bytes;
        if (a.view >= 0)
            require_fit(e, a.view, a.offset, bytes, a.count, packed);
        if (const auto sparse = e.find("sparse"))
            a.sparse = sparse_of(*sparse, a, packed);
        out_.accessors.push_back(std::move(a));
    }

    GltfSparse sparse_of(const Element& e, const GltfAccessor& a, std::size_t bytes) const {
        GltfSparse out;
        out.count = e.member("count").size();
        if (out.count == 0 || out.count > a.count)
            e.member("count").fail(fmt::format("1 to {}, the accessor's count", a.count),
                                   fmt::format("{}", out.count));
        const Element indices = e.member("indices"), values = e.member("values");
        out.index_view = indices.member("bufferView").index(out_.views.size(), "bufferViews");
        out.index_offset = indices.size("byteOffset", 0);
        const Element component = indices.member("componentType");
        const std::size_t size = component_bytes(component);
        out.index_component = static_cast<int>(component.size());
        if (out.index_component % 2 == 0) // 5120, 5122 are signed, 5126 is float
            component.fail("a type without sign", fmt::format("{}", out.index_component));
        out.value_view = values.member("bufferView").index(out_.views.size(), "bufferViews");
        out.value_offset = values.size("byteOffset", 0);
        require_fit(indices, out.index_view, out.index_offset, size, out.count);
        require_fit(values, out.value_view, out.value_offset, bytes, out.count);
        return out;
    }

    int accessor(const Element& e) const { return e.index(out_.accessors.size(), "accessors"); }
    int accessor(const Element& e, const char* name) const {
        const auto found = e.find(name);
        return found ? accessor(*found) : -1;
    }

    GltfPrimitive primitive_of(const Element& e) const {
        GltfPrimitive out;
        out.mode = static_cast<int>(std::min<std::uint64_t>(e.size("mode", 4), 7));
        if (out.mode > 6)
            e.member("mode").fail("0 to 6", "more");
        const Element attributes = e.member("attributes");
        out.positions = accessor(attributes, "POSITION");
        out.texcoords = accessor(attributes, "TEXCOORD_0");
        out.indices = accessor(e, "indices");
        const auto sets = [&](const char* kind, std::vector<int>& to) {
            for (int set = 0;; ++set) {
                const int found = accessor(attributes, fmt::format("{}_{}", kind, set).c_str());
                if (found < 0)
                    return;
                to.push_back(found);
            }
        };
        sets("JOINTS", out.joints);
        sets("WEIGHTS", out.weights);
        if (out.joints.size() != out.weights.size())
            attributes.fail("as many JOINTS as WEIGHTS",
                            fmt::format("{} and {}", out.joints.size(), out.weights.size()));
        for (const Element& target : e.list("targets"))
            out.targets.push_back(accessor(target, "POSITION"));
        return out;
    }

    void add_mesh(const Element& e) {
        GltfMesh mesh;
        mesh.name = e.text("name");
        const Element primitives = e.member("primitives");
        for (const Element& p : primitives.items()) {
            mesh.primitives.push_back(primitive_of(p));
            const std::size_t targets = mesh.primitives.back().targets.size(),
                              first = mesh.primitives.front().targets.size();
            if (targets != first)
                p.fail(fmt::format("{} morph targets, as the first primitive has", first),
                       fmt::format("{}", targets));
        }
        if (mesh.primitives.empty())
            primitives.fail("at least one primitive", "none");
        const std::size_t targets = mesh.primitives.front().targets.size();
        mesh.weights = weights_of(e, targets);
        name_targets(e, targets, mesh.target_names);
        out_.meshes.push_back(std::move(mesh));
    }

    static std::vector<double> weights_of(const Element& e, std::size_t targets) {
        const auto found = e.find("weights");
        if (!found)
            return {};
        std::vector<double> out = found->numbers();
        if (out.size() != targets)
            found->fail(fmt::format("{} weights, one per morph target", targets),
                        fmt::format("{}", out.size()));
        return out;
    }

    // By convention in `extras`, whose content is free: what does not look like names is none.
    static void name_targets(const Element& mesh, std::size_t targets,
                             std::vector<std::string>& names) {
        for (std::size_t t = 0; t < targets; ++t)
            names.push_back(fmt::format("morph{}", t));
        const auto extras = mesh.find("extras");
        if (!extras || !extras->is_object())
            return;
        const auto given = extras->find("targetNames");
        if (!given || !given->is_list())
            return;
        std::size_t t = 0;
        for (const Element& name : given->items())
            if (t < targets && name.is_text())
                names[t++] = name.text();
    }

    void add_node(const Element& e, std::size_t nodes, std::size_t skins) {
        GltfNode node;
        node.name = e.text("name");
        node.mesh = e.index("mesh", out_.meshes.size(), "meshes");
        node.skin = e.index("skin", skins, "skins");
        node.children = e.indices("children", nodes, "nodes");
        if (const auto matrix = e.find("matrix"))
            node.transform = transform_of(*matrix);
        else
            read_transform(e, node.transform);
        if (node.mesh >= 0)
            node.weights = weights_of(
                e,
                out_.meshes[static_cast<std::size_t>(node.mesh)].primitives.front().targets.size());
        out_.nodes.push_back(std::move(node));
    }

    static std::vector<double> list_of(const Element& e, std::size_t count) {
        std::vector<double> out = e.numbers();
        if (out.size() != count)
            e.fail(fmt::format("{} numbers", count), fmt::format("{}", out.size()));
        return out;
    }

    static void read_transform(const Element& e, NodeTransform& out) {
        if (const auto t = e.find("translation")) {
            const auto v = list_of(*t, 3);
            out.translation = {v[0], v[1], v[2]};
        }
        if (const auto s = e.find("scale")) {
            const auto v = list_of(*s, 3);
            out.scale = {v[0], v[1], v[2]};
        }
        if (const auto r = e.find("rotation")) {
            const auto v = list_of(*r, 4);
            const double length = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]);
            if (!(length > 1e-6) || !std::isfinite(length))
                r->fail("a unit quaternion", fmt::format("one of length {}", length));
            out.rotation = {v[0] / length, v[1] / length, v[2] / length, v[3] / length};
        }
    }

    static NodeTransform transform_of(const Element& e) {
        const auto v = list_of(e, 16); // column by column
        const Affine a{{{{v[0], v[4], v[8]}, {v[1], v[5], v[9]}, {v[2], v[6], v[10]}}},
                       {v[12], v[13], v[14]}};
        const bool affine =
            std::abs(v[3]) + std::abs(v[7]) + std::abs(v[11]) + std::abs(v[15] - 1) < 1e-6;
        if (const auto out = decompose(a); out && affine)
            return *out;
        e.fail("a matrix that is a scale, a rotation and a translation", "another");
    }

    void add_skin(const Element& e) {
        GltfSkin skin;
        const Element joints = e.member("joints");
        skin.joints = e.indices("joints", out_.nodes.size(), "nodes");
        if (skin.joints.empty())
            joints.fail("at least one joint", "none");
        if (const auto matrices = e.find("inverseBindMatrices")) {
            skin.inverse_bind = accessor(*matrices);
            out_.require_type(skin.inverse_bind, matrices->path(), {"MAT4"});
            const std::uint64_t count =
                out_.accessors[static_cast<std::size_t>(skin.inverse_bind)].count;
            if (count < skin.joints.size())
                matrices->fail(fmt::format("{} matrices, one per joint", skin.joints.size()),
                               fmt::format("{}", count));
        }
        out_.skins.push_back(std::move(skin));
    }

    void add_animation(const Element& e) {
        GltfAnimation animation;
        animation.name = e.text("name");
        const auto samplers = e.member("samplers").items();
        for (const Element& c : e.member("channels").items()) {
            const Element& sampler = samplers[static_cast<std::size_t>(
                c.member("sampler").index(samplers.size(), "samplers"))];
            GltfChannel channel;
            channel.where = c.path();
            const Element target = c.member("target");
            channel.node = target.index("node", out_.nodes.size(), "nodes");
            const std::string path = target.member("path").text();
            if (channel.node < 0 || !set_path(path, channel)) {
                warnings_.push_back(
                    fmt::format("{} moves no node that is known; left out", c.path()));
                continue;
            }
            set_interpolation(sampler, channel);
            channel.input = accessor(sampler.member("input"));
            channel.output = accessor(sampler.member("output"));
            animation.channels.push_back(std::move(channel));
        }
        out_.animations.push_back(std::move(animation));
    }

    static bool set_path(const std::string& path, GltfChannel& channel) {
        using Path = ClipChannel::Path;
        if (path == "translation")
            channel.path = Path::translation;
        else if (path == "rotation")
            channel.path = Path::rotation;
        else if (path == "scale")
            channel.path = Path::scale;
        else if (path == "weights")
            channel.path = Path::weights;
        else
            return false;
        return true;
    }

    static void set_interpolation(const Element& sampler, GltfChannel& channel) {
        using Interpolation = ClipChannel::Interpolation;
        const auto given = sampler.find("interpolation");
        const std::string name = given ? given->text() : "LINEAR";
        if (name == "STEP")
            channel.interpolation = Interpolation::step;
        else if (name == "CUBICSPLINE")
            channel.interpolation = Interpolation::cubic;
        else if (name != "LINEAR")
            given->fail("LINEAR, STEP or CUBICSPLINE", quote(name));
    }

    Element root_;
    const Container& container_;
    GltfFile& out_;
    std::vector<std::string>& warnings_;
    std::vector<std::uint64_t> lengths_; ///< of buffers, as declared
    std::uint64_t all_bytes_ = 0;        ///< of buffers that are there
};

} // namespace

GltfFile parse_gltf_file(std::string_view bytes, const std::string& file,
                         std::vector<std::string>& warnings) {
    GltfFile out;
    out.file = file;
    const Container container = open_container(bytes, file);
    const Json json = parse_json(container.json, container, file);
    Parser(Element(json, "", file), container, out, warnings).parse();
    return out;
}

bool is_gltf_file(const std::filesystem::path& file) {
    const std::string ending = lower_case_ending(file);
    return ending == ".gltf" || ending == ".glb";
}

std::vector<std::filesystem::path> gltf_side_files(const std::filesystem::path& file) {
    std::vector<std::filesystem::path> out;
    const std::string bytes = read_file(file), label = file.string();
    try {
        const Container container = open_container(bytes, label);
        const Json json = parse_json(container.json, container, label);
        for (const Element& buffer : Element(json, "", label).list("buffers"))
            if (const auto uri = buffer.find("uri"))
                if (auto other = gltf_uri_file(uri->text(), file))
                    out.push_back(std::move(*other));
    } catch (const InputError&) { // whoever reads the file ends here too
    }
    return out;
}

} // namespace muslin
