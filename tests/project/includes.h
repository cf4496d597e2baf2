#pragma once

#include "source_tree.h"

#include <string>
#include <vector>

namespace muslin::project {

struct Include {
    std::string path; ///< between the quotes or angle brackets
    int line = 0;     ///< from 1
};

std::vector<Include> find_includes(const SourceFile& file);

} // namespace muslin::project
