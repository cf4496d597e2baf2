#pragma once

#include "muslin/base/large_array.h"
#include "muslin/forces/capabilities.h"

#include <cstdint>
#include <span>
#include <vector>

namespace muslin {

/// Elements that hand what they add to an implicit system over as records, a pack of four elements
/// at a time, for RowAssembly to gather.
///
/// Where all particles of an element move alike its force must not change: the blocks of each row
/// then add up to nothing, and those on the diagonal need not be handed over.
class RecordedElements {
public:
    enum class Form {
        /// Of three corners: their blocks (0, 1), (1, 2) and (2, 0), column by column, and the
        /// forces on them.
        blocks,
        /// Of four corners with blocks s g_i g_j^T and forces m g_i: g_0, s, g_1, m, g_2, 0, g_3,
        /// 0.
        gradients,
    };
    static constexpr int record_size(Form form) { return form == Form::blocks ? 36 : 16; }
    static constexpr int corner_count(Form form) { return form == Form::blocks ? 3 : 4; }

    virtual ~RecordedElements() = default;
    virtual Form record_form() const = 0;
    /// The particles of all elements, one element after the other.
    virtual std::span<const int> element_particles() const = 0;
    /// Called once before the records of an assembly, for what elements take from each other.
    virtual void prepare_records(const Kinematics& /*at*/) const {}
    /// Writes the records of the packs one after the other; pack k has the elements from 4 k on. A
    /// lane without an element may have any numbers.
    virtual void record(std::span<const int> packs, const Kinematics& at, const Linearisation& step,
                        double* out) const = 0;
};

/// The implicit system of elements, patch by patch: a patch is a range of rows, which lie near each
/// other. All elements that touch it are recorded in a buffer that stays in the cache, then every
/// block of its rows is summed and written once. Elements at the rim are recorded by every patch
/// that they touch, so patches share nothing: there are no colours to wait for, and no thread
/// writes what another does.
class RowAssembly {
public:
    RowAssembly() = default;
    /// The elements must outlive this; `pattern` must have all their pairs.
    RowAssembly(const BlockMatrix& pattern, std::vector<const RecordedElements*> elements);

    /// Sets the whole matrix, (i, j) and (j, i): diagonal[i] times the identity and what the
    /// elements add. The overlay becomes empty. f += the elements' forces.
    void set(std::span<const double> diagonal, const Kinematics& at, const Linearisation& step,
             std::span<Vec3> f, BlockMatrix& a) const;
    /// Adds the elements' part alone to both.
    void add(const Kinematics& at, const Linearisation& step, std::span<Vec3> f,
             BlockMatrix& a) const;

private:
    /// Pairs of particles whose blocks are sums of equally many parts, so that the loops over them
    /// run without a surprise. In `words_`, for each: the places of its blocks, counted from the
    /// patch's first, and where its parts are among the records.
    struct Run {
        enum Places : std::uint8_t { upper = 1, lower = 2, both = 3 };
        std::uint32_t forward = 0, backward = 0; ///< blocks (i, j), and (j, i) to be transposed
        std::uint32_t gradients = 0;
        std::uint32_t pairs = 0;
        Places places = both; ///< those in rows of the patch
    };
    struct Patch {
        int begin = 0, end = 0; ///< rows
        std::size_t runs_begin = 0, runs_end = 0;
        std::size_t words_begin = 0; ///< of the runs, then of the forces of its rows
    };
    struct Incidence;
    class Incidences;
    struct Part;

    std::size_t pack_size(std::size_t e) const {
        return std::size_t{4} * RecordedElements::record_size(elements_[e]->record_form());
    }

    // Once (row_assembly_build.cpp).
    void set_patches(const BlockMatrix& pattern);
    void set_packs();
    void set_words(const BlockMatrix& pattern);
    void append_parts(const Patch& patch, const Incidence& at, std::uint32_t record,
                      std::vector<Part>& parts) const;
    void append_runs(const BlockMatrix& pattern, const Patch& patch, std::vector<Part>& parts);

    // For every system.
    void prepare(const Kinematics& at) const;
    void assemble(std::size_t p, const Kinematics& at, const Linearisation& step, double* blocks,
                  std::span<Vec3> f) const;
    const double* record(std::size_t p, const Kinematics& at, const Linearisation& step) const;
    const std::uint32_t* sum_pairs(const Patch& patch, const double* records, double* blocks) const;
    static void sum_forces(const Patch& patch, const std::uint32_t* word, const double* records,
                           std::span<Vec3> f);
    static void set_diagonals(const BlockMatrix& a, const Patch& patch,
                              std::span<const double> diagonal, double* blocks);

    std::vector<const RecordedElements*> elements_;
    std::vector<Patch> patches_;
    int patch_rows_ = 0;
    LargeArray<int> packs_;                ///< by patch, then by elements
    std::vector<std::size_t> packs_begin_; ///< per patch and elements
    std::size_t most_record_values_ = 0;   ///< of any patch
    std::size_t most_block_values_ = 0;
    std::vector<Run> runs_;
    LargeArray<std::uint32_t> words_;
};

} // namespace muslin
