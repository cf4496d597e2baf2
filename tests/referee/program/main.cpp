// The referee: the default recipe at default settings beside theory and refined references
// (docs/validation.md). Prints each measured number with its reference and limit, leaves a table
// per protocol, and fails where a limit is missed.
//
//     referee [--quick | --full] [--list] [--threads N] [--csv DIR] [--set KEY=VALUE]
//             [PROTOCOL | PROTOCOL.GROUP[:NAME] ...]
//
// --set overrides a key of every scene, as `muslin run --set` does, to see what a setting would
// change: the verdict is then not that of the default settings.

#include "muslin/base/parallel.h"
#include "referee/protocols/protocols.h"
#include "referee/protocols/scenes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <map>

namespace {

using namespace muslin::referee;

struct Options {
    Extent extent = Extent::usual;
    bool list = false;
    int threads = 0; ///< 0: all
    std::string folder = "referee-results";
    std::vector<std::string> chosen; ///< empty: all
    std::vector<std::string> overrides;
};

bool read_options(int argc, char** argv, Options& options) {
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--quick")
            options.extent = Extent::quick;
        else if (word == "--full")
            options.extent = Extent::full;
        else if (word == "--list")
            options.list = true;
        else if (word == "--csv" && i + 1 < argc)
            options.folder = argv[++i];
        else if (word == "--set" && i + 1 < argc)
            options.overrides.push_back(argv[++i]);
        else if (word == "--threads" && i + 1 < argc) {
            const std::string value = argv[++i];
            if (std::from_chars(value.data(), value.data() + value.size(), options.threads).ec !=
                    std::errc() ||
                options.threads < 1)
                return false;
        } else if (word.starts_with("-"))
            return false;
        else
            options.chosen.push_back(word);
    }
    return true;
}

// "friction" names a protocol, "friction.slope" a group of it; more words of a case's name may
// follow a colon: "friction.slope:28 degrees".
bool is_chosen(const Case& one, const std::string& word) {
    const std::size_t colon = word.find(':');
    if (colon != std::string::npos && one.name.find(word.substr(colon + 1)) == std::string::npos)
        return false;
    const std::string place = word.substr(0, colon);
    return place == one.protocol || place == one.protocol + "." + one.group;
}

std::vector<Case> choose(const Options& options) {
    std::vector<Case> out;
    for (Case& one : all_cases()) {
        const bool named = std::any_of(options.chosen.begin(), options.chosen.end(),
                                       [&](const auto& word) { return is_chosen(one, word); });
        // Some protocols run only when they are asked for by name.
        if (one.least <= options.extent && (named || (options.chosen.empty() && !one.on_request)))
            out.push_back(std::move(one));
    }
    return out;
}

void summarise(const Report& report, double seconds) {
    std::map<std::string, std::pair<int, int>> kept; // and all
    for (const Row& row : report.rows()) {
        kept[row.protocol].first += row.kept();
        ++kept[row.protocol].second;
    }
    fmt::print("\n");
    for (const auto& [protocol, counts] : kept)
        fmt::print("{:<10} {:>4} of {:>4} kept\n", protocol, counts.first, counts.second);
    fmt::print("{} of {} rows missed, {:.0f} s\n", report.missed(), report.rows().size(), seconds);
}

} // namespace

int main(int argc, char** argv) {
    Options options;
    if (!read_options(argc, argv, options)) {
        fmt::print(stderr, "referee [--quick | --full] [--list] [--threads N] [--csv DIR] "
                           "[--set KEY=VALUE] "
                           "[PROTOCOL | PROTOCOL.GROUP[:NAME] ...]\n");
        return 2;
    }
    const std::vector<Case> cases = choose(options);
    if (cases.empty()) {
        fmt::print(stderr, "referee: no case is called so; --list names them all\n");
        return 2;
    }
    if (options.list) {
        for (const Case& one : cases)
            fmt::print("{}.{}: {}\n", one.protocol, one.group, one.name);
        return 0;
    }
    muslin::set_thread_count(options.threads);
    override_scenes(options.overrides);
    const auto start = std::chrono::steady_clock::now();
    Report report(options.folder, true);
    int done = 0;
    for (const Case& one : cases) {
        fmt::print(stderr, "[{}/{}] {} {}\n", ++done, cases.size(), one.protocol, one.title());
        run_case(one, report);
    }
    summarise(report,
              std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    return report.missed() == 0 ? 0 : 1;
}
