#include "muslin/kernels/continuous.h"

#include "muslin/kernels/conservative_advancement.h"

namespace muslin {
namespace {

using namespace advancement_detail;

// Most near misses are told from impacts in so few steps, each of which takes ten times as long as
// in double precision.
constexpr int finer_steps = 6;

template <int Count>
std::optional<Impact> find_impact(const std::array<Vec3, 4>& begin, const std::array<Vec3, 4>& end,
                                  const ContinuousSettings& settings) {
    const Motion<double, Count> motion(begin, end);
    Pursuit<double, Count, double> pursuit(motion, settings);
    const std::optional<Impact> impact = pursuit.run(0);
    if (!impact || settings.resolution > 0 || settings.separation > 0)
        return impact;
    const Motion<long double, Count> finer_motion(begin, end);
    ContinuousSettings finer_settings = settings;
    finer_settings.max_steps = finer_steps;
    Pursuit<long double, Count, double> finer(finer_motion, finer_settings);
    return finer.run(pursuit.time()) ? impact : std::nullopt;
}

} // namespace

// Not inline: contacts of all callers are found with the same rounding.
std::optional<Impact> vertex_face_impact(const std::array<Vec3, 4>& begin,
                                         const std::array<Vec3, 4>& end,
                                         const ContinuousSettings& settings) {
    return find_impact<3>(begin, end, settings);
}

std::optional<Impact> edge_edge_impact(const std::array<Vec3, 4>& begin,
                                       const std::array<Vec3, 4>& end,
                                       const ContinuousSettings& settings) {
    return find_impact<4>(begin, end, settings);
}

} // namespace muslin
