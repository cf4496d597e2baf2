#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace muslin {

/// Compresses bytes, piece by piece, into a zlib stream (RFC 1950).
class Deflater {
public:
    /// Levels of zlib. `quick` takes a sixth of the time of `best` for a tenth more bytes.
    static constexpr int best = 9, quick = 6;
    Deflater() : Deflater(best) {}
    explicit Deflater(int level);
    ~Deflater();
    Deflater(Deflater&&) noexcept;
    Deflater& operator=(Deflater&&) noexcept;

    void put(std::string_view bytes);
    /// Ends a block of the stream: bytes of another kind follow, with statistics of their own.
    void end_block();
    /// Bytes that have come out so far.
    std::size_t size() const;
    /// The whole stream; nothing can be put after it.
    std::string finish();

private:
    struct Stream;
    std::unique_ptr<Stream> stream_;
};

} // namespace muslin
