#pragma once

#include "muslin/base/parallel.h"

#include <cstddef>
#include <memory>

namespace muslin {

/// Threads that run parallel loops together. Every team has its own, so that loops of several
/// simulations run side by side (TeamScope). A team serves the loops of one thread at a time: a
/// loop started while it is in a loop of another thread runs on the thread that started it.
class ThreadTeam {
public:
    /// Of `count` threads, the caller's included; 0: of as many as the hardware has. They start
    /// with the first loop. The number changes how long a loop takes, never what it computes.
    explicit ThreadTeam(int count = 0);
    /// Ends its threads. Not while a loop of the team runs or a scope uses it.
    ~ThreadTeam();
    ThreadTeam(const ThreadTeam&) = delete;
    ThreadTeam& operator=(const ThreadTeam&) = delete;

    int thread_count() const;
    /// Waits for a loop that runs. Not to be called from the body of a loop.
    void set_thread_count(int count);

private:
    friend void detail::run_chunks(std::size_t, void (*)(void*, std::size_t), void*) noexcept;
    struct Members;
    std::unique_ptr<Members> members_;
};

/// While it lives, parallel loops that its thread starts run on the team. Scopes nest: the end of
/// one restores the team before it. To be ended on the thread that began it.
class TeamScope {
public:
    /// Null: the team in use stays.
    explicit TeamScope(ThreadTeam* team);
    ~TeamScope();
    TeamScope(const TeamScope&) = delete;
    TeamScope& operator=(const TeamScope&) = delete;

private:
    ThreadTeam* before_;
};

} // namespace muslin
