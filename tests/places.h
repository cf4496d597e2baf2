#pragma once

namespace muslin::test {

/// The root of the sources and the program, as absolute paths. Functions, not macros: objects then
/// do not depend on where they are built, and a compiler cache serves every checkout.
const char* source_directory();
const char* program();

} // namespace muslin::test
