#pragma once

namespace muslin {

/// The band of distances that cloth is brought to.
struct FoldBand {
    double epsilon = 0.5e-3; ///< the least distance that cloth ends at [m], above 0
    double tau = 5e-3;       ///< cloth farther off stays where it is [m], above epsilon
    double depth = 0.5e-3;   ///< how deep inside cloth is likely to be [m], not below 0
};

/// The tau with which cloth keeps 73 % of every difference in height down to the depth [m].
inline double usual_tau(double epsilon, double depth) {
    return epsilon + 4 * (depth + epsilon);
}

/// From where cloth is to where it shall be: increases everywhere, above tau the identity, and
/// continuous with its slope, so that no kink shows where the band ends.
///
/// Down from tau the slope falls from 1 to slope() over a quarter of the room [epsilon, tau], stays
/// there until -depth, and below runs out to epsilon exponentially in the last twentieth of the
/// room. Of all increasing maps of [-depth, tau] into the room the straight line has the greatest
/// least slope, (tau - epsilon) / (tau + depth); this one has 82 % of it or more, and what the line
/// has not: no kink at either end, and order kept below the depth.
class FoldMap {
public:
    explicit FoldMap(const FoldBand& band);
    /// Distances in [m].
    double operator()(double distance) const;
    /// The least in [-depth, tau]. Nowhere above is it more than 1.
    double slope() const { return slope_; }

private:
    FoldBand band_;
    double tail_;  // height of the part below -depth [m]
    double blend_; // how far below tau the slope changes [m]
    double slope_;
};

} // namespace muslin
