#pragma once

#include <array>
#include <chrono>

namespace muslin {

/// The tasks whose time a run reports, by the names of `seconds` in stats.jsonl.
enum class Task { forces, solve, detect_self, detect_body, resolve, other, count };

inline constexpr std::array<const char*, static_cast<std::size_t>(Task::count)> task_names = {
    "forces", "solve", "detect_self", "detect_body", "resolve", "other"};

/// Seconds spent per task. Times are reported, never read back: no result depends on them.
struct Profile {
    std::array<double, static_cast<std::size_t>(Task::count)> seconds{};

    double total() const {
        double sum = 0;
        for (double s : seconds)
            sum += s;
        return sum;
    }
    Profile& operator+=(const Profile& other) {
        for (std::size_t i = 0; i < seconds.size(); ++i)
            seconds[i] += other.seconds[i];
        return *this;
    }
};

/// Adds the time until the end of its scope to one task.
class ProfileScope {
public:
    ProfileScope(Profile& profile, Task task)
        : slot_(profile.seconds[static_cast<std::size_t>(task)]), start_(Clock::now()) {}
    ~ProfileScope() { slot_ += std::chrono::duration<double>(Clock::now() - start_).count(); }
    ProfileScope(const ProfileScope&) = delete;
    ProfileScope& operator=(const ProfileScope&) = delete;

private:
    using Clock = std::chrono::steady_clock;
    double& slot_;
    Clock::time_point start_;
};

} // namespace muslin
