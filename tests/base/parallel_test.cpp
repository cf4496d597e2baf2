#include "muslin/base/parallel.h"

#include "muslin/base/thread_team.h"

#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace muslin;

namespace {

// Runs each test of a suite from a known thread count and puts the default back.
class parallel : public testing::Test {
protected:
    void SetUp() override { set_thread_count(2); }
    void TearDown() override { set_thread_count(0); }
};

// Threads that wait for each other: only `expected` of them at once can all arrive.
class Meeting {
public:
    explicit Meeting(int expected) : expected_(expected) {}

    void wait() {
        ++arrived_;
        const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (arrived_ < expected_ && !missed_) {
            std::this_thread::yield();
            if (std::chrono::steady_clock::now() > give_up)
                missed_ = true;
        }
    }
    bool missed() const { return missed_; }

private:
    int expected_;
    std::atomic<int> arrived_{0};
    std::atomic<bool> missed_{false};
};

// Terms of very different size, so that another order of additions gives other bits.
double rough_term(std::size_t i) {
    const double x = static_cast<double>(i % 1009) + 0.1;
    return std::sin(x) * std::pow(10.0, static_cast<double>(i % 13) - 6.0);
}

std::uint64_t rough_sum_bits(std::size_t count, std::size_t grain) {
    return std::bit_cast<std::uint64_t>(
        parallel_sum<double>(count, grain, [](std::size_t begin, std::size_t end) {
            double sum = 0;
            for (std::size_t i = begin; i < end; ++i)
                sum += rough_term(i);
            return sum;
        }));
}

} // namespace

TEST_F(parallel, covers_each_index_once) {
    for (const int threads : {1, 2, 3, 8}) {
        set_thread_count(threads);
        for (const std::size_t count : {0, 1, 2, 7, 64, 1000, 4099})
            for (const std::size_t grain : {1, 3, 64, 5000}) {
                std::vector<std::atomic<int>> visits(count);
                parallel_for(count, grain, [&](std::size_t begin, std::size_t end) {
                    for (std::size_t i = begin; i < end; ++i)
                        ++visits[i];
                });
                for (std::size_t i = 0; i < count; ++i)
                    ASSERT_EQ(visits[i], 1) << "index " << i << " of " << count << ", grain "
                                            << grain << ", " << threads << " threads";
            }
    }
}

TEST_F(parallel, ranges_depend_on_count_and_grain_alone) {
    const auto ranges = [](std::size_t count, std::size_t grain) {
        std::vector<std::size_t> end_of((count + grain - 1) / grain);
        parallel_for(count, grain,
                     [&](std::size_t begin, std::size_t end) { end_of[begin / grain] = end; });
        return end_of;
    };
    const std::vector<std::size_t> expected = {4, 8, 10};
    for (const int threads : {1, 2, 3, 8}) {
        set_thread_count(threads);
        EXPECT_EQ(ranges(10, 4), expected);
    }
}

TEST_F(parallel, sum_has_the_same_bits_for_any_thread_count) {
    const std::size_t count = 20000, grain = 256;
    double in_range_order = 0;
    for (std::size_t begin = 0; begin < count; begin += grain) {
        double sum = 0;
        for (std::size_t i = begin; i < std::min(begin + grain, count); ++i)
            sum += rough_term(i);
        in_range_order += sum;
    }
    for (const int threads : {1, 2, 3, 8}) {
        set_thread_count(threads);
        for (int repeat = 0; repeat < 20; ++repeat)
            ASSERT_EQ(rough_sum_bits(count, grain), std::bit_cast<std::uint64_t>(in_range_order))
                << threads << " threads";
    }
}

TEST_F(parallel, sum_on_the_stack_adds_in_the_same_order) {
    for (const std::size_t count : {1, 255 * 3, 256 * 3, 256 * 3 + 1, 100000}) {
        Partials<double> partials;
        const double kept =
            parallel_sum<double>(count, 3, partials, [](std::size_t begin, std::size_t end) {
                double sum = 0;
                for (std::size_t i = begin; i < end; ++i)
                    sum += rough_term(i);
                return sum;
            });
        EXPECT_EQ(rough_sum_bits(count, 3), std::bit_cast<std::uint64_t>(kept)) << count;
    }
}

TEST_F(parallel, sum_of_nothing_is_zero) {
    EXPECT_EQ(parallel_sum<double>(0, 16, [](std::size_t, std::size_t) { return 1.0; }), 0.0);
}

TEST_F(parallel, partials_are_reused_without_old_values) {
    Partials<int> partials;
    const auto sum_of = [&](std::size_t count) {
        return parallel_sum<int>(count, 2, partials, [](std::size_t begin, std::size_t end) {
            return static_cast<int>(end - begin);
        });
    };
    EXPECT_EQ(sum_of(1001), 1001);
    EXPECT_EQ(sum_of(5), 5);
    EXPECT_EQ(sum_of(333), 333);
}

TEST_F(parallel, all_threads_take_part) {
    set_thread_count(4);
    // Each of four ranges waits for the other three, which only four threads can satisfy.
    Meeting meeting(4);
    std::vector<std::thread::id> ids(4);
    parallel_for(4, 1, [&](std::size_t begin, std::size_t) {
        ids[begin] = std::this_thread::get_id();
        meeting.wait();
    });
    EXPECT_FALSE(meeting.missed());
    EXPECT_EQ(std::set<std::thread::id>(ids.begin(), ids.end()).size(), 4u);
}

TEST_F(parallel, nested_loops_run_on_the_thread_of_the_outer_one) {
    for (const int threads : {1, 2, 3}) {
        set_thread_count(threads);
        const std::size_t outer = 20, inner = 50;
        std::vector<int> visits(outer * inner, 0);
        std::atomic<int> elsewhere{0};
        parallel_for(outer, 1, [&](std::size_t row, std::size_t) {
            const auto here = std::this_thread::get_id();
            parallel_for(inner, 4, [&](std::size_t begin, std::size_t end) {
                if (std::this_thread::get_id() != here)
                    ++elsewhere;
                for (std::size_t i = begin; i < end; ++i)
                    ++visits[row * inner + i];
            });
            // A second loop in the same body: the first one must not have left the task's state.
            parallel_for(inner, 4, [&](std::size_t, std::size_t) {
                if (std::this_thread::get_id() != here)
                    ++elsewhere;
            });
        });
        EXPECT_EQ(visits, std::vector<int>(outer * inner, 1));
        EXPECT_EQ(elsewhere, 0);
    }
}

TEST_F(parallel, loops_from_two_user_threads_at_once) {
    const std::uint64_t expected = rough_sum_bits(3000, 64);
    std::atomic<int> wrong{0};
    const auto user = [&] {
        for (int repeat = 0; repeat < 200; ++repeat)
            if (rough_sum_bits(3000, 64) != expected)
                ++wrong;
    };
    std::thread first(user), second(user);
    first.join();
    second.join();
    EXPECT_EQ(wrong, 0);
}

// A helper that is late for one loop must not touch the next: every loop has its own captures on
// the stack and its own number of chunks, so a stale task, context or lane shows as a wrong count.
TEST_F(parallel, loops_in_close_succession_do_not_mix) {
    for (const int threads : {2, 3, 8}) {
        set_thread_count(threads);
        const int loops = threads > 2 ? 3000 : 20000;
        for (int loop = 0; loop < loops; ++loop) {
            const std::size_t count = 2 + static_cast<std::size_t>(loop % 7);
            std::size_t visited[8] = {};
            parallel_for(count, 1, [&](std::size_t begin, std::size_t end) {
                visited[begin] += end; // end == begin + 1
            });
            for (std::size_t i = 0; i < 8; ++i)
                ASSERT_EQ(visited[i], i < count ? i + 1 : 0u) << "loop " << loop;
        }
    }
}

// Between these loops the helpers give up spinning and sleep; a lost wake-up would cost a helper
// for good, which the four-way meeting (as in all_threads_take_part) would show as a time-out.
TEST_F(parallel, sleeping_helpers_wake) {
    for (int loop = 0; loop < 30; ++loop) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        Meeting meeting(2);
        parallel_for(2, 1, [&](std::size_t, std::size_t) { meeting.wait(); });
        ASSERT_FALSE(meeting.missed()) << "loop " << loop;
    }
}

TEST_F(parallel, thread_count_changes_between_loops) {
    for (int repeat = 0; repeat < 100; ++repeat) {
        set_thread_count(1 + repeat % 5);
        EXPECT_EQ(thread_count(), 1 + repeat % 5);
        if (repeat % 3 == 0) // also a team that is dissolved without having run, or asleep
            continue;
        const int total = parallel_sum<int>(100, 7, [](std::size_t begin, std::size_t end) {
            return static_cast<int>(end - begin);
        });
        ASSERT_EQ(total, 100);
    }
}

TEST_F(parallel, thread_count_changes_beside_running_loops) {
    const std::uint64_t expected = rough_sum_bits(3000, 64);
    std::atomic<bool> done{false};
    std::atomic<int> wrong{0};
    std::thread user([&] {
        for (int repeat = 0; repeat < 300; ++repeat)
            if (rough_sum_bits(3000, 64) != expected || thread_count() < 1)
                ++wrong;
        done = true;
    });
    for (int count = 1; !done; count = count % 4 + 1) {
        set_thread_count(count);
        std::this_thread::yield();
    }
    user.join();
    EXPECT_EQ(wrong, 0);
}

// After fork() the child has the memory of the team but none of its helpers.
TEST_F(parallel, a_forked_child_finishes_its_loops) {
    if (std::string(parallel_backend()) != "threads")
        GTEST_SKIP() << "a promise of the threads backend alone";
    const std::uint64_t expected = rough_sum_bits(3000, 64);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        alarm(20); // a hang becomes a death by signal
        _exit(rough_sum_bits(3000, 64) == expected ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "status " << status;
}

TEST_F(parallel, teams_of_two_user_threads_run_at_once) {
    set_thread_count(1);
    const std::uint64_t expected = rough_sum_bits(3000, 64);
    // A loop of two ranges and one of three, which meet: five threads are in loops at once.
    Meeting meeting(5);
    std::atomic<int> wrong{0};
    const auto user = [&](int threads) {
        ThreadTeam team(threads);
        const TeamScope scope(&team);
        parallel_for(static_cast<std::size_t>(threads), 1,
                     [&](std::size_t, std::size_t) { meeting.wait(); });
        for (int repeat = 0; repeat < 200; ++repeat)
            if (rough_sum_bits(3000, 64) != expected)
                ++wrong;
    };
    std::thread first(user, 2), second(user, 3);
    first.join();
    second.join();
    EXPECT_FALSE(meeting.missed());
    EXPECT_EQ(wrong, 0);
}

// From inside a loop of a team that another user thread started.
TEST_F(parallel, a_busy_team_leaves_a_loop_to_the_thread_that_starts_it) {
    ThreadTeam team(2), other(3);
    const auto threads_of_a_loop = [](ThreadTeam& used, Meeting& meeting) {
        std::vector<std::thread::id> ids(3);
        std::thread user([&] {
            const TeamScope scope(&used);
            parallel_for(3, 1, [&](std::size_t begin, std::size_t) {
                ids[begin] = std::this_thread::get_id();
                meeting.wait();
            });
        });
        user.join();
        return std::set<std::thread::id>(ids.begin(), ids.end()).size();
    };
    const TeamScope scope(&team);
    Meeting nobody(1), three(3);
    parallel_for(2, 1, [&](std::size_t begin, std::size_t) {
        if (begin == 0) {
            EXPECT_EQ(threads_of_a_loop(team, nobody), 1u);
            EXPECT_EQ(threads_of_a_loop(other, three), 3u);
        }
    });
    EXPECT_FALSE(three.missed());
}

TEST_F(parallel, scopes_nest_and_end_with_an_exception) {
    ThreadTeam outer(3), inner(5);
    EXPECT_EQ(thread_count(), 2);
    {
        const TeamScope scope(&outer);
        EXPECT_EQ(thread_count(), 3);
        try {
            const TeamScope deeper(&inner);
            EXPECT_EQ(thread_count(), 5);
            const TeamScope none(nullptr);
            EXPECT_EQ(thread_count(), 5) << "null leaves the team";
            throw std::runtime_error("thrown in the scope");
        } catch (const std::runtime_error&) {
        }
        EXPECT_EQ(thread_count(), 3);
        int elsewhere = 0;
        std::thread([&] { elsewhere = thread_count(); }).join();
        EXPECT_EQ(elsewhere, 2) << "a scope is its thread's own";
    }
    EXPECT_EQ(thread_count(), 2);
}

TEST_F(parallel, the_count_of_a_scope_holds_in_its_loops) {
    ThreadTeam team(3);
    const TeamScope scope(&team);
    Meeting meeting(3);
    std::vector<int> counts(3);
    parallel_for(3, 1, [&](std::size_t begin, std::size_t) {
        counts[begin] = thread_count();
        meeting.wait();
    });
    EXPECT_FALSE(meeting.missed());
    EXPECT_EQ(counts, std::vector<int>(3, 3));
}

TEST_F(parallel, counts_of_teams_are_their_own) {
    ThreadTeam team(3);
    const TeamScope scope(&team);
    set_thread_count(4);
    EXPECT_EQ(thread_count(), 3) << "a team that is no process-wide one keeps its count";
    const std::uint64_t expected = rough_sum_bits(3000, 64);
    for (int count = 1; count <= 5; ++count) {
        team.set_thread_count(count);
        EXPECT_EQ(thread_count(), count);
        EXPECT_EQ(rough_sum_bits(3000, 64), expected);
        Meeting meeting(count); // as many as it says, and they come after a change, too
        parallel_for(static_cast<std::size_t>(count), 1,
                     [&](std::size_t, std::size_t) { meeting.wait(); });
        EXPECT_FALSE(meeting.missed());
    }
    const int hardware = static_cast<int>(std::thread::hardware_concurrency());
    EXPECT_EQ(ThreadTeam().thread_count(), std::max(1, hardware));
    EXPECT_EQ(ThreadTeam(max_thread_count + 1).thread_count(), max_thread_count);
}

// The threads of oneTBB are not the team's: they wait for other work.
TEST_F(parallel, nothing_outlives_a_team) {
    if (std::string(parallel_backend()) != "threads")
        GTEST_SKIP() << "a promise of the threads backend alone";
    static std::atomic<int> living{0};
    struct Living {
        Living() { ++living; }
        ~Living() { --living; }
    };
    std::thread user([] {
        ThreadTeam team(4);
        Meeting meeting(4);
        const TeamScope scope(&team);
        parallel_for(4, 1, [&](std::size_t, std::size_t) {
            thread_local Living here;
            static_cast<void>(&here);
            meeting.wait();
        });
        EXPECT_FALSE(meeting.missed());
        EXPECT_EQ(living, 4);
        team.set_thread_count(2);
        EXPECT_EQ(living, 1) << "the user's own";
        parallel_for(2, 1, [](std::size_t, std::size_t) {});
    });
    user.join();
    EXPECT_EQ(living, 0);
}

TEST_F(parallel, zero_restores_the_default) {
    set_thread_count(0);
    const int hardware = static_cast<int>(std::thread::hardware_concurrency());
    EXPECT_EQ(thread_count(), std::max(1, hardware));
}

TEST_F(parallel, backend_has_a_name) {
    const std::string name = parallel_backend();
    EXPECT_TRUE(name == "threads" || name == "tbb") << name;
}
