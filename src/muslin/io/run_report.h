#pragma once

#include "muslin/io/json_place.h"

#include <filesystem>
#include <fstream>

namespace muslin {

// The JSON that a run writes, as whoever reads it again takes it: whole, and not so deep that to
// copy or to print it would overrun the stack.

/// report.json: an object. Throws InputError where it is none, FileError where it cannot be read.
OrderedJson read_run_report(const std::filesystem::path& file);

/// The lines of stats.jsonl, up to the first that is not whole: the run may still be writing. None
/// where there is no such file. Throws FileError where it cannot be read.
class RunLines {
public:
    explicit RunLines(const std::filesystem::path& file);

    /// Moves to the next line; false at the end.
    bool next();
    /// The object in the line.
    const OrderedJson& value() const { return value_; }
    JsonPlace place() const;

private:
    std::string file_;
    std::ifstream stream_;
    std::string text_;
    OrderedJson value_;
    int number_ = 0;
};

} // namespace muslin
