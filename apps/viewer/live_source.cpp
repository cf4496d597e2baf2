#include "viewer/live_source.h"

#include "muslin/base/error.h"
#include "muslin/garment/fit.h"
#include "muslin/model/build_model.h"
#include "muslin/run/dressed_body.h"

namespace muslin::viewer {
namespace {

// The cloths of a model as they are drawn, then its bodies.
std::vector<Surface> surfaces_of(const Model& model, const State& state) {
    std::vector<Surface> out;
    for (const Cloth& cloth : model.cloths) {
        Surface surface;
        surface.name = cloth.name;
        surface_positions(cloth, state, surface.start);
        TriangleMesh mesh = triangulate(cloth.surface.mesh);
        set_material_coordinates(mesh, cloth.surface.mesh, cloth.surface.rest);
        surface.hinges = build_topology(mesh.triangles).hinges;
        surface.triangles = std::move(mesh.triangles);
        surface.material = std::move(mesh.material);
        out.push_back(std::move(surface));
    }
    for (const Body& body : model.bodies) {
        if (!body.visible)
            continue;
        Surface surface;
        surface.name = body.name;
        surface.is_body = true;
        surface.start.resize(body.mesh.positions.size());
        dressed_positions(body, 0, state.positions, surface.start);
        surface.triangles = body.triangles;
        out.push_back(std::move(surface));
    }
    return out;
}

} // namespace

LiveSource::LiveSource(SceneDescription scene, Pace& pace)
    : about_{scene.title.empty() ? scene.name : scene.title, scene.name, scene.time.frame_rate, {}},
      pace_(pace), worker_(std::move(scene)) {
    const Model& model = worker_.live.simulation().model();
    about_.warnings = worker_.live.warnings();
    about_.particles = model.particle_count();
    about_.triangles = static_cast<int>(model.dynamics.triangles.size());
    surfaces_ = surfaces_of(model, worker_.live.simulation().state());
    about_.sewn = !model.stitching.joints.empty();
    about_.has_panels = std::any_of(model.cloths.begin(), model.cloths.end(), has_panels);
    recording_.add(capture());
    publish();
    number_ = pace_.join(0);
    thread_ = std::thread([this] { work(); });
}

LiveSource::~LiveSource() {
    {
        const std::scoped_lock lock(mutex_);
        quit_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

FrameRange LiveSource::frames() const {
    const std::scoped_lock lock(mutex_);
    return recording_.range();
}

std::shared_ptr<const Frame> LiveSource::frame(int number) {
    const std::scoped_lock lock(mutex_);
    return recording_.at(number);
}

bool LiveSource::has_field(Field field) const {
    switch (field) {
    case Field::seam:
        return about_.sewn;
    case Field::tension:
        return about_.has_panels;
    case Field::ease:
        return about_.has_panels && surfaces_.back().is_body;
    default:
        return true;
    }
}

std::vector<double> LiveSource::field(Field field, std::size_t surface, int number) {
    if (field != Field::contact && field != Field::seam && field != Field::tension)
        return geometric_field(field, surface, number);
    const auto now = frame(number);
    const auto& values = (field == Field::contact ? now->contact
                          : field == Field::seam  ? now->seam
                                                  : now->tension)[surface];
    std::vector<double> out(values.begin(), values.end());
    out.resize(surfaces_[surface].start.size(), 0);
    return out;
}

std::shared_ptr<const LiveView> LiveSource::view() const {
    const std::scoped_lock lock(mutex_);
    return view_;
}

void LiveSource::send(std::string key, Command command) {
    {
        const std::scoped_lock lock(mutex_);
        // The newest takes the place at the end: what was asked for in between comes first.
        if (!key.empty())
            std::erase_if(commands_, [&](const auto& c) { return c.first == key; });
        commands_.emplace_back(std::move(key), std::move(command));
    }
    changed_.notify_all();
}

void LiveSource::watch(std::optional<LiveVertex> vertex) {
    send("watch", [this, vertex](LiveSimulation&) { worker_.watched = vertex; });
}

void LiveSource::judge() {
    send("judge", [this](LiveSimulation& live) {
        worker_.verdict = live.judge();
        worker_.verdict_frame = live.frame();
    });
}

void LiveSource::restart() {
    send("restart", [this](LiveSimulation& live) {
        live.restart();
        worker_.verdict.reset();
        start_recording();
    });
}

void LiveSource::wake() {
    {
        const std::scoped_lock lock(mutex_);
        woken_ = true;
    }
    changed_.notify_all();
}

void LiveSource::start_recording() {
    auto start = capture();
    const std::scoped_lock lock(mutex_);
    recording_.clear();
    recording_.add(std::move(start));
}

void LiveSource::work() {
    while (true) {
        double wait = Pace::longest;
        try {
            wait = turn();
        } catch (const std::exception& error) { // such as no memory: the window stays to say so
            fail(error.what());
        }
        std::unique_lock lock(mutex_);
        if (wait > 0)
            changed_.wait_for(lock, std::chrono::duration<double>(wait),
                              [&] { return quit_ || woken_ || !commands_.empty(); });
        woken_ = false;
        if (quit_)
            return;
    }
}

// Commands, then a frame if it is time for one; else the seconds to wait for either.
double LiveSource::turn() {
    if (run_commands()) {
        worker_.failure.clear(); // what was changed may help
        pace_.arrived(number_, worker_.live.frame(), worker_.live.status().empty());
        publish();
    }
    const double wait = pace_.wait(number_, Pace::Clock::now());
    if (wait == 0)
        step();
    return wait;
}

void LiveSource::step() {
    worker_.failure.clear();
    if (worker_.live.step_frame()) {
        auto frame = capture();
        const std::scoped_lock lock(mutex_);
        recording_.add(std::move(frame));
    } else {
        ++worker_.failures;
    }
    pace_.arrived(number_, worker_.live.frame(), worker_.live.status().empty());
    publish();
}

void LiveSource::fail(const char* why) noexcept {
    ++worker_.failures;
    pace_.arrived(number_, worker_.live.frame(), false);
    try {
        worker_.failure = why;
        publish();
    } catch (const std::exception&) { // the window goes on showing what it has
    }
}

// False where there was none.
bool LiveSource::run_commands() {
    std::vector<std::pair<std::string, Command>> commands;
    {
        const std::scoped_lock lock(mutex_);
        commands.swap(commands_);
    }
    for (const auto& [key, command] : commands) {
        try {
            worker_.message.clear();
            command(worker_.live);
        } catch (const std::exception& error) { // such as a change that the scene cannot have
            worker_.message = error.what();
        }
    }
    return !commands.empty();
}

void LiveSource::publish() {
    auto view = std::make_shared<LiveView>();
    view->status = worker_.failure.empty() ? worker_.live.status() : worker_.failure;
    view->failures = worker_.failures;
    view->message = worker_.message;
    view->recipe = worker_.live.simulation().recipe().name;
    for (const ClothDescription& cloth : worker_.live.scene().cloths)
        view->materials.push_back(cloth.material);
    view->wind = worker_.live.wind();
    view->has_air = worker_.live.has_air();
    view->max_step = worker_.live.max_step();
    view->tolerance = worker_.live.tolerance();
    view->pinned = worker_.live.pinned();
    view->history.assign(worker_.live.history().begin(), worker_.live.history().end());
    view->grabbed = worker_.live.grabbed();
    view->target = worker_.live.drag_target();
    view->watched = worker_.watched;
    if (worker_.watched)
        view->report = worker_.live.report(*worker_.watched);
    view->verdict = worker_.verdict;
    view->verdict_frame = worker_.verdict_frame;
    view->frame = worker_.live.frame();
    const std::scoped_lock lock(mutex_);
    view_ = std::move(view);
}

std::shared_ptr<const Frame> LiveSource::capture() {
    const Model& model = worker_.live.simulation().model();
    const State& state = worker_.live.simulation().state();
    auto frame = std::make_shared<Frame>();
    frame->number = worker_.live.frame();
    frame->time = state.time;
    if (!worker_.fields || worker_.built != worker_.live.builds()) {
        worker_.fields = std::make_unique<ClothFields>(worker_.live.simulation());
        worker_.built = worker_.live.builds();
    }
    worker_.fields->update();
    std::vector<Vec3> points;
    std::vector<std::vector<double>> values;
    for (std::size_t c = 0; c < model.cloths.size(); ++c) {
        surface_positions(model.cloths[c], state, points);
        frame->positions.push_back(to_single(points));
        frame->contact.emplace_back();
        frame->seam.emplace_back();
        frame->tension.emplace_back();
        worker_.fields->read(c, values);
        for (std::size_t i = 0; i < worker_.fields->names(c).size(); ++i) {
            const std::string& name = worker_.fields->names(c)[i];
            if (name == info(Field::contact).name)
                frame->contact.back().assign(values[i].begin(), values[i].end());
            else if (name == info(Field::seam).name)
                frame->seam.back().assign(values[i].begin(), values[i].end());
            else if (name == info(Field::tension).name)
                frame->tension.back().assign(values[i].begin(), values[i].end());
        }
    }
    for (const Body& body : model.bodies) {
        if (!body.visible)
            continue;
        frame->contact.emplace_back();
        frame->seam.emplace_back();
        frame->tension.emplace_back();
        if (!is_moving(body)) {
            frame->positions.emplace_back();
            continue;
        }
        points.resize(body.mesh.positions.size());
        dressed_positions(body, state.time, state.positions, points);
        frame->positions.push_back(to_single(points));
    }
    return frame;
}

} // namespace muslin::viewer
