#include "muslin/base/profile.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>

using namespace muslin;

namespace {

double seconds(const Profile& profile, Task task) {
    return profile.seconds[static_cast<std::size_t>(task)];
}

} // namespace

TEST(profile, scope_adds_its_time_to_one_task) {
    Profile profile;
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < 2; ++i) {
        const ProfileScope scope(profile, Task::solve);
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    const std::chrono::duration<double> outside = std::chrono::steady_clock::now() - start;
    EXPECT_GE(seconds(profile, Task::solve), 0.010);
    EXPECT_LE(seconds(profile, Task::solve), outside.count());
    EXPECT_EQ(profile.total(), seconds(profile, Task::solve));
    EXPECT_EQ(seconds(profile, Task::forces), 0.0);
}

TEST(profile, profiles_add_task_by_task) {
    Profile a, b;
    a.seconds[static_cast<std::size_t>(Task::forces)] = 1;
    b.seconds[static_cast<std::size_t>(Task::forces)] = 2;
    b.seconds[static_cast<std::size_t>(Task::other)] = 0.5;
    a += b;
    EXPECT_EQ(seconds(a, Task::forces), 3);
    EXPECT_EQ(seconds(a, Task::other), 0.5);
    EXPECT_EQ(a.total(), 3.5);
}

// The names are keys of `seconds` in stats.jsonl, which users read.
TEST(profile, task_names_are_those_of_the_statistics) {
    EXPECT_EQ(std::string(task_names[static_cast<std::size_t>(Task::forces)]), "forces");
    EXPECT_EQ(std::string(task_names[static_cast<std::size_t>(Task::solve)]), "solve");
    EXPECT_EQ(std::string(task_names[static_cast<std::size_t>(Task::detect_self)]), "detect_self");
    EXPECT_EQ(std::string(task_names[static_cast<std::size_t>(Task::detect_body)]), "detect_body");
    EXPECT_EQ(std::string(task_names[static_cast<std::size_t>(Task::resolve)]), "resolve");
    EXPECT_EQ(std::string(task_names[static_cast<std::size_t>(Task::other)]), "other");
}
