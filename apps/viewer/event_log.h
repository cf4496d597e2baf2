#pragma once

#include "viewer/session.h"

#include <fstream>

namespace muslin::viewer {

/// What happens in the window, as lines of JSON for scripts: `ready` with the places of the view,
/// `frame` for every frame that is shown, `screenshot` and `end`.
class EventLog {
public:
    /// An empty name: nothing is written. Throws FileError.
    explicit EventLog(const std::string& file);

    void ready(const Session& session, const Window& window);
    /// `seconds`: that drawing it took.
    void frame(Session& session, double seconds);
    void screenshot(const std::string& file);
    void end(Session& session);

private:
    std::string file_;
    std::ofstream stream_;
};

} // namespace muslin::viewer
