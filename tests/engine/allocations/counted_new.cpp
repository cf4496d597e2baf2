#include "engine/allocations/counted_new.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <execinfo.h>
#include <fmt/format.h>
#include <map>
#include <new>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr int skipped = 2; // callers nearest to the count: note and operator new
constexpr int depth = 12;  // callers kept beside these
constexpr std::size_t most_sites = 512;

struct Site {
    std::array<void*, depth> callers{};
    long times = 0;
    std::size_t bytes = 0;
};

// Where allocations came from. Fixed room, and a lock that does not allocate.
std::array<Site, most_sites> sites;
std::size_t site_count = 0;
std::atomic_flag sites_in_use;

std::atomic<bool> counting = false;
std::atomic<long> allocations = 0;

void note(std::size_t bytes) {
    if (!counting.load(std::memory_order_relaxed))
        return;
    ++allocations;
    std::array<void*, skipped + depth> stack{};
    backtrace(stack.data(), static_cast<int>(stack.size()));
    std::array<void*, depth> callers;
    std::copy(stack.begin() + skipped, stack.end(), callers.begin());
    while (sites_in_use.test_and_set(std::memory_order_acquire)) {
    }
    const auto end = sites.begin() + static_cast<std::ptrdiff_t>(site_count);
    auto site =
        std::find_if(sites.begin(), end, [&](const Site& s) { return s.callers == callers; });
    if (site == end && site_count < most_sites)
        sites[site_count++] = {callers, 0, 0};
    if (site != sites.end()) {
        ++site->times;
        site->bytes += bytes;
    }
    sites_in_use.clear(std::memory_order_release);
}

void* checked(void* memory) {
    if (memory == nullptr)
        throw std::bad_alloc();
    return memory;
}

// The function of the library that a line of addr2line names; empty: none.
std::string library_function(std::string text) {
    const std::string_view inlined = "(inlined by) ";
    const auto at = text.find(inlined);
    text.erase(0, at != text.npos ? at + inlined.size() : text.find(' ') + 1);
    const std::string name = text.substr(0, text.find('('));
    if (name.find("muslin::") == name.npos || name.find("std::") != name.npos)
        return {};
    text.erase(text.find_last_not_of(" \n") + 1);
    constexpr std::size_t width = 150; // names of templates are endless
    return text.size() <= width
               ? text
               : text.substr(0, width / 2) + " ... " + text.substr(text.size() - width / 2);
}

using Path = std::vector<std::string>;

// Of addresses that calls return to in this program: the functions of the library there, the
// innermost first, and in a build with debug information their lines.
std::map<void*, Path> find_places(const std::set<void*>& addresses) {
    std::map<void*, Path> out;
    Dl_info program;
    if (addresses.empty() || dladdr(reinterpret_cast<void*>(&note), &program) == 0)
        return out;
    std::string command = fmt::format("addr2line -Cfpsaie '{}'", program.dli_fname);
    for (void* address : addresses)
        command += fmt::format(" {:#x}", static_cast<char*>(address) -
                                             static_cast<char*>(program.dli_fbase) - 1);
    FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr)
        return out;
    auto next = addresses.begin();
    void* address = nullptr;
    std::array<char, 4096> line;
    while (std::fgets(line.data(), line.size(), pipe)) {
        const std::string text = line.data();
        if (text.starts_with("0x") && next != addresses.end())
            address = *next++;
        if (std::string function = library_function(text); !function.empty())
            out[address].push_back(std::move(function));
    }
    pclose(pipe);
    return out;
}

// The way from the innermost function to the frame, without most of what is between.
std::string describe_path(const Site& site, const std::map<void*, Path>& places) {
    Path path;
    for (void* caller : site.callers)
        if (const auto place = places.find(caller); place != places.end())
            path.insert(path.end(), place->second.begin(), place->second.end());
    constexpr std::size_t inner = 2, outer = 3;
    const auto frame = std::find_if(path.begin(), path.end(), [](const std::string& function) {
        return function.find("::advance_frame") != function.npos;
    });
    path.erase(frame, path.end());
    std::string out;
    for (std::size_t i = 0; i < path.size(); ++i)
        if (i < inner || i + outer >= path.size())
            out += "\n    " + path[i];
    return out;
}

} // namespace

// All forms: those of libstdc++ call the first of them, but those of a sanitizer do not.
void* operator new(std::size_t size) {
    note(size);
    return checked(std::malloc(std::max<std::size_t>(size, 1)));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    note(size);
    const auto a = static_cast<std::size_t>(alignment);
    return checked(std::aligned_alloc(a, (std::max<std::size_t>(size, 1) + a - 1) / a * a));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    note(size);
    return std::malloc(std::max<std::size_t>(size, 1));
}
void* operator new[](std::size_t size) {
    return operator new(size);
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
    return operator new(size, alignment);
}
void* operator new[](std::size_t size, const std::nothrow_t& none) noexcept {
    return operator new(size, none);
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}

namespace muslin::test {

AllocationCount::AllocationCount() {
    void* caller = nullptr;
    backtrace(&caller, 1); // which allocates the first time
    site_count = 0;
    allocations = 0;
    counting = true;
}

AllocationCount::~AllocationCount() {
    stop();
}

long AllocationCount::stop() {
    counting = false;
    return allocations;
}

std::string AllocationCount::describe() const {
    std::set<void*> addresses;
    for (std::size_t i = 0; i < site_count; ++i)
        addresses.insert(sites[i].callers.begin(), sites[i].callers.end());
    addresses.erase(nullptr);
    const auto places = find_places(addresses);
    struct Sum {
        long times = 0;
        std::size_t bytes = 0;
    };
    std::map<std::string, Sum> sums; // one place may be several addresses
    for (std::size_t i = 0; i < site_count; ++i) {
        Sum& sum = sums[describe_path(sites[i], places)];
        sum.times += sites[i].times;
        sum.bytes += sites[i].bytes;
    }
    std::vector<std::pair<std::string, Sum>> sorted(sums.begin(), sums.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.second.times > b.second.times; });
    std::string out = fmt::format("{} allocations", allocations.load());
    for (const auto& [path, sum] : sorted)
        out += fmt::format("\n{} times, {} bytes:{}", sum.times, sum.bytes, path);
    return out;
}

} // namespace muslin::test
