#include "muslin/levelset/fold_map.h"

#include <cmath>
#include <stdexcept>

namespace muslin {

FoldMap::FoldMap(const FoldBand& band) : band_(band) {
    if (!(band.epsilon > 0 && band.tau > band.epsilon && band.depth >= 0))
        throw std::logic_error("a band needs 0 < epsilon < tau and a depth that is not negative");
    const double room = band.tau - band.epsilon;
    tail_ = room / 20;
    blend_ = room / 4;
    // What is left of the room over what is left of [-depth, tau]; the mean slope of the blend is
    // half of 1 and slope_.
    slope_ = (room - tail_ - blend_ / 2) / (band.tau + band.depth - blend_ / 2);
}

double FoldMap::operator()(double distance) const {
    if (distance >= band_.tau)
        return distance;
    if (distance <= -band_.depth)
        return band_.epsilon + tail_ * std::exp(slope_ * (distance + band_.depth) / tail_);
    const double below_tau = band_.tau - distance;
    if (below_tau >= blend_)
        return band_.epsilon + tail_ + slope_ * (distance + band_.depth);
    return band_.tau - below_tau + (1 - slope_) * below_tau * below_tau / (2 * blend_);
}

} // namespace muslin
