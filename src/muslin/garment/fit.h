#pragma once

#include "muslin/garment/girth.h"
#include "muslin/garment/tension.h"

#include <optional>
#include <string>
#include <vector>

namespace muslin {

// How cloth sits on bodies, in a tailor's numbers (docs/fit.md).

/// Over a piece of cloth, by area.
struct Spread {
    double mean = 0;
    double p95 = 0; ///< 95 % of the area has this or less
    double max = 0;
};

/// How far a piece is from bodies, by the area of its vertices.
struct Ease {
    double mean = 0; ///< [m]
    double min = 0;  ///< below zero: inside a body [m]
    double contact =
        0; ///< part of the area that is as near as touching cloth is: see contact_reach
};

/// Cloth touches a body at its thickness and the body's; vertices within this many of them do.
inline constexpr double contact_reach = 1.5;

struct PartFit {
    enum class Kind { whole, panel, region };
    Kind kind = Kind::whole;
    std::string name;
    double area = 0;                      ///< on the pattern [m^2]
    Spread stretch_u, stretch_v;          ///< |w| - 1 [%]
    Spread tension_u, tension_v, tension; ///< along u, along v, largest principal [N/m]
    std::optional<Spread> pressure;       ///< of contact, per area as it is now [Pa]
    std::optional<Ease> ease;             ///< none: no bodies
};

/// A height at which girths are taken.
struct NamedHeight {
    std::string name;  ///< may be empty
    double height = 0; ///< [m]
};

struct NamedGirth {
    std::string name;
    Girth girth;
};

struct ClothFit {
    std::string cloth;
    std::vector<PartFit> parts; ///< the whole, then panels, then regions that hold triangles
    std::vector<NamedGirth> girths;
};

/// The heights of bust, waist and hip of an upright body: where the tape around its trunk (the
/// largest line at a height) is longest between 0.68 and 0.76 of its stature, shortest between 0.56
/// and 0.68, longest between 0.46 and 0.56; looked for in steps of 1 cm. Where the tape does not
/// change, at 0.72, 0.62 and 0.51.
std::vector<NamedHeight> body_heights(const Slices& body);

/// Girths at the heights, and "tightest": where the ease is least, looked for in steps of 1 cm.
std::vector<NamedGirth> measure_girths(const Slices& cloth, std::span<const Slices> bodies,
                                       std::span<const NamedHeight> heights);

/// Of every cloth whose surface has named panels (groups of faces). `heights` empty: those of the
/// tallest body. Pressure where the state has contact forces.
std::vector<ClothFit> measure_fit(const Model& model, const State& state, const ThreadLaw& law,
                                  std::span<const NamedHeight> heights = {});

/// Whether a cloth has panels with names.
bool has_panels(const Cloth& cloth);

} // namespace muslin
