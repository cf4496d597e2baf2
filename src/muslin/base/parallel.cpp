#include "muslin/base/parallel.h"

#include "muslin/base/thread_team.h"

#include <atomic>
#include <cassert>
#include <cstdint>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#ifdef MUSLIN_PARALLEL_TBB
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#endif

namespace muslin {
namespace {

int hardware_threads() {
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

int allowed_threads(int count) {
    return std::min(count > 0 ? count : hardware_threads(), max_thread_count);
}

// The team of the innermost TeamScope of this thread; null: the process-wide one.
thread_local ThreadTeam* scoped_team = nullptr;

// True on a thread that is running a task: a loop started there runs on that thread alone.
thread_local bool inside_task = false;

class InsideTask {
public:
    InsideTask() : before_(inside_task) { inside_task = true; }
    ~InsideTask() { inside_task = before_; }
    InsideTask(const InsideTask&) = delete;
    InsideTask& operator=(const InsideTask&) = delete;

private:
    bool before_;
};

void run_here(std::size_t chunks, void (*task)(void*, std::size_t), void* context) {
    const InsideTask scope;
    for (std::size_t i = 0; i < chunks; ++i)
        task(context, i);
}

#ifdef MUSLIN_PARALLEL_TBB

// The share of a team in what oneTBB allows the whole process: all teams together, as the smallest
// limit that anybody sets holds for all. Without it oneTBB caps a team at the number of processors,
// with a warning on stderr.
class Allowance {
public:
    explicit Allowance(int helpers) : helpers_(helpers) { add(helpers_); }
    ~Allowance() { add(-helpers_); }
    Allowance(const Allowance&) = delete;
    Allowance& operator=(const Allowance&) = delete;

private:
    struct Sum {
        std::mutex mutex;
        int helpers = 0;
        std::unique_ptr<oneapi::tbb::global_control> limit;
    };

    static void add(int helpers) {
        static Sum& sum = *new Sum; // never destroyed, as a team may outlive static objects
        const std::lock_guard lock(sum.mutex);
        sum.helpers += helpers;
        // The limit before goes after the new one has come: in between, the smaller of both holds.
        auto limit = sum.helpers == 0 ? nullptr
                                      : std::make_unique<oneapi::tbb::global_control>(
                                            oneapi::tbb::global_control::max_allowed_parallelism,
                                            static_cast<std::size_t>(sum.helpers) + 1);
        sum.limit.swap(limit);
    }

    int helpers_;
};

class Scheduler {
public:
    Scheduler(ThreadTeam& team, int threads)
        : team_(team), allowance_(threads - 1), arena_(threads) {}

    void run(std::size_t chunks, void (*task)(void*, std::size_t), void* context) {
        arena_.execute([&] {
            oneapi::tbb::parallel_for(
                std::size_t{0}, chunks,
                [&](std::size_t i) {
                    const TeamScope team(&team_);
                    const InsideTask inside;
                    task(context, i);
                },
                oneapi::tbb::static_partitioner{});
        });
    }

private:
    ThreadTeam& team_;
    Allowance allowance_;
    oneapi::tbb::task_arena arena_;
};

#else

inline void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    std::this_thread::yield();
#endif
}

/// A team of threads that waits in a short spin between loops. A CG iteration lasts tens of
/// microseconds and forks three times, so the cost of waking a sleeping thread would dominate it
/// (docs/decisions/0002-parallel-loops.md has the measurement against oneTBB).
///
/// One word, `state_`, tells everything that passes between the caller of a loop and its helpers:
/// whether the loop is open, how many helpers are inside it, its number. A helper enters only
/// while the loop is open; the caller closes it once every chunk is taken and returns when the
/// last helper has left. So:
/// - a helper inside a loop keeps the caller in it: nobody looks at the lanes, the task or the
///   context of a loop that is over;
/// - a helper that is late (asleep, or descheduled on a busy machine) finds the loop closed and is
///   not waited for; the other threads have taken its chunks;
/// - entering is never required, so that no result depends on who came, a wrapped-around loop
///   number is harmless, and a process that forked without its helpers still finishes its loops.
class Scheduler {
public:
    Scheduler(ThreadTeam& team, int threads)
        : team_(team), lanes_(static_cast<std::size_t>(std::max(1, threads))),
          // With fewer processors than threads, a thread that spins keeps another from working.
          spin_limit_(threads > hardware_threads() ? 0 : 4000) {
        helpers_.reserve(lanes_.size() - 1);
        try {
            for (std::size_t i = 1; i < lanes_.size(); ++i)
                helpers_.emplace_back([this, i] { help(i); });
        } catch (const std::system_error&) {
            // The system grants no more threads: those that exist share the chunks.
        }
    }

    ~Scheduler() {
        state_.store(stop_bit);
        state_.notify_all();
        for (auto& helper : helpers_)
            helper.join();
    }
    Scheduler(const Scheduler&) = delete;
    Scheduler& operator=(const Scheduler&) = delete;

    void run(std::size_t chunks, void (*task)(void*, std::size_t), void* context) {
        task_ = task;
        context_ = context;
        const std::size_t lanes = lanes_.size();
        for (std::size_t i = 0; i < lanes; ++i) {
            const std::size_t first = chunks * i / lanes;
            lanes_[i].next.store(first, std::memory_order_relaxed);
            lanes_[i].end = chunks * (i + 1) / lanes;
            lanes_[i].handful = std::max<std::size_t>(1, (lanes_[i].end - first) / handfuls);
        }
        // The loop before is closed and empty, and in that state only this thread writes the word.
        // Sequentially consistent, as notify_all must see a helper that saw the old word and waits.
        number_ += number_unit;
        state_.store(number_ | open_bit);
        state_.notify_all();

        take_chunks(0);

        // Acquire: what the helpers wrote is visible once they have left.
        State state = state_.fetch_and(~open_bit, std::memory_order_acquire) & ~open_bit;
        for (int spins = 0; state != number_; ++spins) {
            spins < spin_limit_ ? relax() : std::this_thread::yield();
            state = state_.load(std::memory_order_acquire);
        }
    }

private:
    using State = std::uint32_t;
    static constexpr State open_bit = 1;
    static constexpr State stop_bit = 2;
    static constexpr State helper_unit = 4;              // one helper inside
    static constexpr State number_unit = State{1} << 16; // the number of the loop, modulo 2^16
    static constexpr State number_mask = ~(number_unit - 1);

    // Each thread owns a contiguous part of the chunks, so that in repeated loops over the same
    // arrays it meets the data its cache already holds; done with it, it helps the others.
    struct alignas(64) Lane {
        std::atomic<std::size_t> next{0};
        std::size_t end = 0;
        std::size_t handful = 1; // chunks that are taken at once
    };
    // A lane of many small chunks is taken in about this many handfuls: enough to share evenly.
    static constexpr std::size_t handfuls = 32;

    void take_chunks(std::size_t self) {
        const InsideTask scope;
        for (std::size_t k = 0; k < lanes_.size(); ++k) {
            Lane& lane = lanes_[(self + k) % lanes_.size()];
            while (lane.next.load(std::memory_order_relaxed) < lane.end) {
                const std::size_t first =
                    lane.next.fetch_add(lane.handful, std::memory_order_relaxed);
                const std::size_t last = std::min(lane.end, first + lane.handful);
                for (std::size_t chunk = first; chunk < last; ++chunk)
                    task_(context_, chunk);
            }
        }
    }

    void help(std::size_t self) {
        const TeamScope scope(&team_);
        State served = 0; // the number of the loop this helper was last inside
        for (;;) {
            State state = wait_for_work(served);
            if (state & stop_bit)
                return;
            // Acquire: the lanes, the task and what it reads are those of this loop.
            if (!state_.compare_exchange_weak(state, state + helper_unit, std::memory_order_acquire,
                                              std::memory_order_relaxed))
                continue;
            served = state & number_mask;
            take_chunks(self);
            state_.fetch_sub(helper_unit, std::memory_order_release);
        }
    }

    // The word once it says stop, or names an open loop other than `served`.
    State wait_for_work(State served) const {
        for (int spins = 0;; ++spins) {
            const State state = state_.load(std::memory_order_acquire);
            if ((state & stop_bit) || ((state & open_bit) && (state & number_mask) != served))
                return state;
            if (spins < spin_limit_)
                relax();
            else
                state_.wait(state);
        }
    }

    ThreadTeam& team_;
    std::vector<Lane> lanes_;
    std::vector<std::thread> helpers_;
    const int spin_limit_; // some tens of microseconds
    State number_ = 0;     // of the latest loop; the caller's copy
    void (*task_)(void*, std::size_t) = nullptr;
    void* context_ = nullptr;
    alignas(64) std::atomic<State> state_{0};
};

#endif

// The process-wide team. Never destroyed: a loop may still run in the destructor of a static
// object, and a process may exit while another of its threads is in a loop.
ThreadTeam& process_team() {
    static ThreadTeam& instance = *new ThreadTeam;
    return instance;
}

ThreadTeam& team_in_use() {
    return scoped_team ? *scoped_team : process_team();
}

} // namespace

struct ThreadTeam::Members {
    // Held by a loop while it runs, so that loops that several user threads start at once stay
    // correct: the later one runs on its own thread.
    std::mutex in_use;
    std::atomic<int> threads;
    std::unique_ptr<Scheduler> scheduler; ///< none: no loop yet
};

ThreadTeam::ThreadTeam(int count) : members_(std::make_unique<Members>()) {
    members_->threads = allowed_threads(count);
}

ThreadTeam::~ThreadTeam() = default;

int ThreadTeam::thread_count() const {
    return members_->threads;
}

void ThreadTeam::set_thread_count(int count) {
    assert(!inside_task && "set_thread_count: called from the body of a parallel loop");
    const int threads = allowed_threads(count);
    const std::lock_guard lock(members_->in_use);
    if (threads != members_->threads)
        members_->scheduler.reset();
    members_->threads = threads;
}

TeamScope::TeamScope(ThreadTeam* team) : before_(scoped_team) {
    if (team)
        scoped_team = team;
}

TeamScope::~TeamScope() {
    scoped_team = before_;
}

void set_thread_count(int count) {
    process_team().set_thread_count(count);
}

int thread_count() {
    return team_in_use().thread_count();
}

const char* parallel_backend() {
#ifdef MUSLIN_PARALLEL_TBB
    return "tbb";
#else
    return "threads";
#endif
}

void detail::run_chunks(std::size_t chunks, void (*task)(void*, std::size_t),
                        void* context) noexcept {
    ThreadTeam& team = team_in_use();
    ThreadTeam::Members& t = *team.members_;
    if (inside_task || t.threads == 1) {
        run_here(chunks, task, context);
        return;
    }
    const std::unique_lock lock(t.in_use, std::try_to_lock);
    if (!lock.owns_lock()) {
        run_here(chunks, task, context);
        return;
    }
    if (!t.scheduler)
        t.scheduler = std::make_unique<Scheduler>(team, t.threads);
    t.scheduler->run(chunks, task, context);
}

} // namespace muslin
