#include "fuzz.h"
#include "level_set_check.h"

#include "muslin/base/hash.h"
#include "muslin/io/level_set_cache.h"

using namespace muslin;

namespace {

constexpr std::uint64_t key = 0x0123456789abcdef;

/// With the mark, the key and the digest that a cache puts after its grids.
std::string sealed(std::string_view bytes) {
    Hash64 hash;
    hash.add(bytes.data(), bytes.size());
    std::string out(bytes);
    out += "MUSLINLS";
    for (const std::uint64_t number : {key, hash.value()})
        for (int i = 0; i < 8; ++i)
            out.push_back(static_cast<char>(number >> 8 * i & 0xff));
    return out;
}

/// Thrown where a level set would be made: what was kept is not to be used, and writing another is
/// not what is tried.
struct Refused {};

void ask(const fuzz::Folder& folder, std::string_view bytes) {
    folder.write("0123456789abcdef.vdb", bytes);
    LevelSetCache cache(folder.path());
    try {
        fuzz::check_level_set(cache.get_or_make(key, []() -> LevelSet { throw Refused(); }));
        fuzz::require(cache.warnings().empty(), "no warning for what is used");
    } catch (const Refused&) {
        fuzz::require(cache.warnings().size() == 1, "a warning for what is not");
        fuzz::check_message(cache.warnings().front());
    }
}

} // namespace

FUZZ_TARGET(level_set_cache) {
    static const fuzz::Folder folder;
    ask(folder, bytes);
    ask(folder, sealed(bytes));
}
