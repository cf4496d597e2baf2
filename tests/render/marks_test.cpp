#include "muslin/render/marks.h"

#include "scenes.h"

#include <gtest/gtest.h>

namespace muslin {
namespace {

using namespace testing;

TriangleView view(const RenderMesh& mesh) {
    return {mesh.positions, mesh.triangles};
}

TEST(Marks, OfCrossingSheetsAreThePairsThatIntersect) {
    const RenderMesh flat = sheet(11, [](double, double) { return 0.0; });
    const RenderMesh slope = sheet(11, [](double x, double) { return x - 0.513; });
    const RenderMesh above = sheet(11, [](double, double) { return 2.0; });
    std::vector<int> of_flat, of_slope;
    for (const auto& [a, b] : find_intersections_between(view(flat), view(slope))) {
        of_flat.push_back(a);
        of_slope.push_back(b);
    }
    const auto sorted = [](std::vector<int> list) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
        return list;
    };
    ASSERT_FALSE(of_flat.empty());
    const std::vector<MarkedSurface> cloths = {
        {view(flat), false, {}}, {view(slope), false, {}}, {view(above), false, {}}};
    const auto marks = find_marks(cloths);
    EXPECT_EQ(marks[0], sorted(of_flat));
    EXPECT_EQ(marks[1], sorted(of_slope));
    EXPECT_TRUE(marks[2].empty());
    // The same with a body: only the cloth is marked.
    const auto with_body =
        find_marks(std::vector<MarkedSurface>{{view(flat), false, {}}, {view(slope), true, {}}});
    EXPECT_EQ(with_body[0], sorted(of_flat));
    EXPECT_TRUE(with_body[1].empty());
    // Two bodies are no matter of the cloth's.
    for (const auto& list :
         find_marks(std::vector<MarkedSurface>{{view(flat), true, {}}, {view(slope), true, {}}}))
        EXPECT_TRUE(list.empty());
}

TEST(Marks, SidesOfASeamDoNotIntersect) {
    const RenderMesh left = sheet(9, [](double x, double) { return 0.3 * x; });
    RenderMesh right = left; // meets it along x = 1 at the very same places, and rises the same way
    for (Vec3& p : right.positions)
        p.x = 2 - p.x;
    const auto marks =
        find_marks(std::vector<MarkedSurface>{{view(left), false, {}}, {view(right), false, {}}});
    EXPECT_TRUE(marks[0].empty());
    EXPECT_TRUE(marks[1].empty());
}

TEST(Marks, PinchedVerticesMarkTheirTriangles) {
    RenderMesh cloth = sheet(4, [](double, double) { return 0.0; });
    std::vector<double> pinched(cloth.positions.size(), 0);
    pinched[0] = 1; // the corner, in two triangles
    const auto marks = find_marks(std::vector<MarkedSurface>{{view(cloth), false, pinched}});
    EXPECT_EQ(marks[0], (std::vector<int>{0, 1}));
    cloth.positions[3].x = std::nan("");
    EXPECT_TRUE(find_marks(std::vector<MarkedSurface>{{view(cloth), false, pinched}})[0].empty());
    EXPECT_TRUE(find_marks({}).empty());
}

} // namespace
} // namespace muslin
