#pragma once

#include "muslin/base/parallel.h"
#include "muslin/base/profile.h"
#include "muslin/collision/detect/contact.h"
#include "muslin/collision/detect/detector.h"
#include "muslin/collision/detect/surfaces.h"
#include "muslin/collision/response/step_points.h"
#include "muslin/model/model.h"
#include "muslin/model/step_input.h"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace muslin {

/// Finds the contacts of a step, all points being where they are expected. The detector keeps the
/// pairs that can meet: impact zones go on with them.
class ContactFinder {
public:
    /// Which pairs are contacts besides those that are closer than their thickness at the start:
    /// those within twice that, which forces may bring together, and what meets on its way.
    enum class Foresight { none, all_that_meet };
    ContactFinder(const Model& model, const Surfaces& surfaces, Foresight foresight);

    /// Writes the contacts of a step, in an order that the motion alone decides. Pairs between
    /// points that are marked in `released` are none.
    void find(const StepPoints& points, const StepInput& step,
              std::span<const std::uint8_t> released, std::vector<Contact>& contacts,
              Profile& profile);

    Detector& detector() { return detector_; }
    Candidates& candidates() { return candidates_; }

    void store(ContactHistory& history) const { detector_.store(history); }
    void recall(const ContactHistory& history) { detector_.recall(history); }

private:
    double margin(const StepInput& step);
    void test_candidates(const StepPoints& points, std::span<const std::uint8_t> released);
    bool is_contact(Contact& contact, const StepPoints& points) const;

    const Surfaces& surfaces_;
    Foresight foresight_;
    Detector detector_;
    Candidates candidates_;
    double thinnest_ = std::numeric_limits<double>::infinity(); ///< [m]
    double edge_;                                               ///< length of most edges [m]
    Partials<double> squares_;                                  ///< scratch of margin()
    std::vector<std::vector<Contact>> found_;                   ///< per range of candidates
};

} // namespace muslin
