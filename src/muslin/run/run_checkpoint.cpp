#include "muslin/run/run_checkpoint.h"

#include "muslin/base/archive.h"
#include "muslin/base/error.h"
#include "muslin/io/read_file.h"
#include "muslin/run/model_hash.h"
#include "muslin/run/run_inputs.h"
#include "muslin/run/version.h"
#include "muslin/scene/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace muslin {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view first = "frame-", ending = ".state";

/// The frame that a file is of, by its name.
std::optional<int> frame_of(const fs::path& file) {
    const std::string name = file.filename().string();
    if (!name.starts_with(first) || !name.ends_with(ending))
        return {};
    const char* begin = name.data() + first.size();
    const char* end = name.data() + name.size() - ending.size();
    int frame = 0;
    const auto read = std::from_chars(begin, end, frame);
    return read.ec == std::errc() && read.ptr == end ? std::optional(frame) : std::nullopt;
}

/// Frames of which there is a file, in order.
std::vector<int> frames_in(const fs::path& folder) {
    std::vector<int> out;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
        if (const auto frame = frame_of(entry.path()))
            out.push_back(*frame);
    std::sort(out.begin(), out.end());
    return out;
}

std::string file_name(int frame) {
    return fmt::format("{}{:06d}{}", first, frame, ending);
}

void require_kept(const fs::path& folder, int frame) {
    std::error_code error;
    if (fs::exists(folder / file_name(frame), error))
        return;
    const std::vector<int> there = frames_in(folder);
    throw FileError((folder / file_name(frame)).string(),
                    there.empty() ? "is not there, nor is any other frame"
                                  : fmt::format("is not there; frames that were kept: {}",
                                                fmt::join(there, ", ")));
}

void serialise(Archive& a, Verdict& v) {
    for (double* figure :
         {&v.stretch_max, &v.stretch_min, &v.stretch_99, &v.principal_max, &v.principal_min})
        a(*figure);
    for (int* count : {&v.self_intersections, &v.body_intersections, &v.pinched_intersections,
                       &v.pinched_vertices, &v.pinched_self_intersections})
        a(*count);
    bool known = v.body_penetration_max.has_value();
    double depth = v.body_penetration_max.value_or(0);
    a(known);
    a(depth);
    v.body_penetration_max = known ? std::optional(depth) : std::nullopt;
}

void serialise(Archive& a, RunSummary& s) {
    for (int* count : {&s.frames, &s.steps, &s.rejected_steps, &s.unconverged_steps, &s.released,
                       &s.crossings, &s.seams_open})
        a(*count);
    for (long* count : {&s.cg_iterations, &s.damped_particles, &s.element_evaluations, &s.impacts})
        a(*count);
    for (double* figure : {&s.step_min, &s.step_max, &s.kinetic, &s.elastic, &s.gravity})
        a(*figure);
    a(s.seconds.seconds);
    serialise(a, s.worst);
    serialise(a, s.last);
    a.list(s.dressing, [](Archive& one, DressedPhase& phase) {
        one(phase.phase);
        one(phase.frames);
        one(phase.steps);
        one(phase.seconds);
        one(phase.cached);
    });
    a(s.hash);
    a.list(s.resumed, [](Archive& one, ResumedRun& resumed) {
        one(resumed.frame);
        one.list(resumed.changes, [](Archive& each, std::string& change) { each(change); });
    });
}

} // namespace

RunLock::RunLock(const fs::path& directory) {
    make_folder(directory / "checkpoint");
    const fs::path file = directory / "checkpoint" / "lock";
    descriptor_ = ::open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    if (descriptor_ < 0)
        throw FileError(file.string(), "cannot be written: " + system_reason());
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0)
        return;
    const bool taken = errno == EWOULDBLOCK;
    const std::string reason = system_reason();
    ::close(descriptor_);
    throw FileError(directory.string(),
                    taken ? "another run is writing into this directory; wait for it, or give "
                            "another one with -o"
                          : "cannot be locked: " + reason);
}

RunLock::~RunLock() {
    ::close(descriptor_);
}

RunCheckpoints::RunCheckpoints(const fs::path& directory, int keep, const SceneDescription& scene,
                               const Simulation& simulation)
    : folder_(directory / "checkpoint"), keep_(keep), simulation_(simulation) {
    Hash64 files;
    add_model(files, simulation.start_model());
    sections_ = {{"program", fmt::format("{}, commit {}", version_text(), commit_text())},
                 {"scene", scene.source_text},
                 {"files", files.hex()},
                 {"inputs", digest_inputs(scene)}};
}

fs::path RunCheckpoints::file(int frame) const {
    return folder_ / file_name(frame);
}

// Under the lock no other run is writing them: what was cut off.
void RunCheckpoints::remove_unfinished() {
    std::error_code error;
    for (const fs::path& folder : {folder_, folder_.parent_path()})
        for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
            if (const std::string name = entry.path().filename().string();
                name.starts_with(".") && name.ends_with(".tmp"))
                fs::remove(entry.path(), error);
}

void RunCheckpoints::clear() {
    std::error_code error;
    for (const int frame : frames_in(folder_))
        fs::remove(file(frame), error);
    fs::remove(folder_ / "start.state", error);
    last_.reset();
}

void RunCheckpoints::save_start() {
    save_checkpoint(folder_ / "start.state", simulation_.state(), simulation_.frame(), sections_,
                    Durability::disk);
}

void RunCheckpoints::save(const RunSummary& summary, const RunPost* post) {
    Archive run;
    RunSummary figures = summary;
    serialise(run, figures);
    sections_["run"] = run.take();
    if (post) {
        Archive archive;
        PostSummary done = post->summary();
        done.serialise(archive);
        sections_["post"] = archive.take();
    }
    const int frame = simulation_.frame();
    // Those that stay outlast a power cut; between them the system's memory will do.
    save_checkpoint(file(frame), simulation_.state(), frame, sections_,
                    stays(frame) ? Durability::disk : Durability::process);
    std::error_code error;
    if (last_ && *last_ != frame && !stays(*last_))
        fs::remove(file(*last_), error);
    last_ = frame;
}

Checkpoint RunCheckpoints::start() const {
    return read_checkpoint(folder_ / "start.state");
}

std::optional<Checkpoint> RunCheckpoints::find(std::optional<int> frame) const {
    std::error_code error;
    if (frame)
        require_kept(folder_, *frame);
    if (frame)
        return read_checkpoint(file(*frame));
    std::vector<fs::path> all;
    if (const fs::path file = folder_ / "start.state"; fs::exists(file, error))
        all.push_back(file);
    for (const int f : frames_in(folder_))
        all.push_back(file(f));
    for (auto file = all.rbegin(); file != all.rend(); ++file)
        try {
            return read_checkpoint(*file);
        } catch (const std::runtime_error&) { // of any kind: it is damaged
            if (file + 1 == all.rend())
                throw; // none is whole
        }
    return {};
}

void RunCheckpoints::remove_after(int frame) {
    std::error_code error;
    for (const int f : frames_in(folder_))
        if (f > frame)
            fs::remove(file(f), error);
    last_ = frame;
}

std::vector<std::string> RunCheckpoints::changes_since(const Checkpoint& saved) const {
    const auto before = [&](const char* name) {
        const auto found = saved.sections.find(name);
        return found == saved.sections.end() ? std::string() : found->second;
    };
    std::vector<std::string> out = scene_changes(before("scene"), sections_.at("scene"));
    if (before("program") != sections_.at("program"))
        out.push_back(
            fmt::format("the program: {}, was {}", sections_.at("program"), before("program")));
    const std::vector<std::string> inputs = input_changes(before("inputs"), sections_.at("inputs"));
    out.insert(out.end(), inputs.begin(), inputs.end());
    if (out.empty() && before("files") != sections_.at("files"))
        out.push_back("what the scene reads, or a default of the program");
    return out;
}

void restore_summary(const Checkpoint& saved, RunSummary& summary, RunPost* post) {
    if (const auto run = saved.sections.find("run"); run != saved.sections.end()) {
        Archive archive(run->second);
        serialise(archive, summary);
    }
    if (const auto done = saved.sections.find("post"); post && done != saved.sections.end()) {
        Archive archive(done->second);
        PostSummary figures;
        figures.serialise(archive);
        post->set_summary(figures);
    }
}

void copy_run(const fs::path& from, const fs::path& to, std::optional<int> frame) {
    const auto copy = [&](const fs::path& name) {
        std::error_code error;
        fs::copy_file(from / name, to / name, fs::copy_options::overwrite_existing, error);
        if (error)
            throw FileError((to / name).string(), "cannot be copied: " + error.message());
    };
    std::error_code error;
    if (!fs::is_regular_file(from / "checkpoint" / "start.state", error))
        throw FileError(from.string(), "is no directory of a run with checkpoints");
    if (fs::equivalent(from, to, error))
        return; // it is there
    if (frame)
        require_kept(from / "checkpoint", *frame);
    make_folder(to / "checkpoint");
    // States go first and come last: whenever this is cut off, none stands beside another run's
    // files.
    fs::remove(to / "checkpoint" / "start.state", error);
    for (const int f : frames_in(to / "checkpoint"))
        fs::remove(to / "checkpoint" / file_name(f), error);
    for (const fs::directory_entry& entry : fs::directory_iterator(from, error)) {
        const std::string kind = entry.path().extension().string();
        if (entry.is_regular_file() && (kind == ".pc2" || kind == ".obj" || kind == ".fields" ||
                                        entry.path().filename() == "stats.jsonl"))
            copy(entry.path().filename());
    }
    copy(fs::path("checkpoint") / "start.state");
    for (const int f : frames_in(from / "checkpoint"))
        if (!frame || f <= *frame)
            copy(fs::path("checkpoint") / file_name(f));
}

} // namespace muslin
