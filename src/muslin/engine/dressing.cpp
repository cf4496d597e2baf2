#include "muslin/engine/dressing.h"

#include "muslin/garment/sewing_model.h"

#include <algorithm>
#include <cmath>

namespace muslin {

Dressing::Dressing(const SceneDescription& scene)
    : frames_(dressing_frames(scene)), description_(scene.dressing),
      frame_rate_(scene.time.frame_rate) {
    for (const GarmentDescription& garment : scene.garments)
        rounds_.emplace_back(garment.cloth, dressing_round(scene, garment.layer));
}

// The round in which a cloth is dressed; what is no garment is there from the first.
int Dressing::round_of(const Cloth& cloth) const {
    for (const auto& [name, round] : rounds_)
        if (name == cloth.name)
            return round;
    return 0;
}

Model Dressing::model_for(Model model, int frame, bool ironing) const {
    if (phase(frame) != DressingPhase::sew)
        return model;
    SewingModelSettings settings;
    for (const Cloth& cloth : model.cloths)
        settings.sewn.push_back(round_of(cloth) == round(frame));
    settings.friction = description_.friction;
    settings.ironing = ironing;
    return model_for_sewing(model, settings);
}

// What was held wide while it was sewn sinks into its folds as it settles, instead of falling over
// itself.
void Dressing::update_conditions(const Conditions& scene, const Model& model, int frame,
                                 Conditions& conditions) const {
    conditions.phase = phase(frame);
    if (!any())
        return;
    constexpr double thick_air = 2; // [N s/m^3]: cloth of 0.15 kg/m^2 stops within 0.1 s
    double share = 0;
    if (conditions.phase == DressingPhase::sew)
        share = 1;
    else if (conditions.phase == DressingPhase::settle)
        share = 1 - static_cast<double>(frame - frames_.sewn(round(frame))) / frames_.settle;
    const double lightest = gravity_share(frames_, description_, frame);
    conditions.gravity = (round(frame) == 0 ? lightest : 1.0) * scene.gravity;
    conditions.weight.clear();
    if (round(frame) > 0 && lightest < 1) {
        conditions.weight.assign(model.mass.size(), 1);
        for (const Cloth& cloth : model.cloths)
            if (round_of(cloth) >= round(frame))
                for (const int p : cloth.particles)
                    conditions.weight[p] = lightest;
    }
    conditions.air.linear_drag = scene.air.linear_drag + share * thick_air;
}

void Dressing::hold_waiting(const Model& model, const State& state, int frame,
                            Conditions& conditions) const {
    Pin& waiting = conditions.waiting;
    waiting = {};
    waiting.window.start = -HUGE_VAL;
    for (const Cloth& cloth : model.cloths)
        if (round_of(cloth) > round(frame))
            waiting.particles.insert(waiting.particles.end(), cloth.particles.begin(),
                                     cloth.particles.end());
    for (const int p : waiting.particles)
        waiting.start.push_back(state.positions[p]);
}

double Dressing::sewing_time(const Model& model, int frame) const {
    const int sewn = frames_.sewn(round(frame));
    double last = -HUGE_VAL;
    for (const Seam& seam : model.seams)
        if (!seam.joints.empty() && seam.window.start * frame_rate_ < sewn)
            last = std::max(last, seam.window.start);
    return frame / frame_rate_ - last;
}

bool Dressing::holds_out(const Model& model, int frame, double seconds) const {
    return phase(frame) == DressingPhase::settle ||
           (phase(frame) == DressingPhase::sew && sewing_time(model, frame) > seconds);
}

// Joints that were closed at all costs may leave folds beside them that cross, too small for what
// draws crossings out within steps. While a garment settles they are taken apart at once, now and
// then, and the cloth smooths the place after.
bool Dressing::untangles_after(int frame, int crossings) const {
    constexpr double every = 0.25; // [s]
    if (crossings == 0 || phase(frame) != DressingPhase::settle)
        return false;
    const int since = frame - frames_.sewn(round(frame));
    return since % std::max(1, static_cast<int>(every * frame_rate_)) == 0;
}

Dressing::Next Dressing::after(const Model& model, int frame, const SewingHistory& sewing) const {
    const int sewn = frames_.sewn(round(frame - 1)); // of the frame's round
    if (!any() || frame > sewn + frames_.settle)
        return {frame, sewing.ironing, false};
    std::size_t open = 0;
    for (const Seam& seam : model.seams)
        if (seam.window.start * frame_rate_ < sewn) // of this round or one before
            open += seam.joints.size();
    if (frame < sewn && open > sewing.refused.size()) {
        const bool begins_ironing = !sewing.ironing && holds_out(model, frame, 0.8);
        return {frame, sewing.ironing || begins_ironing, begins_ironing};
    }
    if (frame <= sewn)
        return {sewn, false, true}; // with friction from here on
    // Without it for the next layer.
    return {frame, false, phase(frame) == DressingPhase::sew};
}

} // namespace muslin
