#pragma once

#include "source_tree.h"

#include <string>
#include <vector>

namespace muslin::project {

/// What a tree's sizes are held to (CONTRIBUTING.md).
struct SizeLimits {
    int class_members = 15;  ///< state that a class keeps from call to call
    int record_members = 32; ///< values that are handed around together: settings, reports
    int function_lines = 100;
    int file_lines = 500;
    /// Headers of ours that one header names in its own lines.
    int includes = 20;
    /// Headers of ours that a program gets by one include of a public header, that one not counted.
    int public_includes = 20;
};

/// Something that has a size.
struct Sized {
    int size = 0;
    std::string file;
    int line = 0; ///< from 1; 0 when the file as a whole is meant
    std::string name;
};

/// All that has a size, the largest of each kind first. The code of src, include, apps, tests,
/// benchmarks and examples.
struct TreeSizes {
    std::vector<Sized> classes, records, functions, files;
    std::vector<Sized> includes;        ///< of headers, by their own lines
    std::vector<Sized> public_includes; ///< of headers in include/, all that come with them
    std::vector<Sized>
        inner_includes; ///< of other headers, all that come with them; told, not held to a limit
};
TreeSizes measure_sizes(const std::vector<SourceFile>& files);

/// What is larger than it may be.
std::vector<Violation> find_large(const TreeSizes& sizes, const SizeLimits& limits);

/// The largest of each kind and the limits, as a table.
std::string describe(const TreeSizes& sizes, const SizeLimits& limits, std::size_t rows);

} // namespace muslin::project
