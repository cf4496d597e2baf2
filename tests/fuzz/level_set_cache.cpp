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

void ask(const fuzz::Folder& folder, std::string_view bytes) {
    folder.write("0123456789abcdef.vdb", bytes);
    LevelSetCache cache(folder.path());
    bool made = false;
    const LevelSet level_set = cache.get_or_make(key, [&] {
        made = true;
        return LevelSet();
    });
    fuzz::require(made == (cache.warnings().size() == 1), "a warning for what was made anew");
    for (const std::string& warning : cache.warnings())
        fuzz::check_message(warning);
    if (!made)
        fuzz::check_level_set(level_set);
}

} // namespace

FUZZ_TARGET(level_set_cache) {
    static const fuzz::Folder folder;
    ask(folder, bytes);
    ask(folder, sealed(bytes));
}
