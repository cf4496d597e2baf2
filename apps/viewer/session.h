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
    const Box& bounds() const { return bounds_; }
    /// The light stands still while the user walks around the cloth: from above, to the left of
    /// where the camera was at first.
    Vec3 toward_light() const { return toward_eye({ViewDirection{}.azimuth - 58, 48}); }
    Look& look() { return look_; }
    const Layout& layout() const { return layout_; }
    bool any_live() const { return any_live_; }
    /// The pane that was touched last, and its simulation if it is one.
    int active() const { return active_; }
    LiveSource* active_live() { return panes_[active_].source().live(); }
    const std::optional<PickedVertex>& picked() const { return picked_; }
    bool dragging() const { return drag_ == Drag::cloth; }
    bool busy() const { return drag_ != Drag::none; }
    Vec3 drag_target() const { return target_; }
    /// Whether the mouse is where a press would take hold of cloth.
    bool over_cloth() const { return over_cloth_; }
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
        return notice_left_ > 0 && !wants_screenshot ? notice_ : std::string();
    }

    /// Lets go of what was drawn, while the window's context is still there.
    void close_pictures();

    int fabric_cloth = 0; ///< whose fabric the panel shows
    bool panel_open = true, help_open = false;
    bool wants_screenshot = false, wants_end = false;
    /// Seconds of the scene for each second on the clock, over the last second or so; 0: unknown.
    double real_time_factor() const { return factor_; }

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

    Pace pace_; ///< before the panes, whose simulations use it
    std::vector<Pane> panes_;
    bool any_live_ = false;
    bool follow_bounds_ = true; ///< until the user has moved the camera
    bool mouse_moved_ = false, over_cloth_ = false;
    std::string title_;
    Timeline timeline_;
    OrbitCamera camera_;
    Box bounds_;
    double largest_ = 0; ///< that the bounds grow to by themselves [m]
    Look look_;
    Layout layout_;
    int active_ = 0;
    std::optional<PickedVertex> picked_;
    Drag drag_ = Drag::none;
    InputEvent::Button drag_button_ = InputEvent::Button::left;
    double mouse_x_ = 0, mouse_y_ = 0;
    Vec3 anchor_{}, grip_{}, target_{}; ///< point hit; from it to the vertex; where it is to go
    std::string notice_, trouble_;
    int failures_ = 0;       ///< of all simulations, that the user has been told of
    double notice_left_ = 0; ///< [s]
    double factor_ = 0, passed_ = 0;
    int counted_from_ = 0;
    std::vector<const Frame*> grown_to_; ///< frames that the bounds hold
};

} // namespace muslin::viewer
