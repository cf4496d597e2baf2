#include "viewer/session.h"

#include "muslin/base/error.h"
#include "muslin/scene/load.h"
#include "viewer/run_source.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <limits>

namespace muslin::viewer {
namespace {

namespace fs = std::filesystem;

// A directory is a run; anything else is a scene, whose loader says what is wrong with it.
std::unique_ptr<FrameSource> open_source(const std::string& input, const std::string& recipe,
                                         const ViewArguments& arguments, Pace& pace) {
    std::error_code error;
    if (fs::is_directory(input, error)) {
        if (!recipe.empty() || !arguments.overrides.empty())
            throw InputError({{input},
                              recipe.empty() ? "--set" : "--recipe",
                              "a scene to simulate",
                              "the directory of a finished run",
                              ""});
        return std::make_unique<RunSource>(input);
    }
    std::vector<std::string> overrides = arguments.overrides;
    if (!recipe.empty())
        overrides.push_back("recipe=\"" + recipe + "\"");
    return std::make_unique<LiveSource>(
        load_scene(input, overrides, {.allow_outside = arguments.allow_outside}), pace);
}

std::vector<Pane> open_panes(const ViewArguments& arguments, Pace& pace) {
    std::vector<std::string> inputs = arguments.inputs, recipes = arguments.recipes;
    if (inputs.size() == 1 && recipes.size() == 2)
        inputs.push_back(inputs.front());
    if (recipes.size() == 1)
        recipes.resize(inputs.size(), recipes.front());
    recipes.resize(std::max(recipes.size(), inputs.size()));
    if (inputs.empty() || inputs.size() > 2 || recipes.size() != inputs.size())
        throw InputError(
            {{},
             "view",
             "one or two scenes or directories of runs, with at most one recipe each",
             fmt::format("{} and {} recipes", arguments.inputs.size(), arguments.recipes.size()),
             ""});
    std::vector<Pane> panes;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        panes.emplace_back(open_source(inputs[i], recipes[i], arguments, pace));
    return panes;
}

// What the frames of a finished run reach over, from some of them.
SceneBounds survey(FrameSource& source) {
    const FrameRange range = source.frames();
    const int step = std::max(1, (range.last - range.first) / 24);
    SceneBounds box;
    for (int k = range.first; k <= range.last; k += step) {
        const SceneBounds one = box_of(source, *source.frame(k));
        if (!one.empty())
            box.add(std::array{one.lower, one.upper});
    }
    return box;
}

// What a scene will probably reach over: cloth that hangs from pins swings down.
SceneBounds expected(LiveSource& source) {
    SceneBounds box = box_of(source, *source.frame(0));
    const bool bodies = std::any_of(source.surfaces().begin(), source.surfaces().end(),
                                    [](const Surface& s) { return s.is_body; });
    if (!bodies && !source.view()->pinned.empty() && !box.empty()) {
        const Vec3 size = box.upper - box.lower;
        box.lower.y = std::min(box.lower.y, box.upper.y - 0.9 * std::max(size.x, size.z));
    }
    return box;
}

std::string window_title(std::vector<Pane>& panes) {
    std::string text = "Muslin";
    for (Pane& pane : panes)
        text += " - " + pane.source().name();
    return text;
}

} // namespace

Session::Session(const ViewArguments& arguments)
    : panes_(open_panes(arguments, pace_)),
      any_live_(std::any_of(panes_.begin(), panes_.end(),
                            [](Pane& p) { return p.source().live() != nullptr; })),
      title_(window_title(panes_)),
      timeline_(panes_.front().source().frame_rate(), any_live_, !arguments.paused) {
    panels.open = arguments.panel;
    for (Pane& pane : panes_) {
        const SceneBounds box =
            pane.source().live() ? expected(*pane.source().live()) : survey(pane.source());
        if (!box.empty())
            space_.bounds.add(std::array{box.lower, box.upper});
    }
    space_.largest = 4 * space_.bounds.diagonal();
    look_.wireframe = arguments.wireframe;
    look_.checker = arguments.checker;
    look_.smooth = arguments.smooth;
    look_.flat = arguments.flat;
    if (!arguments.color.empty()) {
        const auto field = field_by_name(arguments.color);
        if (!field)
            throw InputError(
                {{}, "--color", "one of " + field_names(), "'" + arguments.color + "'", ""});
        set_field(field);
    }
}

FrameRange Session::range() {
    FrameRange out{0, any_live_ ? std::numeric_limits<int>::max() : 0};
    for (Pane& pane : panes_) {
        const FrameRange one = pane.source().frames();
        if (any_live_ && !pane.source().live())
            continue; // a finished run beside a simulation keeps step with it
        out.first = std::max(out.first, one.first);
        out.last = any_live_ ? std::min(out.last, one.last) : std::max(out.last, one.last);
    }
    out.last = std::max(out.first, out.last);
    return out;
}

void Session::arrange(double width, double height, double scale) {
    const double bar = 46 * scale;
    // A panel must leave room for the cloth.
    const double panel = panels.open && width > 420 * scale ? 312 * scale : 0;
    Layout next;
    next.view = {0, 0, std::max(1.0, width - panel), std::max(1.0, height - bar)};
    next.panel = {width - panel, 0, panel, std::max(1.0, height - bar)};
    next.bar = {0, height - bar, width, bar};
    const double share = next.view.width / static_cast<double>(panes_.size());
    for (std::size_t i = 0; i < panes_.size(); ++i)
        next.panes.push_back(
            {static_cast<double>(i) * share, 0, std::max(1.0, share), next.view.height});
    const bool changed = layout_.panes.empty() || layout_.panes[0].width != next.panes[0].width ||
                         layout_.panes[0].height != next.panes[0].height;
    layout_ = std::move(next);
    if (changed && space_.followed)
        camera_.frame(space_.bounds, layout_.panes[0].width / layout_.panes[0].height);
}

void Session::advance(double seconds) {
    timeline_.tick(seconds, range());
    pace_.set(timeline_.simulating(), panes_.front().source().frame_rate() * timeline_.speed());
    if (timeline_.simulating())
        for (Pane& pane : panes_)
            if (LiveSource* live = pane.source().live())
                live->wake();
    for (Pane& pane : panes_) {
        Look look = look_; // crossings that take long to find are looked for at a standstill
        look.marks = look.marks && (!timeline_.playing() || pane.mark_seconds() < 0.03);
        pane.show(timeline_.frame(), look);
    }
    notice_.left -= seconds;
    grow_bounds();
    measure_speed(seconds);
    watch_trouble();
    look_under_mouse();
}

// Keeps what moves within what is lit and, until the user takes the camera, within the picture.
void Session::grow_bounds() {
    if (!any_live_)
        return;
    std::vector<const Frame*> shown;
    for (Pane& pane : panes_)
        shown.push_back(&pane.frame());
    if (shown == space_.grown_to)
        return;
    space_.grown_to = std::move(shown);
    SceneBounds seen = space_.bounds;
    for (Pane& pane : panes_) {
        const SceneBounds now = box_of(pane.source(), pane.frame());
        if (!now.empty())
            seen.add(std::array{now.lower, now.upper});
    }
    const bool grown =
        norm(seen.lower - space_.bounds.lower) + norm(seen.upper - space_.bounds.upper) > 0;
    if (!grown || space_.bounds.diagonal() > space_.largest)
        return;
    // A little more than needed, or the light would change at every frame.
    const double slack = 0.04 * space_.bounds.diagonal();
    for (int i = 0; i < 3; ++i) {
        if (seen.lower[i] < space_.bounds.lower[i])
            space_.bounds.lower[i] = seen.lower[i] - slack;
        if (seen.upper[i] > space_.bounds.upper[i])
            space_.bounds.upper[i] = seen.upper[i] + slack;
    }
    if (space_.followed && hand_.drag == Drag::none && !layout_.panes.empty())
        camera_.frame(space_.bounds, layout_.panes[0].width / layout_.panes[0].height);
}

void Session::measure_speed(double seconds) {
    if (!timeline_.simulating()) {
        speed_.passed = 0;
        speed_.counted_from = range().last;
        return;
    }
    speed_.passed += seconds;
    const int last = range().last;
    if (last < speed_.counted_from) { // started anew
        speed_.passed = 0;
        speed_.counted_from = last;
    }
    if (speed_.passed < 0.8 || (last == speed_.counted_from && speed_.passed < 10))
        return;
    speed_.factor =
        (last - speed_.counted_from) / (speed_.passed * panes_.front().source().frame_rate());
    speed_.passed = 0;
    speed_.counted_from = last;
}

// A simulation that cannot go on stops the clock and says why, every time that it is tried.
void Session::watch_trouble() {
    std::string trouble;
    int failures = 0;
    for (Pane& pane : panes_)
        if (LiveSource* live = pane.source().live()) {
            const auto view = live->view();
            failures += view->failures;
            if (trouble.empty())
                trouble = !view->status.empty() ? view->status : view->message;
        }
    if (failures != notice_.failures && timeline_.simulating())
        timeline_.play(false);
    if ((trouble != notice_.trouble || failures != notice_.failures) && !trouble.empty())
        notify(trouble);
    notice_.trouble = trouble;
    notice_.failures = failures;
}

std::string Session::trouble() {
    for (Pane& pane : panes_)
        if (LiveSource* live = pane.source().live(); live && !live->view()->status.empty())
            return live->view()->status;
    return {};
}

void Session::toggle_play() {
    const FrameRange all = range();
    if (!any_live_ && !timeline_.playing() && timeline_.frame() >= all.last)
        timeline_.seek(all.first, all);
    timeline_.toggle();
}

void Session::step(int by) {
    if (!timeline_.step(by, range()))
        return;
    pace_.step();
    for (Pane& pane : panes_)
        if (LiveSource* live = pane.source().live())
            live->wake();
}

void Session::restart() {
    hand_.drag = Drag::none;
    for (Pane& pane : panes_)
        if (LiveSource* live = pane.source().live())
            live->restart();
    if (any_live_)
        timeline_.back_to_start(range());
    else
        timeline_.seek(0, range());
}

void Session::seek(int frame) {
    timeline_.seek(frame, range());
}

void Session::toggle_pin() {
    LiveSource* live = hand_.picked ? panes_[hand_.picked->pane].source().live() : nullptr;
    if (!live) {
        notify(any_live_ ? "Click a vertex of the cloth first, then P pins it"
                         : "A finished run cannot be pinned; open its scene instead");
        return;
    }
    if (!timeline_.following()) {
        notify("This frame is past: play on to its end to pin the cloth");
        return;
    }
    live->send("", [vertex = hand_.picked->at](LiveSimulation& simulation) {
        simulation.is_pinned(vertex) ? simulation.unpin(vertex) : simulation.pin(vertex);
    });
}

void Session::frame_all() {
    SceneBounds box;
    for (Pane& pane : panes_) {
        const SceneBounds one = box_of(pane.source(), pane.frame());
        if (!one.empty())
            box.add(std::array{one.lower, one.upper});
    }
    if (!layout_.panes.empty())
        camera_.frame(box, layout_.panes[0].width / layout_.panes[0].height);
}

void Session::set_field(std::optional<Field> field) {
    look_.color = field;
    if (!field)
        return;
    look_.low = info(*field).low;
    look_.high = info(*field).high;
}

void Session::send(const std::string& key, const LiveSource::Command& command) {
    for (Pane& pane : panes_)
        if (LiveSource* live = pane.source().live())
            live->send(key, command);
}

void Session::close_pictures() {
    for (Pane& pane : panes_)
        pane.close_picture();
}

void Session::notify(std::string text) {
    notice_.text = std::move(text);
    notice_.left = 6;
}

} // namespace muslin::viewer
