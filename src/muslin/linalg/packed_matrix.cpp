#include "muslin/linalg/packed_matrix.h"

#include "muslin/base/parallel.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace muslin {
namespace {

constexpr std::size_t grain = 512;

} // namespace

void PackedMatrix::set(const BlockMatrix& a) {
    matrix_ = &a;
    const std::span<const int> begin = a.row_begin(), columns = a.columns();
    const std::size_t rows = a.rows();
    if (a.pattern() != pattern_) {
        pattern_ = a.pattern();
        begin_.resize(rows + 1);
        columns_.resize(columns.size() - rows);
        values_.resize(9 * columns_.size());
        sums_.resize(rows);
        for (std::size_t i = 0; i <= rows; ++i)
            begin_[i] = begin[i] - static_cast<int>(i); // one block on each diagonal
        for (std::size_t i = 0; i < rows; ++i)
            for (int k = begin[i], at = begin_[i]; k < begin[i + 1]; ++k)
                if (columns[k] != static_cast<int>(i))
                    columns_[at++] = columns[k];
    }
    parallel_for(rows, grain, [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            double sum[9] = {};
            float* out = values_.data() + std::size_t{9} * begin_[i];
            for (int k = begin[i]; k < begin[i + 1]; ++k) {
                const double* block = a.values() + std::size_t{9} * k;
                for (int e = 0; e < 9; ++e)
                    sum[e] += block[e];
                if (columns[k] == static_cast<int>(i))
                    continue;
                for (int e = 0; e < 9; ++e)
                    out[e] = static_cast<float>(block[e]);
                out += 9;
            }
            for (int c = 0; c < 3; ++c)
                for (int r = 0; r < 3; ++r)
                    sums_[i](c, r) = sum[3 * c + r];
        }
    });
}

void PackedMatrix::multiply_rows(int begin, int end, const Vec3* x, Vec3* y) const {
    const int* column = columns_.data() + begin_[begin];
    const float* value = values_.data() + std::size_t{9} * begin_[begin];
    for (int i = begin; i < end; ++i) {
        const Mat3& s = sums_[i];
        float part[9]; // of the sum: the products of the nine numbers of a block, added up
#if defined(__AVX2__)
        const __m256i spread = _mm256_setr_epi32(0, 0, 0, 1, 1, 1, 2, 2);
        const __m256d xi = _mm256_loadu_pd(&x[i].x);
        __m256 eight = _mm256_setzero_ps();
        __m128 ninth = _mm_setzero_ps();
        for (const int* last = columns_.data() + begin_[i + 1]; column != last;
             ++column, value += 9) {
            const __m128 d = _mm256_cvtpd_ps(_mm256_sub_pd(_mm256_loadu_pd(&x[*column].x), xi));
            eight =
                _mm256_fmadd_ps(_mm256_loadu_ps(value),
                                _mm256_permutevar8x32_ps(_mm256_castps128_ps256(d), spread), eight);
            ninth = _mm_fmadd_ss(_mm_load_ss(value + 8), _mm_movehl_ps(d, d), ninth);
        }
        _mm256_storeu_ps(part, eight);
        _mm_store_ss(part + 8, ninth);
#else
        std::fill(part, part + 9, 0.0f);
        for (const int* last = columns_.data() + begin_[i + 1]; column != last;
             ++column, value += 9) {
            const Vec3 d = x[*column] - x[i];
            const float axis[3] = {static_cast<float>(d.x), static_cast<float>(d.y),
                                   static_cast<float>(d.z)};
            for (int e = 0; e < 9; ++e)
                part[e] += value[e] * axis[e / 3];
        }
#endif
        const auto row = [&](int r) {
            return (s(0, r) * x[i].x + s(1, r) * x[i].y + s(2, r) * x[i].z) +
                   static_cast<double>(part[r] + part[r + 3] + part[r + 6]);
        };
        y[i] = {row(0), row(1), row(2)};
    }
    matrix_->add_overlay_product(begin, end, x, y);
}

} // namespace muslin
