#include "muslin/io/mesh_sequence.h"

#include "muslin/base/error.h"
#include "muslin/io/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

namespace muslin {
namespace {

namespace fs = std::filesystem;

struct Range {
    int first = std::numeric_limits<int>::max(), last = -1, count = 0;
    int digits = std::numeric_limits<int>::max(); ///< the fewest: larger numbers outgrow them

    void add(int number, int width) {
        first = std::min(first, number);
        last = std::max(last, number);
        digits = std::min(digits, width);
        ++count;
    }
};

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

std::optional<int> number_of(std::string_view digits) {
    int value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size() ||
        value == std::numeric_limits<int>::max())
        return std::nullopt;
    return value;
}

template <class Visit>
void for_each_file(const fs::path& folder, const Visit& visit) {
    std::error_code failure;
    fs::directory_iterator entry(folder, failure);
    for (; !failure && entry != fs::directory_iterator(); entry.increment(failure))
        if (entry->is_regular_file(failure))
            visit(entry->path().filename().string());
    if (failure)
        throw FileError(folder.string(), "cannot be read: " + failure.message());
}

// The numbers found become the sequence; a hole in them is the user's to mend.
void set_range(MeshSequence& sequence, const Range& range) {
    sequence.first = range.first;
    sequence.count = range.last - range.first + 1;
    sequence.digits = range.digits;
    if (range.count == sequence.count)
        return;
    for (int i = 0; i < sequence.count; ++i)
        if (!fs::exists(sequence.file(i)))
            fail_input(sequence.folder.string(), 0, sequence.name(),
                       fmt::format("every frame from {} to {}", range.first, range.last),
                       "no " + sequence.file(i).filename().string());
}

} // namespace

std::string MeshSequence::name() const {
    std::string out = before;
    while (!out.empty() && (out.back() == '.' || out.back() == '-' || out.back() == '_'))
        out.pop_back();
    return out.empty() ? "mesh" : out;
}

fs::path MeshSequence::file(int frame) const {
    return folder / fmt::format("{}{:0{}}{}", before, first + frame, digits, after);
}

bool is_pattern(const fs::path& path) {
    return path.filename().string().find('#') != std::string::npos;
}

MeshSequence parse_pattern(const fs::path& path) {
    const std::string name = path.filename().string();
    const std::size_t begin = name.find('#');
    const std::size_t end = std::min(name.find_first_not_of('#', begin), name.size());
    if (name.find('#', end) != std::string::npos)
        fail_input(path.string(), 0, {}, "one row of # for the number of the frame",
                   "more than one");
    MeshSequence out;
    out.folder = path.parent_path();
    out.before = name.substr(0, begin);
    out.after = name.substr(end);
    out.digits = static_cast<int>(end - begin);
    return out;
}

MeshSequence find_sequence(const fs::path& pattern) {
    MeshSequence out = parse_pattern(pattern);
    Range range;
    const fs::path folder = out.folder.empty() ? fs::path(".") : out.folder;
    for_each_file(folder, [&](const std::string& name) {
        if (name.size() <= out.before.size() + out.after.size() || !name.starts_with(out.before) ||
            !name.ends_with(out.after))
            return;
        const std::string_view digits = std::string_view(name).substr(
            out.before.size(), name.size() - out.before.size() - out.after.size());
        if (!std::all_of(digits.begin(), digits.end(), is_digit))
            return;
        if (const auto number = number_of(digits))
            range.add(*number, static_cast<int>(digits.size()));
    });
    if (range.count == 0)
        fail_input(pattern.string(), 0, {}, "mesh files with numbers in place of the #",
                   "none in the folder");
    set_range(out, range);
    return out;
}

FolderMeshes find_meshes(const fs::path& folder) {
    std::map<std::pair<std::string, std::string>, Range> ranges; // by what is around the number
    FolderMeshes out;
    for_each_file(folder, [&](const std::string& name) {
        const fs::path file(name);
        const std::string ending = file.extension().string(), stem = file.stem().string();
        if ((ending != ".obj" && ending != ".ply") || name.starts_with('.'))
            return;
        std::size_t begin = stem.size();
        while (begin > 0 && is_digit(stem[begin - 1]))
            --begin;
        if (const auto number = number_of(std::string_view(stem).substr(begin)))
            ranges[{stem.substr(0, begin), ending}].add(*number,
                                                        static_cast<int>(stem.size() - begin));
        else
            out.still.push_back(folder / file);
    });
    for (const auto& [around, range] : ranges) {
        MeshSequence sequence;
        sequence.folder = folder;
        std::tie(sequence.before, sequence.after) = around;
        set_range(sequence, range);
        out.sequences.push_back(std::move(sequence));
    }
    std::sort(out.still.begin(), out.still.end());
    return out;
}

} // namespace muslin
