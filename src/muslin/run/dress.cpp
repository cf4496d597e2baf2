#include "muslin/run/dress.h"

#include "muslin/base/error.h"
#include "muslin/io/cache_folder.h"
#include "muslin/run/checkpoint.h"
#include "muslin/run/model_hash.h"
#include "muslin/run/serialise_state.h"
#include "muslin/run/version.h"

#include <chrono>
#include <fmt/format.h>

namespace muslin {
namespace {

void add_text(Hash64& hash, const std::string& text) {
    hash.add(text.data(), text.size());
}

/// To be raised whenever the same scene is dressed in another way.
constexpr int dressing_version = 20;

/// What a garment worn in the rest pose depends on: the scene's text, and what files held.
Hash64 hash_dressed(const SceneDescription& scene, const Model& model) {
    Hash64 hash;
    add_text(hash, version_text());
    hash.add(&dressing_version, sizeof dressing_version);
    hash.add(&state_version, sizeof state_version);
    add_text(hash, scene.dressing_text);
    add_model(hash, model);
    return hash;
}

/// And in the pose of the first frame: how the bodies got there.
Hash64 hash_worn(const Hash64& dressed, const Simulation& simulation) {
    Hash64 hash = dressed;
    const int frames[] = {simulation.dressing().preroll};
    hash.add(frames, sizeof frames);
    std::vector<Vec3> at;
    const double rate =
        simulation.dressing().preroll > 0 ? simulation.state().time / simulation.frame() : 0;
    for (const Body& body : simulation.model().bodies) {
        at.resize(body.mesh.positions.size());
        for (int f = -simulation.dressing().preroll; f <= 0; ++f) {
            body_positions(body, f * rate, at);
            add_values(hash, at);
        }
    }
    return hash;
}

class Dresser {
public:
    Dresser(const SceneDescription& scene, Simulation& simulation, const DressOptions& options)
        : simulation_(simulation), options_(options), folder_(cache_folder(scene.dressing.cache)) {
        const Hash64 dressed = hash_dressed(scene, simulation.start_model());
        dressed_ = "dressed-" + dressed.hex() + ".state";
        worn_ = "worn-" + hash_worn(dressed, simulation).hex() + ".state";
    }

    std::vector<DressedPhase> dress() {
        const int preroll = simulation_.dressing().preroll;
        if (preroll > 0 && read(worn_, 0)) {
            for (const DressingPhase phase :
                 {DressingPhase::sew, DressingPhase::settle, DressingPhase::preroll})
                add_cached(phase);
            return std::move(phases_);
        }
        if (read(dressed_, -preroll)) {
            add_cached(DressingPhase::sew);
            add_cached(DressingPhase::settle);
        } else {
            go_to(-preroll);
            keep(dressed_);
        }
        if (preroll > 0) {
            go_to(0);
            keep(worn_);
        }
        return std::move(phases_);
    }

private:
    void add_cached(DressingPhase phase) {
        phases_.emplace_back().phase = phase;
        phases_.back().cached = true;
    }

    /// Whether the state was there.
    bool read(const std::string& name, int frame) {
        std::error_code error;
        if (folder_.empty() || !std::filesystem::exists(folder_ / name, error))
            return false;
        try {
            const Checkpoint kept = load_state(folder_ / name, simulation_.start_model());
            simulation_.continue_from(kept.state, frame);
            return true;
        } catch (const std::runtime_error& problem) {
            if (options_.warn)
                options_.warn(fmt::format("a dressed state is made anew: {}", problem.what()));
            return false;
        }
    }

    // What was computed goes on as what is read would: with contact and steps that begin anew.
    void keep(const std::string& name) {
        State state = simulation_.state();
        state.parts.step_size = {};
        state.parts.contact = {};
        const int frame = simulation_.frame();
        if (!folder_.empty()) {
            std::error_code error;
            std::filesystem::create_directories(folder_, error);
            try {
                save_state(folder_ / name, state, frame);
            } catch (const FileError& problem) {
                if (options_.warn)
                    options_.warn(fmt::format("a dressed state is not kept: {}", problem.what()));
            }
        }
        simulation_.continue_from(state, frame);
    }

    void go_to(int last) {
        while (simulation_.frame() < last) {
            const DressingPhase phase = simulation_.phase();
            DressedPhase& now = entry(phase);
            const auto began = std::chrono::steady_clock::now();
            const FrameReport report = simulation_.advance_frame();
            now.seconds +=
                std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
            now.steps += report.steps;
            ++now.frames;
            for (const std::string& refusal : report.joints_refused)
                if (options_.warn)
                    options_.warn(refusal);
            if (options_.progress)
                options_.progress(phase, now.frames, most(phase), report);
        }
    }

    /// Of all rounds together.
    DressedPhase& entry(DressingPhase phase) {
        for (DressedPhase& known : phases_)
            if (known.phase == phase)
                return known;
        phases_.emplace_back().phase = phase;
        return phases_.back();
    }

    int most(DressingPhase phase) const {
        const DressingFrames& frames = simulation_.dressing();
        return phase == DressingPhase::sew      ? frames.rounds * frames.sew
               : phase == DressingPhase::settle ? frames.rounds * frames.settle
                                                : frames.preroll;
    }

    Simulation& simulation_;
    const DressOptions& options_;
    std::filesystem::path folder_; ///< empty: nothing is kept
    std::string dressed_, worn_;
    std::vector<DressedPhase> phases_;
};

} // namespace

std::vector<DressedPhase> dress(const SceneDescription& scene, Simulation& simulation,
                                const DressOptions& options) {
    if (simulation.phase() == DressingPhase::done || scene.dressing.show)
        return {};
    return Dresser(scene, simulation, options).dress();
}

} // namespace muslin
