#include "muslin/linalg/packed_matrix.h"

#include "muslin/base/parallel.h"

#include <algorithm>
#include <array>
#include <numeric>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace muslin {
namespace {

constexpr std::size_t grain = 128; // groups

// Four blocks, entry by entry.
void transpose(const double* const (&block)[4], float (&out)[9][4]) {
#if defined(__AVX2__)
    for (int e = 0; e < 8; e += 4) {
        __m128 rows[4];
        for (int l = 0; l < 4; ++l)
            rows[l] = _mm256_cvtpd_ps(_mm256_loadu_pd(block[l] + e));
        _MM_TRANSPOSE4_PS(rows[0], rows[1], rows[2], rows[3]);
        for (int l = 0; l < 4; ++l)
            _mm_store_ps(out[e + l], rows[l]);
    }
    for (int l = 0; l < 4; ++l)
        out[8][l] = static_cast<float>(block[l][8]);
#else
    for (int e = 0; e < 9; ++e)
        for (int l = 0; l < 4; ++l)
            out[e][l] = static_cast<float>(block[l][e]);
#endif
}

} // namespace

void PackedMatrix::set(const BlockMatrix& a) {
    matrix_ = &a;
    if (a.pattern() != pattern_)
        set_pattern(a);
    parallel_for(groups_.size(), grain, [&](std::size_t from, std::size_t to) {
        for (std::size_t g = from; g < to; ++g)
            copy_group(a, g);
    });
}

void PackedMatrix::set_pattern(const BlockMatrix& a) {
    pattern_ = a.pattern();
    groups_.clear();
    const std::span<const int> begin = a.row_begin();
    int slots = 0;
    for (int first = 0; first < a.rows(); first += rows_per_range) {
        const int count = std::min(rows_per_range, a.rows() - first);
        std::array<int, rows_per_range> rows;
        std::iota(rows.begin(), rows.begin() + count, first);
        const auto blocks = [&](int row) { return begin[row + 1] - begin[row] - 1; };
        std::stable_sort(rows.begin(), rows.begin() + count,
                         [&](int i, int j) { return blocks(i) > blocks(j); });
        for (int k = 0; k < count; k += lanes) {
            Group group{};
            for (int l = 0; l < lanes; ++l)
                group.rows[l] = rows[std::min(k + l, count - 1)];
            group.slots = blocks(rows[k]);
            group.first = slots;
            slots += group.slots;
            groups_.push_back(group);
        }
    }
    sums_.resize(groups_.size());
    slots_.resize(slots);
    sources_.resize(slots);
    for (const Group& group : groups_)
        for (int l = 0; l < lanes; ++l) {
            const int row = group.rows[l];
            int slot = group.first;
            for (int k = begin[row]; k < begin[row + 1]; ++k)
                if (a.columns()[k] != row) {
                    slots_[slot].column[l] = a.columns()[k];
                    sources_[slot++][l] = k;
                }
            for (; slot < group.first + group.slots; ++slot) {
                slots_[slot].column[l] = row;
                sources_[slot][l] = -1;
            }
        }
}

void PackedMatrix::copy_group(const BlockMatrix& a, std::size_t g) {
    static constexpr double none[9] = {};
    const Group& group = groups_[g];
    double sum[lanes][9];
    for (int l = 0; l < lanes; ++l)
        std::copy_n(a.values() + std::size_t{9} * a.diagonal_slot(group.rows[l]), 9, sum[l]);
    for (int s = group.first; s < group.first + group.slots; ++s) {
        Slot& slot = slots_[s];
        const double* block[lanes];
        for (int l = 0; l < lanes; ++l) {
            const int source = sources_[s][l];
            block[l] = source < 0 ? none : a.values() + std::size_t{9} * source;
            for (int e = 0; e < 9; ++e)
                sum[l][e] += block[l][e];
        }
        transpose(block, slot.value);
    }
    for (int e = 0; e < 9; ++e)
        for (int l = 0; l < lanes; ++l)
            sums_[g].value[e][l] = sum[l][e];
}

#if defined(__AVX2__)

namespace {

struct Columns {
    __m256d x, y, z;
};

// Vectors at four places, component by component.
Columns gather(const Vec3* v, const int* at) {
    const __m256d a = _mm256_loadu_pd(&v[at[0]].x), b = _mm256_loadu_pd(&v[at[1]].x);
    const __m256d c = _mm256_loadu_pd(&v[at[2]].x), d = _mm256_loadu_pd(&v[at[3]].x);
    const __m256d ab = _mm256_unpacklo_pd(a, b), cd = _mm256_unpacklo_pd(c, d);
    return {_mm256_permute2f128_pd(ab, cd, 0x20),
            _mm256_permute2f128_pd(_mm256_unpackhi_pd(a, b), _mm256_unpackhi_pd(c, d), 0x20),
            _mm256_permute2f128_pd(ab, cd, 0x31)};
}

} // namespace

void PackedMatrix::multiply_group(const Group& group, const Sums& sums, const Vec3* x,
                                  Vec3* y) const {
    const Columns own = gather(x, group.rows);
    __m128 part[3] = {_mm_setzero_ps(), _mm_setzero_ps(), _mm_setzero_ps()};
    const Slot* slot = slots_.data() + group.first;
    for (const Slot* last = slot + group.slots; slot != last; ++slot) {
        const Columns other = gather(x, slot->column);
        const __m128 d[3] = {_mm256_cvtpd_ps(_mm256_sub_pd(other.x, own.x)),
                             _mm256_cvtpd_ps(_mm256_sub_pd(other.y, own.y)),
                             _mm256_cvtpd_ps(_mm256_sub_pd(other.z, own.z))};
        for (int c = 0; c < 3; ++c)
            for (int r = 0; r < 3; ++r)
                part[r] = _mm_fmadd_ps(_mm_load_ps(slot->value[3 * c + r]), d[c], part[r]);
    }
    double out[3][lanes];
    const __m256d axis[3] = {own.x, own.y, own.z};
    for (int r = 0; r < 3; ++r) {
        __m256d sum = _mm256_cvtps_pd(part[r]);
        for (int c = 0; c < 3; ++c)
            sum = _mm256_fmadd_pd(_mm256_load_pd(sums.value[3 * c + r]), axis[c], sum);
        _mm256_storeu_pd(out[r], sum);
    }
    for (int l = 0; l < lanes; ++l)
        y[group.rows[l]] = {out[0][l], out[1][l], out[2][l]};
}

#else

void PackedMatrix::multiply_group(const Group& group, const Sums& sums, const Vec3* x,
                                  Vec3* y) const {
    for (int l = 0; l < lanes; ++l) {
        const Vec3 own = x[group.rows[l]];
        float part[3] = {};
        const Slot* slot = slots_.data() + group.first;
        for (const Slot* last = slot + group.slots; slot != last; ++slot) {
            const Vec3 d = x[slot->column[l]] - own;
            const float axis[3] = {static_cast<float>(d.x), static_cast<float>(d.y),
                                   static_cast<float>(d.z)};
            for (int c = 0; c < 3; ++c)
                for (int r = 0; r < 3; ++r)
                    part[r] += slot->value[3 * c + r][l] * axis[c];
        }
        const auto row = [&](int r) {
            return static_cast<double>(part[r]) + sums.value[r][l] * own.x +
                   sums.value[3 + r][l] * own.y + sums.value[6 + r][l] * own.z;
        };
        y[group.rows[l]] = {row(0), row(1), row(2)};
    }
}

#endif

void PackedMatrix::multiply_rows(int begin, int end, const Vec3* x, Vec3* y) const {
    constexpr int groups_per_range = rows_per_range / lanes;
    const std::size_t first = std::size_t{groups_per_range} * (begin / rows_per_range);
    // All ranges but the last are full, and so are their groups.
    const std::size_t last = end < matrix_->rows()
                                 ? std::size_t{groups_per_range} * (end / rows_per_range)
                                 : groups_.size();
    for (std::size_t g = first; g < last; ++g)
        multiply_group(groups_[g], sums_[g], x, y);
    matrix_->add_overlay_product(begin, end, x, y);
}

} // namespace muslin
