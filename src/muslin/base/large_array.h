#pragma once

#include <cstddef>
#include <new>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace muslin {

/// Memory on cache lines, and on huge pages once it is large: a matrix of a million rows touches
/// a quarter of a million small pages per product otherwise.
template <class T>
struct LargeAllocator {
    using value_type = T;
    LargeAllocator() = default;
    template <class U>
    LargeAllocator(const LargeAllocator<U>&) {}

    T* allocate(std::size_t count) {
        const std::size_t bytes = count * sizeof(T);
        void* memory = ::operator new(bytes, alignment_of(bytes));
#if defined(__linux__)
        if (alignment_of(bytes) == huge_page)
            madvise(memory, bytes, MADV_HUGEPAGE);
#endif
        return static_cast<T*>(memory);
    }
    void deallocate(T* memory, std::size_t count) {
        ::operator delete(memory, alignment_of(count * sizeof(T)));
    }
    bool operator==(const LargeAllocator&) const {
        return true;
    }

private:
    static constexpr std::align_val_t cache_line{64}, huge_page{std::size_t{2} << 20};
    static constexpr std::align_val_t alignment_of(std::size_t bytes) {
        return bytes >= 2 * static_cast<std::size_t>(huge_page) ? huge_page : cache_line;
    }
};

template <class T>
using LargeArray = std::vector<T, LargeAllocator<T>>;

} // namespace muslin
