#pragma once

#include "muslin/render/image.h"

#include <filesystem>
#include <memory>
#include <string>

namespace muslin {

struct MovieSettings {
    int width = 1280, height = 720; ///< of every picture [pixels]
    double frames_per_second = 30;
    int quality = 18;               ///< x264's constant rate factor: 0 lossless .. 51 worst
    std::string program = "ffmpeg"; ///< looked up on PATH
};

/// Whether a MovieWriter knows what to make of a file with this ending: .mp4, .gif or .webp.
bool is_movie_name(const std::filesystem::path& file);

/// Writes a movie by handing raw pictures to the program ffmpeg; the file's ending decides: an MP4
/// (H.264, yuv420p, so that every player and browser shows it), or a GIF or WebP that runs in a
/// loop wherever a picture can stand. ffmpeg keeps the pictures of a GIF in memory until it has
/// chosen the colours for all of them; the others pass through. The file appears whole at finish(),
/// or not at all: a writer destroyed before that leaves nothing behind.
class MovieWriter {
public:
    /// Throws InputError for another ending, FileError when ffmpeg is not installed or the
    /// directory cannot be written.
    MovieWriter(const std::filesystem::path& file, const MovieSettings& settings);
    ~MovieWriter();
    MovieWriter(const MovieWriter&) = delete;
    MovieWriter& operator=(const MovieWriter&) = delete;

    /// Throws FileError, with ffmpeg's own last words, when it has stopped.
    void add(const Image& image);
    void finish();

private:
    struct Encoder;
    std::filesystem::path file_;
    MovieSettings settings_;
    std::unique_ptr<Encoder> encoder_;
};

} // namespace muslin
