#include "muslin/io/atomic_file.h"

#include "muslin/base/error.h"
#include "muslin/io/read_file.h"
#include "muslin/io/unfinished_file.h"

#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace muslin {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& file) {
    throw FileError(file.string(), "cannot be written: " + system_reason());
}

/// An open file that closes itself; errors name `file`, the path the user gave.
class OutputFile {
public:
    OutputFile(const fs::path& path, int flags, const fs::path& file)
        : file_(file), descriptor_(::open(path.c_str(), flags | O_WRONLY | O_CLOEXEC, 0666)) {}
    ~OutputFile() {
        if (descriptor_ >= 0)
            ::close(descriptor_);
    }
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    bool is_open() const { return descriptor_ >= 0; }

    void write(std::string_view bytes) {
        while (!bytes.empty()) {
            const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
            if (written < 0 && errno == EINTR)
                continue;
            if (written < 0)
                fail(file_);
            bytes.remove_prefix(static_cast<std::size_t>(written));
        }
    }
    void synchronise() {
        if (::fsync(descriptor_) != 0)
            fail(file_);
    }
    // Some file systems report a full disk only here.
    void close() {
        const int result = ::close(descriptor_);
        descriptor_ = -1;
        if (result != 0)
            fail(file_);
    }

private:
    fs::path file_;
    int descriptor_;
};

void produce_into(OutputFile& output, const std::function<void(ByteSink&)>& produce) {
    ByteSink sink([&](std::string_view bytes) { output.write(bytes); });
    produce(sink);
    sink.flush();
}

// Unique among the threads of this process and the processes of this machine. The ending keeps
// programs that watch the directory for meshes from picking up half of one.
fs::path temporary_name(const fs::path& file) {
    static std::atomic<unsigned> counter{0};
    fs::path name = file;
    name.replace_filename(
        fmt::format(".{}.{}.{}.tmp", file.filename().string(), ::getpid(), counter++));
    return name;
}

void write_and_rename(const fs::path& target, const fs::path& file,
                      const std::function<void(ByteSink&)>& produce, Durability durability) {
    const fs::path temporary = temporary_name(target);
    OutputFile output(temporary, O_CREAT | O_EXCL, file);
    if (!output.is_open())
        fail(file);
    UnfinishedFile unfinished(temporary);
    produce_into(output, produce);
    if (durability == Durability::disk)
        output.synchronise();
    output.close();
    if (::rename(temporary.c_str(), target.c_str()) != 0)
        fail(file);
    unfinished.keep();
}

} // namespace

void write_file_atomically(const fs::path& file, const std::function<void(ByteSink&)>& produce,
                           Durability durability) {
    std::error_code ignored;
    const auto status = fs::status(file, ignored);
    if (fs::is_directory(status))
        throw FileError(file.string(), "cannot be written: it is a directory");
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        OutputFile output(file, 0, file);
        if (!output.is_open())
            fail(file);
        produce_into(output, produce);
        return;
    }
    const fs::path target = fs::exists(status) ? fs::canonical(file, ignored) : file;
    write_and_rename(target.empty() ? file : target, file, produce, durability);
}

void write_file_atomically(const fs::path& file, std::string_view contents, Durability durability) {
    write_file_atomically(
        file, [&](ByteSink& sink) { sink.put(contents); }, durability);
}

void synchronise(const fs::path& file) {
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        fail(file);
    const int result = ::fsync(descriptor);
    const int reason = errno;
    ::close(descriptor);
    errno = reason;
    if (result != 0)
        fail(file);
}

void make_folder(const std::filesystem::path& folder) {
    if (folder.empty())
        return;
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (!std::filesystem::is_directory(folder))
        throw FileError(folder.string(), "cannot make the directory: " +
                                             (error ? error.message() : "a file is in its place"));
}

} // namespace muslin
