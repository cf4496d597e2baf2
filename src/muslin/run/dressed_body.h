#pragma once

#include "muslin/model/body.h"

namespace muslin {

/// What of a body is drawn and written: what is shown, but where it has stepped back for contact
/// and has cloth on it, it stays back, or skin would show through the cloth. `cloth` are the places
/// of its particles [m]; `out` has one place for every vertex of the body.
void dressed_positions(const Body& body, double time, std::span<const Vec3> cloth,
                       std::span<Vec3> out);

} // namespace muslin
