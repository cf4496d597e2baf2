// The energies of connections [Ohta95, Dynamics of the model].
#include "muslin/scene/load_parts.h"

#include <cmath>

namespace muslin {
namespace {

// Near rest every connection of the scene will be. Beyond, a formula may have no value: a pole is a
// limit that no step passes.
constexpr double strains[] = {0, -1e-3, 1e-3};
constexpr double sample_length = 0.02;  // [m]
constexpr double sample_stiffness = 10; // [N/m]

void check_near_rest(const Place& place, const Expression& formula) {
    for (const double s : strains) {
        using Second = Dual<Dual<double>>;
        const double slope = 1 / sample_length;
        const std::array<Second, 4> variables = {
            Second(Dual<double>((1 + s) * sample_length, 1), Dual<double>(1, 0)),
            Second(sample_length), Second(Dual<double>(s, slope), Dual<double>(slope, 0)),
            Second(sample_stiffness)};
        const Second e = formula.evaluate(std::span<const Second>(variables));
        for (const auto& [what, value] :
             {std::pair("energy", e.value.value), std::pair("force", e.value.slope),
              std::pair("stiffness", e.slope.slope)})
            if (!std::isfinite(value))
                place.fail_found("a formula with a finite energy, force and stiffness near rest",
                                 fmt::format("the {} {} at d = {} m, l = {} m, s = {}, k = {} N/m "
                                             "from \"{}\"",
                                             what, value, plain(variables[0]), sample_length, s,
                                             sample_stiffness, formula.text()));
    }
}

} // namespace

Potential read_potential(TableReader& reader, const Potential& base) {
    Potential out = base;
    if (const auto place = reader.get("potential")) {
        const std::string text =
            place->text("\"quadratic\", \"exponential\" or a formula of d, l, s and k");
        out = {};
        if (text == "exponential") {
            out.law = Potential::Law::exponential;
        } else if (text != "quadratic") {
            out.law = Potential::Law::formula;
            out.formula = std::make_shared<const Expression>(
                place->expression(Potential::variables, "or \"quadratic\" or \"exponential\""));
            check_near_rest(*place, *out.formula);
        }
    }
    if (const auto place = reader.get("sharpness")) {
        if (out.law != Potential::Law::exponential)
            place->fail("potential = \"exponential\" with a sharpness");
        out.sharpness = place->number();
    }
    return out;
}

} // namespace muslin
