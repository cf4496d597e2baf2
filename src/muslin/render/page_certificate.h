#pragma once

#include "muslin/io/run_reader.h"
#include "muslin/render/html.h"

namespace muslin {

/// Fills verdict and figures from what the run's report proves, or says that it has none.
void describe_certificate(const std::optional<Certificate>& certificate, PageSettings& page);

/// The run's figures at the frames of a page. The start, frame 0, has none.
std::vector<PageSeries> page_series(const std::vector<FrameFigures>& figures,
                                    const std::vector<int>& frames);

} // namespace muslin
