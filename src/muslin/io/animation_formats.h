#pragma once

#include "muslin/io/animation_writer.h"
#include "muslin/io/atomic_file.h"
#include "muslin/io/bytes.h"

#include <array>
#include <span>
#include <string>
#include <vector>

namespace muslin {

// What the writers of single formats share, behind write_animation.

using Float3 = std::array<float, 3>;

/// Counts the frames that have been passed, for the user's progress line.
class FrameCounter {
public:
    FrameCounter(const AnimationWriteOptions& options, int all) : options_(&options), all_(all) {}
    void step() {
        ++done_;
        if (options_->progress)
            options_->progress(done_, all_);
    }

private:
    const AnimationWriteOptions* options_;
    int done_ = 0, all_;
};

/// The positions of an object as the floats that all formats store. A number that no float holds
/// is an InputError, which names the object, the frame and the vertex.
class FloatFrames {
public:
    FloatFrames(AnimationSource& source, std::size_t object) : source_(&source), object_(object) {}
    const std::vector<Float3>& read(int frame);
    /// Those of the frame last read, in full precision.
    const std::vector<Vec3>& positions() const { return positions_; }

private:
    AnimationSource* source_;
    std::size_t object_;
    std::vector<Vec3> positions_;
    std::vector<Float3> floats_;
};

/// Values of a field as floats; InputError for one that no float holds.
void read_float_field(AnimationSource& source, std::size_t object, std::size_t field, int frame,
                      std::vector<double>& scratch, std::vector<float>& values);

struct FloatBox {
    Float3 low, high;
};
FloatBox bounds(std::span<const Float3> points);

/// Numbers as raw bytes in the machine's order, which must be little-endian.
template <class T>
std::string_view raw_bytes(std::span<const T> values) {
    static_assert(std::endian::native == std::endian::little);
    return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}
template <class T>
std::string_view raw_bytes(const std::vector<T>& values) {
    return raw_bytes(std::span<const T>(values));
}

/// Throws InputError when an object has no faces.
void require_faces(const AnimationSource& source, std::string_view format);

/// Throws InputError for texture coordinates that no float holds.
void require_float_texcoords(const AnimationSource& source);

/// The colour by which pictures tell this object from others, as linear light.
Vec3 object_color(const AnimationSource& source, std::size_t object);

void write_point_caches(AnimationFormat format, const std::filesystem::path& output,
                        AnimationSource& source, const AnimationWriteOptions& options);
void write_sequences(AnimationFormat format, const std::filesystem::path& output,
                     AnimationSource& source, const AnimationWriteOptions& options);
void write_usda(const std::filesystem::path& file, AnimationSource& source,
                const AnimationWriteOptions& options);
void write_glb(const std::filesystem::path& file, AnimationSource& source,
               const AnimationWriteOptions& options);
void write_pvd(const std::filesystem::path& file, AnimationSource& source,
               const AnimationWriteOptions& options);

} // namespace muslin
