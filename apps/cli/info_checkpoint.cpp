#include "commands.h"
#include "size_text.h"

#include "muslin/run/checkpoint.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace muslin::cli {

int info_checkpoint(const std::string& file, bool json) {
    const Checkpoint saved = read_checkpoint(file);
    const State& s = saved.state;
    double fastest = 0;
    for (const Vec3& v : s.velocities)
        fastest = std::max(fastest, norm(v));
    const auto section = [&](const char* name) {
        const auto found = saved.sections.find(name);
        return found == saved.sections.end() ? std::string() : found->second;
    };
    if (json) {
        const nlohmann::ordered_json out = {{"file", file},
                                            {"program", section("program")},
                                            {"frame", saved.frame},
                                            {"time", s.time},
                                            {"particles", s.positions.size()},
                                            {"fastest", fastest},
                                            {"bonds", s.bonds.size()},
                                            {"merged", s.merged.size()},
                                            {"scene", section("scene")}};
        fmt::print("{}\n", out.dump(2));
        return 0;
    }
    fmt::print("{}: state at the end of frame {}, {:.6g} s", file, saved.frame, s.time);
    if (const std::string program = section("program"); !program.empty())
        fmt::print(", saved by {}", program);
    fmt::print("\n  {} particles, {}, the fastest at {:.4g} m/s\n", s.positions.size(),
               size_text(s.positions), fastest);
    if (!s.merged.empty())
        fmt::print("  {} places where seams are closed\n", s.merged.size());
    if (!s.bonds.empty())
        fmt::print("  {} bonds\n", s.bonds.size());
    return 0;
}

} // namespace muslin::cli
