#pragma once

#include "places.h"

#include "muslin/base/error.h"
#include "muslin/scene/load.h"

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace muslin::testing {

/// A folder of its own for each test, gone with it.
class TemporaryFolder {
public:
    TemporaryFolder() {
        const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
        path_ = std::filesystem::path(::testing::TempDir()) /
                (std::string("muslin_scene_") + test->test_suite_name() + "_" + test->name());
        std::filesystem::remove_all(path_);
        std::filesystem::create_directories(path_);
    }
    ~TemporaryFolder() {
        std::error_code error;
        std::filesystem::remove_all(path_, error);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    std::string write(const std::string& name, std::string_view text) const {
        const std::filesystem::path file = path_ / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary) << text;
        return file.string();
    }

private:
    std::filesystem::path path_;
};

inline SceneDescription parse(std::string_view text, std::vector<std::string> overrides = {}) {
    return parse_scene(text, "test.toml", {}, "test", overrides);
}

/// The problem that reading a scene must end in.
template <class Load>
Problem problem_of(const Load& load) {
    try {
        load();
    } catch (const InputError& error) {
        return error.problem();
    }
    ADD_FAILURE() << "no InputError";
    return {};
}
inline Problem problem_in(std::string_view text, std::vector<std::string> overrides = {}) {
    return problem_of([&] { parse(text, overrides); });
}

/// A scene of one cloth, "sheet", on its first two lines; the rest begins on line 3.
inline std::string with_sheet(std::string_view rest) {
    return "cloth = [{ name = \"sheet\", mesh = { type = \"irregular\" } }]\n\n" +
           std::string(rest);
}

inline std::string read_file(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    EXPECT_TRUE(stream) << file;
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

} // namespace muslin::testing
