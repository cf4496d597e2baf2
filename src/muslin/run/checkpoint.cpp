#include "muslin/run/checkpoint.h"

#include "muslin/base/archive.h"
#include "muslin/base/error.h"
#include "muslin/base/hash.h"
#include "muslin/io/atomic_file.h"
#include "muslin/io/read_file.h"
#include "muslin/model/merge.h"
#include "muslin/run/serialise_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace muslin {
namespace {

// Little-endian: these bytes, the version and the frame; then the members of the state, each array
// with its length as a 64-bit number before it; then their number and the named sections, as bytes;
// last the digest of all bytes before.
constexpr std::string_view mark = "MUSLINSTATE\n";

std::uint64_t digest(std::string_view bytes) {
    Hash64 hash;
    hash.add(bytes.data(), bytes.size());
    return hash.value();
}

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& reason) {
    throw FileError(file.string(), "is no state that can be read: " + reason);
}

[[noreturn]] void reject_bonds(const std::filesystem::path& file, const Bond& bond) {
    throw InputError({{file.string(), 0, 0},
                      "bonds",
                      "particles and triangles that the scene lets stick",
                      fmt::format("particle {}, triangle {}", bond.particle, bond.triangle),
                      "the state is that of another scene"});
}

/// The model that a state is of: that of the start with what the state has merged.
Model model_of(const std::filesystem::path& file, const State& s, const Model& start) {
    int last = -1;
    for (const auto& group : s.merged) {
        if (group.size() < 2 || group.front() <= last || group.back() >= start.particle_count() ||
            std::adjacent_find(group.begin(), group.end(), std::greater_equal()) != group.end())
            throw InputError({{file.string(), 0, 0},
                              "merged particles",
                              "groups of particles of the scene",
                              "others",
                              "the state is that of another scene"});
        last = group.front();
    }
    return merge_particles(start, map_particles(start.particle_count(), s.merged));
}

/// Numbers that a step can start from. The digest is that of the bytes, whoever wrote them.
void check_numbers(const std::filesystem::path& file, const State& s) {
    const auto require = [&](bool sound, const char* what, const char* expected) {
        if (!sound)
            throw InputError({{file.string(), 0, 0}, what, expected, "others", {}});
    };
    const auto all = [](const auto& values, const auto& sound) {
        return std::all_of(values.begin(), values.end(), sound);
    };
    constexpr const char* finite = "finite numbers";
    const auto is_number = [](double x) { return std::isfinite(x); };
    require(std::isfinite(s.time), "time", finite);
    require(all(s.positions, is_finite), "positions", finite);
    require(all(s.velocities, is_finite), "velocities", finite);
    require(all(s.contact_force, is_number), "contact forces", finite);
    require(all(s.strain_history.triangles, is_finite), "strained triangles", finite);
    require(all(s.strain_history.hinges, is_number), "strained hinges", finite);
    require(all(s.bonds,
                [](const Bond& b) {
                    return is_finite(b.weights) && std::isfinite(b.height) &&
                           std::isfinite(b.share);
                }),
            "bonds", finite);
    require(all(s.sides,
                [](const RememberedSide& side) {
                    return std::isfinite(side.seen) && (side.side == 1 || side.side == -1);
                }),
            "sides", "finite times, and sides of 1 or -1");
    require(std::adjacent_find(s.sides.begin(), s.sides.end(),
                               [](const RememberedSide& a, const RememberedSide& b) {
                                   return a.pair >= b.pair;
                               }) == s.sides.end(),
            "sides", "pairs in increasing order");
    require(std::isfinite(s.tangle_watch.rest_until), "tangle watch", finite);
    const Bw98History& touched = s.parts.contact.bw98;
    require(all(touched.before, is_finite) && all(touched.positions, is_finite) &&
                std::isfinite(touched.time_before) &&
                all(touched.touches,
                    [](const SolidTouch& touch) {
                        return is_finite(touch.offset) && is_finite(touch.place.weights) &&
                               std::isfinite(touch.normal_force);
                    }),
            "contacts", finite);
}

void check_sizes(const std::filesystem::path& file, const State& s, const Model& model) {
    const auto check = [&](const char* what, std::size_t found, std::size_t expected,
                           bool or_none) {
        if (found != expected && !(or_none && found == 0))
            throw InputError({{file.string(), 0, 0},
                              what,
                              fmt::format("{}, as the scene has", expected),
                              fmt::format("{}", found),
                              "the state is that of another scene"});
    };
    const std::size_t particles = model.mass.size();
    check("particles", s.positions.size(), particles, false);
    check("velocities", s.velocities.size(), particles, false);
    check("contact forces", s.contact_force.size(), particles, true);
    check("strained triangles", s.strain_history.triangles.size(), model.dynamics.triangles.size(),
          true);
    check("strained hinges", s.strain_history.hinges.size(), model.dynamics.hinges.size(), true);
    for (const Bond& bond : s.bonds) {
        const bool known = bond.sticking >= 0 &&
                           bond.sticking < static_cast<int>(model.stickings.size()) &&
                           bond.particle >= 0 && bond.particle < model.particle_count();
        if (!known || bond.triangle < 0 ||
            bond.triangle >= static_cast<int>(model.stickings[bond.sticking].triangles.size()))
            reject_bonds(file, bond);
    }
}

} // namespace

void save_checkpoint(const std::filesystem::path& file, const State& state, int frame,
                     const Sections& sections, Durability durability) {
    Archive archive;
    archive(state_version);
    archive(static_cast<std::int32_t>(frame));
    serialise(archive, state);
    archive(static_cast<std::uint64_t>(sections.size()));
    for (const auto& [name, bytes] : sections) {
        archive.list(name);
        archive.list(bytes);
    }
    std::string bytes(mark);
    bytes += archive.take();
    const std::uint64_t sum = digest(bytes);
    bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
    write_file_atomically(file, bytes, durability);
}

void save_state(const std::filesystem::path& file, const State& state, int frame) {
    save_checkpoint(file, state, frame, {}, Durability::disk);
}

Checkpoint read_checkpoint(const std::filesystem::path& file) {
    const std::string bytes = read_file(file);
    std::uint64_t sum = 0;
    std::uint32_t found = 0;
    const std::string_view all(bytes);
    if (all.substr(0, mark.size()) != mark)
        fail(file, "it does not begin as one");
    if (all.size() < mark.size() + sizeof state_version + sizeof sum)
        fail(file, "it ends too early");
    Archive archive(all.substr(mark.size(), all.size() - mark.size() - sizeof sum));
    archive(found);
    if (found != state_version)
        fail(file, fmt::format("it is of version {}, this program reads version {}", found,
                               state_version));
    std::memcpy(&sum, bytes.data() + bytes.size() - sizeof sum, sizeof sum);
    if (sum != digest(all.substr(0, all.size() - sizeof sum)))
        fail(file, "it is cut short or damaged: its digest is not that of its bytes");
    Checkpoint out;
    try {
        std::int32_t frame = 0;
        archive(frame);
        out.frame = frame;
        serialise(archive, out.state);
        std::vector<std::pair<std::string, std::string>> sections;
        archive.list(sections, [](Archive& a, auto& section) {
            a(section.first);
            a(section.second);
        });
        out.sections = Sections(sections.begin(), sections.end());
        archive.require(archive.left() == 0, "it goes on after its end");
    } catch (const ArchiveError& error) {
        fail(file, error.what());
    }
    check_numbers(file, out.state);
    return out;
}

void check_fits(const std::filesystem::path& file, const State& state, const Model& start) {
    if (state.merged.empty())
        check_sizes(file, state, start);
    else
        check_sizes(file, state, model_of(file, state, start));
}

Checkpoint load_state(const std::filesystem::path& file, const Model& model) {
    Checkpoint out = read_checkpoint(file);
    check_fits(file, out.state, model);
    return out;
}

} // namespace muslin
