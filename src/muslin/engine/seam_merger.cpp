#include "muslin/engine/seam_merger.h"

#include "muslin/collision/detect/surfaces.h"
#include "muslin/collision/sides/merged_sides.h"
#include "muslin/collision/untangle/contours.h"
#include "muslin/mesh/normals.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace muslin {
namespace {

std::string describe_refusal(const Model& model, const State& state,
                             const MergeChoice::Refusal& refusal) {
    const Vec3& p = state.positions[refusal.group.front()];
    for (const Seam& seam : model.seams)
        if (std::find(seam.joints.begin(), seam.joints.end(), refusal.group) != seam.joints.end())
            return fmt::format("seam '{}': a joint of {} points near ({:.4g}, {:.4g}, {:.4g}) m "
                               "stays drawn together: as one particle {}",
                               seam.name, refusal.group.size(), p.x, p.y, p.z, refusal.reason);
    return refusal.reason;
}

/// Per particle: whether a triangle or an edge at it crosses another, or a body.
std::vector<char> find_crossed(const Model& model, const State& state) {
    const Surfaces surfaces(model);
    std::vector<Vec3> points(surfaces.point_count());
    std::copy(state.positions.begin(), state.positions.end(), points.begin());
    surfaces.place_bodies(state.time, points);
    std::vector<Interference> crossings;
    CrossingFinder(surfaces).find(points, crossings);
    std::vector<char> out(surfaces.point_count(), 0);
    for (const Interference& c : crossings) {
        for (const int p : surfaces.edges[c.edge])
            out[p] = 1;
        for (const int p : surfaces.triangles[c.triangle])
            out[p] = 1;
    }
    return out;
}

} // namespace

// Joints as one particle each, in the middle and moved from there along the surface's normal by
// lifts, in widths of the joint, at least thicknesses.
SeamMerger::Trial SeamMerger::try_merge(const Scene& scene, const ParticleGroups& groups,
                                        const std::vector<double>& lifts,
                                        const std::vector<char>& crossed_before) const {
    const ParticleMap map = map_particles(scene.model.particle_count(), groups);
    const Model next = merge_particles(scene.model, map);
    State state = scene.state;
    merge_state(scene.model, next, map, state);
    const std::vector<Vec3> normals = vertex_normals(state.positions, next.collision.triangles);
    Trial out;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const int p = map.to[groups[g].front()];
        const double width =
            std::max(joint_width(groups[g], scene.state.positions), next.collision.thickness[p]);
        out.moves.push_back(lifts[g] * width * normals[p]);
        state.positions[p] += out.moves[g];
    }
    const std::vector<char> crossed = find_crossed(next, state);
    for (const std::vector<int>& group : groups)
        out.crosses.push_back(
            crossed[map.to[group.front()]] &&
            std::none_of(group.begin(), group.end(), [&](int p) { return crossed_before[p]; }));
    return out;
}

// Of joints that have met, those that can become one now. Particles that are pressed on a body move
// on their way to the centre of the joint, by no more than the meet distance, which may be more
// than the gap that is left. What would cross then waits for a better moment; or, where that is
// allowed, it is tried again, each after the other, lifted as a hand lifts a seam off the body that
// it is sewn around. Returns how far the particle of each joint is moved [m].
std::vector<Vec3> SeamMerger::find_room(const Scene& scene, ParticleGroups& groups,
                                        bool may_lift) const {
    constexpr std::array lifts = {0.0, 0.2, -0.2, 0.4, -0.4, 0.7, -0.7, 1.0, 1.5, 2.0};
    constexpr std::size_t most_lifted = 12; // joints: each try looks at the whole garment
    const std::vector<char> before = find_crossed(scene.model, scene.state);
    const auto crosses = [](char c) { return c != 0; };
    std::vector<double> chosen(groups.size(), 0.0);
    Trial trial = try_merge(scene, groups, chosen, before);
    ParticleGroups waiting;
    while (std::any_of(trial.crosses.begin(), trial.crosses.end(), crosses)) {
        ParticleGroups kept;
        for (std::size_t g = 0; g < groups.size(); ++g)
            (trial.crosses[g] ? waiting : kept).push_back(groups[g]);
        groups = std::move(kept);
        chosen.resize(groups.size());
        trial = try_merge(scene, groups, chosen, before);
    }
    if (!may_lift)
        return trial.moves;
    for (std::size_t w = 0; w < std::min(waiting.size(), most_lifted); ++w) {
        groups.push_back(waiting[w]);
        chosen.push_back(0);
        const bool found = std::any_of(lifts.begin(), lifts.end(), [&](double lift) {
            chosen.back() = lift;
            Trial with = try_merge(scene, groups, chosen, before);
            if (std::any_of(with.crosses.begin(), with.crosses.end(), crosses))
                return false;
            trial = std::move(with);
            return true;
        });
        if (!found) {
            groups.pop_back();
            chosen.pop_back();
        }
    }
    return trial.moves;
}

// What holds out against the pull of a garment's seams, in the corners of tight ones, is let meet
// from farther and farther off: nothing may cross by that (find_room).
double SeamMerger::seam_reach(const Model& model, int frame) const {
    if (dressing_.phase(frame) != DressingPhase::sew)
        return 1;
    constexpr double patience = 1.2, most_after = 3.5, most = 20; // [s], [s], times
    const double sewn = dressing_.sewing_time(model, frame);
    return 1 + (most - 1) * std::clamp((sewn - patience) / (most_after - patience), 0.0, 1.0);
}

// Lifting is for what has been drawn together for long, and takes long to find.
bool SeamMerger::may_lift(const Model& model, int frame) const {
    return dressing_.holds_out(model, frame, 0.8) && frame % 4 == 0;
}

// Layers that are pressed together beside a joint may cross by a part of their thickness when it
// closes, and so keep it open for ever. Now and then a garment's joints that have long met close
// all the same, while it is dressed: what crosses then is drawn apart as all that does.
bool SeamMerger::is_impatient(const Model& model, int frame) const {
    return dressing_.holds_out(model, frame, 2) && frame % 10 == 0;
}

// A garment's seams close at a run. What has met is merged within the frame then, before contact
// has to hold two borders apart that are drawn together.
bool SeamMerger::wants_to_merge(const Model& model, const State& state, int frame) const {
    constexpr double share = 0.02; // of the open joints: to merge takes a part of a step
    if (dressing_.phase(frame) != DressingPhase::sew)
        return false;
    std::size_t open = 0;
    for (const Seam& seam : model.seams)
        open += seam.joints.size();
    return open > 0 &&
           static_cast<double>(joints_that_met(model, state, seam_reach(model, frame)).size()) >
               share * static_cast<double>(open);
}

// Those that have met and have not been refused. `now`: the particles of the start as they are.
ParticleGroups SeamMerger::joints_to_merge(const Scene& scene, const ParticleMap& now,
                                           double reach) const {
    const std::vector<int>& refused = scene.state.parts.sewing.refused;
    ParticleGroups met = joints_that_met(scene.model, scene.state, reach);
    std::erase_if(met, [&](const std::vector<int>& joint) {
        return std::any_of(refused.begin(), refused.end(), [&](int p) {
            return std::binary_search(joint.begin(), joint.end(), now.to[p]);
        });
    });
    return met;
}

std::optional<Model> SeamMerger::merge(const Scene& scene, bool at_end, FrameReport& report) const {
    const ProfileScope scope(report.seconds, Task::other);
    const auto& [model, frame, conditions, state] = scene;
    const bool impatient = at_end && is_impatient(model, frame);
    const ParticleMap now = map_particles(start_->particle_count(), state.merged);
    const ParticleGroups met =
        joints_to_merge(scene, now, impatient ? 1 : seam_reach(model, frame));
    if (met.empty())
        return {};
    MergeChoice choice = choose_groups(model, met);
    for (const MergeChoice::Refusal& refusal : choice.refused) {
        report.joints_refused.push_back(describe_refusal(model, state, refusal));
        const auto first = std::find(now.to.begin(), now.to.end(), refusal.group.front());
        state.parts.sewing.refused.push_back(static_cast<int>(first - now.to.begin()));
    }
    std::vector<Vec3> lifts;
    if (contact_ && !impatient)
        lifts = find_room(scene, choice.groups, may_lift(model, frame));
    if (choice.groups.empty())
        return {};

    const ParticleMap map = map_particles(model.particle_count(), choice.groups);
    const ParticleMap total = compose(now, map);
    // From the start, so that the same bits come out however many merges it took.
    Model next = merge_particles(*start_, total);
    merge_conditions(map, conditions);
    merge_state(model, next, map, state);
    for (std::size_t g = 0; g < lifts.size(); ++g)
        state.positions[map.to[choice.groups[g].front()]] += lifts[g];
    if (!state.sides.empty())
        merge_sides(Surfaces(model), Surfaces(next), map, state.sides);
    state.merged = total.groups();
    return next;
}

Model SeamMerger::model_of(const State& state) const {
    return merge_particles(*start_, map_particles(start_->particle_count(), state.merged));
}

void SeamMerger::count_joints(const Model& model, const State& state, FrameReport& report) const {
    int all = 0;
    for (const Seam& seam : start_->seams)
        all += static_cast<int>(seam.joints.size());
    for (const Seam& seam : model.seams)
        for (const auto& joint : seam.joints) {
            ++report.joints_open;
            report.seam_gap = std::max(report.seam_gap, joint_width(joint, state.positions));
        }
    report.joints_merged = all - report.joints_open;
}

} // namespace muslin
