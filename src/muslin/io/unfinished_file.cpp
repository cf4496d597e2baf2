#include "muslin/io/unfinished_file.h"

#include <array>
#include <atomic>
#include <climits>
#include <csignal>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

namespace muslin {
namespace {

// A handler may not allocate or lock: names lie in fixed places, each with its own state.
enum State : int { vacant, being_set, in_use };
constexpr int starting = -1; // a writer that is not known yet
std::atomic<bool> refused{false};
struct Slot {
    std::atomic<int> state{vacant};
    std::atomic<int> writer{0};
    std::array<char, PATH_MAX> path;
};
std::array<Slot, 16> slots; // more files at a time than any command writes
static_assert(std::atomic<int>::is_always_lock_free);

int take_slot(const std::string& path) {
    if (path.size() >= PATH_MAX)
        return -1;
    for (std::size_t i = 0; i < slots.size(); ++i) {
        int expected = vacant;
        if (!slots[i].state.compare_exchange_strong(expected, being_set))
            continue;
        std::memcpy(slots[i].path.data(), path.c_str(), path.size() + 1);
        slots[i].writer = 0;
        slots[i].state = in_use;
        return static_cast<int>(i);
    }
    return -1;
}

void leave_slot(int slot) {
    if (slot >= 0)
        slots[static_cast<std::size_t>(slot)].state = vacant;
}

} // namespace

UnfinishedFile::UnfinishedFile(std::filesystem::path path)
    : path_(std::move(path)), slot_(take_slot(path_.string())) {}

UnfinishedFile::~UnfinishedFile() {
    if (!kept_)
        ::unlink(path_.c_str());
    leave_slot(slot_);
}

void UnfinishedFile::start_writer(const std::function<int()>& start) {
    // The handler must not run on this thread before the child is known, nor go on elsewhere.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    std::atomic<int> unused;
    std::atomic<int>& writer = slot_ >= 0 ? slots[static_cast<std::size_t>(slot_)].writer : unused;
    writer = starting;
    while (refused) { // seen by us, or `starting` is seen by the handler
        writer = 0;
        ::pause();
    }
    writer = start();
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void UnfinishedFile::writer_ended() {
    if (slot_ >= 0)
        slots[static_cast<std::size_t>(slot_)].writer = 0;
}

void UnfinishedFile::keep() {
    kept_ = true;
    leave_slot(slot_);
    slot_ = -1;
}

void refuse_writers() noexcept {
    refused = true;
}

void remove_unfinished_files() noexcept {
    for (Slot& slot : slots) {
        if (slot.state != in_use)
            continue;
        while (slot.writer == starting) { // by another thread: one on this one holds signals off
        }
        // Waited for: one that is just starting would else make the file after we have gone.
        if (const int writer = slot.writer; writer > 0 && ::kill(writer, SIGKILL) == 0)
            ::waitpid(writer, nullptr, 0);
        ::unlink(slot.path.data());
    }
}

} // namespace muslin
