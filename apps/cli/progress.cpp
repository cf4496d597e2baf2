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
    if (open_)
        std::fputs("\n", stdout);
}

void Progress::show(int done, int all, double seconds, const std::string& detail) {
    if (quiet_)
        return;
    const double left = done > 0 ? seconds * (all - done) / done : 0;
    if (terminal_) {
        constexpr int width = 30;
        const int filled = all > 0 ? width * done / all : width;
        fmt::print("\r{} [{:#<{}}{:.<{}}] {}/{}  {}  {:.0f} s left \033[K", what_, "", filled, "",
                   width - filled, done, all, detail, left);
        open_ = true;
    } else {
        fmt::print("{} {}/{}  {}\n", what_, done, all, detail);
    }
    if (std::fflush(stdout) != 0)
        throw FileError("standard output", "cannot be written: " + system_reason());
}

} // namespace muslin::cli
