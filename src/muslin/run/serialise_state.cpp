#include "muslin/run/serialise_state.h"

namespace muslin {
namespace {

// One list of members for both ways: what is written is const.
template <class Tree>
void serialise_tree(Archive& archive, Tree& tree) {
    archive(tree.count);
    archive.list(tree.slots);
    archive(tree.area);
    archive(tree.built_area);
}

template <class History>
void serialise_bw98(Archive& archive, History& history) {
    archive.list(history.touches, [](Archive& a, auto& touch) {
        a(touch.mode);
        a(touch.place.face);
        a(touch.place.weights);
        a(touch.place.region);
        a(touch.offset);
        a(touch.normal_force);
    });
    archive.list(history.cloth.crossed, [](Archive& a, auto& crossed) {
        a(crossed.key);
        a(crossed.pair);
        a(crossed.edges);
        a(crossed.side);
    });
    archive.list(history.cloth.pushing);
    archive.list(history.before);
    archive(history.time_before);
    archive.list(history.positions);
}

template <class Parts>
void serialise_parts(Archive& archive, Parts& parts) {
    archive(parts.step_size.size);
    archive(parts.step_size.wait);
    archive(parts.step_size.successes);
    archive(parts.step_size.trying_larger);
    archive(parts.contact.started);
    archive.list(parts.contact.released);
    serialise_tree(archive, parts.contact.cloth_tree);
    serialise_tree(archive, parts.contact.body_tree);
    serialise_bw98(archive, parts.contact.bw98);
    archive(parts.sewing.ironing);
    archive.list(parts.sewing.refused);
}

template <class StateType>
void serialise_members(Archive& archive, StateType& s) {
    archive(s.time);
    archive.list(s.positions);
    archive.list(s.velocities);
    archive.list(s.contact_force);
    archive.list(s.bonds, [](Archive& a, auto& bond) {
        a(bond.sticking);
        a(bond.particle);
        a(bond.triangle);
        a(bond.weights);
        a(bond.height);
        a(bond.share);
    });
    archive.list(s.strain_history.triangles);
    archive.list(s.strain_history.hinges);
    archive.list(s.sides, [](Archive& a, auto& side) {
        a(side.pair);
        a(side.seen);
        a(side.side);
        a(side.reliability);
    });
    archive(s.tangle_watch.fewest);
    archive(s.tangle_watch.rest_until);
    archive.list(s.merged, [](Archive& a, auto& group) { a.list(group); });
    serialise_parts(archive, s.parts);
}

} // namespace

void serialise(Archive& archive, State& state) {
    serialise_members(archive, state);
}

void serialise(Archive& archive, const State& state) {
    serialise_members(archive, state);
}

} // namespace muslin
