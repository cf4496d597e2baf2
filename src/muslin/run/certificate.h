#pragma once

#include "muslin/base/profile.h"
#include "muslin/run/judge.h"
#include "muslin/scene/description.h"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>

// What the files of a run say of its frames, for whoever writes them (docs/output.md).

namespace muslin {

nlohmann::ordered_json to_json(const Profile& profile);

/// The figures of a verdict, under the names of docs/output.md.
void put_verdict(nlohmann::ordered_json& out, const Verdict& verdict, bool has_bodies);

/// Makes `worst` as bad as `verdict` where it is better.
void widen(Verdict& worst, const Verdict& verdict);

bool keeps(const LimitsDescription& limits, const Verdict& worst, int seams_open);
nlohmann::ordered_json limits_json(const LimitsDescription& limits);

double peak_memory_bytes();

/// Removes the objects that the report in a directory lists, and the report: an object that the new
/// run lacks would else be taken for a part of it.
void remove_earlier_run(const std::filesystem::path& directory);

} // namespace muslin
