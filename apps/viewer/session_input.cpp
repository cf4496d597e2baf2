// What the mouse and the keys do.
#include "viewer/session.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <fmt/format.h>

namespace muslin::viewer {

void Session::handle(const InputEvent& event, bool keys_taken, bool mouse_taken) {
    switch (event.kind) {
    case InputEvent::Kind::key:
        if (!keys_taken)
            key(event);
        break;
    case InputEvent::Kind::press:
        hand_.x = event.x;
        hand_.y = event.y;
        if (!mouse_taken && layout_.view.contains(event.x, event.y))
            press(event);
        break;
    case InputEvent::Kind::release:
        release(event);
        break;
    case InputEvent::Kind::move:
        move(event);
        break;
    case InputEvent::Kind::scroll:
        if (!mouse_taken && layout_.view.contains(event.x, event.y)) {
            camera_.zoom(event.scroll);
            space_.followed = false;
        }
        break;
    }
}

int Session::pane_at(double x, double y) const {
    for (std::size_t i = 0; i < layout_.panes.size(); ++i)
        if (layout_.panes[i].contains(x, y))
            return static_cast<int>(i);
    return -1;
}

void Session::press(const InputEvent& event) {
    if (hand_.drag != Drag::none)
        return;
    const int pane = pane_at(event.x, event.y);
    if (pane < 0)
        return;
    active_ = pane;
    hand_.button = event.button;
    if (event.button != InputEvent::Button::left || event.shift) {
        hand_.drag = Drag::pan;
        return;
    }
    hand_.drag = Drag::orbit;
    if (event.alt)
        return;
    const auto hit =
        panes_[pane].pick(ray_through(camera(), layout_.panes[pane], event.x, event.y));
    if (!hit || panes_[pane].source().surfaces()[hit->surface].is_body)
        return;
    pick_vertex(pane, *hit);
    LiveSource* live = panes_[pane].source().live();
    if (!live)
        return;
    if (!timeline_.following()) {
        notify("This frame is past: play on to its end to pull the cloth");
        return;
    }
    hand_.drag = Drag::cloth;
    hand_.anchor = hit->hit.point;
    hand_.grip = panes_[pane].vertex(hit->surface, hit->vertex) - hand_.anchor;
    hand_.target = hand_.anchor + hand_.grip;
    live->send("", [vertex = hand_.picked->at](LiveSimulation& s) { s.grab(vertex); });
}

void Session::look_under_mouse() {
    if (!hand_.moved || hand_.drag != Drag::none)
        return;
    hand_.moved = false;
    const int pane = pane_at(hand_.x, hand_.y);
    const auto hit =
        pane < 0 ? std::nullopt
                 : panes_[pane].pick(ray_through(camera(), layout_.panes[pane], hand_.x, hand_.y));
    hand_.over_cloth = hit && !panes_[pane].source().surfaces()[hit->surface].is_body;
}

void Session::pick_vertex(int pane, const SurfaceHit& hit) {
    if (hand_.picked && hand_.picked->pane != pane)
        if (LiveSource* before = panes_[hand_.picked->pane].source().live())
            before->watch(std::nullopt);
    hand_.picked = PickedVertex{pane, {static_cast<int>(hit.surface), hit.vertex}};
    if (LiveSource* live = panes_[pane].source().live())
        live->watch(hand_.picked->at);
}

void Session::drag_to(double x, double y) {
    const Camera seen = camera();
    const auto point =
        drag_point(seen, ray_through(seen, layout_.panes[hand_.picked->pane], x, y), hand_.anchor);
    if (!point)
        return;
    hand_.target = *point + hand_.grip;
    panes_[hand_.picked->pane].source().live()->send(
        "drag", [target = hand_.target](LiveSimulation& s) { s.drag(target); });
    if (!timeline_.playing())
        notify("Paused: press space to let the cloth follow");
}

void Session::move(const InputEvent& event) {
    const double height = std::max(1.0, layout_.view.height);
    const double dx = (event.x - hand_.x) / height, dy = (event.y - hand_.y) / height;
    hand_.x = event.x;
    hand_.y = event.y;
    hand_.moved = true;
    switch (hand_.drag) {
    case Drag::none:
        return;
    case Drag::orbit:
        camera_.orbit(dx, dy);
        space_.followed = false;
        break;
    case Drag::pan:
        camera_.pan(dx, dy);
        space_.followed = false;
        break;
    case Drag::cloth:
        drag_to(event.x, event.y);
        break;
    }
}

void Session::release(const InputEvent& event) {
    if (hand_.drag == Drag::none || event.button != hand_.button)
        return;
    if (hand_.drag == Drag::cloth)
        panes_[hand_.picked->pane].source().live()->send("",
                                                         [](LiveSimulation& s) { s.release(); });
    hand_.drag = Drag::none;
}

void Session::key(const InputEvent& event) {
    switch (event.key) {
    case GLFW_KEY_SPACE:
        toggle_play();
        break;
    case GLFW_KEY_PERIOD:
    case GLFW_KEY_RIGHT:
        step(1);
        break;
    case GLFW_KEY_COMMA:
    case GLFW_KEY_LEFT:
        step(-1);
        break;
    case GLFW_KEY_HOME:
        seek(range().first);
        break;
    case GLFW_KEY_END:
        seek(range().last);
        break;
    case GLFW_KEY_R:
        restart();
        break;
    case GLFW_KEY_F:
        frame_all();
        break;
    case GLFW_KEY_P:
        toggle_pin();
        break;
    case GLFW_KEY_W:
        look_.wireframe = !look_.wireframe;
        break;
    case GLFW_KEY_C:
        look_.checker = !look_.checker;
        break;
    case GLFW_KEY_T:
        look_.flat = !look_.flat;
        break;
    case GLFW_KEY_G:
        look_.ground = !look_.ground;
        break;
    case GLFW_KEY_M:
        look_.smooth = !look_.smooth;
        break;
    case GLFW_KEY_X:
        look_.marks = !look_.marks;
        break;
    case GLFW_KEY_L:
        timeline_.set_loop(!timeline_.loop());
        break;
    case GLFW_KEY_I:
        for (Pane& pane : panes_)
            if (LiveSource* live = pane.source().live())
                live->judge();
        break;
    case GLFW_KEY_TAB:
        panels.open = !panels.open;
        break;
    case GLFW_KEY_H:
    case GLFW_KEY_F1:
        panels.help = !panels.help;
        break;
    case GLFW_KEY_S:
    case GLFW_KEY_F12:
        wishes.screenshot = true;
        break;
    case GLFW_KEY_ESCAPE:
        if (panels.help)
            panels.help = false;
        else
            wishes.end = true;
        break;
    case GLFW_KEY_Q:
        wishes.end = true;
        break;
    case GLFW_KEY_0:
        set_field(std::nullopt);
        break;
    default:
        break;
    }
    const int number = event.key - GLFW_KEY_1;
    if (number >= 0 && number < static_cast<int>(all_fields.size())) {
        const Field field = all_fields[number];
        for (Pane& pane : panes_)
            if (pane.source().has_field(field))
                return set_field(field);
        notify(fmt::format("{}: nothing here holds it", info(field).label));
    }
}

} // namespace muslin::viewer
