#include "muslin/sim/checkpoint.h"

#include "muslin/base/error.h"
#include "muslin/base/hash.h"
#include "muslin/io/atomic_file.h"
#include "muslin/io/bytes.h"
#include "muslin/io/read_file.h"
#include "muslin/model/merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>

namespace muslin {
namespace {

// Little-endian: these bytes, the version, the frame and the time; then each array of the state,
// its length as a 64-bit number before it; last the digest of all bytes before.
constexpr std::string_view mark = "MUSLINSTATE\n";
constexpr std::uint32_t version = 2;

std::uint64_t digest(std::string_view bytes) {
    Hash64 hash;
    hash.add(bytes.data(), bytes.size());
    return hash.value();
}

class Writer {
public:
    template <class T>
    void operator()(const T& value) {
        const auto raw = to_bytes(value, std::endian::little);
        bytes.append(raw.data(), raw.size());
    }
    void operator()(const Vec3& v) {
        (*this)(v.x);
        (*this)(v.y);
        (*this)(v.z);
    }
    template <class T, class Each>
    void list(const std::vector<T>& values, const Each& each) {
        (*this)(static_cast<std::uint64_t>(values.size()));
        for (const T& value : values)
            each(*this, value);
    }

    std::string bytes;
};

class Reader {
public:
    Reader(std::string_view bytes, const std::filesystem::path& file)
        : bytes_(bytes), file_(file) {}

    template <class T>
    void operator()(T& value) {
        if (bytes_.size() - at_ < sizeof(T))
            fail("it ends too early");
        value = load_bytes<T>(bytes_.data() + at_, std::endian::little);
        at_ += sizeof(T);
    }
    void operator()(Vec3& v) {
        (*this)(v.x);
        (*this)(v.y);
        (*this)(v.z);
    }
    template <class T, class Each>
    void list(std::vector<T>& values, const Each& each) {
        std::uint64_t count = 0;
        (*this)(count);
        if (count > bytes_.size() - at_) // each takes a byte at least
            fail("it ends too early");
        values.resize(count);
        for (T& value : values)
            each(*this, value);
    }
    bool done() const { return at_ == bytes_.size(); }
    [[noreturn]] void fail(const std::string& reason) const {
        throw FileError(file_.string(), "is no state that can be read: " + reason);
    }

private:
    std::string_view bytes_;
    const std::filesystem::path& file_;
    std::size_t at_ = 0;
};

// The same list of members for both ways.
template <class Pass, class StateType>
void pass_state(Pass& pass, StateType& s) {
    const auto plain = [](auto& p, auto& value) { p(value); };
    pass(s.time);
    pass.list(s.positions, plain);
    pass.list(s.velocities, plain);
    pass.list(s.contact_force, plain);
    pass.list(s.bonds, [](auto& p, auto& bond) {
        p(bond.sticking);
        p(bond.particle);
        p(bond.triangle);
        p(bond.weights);
        p(bond.height);
        p(bond.share);
    });
    pass.list(s.strain_history.triangles, plain);
    pass.list(s.strain_history.hinges, plain);
    pass.list(s.sides, [](auto& p, auto& side) {
        p(side.pair);
        p(side.seen);
        p(side.side);
        p(side.reliability);
    });
    pass(s.tangle_watch.fewest);
    pass(s.tangle_watch.rest_until);
    pass.list(s.merged, [&](auto& p, auto& group) { p.list(group, plain); });
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

void check_fits(const std::filesystem::path& file, const State& s, const Model& model) {
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

void save_state(const std::filesystem::path& file, const State& state, int frame) {
    Writer out;
    out.bytes = mark;
    out(version);
    out(static_cast<std::int32_t>(frame));
    pass_state(out, state);
    out(digest(out.bytes));
    write_file_atomically(file, out.bytes);
}

Checkpoint load_state(const std::filesystem::path& file, const Model& model) {
    const std::string bytes = read_file(file);
    constexpr std::size_t sum_size = sizeof(std::uint64_t);
    const std::string_view all(bytes);
    const Reader whole(all, file);
    if (all.substr(0, mark.size()) != mark)
        whole.fail("it does not begin as one");
    if (all.size() < mark.size() + sizeof version + sum_size)
        whole.fail("it ends too early");
    const std::string_view content = all.substr(mark.size(), all.size() - mark.size() - sum_size);
    Reader in(content, file);
    std::uint32_t found = 0;
    in(found);
    if (found != version)
        in.fail(fmt::format("it is of version {}, this program reads version {}", found, version));
    if (load_bytes<std::uint64_t>(bytes.data() + bytes.size() - sum_size, std::endian::little) !=
        digest(all.substr(0, all.size() - sum_size)))
        in.fail("it is cut short or damaged: its digest is not that of its bytes");
    Checkpoint out;
    std::int32_t frame = 0;
    in(frame);
    out.frame = frame;
    pass_state(in, out.state);
    if (!in.done())
        in.fail("it goes on after its end");
    if (out.state.merged.empty())
        check_fits(file, out.state, model);
    else
        check_fits(file, out.state, model_of(file, out.state, model));
    return out;
}

} // namespace muslin
