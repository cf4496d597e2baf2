#pragma once

#include "muslin/math/vec.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace muslin::test {

/// One question of the public benchmark of continuous collision, with its exact answer.
struct CcdQuery {
    std::array<Vec3, 4> begin, end;
    bool hits = false;
};

/// Eight lines make a query: four corners at time 0, four at time 1. A line holds numerator and
/// denominator of x, y and z, and with `with_truth` the answer. Numerators have at most 53 bits
/// and denominators are powers of two, so that both are doubles and the quotient is exact.
inline std::vector<CcdQuery> read_queries(const std::filesystem::path& file, bool with_truth) {
    std::ifstream in(file);
    std::vector<CcdQuery> queries;
    std::string line;
    for (int row = 0; std::getline(in, line); ++row) {
        if (row % 8 == 0)
            queries.emplace_back();
        const char* at = line.c_str();
        std::array<double, 7> number{};
        for (int i = 0; i < (with_truth ? 7 : 6); ++i) {
            char* after = nullptr;
            number[i] = std::strtod(at, &after);
            if (after == at)
                throw std::runtime_error("not a query: " + file.string() + ": " + line);
            at = after + (*after == ',' ? 1 : 0);
        }
        CcdQuery& query = queries.back();
        (row % 8 < 4 ? query.begin : query.end)[row % 4] = {
            number[0] / number[1], number[2] / number[3], number[4] / number[5]};
        query.hits = number[6] != 0;
    }
    return queries;
}

} // namespace muslin::test
