#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace muslin::torture {

/// A scene made to be hard, and what is known of it beforehand.
struct Trial {
    int number = 0;
    std::string situation, recipe;
    std::vector<std::string> troubles; ///< none: an ordinary scene
    /// Whether the cloth of the scene exists and the recipe is made for such: it must then succeed,
    /// in most cases. Others may.
    bool feasible = false;
    std::string why_not;                                    ///< in words, where it is not feasible
    double time_bound = 0;                                  ///< of the processor [s]
    std::string scene_text;                                 ///< the scene file
    std::vector<std::pair<std::string, std::string>> files; ///< beside it: name, text

    std::string name() const; ///< such as "017-bw98-hang-slivers-friction"
};

/// All troubles, in the order of the table.
const std::vector<std::string>& trouble_names();

constexpr std::uint64_t torture_seed = 1;
constexpr int torture_count = 200;

/// The trial of a number, from 0; the same for the same seed everywhere. Of every ten, two are
/// ordinary, five have one trouble and three have two; recipes take turns.
Trial make_trial(std::uint64_t seed, int number);

} // namespace muslin::torture
