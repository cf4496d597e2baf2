#pragma once

#include "muslin/render/run_survey.h"

namespace muslin {

/// One picture to take: a frame of the run, and by how much the camera has gone around [degrees].
struct Shot {
    int frame = 0;
    double turn = 0;
};

/// Takes pictures of a run as its options say: surface, colours, marks, legend and caption.
class RunPictures {
public:
    /// Looks through all shots first, so that camera, light and floor suit every one of them.
    /// Throws InputError where an option asks for what the run does not have.
    RunPictures(RunSurfaces& run, const RunViewOptions& options, std::span<const Shot> shots);

    /// Without legend and caption, in a size that may differ from the options'.
    Image take(const Shot& shot, int width, int height);
    /// With both, in the options' size.
    Image take(const Shot& shot);
    void add_legend(Image& image) const;
    /// The caption as it reads at a frame.
    std::string caption(int frame) const;

private:
    void choose_range(const std::vector<int>& frames);
    void color_cloths(int frame);
    void mark(int frame);

    RunSurfaces& run_;
    const RunViewOptions& options_;
    Survey all_;
    RenderSettings settings_;
    double low_ = 0, high_ = 1; // of the colours
    std::vector<char> to_mark_; // by frame
    std::vector<double> values_;
    Renderer renderer_;
};

} // namespace muslin
