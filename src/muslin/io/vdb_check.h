#pragma once

#include <string>

namespace muslin {

/// OpenVDB believes the sizes that a file declares: it reads a block of values into an array that
/// may be shorter, and takes memory for any length of a text. This walks over the whole file first,
/// as OpenVDB will, and checks that each part is as long as its place says and lies in the file.
///
/// Gives the bytes to hand over: notes of a kind whose length is not known here are marked as
/// unknown to OpenVDB, too. Throws InputError for a file that breaks off or contradicts itself, one
/// of OpenVDB before 2.1 (file version 222), and grids that are not of plain numbers.
std::string checked_vdb(std::string bytes, const std::string& file);

} // namespace muslin
