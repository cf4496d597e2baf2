#pragma once

namespace muslin {

/// Which corners of a face carry the closest point: bit i is set where weight i is not zero.
enum class FaceRegion : unsigned char {
    vertex0 = 1,
    vertex1 = 2,
    edge01 = 3,
    vertex2 = 4,
    edge20 = 5,
    edge12 = 6,
    interior = 7,
};

} // namespace muslin
