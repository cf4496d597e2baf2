#pragma once

#include "muslin/integrators/loops.h"
#include "muslin/linalg/filter.h"
#include "muslin/model/model.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

namespace muslin {

struct StabilityControlSettings {
    /// By how much the energy that a particle's forces store grows, at least, from one evaluation
    /// to the next where motion is not stable.
    double growth = 1.44;
    int evaluations = 3;     ///< in a row that show it before anything is done
    double fast_growth = 16; ///< two evaluations that show this, far above the least, are enough

    /// How far above what it was the energy may be when a particle is let go, and for how many
    /// evaluations it has to have been so.
    double calm = 4;
    int rest = 16;
    /// A force that moves its particle by a smaller part of its shortest edge than this in one
    /// evaluation is let be.
    double least = 1e-5;
    int sweeps = 8; ///< over the neighbourhoods, each time
};

/// Stability control [Volino95 3.6]: watches the mechanical energy at every particle, and where it
/// grows as no vibration lets it, shares the momentum of the neighbourhood among its particles.
///
/// A vibration of angular frequency w stores m |a|^2 / (2 w^2) in the forces that make the
/// acceleration a. In steps that are stable it turns by less than half its period from one
/// evaluation to the next; beyond, the force turns about every time and its energy grows from time
/// to time. Two such evaluations in a row are more than any stable vibration of the fastest
/// kind shows; three count. Falling, swinging and being pushed do not turn about.
///
/// The neighbourhood, a particle and those that edges join to it, then gets the motion of a rigid
/// body that has its momentum and angular momentum: both are kept, and kinetic energy never grows.
class StabilityControl {
public:
    explicit StabilityControl(const Model& model, const StabilityControlSettings& settings = {});

    /// The rest length of the shortest edge at each particle [m]; infinite where there is none.
    std::span<const double> shortest_edges() const { return shortest_; }

    /// Forgets what it has seen: at the begin of a frame, so that a state is all that counts.
    void forget();
    /// Looks at the acceleration by which one particle is moved for `interval` seconds [m/s^2].
    /// Particles may be watched in parallel.
    void watch(int particle, const Vec3& acceleration, double interval) {
        Watched& w = watched_[particle];
        const double square = dot(acceleration, acceleration);
        const double way = square * interval * interval * interval * interval;
        const bool grows = square > settings_.growth * w.square &&
                           dot(acceleration, w.last) < -0.5 * w.square && way > w.floor;
        if (grows && w.count == 0 && w.hot == 0)
            w.before = w.square;
        // Fast growth leaves no time for more than two.
        const bool fast = grows && square > settings_.fast_growth * w.square && way > 1e4 * w.floor;
        const int counts = fast && w.fast ? settings_.evaluations : 1;
        w.count = grows ? static_cast<std::uint8_t>(std::min(w.count + counts, 200)) : 0;
        w.fast = fast;
        // Looked after until the energy has been back for a while at what it was: what is let go
        // strained would begin to grow from there. At the longest until all is forgotten.
        if (w.count >= settings_.evaluations || (w.hot > 0 && square > settings_.calm * w.before)) {
            w.hot = static_cast<std::uint8_t>(settings_.rest);
            any_.store(true, std::memory_order_relaxed);
        } else if (w.hot > 0)
            --w.hot;
        w.last = acceleration;
        w.square = square;
    }

    /// Whether any particle is looked after.
    bool any() const { return any_.load(std::memory_order_relaxed); }

    /// Shares momentum around particles that are looked after, of those where `due(p)`. `held(p)`
    /// particles take no part; `bring(p)` moves a particle's position on to now. Returns around how
    /// many.
    template <class Due, class Held, class Bring>
    int share(std::span<const Vec3> x, std::span<Vec3> v, const Due& due, const Held& held,
              const Bring& bring);

private:
    struct Watched {
        Vec3 last = {0, 0, 0}; ///< acceleration
        double square = 0;     ///< of it
        double before = 0;     ///< the square before it began to grow
        double floor = 0;      ///< of the square of the way it moves the particle [m^2]
        std::uint8_t count = 0, hot = 0;
        bool fast = false;
    };
    void make_rigid(std::span<const int> group, std::span<const Vec3> x, std::span<Vec3> v) const;

    StabilityControlSettings settings_;
    const Model& model_;
    std::vector<Watched> watched_;
    std::vector<double> shortest_;
    std::vector<int> neighbour_begin_, neighbours_;
    std::vector<int> hot_, group_;
    std::atomic<bool> any_ = false;
};

template <class Due, class Held, class Bring>
int StabilityControl::share(std::span<const Vec3> x, std::span<Vec3> v, const Due& due,
                            const Held& held, const Bring& bring) {
    hot_.clear();
    bool left = false;
    for (int p = 0; p < static_cast<int>(watched_.size()); ++p)
        if (watched_[p].hot > 0) {
            left = true;
            if (due(p) && !held(p))
                hot_.push_back(p);
        }
    any_ = left;
    for (int sweep = 0; sweep < settings_.sweeps; ++sweep)
        for (const int p : hot_) {
            group_.assign(1, p);
            for (int k = neighbour_begin_[p]; k < neighbour_begin_[p + 1]; ++k)
                if (!held(neighbours_[k]))
                    group_.push_back(neighbours_[k]);
            if (sweep == 0)
                for (const int q : group_)
                    bring(q);
            make_rigid(group_, x, v);
        }
    return static_cast<int>(hot_.size());
}

} // namespace muslin
