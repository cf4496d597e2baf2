// The reduced form of `make referee`: the same measurements, the same limits, fewer of them.

#include "referee/protocols/protocols.h"

#include <gtest/gtest.h>

#include <iostream>

namespace {

using namespace muslin::referee;

std::vector<Case> quick_cases() {
    std::vector<Case> out;
    for (Case& one : all_cases())
        if (one.least == Extent::quick && !one.on_request)
            out.push_back(std::move(one));
    return out;
}

std::string test_name(const testing::TestParamInfo<Case>& info) {
    std::string out;
    for (const char c : info.param.protocol + " " + info.param.title())
        out += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    return out;
}

class Referee : public testing::TestWithParam<Case> {};

TEST_P(Referee, KeepsItsLimits) {
    Report report;
    run_case(GetParam(), report);
    for (const Row& row : report.rows()) {
        std::cout << line_of(row) << '\n';
        EXPECT_TRUE(row.kept()) << line_of(row);
    }
    EXPECT_FALSE(report.rows().empty());
}

INSTANTIATE_TEST_SUITE_P(Quick, Referee, testing::ValuesIn(quick_cases()), test_name);

TEST(RefereeReport, KeepsAndMisses) {
    Report report;
    report.begin("protocol", "case");
    report.within("near enough", 1.04, 1, 0.05, "m");
    report.at_most("too much", 2, 1, "m");
    report.between("too little", 0.9, 0.95, 1.01, "");
    report.missing("unknown", 1, "no truth yet", "");
    ASSERT_EQ(report.rows().size(), 4u);
    EXPECT_TRUE(report.rows()[0].kept());
    EXPECT_EQ(report.missed(), 3);
    EXPECT_NE(line_of(report.rows()[0]).find("ok"), std::string::npos);
    EXPECT_NE(line_of(report.rows()[3]).find("no truth yet"), std::string::npos);
    const Case broken = {"protocol", "broken", "case", Extent::quick,
                         [](Report&) { throw std::runtime_error("it broke"); }};
    EXPECT_FALSE(run_case(broken, report));
}

} // namespace
