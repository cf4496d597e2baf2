#include "muslin/linalg/filter.h"

#include <algorithm>

namespace muslin {

void Filter::apply(int begin, int end, Vec3* a) const {
    auto it = std::lower_bound(particles.begin(), particles.end(), begin);
    for (; it != particles.end() && *it < end; ++it)
        a[*it] = projection[it - particles.begin()] * a[*it];
}

} // namespace muslin
