#include "viewer/run_source.h"

#include <algorithm>

namespace muslin::viewer {

RunSource::RunSource(const std::filesystem::path& directory) : run_(directory) {
    title_ = run_.certificate() && !run_.certificate()->title.empty() ? run_.certificate()->title
                                                                      : run_.name();
    for (auto* objects : {&run_.cloths(), &run_.bodies()})
        for (RunObject& object : *objects) {
            if (!object.visible())
                continue;
            Surface surface;
            surface.name = object.name();
            surface.is_body = object.kind() == RunObject::Kind::body;
            surface.start = object.mesh().positions;
            surface.triangles = object.triangles().triangles;
            surface.material = object.triangles().material;
            surface.hinges = object.hinges();
            surfaces_.push_back(std::move(surface));
        }
}

std::string RunSource::recipe() const {
    return run_.certificate() ? run_.certificate()->recipe : "";
}

std::shared_ptr<const Frame> RunSource::frame(int number) {
    number = std::clamp(number, 0, run_.frames() - 1);
    for (const auto& kept : {last_, before_})
        if (kept && kept->number == number)
            return kept;
    auto frame = std::make_shared<Frame>();
    frame->number = number;
    frame->time = number / run_.frame_rate();
    std::vector<Vec3> points;
    for (auto* objects : {&run_.cloths(), &run_.bodies()})
        for (RunObject& object : *objects) {
            if (!object.visible())
                continue;
            frame->positions.emplace_back();
            if (!object.moves())
                continue;
            object.read(number, points);
            frame->positions.back() = to_single(points);
        }
    before_ = std::move(last_);
    last_ = std::move(frame);
    return last_;
}

bool RunSource::has_field(Field field) const {
    for (std::size_t c = 0; c < surfaces_.size() && !surfaces_[c].is_body; ++c)
        if (run_.has_field(c, field))
            return true;
    return false;
}

std::vector<double> RunSource::field(Field field, std::size_t surface, int number) {
    std::vector<double> out;
    if (!surfaces_[surface].is_body && run_.has_field(surface, field))
        run_.read_field(surface, field, std::clamp(number, 0, run_.frames() - 1), out);
    return out;
}

} // namespace muslin::viewer
