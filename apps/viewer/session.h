#pragma once

#include "viewer/live_source.h"
#include "viewer/orbit_camera.h"
#include "viewer/pane.h"
#include "viewer/viewer.h"
#include "viewer/window.h"

#include <optional>
#include <string>
#include <vector>

namespace muslin::viewer {

/// Where things are in the window [screen units].
struct Layout {
    Rectangle view;  ///< of all panes together
    Rectangle panel; ///< at the right; no width: closed
    Rectangle bar;   ///< at the bottom
    std::vector<Rectangle> panes;
};

/// A vertex of a surface in one of the panes.
struct PickedVertex {
    int pane = 0;
    LiveVertex at;
};

/// Everything that the user can change, and what becomes of what the user does. It draws nothing:
/// panels and the window's loop read it.
class Session {
public:
    explicit Session(const ViewArguments& arguments);

    std::vector<Pane>& panes() { return panes_; }
    Timeline& timeline() { return timeline_; }
    const Timeline& timeline() const { return timeline_; }
    Camera camera() const { return camera_.camera(); }
    const SceneBounds& bounds() const { return space_.bounds; }
    /// The light stands still while the user walks around the cloth: from above, to the left of
    /// where the camera was at first.
    Vec3 toward_light() const { return toward_eye({ViewDirection{}.azimuth - 58, 48}); }
    Look& look() { return look_; }
    const Layout& layout() const { return layout_; }
    bool any_live() const { return any_live_; }
    /// The pane that was touched last, and its simulation if it is one.
    int active() const { return active_; }
    LiveSource* active_live() { return panes_[active_].source().live(); }
    const std::optional<PickedVertex>& picked() const { return hand_.picked; }
    bool dragging() const { return hand_.drag == Drag::cloth; }
    bool busy() const { return hand_.drag != Drag::none; }
    Vec3 drag_target() const { return hand_.target; }
    /// Whether the mouse is where a press would take hold of cloth.
    bool over_cloth() const { return hand_.over_cloth; }
    const std::string& title() const { return title_; }

    FrameRange range();
    /// Sets the layout for a window of this size.
    void arrange(double width, double height, double scale);
    /// Lets time pass and brings the panes to the frame that is due.
    void advance(double seconds);
    void handle(const InputEvent& event, bool keys_taken, bool mouse_taken);

    void toggle_play();
    void step(int by);
    void restart();
    void seek(int frame);
    void toggle_pin();
    void frame_all();
    void set_field(std::optional<Field> field);
    /// A change for every simulation that is shown; see LiveSource::send.
    void send(const std::string& key, const LiveSource::Command& command);

    /// Why a simulation cannot go on; empty where all can.
    std::string trouble();
    /// A line that is shown for a while.
    void notify(std::string text);
    /// A picture that is being taken is without it.
    std::string notice() const {
        return notice_.left > 0 && !wishes.screenshot ? notice_.text : std::string();
    }

    /// Lets go of what was drawn, while the window's context is still there.
    void close_pictures();

    struct Panels {
        bool open = true, help = false;
        int fabric_cloth = 0; ///< whose fabric the panel shows
    };
    Panels panels;
    /// What the window's loop is to do.
    struct Wishes {
        bool screenshot = false, end = false;
    };
    Wishes wishes;
    /// Seconds of the scene for each second on the clock, over the last second or so; 0: unknown.
    double real_time_factor() const { return speed_.factor; }

private:
    enum class Drag { none, orbit, pan, cloth };
    void press(const InputEvent& event);
    void move(const InputEvent& event);
    void release(const InputEvent& event);
    void key(const InputEvent& event);
    void drag_to(double x, double y);
    void grow_bounds();
    void measure_speed(double seconds);
    void watch_trouble();
    void look_under_mouse();
    int pane_at(double x, double y) const;
    void pick_vertex(int pane, const SurfaceHit& hit);

    /// The mouse, and what it holds.
    struct Hand {
        Drag drag = Drag::none;
        InputEvent::Button button = InputEvent::Button::left;
        double x = 0, y = 0;
        bool moved = false, over_cloth = false;
        std::optional<PickedVertex> picked;
        Vec3 anchor{}, grip{}, target{}; ///< point hit; from it to the vertex; where it is to go
    };
    /// What the camera looks at.
    struct Space {
        SceneBounds bounds;
        double largest = 0;                 ///< that the bounds grow to by themselves [m]
        bool followed = true;               ///< until the user has moved the camera
        std::vector<const Frame*> grown_to; ///< frames that the bounds hold
    };
    struct Notice {
        std::string text;
        double left = 0; ///< [s]
        std::string trouble;
        int failures = 0; ///< of all simulations, that the user has been told of
    };
    struct Speed {
        double factor = 0; ///< see real_time_factor()
        double passed = 0;
        int counted_from = 0;
    };

    Pace pace_; ///< before the panes, whose simulations use it
    std::vector<Pane> panes_;
    bool any_live_ = false;
    std::string title_;
    Timeline timeline_;
    OrbitCamera camera_;
    Space space_;
    Look look_;
    Layout layout_;
    int active_ = 0;
    Hand hand_;
    Notice notice_;
    Speed speed_;
};

} // namespace muslin::viewer
