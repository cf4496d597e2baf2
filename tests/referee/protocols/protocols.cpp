#include "referee/protocols/protocols.h"

namespace muslin::referee {

std::vector<Case> all_cases() {
    std::vector<Case> out;
    for (auto* make : {friction_cases, rod_cases, motion_cases, rest_cases, bending_cases,
                       lost_cases, drape_cases})
        for (Case& one : make())
            out.push_back(std::move(one));
    return out;
}

} // namespace muslin::referee
