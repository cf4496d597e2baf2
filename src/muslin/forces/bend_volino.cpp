#include "muslin/forces/bend_volino.h"

#include "muslin/kernels/bend_arc.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace muslin {

BendVolinoForce::BendVolinoForce(const Model& model)
    : BendForce(model, BendLaw::arc), model_(model) {
    const DynamicsLayer& layer = model.dynamics;
    const bool any = std::any_of(model.cloths.begin(), model.cloths.end(), [](const Cloth& c) {
        return std::isfinite(c.material.yield_bend);
    });
    if (!any)
        return;
    for (std::size_t k = 0; k < layer.hinges.size(); ++k) {
        const Hinge& hinge = layer.hinges[k];
        const HingeArc arc = hinge_arc(model, hinge);
        const double angle = layer.rest_angles.empty() ? 0 : layer.rest_angles[k];
        // On a seam the side that gives way first decides.
        const Material& one = model.cloths[layer.triangle_cloth[hinge.t[0]]].material;
        const Material& other = model.cloths[layer.triangle_cloth[hinge.t[1]]].material;
        const Material& weaker = one.yield_bend <= other.yield_bend ? one : other;
        yields_.push_back(
            {arc.tangent_length, arc.limit,
             arc_tangent(half_angle(std::cos(angle), std::sin(angle)), arc.limit).value,
             weaker.yield_bend, weaker.relaxation_time});
        relaxes_ = relaxes_ || std::isfinite(weaker.relaxation_time);
    }
}

double BendVolinoForce::curvature(int k, std::span<const Vec3> x) const {
    const auto& v = model_.dynamics.hinges[k].v;
    const HingeState<double> s = hinge_state(x[v[0]], x[v[1]], x[v[2]], x[v[3]]);
    const Yield& y = yields_[k];
    const double t = arc_tangent(half_angle(s.scaled_cosine, s.scaled_sine), y.limit).value;
    return (t - y.rest) / y.tangent_length;
}

bool BendVolinoForce::any_yields(std::span<const Vec3> x) const {
    return parallel_sum<int>(yields_.size(), 1024, [&](std::size_t first, std::size_t last) {
               int count = 0;
               for (std::size_t k = first; k < last; ++k)
                   count += std::abs(curvature(static_cast<int>(k), x)) > yields_[k].most;
               return count;
           }) > 0;
}

void BendVolinoForce::prepare(double time) {
    if (relaxes_ && !kept_.empty() && time != set_time_)
        set_kept(time);
}

void BendVolinoForce::recall(const State& begin) {
    const std::vector<double>& kept = begin.strain_history.hinges;
    if (yields_.empty() || (kept.empty() && kept_.empty()))
        return;
    if (!kept.empty() && kept.size() != yields_.size())
        throw std::logic_error("the strain history is that of another cloth");
    kept_.assign(kept.begin(), kept.end());
    kept_time_ = begin.time;
    set_kept(begin.time);
}

// What is left of the rest curvatures at a time of the step: as remember has it at the step's end.
void BendVolinoForce::set_kept(double time) {
    set_time_ = time;
    const double passed = std::max(0.0, time - kept_time_);
    for (std::size_t k = 0; k < yields_.size(); ++k) {
        const Yield& y = yields_[k];
        const double left = kept_.empty() ? 0 : kept_[k] * std::exp(-passed / y.relaxation);
        set_rest(static_cast<int>(k), y.rest + left * y.tangent_length);
    }
}

void BendVolinoForce::remember(double h, State& end) const {
    std::vector<double>& kept = end.strain_history.hinges;
    if (yields_.empty() || (kept.empty() && !any_yields(end.positions)))
        return;
    kept.resize(yields_.size(), 0);
    parallel_for(yields_.size(), 512, [&](std::size_t first, std::size_t last) {
        for (std::size_t k = first; k < last; ++k) {
            // Relaxation first: what is held beyond yield stays there.
            const Yield& y = yields_[k];
            const double left = kept[k] * std::exp(-h / y.relaxation);
            const double elastic = curvature(static_cast<int>(k), end.positions) - left;
            kept[k] = left + elastic - std::clamp(elastic, -y.most, y.most);
        }
    });
}

} // namespace muslin
