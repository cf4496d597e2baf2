#pragma once

#include "muslin/render/image.h"
#include "viewer/pick.h"

#include <memory>
#include <string>
#include <vector>

namespace muslin::viewer {

/// What the user did, in order. Places are in screen units, as those of panels.
struct InputEvent {
    enum class Kind { key, press, release, move, scroll };
    enum class Button { left, right, middle };
    Kind kind = Kind::move;
    int key = 0; ///< GLFW's
    Button button = Button::left;
    bool alt = false, shift = false;
    double x = 0, y = 0;
    double scroll = 0;
};

/// A window with an OpenGL 3.3 context and Dear ImGui. Events are kept in order, because a slow
/// picture must not lose the beginning of a quick movement.
class Window {
public:
    struct Settings {
        std::string title;
        int width = 1280, height = 720; ///< [screen units]
        bool hidden = false;
    };
    /// Throws FileError where no window can be opened.
    explicit Window(const Settings& settings);
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    bool should_close() const;
    void close();
    /// Waits for events, at most so long [s].
    void wait(double seconds);
    /// Those since the last call.
    std::vector<InputEvent> take_events();

    double width() const { return width_; } ///< [screen units]
    double height() const { return height_; }
    int pixel_width() const { return pixel_width_; } ///< of the framebuffer
    int pixel_height() const { return pixel_height_; }
    double pixels_per_unit() const { return pixel_width_ / width_; }
    bool minimised() const;
    /// How large letters are to be, against those of a plain screen.
    double scale() const { return scale_; }
    /// Whether typing belongs to a text field, and the mouse to a popup or a widget that is held.
    bool wants_keys() const;
    bool wants_mouse() const;

    void begin_frame();
    /// Draws what ImGui was given over the framebuffer.
    void draw_panels();
    void show();
    /// What was drawn last, before it is shown.
    Image read() const;

private:
    struct Handle;
    struct Callbacks;
    std::unique_ptr<Handle> handle_;
    double width_ = 1, height_ = 1;
    int pixel_width_ = 0, pixel_height_ = 0;
    double scale_ = 1;
};

} // namespace muslin::viewer
