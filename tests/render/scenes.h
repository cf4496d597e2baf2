#pragma once

#include "mesh/mesh_testing.h"
#include "muslin/render/renderer.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numbers>
#include <random>
#include <string>

// Small scenes and helpers shared by the tests of the renderer.

namespace muslin::testing {

inline RenderMesh sphere(const Vec3& center, double radius, int rings = 64) {
    RenderMesh mesh;
    const int segments = 2 * rings;
    for (int i = 0; i <= rings; ++i)
        for (int j = 0; j < segments; ++j) {
            const double t = std::numbers::pi * i / rings, p = std::numbers::pi * j / rings;
            const Vec3 n = {std::sin(t) * std::cos(p), std::cos(t), std::sin(t) * std::sin(p)};
            mesh.positions.push_back(center + radius * n);
        }
    for (int i = 0; i < rings; ++i)
        for (int j = 0; j < segments; ++j) {
            const int a = i * segments + j, b = i * segments + (j + 1) % segments;
            mesh.triangles.push_back({a, b, a + segments});
            mesh.triangles.push_back({b, b + segments, a + segments});
        }
    return mesh;
}

/// As waved_sheet, to be drawn.
template <class Height>
RenderMesh sheet(int n, Height&& height) {
    TriangleMesh flat = waved_sheet(n, height);
    RenderMesh mesh;
    mesh.positions = std::move(flat.positions);
    mesh.triangles = std::move(flat.triangles);
    mesh.material = std::move(flat.material);
    return mesh;
}

inline RenderMesh wavy_sheet(int n, double phase) {
    return sheet(n, [&](double x, double y) {
        return 0.08 * y * std::sin(14 * x + 3 * y + phase) + 0.03 * std::sin(31 * x);
    });
}

/// Where a point lands in a picture [pixels, from the top left].
inline Vec2 project(const Vec3& point, const Camera& camera, int width, int height) {
    const CameraBasis basis = camera_basis(camera);
    const Vec3 p = point - camera.eye;
    const double f = 0.5 * height / std::tan(camera.vertical_fov * std::numbers::pi / 360);
    const double depth = -dot(p, basis.back);
    return {0.5 * width + f * dot(p, basis.right) / depth,
            0.5 * height - f * dot(p, basis.up) / depth};
}

/// Mean colour of the square of pixels within `reach` of (x, y), 0 .. 255.
inline Vec3 mean_color(const Image& image, const Vec2& at, int reach = 3) {
    Vec3 sum = {0, 0, 0};
    for (int dy = -reach; dy <= reach; ++dy)
        for (int dx = -reach; dx <= reach; ++dx) {
            const auto p = image.pixel(static_cast<int>(at.x) + dx, static_cast<int>(at.y) + dy);
            sum += Vec3{double(p[0]), double(p[1]), double(p[2])};
        }
    const double count = (2.0 * reach + 1) * (2.0 * reach + 1);
    return (1.0 / count) * sum;
}

inline double brightness(const Vec3& color) {
    return (color.x + color.y + color.z) / 3;
}

/// A directory of this test's own, removed with everything in it.
class ScratchDirectory {
public:
    explicit ScratchDirectory(const std::string& name)
        : path_(std::filesystem::temp_directory_path() /
                ("muslin-render-" + name + "-" + std::to_string(std::random_device{}()))) {
        std::filesystem::create_directories(path_);
    }
    ~ScratchDirectory() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    ScratchDirectory(const ScratchDirectory&) = delete;
    ScratchDirectory& operator=(const ScratchDirectory&) = delete;
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
    const std::filesystem::path& path() const { return path_; }
    std::size_t entries() const {
        return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_),
                                                      std::filesystem::directory_iterator()));
    }

private:
    std::filesystem::path path_;
};

inline std::string slurp(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

} // namespace muslin::testing
