#include "muslin/forces/batches.h"

#include <bit>

namespace muslin {

ElementBatches::ElementBatches(std::span<const int> corners, int arity, int particles)
    : elements_(static_cast<int>(corners.size()) / arity) {
    const int count = (elements_ + batch_size - 1) / batch_size;
    std::vector<std::uint64_t> used(particles, 0); // colours of the batches at each particle
    std::vector<int> colour(count);
    int colours_used = 0;
    for (int b = 0; b < count; ++b) {
        const int first = b * batch_size * arity;
        const int last = std::min((b + 1) * batch_size, elements_) * arity;
        std::uint64_t taken = 0;
        for (int i = first; i < last; ++i)
            taken |= used[corners[i]];
        colour[b] = std::countr_one(taken);
        if (colour[b] == 64) // a vertex of thousands of triangles: such batches run one by one
            colour[b] = std::max(colours_used, 64);
        else
            for (int i = first; i < last; ++i)
                used[corners[i]] |= std::uint64_t{1} << colour[b];
        colours_used = std::max(colours_used, colour[b] + 1);
    }
    colour_begin_.assign(1, 0);
    for (int c = 0; c < colours_used; ++c) {
        for (int b = 0; b < count; ++b)
            if (colour[b] == c)
                batches_.push_back(b);
        colour_begin_.push_back(batches_.size());
    }
}

} // namespace muslin
