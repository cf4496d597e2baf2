#include "progress.h"

#include "muslin/base/error.h"
#include "muslin/io/read_file.h"

#include <fmt/format.h>

#include <cstdio>
#include <unistd.h>

namespace muslin::cli {

Progress::Progress(std::string what, bool quiet)
    : what_(std::move(what)), quiet_(quiet), terminal_(isatty(STDOUT_FILENO) != 0) {}

Progress::~Progress() {
    break_line();
}

void Progress::break_line() {
    if (!open_)
        return;
    std::fputs("\n", stdout);
    std::fflush(stdout);
    open_ = false;
}

void Progress::begin(int all) {
    if (terminal_)
        show(earlier_, all, 0, "");
}

// The first frame says little: it may wait for files, and contact comes later.
std::string Progress::time_left(int done, int all, double seconds) const {
    const int here = done - earlier_;
    if (here < 2 || done >= all)
        return {};
    const double left = seconds * (all - done) / here;
    if (left < 100)
        return fmt::format(", about {:.0f} s left", left);
    return left < 100 * 60 ? fmt::format(", about {:.0f} min left", left / 60)
                           : fmt::format(", about {:.1f} h left", left / 3600);
}

void Progress::show(int done, int all, double seconds, const std::string& detail) {
    if (quiet_)
        return;
    const std::string left = time_left(done, all, seconds);
    if (terminal_) {
        constexpr int width = 30;
        const int filled = all > 0 ? width * done / all : width;
        fmt::print("\r{} [{:#<{}}{:.<{}}] {}/{}  {}{} \033[K", what_, "", filled, "",
                   width - filled, done, all, detail, left);
        open_ = true;
    } else {
        fmt::print("{} {}/{}  {}{}\n", what_, done, all, detail, left);
    }
    if (std::fflush(stdout) != 0)
        throw FileError("standard output", "cannot be written: " + system_reason());
}

} // namespace muslin::cli
