#pragma once

#include "muslin/render/run_files.h"
#include "muslin/render/run_view.h"

namespace muslin {

/// The interactive page of a run; render_run calls it for an output that ends in .html.
RunViewReport write_page(RunFiles& run, const std::filesystem::path& directory,
                         RunViewOptions options);

} // namespace muslin
