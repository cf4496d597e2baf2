#include "muslin/io/gltf_part.h"

#include "muslin/base/hash.h"
#include "muslin/io/mesh_formats.h"
#include "muslin/mesh/topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace muslin {
namespace {

constexpr int component_byte = 5121, component_short = 5123, component_int = 5125,
              component_float = 5126;

std::vector<Vec3> vectors(const std::vector<double>& numbers) {
    std::vector<Vec3> out(numbers.size() / 3);
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = {numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]};
    return out;
}

class PartReader {
public:
    PartReader(const GltfFile& gltf, int mesh, std::size_t joints, const ReadLimits& limits,
               std::vector<std::string>& warnings)
        : gltf_(gltf), mesh_(gltf.meshes[static_cast<std::size_t>(mesh)]), joints_(joints),
          limits_(limits), warnings_(warnings), where_(fmt::format("meshes[{}]", mesh)) {}

    GltfPart read() {
        part_.morphs.resize(mesh_.primitives.front().targets.size());
        for (std::size_t p = 0; p < mesh_.primitives.size(); ++p) {
            primitive_ = fmt::format("{}.primitives[{}]", where_, p);
            add(mesh_.primitives[p]);
        }
        warn_of_weights();
        return std::move(part_);
    }

private:
    const GltfAccessor& accessor(int index) const {
        return gltf_.accessors[static_cast<std::size_t>(index)];
    }
    std::string attribute(const std::string& name) const {
        return primitive_ + ".attributes." + name;
    }

    void add(const GltfPrimitive& primitive) {
        if (primitive.mode < 4) {
            warnings_.push_back(primitive_ + " has points or lines; left out");
            return;
        }
        if (primitive.positions < 0) {
            warnings_.push_back(primitive_ + " has no positions; left out");
            return;
        }
        gltf_.require_type(primitive.positions, attribute("POSITION"), {"VEC3"});
        const std::uint64_t count = accessor(primitive.positions).count;
        check_vertex_limit(part_.positions.size() + count, limits_, gltf_.file, 0);
        const std::vector<Vec3> positions = vectors(gltf_.numbers(primitive.positions));
        const int first = static_cast<int>(part_.positions.size());
        part_.positions.insert(part_.positions.end(), positions.begin(), positions.end());
        add_targets(primitive);
        add_texcoords(primitive);
        if (joints_ > 0)
            add_influences(primitive);
        else
            part_.influence_begin.resize(part_.positions.size() + 1, 0);
        add_triangles(primitive, first);
    }

    /// Throws unless an attribute has one element per vertex of the primitive.
    void require_count(int index, const std::string& element, std::uint64_t count) const {
        if (accessor(index).count != count)
            gltf_.fail(element, fmt::format("{} elements, one per vertex", count),
                       fmt::format("{}", accessor(index).count));
    }

    void add_targets(const GltfPrimitive& primitive) {
        const std::uint64_t count = accessor(primitive.positions).count;
        if (primitive.targets.size() > limits_.max_corners / part_.positions.size())
            gltf_.fail(primitive_ + ".targets",
                       fmt::format("at most {} offsets in all", limits_.max_corners),
                       fmt::format("{} targets", primitive.targets.size()));
        for (std::size_t t = 0; t < primitive.targets.size(); ++t) {
            std::vector<Vec3>& offsets = part_.morphs[t];
            offsets.resize(part_.positions.size(), {0, 0, 0});
            const int index = primitive.targets[t];
            if (index < 0)
                continue;
            const std::string element = fmt::format("{}.targets[{}].POSITION", primitive_, t);
            gltf_.require_type(index, element, {"VEC3"});
            require_count(index, element, count);
            const std::vector<Vec3> own = vectors(gltf_.numbers(index));
            std::copy(own.begin(), own.end(), offsets.end() - static_cast<long>(own.size()));
        }
    }

    void add_texcoords(const GltfPrimitive& primitive) {
        const std::size_t vertices = part_.positions.size();
        if (primitive.texcoords < 0) {
            part_.vertex_texcoord.resize(vertices, -1);
            return;
        }
        const std::string element = attribute("TEXCOORD_0");
        gltf_.require_type(primitive.texcoords, element, {"VEC2"});
        require_count(primitive.texcoords, element, accessor(primitive.positions).count);
        const std::vector<double> uv = gltf_.numbers(primitive.texcoords);
        for (std::size_t i = 0; i + 1 < uv.size(); i += 2) {
            part_.vertex_texcoord.push_back(static_cast<int>(part_.texcoords.size()));
            part_.texcoords.push_back({uv[i], 1 - uv[i + 1]}); // glTF's v grows downwards
        }
    }

    void add_influences(const GltfPrimitive& primitive) {
        if (primitive.joints.empty())
            gltf_.fail(primitive_ + ".attributes", "JOINTS_0 and WEIGHTS_0, as its node has a skin",
                       "none");
        const std::uint64_t count = accessor(primitive.positions).count;
        std::vector<std::vector<std::uint32_t>> joints;
        std::vector<std::vector<double>> weights;
        for (std::size_t set = 0; set < primitive.joints.size(); ++set) {
            const int joint = primitive.joints[set], weight = primitive.weights[set];
            const std::string joint_name = attribute(fmt::format("JOINTS_{}", set)),
                              weight_name = attribute(fmt::format("WEIGHTS_{}", set));
            gltf_.require_type(joint, joint_name, {"VEC4"});
            gltf_.require_type(weight, weight_name, {"VEC4"});
            require_count(joint, joint_name, count);
            require_count(weight, weight_name, count);
            require_components(joint, joint_name, {component_byte, component_short});
            require_components(weight, weight_name,
                               {component_byte, component_short, component_float});
            joints.push_back(gltf_.indices(joint));
            weights.push_back(gltf_.numbers(weight));
        }
        for (std::size_t v = 0; v < count; ++v)
            add_vertex(joints, weights, v);
    }

    void require_components(int index, const std::string& element,
                            std::initializer_list<int> kinds) const {
        const int kind = accessor(index).component;
        if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
            gltf_.fail(element, fmt::format("a component type of {}", fmt::join(kinds, ", ")),
                       fmt::format("{} in accessors[{}]", kind, index));
    }

    void add_vertex(const std::vector<std::vector<std::uint32_t>>& joints,
                    const std::vector<std::vector<double>>& weights, std::size_t v) {
        influences_.clear();
        double sum = 0;
        for (std::size_t set = 0; set < joints.size(); ++set)
            for (std::size_t k = 4 * v; k < 4 * v + 4; ++k) {
                const double weight = weights[set][k];
                if (weight == 0)
                    continue;
                if (weight < 0)
                    gltf_.fail(attribute(fmt::format("WEIGHTS_{}", set)), "weights from 0 to 1",
                               fmt::format("{} at vertex {}", weight, v));
                if (joints[set][k] >= joints_)
                    gltf_.fail(attribute(fmt::format("JOINTS_{}", set)),
                               fmt::format("joints below {}, as the skin has", joints_),
                               fmt::format("{} at vertex {}", joints[set][k], v));
                influences_.emplace_back(static_cast<int>(joints[set][k]), weight);
                sum += weight;
            }
        if (influences_.empty()) { // as others do: the first joint that is named
            influences_.emplace_back(
                static_cast<int>(std::min<std::size_t>(joints[0][4 * v], joints_ - 1)), 1);
            ++unweighted_;
            sum = 1;
        }
        const double error = std::abs(sum - 1);
        off_ += error > 1e-4;
        worst_ = std::max(worst_, error);
        put_influences(sum);
    }

    /// Sorted by joint, each joint once, sum 1.
    void put_influences(double sum) {
        std::stable_sort(influences_.begin(), influences_.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        const std::size_t begin = part_.influence_joint.size();
        for (const auto& [joint, weight] : influences_)
            if (part_.influence_joint.size() > begin && part_.influence_joint.back() == joint) {
                part_.influence_weight.back() += weight / sum;
            } else {
                part_.influence_joint.push_back(joint);
                part_.influence_weight.push_back(weight / sum);
            }
        part_.influence_begin.push_back(static_cast<int>(part_.influence_joint.size()));
    }

    void warn_of_weights() {
        if (off_ > 0)
            warnings_.push_back(fmt::format("{}: the weights of {} of {} vertices do not sum to 1, "
                                            "at most off by {:.3g}; scaled so that they do",
                                            where_, off_, part_.positions.size(), worst_));
        if (unweighted_ > 0)
            warnings_.push_back(fmt::format("{}: {} vertices have no weight; they follow the first "
                                            "joint that they name",
                                            where_, unweighted_));
    }

    void add_triangles(const GltfPrimitive& primitive, int first) {
        const std::uint64_t vertices = accessor(primitive.positions).count;
        std::vector<std::uint32_t> corners;
        if (primitive.indices >= 0) {
            const std::string element = primitive_ + ".indices";
            gltf_.require_type(primitive.indices, element, {"SCALAR"});
            require_components(primitive.indices, element,
                               {component_byte, component_short, component_int});
            corners = gltf_.indices(primitive.indices);
            for (const std::uint32_t corner : corners)
                if (corner >= vertices)
                    gltf_.fail(element, fmt::format("indices below {}", vertices),
                               fmt::format("{}", corner));
        } else {
            corners.resize(static_cast<std::size_t>(vertices));
            for (std::size_t i = 0; i < corners.size(); ++i)
                corners[i] = static_cast<std::uint32_t>(i);
        }
        check_corner_limit(3 * (part_.triangles.size() + corners.size()), limits_, gltf_.file, 0);
        const auto add = [&](std::size_t a, std::size_t b, std::size_t c) {
            part_.triangles.push_back({first + static_cast<int>(corners[a]),
                                       first + static_cast<int>(corners[b]),
                                       first + static_cast<int>(corners[c])});
        };
        const std::size_t count = corners.size();
        if (primitive.mode == 4) {
            if (count % 3 != 0)
                warnings_.push_back(primitive_ + " has corners beyond its last triangle; left out");
            for (std::size_t i = 0; i + 2 < count; i += 3)
                add(i, i + 1, i + 2);
        } else if (primitive.mode == 5) { // every second triangle of a strip runs backwards
            for (std::size_t i = 0; i + 2 < count; ++i)
                add(i, i + 1 + i % 2, i + 2 - i % 2);
        } else {
            for (std::size_t i = 1; i + 1 < count; ++i)
                add(i, i + 1, 0);
        }
    }

    const GltfFile& gltf_;
    const GltfMesh& mesh_;
    std::size_t joints_;
    const ReadLimits& limits_;
    std::vector<std::string>& warnings_;
    std::string where_, primitive_;
    GltfPart part_;
    std::vector<std::pair<int, double>> influences_;
    int off_ = 0, unweighted_ = 0;
    double worst_ = 0;
};

/// What makes two vertices one.
class Likeness {
public:
    explicit Likeness(const GltfPart& part) : part_(part) {}

    std::uint64_t hash(int v) const {
        Hash64 out;
        const std::size_t i = static_cast<std::size_t>(v);
        add(out, part_.positions[i]);
        for (const std::vector<Vec3>& offsets : part_.morphs)
            add(out, offsets[i]);
        for (int k = part_.influence_begin[i]; k < part_.influence_begin[i + 1]; ++k) {
            const std::size_t at = static_cast<std::size_t>(k);
            out.add(&part_.influence_joint[at], sizeof(int));
            out.add(&part_.influence_weight[at], sizeof(double));
        }
        return out.value();
    }
    bool same(int a, int b) const {
        const std::size_t i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
        if (!equal(part_.positions[i], part_.positions[j]))
            return false;
        for (const std::vector<Vec3>& offsets : part_.morphs)
            if (!equal(offsets[i], offsets[j]))
                return false;
        const auto joints = part_.influence_joint.begin();
        const auto weights = part_.influence_weight.begin();
        const int first = part_.influence_begin[i], last = part_.influence_begin[i + 1];
        const int other = part_.influence_begin[j], other_last = part_.influence_begin[j + 1];
        return std::equal(joints + first, joints + last, joints + other, joints + other_last) &&
               std::equal(weights + first, weights + last, weights + other, weights + other_last);
    }

private:
    static void add(Hash64& out, const Vec3& p) {
        const double plain[] = {p.x + 0.0, p.y + 0.0, p.z + 0.0}; // -0 is 0
        out.add(plain, sizeof(plain));
    }
    static bool equal(const Vec3& a, const Vec3& b) {
        return a.x == b.x && a.y == b.y && a.z == b.z;
    }

    const GltfPart& part_;
};

/// The first vertex that each is like; itself where there is none.
std::vector<int> representatives(const GltfPart& part) {
    std::vector<int> out(part.positions.size());
    for (std::size_t v = 0; v < out.size(); ++v)
        out[v] = static_cast<int>(v);
    std::vector<char> on_border(out.size(), 0);
    for (const auto& edge : build_topology(part.triangles).boundary_edges)
        for (const int v : edge)
            on_border[static_cast<std::size_t>(v)] = 1;
    const Likeness likeness(part);
    std::unordered_multimap<std::uint64_t, int> firsts;
    for (std::size_t v = 0; v < out.size(); ++v) {
        if (!on_border[v])
            continue;
        const std::uint64_t hash = likeness.hash(static_cast<int>(v));
        const auto [begin, end] = firsts.equal_range(hash);
        const auto found = std::find_if(begin, end, [&](const auto& entry) {
            return likeness.same(entry.second, static_cast<int>(v));
        });
        if (found != end)
            out[v] = found->second;
        else
            firsts.emplace(hash, static_cast<int>(v));
    }
    return out;
}

/// Leaves out triangles with a corner twice.
void drop_degenerate(GltfPart& part) {
    std::size_t kept = 0;
    for (std::size_t t = 0; t < part.triangles.size(); ++t) {
        const auto [a, b, c] = part.triangles[t];
        if (a == b || b == c || c == a)
            continue;
        part.triangles[kept] = part.triangles[t];
        part.texcoord_triangles[kept] = part.texcoord_triangles[t];
        ++kept;
    }
    part.triangles.resize(kept);
    part.texcoord_triangles.resize(kept);
}

/// Keeps the vertices that triangles use, in their order.
void keep_used(GltfPart& part) {
    std::vector<int> place(part.positions.size(), -1);
    for (const auto& triangle : part.triangles)
        for (const int v : triangle)
            place[static_cast<std::size_t>(v)] = 0;
    GltfPart out;
    out.morphs.resize(part.morphs.size());
    for (std::size_t v = 0; v < place.size(); ++v) {
        if (place[v] < 0)
            continue;
        place[v] = static_cast<int>(out.positions.size());
        out.positions.push_back(part.positions[v]);
        for (std::size_t m = 0; m < part.morphs.size(); ++m)
            out.morphs[m].push_back(part.morphs[m][v]);
        for (int i = part.influence_begin[v]; i < part.influence_begin[v + 1]; ++i) {
            out.influence_joint.push_back(part.influence_joint[static_cast<std::size_t>(i)]);
            out.influence_weight.push_back(part.influence_weight[static_cast<std::size_t>(i)]);
        }
        out.influence_begin.push_back(static_cast<int>(out.influence_joint.size()));
    }
    for (auto& triangle : part.triangles)
        for (int& v : triangle)
            v = place[static_cast<std::size_t>(v)];
    out.triangles = std::move(part.triangles);
    out.texcoords = std::move(part.texcoords);
    out.texcoord_triangles = std::move(part.texcoord_triangles);
    part = std::move(out);
}

} // namespace

GltfPart read_gltf_part(const GltfFile& gltf, int mesh, std::size_t joints,
                        const ReadLimits& limits, std::vector<std::string>& warnings) {
    return PartReader(gltf, mesh, joints, limits, warnings).read();
}

void weld_gltf_part(GltfPart& part) {
    part.texcoord_triangles = part.triangles;
    for (auto& triangle : part.texcoord_triangles)
        for (int& corner : triangle)
            corner = part.vertex_texcoord[static_cast<std::size_t>(corner)];
    drop_degenerate(part);
    const std::vector<int> first = representatives(part);
    for (auto& triangle : part.triangles)
        for (int& v : triangle)
            v = first[static_cast<std::size_t>(v)];
    drop_degenerate(part);
    keep_used(part);
}

} // namespace muslin
