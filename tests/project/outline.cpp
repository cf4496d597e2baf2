#include "outline.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace muslin::project {
namespace {

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

std::string trim(std::string text) {
    const auto is_space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
    text.erase(text.begin(), std::ranges::find_if_not(text, is_space));
    while (!text.empty() && is_space(text.back()))
        text.pop_back();
    return text;
}

/// The text of a file with its lines as they are, but blanks for comments, for what literals hold,
/// and for lines of the preprocessor.
class Blanked {
public:
    explicit Blanked(const SourceFile& file) {
        bool directive = false;
        for (std::string line : file.lines) {
            const std::string bare = trim(line);
            if (directive || bare.starts_with('#')) {
                directive = bare.ends_with('\\');
                line.clear();
            }
            text_ += line + '\n';
        }
        while (at_ < text_.size())
            step();
    }
    const std::string& text() const { return text_; }

private:
    void step() {
        const char c = text_[at_];
        if (text_.compare(at_, 2, "//") == 0)
            blank(std::min(text_.find('\n', at_), text_.size()));
        else if (text_.compare(at_, 2, "/*") == 0)
            blank(end_of("*/", at_ + 2));
        else if (c == '"' && at_ > 0 && text_[at_ - 1] == 'R')
            raw_string();
        else if (c == '"' || (c == '\'' && (at_ == 0 || !is_word(text_[at_ - 1]))))
            literal(c);
        else
            ++at_;
    }
    std::size_t end_of(const std::string& mark, std::size_t from) const {
        const std::size_t found = text_.find(mark, from);
        return found == std::string::npos ? text_.size() : found + mark.size();
    }
    void blank(std::size_t end) {
        for (; at_ < end; ++at_)
            if (text_[at_] != '\n')
                text_[at_] = ' ';
    }
    void raw_string() {
        const std::size_t open = text_.find('(', at_);
        const std::string mark = ")" + text_.substr(at_ + 1, open - at_ - 1) + "\"";
        blank(end_of(mark, open));
    }
    void literal(char quote) {
        std::size_t end = at_ + 1;
        while (end < text_.size() && text_[end] != quote && text_[end] != '\n')
            end += text_[end] == '\\' ? 2 : 1;
        blank(std::min(end + 1, text_.size()));
    }

    std::string text_;
    std::size_t at_ = 0;
};

std::vector<std::string> words(const std::string& text) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < text.size();)
        if (is_word(text[i])) {
            std::size_t end = i;
            while (end < text.size() && is_word(text[end]))
                ++end;
            out.push_back(text.substr(i, end - i));
            i = end;
        } else {
            ++i;
        }
    return out;
}

bool holds(const std::vector<std::string>& list, std::string_view word) {
    return std::ranges::find(list, word) != list.end();
}

/// Leaves out "[[...]]", "alignas(...)" and what stands in angle brackets. A '<' that opens no list
/// of template arguments does not occur before the initial value of a declaration.
std::string without_arguments(const std::string& text) {
    std::string out;
    int angles = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text.compare(i, 2, "[[") == 0 && text.find("]]", i) != std::string::npos) {
            i = text.find("]]", i) + 1;
        } else if (text.compare(i, 8, "alignas(") == 0) {
            i = text.find(')', i);
        } else if (text[i] == '<') {
            ++angles;
        } else if (text[i] == '>' && angles > 0) {
            --angles;
        } else if (angles == 0) {
            out += text[i];
        }
    }
    return out;
}

std::string without_access(std::string text) {
    for (text = trim(text);;) {
        const std::size_t colon = text.find(':');
        const std::string first = colon == std::string::npos ? "" : trim(text.substr(0, colon));
        if (first != "public" && first != "private" && first != "protected")
            return text;
        text = trim(text.substr(colon + 1));
    }
}

enum class Opens { scope, type, enumeration, function, value };

/// What a brace opens outside of functions, by the text since the last declaration.
Opens opened_by(const std::string& head) {
    const std::string bare = without_arguments(without_access(head));
    const std::vector<std::string> all = words(bare);
    const std::string before = bare.substr(0, bare.find_first_of("(="));
    const std::vector<std::string> first = words(before);
    if (holds(first, "enum"))
        return Opens::enumeration;
    if (holds(first, "namespace") || holds(first, "extern"))
        return Opens::scope;
    const bool calls = bare.find('(') != std::string::npos;
    if (!calls && bare.find('=') == std::string::npos &&
        (holds(first, "class") || holds(first, "struct") || holds(first, "union")))
        return Opens::type;
    if (!calls || holds(all, "operator"))
        return calls ? Opens::function : Opens::value;
    // A member with an initial value, or a default argument in braces.
    const std::size_t open = bare.find('('), equal = bare.find('=');
    if (equal < open || std::ranges::count(bare, '(') != std::ranges::count(bare, ')'))
        return Opens::value;
    // In a list of initial values of a constructor, `a_{1}` does not open the body.
    const std::size_t list = bare.find(" : ");
    if (list != std::string::npos && list > open && is_word(bare.back()))
        return Opens::value;
    return Opens::function;
}

/// "Stepper::advance" of "void Stepper::advance(double h) const".
std::string function_name(const std::string& head) {
    const std::string bare = without_arguments(without_access(head));
    std::size_t end = bare.find('(');
    if (bare.compare(std::min(end, bare.size()), 2, "()") == 0 &&
        bare.find("operator(") != bare.npos)
        end = bare.find("()") + 2;
    std::size_t begin = std::min(end, bare.size());
    while (begin > 0 && !std::isspace(static_cast<unsigned char>(bare[begin - 1])))
        --begin;
    return bare.substr(begin, end - begin);
}

std::string class_name(const std::string& head) {
    const std::string bare = without_arguments(without_access(head));
    bool after = false;
    for (const std::string& word : words(bare.substr(0, bare.find(" :")))) {
        if (after)
            return word;
        after = word == "class" || word == "struct" || word == "union";
    }
    return "(unnamed)";
}

/// Whether a member function is declared that may change the object.
bool changes_object(const std::string& declaration, const std::string& type) {
    const std::string bare = trim(without_arguments(without_access(declaration)));
    const std::size_t open = bare.find('('), close = bare.rfind(')');
    const std::vector<std::string> all = words(bare.substr(0, open));
    if (open == std::string::npos || bare.find('=') < open || all.empty())
        return false;
    // Constructors, the destructor, comparisons, and functions without an object.
    if (all.back() == type || holds(all, "operator") || holds(all, "static") ||
        holds(all, "friend"))
        return false;
    return !holds(words(bare.substr(close)), "const");
}

class Reader {
public:
    explicit Reader(const SourceFile& file) : text_(Blanked(file).text()) {}

    Outline read() {
        scope(nullptr);
        std::ranges::sort(out_.classes, {}, &ClassSize::line);
        return std::move(out_);
    }

private:
    /// Up to the brace that closes it: a file, a namespace or the body of a class.
    void scope(ClassSize* type) {
        std::string head;
        int line = line_, parentheses = 0;
        for (; at_ < text_.size(); ++at_) {
            const char c = text_[at_];
            if (trim(head).empty())
                line = line_;
            if (c == '\n')
                ++line_;
            if (c == '(' || c == ')')
                parentheses += c == '(' ? 1 : -1;
            if (c == '}')
                return;
            if (c == ';' && parentheses == 0) {
                if (type != nullptr)
                    declare(*type, head);
                head.clear();
            } else if (c == '{') {
                open(type, head, line);
            } else {
                head += c;
            }
            if (type != nullptr && c == ':')
                note_access(*type, head);
        }
    }

    /// At a colon: what stood before it is no part of the next declaration where it was "private".
    static void note_access(ClassSize& type, std::string& head) {
        const std::string word = trim(head);
        if (word == "private:" || word == "protected:")
            type.is_record = false;
        if (word == "private:" || word == "protected:" || word == "public:")
            head.clear();
    }

    /// What is declared in the body of a class, up to its semicolon or the body of a function.
    static void declare(ClassSize& type, const std::string& head) {
        type.members += count_members(head);
        if (changes_object(head, type.name))
            type.is_record = false;
    }

    void open(ClassSize* type, std::string& head, int line) {
        ++at_;
        switch (opened_by(trim(head))) {
        case Opens::scope:
            scope(nullptr);
            head.clear();
            break;
        case Opens::type: {
            const std::vector<std::string> all = words(head);
            ClassSize inner{class_name(head), line, 0, !holds(all, "class")};
            scope(&inner);
            out_.classes.push_back(inner);
            // What follows up to the semicolon are members of that type.
            head = "struct{}";
            break;
        }
        case Opens::function: {
            skip_function();
            out_.functions.push_back({function_name(head), line, line_ - line + 1});
            if (type != nullptr)
                declare(*type, head);
            head.clear();
            break;
        }
        case Opens::enumeration:
            skip();
            head = "enum{}";
            break;
        case Opens::value:
            skip();
            head += "{}";
            break;
        }
    }

    /// To the closing brace of what has been opened.
    void skip() {
        for (int depth = 1; at_ < text_.size(); ++at_) {
            const char c = text_[at_];
            if (c == '\n')
                ++line_;
            depth += c == '{' ? 1 : c == '}' ? -1 : 0;
            if (depth == 0)
                return;
        }
    }

    /// The same; a local class is looked into.
    void skip_function() {
        std::string head;
        for (int depth = 1; at_ < text_.size(); ++at_) {
            const char c = text_[at_];
            if (c == '\n')
                ++line_;
            if (c == '{' && opened_by(trim(head)) == Opens::type) {
                const std::size_t functions = out_.functions.size();
                const bool plain = !holds(words(head), "class");
                ++at_;
                ClassSize inner{class_name(head), line_, 0, plain};
                scope(&inner);
                out_.classes.push_back(inner);
                out_.functions.resize(functions);
                head.clear();
                continue;
            }
            depth += c == '{' ? 1 : c == '}' ? -1 : 0;
            if (depth == 0)
                return;
            if (c == '{' || c == '}' || c == ';')
                head.clear();
            else
                head += c;
        }
    }

    std::string text_;
    std::size_t at_ = 0;
    int line_ = 1;
    Outline out_;
};

} // namespace

int count_members(std::string declaration) {
    declaration = trim(without_arguments(without_access(declaration)));
    const std::vector<std::string> all = words(declaration);
    if (declaration.empty() || all.empty())
        return 0;
    static constexpr std::array not_state = {"static",   "using",     "typedef",      "friend",
                                             "template", "constexpr", "static_assert"};
    if (std::ranges::any_of(not_state, [&](const char* word) { return all.front() == word; }))
        return 0;
    // A function is declared, or a type.
    const std::string before = declaration.substr(0, declaration.find_first_of("={"));
    if (before.find('(') != std::string::npos || holds(words(before), "operator"))
        return 0;
    if (declaration == "struct{}" || declaration == "enum{}")
        return 0;
    const bool names_type =
        all.front() == "class" || all.front() == "struct" || all.front() == "enum";
    if (names_type && declaration.find('{') == std::string::npos && all.size() == 2)
        return 0;
    int depth = 0, members = 1;
    for (const char c : declaration) {
        depth += c == '(' || c == '{' || c == '[' ? 1 : c == ')' || c == '}' || c == ']' ? -1 : 0;
        members += c == ',' && depth == 0;
    }
    return members;
}

Outline read_outline(const SourceFile& file) {
    return Reader(file).read();
}

} // namespace muslin::project
