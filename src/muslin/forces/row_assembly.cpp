#include "muslin/forces/row_assembly.h"

#include "muslin/base/parallel.h"
#include "muslin/math/pack.h"

#include <algorithm>

namespace muslin {
namespace {

// The columns of a block; the fourth lane of each has no meaning.
struct Columns {
    Pack4 c[3];
};

Columns load(const double* b) {
    return {load4(b), load4(b + 3), load4(b + 6)};
}

// The same of a block that is the last in memory, or after which another thread writes.
Columns load_last(const double* b) {
    return {load4(b), load4(b + 3), Pack4(Pack4::Native{b[6], b[7], b[8], 0})};
}

void store(const Columns& block, double* b) {
    store4(block.c[0], b); // the lane too many is overwritten by the next column
    store4(block.c[1], b + 3);
    b[6] = block.c[2][0];
    b[7] = block.c[2][1];
    b[8] = block.c[2][2];
}

Columns transpose(Columns block) {
    Pack4 none(0);
    transpose4(block.c[0], block.c[1], block.c[2], none);
    return block;
}

void add_to(Columns& sum, const Columns& block) {
    for (int c = 0; c < 3; ++c)
        sum.c[c] = sum.c[c] + block.c[c];
}

// s g_i g_j^T, where `word` names the record and in its last four bits the two corners.
void add_gradients(Columns& sum, const double* records, std::uint32_t word) {
    const double* record = records + (word & ~std::uint32_t{15});
    const double* other = record + 4 * (word & 3);
    const Pack4 scaled = Pack4(record[3]) * load4(record + (word & 12));
    for (int c = 0; c < 3; ++c)
        sum.c[c] = sum.c[c] + scaled * Pack4(other[c]);
}

// Sums the pairs of one run; `places` as a constant, since the choice is made for all of them.
template <bool upper, bool lower, class Run>
const std::uint32_t* sum_run(const Run& run, const std::uint32_t* word, const double* records,
                             double* blocks) {
    const Columns zero = {Pack4(0), Pack4(0), Pack4(0)};
    for (std::uint32_t pair = 0; pair < run.pairs; ++pair) {
        double* above = blocks + std::size_t{9} * word[0];
        double* below = blocks + std::size_t{9} * word[1];
        word += 2;
        Columns sum = zero;
        if (run.backward > 0) {
            for (std::uint32_t k = 0; k < run.backward; ++k)
                add_to(sum, load(records + *word++));
            sum = transpose(sum);
        }
        for (std::uint32_t k = 0; k < run.forward; ++k)
            add_to(sum, load(records + *word++));
        for (std::uint32_t k = 0; k < run.gradients; ++k)
            add_gradients(sum, records, *word++);
        if constexpr (upper)
            store(sum, above);
        if constexpr (lower)
            store(transpose(sum), below);
    }
    return word;
}

// The blocks of a row add up to `mass` times the identity; the one on the diagonal makes up for the
// others. Its two halves would differ by rounding.
void set_diagonal(double mass, int count, int diagonal, double* row) {
    Columns sum = {Pack4(0), Pack4(0), Pack4(0)};
    for (int k = 0; k < diagonal; ++k)
        add_to(sum, load(row + 9 * k));
    for (int k = diagonal + 1; k < count - 1; ++k)
        add_to(sum, load(row + 9 * k));
    if (diagonal < count - 1)
        add_to(sum, load_last(row + 9 * (count - 1)));
    const Columns mirrored = transpose(sum);
    for (int c = 0; c < 3; ++c) {
        const Pack4 column = Pack4(-0.5) * (sum.c[c] + mirrored.c[c]);
        for (int r = 0; r < 3; ++r)
            row[9 * diagonal + 3 * c + r] = column[r] + (r == c ? mass : 0);
    }
}

// Doubles; half of what the last caches of common processors hold.
constexpr std::size_t cached_values = std::size_t{1} << 21;

// Room for the blocks of a patch. One for each thread, kept from step to step.
double* patch_blocks(std::size_t size) {
    thread_local LargeArray<double> blocks;
    blocks.resize(std::max(blocks.size(), size));
    return blocks.data();
}

} // namespace

RowAssembly::RowAssembly(const BlockMatrix& pattern, std::vector<const RecordedElements*> elements)
    : elements_(std::move(elements)) {
    set_patches(pattern);
    set_packs();
    set_words(pattern);
}

void RowAssembly::set(std::span<const double> diagonal, const Kinematics& at,
                      const Linearisation& step, std::span<Vec3> f, BlockMatrix& a) const {
    // A matrix that the cache does not hold is written past it: each line would be read for nothing
    // before, and would drive out what the patch still needs.
    const bool past_cache = std::size_t{9} * a.block_count() > cached_values;
    prepare(at);
    parallel_for(patches_.size(), 1, [&](std::size_t p, std::size_t) {
        const Patch& patch = patches_[p];
        const int first = a.row_begin(patch.begin), last = a.row_begin(patch.end);
        double* blocks = past_cache ? patch_blocks(most_block_values_) : a.values(first);
        assemble(p, at, step, blocks, f);
        set_diagonals(a, patch, diagonal, blocks);
        if (past_cache)
            copy_past_cache(blocks, std::size_t{9} * (last - first), a.values(first));
    });
    a.set_overlay({});
}

void RowAssembly::add(const Kinematics& at, const Linearisation& step, std::span<Vec3> f,
                      BlockMatrix& a) const {
    prepare(at);
    parallel_for(patches_.size(), 1, [&](std::size_t p, std::size_t) {
        const Patch& patch = patches_[p];
        const int first = a.row_begin(patch.begin), last = a.row_begin(patch.end);
        double* part = patch_blocks(most_block_values_);
        assemble(p, at, step, part, f);
        set_diagonals(a, patch, {}, part);
        double* blocks = a.values(first);
        for (std::size_t k = 0; k < std::size_t{9} * (last - first); ++k)
            blocks[k] += part[k];
    });
}

void RowAssembly::prepare(const Kinematics& at) const {
    for (const RecordedElements* elements : elements_)
        elements->prepare_records(at);
}

// Sets the blocks of a patch but those on the diagonal, and adds to the forces on its rows.
void RowAssembly::assemble(std::size_t p, const Kinematics& at, const Linearisation& step,
                           double* blocks, std::span<Vec3> f) const {
    const double* records = record(p, at, step);
    const std::uint32_t* words = sum_pairs(patches_[p], records, blocks);
    sum_forces(patches_[p], words, records, f);
}

const double* RowAssembly::record(std::size_t p, const Kinematics& at,
                                  const Linearisation& step) const {
    // One for each thread, kept from step to step.
    thread_local LargeArray<double> records;
    records.resize(std::max(records.size(), most_record_values_));
    double* out = records.data();
    for (std::size_t e = 0; e < elements_.size(); ++e) {
        const std::size_t begin = packs_begin_[p * elements_.size() + e],
                          end = packs_begin_[p * elements_.size() + e + 1];
        elements_[e]->record(std::span(packs_).subspan(begin, end - begin), at, step, out);
        out += (end - begin) * pack_size(e);
    }
    return records.data();
}

// Returns where the words go on.
const std::uint32_t* RowAssembly::sum_pairs(const Patch& patch, const double* records,
                                            double* blocks) const {
    const std::uint32_t* word = words_.data() + patch.words_begin;
    for (std::size_t k = patch.runs_begin; k < patch.runs_end; ++k) {
        const Run& run = runs_[k];
        if (run.places == Run::both)
            word = sum_run<true, true>(run, word, records, blocks);
        else if (run.places == Run::upper)
            word = sum_run<true, false>(run, word, records, blocks);
        else
            word = sum_run<false, true>(run, word, records, blocks);
    }
    return word;
}

void RowAssembly::sum_forces(const Patch& patch, const std::uint32_t* word, const double* records,
                             std::span<Vec3> f) {
    for (int row = patch.begin; row < patch.end; ++row) {
        Pack4 sum(0);
        const std::uint32_t plain = *word++, gradients = *word++;
        for (std::uint32_t k = 0; k < plain; ++k)
            sum = sum + load4(records + *word++);
        for (std::uint32_t k = 0; k < gradients; ++k, ++word) {
            const double* record = records + (*word & ~std::uint32_t{15});
            sum = sum + Pack4(record[7]) * load4(record + (*word & 12));
        }
        f[row] += Vec3{sum[0], sum[1], sum[2]};
    }
}

void RowAssembly::set_diagonals(const BlockMatrix& a, const Patch& patch,
                                std::span<const double> diagonal, double* blocks) {
    const int first = a.row_begin(patch.begin);
    for (int row = patch.begin; row < patch.end; ++row) {
        const int begin = a.row_begin(row);
        set_diagonal(diagonal.empty() ? 0 : diagonal[row], a.row_begin(row + 1) - begin,
                     a.diagonal_slot(row) - begin, blocks + std::size_t{9} * (begin - first));
    }
}

} // namespace muslin
