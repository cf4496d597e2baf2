#include "muslin/run/post_run.h"

#include "muslin/base/error.h"
#include "muslin/io/atomic_file.h"
#include "muslin/io/field_cache.h"
#include "muslin/io/mesh_file.h"
#include "muslin/io/read_file.h"
#include "muslin/io/run_reader.h"
#include "muslin/io/run_report.h"
#include "muslin/run/certificate.h"
#include "muslin/run/run_bodies.h"
#include "muslin/run/version.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <set>

namespace muslin {
namespace {

namespace fs = std::filesystem;
using Json = OrderedJson;

// A point deeper than this has gone astray; to make room for it would lift all cloth [m].
constexpr double deepest_likely = 0.02;
constexpr double largest_thickness = 0.1; // of a material [m]

Json read_report(const fs::path& file) {
    const Json report = read_run_report(file);
    if (report.contains("ended") && report["ended"] != true)
        throw InputError({{file.string(), 0, 0},
                          "",
                          "a run that has ended",
                          "one that was cut off or goes on",
                          "run the scene to its end"});
    return report;
}

void check_paths(const PostOptions& options) {
    std::error_code failure;
    if (!fs::is_directory(options.run, failure))
        throw FileError(options.run.string(), fs::exists(options.run, failure)
                                                  ? "is not a directory; expected that of a run"
                                                  : "no such directory");
    if (!fs::exists(options.run / "report.json", failure))
        throw InputError({{options.run.string(), 0, 0},
                          "",
                          "the directory of a run, with its report.json",
                          "none in it",
                          {}});
    // Before the run is surveyed, which takes its time.
    if (fs::exists(options.directory, failure) && !fs::is_directory(options.directory, failure))
        throw FileError(options.directory.string(), "is not a directory");
    if (fs::exists(options.directory, failure) &&
        fs::equivalent(options.run, options.directory, failure))
        throw InputError({{options.directory.string(), 0, 0},
                          "--output",
                          "another directory than that of the run",
                          "the same",
                          "the run is needed as it was simulated"});
}

/// What the report says that the new run rests on. Each may be missing; none may be anything else.
struct Facts {
    LimitsDescription limits;
    int seams_open = 0;                 ///< at the end
    double thickness = 0;               ///< of the thickest cloth [m]
    std::set<std::string> on_texcoords; ///< cloths that have their rest shape there
};

LimitsDescription limits_in(const JsonPlace& limits) {
    LimitsDescription out;
    const auto read = [&](const char* key, auto& value) {
        const auto place = limits.find(key);
        if constexpr (std::is_same_v<decltype(value), std::optional<int>&>)
            value = place ? std::optional(place->count()) : std::nullopt;
        else
            value = place ? std::optional(place->number()) : std::nullopt;
    };
    read("stretch_max", out.stretch_max);
    read("stretch_min", out.stretch_min);
    read("self_intersections", out.self_intersections);
    read("body_intersections", out.body_intersections);
    read("body_penetration_max", out.body_penetration_max);
    read("seams_open", out.seams_open);
    return out;
}

Facts facts_in(const JsonPlace& report) {
    Facts out;
    if (const auto limits = report.find("limits"))
        out.limits = limits_in(*limits);
    if (const auto seams = report.find("seams_open"))
        out.seams_open = seams->count();
    if (const auto last = report.find("last_frame"); last && !last->value().is_object())
        last->fail("an object"); // which the new one goes into
    const auto cloths = report.find("cloths");
    for (std::size_t i = 0; cloths && i < cloths->size("an array of cloths"); ++i) {
        const JsonPlace cloth = cloths->item(i).named(fmt::format("cloths[{}]", i));
        const auto name = cloth.find("name"), rest = cloth.find("rest");
        const std::string called = name ? name->text("the name of a cloth") : "";
        if (rest && rest->text("\"positions\" or \"texcoords\"") == "texcoords")
            out.on_texcoords.insert(called);
        if (const auto thickness = cloth.find("thickness")) {
            const double value = thickness->number("a thickness [m]");
            if (!(value >= 0 && value <= largest_thickness))
                thickness->fail(fmt::format("a thickness from 0 to {} m", largest_thickness));
            out.thickness = std::max(out.thickness, value);
        }
    }
    return out;
}

/// Of a line of stats.jsonl.
int frame_in(const RunLines& lines) {
    return lines.place().at("frame", "the number of a frame").count("the number of a frame");
}

std::vector<PostCloth> cloths_of(RunReader& run, const Facts& facts) {
    std::vector<PostCloth> out;
    for (RunObject& cloth : run.cloths()) {
        const bool on_texcoords = facts.on_texcoords.contains(cloth.name());
        out.push_back(
            {cloth.mesh(), on_texcoords ? RestShape::texcoords : RestShape::positions, {}});
        cloth.read(0, out.back().start);
    }
    return out;
}

void copy_whole_file(const fs::path& from, const fs::path& to) {
    std::ifstream in = open_file(from);
    write_file_atomically(to, [&](ByteSink& sink) {
        std::vector<char> piece(std::size_t{1} << 16);
        while (in.read(piece.data(), static_cast<std::streamsize>(piece.size())), in.gcount() > 0)
            sink.put({piece.data(), static_cast<std::size_t>(in.gcount())});
    });
}

/// The files of the new run.
class PostFiles {
public:
    PostFiles(const fs::path& from, const fs::path& to, RunReader& run, const PostProcess& process,
              const Json& start_report)
        : run_(run), to_(to), process_(process), old_stats_(from / "stats.jsonl") {
        make_folder(to);
        remove_earlier_run(to);
        write_report(start_report);
        for (const char* name : {"scene.toml"})
            copy_if_there(from / name, to / name);
        for (std::size_t c = 0; c < run.cloths().size(); ++c)
            open_cloth(from, c);
        for (RunObject& body : run.bodies())
            for (const char* ending : {".obj", ".pc2"}) {
                const std::string name = "body-" + body.name() + ending;
                fs::remove(to / name);
                copy_if_there(from / name, to / name);
            }
        stats_.open(to / "stats.jsonl", std::ios::trunc);
        require_stats();
    }

    void append(int frame, const PostFrame& done, double seconds) {
        for (std::size_t c = 0; c < caches_.size(); ++c) {
            caches_[c]->append(process_.positions(c));
            if (field_readers_[c])
                append_fields(c, frame);
        }
        if (frame == 0) // the start has no line
            return;
        Json line = next_line(frame);
        put_verdict(line, done.verdict, true);
        line["post"] = post_json(done);
        line["post"]["seconds"] = seconds;
        stats_ << line.dump() << '\n' << std::flush;
        require_stats();
    }

    void write_report(const Json& report) const {
        write_file_atomically(to_ / "report.json", report.dump(2) + "\n");
    }

private:
    static void copy_if_there(const fs::path& from, const fs::path& to) {
        std::error_code failure;
        if (fs::exists(from, failure))
            copy_whole_file(from, to);
    }

    void open_cloth(const fs::path& from, std::size_t c) {
        const std::string& name = run_.cloths()[c].name();
        write_mesh(to_ / (name + ".obj"), process_.mesh(c));
        const int points = static_cast<int>(process_.positions(c).size());
        caches_.push_back(std::make_unique<Pc2Writer>(to_ / (name + ".pc2"), points));
        field_readers_.emplace_back();
        field_writers_.emplace_back();
        const fs::path fields = from / (name + ".fields");
        std::error_code failure;
        fs::remove(to_ / (name + ".fields"), failure);
        if (!fs::exists(fields, failure))
            return;
        field_readers_.back() = std::make_unique<FieldCacheReader>(fields);
        field_writers_.back() = std::make_unique<FieldCacheWriter>(to_ / (name + ".fields"), points,
                                                                   field_readers_.back()->fields());
    }

    void append_fields(std::size_t c, int frame) {
        FieldCacheReader& reader = *field_readers_[c];
        if (frame >= reader.samples())
            return;
        values_.resize(reader.fields().size());
        for (std::size_t f = 0; f < values_.size(); ++f) {
            reader.read(reader.fields()[f], frame, simulated_);
            process_.refine(c, simulated_, values_[f]);
        }
        field_writers_[c]->append(values_);
    }

    /// What the run says of a frame; steps, energies and times stay as they were.
    Json next_line(int frame) {
        if (old_stats_.next() && frame_in(old_stats_) == frame)
            return old_stats_.value();
        return {{"frame", frame}, {"time", frame / run_.frame_rate()}};
    }

    void require_stats() const {
        if (!stats_)
            throw FileError((to_ / "stats.jsonl").string(), "cannot be written");
    }

    RunReader& run_;
    fs::path to_;
    const PostProcess& process_;
    std::vector<std::unique_ptr<Pc2Writer>> caches_;
    std::vector<std::unique_ptr<FieldCacheReader>> field_readers_; ///< null for a cloth without
    std::vector<std::unique_ptr<FieldCacheWriter>> field_writers_;
    RunLines old_stats_;
    std::ofstream stats_;
    std::vector<double> simulated_;
    std::vector<std::vector<double>> values_;
};

/// Reads the frames of a run one after the other.
class Frames {
public:
    Frames(RunReader& run, RunBodies& bodies, PostProcess& process)
        : run_(run), bodies_(bodies), process_(process), x_(run.cloths().size()) {}
    void take(int frame) {
        for (std::size_t c = 0; c < x_.size(); ++c)
            run_.cloths()[c].read(frame, x_[c]);
        process_.take(x_);
        bodies_.show(frame);
    }

private:
    RunReader& run_;
    RunBodies& bodies_;
    PostProcess& process_;
    std::vector<std::vector<Vec3>> x_;
};

/// The report of the run, with what is no longer so replaced.
Json new_report(const Json& old, RunReader& run, const PostProcess& process, int frames) {
    Json out = old;
    for (Json& cloth : out["cloths"])
        for (std::size_t c = 0; c < run.cloths().size(); ++c)
            if (cloth.contains("name") && cloth["name"] == run.cloths()[c].name())
                cloth["vertices"] = process.positions(c).size();
    out["frames"] = frames - 1;
    if (frames < run.frames())
        out["frames_wanted"] = frames - 1;
    out["program"] = version_text();
    return out;
}

} // namespace

PostResult post_run(const PostOptions& options) {
    check_paths(options);
    const std::string report_file = (options.run / "report.json").string();
    const Json report = read_report(report_file);
    const Facts facts = facts_in({report, report_file, ""});
    for (RunLines lines(options.run / "stats.jsonl"); lines.next();)
        frame_in(lines); // before the survey
    RunReader run(options.run);
    if (run.bodies().empty())
        throw InputError({{options.run.string(), 0, 0},
                          "",
                          "a run with bodies, to push the cloth out of",
                          "none",
                          {}});
    RunBodies bodies(run);
    PostProcess process(cloths_of(run, facts), options.post.subdivide);
    Frames frames(run, bodies, process);
    const int count =
        options.frames > 0 ? std::min(options.frames + 1, run.frames()) : run.frames();
    const auto tell = [&](const char* pass, int frame, const PostFrame* done) {
        if (options.progress)
            options.progress(pass, frame, count - 1, done);
    };

    double depth = 0;
    for (int frame = 0; frame < count && !options.post.depth; ++frame) {
        frames.take(frame);
        depth = std::max(depth, process.depth(bodies.placed()));
        tell("survey", frame, nullptr);
    }
    const FoldSettings settings = fold_settings(
        options.post, {facts.thickness, std::min(depth, deepest_likely), process.mean_edge()});
    process.set_projection(settings);
    bodies.set_fields(settings, options.level_sets);

    if (options.begin)
        options.begin();
    Json out = new_report(report, run, process, count);
    Json start = out;
    start["ended"] = false;
    PostFiles files(options.run, options.directory, run, process, start);
    PostResult result;
    result.band = settings.band;
    for (int frame = 0; frame < count; ++frame) {
        const auto began = std::chrono::steady_clock::now();
        frames.take(frame);
        const PostFrame done = process.project_and_judge(&bodies.field(), bodies.placed());
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        result.summary.seconds += seconds;
        files.append(frame, done, seconds);
        result.summary.add(done);
        result.last = done.verdict;
        if (frame > 0)
            widen(result.worst, done.verdict);
        tell("post", frame, &done);
    }
    result.passed =
        !report.contains("error") && keeps(facts.limits, result.worst, facts.seams_open);
    put_verdict(out, result.worst, true);
    put_verdict(out["last_frame"], result.last, true);
    out["post"] = post_json(result.summary, process);
    out["passed"] = result.passed;
    files.write_report(out);
    return result;
}

} // namespace muslin
