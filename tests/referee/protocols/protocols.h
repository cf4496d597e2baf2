#pragma once

#include "referee/protocols/report.h"

namespace muslin::referee {

// One function per protocol of docs/validation.md: its cases, from the quickest extent to the
// fullest.
std::vector<Case> friction_cases();
std::vector<Case> rod_cases(); ///< the part of friction that has a strip over a rod
std::vector<Case> motion_cases();
std::vector<Case> rest_cases();  ///< the part of motion that runs examples
std::vector<Case> drape_cases(); ///< and the protocol "truth", which runs on request
std::vector<Case> bending_cases();
std::vector<Case> lost_cases();

/// All of them, in the order in which they run.
std::vector<Case> all_cases();

} // namespace muslin::referee
