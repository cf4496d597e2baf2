#include "muslin/io/sample_file.h"

#include "muslin/base/error.h"
#include "muslin/io/bytes.h"
#include "muslin/io/read_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <string>

namespace muslin {

SampleWriter::SampleWriter(const std::filesystem::path& file, std::string_view head,
                           std::size_t count_at)
    : file_(file), count_at_(count_at) {
    errno = 0;
    stream_.open(file, std::ios::binary | std::ios::out | std::ios::trunc);
    if (!stream_)
        throw FileError(file_.string(), "cannot be written: " + system_reason());
    write(head);
    flush();
}

SampleWriter::SampleWriter(const std::filesystem::path& file, std::string_view head,
                           std::size_t count_at, std::size_t sample_size, KeptSamples kept)
    : file_(file), count_at_(count_at), samples_(kept.count) {
    const std::uint64_t size = head.size() + sample_size * static_cast<std::uint64_t>(kept.count);
    {
        SampleReader there(file);
        std::string found(head.size(), '\0');
        if (there.size() >= head.size())
            there.read(0, found);
        found.replace(count_at, sizeof samples_, sizeof samples_, '\0');
        if (found != head || there.size() < size)
            throw FileError(file.string(),
                            fmt::format("cannot be continued: it does not hold {} samples of this "
                                        "cloth or body",
                                        kept.count));
    }
    errno = 0;
    stream_.open(file, std::ios::binary | std::ios::in | std::ios::out);
    if (!stream_)
        throw FileError(file_.string(), "cannot be written: " + system_reason());
    cut_at_ = size;
}

void SampleWriter::cut() {
    // The head must never count a sample that is not in the file.
    write_count();
    flush();
    std::error_code error;
    std::filesystem::resize_file(file_, cut_at_, error);
    if (error)
        throw FileError(file_.string(), "cannot be written: " + error.message());
    stream_.seekp(0, std::ios::end);
    cut_at_ = 0;
}

void SampleWriter::write_count() {
    const auto count = to_bytes(samples_, std::endian::little);
    stream_.seekp(static_cast<std::streamoff>(count_at_));
    write({count.data(), count.size()});
}

void SampleWriter::write(std::string_view bytes) {
    errno = 0;
    if (!stream_.write(bytes.data(), static_cast<std::streamsize>(bytes.size())))
        throw FileError(file_.string(), "cannot be written: " + system_reason());
}

void SampleWriter::flush() {
    errno = 0;
    if (!stream_.flush())
        throw FileError(file_.string(), "cannot be written: " + system_reason());
}

void SampleWriter::append(std::string_view sample) {
    if (cut_at_ > 0)
        cut();
    write(sample);
    flush();
    // Only now: the head must never count a sample that is not in the file.
    ++samples_;
    write_count();
    flush();
    stream_.seekp(0, std::ios::end);
}

SampleReader::SampleReader(const std::filesystem::path& file) : file_(file) {
    std::error_code error;
    size_ = std::filesystem::file_size(file, error);
    if (error)
        throw FileError(file.string(), "cannot be read: " + error.message());
    errno = 0;
    stream_.open(file, std::ios::binary);
    if (!stream_)
        throw FileError(file.string(), "cannot be read: " + system_reason());
}

void SampleReader::read(std::uint64_t at, std::span<char> bytes) {
    errno = 0;
    stream_.clear();
    stream_.seekg(static_cast<std::streamoff>(at));
    if (!stream_.read(bytes.data(), static_cast<std::streamsize>(bytes.size())))
        throw FileError(file_.string(), "cannot be read: " + system_reason());
}

} // namespace muslin
