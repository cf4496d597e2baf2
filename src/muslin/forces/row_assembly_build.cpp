// What RowAssembly finds out once: which elements touch which patch, and of which of their parts
// each block and each force is the sum.
#include "muslin/forces/row_assembly.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace muslin {

using Form = RecordedElements::Form;

// A corner of an element at a particle.
struct RowAssembly::Incidence {
    int elements, element, corner;
};

// The corners at each particle, in the order of the elements.
class RowAssembly::Incidences {
public:
    Incidences(std::span<const RecordedElements* const> elements, int particles)
        : begin_(static_cast<std::size_t>(particles) + 1, 0) {
        for (const RecordedElements* e : elements)
            for (int p : e->element_particles())
                ++begin_[p + 1];
        std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
        all_.resize(begin_.back());
        std::vector<int> fill(begin_.begin(), begin_.end() - 1);
        for (int e = 0; e < static_cast<int>(elements.size()); ++e) {
            const std::span<const int> corner = elements[e]->element_particles();
            const int corners = RecordedElements::corner_count(elements[e]->record_form());
            for (int k = 0; k < static_cast<int>(corner.size()); ++k)
                all_[fill[corner[k]]++] = {e, k / corners, k % corners};
        }
    }
    std::span<const Incidence> of(int particle) const {
        return std::span(all_).subspan(begin_[particle], begin_[particle + 1] - begin_[particle]);
    }

private:
    std::vector<int> begin_;
    std::vector<Incidence> all_;
};

// What an element adds to the block of a pair, (row, column) above the diagonal. The key decides
// the order of the sum, which must be the same in all patches that have the pair.
struct RowAssembly::Part {
    int row, column;
    enum Kind { backward, forward, gradients } kind;
    int elements, element, row_corner, column_corner;
    std::uint32_t word;

    auto place() const { return std::pair(row, column); }
    auto key() const {
        return std::tuple(row, column, kind, elements, element, row_corner, column_corner);
    }
};

void RowAssembly::set_patches(const BlockMatrix& pattern) {
    // The records of so many rows fit a cache of a megabyte, and the rim is a fifth of the
    // elements.
    constexpr int most_rows = 512;
    const int count = std::max(1, (pattern.rows() + most_rows - 1) / most_rows);
    patch_rows_ = std::max(1, (pattern.rows() + count - 1) / count);
    for (int begin = 0; begin < pattern.rows(); begin += patch_rows_) {
        Patch patch;
        patch.begin = begin;
        patch.end = std::min(begin + patch_rows_, pattern.rows());
        patches_.push_back(patch);
        const int blocks = pattern.row_begin(patch.end) - pattern.row_begin(patch.begin);
        most_block_values_ = std::max(most_block_values_, std::size_t{9} * blocks);
    }
}

// Finds the packs that touch each patch.
void RowAssembly::set_packs() {
    const std::size_t kinds = elements_.size();
    std::vector<std::vector<int>> touching(patches_.size() * kinds);
    for (std::size_t e = 0; e < kinds; ++e) {
        const std::span<const int> corner = elements_[e]->element_particles();
        const int corners = RecordedElements::corner_count(elements_[e]->record_form());
        for (std::size_t k = 0; k < corner.size(); ++k) {
            const int pack = static_cast<int>(k / (4 * corners));
            std::vector<int>& packs = touching[corner[k] / patch_rows_ * kinds + e];
            if (packs.empty() || packs.back() != pack)
                packs.push_back(pack);
        }
    }
    packs_begin_.assign(1, 0);
    for (std::size_t p = 0; p < patches_.size(); ++p) {
        std::size_t values = 4; // the last vector load reads beyond its block
        for (std::size_t e = 0; e < kinds; ++e) {
            const std::vector<int>& packs = touching[p * kinds + e];
            packs_.insert(packs_.end(), packs.begin(), packs.end());
            packs_begin_.push_back(packs_.size());
            values += packs.size() * pack_size(e);
        }
        most_record_values_ = std::max(most_record_values_, values);
    }
}

void RowAssembly::set_words(const BlockMatrix& pattern) {
    const std::size_t kinds = elements_.size();
    const Incidences incidences(elements_, pattern.rows());
    std::vector<std::vector<std::size_t>> place(kinds); // of packs among the records of a patch
    for (std::size_t e = 0; e < kinds; ++e)
        place[e].resize(elements_[e]->element_particles().size());
    const auto record = [&](const Incidence& at) {
        const int size = RecordedElements::record_size(elements_[at.elements]->record_form());
        return static_cast<std::uint32_t>(place[at.elements][at.element / 4] +
                                          at.element % 4 * size);
    };
    std::vector<Part> parts;
    std::vector<std::uint32_t> forces[2];
    for (std::size_t p = 0; p < patches_.size(); ++p) {
        std::size_t next = 0;
        for (std::size_t e = 0; e < kinds; ++e)
            for (std::size_t k = packs_begin_[p * kinds + e]; k < packs_begin_[p * kinds + e + 1];
                 ++k, next += pack_size(e))
                place[e][packs_[k]] = next;

        Patch& patch = patches_[p];
        parts.clear();
        for (int row = patch.begin; row < patch.end; ++row)
            for (const Incidence& at : incidences.of(row))
                append_parts(patch, at, record(at), parts);
        patch.words_begin = words_.size();
        patch.runs_begin = runs_.size();
        append_runs(pattern, patch, parts);
        patch.runs_end = runs_.size();

        for (int row = patch.begin; row < patch.end; ++row) {
            forces[0].clear();
            forces[1].clear();
            for (const Incidence& at : incidences.of(row)) {
                const bool blocks = elements_[at.elements]->record_form() == Form::blocks;
                forces[blocks ? 0 : 1].push_back(record(at) +
                                                 (blocks ? 27 + 3 * at.corner : 4 * at.corner));
            }
            for (const auto& list : forces)
                words_.push_back(static_cast<std::uint32_t>(list.size()));
            for (const auto& list : forces)
                words_.insert(words_.end(), list.begin(), list.end());
        }
    }
}

// The parts of one corner with the others of its element. Pairs within a patch are met from both
// ends and taken from one. Records of gradients lie on multiples of their size, 16, which leaves
// four bits of their words for the two corners.
void RowAssembly::append_parts(const Patch& patch, const Incidence& at, std::uint32_t record,
                               std::vector<Part>& parts) const {
    const Form form = elements_[at.elements]->record_form();
    const int corners = RecordedElements::corner_count(form);
    const int* particle = elements_[at.elements]->element_particles().data() + at.element * corners;
    for (int other = 0; other < corners; ++other) {
        int i = at.corner, j = other;
        if (particle[i] == particle[j])
            continue;
        if (particle[i] > particle[j]) {
            if (particle[j] >= patch.begin)
                continue;
            std::swap(i, j);
        }
        Part part = {particle[i], particle[j], Part::gradients, at.elements, at.element, i, j, 0};
        if (form == Form::gradients) {
            part.word = record + 4 * i + j;
        } else {
            const bool forward = j == (i + 1) % 3;
            part.kind = forward ? Part::forward : Part::backward;
            part.word = record + 9 * (forward ? i : j);
        }
        parts.push_back(part);
    }
}

// Every block of the patch's rows but the diagonal, also those to which nothing is added.
void RowAssembly::append_runs(const BlockMatrix& pattern, const Patch& patch,
                              std::vector<Part>& parts) {
    std::sort(parts.begin(), parts.end(),
              [](const Part& a, const Part& b) { return a.key() < b.key(); });
    struct Pair {
        std::uint32_t upper, lower; ///< places of the blocks, of the one in the patch
        std::span<const Part> parts;
        Run run;
    };
    std::vector<Pair> pairs;
    const int first = pattern.row_begin(patch.begin);
    const auto place = [&](int row, int column) {
        const bool inside = row >= patch.begin && row < patch.end;
        return static_cast<std::uint32_t>(inside ? pattern.slot(row, column) - first : 0);
    };
    for (int row = patch.begin; row < patch.end; ++row)
        for (int slot = pattern.row_begin(row); slot < pattern.row_begin(row + 1); ++slot) {
            const int column = pattern.column(slot), low = std::min(row, column),
                      high = std::max(row, column);
            if (column == row || (column < row && column >= patch.begin))
                continue;
            Pair pair;
            pair.upper = place(low, high);
            pair.lower = place(high, low);
            pair.run.places = low < patch.begin   ? Run::lower
                              : high >= patch.end ? Run::upper
                                                  : Run::both;
            const auto begin =
                std::partition_point(parts.begin(), parts.end(), [&](const Part& part) {
                    return part.place() < std::pair(low, high);
                });
            auto end = begin;
            for (; end != parts.end() && end->place() == std::pair(low, high); ++end)
                ++(end->kind == Part::forward    ? pair.run.forward
                   : end->kind == Part::backward ? pair.run.backward
                                                 : pair.run.gradients);
            pair.parts = {begin, end};
            pairs.push_back(pair);
        }
    const auto shape = [](const Pair& p) {
        return std::tuple(p.run.places, p.run.forward, p.run.backward, p.run.gradients);
    };
    std::stable_sort(pairs.begin(), pairs.end(),
                     [&](const Pair& a, const Pair& b) { return shape(a) < shape(b); });
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        if (k == 0 || shape(pairs[k]) != shape(pairs[k - 1]))
            runs_.push_back(pairs[k].run);
        ++runs_.back().pairs;
        words_.push_back(pairs[k].upper);
        words_.push_back(pairs[k].lower);
        for (const Part& part : pairs[k].parts)
            words_.push_back(part.word);
    }
}

} // namespace muslin
