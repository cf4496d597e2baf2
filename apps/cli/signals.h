#pragma once

namespace muslin::cli {

/// From now on a signal that ends the program leaves nothing half-written, and a pipe that is
/// closed or a file that may not grow is an error of the call that writes.
void handle_signals();

/// From now on the first SIGINT, SIGTERM or SIGHUP is only noted, for stop_signal(): a run ends its
/// frame and saves it. A second one ends the program at once.
void note_first_signal();
/// Which of them came; 0: none did.
int stop_signal();

} // namespace muslin::cli
