#include "muslin/render/headless_context.h"

#include "muslin/base/error.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <array>
#include <cstring>
#include <fmt/format.h>
#include <vector>

namespace muslin {

namespace {

FileError cannot_start(const std::string& reason) {
    return {"cannot start headless OpenGL", reason + "; install libegl1 and libgl1-mesa-dri"};
}

bool has_extension(const char* list, const char* name) {
    return list != nullptr && std::strstr(list, name) != nullptr;
}

/// Displays that need no window system, the likeliest to work first: Mesa's surfaceless platform
/// (llvmpipe where there is no GPU), then each device EGL knows (other vendors' drivers).
std::vector<EGLDisplay> candidate_displays() {
    std::vector<EGLDisplay> out;
    const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    const auto get_display = reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(
        eglGetProcAddress("eglGetPlatformDisplayEXT"));
    if (get_display == nullptr)
        return out;
    if (has_extension(extensions, "EGL_MESA_platform_surfaceless"))
        out.push_back(get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr));
    const auto query_devices =
        reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
    if (query_devices != nullptr && has_extension(extensions, "EGL_EXT_platform_device")) {
        std::array<EGLDeviceEXT, 16> devices{};
        EGLint count = 0;
        if (query_devices(static_cast<EGLint>(devices.size()), devices.data(), &count))
            for (EGLint i = 0; i < count; ++i)
                out.push_back(get_display(EGL_PLATFORM_DEVICE_EXT,
                                          devices[static_cast<std::size_t>(i)], nullptr));
    }
    return out;
}

EGLContext create_context(EGLDisplay display) {
    EGLint major = 0, minor = 0;
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, &major, &minor) ||
        !has_extension(eglQueryString(display, EGL_EXTENSIONS), "EGL_KHR_surfaceless_context") ||
        !eglBindAPI(EGL_OPENGL_API))
        return EGL_NO_CONTEXT;
    const std::array<EGLint, 5> wanted = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, 0,
                                          EGL_NONE};
    EGLConfig config = nullptr;
    EGLint found = 0;
    if (!eglChooseConfig(display, wanted.data(), &config, 1, &found) || found == 0)
        return EGL_NO_CONTEXT;
    const std::array<EGLint, 7> attributes = {EGL_CONTEXT_MAJOR_VERSION,
                                              3,
                                              EGL_CONTEXT_MINOR_VERSION,
                                              3,
                                              EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                              EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                              EGL_NONE};
    return eglCreateContext(display, config, EGL_NO_CONTEXT, attributes.data());
}

} // namespace

HeadlessContext::HeadlessContext() {
    const std::vector<EGLDisplay> displays = candidate_displays();
    if (displays.empty())
        throw cannot_start("EGL offers no display that works without a window system");
    for (EGLDisplay display : displays) {
        EGLContext context = create_context(display);
        if (context == EGL_NO_CONTEXT)
            continue;
        display_ = display;
        context_ = context;
        return;
    }
    throw cannot_start(fmt::format("no driver gives OpenGL 3.3 (EGL error 0x{:x})", eglGetError()));
}

HeadlessContext::~HeadlessContext() {
    if (eglGetCurrentContext() == context_)
        eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    // The display stays initialised: it is shared by every context of the process, and
    // eglTerminate would pull it from under the others.
    eglDestroyContext(display_, context_);
}

void HeadlessContext::make_current() const {
    if (!eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_))
        throw cannot_start(
            fmt::format("the context cannot be made current (EGL error 0x{:x})", eglGetError()));
}

} // namespace muslin
