#include "mesh_samples.h"

#include "muslin/io/atomic_file.h"

#include <stdexcept>
#include <sys/stat.h>

namespace muslin::test {
namespace {

using AtomicFile = TemporaryDirectory;

TEST_F(AtomicFile, WritesAndReplaces) {
    write_file_atomically(path("a.json"), "first");
    EXPECT_EQ(read_file(path("a.json")), "first");
    write_file_atomically(path("a.json"), std::string_view("sec\0nd", 6));
    EXPECT_EQ(read_file(path("a.json")), std::string("sec\0nd", 6));
    write_file_atomically(path("a.json"), "");
    EXPECT_EQ(read_file(path("a.json")), "");
    EXPECT_EQ(files(), 1u) << "no temporary file is left";
}

TEST_F(AtomicFile, MoreThanTheSinkGathers) {
    std::string all;
    write_file_atomically(path("a.bin"), [&](ByteSink& sink) {
        for (int i = 0; i < 200000; ++i) {
            sink.print("{} ", i);
            all += fmt::format("{} ", i);
        }
        sink.put(all);
    });
    EXPECT_EQ(read_file(path("a.bin")), all + all);
}

TEST_F(AtomicFile, AFailureLeavesTheOldFileAndNothingElse) {
    write_file_atomically(path("a.txt"), "old");
    const auto produce = [](ByteSink& sink) {
        sink.put(std::string(1 << 20, 'x'));
        throw std::runtime_error("half way");
    };
    EXPECT_THROW(write_file_atomically(path("a.txt"), produce), std::runtime_error);
    EXPECT_THROW(write_file_atomically(path("b.txt"), produce), std::runtime_error);
    EXPECT_EQ(read_file(path("a.txt")), "old");
    EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFile, PermissionsFollowTheUsersMask) {
    const mode_t mask = ::umask(027);
    write_file_atomically(path("a.txt"), "x");
    ::umask(mask);
    EXPECT_EQ(std::filesystem::status(path("a.txt")).permissions(),
              static_cast<std::filesystem::perms>(0640));
}

TEST_F(AtomicFile, ALinkKeepsPointingToItsFile) {
    write_file_atomically(path("real.txt"), "old");
    std::filesystem::create_symlink("real.txt", path("link.txt"));
    write_file_atomically(path("link.txt"), "new");
    EXPECT_TRUE(std::filesystem::is_symlink(path("link.txt")));
    EXPECT_EQ(read_file(path("real.txt")), "new");
}

TEST_F(AtomicFile, ADeviceIsWrittenAndNotReplaced) {
    std::filesystem::create_symlink("/dev/null", path("null"));
    write_file_atomically(path("null"), "x");
    EXPECT_TRUE(std::filesystem::is_character_file(path("null")));
    EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFile, Failures) {
    EXPECT_THROW(write_file_atomically(path("no/such/a.txt"), "x"), FileError);
    EXPECT_THROW(write_file_atomically(path(""), "x"), FileError);
    EXPECT_THROW(write_file_atomically(path(std::string(300, 'n')), "x"), FileError);
    EXPECT_THROW(write_file_atomically("/dev/full", "x"), FileError);
    EXPECT_EQ(files(), 0u);
}

} // namespace
} // namespace muslin::test
