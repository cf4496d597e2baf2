#include "muslin/collision/response/parting.h"

namespace muslin {
namespace {

// The cosine up to which the line between two layers is still that of their contact: those that
// slid past each other are not held back.
constexpr double same_side = 0.95;

bool between_cloths(const Surfaces& surfaces, const Contact& c) {
    return surfaces.is_cloth(c.points[0]) && surfaces.is_cloth(c.points[c.edges ? 2 : 1]);
}

} // namespace

void stop_parting(const ContactElements& elements, const StepPoints& points,
                  const Mobility& mobility, State& end) {
    const Surfaces& surfaces = elements.surfaces();
    for (const ContactElement& element : elements.all()) {
        if (!element.pressure.presses)
            continue;
        Contact c = element.contact;
        Vec3 n = element.plane.normal;
        if (between_cloths(surfaces, c)) {
            // At the end, along the line between the closest points: angular momentum is kept.
            double gap;
            if (!set_closest(c, points.end, gap) || dot(c.normal, n) < same_side)
                continue;
            n = c.normal;
        }
        double parting = 0;
        for (int k = 0; k < 4; ++k) {
            const int p = c.points[k];
            const Vec3 velocity = surfaces.is_cloth(p)
                                      ? end.velocities[p]
                                      : (1 / elements.h()) * (points.end[p] - points.begin[p]);
            parting += c.weights[k] * dot(n, velocity);
        }
        if (parting <= 0)
            continue;
        double response = 0;
        for (int k = 0; k < 4; ++k)
            response += c.weights[k] * c.weights[k] * mobility.along(c.points[k], n);
        if (response <= 0)
            continue;
        for (int k = 0; k < 4; ++k)
            if (mobility.moves(c.points[k]))
                end.velocities[c.points[k]] +=
                    mobility.response(c.points[k], (-c.weights[k] * parting / response) * n);
    }
}

} // namespace muslin
