#pragma once

#include "viewer/session.h"

namespace muslin::viewer {

// What is drawn by Dear ImGui over the cloth. Each reads the session and changes it as the user
// asks.

/// The panel at the right: scene, look, fabric, wind, particle, statistics.
void draw_side_panel(Session& session, double scale);
/// The bar at the bottom: play, step, restart, the frames, speed.
void draw_bar(Session& session, double scale);
/// Over the cloth: names of panes, legend of colours, pins, the picked vertex, the hand, notices.
void draw_overlays(Session& session, double scale);
/// Keys and mouse.
void draw_help(Session& session, double scale);

// A line of a panel as it is, and one that steps back.
void text(const std::string& line);
void faint(const std::string& line);

// Parts of the side panel.
void draw_fabric(Session& session, double scale);
void draw_wind(Session& session);
void draw_particle(Session& session);
void draw_statistics(Session& session, double scale);

} // namespace muslin::viewer
