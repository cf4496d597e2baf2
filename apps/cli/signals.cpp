#include "signals.h"

#include "muslin/io/unfinished_file.h"

#include <atomic>
#include <csignal>
#include <ctime>
#include <initializer_list>

namespace muslin::cli {
namespace {

std::atomic<int> noted{0};
std::atomic<long> noted_at{0}; ///< [ms]
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<long>::is_always_lock_free);

void end_tidily(int signal) {
    // One at a time: `timeout` and impatient hands send two, and the second must not end us before
    // the first is answered.
    static std::atomic<bool> ending{false};
    if (ending.exchange(true))
        return;
    refuse_writers();
    remove_unfinished_files();
    std::signal(signal, SIG_DFL);
    std::raise(signal); // the shell must see what ended us
}

void note(int signal) {
    constexpr long at_once = 200; // [ms]: `timeout` and terminals send the same one twice
    timespec now;
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    const long time = 1000 * now.tv_sec + now.tv_nsec / 1000000;
    int none = 0;
    if (noted.compare_exchange_strong(none, signal))
        noted_at = time;
    else if (time - noted_at > at_once)
        end_tidily(signal);
}

void set_handler(void (*handler)(int)) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction now {};
        sigaction(signal, nullptr, &now);
        if (now.sa_handler == SIG_IGN)
            continue; // the caller wants it so
        now.sa_handler = handler;
        now.sa_flags = SA_NODEFER | SA_RESTART;
        sigaction(signal, &now, nullptr);
    }
}

} // namespace

void handle_signals() {
    set_handler(end_tidily);
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
}

void note_first_signal() {
    set_handler(note);
}

int stop_signal() {
    return noted;
}

} // namespace muslin::cli
