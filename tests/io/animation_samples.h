#pragma once

#include "mesh_samples.h"

#include "muslin/io/animation_writer.h"

#include <functional>

namespace muslin::test {

/// Two quads, a triangle and a pentagon on eleven vertices, one of which is in no face; the quads
/// share an edge on which their texture coordinates differ.
inline PolygonMesh seamed_mesh() {
    PolygonMesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0},     {2, 0, 0},   {0, 1, 0},      {1, 1, 0}, {2, 1, 0},
                      {1, 2, 0}, {2.5, 0.5, 1}, {0.2, 2, 0}, {-0.5, 1.5, 0}, {7, 7, 7}};
    mesh.texcoords = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {5, 0}, {6, 0}, {6, 1.25}, {5, 1}, {0.1, 2}};
    mesh.face_begin = {0, 4, 8, 11, 16};
    mesh.corner_vertex = {0, 1, 4, 3, 1, 2, 5, 4, 2, 7, 5, 3, 4, 6, 8, 9};
    mesh.corner_texcoord = {0, 1, 2, 3, 4, 5, 6, 7, 5, 6, 7, 3, 2, 8, 0, 1};
    return mesh;
}

inline PolygonMesh tetrahedron() {
    PolygonMesh mesh;
    mesh.positions = {{0, -3, 0}, {1, -4, 0}, {0, -4, 1}, {-1, -4, -1}};
    mesh.face_begin = {0, 3, 6, 9, 12};
    mesh.corner_vertex = {0, 2, 1, 0, 3, 2, 0, 1, 3, 1, 2, 3};
    return mesh;
}

/// A cloth that bends as it falls and a body that stands still, made of formulas.
class SampleAnimation : public AnimationSource {
public:
    explicit SampleAnimation(int frames, bool with_body = true) {
        name_ = "a \"scene\" <1>";
        place_ = "sample";
        frames_ = frames;
        frame_rate_ = 25;
        objects_.push_back({"sheet", seamed_mesh(), false, true, {"height", "speed"}});
        if (with_body)
            objects_.push_back({"body-rock", tetrahedron(), true, false, {}});
    }

    static Vec3 moved(const Vec3& p, int frame) {
        return {p.x + 0.01 * frame * p.y, p.y - 0.1 * frame, p.z + 0.003 * frame * p.x * p.x};
    }
    void read(std::size_t object, int frame, std::vector<Vec3>& positions) override {
        if (on_read)
            on_read(frame);
        positions = objects_[object].mesh.positions;
        if (object == 0)
            for (Vec3& p : positions)
                p = moved(p, frame);
    }
    void read_field(std::size_t, std::size_t field, int frame,
                    std::vector<double>& values) override {
        values.clear();
        for (const Vec3& p : objects_[0].mesh.positions)
            values.push_back(field == 0 ? moved(p, frame).y : 0.5 + frame);
    }
    AnimatedObject& object(std::size_t i) { return objects_[i]; }

    std::function<void(int frame)> on_read;
};

} // namespace muslin::test
