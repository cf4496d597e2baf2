#pragma once

#include <span>
#include <string_view>

namespace muslin {

/// The keys that one table of a scene may have. Every table is read against its group, so a key
/// missing here can be neither written by a user nor read by the loader; docs/scene-format.md has
/// one section per group (a test compares them).
struct KeyGroup {
    std::string_view table;
    std::span<const std::string_view> keys;
};

namespace keys {

inline constexpr std::string_view scene_list[] = {
    "name",   "title",   "recipe",      "parts",        "world",      "time",
    "solver", "contact", "level_sets",  "post",         "limits",     "cloth",
    "body",   "region",  "pin",         "rest_stretch", "rest_angle", "pull",
    "load",   "stitch",  "seam",        "sticking",     "tape",       "tack",
    "weight", "start",   "connections", "garment",      "dressing"};
inline constexpr std::string_view parts_list[] = {"in_plane",     "bending",      "weight",
                                                  "air",          "outside",      "integrator",
                                                  "strain_limit", "step_control", "contact"};
inline constexpr std::string_view world_list[] = {
    "gravity", "wind", "air_density", "drag_coefficient", "linear_drag", "viscous_drag"};
inline constexpr std::string_view time_list[] = {"frames",   "frame_rate",           "max_step",
                                                 "min_step", "stretch_change_limit", "max_steps"};
inline constexpr std::string_view solver_list[] = {
    "tolerance",         "accuracy",     "max_iterations", "preconditioner",
    "newton_iterations", "linearise_at", "local_rates",    "stability_control",
    "limit_damping",     "adaptive",     "error"};
inline constexpr std::string_view contact_list[] = {
    "allow_tangled", "untangle", "relaxation", "consistency", "memory",       "sphere_radius",
    "bodies",        "test",     "volume",     "resolve_at",  "friction_law", "self_response"};
inline constexpr std::string_view level_sets_list[] = {"voxel", "band", "cache"};
inline constexpr std::string_view post_list[] = {"enabled", "epsilon", "tau", "depth", "subdivide"};
inline constexpr std::string_view limits_list[] = {"stretch_max",          "stretch_min",
                                                   "self_intersections",   "body_intersections",
                                                   "body_penetration_max", "seams_open"};
inline constexpr std::string_view cloth_list[] = {
    "name",   "mesh",        "material", "position", "rotation",  "scale", "velocity",
    "repeat", "rest_angles", "surface",  "dynamics", "collision", "points"};
inline constexpr std::string_view layer_list[] = {"mesh"};
inline constexpr std::string_view points_list[] = {"name", "places", "mesh", "spacing",
                                                   "box",  "margin", "mass"};
inline constexpr std::string_view repeat_list[] = {"count", "offset", "rotation"};
inline constexpr std::string_view body_list[] = {"name",      "mesh",     "position",  "rotation",
                                                 "scale",     "friction", "thickness", "motion",
                                                 "animation", "visible"};
inline constexpr std::string_view animation_list[] = {"path",  "frame_rate", "clip",
                                                      "start", "speed",      "loop"};
inline constexpr std::string_view garment_list[] = {
    "name", "pattern", "resolution", "material",  "position",  "rotation", "scale",
    "body", "layer",   "clearance",  "stiffness", "max_force", "panels",   "sizes"};
inline constexpr std::string_view placed_panel_list[] = {"name", "position", "rotation", "move"};
inline constexpr std::string_view dressing_list[] = {
    "sew", "stage", "gravity", "friction", "slim", "settle", "preroll", "show", "cache"};
inline constexpr std::string_view mesh_list[] = {
    "type",          "path",         "unit",           "up",        "rest",       "width",
    "depth",         "columns",      "rows",           "diagonals", "along_z",    "vertices",
    "seed",          "jitter",       "radius",         "height",    "rings",      "segments",
    "bands",         "capped",       "staggered",      "size",      "divisions",  "resolution",
    "profile",       "balls",        "blend",          "frequency", "wall",       "paddles",
    "paddle_height", "paddle_width", "length",         "neck",      "sleeve",     "cuff",
    "rise",          "leg",          "edge",           "gap",       "thickness",  "sides",
    "legs",          "leg_size",     "leg_sides",      "back",      "outline",    "counts",
    "roll",          "arm_angle",    "part",           "folds",     "fold_angle", "bust",
    "waist",         "hip",          "shoulder_width", "arm_length"};
inline constexpr std::string_view material_list[] = {"base",
                                                     "name",
                                                     "source",
                                                     "density",
                                                     "stretch_u",
                                                     "stretch_v",
                                                     "shear",
                                                     "bend_u",
                                                     "bend_v",
                                                     "stretch_damping",
                                                     "shear_damping",
                                                     "bend_damping",
                                                     "bend_stiffening",
                                                     "bend_rate_stiffening",
                                                     "thickness",
                                                     "friction",
                                                     "young",
                                                     "poisson",
                                                     "bend_factor",
                                                     "compression_stiffness",
                                                     "soft_extension",
                                                     "curvature_limit",
                                                     "yield_stretch",
                                                     "yield_bend",
                                                     "relaxation_time",
                                                     "spring_structural",
                                                     "spring_shear",
                                                     "spring_flexion",
                                                     "spring_damping",
                                                     "elongation_limit",
                                                     "elongation_law",
                                                     "potential",
                                                     "sharpness"};
inline constexpr std::string_view region_list[] = {"name",  "cloth", "vertices", "box",
                                                   "group", "map",   "nearest",  "layer"};
inline constexpr std::string_view box_list[] = {"min", "max"};
inline constexpr std::string_view map_list[] = {"name", "threshold"};
inline constexpr std::string_view pin_list[] = {
    "name",    "region", "cloth",      "vertices",  "box",       "group",  "map",
    "nearest", "hold",   "directions", "point",     "direction", "center", "normal",
    "axis",    "radius", "motion",     "animation", "start",     "end"};
inline constexpr std::string_view motion_list[] = {"translation", "rotation", "pivot"};
inline constexpr std::string_view rest_stretch_list[] = {
    "name", "region", "cloth", "vertices", "box", "group", "map", "nearest", "b_u", "b_v"};
inline constexpr std::string_view rest_angle_list[] = {
    "name", "region", "cloth", "vertices", "box", "group", "map", "nearest", "angle"};
inline constexpr std::string_view pull_list[] = {
    "name",    "region", "cloth",     "vertices", "box",   "group", "map",
    "nearest", "target", "stiffness", "damping",  "start", "end"};
inline constexpr std::string_view load_list[] = {"name",  "region", "cloth", "vertices",
                                                 "box",   "group",  "map",   "nearest",
                                                 "force", "start",  "end"};
inline constexpr std::string_view stitch_list[] = {"name", "regions", "distance"};
inline constexpr std::string_view seam_list[] = {"name",    "regions",   "joints", "stiffness",
                                                 "damping", "max_force", "ramp",   "meet_distance",
                                                 "start",   "end"};
inline constexpr std::string_view sticking_list[] = {
    "name",      "region",  "cloth",     "vertices", "box",           "group",     "map",
    "nearest",   "body",    "to_region", "body_box", "body_vertices", "tolerance", "break_distance",
    "stiffness", "damping", "interval",  "strength", "start",         "end"};
inline constexpr std::string_view tape_list[] = {
    "name",      "region",  "cloth",    "vertices", "box",           "group",
    "map",       "nearest", "body",     "body_box", "body_vertices", "tolerance",
    "stiffness", "damping", "interval", "strength", "start",         "end"};
inline constexpr std::string_view tack_list[] = {
    "name", "regions", "tolerance", "stiffness", "damping", "interval", "strength", "start", "end"};
inline constexpr std::string_view weight_list[] = {"name", "region",         "cloth", "vertices",
                                                   "box",  "group",          "map",   "nearest",
                                                   "mass", "mass_per_length"};
inline constexpr std::string_view start_list[] = {"cloth", "path"};
inline constexpr std::string_view connections_list[] = {
    "name",    "region", "cloth",   "vertices",   "box",       "group",    "map",  "nearest",
    "between", "rule",   "layer",   "distance",   "count",     "pairs",    "rest", "stiffness",
    "modulus", "volume", "damping", "relaxation", "potential", "sharpness"};
inline constexpr std::string_view keyframe_list[] = {"t", "value"};

inline constexpr KeyGroup scene = {"scene", scene_list};
inline constexpr KeyGroup parts = {"parts", parts_list};
inline constexpr KeyGroup world = {"world", world_list};
inline constexpr KeyGroup time = {"time", time_list};
inline constexpr KeyGroup solver = {"solver", solver_list};
inline constexpr KeyGroup contact = {"contact", contact_list};
inline constexpr KeyGroup level_sets = {"level_sets", level_sets_list};
inline constexpr KeyGroup post = {"post", post_list};
inline constexpr KeyGroup limits = {"limits", limits_list};
inline constexpr KeyGroup cloth = {"cloth", cloth_list};
inline constexpr KeyGroup placed_panel = {"panels", placed_panel_list};
inline constexpr KeyGroup garment = {"garment", garment_list};
inline constexpr KeyGroup dressing = {"dressing", dressing_list};
inline constexpr KeyGroup repeat = {"repeat", repeat_list};
inline constexpr KeyGroup body = {"body", body_list};
inline constexpr KeyGroup animation = {"animation", animation_list};
inline constexpr KeyGroup mesh = {"mesh", mesh_list};
inline constexpr KeyGroup material = {"material", material_list};
inline constexpr KeyGroup region = {"region", region_list};
inline constexpr KeyGroup box = {"box", box_list};
inline constexpr KeyGroup map = {"map", map_list};
inline constexpr KeyGroup pin = {"pin", pin_list};
inline constexpr KeyGroup motion = {"motion", motion_list};
inline constexpr KeyGroup rest_stretch = {"rest_stretch", rest_stretch_list};
inline constexpr KeyGroup rest_angle = {"rest_angle", rest_angle_list};
inline constexpr KeyGroup pull = {"pull", pull_list};
inline constexpr KeyGroup load = {"load", load_list};
inline constexpr KeyGroup stitch = {"stitch", stitch_list};
inline constexpr KeyGroup seam = {"seam", seam_list};
inline constexpr KeyGroup sticking = {"sticking", sticking_list};
inline constexpr KeyGroup tape = {"tape", tape_list};
inline constexpr KeyGroup tack = {"tack", tack_list};
inline constexpr KeyGroup weight = {"weight", weight_list};
inline constexpr KeyGroup start = {"start", start_list};
inline constexpr KeyGroup layer = {"layer", layer_list};
inline constexpr KeyGroup points = {"points", points_list};
inline constexpr KeyGroup connections = {"connections", connections_list};
inline constexpr KeyGroup keyframe = {"keyframe", keyframe_list};

/// Every group, in the order of the documentation.
inline constexpr KeyGroup all[] = {
    scene,  parts,  world,       time,    solver,       contact,    level_sets, post,
    limits, cloth,  repeat,      body,    animation,    mesh,       material,   region,
    box,    map,    pin,         motion,  rest_stretch, rest_angle, pull,       load,
    stitch, seam,   sticking,    tape,    tack,         weight,     start,      keyframe,
    layer,  points, connections, garment, placed_panel, dressing};

} // namespace keys

} // namespace muslin
