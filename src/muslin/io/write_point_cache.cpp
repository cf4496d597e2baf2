#include "muslin/io/animation_formats.h"
#include "muslin/io/pc2.h"
#include "muslin/io/text.h"

#include <fmt/format.h>

namespace muslin {
namespace {

namespace fs = std::filesystem;

template <class T>
void put(ByteSink& sink, T value, std::endian order) {
    const auto bytes = to_bytes(value, order);
    sink.put({bytes.data(), bytes.size()});
}

void put_head(ByteSink& sink, AnimationFormat format, int points, const AnimationSource& source) {
    if (format == AnimationFormat::pc2) {
        const auto head = pc2_head({points, 0, 1, source.frames()});
        sink.put({head.data(), head.size()});
        return;
    }
    put(sink, static_cast<std::int32_t>(source.frames()), std::endian::big);
    put(sink, static_cast<std::int32_t>(points), std::endian::big);
    for (int frame = 0; frame < source.frames(); ++frame)
        put(sink, static_cast<float>(frame / source.frame_rate()), std::endian::big);
}

void write_cache(AnimationFormat format, const fs::path& file, AnimationSource& source,
                 std::size_t object, FrameCounter& counter) {
    const std::endian order =
        format == AnimationFormat::pc2 ? std::endian::little : std::endian::big;
    write_file_atomically(file, [&](ByteSink& sink) {
        put_head(sink, format, static_cast<int>(source.objects()[object].mesh.positions.size()),
                 source);
        FloatFrames frames(source, object);
        for (int frame = 0; frame < source.frames(); ++frame, counter.step())
            for (const Float3& p : frames.read(frame))
                for (const float value : p)
                    put(sink, value, order);
    });
}

// An animation of one frame has nothing that moves, but is a cache of one sample all the same.
std::vector<std::size_t> cached_objects(const AnimationSource& source) {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < source.objects().size(); ++i)
        if (source.objects()[i].moves || source.frames() == 1)
            out.push_back(i);
    return out;
}

} // namespace

void write_point_caches(AnimationFormat format, const fs::path& output, AnimationSource& source,
                        const AnimationWriteOptions& options) {
    const std::vector<std::size_t> objects = cached_objects(source);
    const std::string ending(ending_of(format));
    FrameCounter counter(options, source.frames() * static_cast<int>(objects.size()));
    if (lower_case_ending(output) == ending) {
        if (objects.size() != 1)
            fail_input(source.place(), 0, "--cloth",
                       fmt::format("the one object that goes into '{}', or a folder as the output",
                                   output.string()),
                       fmt::format("{} that move", objects.size()));
        write_cache(format, output, source, objects[0], counter);
        return;
    }
    make_folder(output);
    for (const std::size_t object : objects)
        write_cache(format, output / (source.objects()[object].name + ending), source, object,
                    counter);
}

} // namespace muslin
