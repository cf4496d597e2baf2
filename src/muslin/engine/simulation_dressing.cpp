// What dressing asks of a simulation: how cloth is while it is sewn, what waits, what air and
// weight there are, when a phase ends.
#include "muslin/engine/simulation.h"

#include <algorithm>
#include <cmath>

namespace muslin {

// Hands guide cloth over a body while it is sewn: friction holds it back less until then, and it
// folds and skews less easily. Cloth that shears freely collapses where a seam pulls at its bias.
// Where joints hold out, folds in a seam are ironed out: nothing holds them, and they bend less.
void Simulation::smooth_for_sewing() {
    if (phase() != DressingPhase::sew)
        return;
    const double bending = ironing_ ? 25 : 5; // times
    const double sliding = ironing_ ? 0 : dressing_.friction;
    constexpr double least_shear = 0.2; // of the stretch stiffness
    for (Cloth& cloth : model_.cloths) {
        if (round_of(cloth) != round())
            continue;
        Material& m = cloth.material;
        m.bend_u *= bending;
        m.bend_v *= bending;
        m.shear = std::max(m.shear, least_shear * std::min(m.stretch_u, m.stretch_v));
    }
    for (double& f : model_.collision.friction)
        f *= sliding;
    for (Body& body : model_.bodies)
        if (body.friction)
            *body.friction *= sliding;
    if (ironing_)
        thin_joints();
}

// Contact keeps the two sides of a joint apart until they are one, and what lies on them no farther
// off: the last move would cross that. So sides that are still open are thinner than the rest.
void Simulation::thin_joints() {
    constexpr double thin = 0.2; // of the thickness
    std::vector<char> open(model_.mass.size(), 0), beside = open;
    for (const Seam& seam : model_.seams)
        for (const std::vector<int>& joint : seam.joints)
            for (const int p : joint)
                open[p] = 1;
    for (const auto& triangle : model_.collision.triangles)
        if (std::any_of(triangle.begin(), triangle.end(), [&](int p) { return open[p]; }))
            for (const int p : triangle)
                beside[p] = 1;
    for (std::size_t p = 0; p < beside.size(); ++p)
        if (beside[p])
            model_.collision.thickness[p] *= thin;
}

// The round in which a cloth is dressed; what is no garment is there from the first.
int Simulation::round_of(const Cloth& cloth) const {
    for (const GarmentDescription& garment : scene_->garments)
        if (garment.cloth == cloth.name)
            return dressing_round(*scene_, garment.layer);
    return 0;
}

// Panels of higher layers stay where they are until those below are worn.
void Simulation::hold_waiting() {
    waiting_ = {};
    waiting_.window.start = -HUGE_VAL;
    for (const Cloth& cloth : model_.cloths)
        if (round_of(cloth) > round())
            waiting_.particles.insert(waiting_.particles.end(), cloth.particles.begin(),
                                      cloth.particles.end());
    for (const int p : waiting_.particles)
        waiting_.start.push_back(state_.positions[p]);
}

// Panels that nothing carries yet must not fall, and what seams pull must not fly about. What was
// held wide while it was sewn then sinks into its folds, instead of falling over itself.
void Simulation::weigh() {
    if (dressing_frames_.all() == 0)
        return;
    constexpr double thick_air = 2; // [N s/m^3]: cloth of 0.15 kg/m^2 stops within 0.1 s
    double share = 0;
    if (phase() == DressingPhase::sew)
        share = 1;
    else if (phase() == DressingPhase::settle)
        share = 1 - static_cast<double>(frame_ - dressing_frames_.sewn(round())) /
                        dressing_frames_.settle;
    const double lightest = gravity_share(dressing_frames_, dressing_, frame_);
    model_.gravity = (round() == 0 ? lightest : 1.0) * gravity_;
    model_.weight.clear();
    if (round() > 0 && lightest < 1) {
        model_.weight.assign(model_.mass.size(), 1);
        for (const Cloth& cloth : model_.cloths)
            if (round_of(cloth) >= round())
                for (const int p : cloth.particles)
                    model_.weight[p] = lightest;
    }
    model_.air.linear_drag = linear_drag_ + share * thick_air;
}

// Joints that were closed at all costs may leave folds beside them that cross, too small for what
// draws crossings out within steps. While a garment settles they are taken apart at once, now and
// then, and the cloth smooths the place after.
void Simulation::untangle_settling(int crossings) {
    constexpr double every = 0.25;    // [s]
    constexpr double most_ironed = 5; // of an edge as it is, folded: it springs back
    if (crossings == 0 || phase() != DressingPhase::settle)
        return;
    const int since = frame_ - dressing_frames_.sewn(round());
    if (since % std::max(1, static_cast<int>(every * time_.frame_rate)) != 0)
        return;
    untangle_start(model_, state_, {.max_strain = most_ironed});
    restore_model();
}

// The bodies are still, so that time may jump to the next phase once all of a round is sewn.
void Simulation::end_phase() {
    const DressingFrames& frames = dressing_frames_;
    const int sewn = frames.sewn(round_after(frames, frame_ - 1)); // of the frame's round
    if (frames.all() == 0 || frame_ > sewn + frames.settle)
        return;
    std::size_t open = 0;
    for (const Seam& seam : model_.seams)
        if (seam.window.start * time_.frame_rate < sewn) // of this round or one before
            open += seam.joints.size();
    if (frame_ < sewn && open > refused_.size()) {
        if (!ironing_ && holds_out(0.8)) {
            ironing_ = true;
            restore_model();
        }
        return;
    }
    ironing_ = false;
    if (frame_ <= sewn) {
        frame_ = sewn;
        state_.time = frame_ / time_.frame_rate;
    } else if (phase() != DressingPhase::sew) {
        return;
    }
    restore_model(); // with friction from here on, or without it for the next layer
}

} // namespace muslin
