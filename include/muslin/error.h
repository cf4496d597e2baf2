#pragma once

#include "muslin/vec.h"

#include <stdexcept>
#include <string>
#include <utility>

namespace muslin::api {

/// Whatever the library throws, std::bad_alloc and what functions of the program throw aside.
class Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// What is wrong with a piece of input, in the parts that are needed to mend it.
struct Problem {
    std::string file;         ///< empty where the value came from the program
    int line = 0, column = 0; ///< from 1; 0: not known
    std::string key;          ///< the scene's key or the file's element, e.g. "cloth[0].density"
    std::string expected;     ///< e.g. "a positive number [kg/m^2]"
    std::string found;        ///< e.g. "-0.2"
    std::string hint;         ///< optional: what to do, e.g. "did you mean 'stretch'?"
};

/// The input is wrong: a scene, a file or what the program gave. The message is one line,
/// `FILE:LINE:COLUMN: KEY: expected EXPECTED, found FOUND (HINT)`.
class InputError : public Error {
public:
    InputError(const std::string& message, Problem problem)
        : Error(message), problem_(std::move(problem)) {}
    const Problem& problem() const { return problem_; }

private:
    Problem problem_;
};

/// A file cannot be read or written.
class FileError : public Error {
public:
    using Error::Error;
};

/// The simulation cannot go on; the message says what to change.
class SimulationError : public Error {
public:
    using Error::Error;
};

/// Simulation::cancel() was called.
class Cancelled : public Error {
public:
    using Error::Error;
};

} // namespace muslin::api
