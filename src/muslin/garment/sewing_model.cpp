#include "muslin/garment/sewing_model.h"

#include <algorithm>

namespace muslin {
namespace {

// Contact keeps the two sides of a joint apart until they are one, and what lies on them no farther
// off: the last move would cross that. So sides that are still open are thinner than the rest.
void thin_joints(Model& model) {
    constexpr double thin = 0.2; // of the thickness
    std::vector<char> open(model.mass.size(), 0), beside = open;
    for (const Seam& seam : model.seams)
        for (const std::vector<int>& joint : seam.joints)
            for (const int p : joint)
                open[p] = 1;
    for (const auto& triangle : model.collision.triangles)
        if (std::any_of(triangle.begin(), triangle.end(), [&](int p) { return open[p]; }))
            for (const int p : triangle)
                beside[p] = 1;
    for (std::size_t p = 0; p < beside.size(); ++p)
        if (beside[p])
            model.collision.thickness[p] *= thin;
}

} // namespace

Model model_for_sewing(const Model& model, const SewingModelSettings& settings) {
    const double bending = settings.ironing ? 25 : 5; // times
    const double sliding = settings.ironing ? 0 : settings.friction;
    constexpr double least_shear = 0.2; // of the stretch stiffness
    Model out = model;
    for (std::size_t c = 0; c < out.cloths.size(); ++c) {
        if (!settings.sewn[c])
            continue;
        Material& m = out.cloths[c].material;
        m.bend_u *= bending;
        m.bend_v *= bending;
        m.shear = std::max(m.shear, least_shear * std::min(m.stretch_u, m.stretch_v));
    }
    for (double& f : out.collision.friction)
        f *= sliding;
    for (Body& body : out.bodies)
        if (body.friction)
            *body.friction *= sliding;
    if (settings.ironing)
        thin_joints(out);
    return out;
}

} // namespace muslin
