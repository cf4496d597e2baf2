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
    : title_(scene.title.empty() ? scene.name : scene.title), name_(scene.name),
      frame_rate_(scene.time.frame_rate), pace_(pace), live_(std::move(scene)) {
    const Model& model = live_.simulation().model();
    warnings_ = live_.warnings();
    particles_ = model.particle_count();
    triangles_ = static_cast<int>(model.dynamics.triangles.size());
    surfaces_ = surfaces_of(model, live_.simulation().state());
    sewn_ = !model.stitching.joints.empty();
    has_panels_ = std::any_of(model.cloths.begin(), model.cloths.end(), has_panels);
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
        return sewn_;
    case Field::tension:
        return has_panels_;
    case Field::ease:
        return has_panels_ && surfaces_.back().is_body;
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
    send("watch", [this, vertex](LiveSimulation&) { watched_ = vertex; });
}

void LiveSource::judge() {
    send("judge", [this](LiveSimulation& live) {
        verdict_ = live.judge();
        verdict_frame_ = live.frame();
    });
}

void LiveSource::restart() {
    send("restart", [this](LiveSimulation& live) {
        live.restart();
        verdict_.reset();
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
        failure_.clear(); // what was changed may help
        pace_.arrived(number_, live_.frame(), live_.status().empty());
        publish();
    }
    const double wait = pace_.wait(number_, Pace::Clock::now());
    if (wait == 0)
        step();
    return wait;
}

void LiveSource::step() {
    failure_.clear();
    if (live_.step_frame()) {
        auto frame = capture();
        const std::scoped_lock lock(mutex_);
        recording_.add(std::move(frame));
    } else {
        ++failures_;
    }
    pace_.arrived(number_, live_.frame(), live_.status().empty());
    publish();
}

void LiveSource::fail(const char* why) noexcept {
    ++failures_;
    pace_.arrived(number_, live_.frame(), false);
    try {
        failure_ = why;
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
            message_.clear();
            command(live_);
        } catch (const std::exception& error) { // such as a change that the scene cannot have
            message_ = error.what();
        }
    }
    return !commands.empty();
}

void LiveSource::publish() {
    auto view = std::make_shared<LiveView>();
    view->status = failure_.empty() ? live_.status() : failure_;
    view->failures = failures_;
    view->message = message_;
    view->recipe = live_.simulation().recipe().name;
    for (const ClothDescription& cloth : live_.scene().cloths)
        view->materials.push_back(cloth.material);
    view->wind = live_.wind();
    view->has_air = live_.has_air();
    view->max_step = live_.max_step();
    view->tolerance = live_.tolerance();
    view->pinned = live_.pinned();
    view->history.assign(live_.history().begin(), live_.history().end());
    view->grabbed = live_.grabbed();
    view->target = live_.drag_target();
    view->watched = watched_;
    if (watched_)
        view->report = live_.report(*watched_);
    view->verdict = verdict_;
    view->verdict_frame = verdict_frame_;
    view->frame = live_.frame();
    const std::scoped_lock lock(mutex_);
    view_ = std::move(view);
}

std::shared_ptr<const Frame> LiveSource::capture() {
    const Model& model = live_.simulation().model();
    const State& state = live_.simulation().state();
    auto frame = std::make_shared<Frame>();
    frame->number = live_.frame();
    frame->time = state.time;
    if (!fields_ || built_ != live_.builds()) {
        fields_ = std::make_unique<ClothFields>(live_.scene(), live_.simulation());
        built_ = live_.builds();
    }
    fields_->update();
    std::vector<Vec3> points;
    std::vector<std::vector<double>> values;
    for (std::size_t c = 0; c < model.cloths.size(); ++c) {
        surface_positions(model.cloths[c], state, points);
        frame->positions.push_back(to_single(points));
        frame->contact.emplace_back();
        frame->seam.emplace_back();
        frame->tension.emplace_back();
        fields_->read(c, values);
        for (std::size_t i = 0; i < fields_->names(c).size(); ++i) {
            const std::string& name = fields_->names(c)[i];
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
