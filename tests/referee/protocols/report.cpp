#include "referee/protocols/report.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <fstream>
#include <limits>

namespace muslin::referee {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double clock_now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

std::string number(double value) {
    return fmt::format("{:.5g}", value);
}

// The limit in words: "max 0.003", "0.95 to 1.01".
std::string limit_of(const Row& row) {
    if (!std::isfinite(row.high) && !std::isfinite(row.low))
        return "none";
    if (!std::isfinite(row.low))
        return "max " + number(row.high);
    return number(row.low) + " to " + number(row.high);
}

Row troubled(const std::string& what, double measured, const std::string& why,
             const std::string& unit) {
    Row row;
    row.what = what;
    row.unit = unit;
    row.measured = measured;
    row.low = -infinity;
    row.high = infinity;
    row.trouble = why;
    return row;
}

} // namespace

std::string line_of(const Row& row) {
    std::string beside;
    if (row.has_reference)
        beside =
            fmt::format("ref {}{}", number(row.reference),
                        row.reference == 0 ? ""
                                           : fmt::format(" ({:+.2f} %)",
                                                         100 * (row.measured / row.reference - 1)));
    const std::string verdict = row.trouble.empty() ? (!row.kept()               ? "MISSED"
                                                       : limit_of(row) == "none" ? "-"
                                                                                 : "ok")
                                                    : "MISSED: " + row.trouble;
    return fmt::format("{:<8} {:<62} {:<22} {:>11} {:<6} {:<26} limit {:<22} {:>6.1f} s  {}",
                       row.protocol, row.name, row.what, number(row.measured), row.unit, beside,
                       limit_of(row), row.seconds, verdict);
}

Report::Report(std::filesystem::path folder, bool prints)
    : folder_(std::move(folder)), prints_(prints), since_(clock_now()) {
    if (!folder_.empty())
        std::filesystem::create_directories(folder_);
}

void Report::begin(const std::string& protocol, const std::string& name) {
    protocol_ = protocol;
    name_ = name;
    since_ = clock_now();
}

void Report::within(const std::string& what, double measured, double reference, double part,
                    const std::string& unit) {
    near(what, measured, reference, part * std::abs(reference), unit);
}

void Report::near(const std::string& what, double measured, double reference, double distance,
                  const std::string& unit) {
    Row row;
    row.what = what;
    row.unit = unit;
    row.measured = measured;
    row.reference = reference;
    row.has_reference = true;
    row.low = reference - distance;
    row.high = reference + distance;
    add(row);
}

void Report::between(const std::string& what, double measured, double low, double high,
                     const std::string& unit) {
    Row row;
    row.what = what;
    row.unit = unit;
    row.measured = measured;
    row.low = low;
    row.high = high;
    add(row);
}

void Report::at_most(const std::string& what, double measured, double limit,
                     const std::string& unit) {
    between(what, measured, -infinity, limit, unit);
}

void Report::inform(const std::string& what, double measured, const std::string& unit) {
    between(what, measured, -infinity, infinity, unit);
}

void Report::missing(const std::string& what, double measured, const std::string& why,
                     const std::string& unit) {
    add(troubled(what, measured, why, unit));
}

void Report::without_truth(const std::string& what, double measured, const std::string& why,
                           const std::string& unit) {
    Row row = troubled(what, measured, why, unit);
    row.lacks_truth = true;
    add(row);
}

int Report::missed() const {
    int count = 0;
    for (const Row& row : rows_)
        count += !row.kept();
    return count;
}

void Report::add(Row row) {
    row.protocol = protocol_;
    row.name = name_;
    const double now = clock_now();
    row.seconds = now - since_;
    since_ = now;
    if (prints_) {
        fmt::print("{}\n", line_of(row));
        std::fflush(stdout);
    }
    if (!folder_.empty()) {
        bool first = true;
        for (const Row& before : rows_)
            first = first && before.protocol != row.protocol;
        std::ofstream out(folder_ / (row.protocol + ".csv"),
                          first ? std::ios::trunc : std::ios::app);
        if (first)
            out << "case,what,measured,unit,reference,low,high,kept,seconds,trouble\n";
        out << fmt::format("\"{}\",\"{}\",{},{},{},{},{},{},{:.2f},\"{}\"\n", row.name, row.what,
                           row.measured, row.unit,
                           row.has_reference ? fmt::format("{}", row.reference) : "", row.low,
                           row.high, row.kept() ? 1 : 0, row.seconds, row.trouble);
    }
    rows_.push_back(std::move(row));
}

bool run_case(const Case& one, Report& report) {
    const int before = report.missed();
    report.begin(one.protocol, one.title());
    try {
        one.run(report);
    } catch (const std::exception& error) {
        report.missing("failed", std::numeric_limits<double>::quiet_NaN(), error.what(), "");
    }
    return report.missed() == before;
}

} // namespace muslin::referee
