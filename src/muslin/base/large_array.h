#pragma once

#include <cstddef>
#include <cstdlib>
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
        constexpr std::size_t line = 64, huge = std::size_t{2} << 20;
        const std::size_t bytes = count * sizeof(T);
        const std::size_t alignment = bytes >= 2 * huge ? huge : line;
        void* memory =
            std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
        if (memory == nullptr)
            throw std::bad_alloc();
#if defined(__linux__)
        if (alignment == huge)
            madvise(memory, bytes, MADV_HUGEPAGE);
#endif
        return static_cast<T*>(memory);
    }
    void deallocate(T* memory, std::size_t) {
        std::free(memory);
    }
    bool operator==(const LargeAllocator&) const {
        return true;
    }
};

template <class T>
using LargeArray = std::vector<T, LargeAllocator<T>>;

} // namespace muslin
