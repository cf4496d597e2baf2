// check_sizes TREE: prints the largest classes, functions, files and headers of a tree and ends
// with 1 where one of them is larger than it may be. scripts/check-sizes and `make test` run it.
#include "sizes.h"

#include <cstdio>

using namespace muslin::project;

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fputs("usage: check_sizes TREE\n", stderr);
        return 2;
    }
    const SizeLimits limits;
    const TreeSizes sizes = measure_sizes(read_tree(argv[1]));
    std::fputs(describe(sizes, limits, 5).c_str(), stdout);
    const auto large = find_large(sizes, limits);
    if (large.empty())
        return 0;
    std::printf("too large:%s\n", describe(large).c_str());
    return 1;
}
