#include "sizes.h"

#include "includes.h"
#include "outline.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace muslin::project {
namespace {

bool is_measured(const std::string& path) {
    static constexpr std::array folders = {"src/",   "include/",    "apps/",
                                           "tests/", "benchmarks/", "examples/"};
    return is_code(path) && std::ranges::any_of(folders, [&](const char* folder) {
               return path.starts_with(folder);
           });
}

/// Headers of ours by the name that an include gives them, each with what it includes itself.
class Headers {
public:
    explicit Headers(const std::vector<SourceFile>& files) {
        for (const SourceFile& file : files)
            if (file.path.ends_with(".h"))
                for (const std::string root : {"src/", "include/"})
                    if (file.path.starts_with(root))
                        enter(file.path.substr(root.size()), file);
    }
    std::size_t own(const std::string& name) const { return includes_.at(name).size(); }
    std::size_t all(const std::string& name) const {
        std::set<std::string> seen = {name};
        collect(name, seen);
        return seen.size() - 1;
    }

private:
    void enter(const std::string& name, const SourceFile& file) {
        for (const Include& include : find_includes(file))
            if (include.path.starts_with("muslin/"))
                includes_[name].insert(include.path);
        includes_[name]; // also where it includes none
    }
    void collect(const std::string& name, std::set<std::string>& seen) const {
        const auto found = includes_.find(name);
        if (found == includes_.end())
            return;
        for (const std::string& next : found->second)
            if (seen.insert(next).second)
                collect(next, seen);
    }
    std::map<std::string, std::set<std::string>> includes_;
};

void measure_headers(const std::vector<SourceFile>& files, TreeSizes& out) {
    const Headers headers(files);
    for (const SourceFile& file : files) {
        const bool is_public = file.path.starts_with("include/");
        if (!file.path.ends_with(".h") || !(is_public || file.path.starts_with("src/")))
            continue;
        const std::string name = file.path.substr(file.path.find('/') + 1);
        out.includes.push_back({static_cast<int>(headers.own(name)), file.path, 0, {}});
        (is_public ? out.public_includes : out.inner_includes)
            .push_back({static_cast<int>(headers.all(name)), file.path, 0, {}});
    }
}

/// A kind of thing, its limit (0: none) and what is written of it.
struct Kind {
    const std::vector<Sized>& all;
    int limit;
    const char* title;
    const char* unit;
};

std::vector<Kind> kinds(const TreeSizes& s, const SizeLimits& l) {
    return {{s.classes, l.class_members, "classes", "members of state"},
            {s.records, l.record_members, "records", "members"},
            {s.functions, l.function_lines, "functions", "lines"},
            {s.files, l.file_lines, "files", "lines"},
            {s.includes, l.includes, "headers", "includes of ours"},
            {s.public_includes, l.public_includes, "public headers", "headers of ours behind them"},
            {s.inner_includes, 0, "inner headers", "headers of ours behind them"}};
}

std::string place(const Sized& s) {
    return s.file + (s.line > 0 ? ":" + std::to_string(s.line) : "") +
           (s.name.empty() ? "" : ": " + s.name);
}

} // namespace

TreeSizes measure_sizes(const std::vector<SourceFile>& files) {
    TreeSizes out;
    for (const SourceFile& file : files) {
        if (!is_measured(file.path))
            continue;
        out.files.push_back({static_cast<int>(file.lines.size()), file.path, 0, {}});
        const Outline outline = read_outline(file);
        for (const ClassSize& c : outline.classes)
            (c.is_record ? out.records : out.classes)
                .push_back({c.members, file.path, c.line, c.name});
        for (const FunctionSize& f : outline.functions)
            out.functions.push_back({f.lines, file.path, f.line, f.name});
    }
    measure_headers(files, out);
    for (auto* list : {&out.classes, &out.records, &out.functions, &out.files, &out.includes,
                       &out.public_includes, &out.inner_includes})
        std::ranges::stable_sort(*list, std::ranges::greater{}, &Sized::size);
    return out;
}

std::vector<Violation> find_large(const TreeSizes& sizes, const SizeLimits& limits) {
    std::vector<Violation> out;
    for (const Kind& kind : kinds(sizes, limits))
        for (const Sized& s : kind.all)
            if (kind.limit > 0 && s.size > kind.limit)
                out.push_back({s.file, s.line,
                               (s.name.empty() ? "" : s.name + ": ") + std::to_string(s.size) +
                                   " " + kind.unit + ", at most " + std::to_string(kind.limit)});
    return out;
}

std::string describe(const TreeSizes& sizes, const SizeLimits& limits, std::size_t rows) {
    std::string text;
    for (const Kind& kind : kinds(sizes, limits)) {
        text += std::to_string(kind.all.size()) + " " + kind.title + ", " + kind.unit +
                (kind.limit > 0 ? ", at most " + std::to_string(kind.limit) : "") + ":\n";
        for (std::size_t i = 0; i < std::min(rows, kind.all.size()); ++i) {
            const std::string size = std::to_string(kind.all[i].size);
            text += std::string(6 - std::min<std::size_t>(size.size(), 5), ' ') + size + "  " +
                    place(kind.all[i]) + "\n";
        }
    }
    return text;
}

} // namespace muslin::project
