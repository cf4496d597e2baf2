#pragma once

#include <string>

namespace muslin {

/// An OpenGL 3.3 core context without a window or display server, through EGL.
class HeadlessContext {
public:
    /// Throws FileError with what to install when no driver can start.
    HeadlessContext();
    ~HeadlessContext();
    HeadlessContext(const HeadlessContext&) = delete;
    HeadlessContext& operator=(const HeadlessContext&) = delete;

    /// Makes the context current on the calling thread; every OpenGL call needs that.
    void make_current() const;

private:
    void* display_ = nullptr;
    void* context_ = nullptr;
};

} // namespace muslin
