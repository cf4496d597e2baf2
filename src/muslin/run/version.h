#pragma once

#include <string>

namespace muslin {

/// "muslin 0.1.0". Dressed states are kept under it: one version, one behaviour, whichever commit
/// or machine it was built from.
std::string version_text();

/// Which commit of the repository the library was built from, "1e38b16acb5d", with a word if files
/// had changed since; or why that is not known.
std::string commit_text();

/// The version, the commit and what the library was built with, a line each.
std::string build_text();

} // namespace muslin
