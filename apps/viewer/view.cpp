#include "viewer/viewer.h"

#include "muslin/base/error.h"
#include "muslin/render/image.h"
#include "viewer/event_log.h"
#include "viewer/panels.h"
#include "viewer/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

namespace muslin::viewer {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point a, Clock::time_point b) {
    return std::chrono::duration<double>(b - a).count();
}

// A name for a picture that no file has yet.
std::string free_name(const std::string& stem, int frame) {
    for (int copy = 1;; ++copy) {
        const std::string name = copy == 1 ? fmt::format("{}-{:04}.png", stem, frame)
                                           : fmt::format("{}-{:04}-{}.png", stem, frame, copy);
        std::error_code error;
        if (!std::filesystem::exists(name, error))
            return name;
    }
}

/// The loop of the window: events, time, drawing.
class Loop {
public:
    Loop(const ViewArguments& arguments, Session& session, Window& window, EventLog& log)
        : arguments_(arguments), session_(session), window_(window), log_(log) {}

    void run() {
        arrange();
        draw(); // the first takes long: the clock starts after it
        last_ = Clock::now();
        log_.ready(session_, window_);
        while (!window_.should_close() && !session_.wishes.end) {
            // Panels settle over some frames after the last event; a still window costs nothing.
            window_.wait(session_.timeline().playing() || lively_ > 0 ? 0.005 : 0.05);
            if (take_events())
                lively_ = 4;
            const auto now = Clock::now();
            const double passed = std::min(0.25, seconds_between(last_, now));
            last_ = now;
            arrange();
            session_.advance(passed);
            note_changes();
            if (window_.minimised() || (lively_ <= 0 && (refined_ || !refine_due())))
                continue;
            --lively_;
            draw();
            if (finished())
                break;
        }
        if (!arguments_.screenshot.empty()) {
            session_.advance(0);
            coarseness_ = 0;
            for (int i = 0; i < 2; ++i) // panels measure themselves in the first
                draw();
            write_png(arguments_.screenshot, picture_);
            log_.screenshot(arguments_.screenshot);
        }
        log_.end(session_);
    }

private:
    void arrange() { session_.arrange(window_.width(), window_.height(), window_.scale()); }

    bool take_events() {
        const auto events = window_.take_events();
        for (const InputEvent& event : events)
            session_.handle(event, window_.wants_keys(), window_.wants_mouse());
        return !events.empty();
    }

    // What simulations did since the last look has to be shown.
    void note_changes() {
        std::vector<std::shared_ptr<const LiveView>> views; // held: no other may take its address
        std::vector<const void*> state;
        for (Pane& pane : session_.panes()) {
            state.push_back(&pane.frame());
            if (LiveSource* live = pane.source().live()) {
                views.push_back(live->view());
                state.push_back(views.back().get());
            }
        }
        state.push_back(session_.notice().empty() ? nullptr : this);
        if (state != shown_)
            lively_ = std::max(lively_, 1);
        shown_ = std::move(state);
        shown_views_ = std::move(views);
    }

    // Where drawing is slow, things that move are drawn without what takes long, and once more
    // with it when they rest.
    bool refine_due() const { return seconds_between(moved_, Clock::now()) > 0.3; }

    void paint_panes() {
        const double pixels = window_.pixels_per_unit();
        for (std::size_t i = 0; i < session_.panes().size(); ++i) {
            const Rectangle& r = session_.layout().panes[i];
            Pane::View view;
            view.camera = session_.camera();
            view.bounds = session_.bounds();
            view.toward_light = session_.toward_light();
            const auto left = static_cast<int>(std::lround(r.x * pixels));
            view.width =
                std::max(1, static_cast<int>(std::lround((r.x + r.width) * pixels)) - left);
            view.height = std::max(1, static_cast<int>(std::lround(r.height * pixels)));
            view.draft = draft_;
            session_.panes()[i].paint(view);
            session_.panes()[i].put(left, window_.pixel_height() - view.height);
        }
    }

    void draw() {
        const auto begin = Clock::now();
        const bool moving = session_.timeline().playing() || session_.busy();
        draft_ = (moving || !refine_due()) && !session_.wishes.screenshot ? coarseness_ : 0;
        if (moving)
            moved_ = begin;
        refined_ = draft_ == 0;
        window_.begin_frame();
        paint_panes();
        draw_overlays(session_, window_.scale());
        draw_side_panel(session_, window_.scale());
        draw_bar(session_, window_.scale());
        draw_help(session_, window_.scale());
        window_.draw_panels();
        if (session_.wishes.screenshot || !arguments_.screenshot.empty())
            picture_ = window_.read();
        window_.show();
        log_frame(seconds_between(begin, Clock::now()));
        save_screenshot();
        if (moving && draft_ == coarseness_ && seconds_between(begin, Clock::now()) > 0.045)
            coarseness_ = std::min(2, draft_ + 1);
    }

    void log_frame(double seconds) {
        if (session_.timeline().frame() != logged_ || session_.busy()) {
            log_.frame(session_, seconds);
            logged_ = session_.timeline().frame();
        }
    }

    void save_screenshot() {
        if (!session_.wishes.screenshot)
            return;
        session_.wishes.screenshot = false;
        const std::string file =
            free_name(session_.panes().front().source().name(), session_.timeline().frame());
        try {
            write_png(file, picture_);
            session_.notify("Saved " + std::filesystem::absolute(file).string());
            log_.screenshot(file);
        } catch (const std::runtime_error& error) {
            session_.notify(error.what());
        }
        lively_ = 2;
    }

    // With --frames: whether they have been shown. A picture then is of exactly the last.
    bool finished() {
        if (arguments_.frames <= 0)
            return false;
        if (const std::string trouble = session_.trouble(); !trouble.empty())
            throw SimulationError(trouble);
        const int shown = session_.timeline().frame();
        if (shown >= arguments_.frames)
            session_.seek(arguments_.frames);
        return shown >= arguments_.frames ||
               (!session_.timeline().playing() && !session_.any_live() &&
                shown >= session_.range().last);
    }

    const ViewArguments& arguments_;
    Session& session_;
    Window& window_;
    EventLog& log_;
    Clock::time_point last_ = Clock::now(), moved_ = Clock::now();
    std::vector<const void*> shown_;
    std::vector<std::shared_ptr<const LiveView>> shown_views_;
    int lively_ = 4; ///< frames still to be drawn
    int logged_ = -1;
    int draft_ = 0, coarseness_ = 0; ///< Pane::View::draft, now and while things move
    bool refined_ = true;
    Image picture_;
};

} // namespace

int view(const ViewArguments& arguments) {
    Session session(arguments); // first: what is wrong with it needs no window to be told
    EventLog log(arguments.log);
    Window window({session.title(), arguments.width, arguments.height, arguments.hidden});
    if (window.width() < 680 * window.scale()) // the cloth has the room; Tab opens the panel
        session.panels.open = false;
    struct Pictures { // they go before the window and its context, whatever happens
        Session& session;
        ~Pictures() { session.close_pictures(); }
    } pictures{session};
    Loop(arguments, session, window, log).run();
    return 0;
}

} // namespace muslin::viewer
