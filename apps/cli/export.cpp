#include "export.h"

#include "progress.h"

#include "muslin/base/error.h"
#include "muslin/scene/suggest.h"

#include <algorithm>
#include <chrono>

namespace muslin::cli {
namespace {

namespace fs = std::filesystem;

/// Whether a file is NAME.NNNN.ENDING or NAME.ENDING of one of the objects.
bool is_of(const std::string& file, const std::vector<AnimatedObject>& objects,
           const std::string& ending) {
    for (const AnimatedObject& object : objects) {
        if (!file.starts_with(object.name + ".") || !file.ends_with(ending))
            continue;
        if (file.size() == object.name.size() + ending.size())
            return true;
        const std::size_t begin = object.name.size() + 1;
        if (file.size() <= begin + ending.size())
            continue;
        const std::string middle = file.substr(begin, file.size() - begin - ending.size());
        if (std::all_of(middle.begin(), middle.end(), [](char c) { return c >= '0' && c <= '9'; }))
            return true;
    }
    return false;
}

// The folder itself goes too, once nothing else is in it.
void remove_sequences(const fs::path& folder, const std::vector<AnimatedObject>& objects,
                      const std::string& ending) {
    std::error_code ignored;
    std::vector<fs::path> found;
    for (fs::directory_iterator file(folder, ignored), end; !ignored && file != end;
         file.increment(ignored))
        if (is_of(file->path().filename().string(), objects, ending))
            found.push_back(file->path());
    for (const fs::path& file : found)
        fs::remove(file, ignored);
    if (!found.empty() && fs::is_empty(folder, ignored))
        fs::remove(folder, ignored);
}

} // namespace

AnimationFormat parse_export(const std::string& name, const std::string& option) {
    if (const auto format = animation_format_by_name(name))
        return *format;
    std::vector<std::string_view> known;
    for (const AnimationFormat format : all_animation_formats())
        known.push_back(name_of(format));
    const std::string nearest = nearest_word(name, known);
    throw InputError({{},
                      option,
                      "one of " + animation_format_names(),
                      "'" + name + "'",
                      nearest.empty() ? std::string() : "did you mean '" + nearest + "'?"});
}

std::vector<AnimationFormat> parse_exports(const std::vector<std::string>& lists,
                                           const std::string& option) {
    std::vector<AnimationFormat> out;
    for (const std::string& list : lists) {
        for (std::size_t begin = 0; begin <= list.size();) {
            const std::size_t end = std::min(list.find(',', begin), list.size());
            out.push_back(parse_export(list.substr(begin, end - begin), option));
            begin = end + 1;
        }
    }
    return out;
}

void write_with_progress(AnimationFormat format, const fs::path& out, AnimationSource& source,
                         bool quiet) {
    using Clock = std::chrono::steady_clock;
    constexpr double patience = 1, interval = 0.5; // [s]
    const auto start = Clock::now();
    double shown = patience - interval;
    Progress progress(std::string(name_of(format)), quiet);
    AnimationWriteOptions options;
    options.progress = [&](int done, int all) {
        const double passed = std::chrono::duration<double>(Clock::now() - start).count();
        const bool last = done == all && shown >= patience;
        if (passed < shown + interval && !last)
            return;
        shown = passed;
        progress.show(done, all, passed, "written");
    };
    write_animation(format, out, source, options);
}

void remove_exports(const fs::path& directory) {
    std::unique_ptr<AnimationSource> run;
    try {
        run = open_animation(directory);
    } catch (const std::exception&) { // then nothing tells which files are exports
        return;
    }
    const auto& objects = run->objects();
    std::error_code ignored;
    for (const AnimatedObject& object : objects)
        fs::remove(directory / (object.name + ".mdd"), ignored);
    for (const AnimationFormat format : {AnimationFormat::usda, AnimationFormat::glb})
        fs::remove(animation_output(format, directory, run->name()), ignored);
    for (const AnimationFormat format : {AnimationFormat::obj, AnimationFormat::ply})
        remove_sequences(animation_output(format, directory, run->name()), objects,
                         std::string(ending_of(format)));
    const fs::path pvd = animation_output(AnimationFormat::vtu, directory, run->name());
    remove_sequences(fs::path(pvd).replace_extension(), objects, ".vtu");
    if (fs::remove(pvd, ignored) && fs::is_empty(pvd.parent_path(), ignored))
        fs::remove(pvd.parent_path(), ignored);
}

void export_run(const fs::path& directory, const std::vector<AnimationFormat>& formats,
                bool quiet) {
    if (formats.empty())
        return;
    const std::unique_ptr<AnimationSource> run = open_animation(directory);
    for (const AnimationFormat format : formats)
        if (format != AnimationFormat::pc2) // which the run itself has written
            write_with_progress(format, animation_output(format, directory, run->name()), *run,
                                quiet);
}

} // namespace muslin::cli
