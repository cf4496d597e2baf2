#pragma once

#include <string>

namespace muslin::cli {

/// Shows how far a long job is: a bar that is redrawn when stdout is a terminal, plain lines
/// otherwise, nothing when quiet. After the first few parts it says how long the others will take.
class Progress {
public:
    Progress(std::string what, bool quiet);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// So many parts were done by an earlier job, in no time of this one.
    void resume_after(int done) { earlier_ = done; }
    /// A terminal shows from the start what there is to do.
    void begin(int all);
    /// What is printed next begins a line of its own.
    void break_line();
    /// `done` of `all`, `seconds` since the start, and a few words more.
    void show(int done, int all, double seconds, const std::string& detail);

private:
    std::string time_left(int done, int all, double seconds) const;

    std::string what_;
    bool quiet_, terminal_, open_ = false;
    int earlier_ = 0;
};

} // namespace muslin::cli
