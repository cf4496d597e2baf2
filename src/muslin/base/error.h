#pragma once

#include <stdexcept>
#include <string>

namespace muslin {

/// Where a piece of input came from. Line and column count from 1; 0 means "not known".
struct Source {
    std::string file;
    int line = 0;
    int column = 0;
};

/// What is wrong with a piece of input, in the parts that a user needs to mend it.
struct Problem {
    Source where;
    std::string key;      ///< the scene key or file element, e.g. "cloth[0].density"
    std::string expected; ///< e.g. "a positive number [kg/m^2]"
    std::string found;    ///< e.g. "-0.2"
    std::string hint;     ///< optional: what to do, e.g. "did you mean 'stretch'?"
};

/// One line: `FILE:LINE:COLUMN: KEY: expected EXPECTED, found FOUND (HINT)`.
std::string describe(const Problem& problem);

/// The user's input is wrong (exit code 2).
class InputError : public std::runtime_error {
public:
    explicit InputError(Problem problem);
    const Problem& problem() const { return problem_; }

private:
    Problem problem_;
};

/// A file cannot be read or written (exit code 4).
class FileError : public std::runtime_error {
public:
    FileError(const std::string& file, const std::string& reason);
};

/// The simulation cannot go on (exit code 3); the message says what to change.
class SimulationError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

} // namespace muslin
