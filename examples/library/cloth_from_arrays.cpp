// A cloth from arrays falls on a ball that the program lifts and turns: no file is read or written.
#include <muslin/muslin.h>

#include <algorithm>
#include <cstdio>

// A square of 1 m in the plane y = 0, its pattern as it lies.
muslin::Mesh make_sheet(int side) {
    muslin::Mesh out;
    for (int row = 0; row < side; ++row)
        for (int column = 0; column < side; ++column) {
            const double u = double(column) / (side - 1), v = double(row) / (side - 1);
            out.positions.push_back({u - 0.5, 0, 0.5 - v});
            out.uv.push_back({u, v});
        }
    for (int row = 0; row + 1 < side; ++row)
        for (int column = 0; column + 1 < side; ++column) {
            const int a = row * side + column, b = a + 1, c = b + side, d = a + side;
            out.corners.insert(out.corners.end(), {a, b, c, d});
            out.sizes.push_back(4);
        }
    return out;
}

// The vertices of the ball some seconds after the start: it turns, and rises by 0.2 m/s.
std::vector<muslin::Vec3> ball_at(const muslin::Mesh& ball, double time) {
    std::vector<muslin::Vec3> out;
    for (const muslin::Vec3& p : ball.positions)
        out.push_back({std::cos(time) * p.x + std::sin(time) * p.z, p.y - 0.3 + 0.2 * time,
                       std::cos(time) * p.z - std::sin(time) * p.x});
    return out;
}

int main() {
    try {
        const muslin::Mesh ball = muslin::make_mesh("{ type = 'sphere', radius = 0.2 }");
        muslin::Scene scene("lifted");
        scene.settings({.frame_rate = 30})
            .add(muslin::Cloth{
                .name = "sheet", .mesh = make_sheet(21), .material = {"silk-charmeuse"}})
            .add(muslin::Body{.name = "ball", .mesh = ball, .position = {0, -0.3, 0}});

        muslin::Simulation simulation(scene);
        for (int frame = 1; frame <= 30; ++frame) {
            simulation.move_body("ball", ball_at(ball, frame / 30.0));
            simulation.step_frame();
        }
        double top = -1;
        for (const muslin::Vec3& p : simulation.positions("sheet"))
            top = std::max(top, p.y);
        std::printf("highest point after %d frames: %.4f m\n", simulation.frame(), top);
        std::printf("triangles in the ball: %d\n", simulation.judge().body_intersections);
    } catch (const muslin::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
