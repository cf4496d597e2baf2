// Scenes made to be hard, run by the program: prints how each ended that did not end as promised,
// then a table by trouble. Fails where one breaks a promise, or too few feasible ones succeed
// (docs/reliability.md).
//
//     torture_table [--seed N] [--count N] [--only N] [--jobs N] [--keep DIR] [--verbose]

#include "torture/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>
#include <unistd.h>

namespace {

using namespace muslin::torture;

struct Options {
    std::uint64_t seed = torture_seed;
    int count = torture_count, only = -1;
    int jobs = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    std::filesystem::path keep; ///< empty: scenes and results go when they were looked at
    bool verbose = false;
};

struct Row {
    int scenes = 0, feasible = 0, succeeded = 0; ///< the last: of the feasible ones
    int done = 0, refused = 0, stopped = 0, broken = 0;
    double worst = 0; ///< of the processor [s]

    void add(const Trial& trial, const Ending& ending) {
        ++scenes;
        feasible += trial.feasible;
        succeeded += trial.feasible && ending.succeeded();
        ++(!ending.faults.empty() ? broken
           : ending.code == 0     ? done
           : ending.code == 2     ? refused
                                  : stopped);
        worst = std::max(worst, ending.seconds);
    }
};

bool read_options(int argc, char** argv, Options& options) {
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--verbose") {
            options.verbose = true;
            continue;
        }
        if (i + 1 == argc)
            return false;
        const std::string value = argv[++i];
        long number = 0;
        const bool is_number =
            std::from_chars(value.data(), value.data() + value.size(), number).ec == std::errc();
        if (word == "--keep")
            options.keep = value;
        else if (word == "--seed" && is_number)
            options.seed = static_cast<std::uint64_t>(number);
        else if (word == "--count" && is_number)
            options.count = static_cast<int>(number);
        else if (word == "--only" && is_number)
            options.only = static_cast<int>(number);
        else if (word == "--jobs" && number > 0)
            options.jobs = static_cast<int>(number);
        else
            return false;
    }
    return true;
}

void tell(const Trial& trial, const Ending& ending, bool verbose) {
    if (verbose || !ending.faults.empty() || (trial.feasible && !ending.succeeded())) {
        std::string end = ending.text.substr(0, ending.text.find_last_not_of('\n') + 1);
        end = end.substr(end.rfind('\n') + 1);
        fmt::print("{}{}: exit {}, frame {}, stretch {:.3g}, {:.1f} s\n    {}\n", trial.name(),
                   trial.feasible ? "" : " (" + trial.why_not + ")", ending.code, ending.frames,
                   ending.stretch_max, ending.seconds, end);
    }
    for (const std::string& fault : ending.faults)
        fmt::print("    FAULT: {}\n", fault);
    std::fflush(stdout);
}

void print(const std::string& name, const Row& r) {
    fmt::print("| {:<10} | {:>6} | {:>8} | {:>9} | {:>6} | {:>6} | {:>6} | {:>6} | {:>9.1f} |\n",
               name, r.scenes, r.feasible, r.succeeded, r.done, r.refused, r.stopped, r.broken,
               r.worst);
}

} // namespace

int main(int argc, char** argv) {
    Options options;
    if (!read_options(argc, argv, options)) {
        fmt::print(stderr, "torture_table [--seed N] [--count N] [--only N] [--jobs N] "
                           "[--keep DIR] [--verbose]\n");
        return 2;
    }
    const std::filesystem::path scratch =
        options.keep.empty()
            ? std::filesystem::temp_directory_path() / fmt::format("muslin-torture-{}", getpid())
            : options.keep;
    std::map<std::string, Row> rows, recipes;
    Row all;
    std::mutex mutex;
    std::atomic<int> next = options.only < 0 ? 0 : options.only;
    const int end = options.only < 0 ? options.count : options.only + 1;
    const auto work = [&] {
        for (int number = next++; number < end; number = next++) {
            const Trial trial = make_trial(options.seed, number);
            const std::filesystem::path folder = scratch / trial.name();
            const Ending ending = run_trial(trial, folder);
            if (options.keep.empty())
                std::filesystem::remove_all(folder);
            const std::lock_guard lock(mutex);
            tell(trial, ending, options.verbose);
            all.add(trial, ending);
            recipes[trial.recipe].add(trial, ending);
            for (const std::string& trouble : trial.troubles)
                rows[trouble].add(trial, ending);
            if (trial.troubles.empty())
                rows["ordinary"].add(trial, ending);
        }
    };
    std::vector<std::thread> workers;
    for (int i = 0; i < options.jobs; ++i)
        workers.emplace_back(work);
    for (std::thread& worker : workers)
        worker.join();
    if (options.keep.empty())
        std::filesystem::remove_all(scratch);

    fmt::print("\n| trouble    | scenes | feasible | succeeded | exit 0 | exit 2 | exit 3 | broken "
               "| worst [s] |\n|---|---|---|---|---|---|---|---|---|\n");
    print("ordinary", rows["ordinary"]);
    for (const std::string& trouble : trouble_names())
        print(trouble, rows[trouble]);
    print("all", all);
    for (const auto& [recipe, row] : recipes)
        print(recipe, row);
    constexpr double enough = 0.8;
    const bool kept = all.broken == 0 && all.succeeded >= enough * all.feasible;
    fmt::print("\n{} of {} feasible scenes succeeded; {} broke a promise: {}\n", all.succeeded,
               all.feasible, all.broken, kept ? "kept" : "NOT kept");
    return kept ? 0 : 1;
}
