#pragma once

#include "muslin/render/run_surfaces.h"
#include "muslin/render/run_view.h"

namespace muslin {

/// The interactive page of a run, with the fields that its cloths have and what its report proves;
/// render_run calls it for an output that ends in .html.
RunViewReport write_page(RunSurfaces& run, RunViewOptions options);

} // namespace muslin
