#pragma once

#include "muslin/integrators/loops.h"
#include "muslin/model/evaluation_corrector.h"

#include <span>
#include <vector>

namespace muslin {

/// The corrections of collisions at the evaluations of a step, and which particles they moved.
class CorrectedEvaluations {
public:
    /// None: nothing is corrected.
    void set_corrector(EvaluationCorrector* corrector) { corrector_ = corrector; }
    bool has_corrector() const { return corrector_ != nullptr; }

    /// A step of so many particles begins.
    void start(std::size_t particles) { moved_.assign(corrector_ ? particles : 0, 0); }

    /// Corrects the positions and velocities of an evaluation. hold() puts back what is held.
    template <class Hold>
    void correct(double time, std::vector<Vec3>& x, std::vector<Vec3>& v, const Hold& hold,
                 Profile& profile) {
        position_ = x;
        velocity_ = v;
        corrector_->correct(time, x, v, profile);
        hold();
        for_particles(x.size(), [&](std::size_t i) {
            if (differ(x[i], position_[i]) || differ(v[i], velocity_[i]))
                moved_[i] = 1;
        });
    }

    /// Whether a correction of this step moved the particle.
    bool has_moved(std::size_t particle) const { return !moved_.empty() && moved_[particle]; }

private:
    static bool differ(const Vec3& a, const Vec3& b) { return dot(a - b, a - b) > 0; }

    EvaluationCorrector* corrector_ = nullptr;
    std::vector<Vec3> position_, velocity_; ///< of the evaluation before it was corrected
    std::vector<char> moved_;               ///< per particle; empty: none
};

} // namespace muslin
