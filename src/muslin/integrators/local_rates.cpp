#include "muslin/integrators/local_rates.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace muslin {
namespace {

// Of its longest step, what an element that is evaluated less often than the fastest makes use of.
// Impulses at a low rate drive what vibrates at a high one where the rates meet: with the whole of
// it a sheet without damping has 5 times its energy after 5 s, with this 4 % more.
constexpr double slow_part = 0.75;

} // namespace

LocalRates::LocalRates(const std::vector<std::unique_ptr<Force>>& forces, int particles)
    : particle_level_(particles, 0) {
    int slots = 0;
    for (const auto& force : forces) {
        const auto* elements = force->capabilities().elements;
        if (!elements || elements->element_particles().empty())
            continue;
        const int corners = elements->corners();
        parts_.push_back({force.get(), elements, corners, slots, elements_});
        const int count = static_cast<int>(elements->element_particles().size()) / corners;
        for (int e = 0; e < count; ++e)
            slot_element_.insert(slot_element_.end(), corners, elements_ + e);
        slots += count * corners;
        elements_ += count;
    }
    corner_forces_.assign(slots, Vec3{0, 0, 0});
    wanted_.assign(elements_, 0);
    // Corners by particle, in the order of slots.
    corner_begin_.assign(particles + 1, 0);
    for (const Part& part : parts_)
        for (const int p : part.elements->element_particles())
            ++corner_begin_[p + 1];
    for (int p = 0; p < particles; ++p)
        corner_begin_[p + 1] += corner_begin_[p];
    corner_slots_.resize(slots);
    std::vector<int> next(corner_begin_.begin(), corner_begin_.end() - 1);
    int slot = 0;
    for (const Part& part : parts_)
        for (const int p : part.elements->element_particles())
            corner_slots_[next[p]++] = slot++;
}

bool LocalRates::is_element_force(const Force* force) const {
    return std::any_of(parts_.begin(), parts_.end(),
                       [&](const Part& part) { return part.force == force; });
}

void LocalRates::set_damped(const Force* force, bool damped) {
    for (Part& part : parts_)
        if (part.force == force)
            part.damped = damped;
}

double LocalRates::limit(const Part& part, int element, std::span<const double> limits) const {
    const auto particles = part.elements->element_particles();
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < part.corners; ++k)
        least = std::min(least, limits[particles[part.corners * element + k]]);
    return least;
}

int LocalRates::best_multiple(std::span<const double> limits) const {
    const double shortest = *std::min_element(limits.begin(), limits.end());
    if (!any() || !(shortest > 0) || !std::isfinite(shortest))
        return 1;
    long count[most_levels] = {}; // of elements that can afford 2^k times the shortest
    for (const Part& part : parts_)
        for (int e = 0,
                 n = static_cast<int>(part.elements->element_particles().size()) / part.corners;
             e < n; ++e) {
            const double times = slow_part * limit(part, e, limits) / shortest;
            ++count[times >= 8 ? 3 : times >= 4 ? 2 : times >= 2 ? 1 : 0];
        }
    // What is evaluated by lists costs more than what is evaluated in order.
    constexpr double list_cost = 1.25;
    int best = 1;
    double least = static_cast<double>(elements_);
    for (int k = 1; k < most_levels; ++k) {
        double work = 0;
        for (int j = 0; j < most_levels; ++j)
            work += list_cost * static_cast<double>(count[j]) / (1 << std::min(j, k));
        if (work < 0.98 * least) {
            least = work;
            best = 1 << k;
        }
    }
    return best;
}

int LocalRates::assign(double h, std::span<const double> limits) {
    // A whole part of a frame differs from the step that was asked for by rounding.
    constexpr double slack = 1 + 1e-9;
    double shortest = slack * *std::min_element(limits.begin(), limits.end());
    int fastest = 0, highest = 0;
    for (; shortest < h && fastest + 1 < most_levels; shortest *= 2)
        ++fastest;
    for (const Part& part : parts_)
        for (int e = 0,
                 n = static_cast<int>(part.elements->element_particles().size()) / part.corners;
             e < n; ++e) {
            int level = 0;
            for (double longest = slow_part * slack * limit(part, e, limits);
                 longest < h && level < fastest; longest *= 2)
                ++level;
            wanted_[part.first_element + e] = static_cast<signed char>(level);
            highest = std::max(highest, level);
        }
    if (wanted_ != level_) {
        level_ = wanted_;
        sort(highest + 1);
    }
    return levels();
}

void LocalRates::sort(int count) {
    levels_.resize(count);
    const int particles = static_cast<int>(particle_level_.size());
    for (Level& level : levels_) {
        level.elements.resize(parts_.size());
        for (auto& list : level.elements)
            list.clear();
        level.particles.clear();
        level.begin.assign(1, 0);
        level.slots.clear();
    }
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        const int end = i + 1 < parts_.size() ? parts_[i + 1].first_element : elements_;
        for (int e = parts_[i].first_element; e < end; ++e)
            levels_[level_[e]].elements[i].push_back(e - parts_[i].first_element);
    }
    for (int p = 0; p < particles; ++p) {
        particle_level_[p] = 0;
        for (int s = corner_begin_[p]; s < corner_begin_[p + 1]; ++s) {
            const int level = level_[slot_element_[corner_slots_[s]]];
            levels_[level].slots.push_back(corner_slots_[s]);
            particle_level_[p] = std::max(particle_level_[p], level);
        }
        for (int k = 0; k < count; ++k) {
            Level& level = levels_[k];
            const int so_far = static_cast<int>(level.slots.size());
            // The slowest level is where all other forces act, on every particle.
            if (so_far > level.begin.back() || k == 0) {
                level.particles.push_back(p);
                level.begin.push_back(so_far);
            }
        }
    }
}

long LocalRates::evaluate(int level, double time, const Kinematics& at, bool again) {
    long count = 0;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        const Part& part = parts_[i];
        const std::vector<int>& elements = levels_[level].elements[i];
        if (elements.empty() || (again && !part.damped))
            continue;
        if (!again)
            part.force->prepare(time);
        part.elements->corner_forces(
            elements, at,
            std::span(corner_forces_)
                .subspan(part.first_slot, part.elements->element_particles().size()));
        count += static_cast<long>(elements.size());
    }
    return count;
}

} // namespace muslin
