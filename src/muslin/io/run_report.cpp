#include "muslin/io/run_report.h"

#include "muslin/base/error.h"
#include "muslin/io/read_file.h"

#include <fmt/format.h>

namespace muslin {
namespace {

constexpr int deepest = 100; // levels; a run writes six

struct Parsed {
    OrderedJson value;
    bool too_deep = false;
};

Parsed parse(const std::string& text) {
    Parsed out;
    out.value = OrderedJson::parse(
        text,
        [&](int depth, OrderedJson::parse_event_t, OrderedJson&) {
            out.too_deep = out.too_deep || depth > deepest;
            return !out.too_deep;
        },
        false);
    return out;
}

std::string describe(const Parsed& parsed) {
    if (parsed.too_deep)
        return fmt::format("one of more than {} levels", deepest);
    return parsed.value.is_discarded() ? "no JSON" : parsed.value.type_name();
}

} // namespace

OrderedJson read_run_report(const std::filesystem::path& file) {
    Parsed parsed = parse(read_file(file));
    if (parsed.too_deep || !parsed.value.is_object())
        throw InputError({{file.string(), 0, 0},
                          "",
                          "the report of a run, an object in JSON",
                          describe(parsed),
                          "remove the file to open the run without its certificate"});
    return std::move(parsed.value);
}

RunLines::RunLines(const std::filesystem::path& file) : file_(file.string()) {
    std::error_code failure;
    if (std::filesystem::exists(file, failure))
        stream_ = open_file(file);
    else
        stream_.setstate(std::ios::failbit);
}

bool RunLines::next() {
    if (!std::getline(stream_, text_))
        return false;
    Parsed parsed = parse(text_);
    if (parsed.too_deep || !parsed.value.is_object()) {
        stream_.setstate(std::ios::failbit);
        return false;
    }
    value_ = std::move(parsed.value);
    ++number_;
    return true;
}

JsonPlace RunLines::place() const {
    return {value_, file_, fmt::format("line {}", number_)};
}

} // namespace muslin
