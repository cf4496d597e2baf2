#pragma once

#include "places.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <string_view>

// Real-world files, which are not part of the repository. They are looked for in the directory
// that MUSLIN_DATA names, else in ../shared/data beside the checkout; the reference curves of the
// validation protocols in its sibling validation/data. Where a file is absent the test is skipped,
// saying so; but a directory named by MUSLIN_DATA must have it, so that a machine that is meant to
// run these tests cannot pass by skipping them.

namespace muslin::test {

inline bool data_is_required() {
    const char* named = std::getenv("MUSLIN_DATA");
    return named != nullptr && *named != '\0';
}

inline std::filesystem::path data_directory() {
    if (data_is_required())
        return std::getenv("MUSLIN_DATA");
    return std::filesystem::path(source_directory()) / ".." / "shared" / "data";
}

/// Whether a scene names files of the test data ("data:...") and there is none; says so.
inline bool needs_missing_data(std::string_view scene) {
    if (scene.find("\"data:") == std::string_view::npos || data_is_required() ||
        std::filesystem::exists(data_directory()))
        return false;
    std::cout << "passed over: a scene that needs " << data_directory().string() << '\n';
    return true;
}

inline std::filesystem::path validation_directory() {
    // Made absolute and normal first: "data/" and "." have parents only then.
    std::filesystem::path data = std::filesystem::absolute(data_directory()).lexically_normal();
    if (!data.has_filename())
        data = data.parent_path();
    return data.parent_path() / "validation" / "data";
}

} // namespace muslin::test

// Within a TEST body: declares the path `variable`, and skips or fails the test if it is absent.
#define MUSLIN_NEED_FILE_(variable, directory, relative)                                           \
    const std::filesystem::path variable = (directory) / (relative);                               \
    if (!std::filesystem::exists(variable)) {                                                      \
        if (::muslin::test::data_is_required())                                                    \
            FAIL() << "MUSLIN_DATA is set, but this is missing: " << variable.string();            \
        GTEST_SKIP() << "needs " << variable.string()                                              \
                     << " (set MUSLIN_DATA to the directory of the test data)";                    \
    }                                                                                              \
    static_assert(true, "asks for a semicolon")

/// MUSLIN_NEED_DATA(file, "meshes/spot.obj"); then read_mesh(file).
#define MUSLIN_NEED_DATA(variable, relative)                                                       \
    MUSLIN_NEED_FILE_(variable, ::muslin::test::data_directory(), relative)

/// MUSLIN_NEED_VALIDATION(file, "catenary.csv");
#define MUSLIN_NEED_VALIDATION(variable, relative)                                                 \
    MUSLIN_NEED_FILE_(variable, ::muslin::test::validation_directory(), relative)
