#include "muslin/run/run_files.h"

#include "muslin/base/error.h"
#include "muslin/base/parallel.h"
#include "muslin/io/atomic_file.h"
#include "muslin/io/mesh_file.h"
#include "muslin/io/read_file.h"
#include "muslin/model/build_model.h"
#include "muslin/run/certificate.h"
#include "muslin/run/dressed_body.h"
#include "muslin/run/fit_report.h"
#include "muslin/run/version.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace muslin {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Vec3& v) {
    return Json::array({v.x, v.y, v.z});
}

Json stats_line(const FrameRecord& record, bool has_bodies) {
    const FrameReport& r = record.report;
    Json line;
    line["frame"] = r.frame;
    line["time"] = r.time;
    line["steps"] = r.steps;
    line["rejected_steps"] = r.rejected_steps;
    line["step_min"] = r.step_min;
    line["step_max"] = r.step_max;
    line["cg_iterations"] = r.cg_iterations;
    line["unconverged_steps"] = r.unconverged_steps;
    if (r.element_evaluations > 0) {
        line["element_evaluations"] = r.element_evaluations;
        line["damped_particles"] = r.damped_particles;
    }
    line["contacts"] = r.contacts;
    line["impacts"] = r.impacts;
    line["crossings"] = r.crossings;
    line["bonds"] = r.bonds;
    line["bonds_formed"] = r.bonds_formed;
    line["bonds_broken"] = r.bonds_broken;
    if (r.joints_open + r.joints_merged > 0) {
        line["seams_open"] = r.joints_open;
        line["seams_merged"] = r.joints_merged;
        line["seam_gap"] = r.seam_gap;
        if (!r.joints_refused.empty())
            line["seams_refused"] = r.joints_refused;
    }
    if (!r.released.empty())
        line["released"] = r.released;
    line["seconds"] = to_json(r.seconds);
    line["seconds"]["judge"] = record.judge_seconds; // beside the total: no part of the simulation
    line["energy"] = {{"kinetic", r.kinetic}, {"elastic", r.elastic}, {"gravity", r.gravity}};
    put_verdict(line, record.verdict, has_bodies);
    for (const PinForce& pin : r.pin_forces)
        line["pin_forces"][pin.region] = to_json(pin.force);
    line["hash"] = r.hash;
    if (record.post)
        line["post"] = post_json(*record.post);
    return line;
}

/// What report.json says of a run from its start on.
Json describe_run(const SceneDescription& scene, const Simulation& simulation) {
    const Model& model = simulation.model();
    Json out;
    out["scene"] = scene.name;
    out["title"] = scene.title;
    out["program"] = version_text();
    out["recipe"] = simulation.recipe().name;
    out["parts"] = simulation.recipe().parts;
    out["threads"] = thread_count();
    out["particles"] = model.particle_count();
    out["triangles"] = model.dynamics.triangles.size();
    for (const Cloth& cloth : model.cloths)
        out["cloths"].push_back(
            {{"name", cloth.name},
             {"vertices", cloth.surface.vertex_particle.size()},
             {"material", cloth.material.name},
             {"thickness", cloth.material.thickness},
             {"rest", cloth.surface.rest == RestShape::texcoords ? "texcoords" : "positions"}});
    out["bodies"] = Json::array();
    for (const Body& body : model.bodies) {
        out["bodies"].push_back({{"name", body.name}, {"vertices", body.mesh.positions.size()}});
        if (!body.visible)
            out["bodies"].back()["visible"] = false;
    }
    out["frames_wanted"] = scene.time.frames;
    out["frame_rate"] = scene.time.frame_rate;
    return out;
}

double line_length(const std::vector<Vec3>& positions, const std::vector<int>& line) {
    double sum = 0;
    for (std::size_t i = 1; i < line.size(); ++i)
        sum += norm(positions[line[i]] - positions[line[i - 1]]);
    return sum;
}

/// How far the seams of a scene are closed, and how long the sides of those of garments are.
Json seams_json(const Simulation& simulation) {
    Json out = Json::array();
    for (std::size_t s = 0; s < simulation.model().seams.size(); ++s) {
        const Seam& seam = simulation.model().seams[s];
        const std::size_t all = simulation.start_model().seams[s].joints.size();
        double gap = 0;
        for (const auto& joint : seam.joints)
            gap = std::max(gap, joint_width(joint, simulation.state().positions));
        out.push_back({{"name", seam.name},
                       {"joints", all},
                       {"merged", all - seam.joints.size()},
                       {"closed", seam.joints.empty()},
                       {"gap", gap}});
        if (!seam.sides)
            continue;
        const SeamSides& sides = *seam.sides;
        out.back()["rest_lengths"] = sides.lengths;
        out.back()["length_error"] = sides.length_error();
        out.back()["gathered"] = sides.is_gathered();
        out.back()["length"] = line_length(
            simulation.positions(simulation.model().cloths[sides.cloth].name), sides.vertices[0]);
    }
    return out;
}

std::string first_lines(const std::filesystem::path& file, int count) {
    const std::string all = read_file(file);
    std::size_t end = 0;
    for (int line = 0; line < count; ++line) {
        end = all.find('\n', end);
        if (end == std::string::npos)
            throw FileError(file.string(),
                            fmt::format("cannot be continued: it does not hold {} frames", count));
        ++end;
    }
    return all.substr(0, end);
}

} // namespace

RunFiles::RunFiles(const std::filesystem::path& directory, const SceneDescription& scene,
                   const Simulation& simulation, const RunPost* post,
                   std::optional<KeptFrames> resumed)
    : directory_(directory), has_bodies_(!simulation.model().bodies.empty()), post_(post),
      fields_(simulation) {
    const Model& model = simulation.model();
    const std::filesystem::path stats = directory / "stats.jsonl";
    std::string lines;
    if (resumed) {
        lines = first_lines(stats, resumed->count);
        kept_ = KeptSamples{resumed->count + 1}; // and the start
        changed_ = resumed->changed;
    } else {
        remove_earlier_run(directory);
        write_start_report(scene, simulation);
    }
    for (const Cloth& cloth : model.cloths)
        open_cloth(cloth);
    for (const Body& body : model.bodies)
        open_body(body, simulation.state().positions);
    if (resumed) {
        write_file_atomically(stats, lines);
        write_start_report(scene, simulation);
    }
    write_file_atomically(directory / "scene.toml", scene.source_text);
    stats_.open(stats, resumed ? std::ios::app : std::ios::trunc);
    if (!stats_)
        throw FileError(stats.string(), "cannot be written: " + system_reason());
    if (!resumed)
        append_frame(simulation);
}

void RunFiles::append(const Simulation& simulation, const FrameRecord& record) {
    append_frame(simulation);
    errno = 0;
    stats_ << stats_line(record, has_bodies_).dump() << '\n' << std::flush;
    if (!stats_)
        throw FileError((directory_ / "stats.jsonl").string(),
                        "cannot be written: " + system_reason());
}

void RunFiles::synchronise() const {
    using muslin::synchronise;
    for (const std::filesystem::path& file : written_)
        synchronise(file);
    synchronise(directory_ / "stats.jsonl");
    synchronise(directory_);
}

void RunFiles::write_report(const SceneDescription& scene, const Simulation& simulation,
                            const RunSummary& s) const {
    Json out = describe_run(scene, simulation);
    out["frames"] = s.frames;
    out["steps"] = s.steps;
    out["steps_per_frame"] = s.frames > 0 ? static_cast<double>(s.steps) / s.frames : 0.0;
    out["rejected_steps"] = s.rejected_steps;
    out["step_min"] = s.step_min;
    out["step_max"] = s.step_max;
    out["cg_iterations"] = s.cg_iterations;
    out["unconverged_steps"] = s.unconverged_steps;
    if (s.element_evaluations > 0) {
        out["element_evaluations"] = s.element_evaluations;
        out["damped_particles"] = s.damped_particles;
    }
    out["impacts"] = s.impacts;
    out["released"] = s.released;
    out["crossings_left"] = s.crossings;
    out["seconds"] = to_json(s.seconds);
    out["seconds_per_frame"] = s.frames > 0 ? s.seconds.total() / s.frames : 0.0;
    out["energy"] = {{"kinetic", s.kinetic}, {"elastic", s.elastic}, {"gravity", s.gravity}};
    put_verdict(out, s.worst, has_bodies_);
    put_verdict(out["last_frame"], s.last, has_bodies_);
    if (post_) {
        out["post"] = post_json(post_->summary(), post_->process());
        for (std::size_t c = 0; c < caches_.size(); ++c)
            out["cloths"][c]["vertices"] = post_->process().positions(c).size();
    }
    if (!simulation.start_model().seams.empty()) {
        out["seams_open"] = s.seams_open;
        out["seams"] = seams_json(simulation);
    }
    if (Json fit = fit_json(simulation); !fit.is_null())
        out["fit"] = std::move(fit);
    for (const DressedPhase& p : s.dressing)
        out["dressing"][phase_name(p.phase)] = {
            {"frames", p.frames}, {"steps", p.steps}, {"seconds", p.seconds}, {"cached", p.cached}};
    for (const ResumedRun& resumed : s.resumed)
        out["resumed"].push_back({{"frame", resumed.frame}, {"changes", resumed.changes}});
    out["hash"] = s.hash;
    if (const ContactResponse* contact = simulation.contact())
        if (const auto work = contact->level_sets())
            out["level_sets"] = {
                {"made", work->made}, {"read", work->read}, {"seconds", work->seconds}};
    out["peak_memory_bytes"] = peak_memory_bytes();
    out["limits"] = limits_json(scene.limits);
    if (!s.error.empty())
        out["error"] = s.error;
    if (s.interrupted)
        out["ended"] = false;
    out["passed"] = s.passed;
    write_file_atomically(directory_ / "report.json", out.dump(2) + "\n");
}

/// Tells programs that read a run which goes on, or was cut off, how to read it.
void RunFiles::write_start_report(const SceneDescription& scene,
                                  const Simulation& simulation) const {
    Json out = describe_run(scene, simulation);
    out["ended"] = false;
    write_file_atomically(directory_ / "report.json", out.dump(2) + "\n");
}

void RunFiles::open_cloth(const Cloth& cloth) {
    const std::size_t c = caches_.size();
    const PolygonMesh& mesh = post_ ? post_->process().mesh(c) : cloth.surface.mesh;
    const int points = static_cast<int>(mesh.positions.size());
    const std::filesystem::path file = directory_ / (cloth.name + ".obj");
    const std::filesystem::path cache = directory_ / (cloth.name + ".pc2");
    if (!kept_ || !std::filesystem::exists(file))
        write_mesh(file, mesh);
    caches_.push_back(kept_ ? std::make_unique<Pc2Writer>(cache, points, *kept_)
                            : std::make_unique<Pc2Writer>(cache, points));
    written_.push_back(cache);
    open_fields(cloth, points);
}

void RunFiles::open_fields(const Cloth& cloth, int points) {
    const std::filesystem::path file = directory_ / (cloth.name + ".fields");
    const auto& names = fields_.names(field_caches_.size());
    auto& cache = field_caches_.emplace_back();
    if (names.empty()) {
        std::error_code error;
        std::filesystem::remove(file, error); // of an earlier run, which may have had some
        return;
    }
    const bool is_new = is_new_file(file);
    cache = kept_ && !is_new ? std::make_unique<FieldCacheWriter>(file, points, names, *kept_)
                             : std::make_unique<FieldCacheWriter>(file, points, names);
    written_.push_back(file);
    if (!is_new)
        return;
    // There was no contact, nor a seam, that could have had any.
    const std::vector<std::vector<double>> none(
        names.size(), std::vector<double>(static_cast<std::size_t>(points)));
    for (int sample = 0; sample < kept_->count; ++sample)
        cache->append(none);
}

void RunFiles::open_body(const Body& body, std::span<const Vec3> cloth) {
    const std::filesystem::path file = directory_ / ("body-" + body.name + ".obj");
    const std::filesystem::path cache = directory_ / ("body-" + body.name + ".pc2");
    const int points = static_cast<int>(body.mesh.positions.size());
    auto& writer = body_caches_.emplace_back();
    PolygonMesh mesh = body.mesh;
    dressed_positions(body, 0, cloth, mesh.positions);
    std::error_code error;
    if (!kept_) {
        write_mesh(file, mesh);
        std::filesystem::remove(cache, error); // of an earlier run, where it may have moved
    }
    // One that stands still after it has moved goes on in its cache.
    const bool was_moving = kept_ && std::filesystem::exists(cache, error);
    if (!is_moving(body) && !was_moving)
        return;
    const bool is_new = is_new_file(cache);
    writer = kept_ && !is_new ? std::make_unique<Pc2Writer>(cache, points, *kept_)
                              : std::make_unique<Pc2Writer>(cache, points);
    written_.push_back(cache);
    if (!is_new)
        return;
    const std::vector<Vec3> still = read_mesh(file).positions; // as it stood until now
    for (int sample = 0; sample < kept_->count; ++sample)
        writer->append(still.size() == mesh.positions.size() ? still : mesh.positions);
}

/// Whether a run that was changed needs a file that it had no use for before.
bool RunFiles::is_new_file(const std::filesystem::path& file) const {
    std::error_code error;
    return kept_ && changed_ && !std::filesystem::exists(file, error);
}

void RunFiles::append_frame(const Simulation& simulation) {
    const Model& model = simulation.model();
    const State& state = simulation.state();
    fields_.update();
    for (std::size_t c = 0; c < model.cloths.size(); ++c) {
        if (!post_)
            surface_positions(model.cloths[c], state, points_);
        caches_[c]->append(post_ ? post_->process().positions(c) : points_);
        if (!field_caches_[c])
            continue;
        fields_.read(c, values_);
        for (std::vector<double>& values : values_)
            if (post_) {
                post_->process().refine(c, values, refined_);
                values.swap(refined_);
            }
        field_caches_[c]->append(values_);
    }
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        if (!body_caches_[b])
            continue;
        points_.resize(model.bodies[b].mesh.positions.size());
        dressed_positions(model.bodies[b], state.time, state.positions, points_);
        body_caches_[b]->append(points_);
    }
}

} // namespace muslin
