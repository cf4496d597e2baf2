#include "muslin/levelset/fold_projection.h"

#include "muslin/base/parallel.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

constexpr std::size_t grain = 1024;

// By how much the end of the band is raised with its beginning: so that the slope of the map does
// not fall to nothing, and the field need not be known much farther out.
constexpr double tau_per_raise = 2;

/// Where a triangle is probed for being too low: along its edges and in its middle.
constexpr std::array<std::array<double, 3>, 10> probes = {{{0.75, 0.25, 0},
                                                           {0.5, 0.5, 0},
                                                           {0.25, 0.75, 0},
                                                           {0, 0.75, 0.25},
                                                           {0, 0.5, 0.5},
                                                           {0, 0.25, 0.75},
                                                           {0.25, 0, 0.75},
                                                           {0.5, 0, 0.5},
                                                           {0.75, 0, 0.25},
                                                           {1.0 / 3, 1.0 / 3, 1.0 / 3}}};

FoldBand raised(const FoldBand& band, double by) {
    return {band.epsilon + by, band.tau + tau_per_raise * by, band.depth};
}

bool is_known(const FieldSample& s) {
    return dot(s.normal, s.normal) > 0;
}

/// Whether a point is left alone though it is inside: pinched, or deeper than the field is known.
bool is_lost(const FieldSample& s) {
    return s.pinched || (s.distance < 0 && !is_known(s));
}

/// The deviation of numbers from their mean.
class Deviation {
public:
    void add(double x) {
        ++count_;
        const double from_mean = x - mean_;
        mean_ += from_mean / static_cast<double>(count_);
        squares_ += from_mean * (x - mean_);
    }
    double value() const {
        return count_ > 0 ? std::sqrt(squares_ / static_cast<double>(count_)) : 0;
    }

private:
    std::size_t count_ = 0;
    double mean_ = 0, squares_ = 0;
};

} // namespace

double reach(const FoldSettings& settings) {
    return settings.band.tau + tau_per_raise * settings.max_raise;
}

FoldProjection::FoldProjection(const FoldSettings& settings,
                               std::vector<std::array<int, 3>> triangles)
    : settings_(settings), triangles_(std::move(triangles)) {
    (void)FoldMap(settings.band); // throws where it has no room
}

FoldReport FoldProjection::project(const DistanceField& field, std::span<const TriangleView> bodies,
                                   std::span<Vec3> points) {
    FoldReport report;
    survey(field, points);
    raises_.clear();
    for (;; ++report.rounds) {
        set_wanted();
        report.iterations = std::max(report.iterations, map_points(field, points));
        report.crossings = find_crossings(bodies, points);
        if (bodies.empty() || report.rounds == settings_.max_rounds)
            break;
        sample_triangles(field, points);
        if (!raise_triangles(report.rounds))
            break;
    }
    measure(points, report);
    return report;
}

void FoldProjection::survey(const DistanceField& field, std::span<const Vec3> points) {
    points_.resize(points.size());
    samples_.resize(points.size());
    field.sample(points, samples_);
    for (std::size_t i = 0; i < points.size(); ++i)
        points_[i] = {points[i], samples_[i], 0, 0, samples_[i].distance, false};
}

void FoldProjection::set_wanted() {
    const double far = reach(settings_);
    parallel_for(points_.size(), grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            Point& p = points_[i];
            if (p.before.pinched || p.before.distance >= far)
                continue;
            // Seen from the place on the body that the point is above: a column of layers is raised
            // as one and keeps its order.
            const Vec3 foot = p.start - p.before.distance * p.before.normal;
            p.raise = raises_.empty() ? 0 : raises_.at(foot);
            p.wanted = FoldMap(raised(settings_.band, p.raise))(p.before.distance);
            p.active = p.wanted > p.before.distance;
        }
    });
}

/// How often the point that took most was moved.
int FoldProjection::map_points(const DistanceField& field, std::span<Vec3> points) {
    moving_.clear();
    for (std::size_t i = 0; i < points.size(); ++i) {
        Point& p = points_[i];
        points[i] = p.start;
        p.distance = p.before.distance;
        if (p.active && is_known(p.before))
            moving_.push_back(
                {static_cast<int>(i), 1, p.start, p.before.normal, p.wanted - p.before.distance});
    }
    int iterations = 0;
    const auto arrived = [&](const Moving& m) { return std::abs(m.error) <= settings_.tolerance; };
    for (; iterations < settings_.max_iterations; ++iterations) {
        std::erase_if(moving_, arrived);
        if (moving_.empty())
            break;
        take_step(field);
        for (const Moving& m : moving_) {
            points[static_cast<std::size_t>(m.point)] = m.place;
            Point& p = points_[static_cast<std::size_t>(m.point)];
            p.distance = p.wanted - m.error;
        }
    }
    return iterations;
}

/// Moves each point along its normal by what it lacks. Where that does not bring it nearer the
/// field bends sharply: it stays and tries half as far.
void FoldProjection::take_step(const DistanceField& field) {
    places_.resize(moving_.size());
    samples_.resize(moving_.size());
    for (std::size_t k = 0; k < moving_.size(); ++k) {
        const Moving& m = moving_[k];
        places_[k] = m.place + (m.gain * m.error) * m.normal;
    }
    field.sample(places_, samples_);
    parallel_for(moving_.size(), grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            Moving& m = moving_[k];
            const FieldSample& s = samples_[k];
            const double error = points_[static_cast<std::size_t>(m.point)].wanted - s.distance;
            if (!is_known(s) || std::abs(error) >= std::abs(m.error)) {
                m.gain /= 2;
                continue;
            }
            m.gain = std::min(1.0, 1.5 * m.gain);
            m.place = places_[k];
            m.normal = s.normal;
            m.error = error;
        }
    });
}

/// Finds by how much triangles near a body are lower than half of epsilon.
void FoldProjection::sample_triangles(const DistanceField& field, std::span<const Vec3> points) {
    const double clear = settings_.band.epsilon / 2;
    missing_.assign(triangles_.size(), 0);
    near_.clear();
    for (std::size_t t = 0; t < triangles_.size(); ++t) {
        double lowest = 1e300, edge = 0;
        bool known = false, lost = false;
        for (std::size_t k = 0; k < 3; ++k) {
            const auto v = static_cast<std::size_t>(triangles_[t][k]);
            known = known || is_known(points_[v].before);
            lost = lost || is_lost(points_[v].before);
            lowest = std::min(lowest, points_[v].distance);
            edge =
                std::max(edge, norm(points[v] -
                                    points[static_cast<std::size_t>(triangles_[t][(k + 1) % 3])]));
        }
        if (known && !lost && lowest - edge < clear)
            near_.push_back(static_cast<int>(t));
    }
    places_.resize(near_.size() * probes.size());
    samples_.resize(places_.size());
    parallel_for(near_.size(), grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t n = begin; n < end; ++n) {
            const auto& [a, b, c] = triangles_[static_cast<std::size_t>(near_[n])];
            for (std::size_t k = 0; k < probes.size(); ++k)
                places_[n * probes.size() + k] =
                    probes[k][0] * points[a] + probes[k][1] * points[b] + probes[k][2] * points[c];
        }
    });
    field.sample(places_, samples_);
    for (std::size_t n = 0; n < near_.size(); ++n)
        for (std::size_t k = 0; k < probes.size(); ++k) {
            const FieldSample& s = samples_[n * probes.size() + k];
            double& missing = missing_[static_cast<std::size_t>(near_[n])];
            if (is_known(s) && !s.pinched)
                missing = std::max(missing, clear - s.distance);
        }
}

std::size_t FoldProjection::find_crossings(std::span<const TriangleView> bodies,
                                           std::span<const Vec3> points) {
    crosses_.assign(triangles_.size(), 0);
    std::size_t pairs = 0;
    for (const TriangleView& body : bodies)
        for (const auto& pair : find_intersections_between({points, triangles_}, body)) {
            crosses_[static_cast<std::size_t>(pair[0])] = 1;
            ++pairs;
        }
    return pairs;
}

/// Whether anything could be raised.
bool FoldProjection::raise_triangles(int round) {
    const double epsilon = settings_.band.epsilon;
    bool any = false;
    for (std::size_t t = 0; t < triangles_.size(); ++t) {
        // What is missed depends on the cloth continuously, and so does what follows from it; steps
        // of a given size are left to triangles that cross without seeming to.
        double by = missing_[t] > epsilon / 20 ? 1.25 * missing_[t] : 0;
        if (crosses_[t])
            by = std::max(by, std::ldexp(epsilon / 4, round));
        if (by > 0 && raise_triangle(triangles_[t], by))
            any = true;
    }
    if (any)
        raises_.build();
    return any;
}

bool FoldProjection::raise_triangle(const std::array<int, 3>& triangle, double by) {
    Vec3 center = {0, 0, 0};
    double raise = 0, core = 1e-6;
    int known = 0;
    std::array<Vec3, 3> feet{};
    for (std::size_t k = 0; k < 3; ++k) {
        const Point& p = points_[static_cast<std::size_t>(triangle[k])];
        if (is_lost(p.before))
            return false;
        const Point& next = points_[static_cast<std::size_t>(triangle[(k + 1) % 3])];
        core = std::max(core, norm(next.start - p.start) / 3);
        if (!is_known(p.before)) // far outside
            continue;
        feet[static_cast<std::size_t>(known++)] = p.start - p.before.distance * p.before.normal;
        raise = std::max(raise, p.raise);
    }
    const double height = std::min(raise + by, settings_.max_raise);
    if (known == 0 || height <= raise)
        return false;
    const std::span<const Vec3> near(feet.data(), static_cast<std::size_t>(known));
    for (const Vec3& foot : near)
        center += (1.0 / known) * foot;
    for (const Vec3& foot : near)
        core = std::max(core, 1.01 * norm(foot - center));
    raises_.add({center, core, 3 * core, height});
    return true;
}

void FoldProjection::measure(std::span<const Vec3> points, FoldReport& report) const {
    Deviation before, after, plain;
    const FoldBand& band = settings_.band;
    const double patch = std::min(band.tau, band.epsilon + band.depth);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Point& p = points_[i];
        if (p.before.pinched) {
            ++report.pinched;
            continue;
        }
        report.deepest_before = std::max(report.deepest_before, -p.before.distance);
        if (p.before.distance < patch && is_known(p.before)) {
            ++report.wrinkle.points;
            before.add(p.before.distance);
            after.add(p.distance);
            plain.add(std::max(p.before.distance, band.epsilon));
        }
        const double error = std::abs(p.wanted - p.distance);
        if (p.active && error > settings_.tolerance) {
            ++report.unreached;
            report.unreached_worst = std::max(report.unreached_worst, error);
        }
        const double move = norm(points[i] - p.start);
        report.moved += move > settings_.tolerance ? 1 : 0;
        report.largest_move = std::max(report.largest_move, move);
        report.raised += p.active && p.raise > 0 ? 1 : 0;
        report.largest_raise = std::max(report.largest_raise, p.active ? p.raise : 0);
    }
    report.wrinkle.before = before.value();
    report.wrinkle.after = after.value();
    report.wrinkle.plain = plain.value();
}

} // namespace muslin
