// Protocol "motion", group "rest": the examples of the default recipe in which nothing moves by
// itself in the end, at their own size, run on until they are at rest.

#include "referee/protocols/protocols.h"
#include "referee/protocols/scenes.h"

#include <algorithm>

namespace muslin::referee {

namespace {

constexpr double slow = 5e-3;     // [m/s]: 1.8 pixels a second where a picture of 720 shows 2 m
constexpr double slow_for = 0.25; // [s]
constexpr double most = 60;       // after the end of the scene [s]

Case rest(const std::string& name) {
    return {"motion", "rest", name, Extent::usual, [name](Report& report) {
                const SceneDescription scene = example(name);
                Simulation simulation(scene);
                for (int k = 0; k < scene.time.frames; ++k)
                    simulation.advance_frame();
                const int in_a_row = frames_for(slow_for, scene.time.frame_rate);
                const int limit = frames_for(most, scene.time.frame_rate);
                std::vector<double> speeds;
                double fastest = 0; // of the last frames in a row
                do {
                    simulation.advance_frame();
                    speeds.push_back(rms_speed(simulation));
                    const int count = std::min<int>(in_a_row, static_cast<int>(speeds.size()));
                    fastest = *std::max_element(speeds.end() - count, speeds.end());
                } while (static_cast<int>(speeds.size()) < limit &&
                         (static_cast<int>(speeds.size()) < in_a_row || fastest > slow));
                report.at_most("speed left", fastest, slow, "m/s");
                const double after = static_cast<double>(speeds.size()) / scene.time.frame_rate;
                report.inform("after the scene's end", after - slow_for, "s");
            }};
}

} // namespace

std::vector<Case> rest_cases() {
    std::vector<Case> out;
    for (const char* name : {"drape-sphere", "sewn-panels", "pinch", "twist", "sheet-stack",
                             "ribbon-pile", "funnel", "moving-sphere-through-curtain"})
        out.push_back(rest(name));
    return out;
}

} // namespace muslin::referee
