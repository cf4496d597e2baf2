#include "torture/runner.h"

#include "places.h"

#include "muslin/io/pc2.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cmath>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <regex>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace muslin::torture {
namespace {

using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr double slowness = 20;
constexpr bool limits_memory = false; // sanitizers ask for all addresses there are
#else
constexpr double slowness = 1;
constexpr bool limits_memory = true;
#endif
constexpr rlim_t most_memory = rlim_t(4) << 30;
// A machine with other work gives a run a part of a processor: what counts is the processor's time.
constexpr double most_wait = 10;

std::string read_text(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// Of the new process alone.
[[noreturn]] void become_program(const std::string& scene, const std::string& out,
                                 const std::string& log) {
    const int file = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    dup2(file, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
    if (limits_memory) {
        const rlimit limit = {most_memory, most_memory};
        setrlimit(RLIMIT_AS, &limit);
    }
    const rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    execl(test::program(), "muslin", "run", scene.c_str(), "-o", out.c_str(), "--threads", "1",
          static_cast<char*>(nullptr));
    _exit(127);
}

void run_program(const Trial& trial, const fs::path& folder, Ending& ending) {
    const std::string scene = folder / "scene.toml", out = folder / "out", log = folder / "log";
    const auto began = Clock::now();
    const auto elapsed = [&] {
        return std::chrono::duration<double>(Clock::now() - began).count();
    };
    const pid_t child = fork();
    if (child == 0)
        become_program(scene, out, log);
    int status = 0;
    rusage used{};
    while (wait4(child, &status, WNOHANG, &used) == 0) {
        if (elapsed() > most_wait * slowness * trial.time_bound)
            kill(child, SIGKILL);
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    ending.wall_seconds = elapsed();
    const auto in_seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    ending.seconds = in_seconds(used.ru_utime) + in_seconds(used.ru_stime);
    ending.peak_memory = 1024 * used.ru_maxrss;
    ending.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    ending.text = read_text(log);
    if (WIFSIGNALED(status))
        ending.faults.push_back(fmt::format("ended by signal {}", WTERMSIG(status)));
    if (ending.seconds > slowness * trial.time_bound)
        ending.faults.push_back(fmt::format("took {:.0f} s", ending.seconds));
}

std::string last_line(const std::string& text) {
    const std::size_t end = text.find_last_not_of('\n');
    if (end == std::string::npos)
        return {};
    const std::size_t begin = text.rfind('\n', end);
    return text.substr(begin == std::string::npos ? 0 : begin + 1, end - begin);
}

// JSON has null for a number that is none, and for a figure that a scene does not have.
bool all_finite(const Json& value, const std::string& key = {}) {
    if (value.is_null())
        return key.rfind("body_", 0) == 0;
    if (value.is_structured())
        for (const auto& [inner_key, inner] : value.items())
            if (!all_finite(inner, inner_key))
                return false;
    return true;
}

// Every cache holds the start and the frames of the report, all of it finite.
void check_caches(const fs::path& out, int frames, Ending& ending) {
    int caches = 0;
    for (const auto& entry : fs::directory_iterator(out)) {
        if (entry.path().extension() != ".pc2")
            continue;
        ++caches;
        const std::string name = entry.path().filename();
        Pc2Reader cache(entry.path());
        if (cache.samples() != frames + 1)
            ending.faults.push_back(
                fmt::format("{} holds {} samples after {} frames", name, cache.samples(), frames));
        std::vector<Vec3> points;
        for (int s = 0; s < cache.samples(); ++s) {
            cache.read(s, points);
            for (const Vec3& p : points)
                if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) {
                    ending.faults.push_back(fmt::format("{} is not finite in sample {}", name, s));
                    return;
                }
        }
    }
    if (caches == 0)
        ending.faults.emplace_back("no cache was written");
}

void check_stats(const fs::path& out, int frames, Ending& ending) {
    std::ifstream in(out / "stats.jsonl");
    int lines = 0;
    for (std::string line; std::getline(in, line); ++lines) {
        const Json stats = Json::parse(line, nullptr, false);
        if (stats.is_discarded() || !all_finite(stats) || stats.value("hash", "").empty()) {
            ending.faults.push_back(
                fmt::format("stats.jsonl is not whole or finite in line {}", lines + 1));
            return;
        }
    }
    if (lines != frames)
        ending.faults.push_back(
            fmt::format("stats.jsonl has {} lines after {} frames", lines, frames));
}

void check_files(const fs::path& out, Ending& ending) {
    const Json report = Json::parse(read_text(out / "report.json"), nullptr, false);
    if (!report.is_object() || !report.contains("frames")) {
        ending.faults.emplace_back("no report of the end of the run");
        return;
    }
    ending.frames = report["frames"];
    ending.stretch_max = report.value("stretch_max", 0.0);
    if (!all_finite(report))
        ending.faults.emplace_back("a figure of the report is not finite");
    if (ending.code == 0) {
        if (report.contains("error") || ending.frames != report.value("frames_wanted", -1))
            ending.faults.emplace_back("the report is not that of a whole run");
        if (report.value("hash", "").empty())
            ending.faults.emplace_back("the report has no hash");
    } else if (!report.contains("error") || report.value("passed", true)) {
        ending.faults.emplace_back("the report does not say why the run ended");
    }
    check_caches(out, ending.frames, ending);
    check_stats(out, ending.frames, ending);
}

void check_words(const std::string& line, std::initializer_list<const char*> patterns,
                 Ending& ending) {
    for (const char* pattern : patterns)
        if (!std::regex_search(line, std::regex(pattern)))
            ending.faults.push_back(fmt::format("the message lacks /{}/: {}", pattern, line));
}

} // namespace

Ending run_trial(const Trial& trial, const fs::path& folder) {
    fs::remove_all(folder);
    fs::create_directories(folder);
    std::ofstream(folder / "scene.toml") << trial.scene_text;
    for (const auto& [name, text] : trial.files)
        std::ofstream(folder / name) << text;
    Ending ending;
    run_program(trial, folder, ending);
    const std::string line = last_line(ending.text);
    switch (ending.code) {
    case 0:
        check_files(folder / "out", ending);
        break;
    case 2: // the scene, or the mesh that it names, with the key
        check_words(line, {R"((scene\.toml:\d+|grid\.obj))", R"(expected .+, found )"}, ending);
        if (fs::exists(folder / "out"))
            ending.faults.emplace_back("a scene was refused and left files");
        break;
    case 3:
        check_words(line,
                    {R"(frame \d+)", R"(cloth '\w+')", R"(vertex \d+)",
                     R"((time|world|solver|contact|material|cloth|body|pin)\.\w+)"},
                    ending);
        check_files(folder / "out", ending);
        break;
    case -1:
        break; // said already
    default:
        ending.faults.push_back(fmt::format("exit code {}: {}", ending.code, line));
    }
    if (trial.feasible && ending.code == 2)
        ending.faults.push_back("a sound scene was refused: " + line);
    return ending;
}

} // namespace muslin::torture
