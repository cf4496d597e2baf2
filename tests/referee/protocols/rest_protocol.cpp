// Protocol "motion", group "rest": the examples of the default recipe in which nothing moves by
// itself in the end, at their own size, run on until they are at rest.

#include "muslin/scene/load.h"
#include "referee/protocols/protocols.h"
#include "referee/protocols/scenes.h"

namespace muslin::referee {

namespace {

constexpr double slow = 5e-3;     // [m/s]: 1.7 pixels a second where a picture of 720 shows 2 m
constexpr double slow_for = 0.25; // [s]
constexpr double most = 20;       // after the end of the scene [s]

Case rest(const std::string& name, Extent least) {
    return {"motion", "rest", name, least, [name](Report& report) {
                const SceneDescription scene = load_scene(name);
                Simulation simulation(scene);
                for (int k = 0; k < scene.time.frames; ++k)
                    simulation.advance_frame();
                const double fps = scene.time.frame_rate;
                double speed = rms_speed(simulation);
                int frames = 0;
                for (int calm = 0; frames < most * fps && calm < slow_for * fps; ++frames) {
                    simulation.advance_frame();
                    speed = rms_speed(simulation);
                    calm = speed < slow ? calm + 1 : 0;
                }
                report.at_most("speed left", speed, slow, "m/s");
                report.inform("after the scene's end", frames / fps, "s");
            }};
}

} // namespace

std::vector<Case> rest_cases() {
    std::vector<Case> out;
    for (const char* name : {"drape-sphere", "sewn-panels", "pinch", "twist", "sheet-stack",
                             "ribbon-pile", "funnel", "moving-sphere-through-curtain"})
        out.push_back(rest(name, Extent::usual));
    return out;
}

} // namespace muslin::referee
