#pragma once

// Muslin as a library: see docs/library.md. All of its headers.
#include "muslin/error.h"
#include "muslin/force.h"
#include "muslin/material.h"
#include "muslin/mesh.h"
#include "muslin/pattern.h"
#include "muslin/picture.h"
#include "muslin/report.h"
#include "muslin/run.h"
#include "muslin/scene.h"
#include "muslin/simulation.h"
#include "muslin/vec.h"
