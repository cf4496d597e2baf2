#include "viewer/event_log.h"

#include "muslin/base/error.h"

#include <nlohmann/json.hpp>

namespace muslin::viewer {
namespace {

using Json = nlohmann::ordered_json;

Json place(const Vec3& v) {
    return Json::array({v.x, v.y, v.z});
}

// Where the middle of the first cloth is drawn.
Json middle(Session& session) {
    Pane& pane = session.panes().front();
    const std::size_t count = pane.source().surfaces().front().start.size();
    Vec3 sum = {0, 0, 0};
    for (std::size_t i = 0; i < count; ++i)
        sum += pane.vertex(0, static_cast<int>(i));
    const auto p = project(session.camera(), session.layout().panes.front(),
                           (1.0 / static_cast<double>(count)) * sum);
    return p ? Json::array({p->x, p->y}) : Json();
}

} // namespace

EventLog::EventLog(const std::string& file) : file_(file) {
    if (file.empty())
        return;
    stream_.open(file, std::ios::trunc);
    if (!stream_)
        throw FileError(file, "cannot be written");
}

void EventLog::ready(const Session& session, const Window& window) {
    if (file_.empty())
        return;
    Json line = {{"event", "ready"}, {"width", window.width()}, {"height", window.height()}};
    for (const Rectangle& r : session.layout().panes)
        line["panes"].push_back({r.x, r.y, r.width, r.height});
    stream_ << line.dump() << '\n' << std::flush;
}

void EventLog::frame(Session& session, double seconds) {
    if (file_.empty())
        return;
    Json line = {{"event", "frame"},
                 {"frame", session.timeline().frame()},
                 {"last", session.range().last},
                 {"playing", session.timeline().playing()},
                 {"draw_seconds", seconds},
                 {"middle", middle(session)}};
    if (const auto& picked = session.picked()) {
        Pane& pane = session.panes()[picked->pane];
        const Vec3 x = pane.vertex(picked->at.cloth, picked->at.vertex);
        line["pane"] = picked->pane;
        line["vertex"] = picked->at.vertex;
        line["position"] = place(x);
        if (const auto p = project(session.camera(), session.layout().panes[picked->pane], x))
            line["pixel"] = {p->x, p->y};
        if (session.dragging())
            line["target"] = place(session.drag_target());
        if (LiveSource* live = pane.source().live())
            line["pinned"] = live->view()->pinned.size();
    }
    stream_ << line.dump() << '\n' << std::flush;
}

void EventLog::screenshot(const std::string& file) {
    if (!file_.empty())
        stream_ << Json{{"event", "screenshot"}, {"file", file}}.dump() << '\n' << std::flush;
}

void EventLog::end(Session& session) {
    if (!file_.empty())
        stream_ << Json{{"event", "end"}, {"last", session.range().last}}.dump() << '\n'
                << std::flush;
}

} // namespace muslin::viewer
