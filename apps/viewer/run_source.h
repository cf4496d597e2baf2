#pragma once

#include "muslin/io/run_reader.h"
#include "viewer/frame_source.h"

namespace muslin::viewer {

/// A finished run, read from its directory frame by frame.
class RunSource final : public FrameSource {
public:
    /// Throws as RunReader does.
    explicit RunSource(const std::filesystem::path& directory);

    std::string title() const override { return title_; }
    std::string name() const override { return run_.name(); }
    std::string recipe() const override;
    double frame_rate() const override { return run_.frame_rate(); }
    FrameRange frames() const override { return {0, run_.frames() - 1}; }
    std::shared_ptr<const Frame> frame(int number) override;
    bool has_field(Field field) const override;
    std::vector<double> field(Field field, std::size_t surface, int number) override;

    const std::optional<Certificate>& certificate() const { return run_.certificate(); }
    const std::vector<FrameFigures>& figures() const { return run_.figures(); }

private:
    RunReader run_;
    std::string title_;
    std::shared_ptr<const Frame> last_, before_; ///< read already
};

} // namespace muslin::viewer
