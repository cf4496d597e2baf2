#pragma once

#include "muslin/base/error.h"
#include "muslin/mesh/polygon_mesh.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

// One reader, one file, one function of bytes: FUZZ_TARGET(obj) { ... }. With clang it becomes a
// program of libFuzzer (`make fuzz`); in every other build it is one of the targets that
// replay_test.cpp goes through. A reader gives something sound or throws an error of the library;
// all else is a failure.

namespace muslin::fuzz {

using Target = void(std::string_view bytes);

/// What a reader gave, or what it said, is not sound.
class Unsound : public std::logic_error {
public:
    using std::logic_error::logic_error;
};

/// The text is not copied unless it is thrown: millions of executions ask for this many times each.
inline void require(bool sound, std::string_view what) {
    if (!sound)
        throw Unsound(std::string(what));
}

/// One line that a terminal shows, and not without end.
inline void check_message(std::string_view message) {
    require(!message.empty() && message.size() < 4000, "a message of one line");
    for (const char c : message)
        if (static_cast<unsigned char>(c) < ' ' || c == '\x7f')
            throw Unsound("a message without control characters: " + std::string(message));
}

/// Calls the reader; whether it accepted its input.
template <class Read>
bool accepts(const Read& read) {
    try {
        read();
        return true;
    } catch (const InputError& error) {
        check_message(error.what());
        if (error.problem().expected.empty() || error.problem().found.empty())
            throw Unsound("what was expected and what was found: " + std::string(error.what()));
    } catch (const FileError& error) {
        check_message(error.what());
    } catch (const SimulationError& error) {
        check_message(error.what());
    }
    return false;
}

/// A file that no disk sees, for readers that take paths.
class MemoryFile {
public:
    MemoryFile() : descriptor_(memfd_create("fuzz", 0)) {
        require(descriptor_ >= 0, "a file in memory");
    }
    ~MemoryFile() { close(descriptor_); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    /// Its path, with these bytes in it.
    std::filesystem::path operator()(std::string_view bytes) const {
        require(ftruncate(descriptor_, 0) == 0 && pwrite(descriptor_, bytes.data(), bytes.size(),
                                                         0) == static_cast<ssize_t>(bytes.size()),
                "room in memory");
        return "/proc/self/fd/" + std::to_string(descriptor_);
    }

private:
    int descriptor_;
};

/// A folder for readers that take one, in memory where the system has such a place.
class Folder {
public:
    Folder() {
        const std::filesystem::path memory = "/dev/shm";
        path_ =
            std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path();
        path_ /= "muslin-fuzz-" + std::to_string(getpid());
        std::filesystem::create_directories(path_);
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path write(const std::string& name, std::string_view bytes) const {
        std::ofstream(path_ / name, std::ios::binary) << bytes;
        return path_ / name;
    }

private:
    std::filesystem::path path_;
};

template <class Numbers>
bool all_finite(const Numbers& numbers) {
    return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

template <class Indices>
bool all_within(const Indices& indices, int low, std::size_t high) {
    return std::all_of(indices.begin(), indices.end(),
                       [&](int i) { return i >= low && i < static_cast<std::int64_t>(high); });
}

inline void check_mesh(const PolygonMesh& mesh) {
    for (const Vec3& p : mesh.positions)
        require(is_finite(p), "finite positions");
    for (const Vec2& t : mesh.texcoords)
        require(std::isfinite(t.x) && std::isfinite(t.y), "finite texture coordinates");
    const auto faces = static_cast<std::size_t>(mesh.face_count());
    require(!mesh.positions.empty() && faces > 0, "vertices and faces");
    require(mesh.face_begin.front() == 0 &&
                mesh.face_begin.back() == static_cast<int>(mesh.corner_vertex.size()),
            "faces that cover the corners");
    for (std::size_t f = 0; f < faces; ++f)
        require(mesh.face_begin[f + 1] - mesh.face_begin[f] >= 3, "three corners or more");
    require(all_within(mesh.corner_vertex, 0, mesh.positions.size()), "vertices of corners");
    require(mesh.corner_texcoord.empty() ||
                mesh.corner_texcoord.size() == mesh.corner_vertex.size(),
            "one texture coordinate per corner");
    require(all_within(mesh.corner_texcoord, -1, mesh.texcoords.size()), "texture coordinates");
    require(mesh.face_group.empty() || mesh.face_group.size() == faces, "one group per face");
    require(all_within(mesh.face_group, -1, mesh.group_names.size()), "groups of faces");
    for (const auto& [name, values] : mesh.vertex_maps)
        require(values.size() == mesh.positions.size() && all_finite(values),
                "one finite number per vertex");
}

/// Processor time of executions: libFuzzer goes by the clock, which runs while others compute, too.
class Stopwatch {
public:
    ~Stopwatch() { std::fprintf(stderr, "stat::slowest_unit_cpu_ms: %.1f\n", 1000 * slowest_); }

    template <class Execute>
    void time(const Execute& execute) {
        const double begin = now();
        execute();
        slowest_ = std::max(slowest_, now() - begin);
        require(slowest_ < 1, "less than a second");
    }

private:
    static double now() {
        timespec t = {};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
        return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
    }

    double slowest_ = 0; // [s]
};

/// A target under its name; replay_test.cpp has the list of all.
struct Registration {
    Registration(const char* name, Target* target);
};

} // namespace muslin::fuzz

#ifdef MUSLIN_FUZZ
#define FUZZ_TARGET(name)                                                                          \
    static void fuzz_##name(std::string_view bytes);                                               \
    extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {            \
        static muslin::fuzz::Stopwatch stopwatch;                                                  \
        stopwatch.time([&] { fuzz_##name({reinterpret_cast<const char*>(data), size}); });         \
        return 0;                                                                                  \
    }                                                                                              \
    static void fuzz_##name(std::string_view bytes)
#else
#define FUZZ_TARGET(name)                                                                          \
    static void fuzz_##name(std::string_view bytes);                                               \
    static const muslin::fuzz::Registration registered_##name(#name, fuzz_##name);                 \
    static void fuzz_##name(std::string_view bytes)
#endif
