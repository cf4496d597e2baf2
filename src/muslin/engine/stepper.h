#pragma once

#include "muslin/collision/response/contact_response.h"
#include "muslin/engine/frame_stepper.h"
#include "muslin/engine/recipe.h"
#include "muslin/engine/step_control.h"
#include "muslin/engine/step_judge.h"
#include "muslin/engine/trouble.h"
#include "muslin/integrators/integrator.h"
#include "muslin/model/constraints.h"
#include "muslin/scene/description.h"

#include <memory>
#include <optional>
#include <string>

namespace muslin {

class StickingBonds;
class StickingForce;

/// The stages of a step on the host, with the parts of a recipe (docs/architecture.md, "One step").
class Stepper final : public FrameStepper {
public:
    Stepper(std::shared_ptr<const SceneDescription> scene, const Recipe& recipe);
    ~Stepper() override;

    void start(std::shared_ptr<const Model> model, const Conditions& conditions,
               const State& state) override;
    void set_state(const State& state) override;
    void read(State& state) const override;
    bool advance(const FrameOrder& order, const Conditions& conditions,
                 FrameReport& report) override;
    void measure(FrameReport& report) const override;
    void prepare(double until, const std::function<void(int, int)>& progress) override;

    const Integrator* integrator() const override { return integrator_.get(); }
    const ContactResponse* contact() const override { return contact_.get(); }
    const ConstraintSet* constraints() const override { return &constraints_; }

private:
    void make_parts(const Conditions& conditions);
    void begin_frame(FrameReport& report);
    void take_step(const FrameOrder& order, FrameReport& report);

    // The stages of one step.
    void animate(double h, Profile& profile);
    void sense(double h, Profile& profile);
    double shorten(double h, double remaining) const;
    StepReport advance(double h, Profile& profile);
    ContactReport resolve(double h, const StepReport& step, Profile& profile);
    bool accept(double h, const StepReport& step, const ContactReport& contact,
                const FrameOrder& order, FrameReport& report);
    void record(double h, const StepReport& step, const ContactReport& contact,
                FrameReport& report);

    void recall_history();
    void stick(FrameReport& report);
    void sum_pin_forces(FrameReport& report) const;
    void check_length(const FrameOrder& order, const FrameReport& report);
    StepInput input(double h) const { return {*conditions_, state_, h, constraints_}; }
    [[noreturn]] void give_up(int frame, double h, Trouble trouble, const std::string& reason,
                              int particle = -1) const;

    std::shared_ptr<const SceneDescription> scene_;
    Recipe recipe_;
    std::shared_ptr<const Model> model_;
    const Conditions* conditions_ = nullptr; ///< of the last call that was given them
    State state_, next_;
    std::unique_ptr<ContactResponse> contact_; ///< none: nothing touches
    std::unique_ptr<StickingBonds> bonds_;     ///< none: nothing sticks
    StickingForce* sticking_ = nullptr;        ///< of the integrator
    std::unique_ptr<Integrator> integrator_;
    StepControl control_;
    std::optional<StepJudge> judge_;
    ConstraintSet constraints_;
    /// Of the frame that is under way.
    struct {
        double stable_step = 0; ///< [s]
        int too_short = 0;      ///< steps in a row that would not end the frame
        std::string held_back;  ///< by what, the last step that failed
    } now_;
};

} // namespace muslin
