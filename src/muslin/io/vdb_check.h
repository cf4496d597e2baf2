#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace muslin {

/// Whether a block of values, its length in front, is what so many bytes were packed into; by Blosc
/// or else by zlib.
using VdbUnpacks = bool (*)(std::string_view block, std::size_t size, bool blosc);

/// OpenVDB believes the sizes that a file declares: it reads a block of values into an array that
/// may be shorter, takes memory for any length of a text, and loses nodes when a block of values
/// does not unpack. This walks over the whole file first, as OpenVDB will, and checks that each
/// part is as long as its place says, lies in the file and unpacks.
///
/// Gives the bytes to hand over: notes of a kind whose length is not known here are marked as
/// unknown to OpenVDB, too. Throws InputError for a file that breaks off or contradicts itself, one
/// of OpenVDB before 2.1 (file version 222), and grids that are not of plain numbers.
std::string checked_vdb(std::string bytes, const std::string& file, VdbUnpacks unpacks);

} // namespace muslin
