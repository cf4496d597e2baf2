#include "muslin/sim/version.h"

namespace muslin {

std::string version_text() {
    return "muslin " MUSLIN_VERSION;
}

} // namespace muslin
