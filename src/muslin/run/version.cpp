#include "muslin/run/version.h"

#include <fmt/format.h>

namespace muslin {

const char* built_from(); // generated: cmake/MuslinCommit.cmake

std::string version_text() {
    return "muslin " MUSLIN_VERSION;
}

std::string commit_text() {
    return built_from();
}

std::string build_text() {
    return fmt::format("{}\ncommit      {}\nbuild       " MUSLIN_BUILD
                       "\nparallel    " MUSLIN_BACKEND "\nOpenVDB     " MUSLIN_OPENVDB
                       "\nsanitizers  " MUSLIN_SANITIZERS,
                       version_text(), commit_text());
}

} // namespace muslin
