#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace muslin {

/// Number of threads of parallel loops, the caller's included: in a TeamScope (thread_team.h) its
/// team's, elsewhere what is set here; 0: as many as the hardware has; at most max_thread_count. It
/// changes how long a loop takes, never its result. Not to be set in the body of a loop.
inline constexpr int max_thread_count = 4096;
void set_thread_count(int count);
int thread_count();

/// For tests and benchmarks: the scheduler that this build uses, "threads" or "tbb".
const char* parallel_backend();

namespace detail {
/// Calls task(context, chunk) once for every chunk in [0, chunks), on all threads; returns when
/// all are done. Called from inside a task it runs on the calling thread alone, and so it does
/// while its team is in a loop of another thread. A task that throws ends the program.
void run_chunks(std::size_t chunks, void (*task)(void*, std::size_t), void* context) noexcept;
} // namespace detail

/// Calls body(begin, end) for consecutive ranges of at most `grain` items that cover [0, count).
/// The ranges depend on count and grain alone, so a body that writes only its own items, or one
/// partial result per range, gives the same bits for any number of threads. The body must not
/// throw (other threads are at work on its captures): it records trouble and the caller looks.
template <class Body>
void parallel_for(std::size_t count, std::size_t grain, Body&& body) {
    if (count == 0)
        return;
    const std::size_t chunks = (count + grain - 1) / grain;
    if (chunks == 1) {
        body(std::size_t{0}, count);
        return;
    }
    struct Context {
        std::remove_reference_t<Body>* body;
        std::size_t count, grain;
    } context{&body, count, grain};
    detail::run_chunks(
        chunks,
        [](void* raw, std::size_t chunk) {
            auto& c = *static_cast<Context*>(raw);
            const std::size_t begin = chunk * c.grain;
            (*c.body)(begin, std::min(begin + c.grain, c.count));
        },
        &context);
}

/// Partial results of a reduction, one per range, kept between calls so that a steady loop does
/// not allocate. They lie side by side: a thread takes ranges that follow each other, so that few
/// cache lines are written by two, and the one that sums reads an eighth of what it would read were
/// each on a line of its own.
template <class T>
class Partials {
public:
    void resize(std::size_t count) {
        if (values_.size() < count)
            values_.resize(count);
    }
    T& operator[](std::size_t i) { return values_[i]; }
    const T& operator[](std::size_t i) const { return values_[i]; }

private:
    std::vector<T> values_;
};

/// The sum of body(begin, end) over the ranges of parallel_for, added in the order of the ranges:
/// the same bits for any number of threads.
template <class T, class Body>
T parallel_sum(std::size_t count, std::size_t grain, Partials<T>& partials, Body&& body) {
    const std::size_t chunks = (count + grain - 1) / grain;
    partials.resize(chunks);
    parallel_for(count, grain, [&](std::size_t begin, std::size_t end) {
        partials[begin / grain] = body(begin, end);
    });
    T total{};
    for (std::size_t i = 0; i < chunks; ++i)
        total += partials[i];
    return total;
}

/// The same with partial results on the stack, as many ranges at a time as fit there: for sums that
/// are asked for now and then, by who has no place to keep them.
template <class T, class Body>
T parallel_sum(std::size_t count, std::size_t grain, Body&& body) {
    constexpr std::size_t most = 256; // ranges at a time
    T partials[most];
    T total{};
    for (std::size_t first = 0; first < count; first += most * grain) {
        const std::size_t part = std::min(count - first, most * grain);
        parallel_for(part, grain, [&](std::size_t begin, std::size_t end) {
            partials[begin / grain] = body(first + begin, first + end);
        });
        for (std::size_t i = 0; i < (part + grain - 1) / grain; ++i)
            total += partials[i];
    }
    return total;
}

/// The largest of body(begin, end) over the ranges, and of zero.
template <class Body>
double parallel_largest(std::size_t count, std::size_t grain, Body&& body) {
    struct Largest {
        double value = 0;
        void operator+=(const Largest& other) { value = std::max(value, other.value); }
    };
    return parallel_sum<Largest>(
               count, grain,
               [&](std::size_t begin, std::size_t end) { return Largest{body(begin, end)}; })
        .value;
}

} // namespace muslin
