#pragma once

#include "muslin/io/run_reader.h"
#include "muslin/mesh/measure.h"
#include "muslin/mesh/subdivide.h"
#include "muslin/render/renderer.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace muslin {

/// One surface of a finished run, ready to be drawn at any of its frames.
class RunSurface {
public:
    /// The object must outlive it.
    explicit RunSurface(RunObject& object);

    const std::string& name() const { return object_->name(); }
    bool is_body() const { return object_->kind() == RunObject::Kind::body; }
    bool moves() const { return object_->moves(); }
    /// What to draw; its positions are those of the frame last shown (at first, the mesh's own).
    const RenderMesh& mesh() const { return mesh_; }
    void show(int frame);
    void set_colors(const Vec3& front, const Vec3& back);
    /// Only on a surface with material coordinates is it seen.
    void set_texture(std::shared_ptr<const Image> image, double size);

    /// Draws a finer, smoother cloth over the simulated one (mesh/subdivide.h). Bodies stay as they
    /// are.
    void subdivide(int levels);
    /// See RenderMesh::set_back.
    void set_back(double distance) { mesh_.set_back = distance; }
    /// Colours a cloth by one value per vertex of its mesh.
    void set_values(std::span<const double> values, double low, double high);
    /// Marks triangles of simulated().
    void set_marks(std::span<const int> triangles);
    /// The mesh that the run moved, at the frame last shown.
    TriangleView simulated() const { return {sample_, object_->triangles().triangles}; }

private:
    void place();

    RunObject* object_;
    RenderMesh mesh_;
    std::vector<int> source_;  // the file's vertex of each of mesh_'s, unless that is finer
    std::vector<Vec3> sample_; // the file's vertices at this frame
    std::optional<Subdivision> finer_;
    std::vector<double> values_;
};

/// The surfaces of a run, cloths first.
class RunSurfaces {
public:
    /// Throws what RunReader throws.
    explicit RunSurfaces(const std::filesystem::path& directory);

    RunReader& reader() { return *reader_; }
    std::vector<RunSurface>& surfaces() { return surfaces_; }
    int frames() const { return reader_->frames(); }
    /// Turns every surface to this frame.
    void show(int frame);
    std::vector<RenderMesh> meshes() const;
    /// Draws finer cloths, and bodies behind them.
    void subdivide(int levels);
    /// Finds what intersects or is pinched at the frame last shown, and marks it.
    void mark(int frame);
    void unmark();

private:
    std::unique_ptr<RunReader> reader_; // at one place: the surfaces refer to its objects
    std::vector<RunSurface> surfaces_;
};

} // namespace muslin
