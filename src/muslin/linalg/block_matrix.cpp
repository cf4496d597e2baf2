#include "muslin/linalg/block_matrix.h"

#include "muslin/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <numeric>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace muslin {

void BlockMatrix::set_pattern(int rows, std::span<const std::array<int, 2>> pairs) {
    static std::atomic<std::uint64_t> patterns = 0;
    pattern_ = ++patterns;
    rows_ = rows;
    // Counting sort by row, then sort and unique within each row.
    std::vector<int> begin(static_cast<std::size_t>(rows) + 1, 0);
    for (int i = 0; i < rows; ++i)
        ++begin[i + 1];
    for (const auto& [i, j] : pairs) {
        ++begin[i + 1];
        ++begin[j + 1];
    }
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<int> all(begin.back());
    std::vector<int> fill(begin.begin(), begin.end() - 1);
    for (int i = 0; i < rows; ++i)
        all[fill[i]++] = i;
    for (const auto& [i, j] : pairs) {
        all[fill[i]++] = j;
        all[fill[j]++] = i;
    }
    row_begin_.assign(1, 0);
    columns_.clear();
    diagonal_slot_.resize(rows);
    for (int i = 0; i < rows; ++i) {
        std::sort(all.begin() + begin[i], all.begin() + begin[i + 1]);
        const auto end = std::unique(all.begin() + begin[i], all.begin() + begin[i + 1]);
        columns_.insert(columns_.end(), all.begin() + begin[i], end);
        row_begin_.push_back(static_cast<int>(columns_.size()));
        diagonal_slot_[i] = slot(i, i);
    }
    mirrored_.assign(columns_.size(), -1);
    for (int i = 0; i < rows; ++i)
        for (int k = diagonal_slot_[i] + 1; k < row_begin_[i + 1]; ++k)
            mirrored_[k] = slot(columns_[k], i);
    values_.assign(9 * columns_.size() + 4, 0.0);
    set_overlay({});
}

int BlockMatrix::slot(int row, int column) const {
    const auto begin = columns_.begin() + row_begin_[row];
    const auto end = columns_.begin() + row_begin_[row + 1];
    const auto it = std::lower_bound(begin, end, column);
    return it != end && *it == column ? static_cast<int>(it - columns_.begin()) : -1;
}

void BlockMatrix::reset(std::span<const double> diagonal) {
    parallel_for(rows_, 1024, [&](std::size_t begin, std::size_t end) {
        std::fill(values_.begin() + std::size_t{9} * row_begin_[begin],
                  values_.begin() + std::size_t{9} * row_begin_[end], 0.0);
        for (std::size_t i = begin; i < end; ++i)
            add(diagonal_slot_[i], Mat3::diagonal(diagonal[i]));
    });
    set_overlay({});
}

void BlockMatrix::mirror_pairs() {
    parallel_for(rows_, 256, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            for (int k = diagonal_slot_[i] + 1; k < row_begin_[i + 1]; ++k) {
                const double* upper = values(k);
                double* lower = values(mirrored_[k]);
                for (int c = 0; c < 3; ++c)
                    for (int r = 0; r < 3; ++r)
                        lower[3 * r + c] = upper[3 * c + r];
            }
    });
}

void BlockMatrix::add_pair_packed(const int* slots, const int* mirrored, int lanes,
                                  const Mat3T<Pack4>& value) {
    // Lanes whose own place is below the diagonal add their transpose to the other one.
    Pack4::Mask below;
    int upper[4] = {0, 0, 0, 0};
    for (int l = 0; l < 4; ++l) {
        below[l] = l < lanes && slots[l] > mirrored[l] ? -1 : 0;
        if (l < lanes)
            upper[l] = std::min(slots[l], mirrored[l]);
    }
    Mat3T<Pack4> block;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            block.m[r][c] = select(below, value.m[c][r], value.m[r][c]);
    add_packed(upper, lanes, block);
    for (int l = 0; l < lanes; ++l)
        if (slots[l] == mirrored[l]) {
            Mat3 own;
            for (int r = 0; r < 3; ++r)
                for (int c = 0; c < 3; ++c)
                    own(r, c) = value.m[c][r][l];
            add(slots[l], own);
        }
}

void BlockMatrix::add_packed(const int* slots, int lanes, const Mat3T<Pack4>& value) {
    // In the order of storage, column by column, four of the nine entries at a time.
    const auto& m = value.m;
    Pack4 first[4] = {m[0][0], m[1][0], m[2][0], m[0][1]};
    Pack4 second[4] = {m[1][1], m[2][1], m[0][2], m[1][2]};
    transpose4(first[0], first[1], first[2], first[3]);
    transpose4(second[0], second[1], second[2], second[3]);
    for (int l = 0; l < lanes; ++l) {
        double* b = values(slots[l]);
        store4(load4(b) + first[l], b);
        store4(load4(b + 4) + second[l], b + 4);
        b[8] += m[2][2][l];
    }
}

void BlockMatrix::set_overlay(std::span<const BlockEntry> entries) {
    // By place, and at one place in the order given: std::stable_sort would allocate.
    overlay_order_.clear();
    for (std::size_t k = 0; k < entries.size(); ++k)
        overlay_order_.push_back({entries[k].row, entries[k].column, static_cast<int>(k)});
    std::sort(overlay_order_.begin(), overlay_order_.end());
    overlay_rows_.clear();
    overlay_begin_.clear();
    overlay_columns_.clear();
    overlay_values_.clear();
    for (const OverlayPlace& place : overlay_order_) {
        const BlockEntry& e = entries[place.entry];
        if (overlay_rows_.empty() || overlay_rows_.back() != e.row) {
            overlay_rows_.push_back(e.row);
            overlay_begin_.push_back(static_cast<int>(overlay_columns_.size()));
        } else if (overlay_columns_.back() == e.column) {
            overlay_values_.back() += e.value;
            continue;
        }
        overlay_columns_.push_back(e.column);
        overlay_values_.push_back(e.value);
    }
    overlay_begin_.push_back(static_cast<int>(overlay_columns_.size()));
}

void BlockMatrix::add_overlay(std::span<const BlockEntry> entries) {
    if (overlay_rows_.empty()) {
        set_overlay(entries);
        return;
    }
    gathered_.clear();
    append_overlay(gathered_);
    gathered_.insert(gathered_.end(), entries.begin(), entries.end());
    set_overlay(gathered_);
}

void BlockMatrix::append_overlay(std::vector<BlockEntry>& out) const {
    for_each_overlay([&](int row, int column, const Mat3& value) {
        out.push_back({row, column, value});
    });
}

int BlockMatrix::overlay_row(int row) const {
    return static_cast<int>(std::lower_bound(overlay_rows_.begin(), overlay_rows_.end(), row) -
                            overlay_rows_.begin());
}

Mat3 BlockMatrix::block(int row, int column) const {
    return block_at(slot(row, column), row, column);
}

Mat3 BlockMatrix::diagonal_block(int row) const {
    return block_at(diagonal_slot_[row], row, row);
}

void BlockMatrix::diagonal_blocks(int begin, int end, Mat3* out) const {
    for (int i = begin; i < end; ++i)
        out[i - begin] = stored_block(diagonal_slot_[i]);
    if (overlay_rows_.empty())
        return;
    const int last = static_cast<int>(overlay_rows_.size());
    for (int o = overlay_row(begin); o < last && overlay_rows_[o] < end; ++o)
        for (int k = overlay_begin_[o]; k < overlay_begin_[o + 1]; ++k)
            if (overlay_columns_[k] == overlay_rows_[o])
                out[overlay_rows_[o] - begin] += overlay_values_[k];
}

Mat3 BlockMatrix::block_at(int slot, int row, int column) const {
    Mat3 sum = slot >= 0 ? stored_block(slot) : Mat3::zero();
    if (overlay_rows_.empty())
        return sum;
    const int o = overlay_row(row);
    if (o < static_cast<int>(overlay_rows_.size()) && overlay_rows_[o] == row)
        for (int k = overlay_begin_[o]; k < overlay_begin_[o + 1]; ++k)
            if (overlay_columns_[k] == column)
                sum += overlay_values_[k];
    return sum;
}

void BlockMatrix::multiply(std::span<const Vec3> x, std::span<Vec3> y) const {
    parallel_for(rows_, 512, [&](std::size_t begin, std::size_t end) {
        multiply_rows(static_cast<int>(begin), static_cast<int>(end), x.data(), y.data());
    });
}

void BlockMatrix::multiply_rows(int begin, int end, const Vec3* x, Vec3* y) const {
    const int* column = columns_.data();
    const double* value = values_.data() + std::size_t{9} * row_begin_[begin];
    for (int i = begin; i < end; ++i) {
#if defined(__AVX2__)
        // A column of a block is three numbers; the fourth lane of each load is the next number
        // in memory and is dropped when the row is stored.
        __m256d sum0 = _mm256_setzero_pd(), sum1 = sum0, sum2 = sum0;
        for (int k = row_begin_[i]; k < row_begin_[i + 1]; ++k, value += 9) {
            const double* xj = &x[column[k]].x;
            sum0 = _mm256_fmadd_pd(_mm256_loadu_pd(value), _mm256_broadcast_sd(xj), sum0);
            sum1 = _mm256_fmadd_pd(_mm256_loadu_pd(value + 3), _mm256_broadcast_sd(xj + 1), sum1);
            sum2 = _mm256_fmadd_pd(_mm256_loadu_pd(value + 6), _mm256_broadcast_sd(xj + 2), sum2);
        }
        const __m256d sum = _mm256_add_pd(_mm256_add_pd(sum0, sum1), sum2);
        _mm_storeu_pd(&y[i].x, _mm256_castpd256_pd128(sum));
        _mm_store_sd(&y[i].z, _mm256_extractf128_pd(sum, 1));
#else
        Vec3 sum = {0, 0, 0};
        for (int k = row_begin_[i]; k < row_begin_[i + 1]; ++k, value += 9) {
            const Vec3 xj = x[column[k]];
            sum.x += value[0] * xj.x + value[3] * xj.y + value[6] * xj.z;
            sum.y += value[1] * xj.x + value[4] * xj.y + value[7] * xj.z;
            sum.z += value[2] * xj.x + value[5] * xj.y + value[8] * xj.z;
        }
        y[i] = sum;
#endif
    }
    add_overlay_product(begin, end, x, y);
}

void BlockMatrix::add_overlay_product(int begin, int end, const Vec3* x, Vec3* y) const {
    if (overlay_rows_.empty())
        return;
    const int last = static_cast<int>(overlay_rows_.size());
    for (int o = overlay_row(begin); o < last && overlay_rows_[o] < end; ++o)
        for (int k = overlay_begin_[o]; k < overlay_begin_[o + 1]; ++k)
            y[overlay_rows_[o]] += overlay_values_[k] * x[overlay_columns_[k]];
}

} // namespace muslin
