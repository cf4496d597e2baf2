#pragma once

#include "muslin/forces/element_force.h"
#include "muslin/integrators/loops.h"

#include <memory>
#include <span>
#include <vector>

namespace muslin {

/// The elements of all forces that are sums over them, sorted by how often a step has to evaluate
/// them [Volino95 3.2]: level k is evaluated 2^k times, at the middle of each of 2^k parts of the
/// step. An element is as fast as the fastest of its particles, and acts on all of them at once:
/// momentum is kept. Sums over the elements of a particle have a fixed order.
class LocalRates {
public:
    static constexpr int most_levels = 4; ///< a step is at most 8 times the shortest

    LocalRates(const std::vector<std::unique_ptr<Force>>& forces, int particles);

    /// Whether any force is a sum over elements.
    bool any() const { return !parts_.empty(); }
    bool is_element_force(const Force* force) const;
    long elements() const { return elements_; }

    /// How many times the shortest of `limits` the step should be for the least work over time,
    /// given the longest step that is stable for each particle [s]: 1, 2, 4 or 8.
    int best_multiple(std::span<const double> limits) const;

    /// Sorts the elements for steps of h seconds. Returns the number of levels.
    int assign(double h, std::span<const double> limits);
    int levels() const { return static_cast<int>(levels_.size()); }
    /// Particles that the elements of a level act on, increasing.
    std::span<const int> particles(int level) const { return levels_[level].particles; }
    /// The fastest level that acts on a particle.
    int level_of(int particle) const { return particle_level_[particle]; }

    /// Which forces depend on velocities, in the order of element forces.
    void set_damped(const Force* force, bool damped);
    /// Evaluates the elements of a level; only those that depend on velocities where `again`.
    /// Returns how many.
    long evaluate(int level, double time, const Kinematics& at, bool again);
    /// The force of the level's elements on its k-th particle, as last evaluated [N].
    Vec3 force(int level, std::size_t k) const {
        const Level& l = levels_[level];
        Vec3 sum = {0, 0, 0};
        for (int s = l.begin[k]; s < l.begin[k + 1]; ++s)
            sum += corner_forces_[l.slots[s]];
        return sum;
    }

private:
    struct Part {
        Force* force;
        const ElementForce* elements;
        int corners;
        int first_slot;    ///< of its corners among all
        int first_element; ///< of its elements among all
        bool damped = true;
    };
    struct Level {
        std::vector<std::vector<int>> elements; ///< by part
        std::vector<int> particles;
        std::vector<int> begin, slots; ///< corners of each particle, in order
    };
    double limit(const Part& part, int element, std::span<const double> limits) const;
    void sort(int count);

    std::vector<Part> parts_;
    int elements_ = 0;
    std::vector<Vec3> corner_forces_;              ///< of all elements, held between evaluations
    std::vector<int> corner_begin_, corner_slots_; ///< of each particle
    std::vector<int> slot_element_;
    std::vector<signed char> level_, wanted_; ///< of each element
    std::vector<int> particle_level_;
    std::vector<Level> levels_;
};

} // namespace muslin
