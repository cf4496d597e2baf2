#include "viewer/window.h"

#define GL_GLEXT_PROTOTYPES
#include <GL/glcorearb.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "muslin/base/error.h"
#include "viewer/style.h"

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <utility>

namespace muslin::viewer {

struct Window::Handle {
    GLFWwindow* window = nullptr;
    std::vector<InputEvent> events;
    bool glfw = false, panels = false;

    ~Handle() {
        if (panels) {
            ImGui_ImplOpenGL3_Shutdown();
            ImGui_ImplGlfw_Shutdown();
            ImGui::DestroyContext();
        }
        if (window)
            glfwDestroyWindow(window);
        if (glfw)
            glfwTerminate();
    }

    void add(InputEvent event) {
        double x = 0, y = 0;
        glfwGetCursorPos(window, &x, &y);
        if (event.kind == InputEvent::Kind::move) {
            x = event.x;
            y = event.y;
        }
        event.x = x;
        event.y = y;
        const auto down = [&](int a, int b) {
            return glfwGetKey(window, a) == GLFW_PRESS || glfwGetKey(window, b) == GLFW_PRESS;
        };
        event.alt = down(GLFW_KEY_LEFT_ALT, GLFW_KEY_RIGHT_ALT);
        event.shift = down(GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT);
        events.push_back(event);
    }
};

namespace {

std::string last_error() {
    const char* text = nullptr;
    glfwGetError(&text);
    return text ? text : "no reason given";
}

[[noreturn]] void no_display() {
    throw FileError("display", "no display to open a window on (" + last_error() +
                                   "); `muslin render` draws a finished run without one");
}

} // namespace

// GLFW hands callbacks the window only; they are set before ImGui's, which calls them in turn.
struct Window::Callbacks {
    static Handle& of(GLFWwindow* window) {
        return *static_cast<Handle*>(glfwGetWindowUserPointer(window));
    }
    static void key(GLFWwindow* window, int key, int, int action, int) {
        if (action == GLFW_RELEASE)
            return;
        InputEvent event;
        event.kind = InputEvent::Kind::key;
        event.key = key;
        of(window).add(event);
    }
    static void button(GLFWwindow* window, int button, int action, int) {
        InputEvent event;
        event.kind = action == GLFW_PRESS ? InputEvent::Kind::press : InputEvent::Kind::release;
        event.button = button == GLFW_MOUSE_BUTTON_LEFT    ? InputEvent::Button::left
                       : button == GLFW_MOUSE_BUTTON_RIGHT ? InputEvent::Button::right
                                                           : InputEvent::Button::middle;
        of(window).add(event);
    }
    static void move(GLFWwindow* window, double x, double y) {
        InputEvent event;
        event.x = x;
        event.y = y;
        of(window).add(event);
    }
    static void scroll(GLFWwindow* window, double, double dy) {
        InputEvent event;
        event.kind = InputEvent::Kind::scroll;
        event.scroll = dy;
        of(window).add(event);
    }
};

Window::Window(const Settings& settings) : handle_(std::make_unique<Handle>()) {
    if (!glfwInit())
        no_display();
    handle_->glfw = true;
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_VISIBLE, settings.hidden ? GLFW_FALSE : GLFW_TRUE);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    glfwWindowHintString(GLFW_X11_CLASS_NAME, "muslin");
    handle_->window =
        glfwCreateWindow(settings.width, settings.height, settings.title.c_str(), nullptr, nullptr);
    if (!handle_->window)
        no_display();
    GLFWwindow* window = handle_->window;
    glfwSetWindowSizeLimits(window, 320, 240, GLFW_DONT_CARE, GLFW_DONT_CARE);
    glfwMakeContextCurrent(window);
    glfwSwapInterval(1);
    glfwSetWindowUserPointer(window, handle_.get());
    glfwSetKeyCallback(window, Callbacks::key);
    glfwSetMouseButtonCallback(window, Callbacks::button);
    glfwSetCursorPosCallback(window, Callbacks::move);
    glfwSetScrollCallback(window, Callbacks::scroll);

    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr; // nothing is written where the user happens to be
    ImGui_ImplGlfw_InitForOpenGL(window, true);
    ImGui_ImplOpenGL3_Init("#version 330 core");
    handle_->panels = true;
    wait(0);
    // Where screen units are smaller than pixels ImGui scales by itself; elsewhere the screen says
    // how large its letters are to be.
    float x = 1, y = 1;
    glfwGetWindowContentScale(window, &x, &y);
    scale_ = std::clamp(static_cast<double>(x) / pixels_per_unit(), 1.0, 4.0);
    apply_style(scale_, pixels_per_unit());
}

Window::~Window() = default;

bool Window::should_close() const {
    return glfwWindowShouldClose(handle_->window) != 0;
}

void Window::close() {
    glfwSetWindowShouldClose(handle_->window, GLFW_TRUE);
}

void Window::wait(double seconds) {
    seconds > 0 ? glfwWaitEventsTimeout(seconds) : glfwPollEvents();
    int units_x = 1, units_y = 1;
    glfwGetWindowSize(handle_->window, &units_x, &units_y);
    glfwGetFramebufferSize(handle_->window, &pixel_width_, &pixel_height_);
    width_ = std::max(1, units_x);
    height_ = std::max(1, units_y);
}

std::vector<InputEvent> Window::take_events() {
    return std::exchange(handle_->events, {});
}

bool Window::minimised() const {
    return pixel_width_ < 1 || pixel_height_ < 1 ||
           glfwGetWindowAttrib(handle_->window, GLFW_ICONIFIED) != 0;
}

bool Window::wants_keys() const {
    return ImGui::GetIO().WantTextInput;
}

bool Window::wants_mouse() const {
    return ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup) ||
           (ImGui::IsAnyItemActive() && ImGui::GetIO().WantCaptureMouse);
}

void Window::begin_frame() {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
}

void Window::draw_panels() {
    ImGui::Render();
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, pixel_width_, pixel_height_);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

void Window::show() {
    glfwSwapBuffers(handle_->window);
}

Image Window::read() const {
    const int columns = pixel_width_, rows = pixel_height_;
    std::vector<std::uint8_t> rgba(4 * static_cast<std::size_t>(columns) * rows);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    glReadBuffer(GL_BACK);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, columns, rows, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
    Image image(columns, rows);
    for (int y = 0; y < rows; ++y) // OpenGL counts rows from the bottom
        for (int x = 0; x < columns; ++x)
            for (int c = 0; c < 3; ++c)
                image.rgb[3 * (static_cast<std::size_t>(y) * columns + x) + c] =
                    rgba[4 * (static_cast<std::size_t>(rows - 1 - y) * columns + x) + c];
    return image;
}

} // namespace muslin::viewer
