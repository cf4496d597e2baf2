#pragma once

#include "muslin/mesh/character.h"

// A body of ours, generated, so that a garment can be worn and moved without outside data
// (docs/mannequin.md). It stands on y = 0, faces +z, and its left arm is on +x.

namespace muslin {

/// Sizes as a tailor takes them [m]. Lengths that are not given follow the height.
struct MannequinSettings {
    double height = 1.72;         ///< 1.4 to 2.1
    double bust = 0.90;           ///< girth, 0.70 to 1.30
    double waist = 0.70;          ///< girth, 0.50 to 1.20
    double hip = 0.96;            ///< girth, 0.75 to 1.40
    double shoulder_width = 0.34; ///< between the joints, 0.26 to 0.46
    double arm_length = 0.55;     ///< from the shoulder joint to the wrist, 0.42 to 0.70
    double arm_angle = 45; ///< of the arms below the horizontal as modelled, 0 to 60 [degrees]
    double edge = 0.021;   ///< of the skin's triangles, finer at hands and feet, 0.008 to 0.035
};

/// A closed skin, the same on both sides, a skeleton of 21 joints, and the clips "stand", "walk",
/// "twirl", "sit", "t-pose", "twist" and "dance". Every clip starts from the same standing pose.
/// Throws InputError, naming the key, for a size out of range.
Character make_mannequin(const MannequinSettings& settings);

/// Girths of the torso as a tape around it finds them, and where [m].
struct MannequinMeasures {
    double height = 0;
    double bust = 0, waist = 0, hip = 0;       ///< largest, smallest, largest
    double bust_y = 0, waist_y = 0, hip_y = 0; ///< heights of the sections
};

/// Measures the mesh as modelled; by the skeleton's names it knows where to look.
/// For tests: what was made beside what was asked for.
MannequinMeasures measure_mannequin(const Character& mannequin);

} // namespace muslin
