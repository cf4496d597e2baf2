// The number of threads never changes a bit of what a force computes.
#include "forces/cloth.h"
#include "muslin/base/hash.h"
#include "muslin/base/parallel.h"
#include "muslin/forces/bend.h"
#include "muslin/forces/bend_shape.h"
#include "muslin/forces/bend_volino.h"
#include "muslin/forces/curvature_energy.h"
#include "muslin/forces/outside.h"
#include "muslin/forces/springs.h"
#include "muslin/forces/strain_rosette.h"
#include "muslin/forces/stretch_shear.h"

#include <memory>

namespace muslin::test {
namespace {

/// A disc of triangles around one vertex, with a rim that waves.
PolygonMesh fan_mesh(int triangles) {
    PolygonMesh mesh;
    mesh.positions.push_back({0, 0, 0});
    mesh.texcoords.push_back({0, 0});
    for (int i = 0; i < triangles; ++i) {
        const double a = 2 * std::numbers::pi * i / triangles, r = 1 + 0.01 * std::sin(9 * a);
        mesh.positions.push_back({r * std::cos(a), 0, -r * std::sin(a)});
        mesh.texcoords.push_back({r * std::cos(a), r * std::sin(a)});
    }
    for (int i = 0; i < triangles; ++i) {
        const int corners[3] = {0, 1 + i, 1 + (i + 1) % triangles};
        mesh.corner_vertex.insert(mesh.corner_vertex.end(), corners, corners + 3);
        mesh.corner_texcoord.insert(mesh.corner_texcoord.end(), corners, corners + 3);
        mesh.face_begin.push_back(static_cast<int>(mesh.corner_vertex.size()));
    }
    return mesh;
}

std::vector<std::unique_ptr<Force>> all_forces(const Model& model) {
    std::vector<std::unique_ptr<Force>> forces;
    forces.push_back(std::make_unique<StretchShearForce>(model));
    forces.push_back(std::make_unique<BendForce>(model));
    forces.push_back(std::make_unique<BendShapeForce>(model));
    forces.push_back(std::make_unique<StrainRosetteForce>(model));
    forces.push_back(std::make_unique<BendVolinoForce>(model));
    forces.push_back(std::make_unique<MassSpringForce>(model));
    forces.push_back(std::make_unique<FlexionSpringForce>(model));
    forces.push_back(std::make_unique<CurvatureEnergyForce>(model));
    forces.push_back(std::make_unique<AirDragForce>(model));
    forces.push_back(std::make_unique<GravityForce>(model));
    forces.push_back(std::make_unique<OutsideForce>(model));
    return forces;
}

/// A digest of energies, forces, extrapolated forces and matrix.
std::string digest(const std::vector<std::unique_ptr<Force>>& forces, const Sheet& sheet,
                   const std::vector<Vec3>& x, const std::vector<Vec3>& v,
                   const std::vector<Vec3>& d) {
    Hash64 hash;
    const int n = sheet.particles();
    std::vector<std::array<int, 2>> pairs;
    for (const auto& f : forces)
        f->capabilities().linearised->append_pairs(pairs);
    BlockMatrix a;
    a.set_pattern(n, pairs);
    a.reset(sheet.model.mass);
    for (const auto& f : forces) {
        LinearisedForce& part = *f->capabilities().linearised;
        part.bind(a);
        f->set_conditions(sheet.conditions);
        f->prepare(0.3);
        const double energy = f->energy(x);
        hash.add(&energy, sizeof energy);
        std::vector<Vec3> plain(n, {0, 0, 0}), extrapolated(n, {0, 0, 0});
        f->add_force({x, v}, plain);
        part.add_linearised({x, v}, {0.02, d}, extrapolated, a);
        hash.add(plain.data(), plain.size() * sizeof(Vec3));
        hash.add(extrapolated.data(), extrapolated.size() * sizeof(Vec3));
    }
    a.mirror_pairs();
    for (int i = 0; i < n; ++i)
        for (const auto& [from, to] :
             {std::pair{i, i}, std::pair{i, (i + 1) % n}, std::pair{0, i}}) {
            const Mat3 block = a.block(from, to);
            hash.add(&block, sizeof block);
        }
    std::vector<Vec3> product(n);
    a.multiply(x, product); // every block counts
    hash.add(product.data(), product.size() * sizeof(Vec3));
    return hash.hex();
}

void expect_same_bits(const Sheet& sheet) {
    Random random(1);
    const std::vector<Vec3> x = crumpled(sheet, random), v = random.vecs(sheet.particles(), 3),
                            d = random.vecs(sheet.particles(), 0.01);
    const auto forces = all_forces(sheet.model); // once: a fan's springs take seconds to find
    std::string first;
    for (int threads : {1, 2, 3, 8, 2}) {
        set_thread_count(threads);
        const std::string now = digest(forces, sheet, x, v, d);
        if (first.empty())
            first = now;
        EXPECT_EQ(now, first) << threads << " threads";
    }
    set_thread_count(0);
    std::vector<Vec3> y = x; // and the digest sees the last bit of a position
    y[sheet.particles() / 2].x = std::nextafter(y[sheet.particles() / 2].x, 10);
    EXPECT_NE(digest(forces, sheet, y, v, d), first);
}

Sheet with_air(Sheet sheet) {
    sheet.conditions.air.linear_drag = 0.3;
    sheet.conditions.air.quadratic_drag = 0.6;
    sheet.conditions.air.wind = Animated<Vec3>(Vec3{1, 2, 3});
    return sheet;
}

TEST(Threads, AnIrregularSheetGivesTheSameBits) {
    expect_same_bits(with_air(irregular_sheet(5003, 1)));
}

TEST(Threads, AFanOfTenThousandTrianglesGivesTheSameBits) {
    const Sheet sheet = with_air(make_sheet(fan_mesh(10000)));
    EXPECT_EQ(sheet.model.dynamics.triangles.size(), 10000u);
    EXPECT_EQ(sheet.model.dynamics.hinges.size(), 10000u);
    expect_same_bits(sheet);
}

} // namespace
} // namespace muslin::test
