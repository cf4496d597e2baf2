#pragma once

#include <string>

namespace muslin::test {

/// Counts what any thread allocates by operator new while it lives, one at a time. The program that
/// links counted_new.cpp has its own operator new for that, hence is a program of its own.
class AllocationCount {
public:
    AllocationCount();
    ~AllocationCount();
    AllocationCount(const AllocationCount&) = delete;
    AllocationCount& operator=(const AllocationCount&) = delete;

    /// Ends the count, for good.
    long stop();
    /// The callers of what was counted, those of most allocations first: times, bytes, and the
    /// functions on the way. To be asked once the count has ended.
    std::string describe() const;
};

} // namespace muslin::test
