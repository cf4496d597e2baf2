#include "outline.h"

#include "sizes.h"

#include <gtest/gtest.h>

using namespace muslin::project;

namespace {

SourceFile file_of(const std::string& text) {
    SourceFile out{"src/muslin/a.h", {}};
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        out.lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return out;
}

std::string names(const Outline& outline) {
    std::string out;
    for (const FunctionSize& f : outline.functions)
        out += f.name + ":" + std::to_string(f.line) + "+" + std::to_string(f.lines) + " ";
    return out;
}

} // namespace

TEST(outline, members_of_a_declaration) {
    EXPECT_EQ(count_members("double x"), 1);
    EXPECT_EQ(count_members("public:\n    double x = f(1, 2), y{1, 2}, z"), 3);
    EXPECT_EQ(count_members("std::map<int, std::array<double, 3>> of_"), 1);
    EXPECT_EQ(count_members("std::function<void(int, double)> tell_"), 1);
    EXPECT_EQ(count_members("const Model& model_"), 1);
    EXPECT_EQ(count_members("alignas(64) std::atomic<int> state_{0}"), 1);
    EXPECT_EQ(count_members("[[no_unique_address]] Empty empty_"), 1);
    EXPECT_EQ(count_members("struct{} own_, other_"), 2);
    EXPECT_EQ(count_members("int table_[2]"), 1);
    for (const char* none :
         {"", "static constexpr int n = 3", "using T = std::vector<int>", "friend class B",
          "class B", "enum{}", "void f(int a, int b) const", "A(const A&) = delete", "struct{}",
          "bool operator==(const A&) const = default", "virtual void f() = 0"})
        EXPECT_EQ(count_members(none), 0) << none;
}

TEST(outline, classes_and_their_kind) {
    const Outline outline = read_outline(file_of(R"(#include "b.h"
namespace muslin {
// struct NotThis { int a; };
template <class T, int N> class Box : public Base<T> {
public:
    Box() : a_{1}, b_(2) {}
    void f(int x) { int local = x; use(local); }
    struct Inner {
        int x = 0, y = 0;
        double norm() const { return x; }
    };
private:
    enum class Kind { one, two };
    static int count;
    int a_, b_;
    Inner inner_ = {1, 2}; ///< } in a comment
    std::string text_ = "} in a string";
};
struct Counter {
    int n = 0;
    void add() { ++n; }
};
} // namespace muslin
)"));
    ASSERT_EQ(outline.classes.size(), 3u);
    EXPECT_EQ(outline.classes[0].name, "Box");
    EXPECT_EQ(outline.classes[0].line, 4);
    EXPECT_EQ(outline.classes[0].members, 4);
    EXPECT_FALSE(outline.classes[0].is_record);
    EXPECT_EQ(outline.classes[1].name, "Inner");
    EXPECT_EQ(outline.classes[1].members, 2);
    EXPECT_TRUE(outline.classes[1].is_record);
    EXPECT_EQ(outline.classes[2].name, "Counter");
    EXPECT_FALSE(outline.classes[2].is_record) << "it changes itself";
    EXPECT_EQ(names(outline), "Box:6+1 f:7+1 norm:10+1 add:21+1 ");
}

TEST(outline, functions_and_their_lines) {
    const Outline outline = read_outline(file_of(R"(
namespace {
constexpr int table[] = {1, 2, 3};
const char* text = R"x(void g() {)x";
#define LONG(x) void x() { \
    }
auto A::operator()(int i) const -> std::vector<int> {
    const auto inner = [&](int j) {
        return j;
    };
    struct Local {
        int a = 0;
    };
    return {inner(i)};
}

A::A(int n)
    : b_{n}, c_(n) {
}

template <class T>
void f(T x,
       std::vector<int> y = {}) {
    if (x) {
    }
}
} // namespace
)"));
    EXPECT_EQ(names(outline), "A::operator():7+9 A::A:17+3 f:21+6 ");
    ASSERT_EQ(outline.classes.size(), 1u);
    EXPECT_EQ(outline.classes[0].name, "Local");
}

TEST(sizes, what_is_too_large_is_found) {
    const TemporaryTree tree;
    std::string includes = "#include \"muslin/inner.h\"\n";
    for (int i = 0; i < 3; ++i)
        tree.write("src/muslin/h" + std::to_string(i) + ".h", ""),
            includes += "#include \"muslin/h" + std::to_string(i) + ".h\"\n";
    tree.write("src/muslin/inner.h", includes.substr(includes.find('\n') + 1));
    tree.write("src/muslin/many.h", includes);
    tree.write("include/muslin/face.h", "#include \"muslin/inner.h\"\n");
    tree.write("src/muslin/just.h",
               "class A {\n    int a_;\n    int b_;\n};\nstruct R {\n    int a, b, c;\n};\n"
               "inline void f() {\n    g();\n}\n");
    tree.write("src/muslin/large.h", "class A {\n    int a_, b_, c_;\nprivate:\n};\n");
    tree.write("tests/long_test.cpp", "void f() {\n\n\n}\n\n\n\n\n\n\n\n");
    SizeLimits limits;
    limits.class_members = 2;
    limits.record_members = 3;
    limits.function_lines = 3;
    limits.file_lines = 10;
    limits.includes = 3;
    limits.public_includes = 3;
    const auto found = find_large(measure_sizes(read_tree(tree.root())), limits);
    ASSERT_EQ(found.size(), 5u) << describe(found);
    EXPECT_EQ(describe(found),
              "\n  src/muslin/large.h:1: A: 3 members of state, at most 2"
              "\n  tests/long_test.cpp:1: f: 4 lines, at most 3"
              "\n  tests/long_test.cpp: 11 lines, at most 10"
              "\n  src/muslin/many.h: 4 includes of ours, at most 3"
              "\n  include/muslin/face.h: 4 headers of ours behind them, at most 3");
}
