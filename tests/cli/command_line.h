#pragma once

#include "places.h"

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/wait.h>

namespace muslin::testing {

struct Outcome {
    int code = -1;
    std::string text; ///< stdout and stderr together
};

/// Runs a command of the shell.
inline Outcome run_command(const std::string& command) {
    Outcome out;
    FILE* pipe = popen((command + " 2>&1").c_str(), "r");
    std::array<char, 4096> buffer;
    std::size_t n = 0;
    while ((n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0)
        out.text.append(buffer.data(), n);
    const int status = pclose(pipe);
    out.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return out;
}

/// Runs the program with the given arguments.
inline Outcome muslin(const std::string& arguments) {
    return run_command(std::string(test::program()) + " " + arguments);
}

/// A folder that is gone when the test ends.
class Scratch {
public:
    explicit Scratch(const std::string& name)
        : path_(std::filesystem::temp_directory_path() /
                ("muslin-cli-" + name + "-" + std::to_string(getpid()))) {
        std::filesystem::remove_all(path_);
        std::filesystem::create_directories(path_);
    }
    ~Scratch() { std::filesystem::remove_all(path_); }
    std::string operator/(const std::string& name) const { return (path_ / name).string(); }
    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(path_ / name, std::ios::binary) << text;
        return (path_ / name).string();
    }
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

} // namespace muslin::testing
