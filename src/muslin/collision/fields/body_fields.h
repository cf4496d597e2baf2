#pragma once

#include "muslin/collision/fields/deforming_field.h"
#include "muslin/collision/fields/moving_field.h"
#include "muslin/levelset/level_set.h"
#include "muslin/model/body.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace muslin {

struct BodyFieldsSettings {
    double voxel = 0;            ///< [m]; 0: level_set_settings() chooses it for each body
    double band = 0;             ///< [m]; 0: ten voxels
    std::filesystem::path cache; ///< a folder where level sets are kept; empty: nowhere
};

/// The grid for a body. By itself its voxel is a twentieth of the body's mean thickness (twice the
/// volume over the area), but no more than a hundredth and no less than a 300th of its longest
/// side; and never more than a third of that thickness, so that a plate has an inside. A person
/// gets voxels of 6 mm, a ball those of a fiftieth of its radius. The band is ten voxels.
/// InputError for a given band of less than three.
LevelSetSettings level_set_settings(const Body& body, const BodyFieldsSettings& settings);
/// What one level set of a body takes, about [bytes].
double level_set_bytes(const Body& body, const LevelSetSettings& grid);
/// How many level sets a body needs until a time [s].
int level_set_count(const Body& body, const LevelSetSettings& grid, double until);

/// Bodies as one distance field [Bridson03 5.1]: of each the level set in its own space, the union
/// by the smallest value, and marks where a place is inside two or more.
///
/// A body that does not deform has one level set, made once; the place is taken into its space by
/// the motion of the time, and velocities are those of the rigid motion. A body that deforms has
/// one for each frame (collision/fields/deforming_field.h).
class BodyFields final : public MovingField {
public:
    /// Keeps a reference to the bodies. Throws InputError, with its name, for one that has no
    /// inside.
    BodyFields(std::span<const Body> bodies, const BodyFieldsSettings& settings);

    BodyFields(const BodyFields&) = delete;
    BodyFields& operator=(const BodyFields&) = delete;

    void set_time(double time, double interval) override;
    void set_time(double time) { set_time(time, 0); }

    void sample(std::span<const Vec3> places, std::span<FieldSample> out) const override;
    FieldSample sample(const Vec3& place) const;
    Pinch pinch(const Vec3& place) const override;

    double band() const override { return band_; }
    bool may_meet(const Vec3& a, const Vec3& b) const override;
    void prepare(double until, const std::function<void(int, int)>& progress) override;
    LevelSetWork work() const override;

    /// For tests: what level sets take in memory now [bytes].
    std::size_t memory() const;

private:
    struct Part {
        const Body* body = nullptr;
        std::unique_ptr<DeformingField> deforming; ///< of a body that does
        LevelSet level_set;                        ///< of one that keeps its shape
        Mat3 turn, later_turn;                     ///< from its own space, now and later
        Vec3 shift, later_shift;                   ///< [m]
        Bounds bounds;                             ///< of the band, in its own space
    };
    BodySample sample_part(const Part& part, const Vec3& place) const;

    LevelSetCache cache_;
    std::vector<Part> parts_;
    double interval_ = 0; ///< between now and later [s]
    double band_ = 0;
    double seconds_ = 0; ///< that level sets took
};

} // namespace muslin
