#include "fuzz.h"

#include "muslin/math/expression.h"
#include "muslin/scene/keys.h"
#include "muslin/scene/load_parts.h"

using namespace muslin;

FUZZ_TARGET(expression) {
    fuzz::accepts([&] {
        const Expression formula(bytes, Potential::variables);
        const std::array values = {0.5, 1.0, -0.5, 10.0};
        std::array<double, 4> gradient = {};
        formula(values);
        formula.differentiate(values, gradient);
        for (std::size_t i = 0; i < gradient.size(); ++i)
            fuzz::require(formula.uses(static_cast<int>(i)) || gradient[i] == 0 ||
                              std::isnan(gradient[i]),
                          "no derivative by what does not occur");
    });
    // As the potential of a fabric's springs, where what it gives near rest is checked, too.
    TomlTable table;
    table.set("potential", {{"fuzz.toml", 1, 1}, std::string(bytes)});
    const TomlValue document{{"fuzz.toml", 1, 1}, std::move(table)};
    fuzz::accepts([&] {
        TableReader reader(Place(document, ""), keys::material);
        read_potential(reader, {});
    });
}
