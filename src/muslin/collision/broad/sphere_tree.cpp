#include "muslin/collision/broad/sphere_tree.h"

#include <array>
#include <stdexcept>

namespace muslin {

void SphereTree::build(std::span<const Sphere> spheres) {
    layout_.build(spheres.size(), [&](std::size_t i) {
        const Vec3& c = spheres[i].centre;
        return std::array<float, 3>{static_cast<float>(c.x), static_cast<float>(c.y),
                                    static_cast<float>(c.z)};
    });
    nodes_.resize(2 * layout_.leaf_count());
    refit(spheres);
}

void SphereTree::refit(std::span<const Sphere> spheres) {
    if (spheres.size() != size())
        throw std::logic_error("SphereTree::refit: the number of balls differs from that of build");
    const auto merge = [&](Node node) {
        nodes_[node] = Sphere::around(nodes_[2 * node], nodes_[2 * node + 1]);
    };
    const std::size_t chunks = chunk_count();
    parallel_for(chunks, 1, [&](std::size_t chunk, std::size_t) {
        const int levels = layout_.depth() - layout_.chunk_level();
        for (std::size_t i = chunk << levels; i < (chunk + 1) << levels; ++i) {
            const int ball = layout_.leaf(i)[0];
            nodes_[layout_.first_leaf() + i] = ball < 0 ? Sphere::empty() : spheres[ball];
        }
        layout_.visit_chunk_upward(chunk, merge);
    });
    for (std::size_t node = chunks; node > 1; --node)
        merge(static_cast<Node>(node - 1));
}

} // namespace muslin
