#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace muslin {

/// The numbers a key accepts, and what its message says of them. Never inf or nan.
struct Range {
    double min = -std::numeric_limits<double>::infinity();
    double max = std::numeric_limits<double>::infinity();
    bool min_excluded = false;
    std::string_view unit = {};
    std::string_view hint = {}; ///< what to say of a number above the range
};

constexpr double no_limit = std::numeric_limits<double>::infinity();
constexpr Range any_number(std::string_view unit) {
    return {-no_limit, no_limit, false, unit, {}};
}
constexpr Range positive(std::string_view unit, double max = no_limit, std::string_view hint = {}) {
    return {0, max, true, unit, hint};
}
constexpr Range at_least(double min, std::string_view unit = {}, double max = no_limit,
                         std::string_view hint = {}) {
    return {min, max, false, unit, hint};
}
constexpr Range between(double min, double max, std::string_view unit = {},
                        std::string_view hint = {}) {
    return {min, max, false, unit, hint};
}

/// What a key holds.
enum class ValueKind { boolean, integer, number, text, choice, vec3, table, tables, other };

/// A key that a table of a scene may have: what the reader accepts, what messages say, and its row
/// in docs/scene-format.md. Its range and unit stand nowhere else.
struct Key {
    std::string_view name;
    ValueKind kind = ValueKind::other;
    std::string type = {};     ///< as the docs call it
    Range range = {};          ///< of its numbers
    std::string fallback = {}; ///< what holds where it is not given, as the docs write it
    std::string meaning = {};
    std::vector<std::string_view> words = {}; ///< that a choice is made from
};

/// The keys that one table may have. Every table is read against its group, so a key that is not
/// here can be neither written by a user nor read by the loader.
struct KeyGroup {
    std::string_view table;
    std::vector<Key> keys;
    /// Of a table with a `type`: what each type adds, by its name.
    std::vector<KeyGroup> kinds = {};

    const Key* find(std::string_view key) const;
    const KeyGroup* kind(std::string_view name) const;
    /// Of all keys, those of kinds included, each once.
    std::vector<std::string_view> names() const;
};

namespace keys {

extern const KeyGroup scene, parts, world, time, solver, contact, level_sets, post, limits,
    dressing, force;                                                         // keys_scene.cpp
extern const KeyGroup cloth, layer, points, repeat, body, animation, motion, // keys_cloth.cpp
    garment, placed_panel, material;
extern const KeyGroup mesh; // keys_mesh.cpp
extern const KeyGroup region, box, map, pin, rest_stretch, rest_angle, pull, load, stitch, seam,
    sticking, tape, tack, weight, start, connections, keyframe; // keys_controls.cpp

/// For tests and the documentation, in its order: every group of a scene.
std::vector<const KeyGroup*> all();

} // namespace keys

} // namespace muslin
