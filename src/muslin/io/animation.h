#pragma once

#include "muslin/mesh/polygon_mesh.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace muslin {

/// A surface that an animation moves, or one that stands still in it.
struct AnimatedObject {
    std::string name; ///< as its files are called: "sheet", "body-ball"
    /// The user's own polygons, vertex order and texture coordinates, at the first frame. No faces
    /// where only points are known (a cache without its mesh).
    PolygonMesh mesh;
    bool is_body = false;
    bool moves = true;
    std::vector<std::string> fields; ///< numbers per vertex that every frame has
};

/// Gives any frame of any object, so that a writer may pass over the frames twice; none is kept.
class AnimationSource {
public:
    virtual ~AnimationSource() = default;

    const std::string& name() const { return name_; }   ///< of the whole, e.g. the scene
    const std::string& place() const { return place_; } ///< file or directory, for messages
    const std::vector<AnimatedObject>& objects() const { return objects_; }
    int frames() const { return frames_; }            ///< at least one
    double frame_rate() const { return frame_rate_; } ///< [1/s]

    /// Where the vertices of objects()[object] are at a frame [m]. Throws InputError or FileError
    /// where the files are not what they were said to be.
    virtual void read(std::size_t object, int frame, std::vector<Vec3>& positions) = 0;
    /// Values of objects()[object].fields[field], one per vertex.
    virtual void read_field(std::size_t object, std::size_t field, int frame,
                            std::vector<double>& values);

protected:
    std::string name_, place_;
    std::vector<AnimatedObject> objects_;
    int frames_ = 1;
    double frame_rate_ = 30;
};

struct AnimationOpenOptions {
    std::filesystem::path mesh;       ///< of a point cache; empty: the .obj of its name beside it
    std::optional<double> frame_rate; ///< where the file does not know better [1/s]
    /// Of a character: the name of a clip; "none" for the pose of the file; empty: its only clip,
    /// or that pose where it has none.
    std::string clip;
};

/// Opens what holds an animation, or a mesh as an animation of one frame:
/// - a run's directory: cloths, bodies and the fields of mesh/fields.h;
/// - a point cache, .pc2 or .mdd, with its mesh; without one it has points alone. Its rate is that
///   of the MDD's times, or of the run whose directory it lies in;
/// - a sequence of meshes: "dir/NAME.####.obj" (any number of #: the frame's number), or a folder
///   with one or several sequences NAME.0000.obj, ... and still meshes NAME.obj. All frames have
///   the polygons of the first;
/// - a character, .gltf or .glb: a clip of it, sampled at the frame rate from time 0 on;
/// - a mesh file.
/// Throws FileError or InputError.
std::unique_ptr<AnimationSource> open_animation(const std::filesystem::path& path,
                                                const AnimationOpenOptions& options = {});

/// The source with one of its objects alone (by name; a body also without "body-"), or one of its
/// frames, which all objects then show standing still. Throws InputError for what is not there.
std::unique_ptr<AnimationSource> select_object(std::unique_ptr<AnimationSource> source,
                                               const std::string& name);
std::unique_ptr<AnimationSource> select_frame(std::unique_ptr<AnimationSource> source, int frame);

/// Whether a directory is one that a run leaves.
bool is_run_directory(const std::filesystem::path& directory);

} // namespace muslin
