#pragma once

#include "muslin/run/cloth_fields.h"
#include "muslin/run/live.h"
#include "viewer/frame_source.h"
#include "viewer/pace.h"
#include "viewer/recording.h"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace muslin::viewer {

/// What the panels show of a live simulation; a copy that the window's thread may keep.
struct LiveView {
    std::string status;  ///< why it cannot go on; empty
    int failures = 0;    ///< how often a frame could not be made
    std::string message; ///< of the last command that was refused
    std::string recipe;
    std::vector<Material> materials; ///< by cloth
    Vec3 wind{};                     ///< [m/s]
    bool has_air = true;
    double max_step = 0, tolerance = 0; ///< [s], of a solve
    std::vector<LiveVertex> pinned;
    std::vector<LiveStatistics> history;
    std::optional<LiveVertex> grabbed;
    Vec3 target{}; ///< of the hand [m]
    std::optional<LiveVertex> watched;
    ParticleReport report; ///< of the watched vertex
    std::optional<Verdict> verdict;
    int verdict_frame = 0;
    int frame = 0;
};

/// A live simulation on a thread of its own, so that the window never waits for it. Commands are
/// carried out between frames; frames are recorded.
class LiveSource final : public FrameSource {
public:
    /// Throws InputError as LiveSimulation does, before the thread starts.
    LiveSource(SceneDescription scene, Pace& pace);
    ~LiveSource() override;

    std::string title() const override { return about_.title; }
    std::string name() const override { return about_.name; }
    std::string recipe() const override { return view()->recipe; }
    double frame_rate() const override { return about_.frame_rate; }
    FrameRange frames() const override;
    std::shared_ptr<const Frame> frame(int number) override;
    bool has_field(Field field) const override;
    std::vector<double> field(Field field, std::size_t surface, int number) override;
    LiveSource* live() override { return this; }

    std::shared_ptr<const LiveView> view() const;
    const std::vector<std::string>& warnings() const { return about_.warnings; }
    int particles() const { return about_.particles; }
    int triangles() const { return about_.triangles; }

    /// To be done before the next frame. Of commands that wait under one key only the last is
    /// done; an empty key is its own.
    using Command = std::function<void(LiveSimulation&)>;
    void send(std::string key, Command command);
    /// Whose forces are to be reported; none: nobody's.
    void watch(std::optional<LiveVertex> vertex);
    void judge();
    void restart();
    /// Looks at once whether there is something to do.
    void wake();

private:
    void work();
    double turn();
    void step();
    void fail(const char* why) noexcept;
    bool run_commands();
    void publish();
    std::shared_ptr<const Frame> capture();
    void start_recording();

    static constexpr std::size_t most_bytes = std::size_t{1} << 30;

    /// What the source says of its scene.
    struct About {
        std::string title, name;
        double frame_rate;
        std::vector<std::string> warnings;
        int particles = 0, triangles = 0;
        bool sewn = false, has_panels = false;
    };
    /// What the worker's thread alone uses.
    struct Worker {
        explicit Worker(SceneDescription scene) : live(std::move(scene)) {}
        LiveSimulation live;
        std::unique_ptr<ClothFields> fields; ///< of the simulation that was built as number `built`
        int built = 0;
        std::optional<LiveVertex> watched;
        std::optional<Verdict> verdict;
        int verdict_frame = 0;
        std::string message, failure;
        int failures = 0;
    };

    About about_;
    Pace& pace_;
    int number_ = 0; ///< in pace_
    Worker worker_;

    // Shared.
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::pair<std::string, Command>> commands_;
    Recording recording_{most_bytes};
    std::shared_ptr<const LiveView> view_;
    bool quit_ = false, woken_ = false;
    std::thread thread_; ///< last: it uses all of the above
};

} // namespace muslin::viewer
