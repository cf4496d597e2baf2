#pragma once

// Drapes at rest: a sheet over a ball, and Cusick's disc over a smaller one.

#include "referee/protocols/scenes.h"

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <span>

namespace muslin::referee {

/// The area that triangles cover seen from above [m^2], and its outline: the largest distance from
/// the y axis in each of `outline.size()` even directions [m].
struct Shadow {
    double area = 0;
    std::vector<double> outline;
};
Shadow shadow_of(std::span<const Vec3> x, std::span<const std::array<int, 3>> triangles,
                 double reach, double cell);

/// Folds of an outline: how often it rises and falls by more than `least` [m], once around.
int count_folds(const std::vector<double>& outline, double least);

/// What a drape is measured by.
struct Drape {
    double shadow = 0; ///< [m^2]
    int folds = 0;
    double speed = 0;  ///< left, root mean square [m/s]
    double time = 0;   ///< simulated [s]
    double change = 0; ///< of the shadow in the last half second, as a part of it
};

/// A sheet of plain cotton, 1 m, falls on a ball of 0.22 m: examples/drape-sphere.toml without the
/// shear that the example adds, and on a rounder ball, whose facets do not count. Its place is off
/// the middle by up to a millimetre by `variant`, which is also the seed of an irregular mesh.
struct SphereDrape {
    Mesh mesh = Mesh::irregular;
    int vertices = 2601;
    int variant = 1; ///< 1 to 5
    double fps = 30;
    std::vector<std::string> overrides = {};
};
SceneDescription describe(const SphereDrape& drape);
Drape run_drape(const SphereDrape& drape);

/// Cusick's test: a disc of 0.15 m on a support of 0.09 m, whose middle is held.
struct CusickDrape {
    std::string material = "cotton";
    int vertices = 4800;
    int seed = 1;
    double fps = 30;
    std::vector<std::string> overrides = {};

    static constexpr double radius = 0.15, support = 0.09; // [m]
};
SceneDescription describe(const CusickDrape& drape);
Drape run_drape(const CusickDrape& drape);

/// Where the points of a flat shape [x, z] lie when it is bent as `bent` is: each moves with the
/// triangle of `flat` that holds it, or with the nearest one.
std::vector<Vec3> bend_like(std::span<const Vec3> flat, std::span<const Vec3> bent,
                            std::span<const std::array<int, 3>> triangles,
                            std::span<const Vec3> points);

/// Drapes of growing numbers of vertices. The first falls; each of the others starts at rest in
/// the shape of the one before and settles from there, which takes a fraction of the time and
/// keeps the folds: what changes is the error of the mesh alone. One is settled when it is slow
/// and its shadow has changed by less than 0.5 % in half a second, after one second at least.
/// `done` is told of each.
using DrapeDone = std::function<void(int vertices, const Drape& drape)>;
void refine_drape(SphereDrape drape, const std::vector<int>& sizes, double most,
                  const DrapeDone& done);
void refine_drape(CusickDrape drape, const std::vector<int>& sizes, double most,
                  const DrapeDone& done);

/// (shadow - support) / (disc - support).
double drape_coefficient(double shadow);

/// Mean and half the range of several drapes.
struct DrapeMean {
    double value = 0, spread = 0; ///< of the shadow, or of the drape coefficient
    double folds = 0, folds_spread = 0;
    double speed = 0, time = 0; ///< the largest of them
};
DrapeMean mean_of(const std::vector<Drape>& drapes, const std::function<double(double)>& of);

/// Rows of tests/referee/drape_truth.csv and cusick_published.csv by their first column; those that
/// begin with # are left out.
struct Range {
    double low = 0, high = 0;
};
std::map<std::string, DrapeMean> read_truths(const std::filesystem::path& file);
std::map<std::string, Range> read_ranges(const std::filesystem::path& file);

} // namespace muslin::referee
