#pragma once

#include "muslin/io/field_cache.h"
#include "muslin/io/pc2.h"
#include "muslin/mesh/fields.h"
#include "muslin/mesh/triangle_mesh.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace muslin {

/// What report.json says of a whole run.
struct Certificate {
    std::string scene, title, program, recipe, hash;
    int frames = 0, frames_wanted = 0, steps = 0, particles = 0, triangles = 0, threads = 0;
    double frame_rate = 30;       ///< [1/s]
    double seconds_per_frame = 0; ///< of computing
    double stretch_max = 1, stretch_min = 1;
    long self_intersections = 0;
    std::optional<long> body_intersections;     ///< none: no bodies
    std::optional<double> body_penetration_max; ///< none: no closed body [m]
    std::map<std::string, double> limits;       ///< of the scene, by the names of the figures
    bool passed = false;                        ///< whether they were kept
    std::string error;                          ///< why the run ended early, if it did
};

/// Of the run in a directory [1/s]; nothing where no report says it.
std::optional<double> run_frame_rate(const std::filesystem::path& directory);

/// What stats.jsonl says of one frame.
struct FrameFigures {
    int frame = 0;
    double time = 0; ///< [s]
    int steps = 0, cg_iterations = 0, contacts = 0, crossings = 0;
    double seconds = 0;                           ///< of computing
    double kinetic = 0, elastic = 0, gravity = 0; ///< [J]
    double stretch_max = 1, stretch_min = 1;
    long self_intersections = 0, body_intersections = 0;
};

/// A cloth or body of a finished run. Frame k of its animation is sample k of its cache.
class RunObject {
public:
    enum class Kind { cloth, body };
    /// `cache` may be empty: the object then stands still. Throws InputError where the two files do
    /// not belong together.
    RunObject(Kind kind, std::string name, const std::filesystem::path& mesh,
              const std::filesystem::path& cache, RestShape rest);

    Kind kind() const { return kind_; }
    const std::string& name() const { return name_; }
    /// The user's own mesh, at the start.
    const PolygonMesh& mesh() const { return mesh_; }
    /// Of a cloth with material coordinates.
    const TriangleMesh& triangles() const { return triangles_; }
    /// Of a cloth.
    const std::vector<Hinge>& hinges() const { return hinges_; }
    bool moves() const { return cache_.has_value(); }
    /// Whether pictures show it.
    bool visible() const { return visible_; }
    void hide() { visible_ = false; }
    /// 1 for an object that stands still.
    int frames() const { return cache_ ? cache_->header().samples : 1; }
    /// Where the vertices are [m]; one that stands still is there at any frame.
    void read(int frame, std::vector<Vec3>& positions);

private:
    Kind kind_;
    std::string name_;
    PolygonMesh mesh_;
    TriangleMesh triangles_;
    std::vector<Hinge> hinges_;
    std::optional<Pc2Reader> cache_;
    bool visible_ = true;
};

/// A run, read back from its directory (docs/output.md). A run that was cut off opens with the
/// frames it has.
class RunReader {
public:
    /// Throws FileError when the directory is missing, InputError when it holds no run or its files
    /// do not belong together.
    explicit RunReader(const std::filesystem::path& directory);

    const std::filesystem::path& directory() const { return directory_; }
    /// Frames that every moving object has, 0 being the start.
    int frames() const { return frames_; }
    double frame_rate() const { return frame_rate_; } ///< [1/s]
    /// The scene's name, or that of the directory.
    std::string name() const;

    std::vector<RunObject>& cloths() { return cloths_; }
    std::vector<RunObject>& bodies() { return bodies_; }

    /// Whether a cloth has a field; stretch, shear, bending and speed follow from positions, and
    /// so does ease, which only a cloth with named panels has, and only where there are bodies.
    bool has_field(std::size_t cloth, Field field) const;
    /// One value per vertex of the cloth's mesh. std::out_of_range for what is not there.
    void read_field(std::size_t cloth, Field field, int frame, std::vector<double>& values);
    /// The vertices whose contacts were let go because no room was left, as ones; false where the
    /// run did not keep them.
    bool read_pinch(std::size_t cloth, int frame, std::vector<double>& values);

    /// Nothing where the run has no report, or one that says that it has not ended.
    const std::optional<Certificate>& certificate() const { return certificate_; }
    /// Figures of the frames from 1 on, as far as they were written.
    const std::vector<FrameFigures>& figures() const { return figures_; }

private:
    void read_report(const std::filesystem::path& file);
    void open_objects();
    void require_listed() const;
    void count_frames();
    void read_ease(int frame, std::vector<double>& values); ///< of a cloth that is at after_

    std::filesystem::path directory_;
    std::vector<RunObject> cloths_, bodies_;
    std::vector<std::optional<FieldCacheReader>> caches_; ///< one per cloth
    int frames_ = 1;
    double frame_rate_ = 30;
    std::optional<Certificate> certificate_;
    std::string scene_; ///< its name, where the report says it
    /// What the report lists; other meshes of the directory are no part of the run.
    std::optional<std::vector<std::string>> cloth_names_, body_names_;
    std::vector<std::string> hidden_bodies_;
    std::vector<std::string> texcoord_cloths_; ///< whose texture coordinates are the pattern
    std::vector<FrameFigures> figures_;
    std::vector<Vec3> before_, after_;
};

} // namespace muslin
