#pragma once

#include "muslin/base/error.h"
#include "muslin/io/bytes.h"
#include "muslin/io/mesh_formats.h"
#include "muslin/io/read_file.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <functional>
#include <string>
#include <unistd.h>

namespace muslin::test {

/// A directory of its own for each test, removed with it.
class TemporaryDirectory : public ::testing::Test {
protected:
    TemporaryDirectory() {
        const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
        directory_ =
            std::filesystem::temp_directory_path() /
            fmt::format("muslin-{}-{}-{}", ::getpid(), info->test_suite_name(), info->name());
        std::filesystem::create_directories(directory_);
    }
    ~TemporaryDirectory() override {
        std::error_code ignored;
        std::filesystem::remove_all(directory_, ignored);
    }
    std::filesystem::path path(const std::string& name) const { return directory_ / name; }
    std::size_t files() const {
        const auto entries = std::filesystem::directory_iterator(directory_);
        return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
    }

private:
    std::filesystem::path directory_;
};

/// A house: a quad, a triangle and a pentagon, with numbers that lose bits in any short decimal.
inline PolygonMesh sample_mesh() {
    PolygonMesh mesh;
    mesh.positions = {{0, 0, 0},
                      {1.0 / 3, 0.1, -2e-17},
                      {1e-300, std::nextafter(1.0, 2.0), 5e-324},
                      {-0.0, 123456789.123456789, 1.7976931348623157e308},
                      {-1.5, std::sqrt(2.0), 1e22},
                      {4, 5, 6}};
    mesh.face_begin = {0, 4, 7, 12};
    mesh.corner_vertex = {0, 1, 2, 3, 2, 1, 4, 0, 1, 4, 5, 3};
    return mesh;
}

/// The same with texture coordinates of which two corners of one vertex differ (a seam).
inline PolygonMesh textured_mesh() {
    PolygonMesh mesh = sample_mesh();
    mesh.texcoords = {{0, 0}, {1.0 / 7, 0}, {0.3, 1}, {0, 1}, {2, 2}, {0.25, 5}, {9, 1e-9}};
    mesh.corner_texcoord = {0, 1, 2, 3, 2, 6, 4, 0, 1, 4, 5, 3};
    return mesh;
}

inline bool same_bits(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

inline void expect_same_positions(const PolygonMesh& a, const PolygonMesh& b) {
    ASSERT_EQ(a.positions.size(), b.positions.size());
    for (std::size_t i = 0; i < a.positions.size(); ++i)
        for (int axis = 0; axis < 3; ++axis)
            EXPECT_TRUE(same_bits(a.positions[i][axis], b.positions[i][axis]))
                << "vertex " << i << ", axis " << axis << ": " << a.positions[i][axis] << " and "
                << b.positions[i][axis];
}

inline void expect_same_polygons(const PolygonMesh& a, const PolygonMesh& b) {
    EXPECT_EQ(a.face_begin, b.face_begin);
    EXPECT_EQ(a.corner_vertex, b.corner_vertex);
}

/// Equal coordinates at every corner, under whatever indices.
inline void expect_same_texcoords(const PolygonMesh& a, const PolygonMesh& b) {
    ASSERT_EQ(a.corner_texcoord.size(), b.corner_texcoord.size());
    for (std::size_t c = 0; c < a.corner_texcoord.size(); ++c) {
        const int i = a.corner_texcoord[c], j = b.corner_texcoord[c];
        ASSERT_EQ(i < 0, j < 0) << "corner " << c;
        if (i < 0)
            continue;
        EXPECT_TRUE(same_bits(a.texcoords[i].x, b.texcoords[j].x)) << "corner " << c;
        EXPECT_TRUE(same_bits(a.texcoords[i].y, b.texcoords[j].y)) << "corner " << c;
    }
}

/// What every reader promises of a mesh that it returns.
inline void expect_sound(const PolygonMesh& mesh) {
    const int vertices = static_cast<int>(mesh.positions.size());
    ASSERT_GT(vertices, 0);
    ASSERT_GT(mesh.face_count(), 0);
    for (const Vec3& p : mesh.positions)
        ASSERT_TRUE(is_finite(p));
    for (const Vec2& t : mesh.texcoords)
        ASSERT_TRUE(std::isfinite(t.x) && std::isfinite(t.y));
    ASSERT_EQ(mesh.face_begin.front(), 0);
    for (int f = 0; f < mesh.face_count(); ++f)
        ASSERT_GE(mesh.face_begin[f + 1] - mesh.face_begin[f], 3);
    ASSERT_EQ(static_cast<std::size_t>(mesh.face_begin.back()), mesh.corner_vertex.size());
    for (int v : mesh.corner_vertex)
        ASSERT_TRUE(v >= 0 && v < vertices);
    ASSERT_TRUE(mesh.corner_texcoord.empty() ||
                mesh.corner_texcoord.size() == mesh.corner_vertex.size());
    for (int t : mesh.corner_texcoord)
        ASSERT_TRUE(t >= -1 && t < static_cast<int>(mesh.texcoords.size()));
    ASSERT_TRUE(mesh.face_group.empty() ||
                mesh.face_group.size() == static_cast<std::size_t>(mesh.face_count()));
    for (int g : mesh.face_group)
        ASSERT_TRUE(g >= -1 && g < static_cast<int>(mesh.group_names.size()));
    for (const auto& [name, values] : mesh.vertex_maps) {
        ASSERT_EQ(values.size(), mesh.positions.size());
        for (double value : values)
            ASSERT_TRUE(std::isfinite(value));
    }
}

/// The problem that `body` throws as InputError; a failure of the test if it does not.
inline Problem problem_of(const std::function<void()>& body) {
    try {
        body();
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find(error.problem().expected), std::string::npos);
        return error.problem();
    }
    ADD_FAILURE() << "no InputError was thrown";
    return {};
}

/// The problem of parsing `bytes` as a file of that name.
inline Problem problem_in(const std::string& file, const std::string& bytes,
                          const ReadLimits& limits = {}) {
    return problem_of([&] { parse_mesh(bytes, file, limits); });
}

template <class T>
void append_bytes(std::string& out, T value, std::endian order) {
    const auto bytes = to_bytes(value, order);
    out.append(bytes.data(), bytes.size());
}

} // namespace muslin::test

// Each part of a problem: file, line, words in key, in expected and in found.
#define EXPECT_PROBLEM(problem, file_, line_, key_, expected_, found_)                             \
    do {                                                                                           \
        const ::muslin::Problem p = (problem);                                                     \
        EXPECT_EQ(p.where.file, file_);                                                            \
        EXPECT_EQ(p.where.line, line_) << ::muslin::describe(p);                                   \
        EXPECT_NE(p.key.find(key_), std::string::npos) << ::muslin::describe(p);                   \
        EXPECT_NE(p.expected.find(expected_), std::string::npos) << ::muslin::describe(p);         \
        EXPECT_NE(p.found.find(found_), std::string::npos) << ::muslin::describe(p);               \
    } while (false)
