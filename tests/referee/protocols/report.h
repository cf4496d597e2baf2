#pragma once

// What the referee measures, beside its reference and its limit: one line a row.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace muslin::referee {

/// A measured number and the range that it must lie in.
struct Row {
    std::string protocol, name, what; ///< "friction", "slope 28 degrees, ...", "slid"
    std::string unit;
    double measured = 0;
    double low = 0, high = 0; ///< inclusive
    double reference = 0;     ///< counts where has_reference
    bool has_reference = false;
    std::string trouble;      ///< why there is no number, or what else is wrong; empty: all is well
    bool lacks_truth = false; ///< the trouble is that nothing is known to compare with
    double seconds = 0;       ///< of the clock, since the row before

    bool kept() const { return trouble.empty() && measured >= low && measured <= high; }
};

/// The line that is printed for a row.
std::string line_of(const Row& row);

/// Collects rows, prints them, and writes a table per protocol.
class Report {
public:
    /// An empty folder: no tables. `prints`: each row as soon as it is known.
    explicit Report(std::filesystem::path folder = {}, bool prints = false);

    /// The rows that follow are of this protocol and case.
    void begin(const std::string& protocol, const std::string& name);

    /// Within a part of the reference: 0.05 is 5 %.
    void within(const std::string& what, double measured, double reference, double part,
                const std::string& unit);
    /// Within an absolute distance of the reference.
    void near(const std::string& what, double measured, double reference, double distance,
              const std::string& unit);
    void between(const std::string& what, double measured, double low, double high,
                 const std::string& unit);
    void at_most(const std::string& what, double measured, double limit, const std::string& unit);
    /// A number of which nothing is asked.
    void inform(const std::string& what, double measured, const std::string& unit);
    /// A number that could not be measured. Counts as missed.
    void missing(const std::string& what, double measured, const std::string& why,
                 const std::string& unit);
    /// A number whose reference is not known yet. Counts as missed too.
    void without_truth(const std::string& what, double measured, const std::string& why,
                       const std::string& unit);

    const std::vector<Row>& rows() const { return rows_; }
    int missed() const;

private:
    void add(Row row);

    std::filesystem::path folder_;
    bool prints_;
    std::string protocol_, name_;
    double since_ = 0; ///< [s] of the clock
    std::vector<Row> rows_;
};

/// How much of the referee runs: `quick` is part of `make test`.
enum class Extent { quick, usual, full };

/// One simulation, or a few that belong together; reports one row or several.
struct Case {
    std::string protocol;         ///< "friction"
    std::string group;            ///< "slope"
    std::string name;             ///< "28 degrees, 2602 irregular, dropped, 30 fps"
    Extent least = Extent::usual; ///< runs in this extent and in larger ones
    std::function<void(Report&)> run;
    bool on_request = false; ///< runs only where it is named

    std::string title() const { return group + " " + name; }
};

/// Runs a case; one that throws reports a missed row. Returns whether all of its rows were kept.
bool run_case(const Case& one, Report& report);

} // namespace muslin::referee
