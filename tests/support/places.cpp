#include "places.h"

namespace muslin::test {

const char* source_directory() {
    return MUSLIN_SOURCE_DIR;
}

const char* program() {
    return MUSLIN_BINARY;
}

} // namespace muslin::test
