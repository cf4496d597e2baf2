// The controls of a live scene as bytes, and snapshots as files.
#include "muslin/base/archive.h"
#include "muslin/base/error.h"
#include "muslin/run/checkpoint.h"
#include "muslin/run/live.h"

#include <algorithm>
#include <variant>

namespace muslin {
namespace {

constexpr const char* section = "live controls 1"; // raised with what is written

// One list of members for both ways: what is written is const.
template <class Time>
void serialise_time(Archive& archive, Time& time) {
    archive(time.start);
    archive(time.first);
    archive(time.rate);
}

template <class Path>
void serialise_path(Archive& archive, Path& path) {
    for (auto& frame : path.frames)
        archive.list(frame);
    serialise_time(archive, path.time);
    archive.require(path.frames[0].size() == path.frames[1].size(),
                    "one whose bodies change their number of vertices");
}

bool is_zero(const Animated<Vec3>& value) {
    return value.is_constant() && value.is_uniform() && dot(value.at(0), value.at(0)) == 0;
}

// Whether a pin holds particles at points or moves them along a path. All pins that were switched
// or moved do; other kinds are still as the scene has them, and are not written.
bool is_plain(const Pin& pin) {
    return std::holds_alternative<PointShape>(pin.shape) && (pin.path || pin.frames.size() <= 1) &&
           is_zero(pin.motion.translation) && is_zero(pin.motion.rotation);
}

template <class PinType>
void serialise_plain(Archive& archive, PinType& pin) {
    archive.list(pin.name);
    archive.list(pin.particles);
    archive.list(pin.start);
    archive.list(pin.frames, [](Archive& a, auto& frame) { a.list(frame); });
    bool moves = pin.path.has_value();
    archive(moves);
    if constexpr (!std::is_const_v<PinType>)
        if (moves)
            pin.path.emplace();
    if (moves)
        serialise_time(archive, *pin.path);
}

template <class Hand>
void serialise_finger(Archive& archive, Hand& finger) {
    archive(finger.particle);
    archive(finger.offset);
    archive(finger.pull.stiffness);
    archive(finger.pull.damping);
    archive(finger.pull.max_force);
}

template <class Controls>
void serialise_hand(Archive& archive, Controls& controls) {
    archive(controls.target);
    archive(controls.last_target);
    archive.list(controls.bodies, [](Archive& a, auto& path) { serialise_path(a, path); });
    archive.list(controls.hand, [](Archive& a, auto& finger) { serialise_finger(a, finger); });
}

void require_particles(const Archive& archive, const std::vector<int>& all, int count) {
    archive.require(std::all_of(all.begin(), all.end(), [&](int p) { return p >= 0 && p < count; }),
                    "one with other particles");
}

} // namespace

std::string write_controls(const LiveControls& controls) {
    Archive archive;
    serialise_hand(archive, controls);
    const LiveVertex grabbed = controls.grabbed.value_or(LiveVertex{});
    archive(grabbed.cloth);
    archive(grabbed.vertex);
    archive(static_cast<std::uint64_t>(controls.pins.size()));
    for (const Pin& pin : controls.pins) {
        const bool plain = is_plain(pin);
        archive(plain);
        archive(pin.window.start);
        archive(pin.window.end);
        if (plain)
            serialise_plain(archive, pin);
    }
    return archive.take();
}

LiveControls read_controls(const std::string& bytes, const Conditions& scene, int particles) {
    Archive archive(bytes);
    LiveControls out;
    out.pulls = scene.pulls;
    serialise_hand(archive, out);
    for (LiveControls::Finger& finger : out.hand) {
        finger.pull.particles = {finger.particle};
        require_particles(archive, finger.pull.particles, particles);
    }
    LiveVertex grabbed;
    archive(grabbed.cloth);
    archive(grabbed.vertex);
    if (grabbed.cloth >= 0)
        out.grabbed = grabbed;
    std::uint64_t pins = 0;
    archive(pins);
    for (std::uint64_t i = 0; i < pins; ++i) {
        bool plain = false;
        TimeWindow window;
        archive(plain);
        archive(window.start);
        archive(window.end);
        archive.require(plain || i < scene.pins.size(), "one with other pins");
        Pin& pin = out.pins.emplace_back(plain ? Pin{} : scene.pins[i]);
        pin.window = window;
        if (!plain)
            continue;
        serialise_plain(archive, pin);
        require_particles(archive, pin.particles, particles);
        const std::size_t held = pin.particles.size();
        archive.require(pin.start.size() == held && (!pin.path || pin.frames.size() == 2) &&
                            std::all_of(pin.frames.begin(), pin.frames.end(),
                                        [&](const auto& frame) { return frame.size() == held; }),
                        "one with other pins");
    }
    archive.require(archive.left() == 0, "one with more in it");
    return out;
}

void save_snapshot(const std::filesystem::path& file, const LiveSnapshot& snapshot) {
    save_checkpoint(file, snapshot.state, snapshot.frame, {{section, snapshot.controls}},
                    Durability::disk);
}

LiveSnapshot load_snapshot(const std::filesystem::path& file) {
    Checkpoint read = read_checkpoint(file);
    const auto controls = read.sections.find(section);
    if (controls == read.sections.end())
        throw FileError(file.string(), "is no state that a simulation of a program has saved");
    return {std::move(read.state), read.frame, std::move(controls->second)};
}

} // namespace muslin
