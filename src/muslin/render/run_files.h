#pragma once

#include "muslin/io/pc2.h"
#include "muslin/render/renderer.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace muslin {

/// One surface of a finished run, ready to be drawn at any of its frames.
class RunSurface {
public:
    /// `cache` may be empty: the surface then stands still.
    RunSurface(std::string name, bool is_body, const std::filesystem::path& mesh,
               const std::filesystem::path& cache);

    const std::string& name() const { return name_; }
    bool is_body() const { return is_body_; }
    bool moves() const { return cache_.has_value(); }
    /// Frames 0 .. frames() - 1 can be shown; 1 for a surface that stands still.
    int frames() const;
    /// What to draw; its positions are those of the frame last shown (at first, the mesh's own).
    const RenderMesh& mesh() const { return mesh_; }
    void show(int frame);
    void set_colors(const Vec3& front, const Vec3& back);

private:
    std::string name_;
    bool is_body_;
    RenderMesh mesh_;
    std::vector<int> source_; // the file's vertex of each of mesh_'s
    std::vector<Vec3> sample_;
    std::optional<Pc2Reader> cache_;
};

/// What a run leaves in its directory, as far as it can be seen: NAME.obj with NAME.pc2 for every
/// cloth, body-NAME.obj (and body-NAME.pc2 where it moves) for every body. PC2 sample k is frame k.
class RunFiles {
public:
    /// Throws FileError when the directory is missing and InputError when it holds no run.
    explicit RunFiles(const std::filesystem::path& directory);

    std::vector<RunSurface>& surfaces() { return surfaces_; }
    /// Frames that every moving surface has.
    int frames() const { return frames_; }
    /// Turns every surface to this frame.
    void show(int frame);
    std::vector<RenderMesh> meshes() const;

private:
    std::vector<RunSurface> surfaces_;
    int frames_ = 1;
};

} // namespace muslin
