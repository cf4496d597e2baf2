// Every reader on the seeds of the fuzzers, on what the fuzzers have found, and on some thousands
// of spoilt seeds, the same ones each time. `make fuzz` goes on from there for as long as one
// likes.

#include "fuzz.h"
#include "places.h"

#include "muslin/io/read_file.h"

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <random>
#include <vector>

namespace muslin::fuzz {
namespace {

std::map<std::string, Target*>& targets() {
    static std::map<std::string, Target*> all;
    return all;
}

struct Seed {
    std::string name, bytes;
};

/// The files of tests/fuzz/KIND/TARGET, by name.
std::vector<Seed> seeds(const std::string& kind, const std::string& target) {
    const auto folder =
        std::filesystem::path(test::source_directory()) / "tests" / "fuzz" / kind / target;
    std::vector<Seed> out;
    if (std::filesystem::is_directory(folder))
        for (const auto& entry : std::filesystem::directory_iterator(folder))
            out.push_back({entry.path().filename().string(), read_file(entry.path())});
    std::sort(out.begin(), out.end(), [](const Seed& a, const Seed& b) { return a.name < b.name; });
    return out;
}

/// Spoils bytes as libFuzzer does, in few ways and the same ones each time.
class Mutator {
public:
    explicit Mutator(const std::vector<Seed>& seeds) : seeds_(seeds) {}

    std::string operator()() {
        std::string bytes = seeds_[below(seeds_.size())].bytes;
        for (std::size_t edits = 1 + below(5); edits > 0; --edits)
            edit(bytes);
        return bytes;
    }

private:
    std::size_t below(std::size_t limit) { return limit == 0 ? 0 : random_() % limit; }

    void edit(std::string& bytes) {
        static const std::string words[] = {"-1",
                                            "0",
                                            "4294967295",
                                            "9223372036854775807",
                                            "1e999",
                                            "\n",
                                            "nan",
                                            "[",
                                            "{",
                                            "\"",
                                            "=",
                                            ".",
                                            "null",
                                            "1e-320",
                                            "(",
                                            std::string("\0\0\0\0", 4),
                                            "\xff\xff\xff\xff",
                                            "\xff\xff\xff\x7f"};
        const std::size_t at = below(bytes.size() + 1), size = below(bytes.size() - at + 1) % 64;
        switch (below(8)) {
        case 0: // a byte becomes another
            if (at < bytes.size())
                bytes[at] = static_cast<char>(below(256));
            break;
        case 1: // a bit flips
            if (at < bytes.size())
                bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
            break;
        case 2:
            bytes.erase(at, size);
            break;
        case 3:
            bytes.insert(at, bytes.substr(at, size));
            break;
        case 4: // the end is lost
            bytes.resize(at);
            break;
        case 5:
            bytes.insert(at, words[below(std::size(words))]);
            break;
        case 6: { // written over
            const std::string& word = words[below(std::size(words))];
            bytes.replace(at, std::min(word.size(), bytes.size() - at), word);
            break;
        }
        default: { // a piece of another seed
            const std::string& other = seeds_[below(seeds_.size())].bytes;
            const std::size_t from = below(other.size() + 1);
            bytes.insert(at, other.substr(from, below(64)));
        }
        }
    }

    const std::vector<Seed>& seeds_;
    std::mt19937 random_{1};
};

/// As libFuzzer calls it: nothing but a return is well.
std::string outcome(Target& target, const std::string& bytes) {
    // Exactly as long as the input, so that sanitizers see a read beyond.
    const std::vector<char> exact(bytes.begin(), bytes.end());
    try {
        target({exact.data(), exact.size()});
        return {};
    } catch (const std::exception& error) {
        return std::string(typeid(error).name()) + ": " + error.what();
    }
}

class Fuzz : public ::testing::TestWithParam<std::string> {
protected:
    Target& target() const { return *targets().at(GetParam()); }

    void replay(const std::string& kind) const {
        using Clock = std::chrono::steady_clock;
        for (const Seed& seed : seeds(kind, GetParam())) {
            const auto begin = Clock::now();
            EXPECT_EQ(outcome(target(), seed.bytes), "") << kind << '/' << seed.name;
            // What once took seconds; sanitizers and busy machines need some room.
            EXPECT_LT(std::chrono::duration<double>(Clock::now() - begin).count(), 5) << seed.name;
        }
    }
};

TEST_P(Fuzz, SeedsAndWhatWasFound) {
    EXPECT_FALSE(seeds("corpus", GetParam()).empty());
    replay("corpus");
    replay("found");
}

TEST_P(Fuzz, SpoiltSeeds) {
    const std::vector<Seed> all = seeds("corpus", GetParam());
    ASSERT_FALSE(all.empty());
    Mutator mutate(all);
    constexpr int rounds = 3000;
    for (int i = 0; i < rounds; ++i) {
        const std::string bytes = mutate();
        const std::string failure = outcome(target(), bytes);
        ASSERT_EQ(failure, "") << "round " << i << ": " << ::testing::PrintToString(bytes);
    }
}

std::vector<std::string> names() {
    std::vector<std::string> out;
    for (const auto& [name, target] : targets())
        out.push_back(name);
    return out;
}

INSTANTIATE_TEST_SUITE_P(Readers, Fuzz, ::testing::ValuesIn(names()),
                         [](const auto& target) { return target.param; });

} // namespace

Registration::Registration(const char* name, Target* target) {
    targets().emplace(name, target);
}

} // namespace muslin::fuzz
