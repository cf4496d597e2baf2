#include "muslin/render/movie.h"

#include "muslin/base/error.h"
#include "muslin/io/text.h"
#include "muslin/io/unfinished_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <optional>
#include <spawn.h>
#include <stdexcept>
#include <string_view>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern char** environ;

namespace muslin {

namespace {

/// A file descriptor that closes itself.
class Descriptor {
public:
    explicit Descriptor(int number = -1) : number_(number) {}
    ~Descriptor() { close(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int get() const { return number_; }
    void reset(int number) {
        close();
        number_ = number;
    }
    void close() {
        if (number_ >= 0)
            ::close(number_);
        number_ = -1;
    }

private:
    int number_;
};

using Words = std::vector<std::string>;

constexpr std::string_view error_mark = "[error] "; // before ffmpeg's own words

/// Half the colour resolution needs even sides; the colours are said to be what they are, or
/// players would guess from the size.
Words mp4_words(const MovieSettings& settings) {
    return {"-vf",
            "pad=ceil(iw/2)*2:ceil(ih/2)*2:0:0:color=white,"
            "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p",
            "-c:v",
            "libx264",
            "-preset",
            "medium",
            "-crf",
            fmt::format("{}", settings.quality),
            "-colorspace",
            "bt709",
            "-color_primaries",
            "bt709",
            "-color_trc",
            "bt709",
            "-color_range",
            "tv",
            "-movflags",
            "+faststart",
            "-f",
            "mp4"};
}

/// One palette for the whole movie, chosen by what moves; an ordered dither, since a random one
/// flickers and does not compress.
Words gif_words() {
    return {"-filter_complex",
            "split[a][b];[a]palettegen=stats_mode=full[p];"
            "[b][p]paletteuse=dither=bayer:bayer_scale=4:diff_mode=rectangle",
            "-loop",
            "0",
            "-f",
            "gif"};
}

Words webp_words() {
    return {"-c:v", "libwebp_anim", "-quality", "80", "-compression_level",
            "6",    "-loop",        "0",        "-f", "webp"};
}

Words arguments(const MovieSettings& settings, const std::string& ending,
                const std::string& output) {
    Words words = {settings.program,
                   "-nostdin",
                   "-hide_banner",
                   "-loglevel",
                   "level+error", // each line says how grave it is
                   "-xerror",     // else a failed trailer does not show in the exit status
                   "-y",
                   "-f",
                   "rawvideo",
                   "-pixel_format",
                   "rgb24",
                   "-video_size",
                   fmt::format("{}x{}", settings.width, settings.height),
                   "-framerate",
                   fmt::format("{}", settings.frames_per_second),
                   "-i",
                   "pipe:0",
                   "-an"};
    const Words format = ending == ".gif"    ? gif_words()
                         : ending == ".webp" ? webp_words()
                                             : mp4_words(settings);
    words.insert(words.end(), format.begin(), format.end());
    words.push_back("file:" + output); // a name with a colon is no protocol
    return words;
}

} // namespace

struct MovieWriter::Encoder {
    std::filesystem::path file, temporary;
    std::optional<UnfinishedFile> unfinished;
    Descriptor pictures; // our end of a socket; its other end is ffmpeg's standard input
    Descriptor messages; // an unlinked file with ffmpeg's standard error
    pid_t process = -1;

    ~Encoder() {
        if (process > 0) { // given up half-way
            ::kill(process, SIGKILL);
            pictures.close();
            wait();
        }
    }

    /// The exit status as waitpid gives it.
    int wait() {
        int status = 0;
        while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
        }
        process = -1;
        if (unfinished)
            unfinished->writer_ended();
        return status;
    }

    /// The end of what ffmpeg has written to its standard error.
    std::string messages_end() const {
        std::string text(2000, '\0');
        const off_t end = ::lseek(messages.get(), 0, SEEK_END);
        const off_t from = end > 2000 ? end - 2000 : 0;
        const ssize_t got = ::pread(messages.get(), text.data(), text.size(), from);
        text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
        return text;
    }

    /// ffmpeg can end with status 0 and a file that does not play: where the disk is full, say.
    /// Other lines (the loader's, a library's) are no reason to throw a movie away.
    bool told_an_error() const {
        const std::string text = messages_end();
        return text.find(error_mark) != std::string::npos ||
               text.find("[fatal] ") != std::string::npos;
    }

    std::string last_words() const {
        std::string text = messages_end();
        while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
            text.pop_back();
        std::replace(text.begin(), text.end(), '\n', ' ');
        const std::string ours = temporary.string(), users = file.string();
        for (std::size_t at = 0; (at = text.find(ours)) != std::string::npos;)
            text.replace(at, ours.size(), users);
        for (std::size_t at = 0; (at = text.find(error_mark)) != std::string::npos;)
            text.erase(at, error_mark.size());
        return text.empty() ? "it gave no reason" : text;
    }
};

bool is_movie_name(const std::filesystem::path& file) {
    const std::string ending = lower_case_ending(file);
    return ending == ".mp4" || ending == ".gif" || ending == ".webp";
}

MovieWriter::MovieWriter(const std::filesystem::path& file, const MovieSettings& settings)
    : file_(file), settings_(settings), encoder_(std::make_unique<Encoder>()) {
    if (settings.width < 1 || settings.height < 1 || !(settings.frames_per_second > 0))
        throw std::invalid_argument("MovieSettings: size and frames_per_second must be positive");
    if (!is_movie_name(file))
        throw InputError({{file.string()},
                          "",
                          "a name that ends in .mp4, .gif or .webp",
                          file.filename().string(),
                          ""});
    encoder_->file = encoder_->temporary = file;
    encoder_->temporary.replace_filename(
        fmt::format(".{}.{}.tmp", file.filename().string(), ::getpid()));
    encoder_->unfinished.emplace(encoder_->temporary);

    // A socket rather than a pipe: it can be written to without a signal when ffmpeg has died.
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        throw FileError(file.string(), std::string("cannot start ffmpeg: ") + std::strerror(errno));
    encoder_->pictures.reset(ends[0]);
    const Descriptor input(ends[1]);
    if (std::FILE* scratch = std::tmpfile()) {
        encoder_->messages.reset(::fcntl(::fileno(scratch), F_DUPFD_CLOEXEC, 3));
        std::fclose(scratch);
    }

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input.get(), STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    if (encoder_->messages.get() >= 0)
        posix_spawn_file_actions_adddup2(&actions, encoder_->messages.get(), STDERR_FILENO);
    // Its own process group: an interrupt at the terminal is ours to answer, not ffmpeg's.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setpgroup(&attributes, 0);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);

    std::vector<std::string> words =
        arguments(settings, lower_case_ending(file), encoder_->temporary.string());
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    int failure = 0;
    encoder_->unfinished->start_writer([&] {
        failure = ::posix_spawnp(&encoder_->process, settings.program.c_str(), &actions,
                                 &attributes, pointers.data(), environ);
        return failure == 0 ? encoder_->process : 0;
    });
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0) {
        encoder_->process = -1;
        throw FileError(file.string(),
                        fmt::format("cannot run {}: {}; movies need it: install ffmpeg, or write "
                                    "single pictures (-o frames/####.png)",
                                    settings.program, std::strerror(failure)));
    }
}

MovieWriter::~MovieWriter() = default;

void MovieWriter::add(const Image& image) {
    if (!encoder_)
        throw std::logic_error("MovieWriter: add after finish");
    if (image.width != settings_.width || image.height != settings_.height)
        throw std::invalid_argument("MovieWriter: a picture of another size");
    const std::uint8_t* data = image.rgb.data();
    std::size_t left = image.rgb.size();
    while (left > 0) {
        const ssize_t sent = ::send(encoder_->pictures.get(), data, left, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0) {
            encoder_->wait();
            throw FileError(file_.string(), "ffmpeg stopped: " + encoder_->last_words());
        }
        data += sent;
        left -= static_cast<std::size_t>(sent);
    }
}

void MovieWriter::finish() {
    if (!encoder_)
        return;
    encoder_->pictures.close();
    const int status = encoder_->wait();
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || encoder_->told_an_error())
        throw FileError(file_.string(), "ffmpeg failed: " + encoder_->last_words());
    std::error_code failure;
    std::filesystem::rename(encoder_->temporary, file_, failure);
    if (failure)
        throw FileError(file_.string(), "cannot be written: " + failure.message());
    encoder_->unfinished->keep();
    encoder_.reset();
}

} // namespace muslin
