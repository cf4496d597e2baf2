#pragma once

#include "muslin/collision/fields/body_fields.h"
#include "muslin/io/run_reader.h"
#include "muslin/run/judge.h"
#include "muslin/run/post.h"

#include <memory>
#include <span>
#include <vector>

namespace muslin {

/// The bodies of a run that is read back, frame by frame.
class RunBodies {
public:
    /// Throws InputError for a body that has no inside.
    explicit RunBodies(RunReader& run);

    void show(int frame);
    std::span<const PlacedBody> placed() const { return placed_; }

    /// Chooses the level sets; before the first field. Looks through all frames for motions that
    /// are rigid: bodies that keep their shapes have level sets that are made once and moved. Where
    /// one deforms, level sets are made for every frame anew, and those of the frame before are
    /// dropped.
    void set_fields(const FoldSettings& fold, const LevelSetsDescription& level_sets);
    /// Distances to the bodies where they were shown last.
    const DistanceField& field();

private:
    RunReader& run_;
    int frame_ = 0;
    std::vector<std::vector<Vec3>> positions_;
    std::vector<PlacedBody> placed_;
    std::vector<Body> bodies_; ///< the fields refer to them
    bool deforms_ = false;     ///< whether one of them does
    BodyFieldsSettings settings_;
    std::unique_ptr<BodyFields> fields_;
};

} // namespace muslin
