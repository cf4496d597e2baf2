#pragma once

#include "source_tree.h"

#include <string>
#include <vector>

namespace muslin::project {

struct FunctionSize {
    std::string name;
    int line = 0;  ///< where its declaration begins, from 1
    int lines = 0; ///< up to the brace that ends it
};

struct ClassSize {
    std::string name;
    int line = 0;
    int members = 0; ///< data members declared in it, without static ones and those of its bases
    /// All of it is public, and it has no function that changes it: values that are handed around,
    /// not state that is kept from call to call.
    bool is_record = true;
};

/// The functions and classes that a file defines, those in one another included. Functions within a
/// function (lambdas, members of a local class) are a part of it.
struct Outline {
    std::vector<FunctionSize> functions;
    std::vector<ClassSize> classes;
};

/// Reads as much of C++ as clang-format leaves of it: literals, comments and lines of the
/// preprocessor are blanked, then braces are matched, and what stands before an opening brace tells
/// what it opens.
Outline read_outline(const SourceFile& file);

/// The data members that a declaration of a class body declares, e.g. 2 for "double x = 0, y = 0".
int count_members(std::string declaration);

} // namespace muslin::project
