#pragma once

#include "muslin/io/field_cache.h"
#include "muslin/io/pc2.h"
#include "muslin/run/cloth_fields.h"
#include "muslin/run/run.h"
#include "muslin/run/run_post.h"

#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <vector>

namespace muslin {

/// Of a run that goes on.
struct KeptFrames {
    int count = 0;
    bool changed = false; ///< since then: what it writes may be new, or no longer there
};

/// The files of a run in its directory, opened once the scene is known to be sound. What they hold
/// at any moment are whole frames (docs/output.md).
class RunFiles {
public:
    /// `post` may be null: cloth is then written as it is simulated. `resumed`: a run goes
    /// on whose files are there, after so many frames; what they hold of later ones goes. Throws
    /// FileError, before any of them is changed where they do not hold what they should.
    RunFiles(const std::filesystem::path& directory, const SceneDescription& scene,
             const Simulation& simulation, const RunPost* post, std::optional<KeptFrames> resumed);

    void append(const Simulation& simulation, const FrameRecord& record);
    /// Waits until all that was appended is on the disk.
    void synchronise() const;
    void write_report(const SceneDescription& scene, const Simulation& simulation,
                      const RunSummary& summary) const;

private:
    void write_start_report(const SceneDescription& scene, const Simulation& simulation) const;
    void open_cloth(const Cloth& cloth);
    void open_fields(const Cloth& cloth, int points);
    void open_body(const Body& body, std::span<const Vec3> cloth);
    bool is_new_file(const std::filesystem::path& file) const;
    void append_frame(const Simulation& simulation);

    std::filesystem::path directory_;
    bool has_bodies_;
    const RunPost* post_;             ///< may be null
    std::optional<KeptSamples> kept_; ///< of a run that goes on
    bool changed_ = false;            ///< which is another one since
    std::vector<std::unique_ptr<Pc2Writer>> caches_;
    std::vector<std::unique_ptr<Pc2Writer>> body_caches_; ///< null for a body that stands still
    std::vector<std::filesystem::path> written_;          ///< the caches that grow with each frame
    ClothFields fields_;
    std::vector<std::unique_ptr<FieldCacheWriter>> field_caches_; ///< null for a cloth without
    std::ofstream stats_;
    std::vector<Vec3> points_;
    std::vector<std::vector<double>> values_;
    std::vector<double> refined_;
};

} // namespace muslin
