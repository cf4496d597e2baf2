#include "mesh_samples.h"

#include "muslin/io/unfinished_file.h"

#include <atomic>
#include <chrono>
#include <fstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace muslin::test {
namespace {

class UnfinishedFileTest : public TemporaryDirectory {
protected:
    std::filesystem::path write(const char* name) const {
        std::ofstream(path(name)) << "half";
        return path(name);
    }
};

TEST_F(UnfinishedFileTest, GoesUnlessItIsKept) {
    { const UnfinishedFile file(write("lost")); }
    EXPECT_FALSE(std::filesystem::exists(path("lost")));
    {
        UnfinishedFile file(write("kept"));
        file.keep();
        remove_unfinished_files();
    }
    EXPECT_TRUE(std::filesystem::exists(path("kept")));
}

TEST_F(UnfinishedFileTest, ASignalRemovesAllAndEndsTheirWriters) {
    const UnfinishedFile first(write("first"));
    UnfinishedFile second(write("second"));
    pid_t writer = 0;
    second.start_writer([&] {
        writer = fork();
        if (writer == 0) {
            pause();
            _exit(0);
        }
        return writer;
    });
    remove_unfinished_files();
    EXPECT_FALSE(std::filesystem::exists(path("first")));
    EXPECT_FALSE(std::filesystem::exists(path("second")));
    EXPECT_EQ(waitpid(writer, nullptr, 0), -1) << "it has been waited for";
}

// The handler may run on any thread, at any moment of the start of a child.
TEST_F(UnfinishedFileTest, ASignalWaitsForAWriterThatIsStarting) {
    UnfinishedFile file(write("file"));
    pid_t writer = 0;
    std::thread handler;
    file.start_writer([&] {
        std::atomic<bool> began = false;
        handler = std::thread([&began] {
            began = true;
            remove_unfinished_files();
        });
        while (!began) {
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        EXPECT_TRUE(std::filesystem::exists(path("file")));
        writer = fork();
        if (writer == 0) {
            pause();
            _exit(0);
        }
        return writer;
    });
    handler.join();
    EXPECT_FALSE(std::filesystem::exists(path("file")));
    EXPECT_EQ(waitpid(writer, nullptr, 0), -1) << "it has been waited for";
}

TEST_F(UnfinishedFileTest, MoreThanASignalKnowsGoAsWell) {
    {
        std::vector<std::unique_ptr<UnfinishedFile>> files;
        for (int i = 0; i < 40; ++i)
            files.push_back(std::make_unique<UnfinishedFile>(write(std::to_string(i).c_str())));
    }
    EXPECT_TRUE(std::filesystem::is_empty(path(".")));
}

} // namespace
} // namespace muslin::test
