#pragma once

#include <vector>

namespace muslin {

/// The root of the set that i is in, where each element names another one of its set, nearer to the
/// root, which names itself. Shortens the way for later calls.
inline int find_root(std::vector<int>& parent, int i) {
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

} // namespace muslin
