#pragma once

#include "muslin/base/parallel.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace muslin {

/// Elements grouped so that threads can add into shared arrays without locks and in a fixed order:
/// elements near each other form batches, batches that share no particle form a colour, colours
/// run one after the other. Which thread runs a batch changes nothing.
class ElementBatches {
public:
    static constexpr int batch_size = 64; ///< elements; a multiple of the pack width

    /// `corners` lists the particles of the elements, `arity` for each. The order of the elements
    /// decides the batches: consecutive ones should be near each other.
    ElementBatches() = default;
    ElementBatches(std::span<const int> corners, int arity, int particles);

    /// Calls body(first, last) for the element ranges of all batches, colour by colour.
    template <class Body>
    void for_each(Body&& body) const {
        for (std::size_t c = 0; c + 1 < colour_begin_.size(); ++c) {
            const std::size_t begin = colour_begin_[c];
            parallel_for(colour_begin_[c + 1] - begin, 1, [&](std::size_t from, std::size_t to) {
                for (std::size_t k = from; k < to; ++k) {
                    const int first = batches_[begin + k] * batch_size;
                    body(first, std::min(first + batch_size, elements_));
                }
            });
        }
    }
    int colours() const { return static_cast<int>(colour_begin_.size()) - 1; }
    /// The batches of one colour; batch b has the elements from b * batch_size on.
    std::span<const int> colour(int c) const {
        return std::span(batches_).subspan(colour_begin_[c],
                                           colour_begin_[c + 1] - colour_begin_[c]);
    }

private:
    int elements_ = 0;
    std::vector<int> batches_; ///< by colour
    std::vector<std::size_t> colour_begin_ = {0};
};

} // namespace muslin
