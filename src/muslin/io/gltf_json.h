#pragma once

#include "muslin/io/bytes.h"
#include "muslin/io/json_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The JSON of a glTF file, and the container it comes in; for io/gltf_file.cpp alone.

namespace muslin::gltf {

using Json = nlohmann::json;

/// A value in the JSON with its place, so that every complaint names it: "meshes[0].primitives".
class Element {
public:
    Element(const Json& json, std::string path, const std::string& file)
        : json_(&json), path_(std::move(path)), file_(&file) {}

    const std::string& path() const { return path_; }

    [[noreturn]] void fail(const std::string& expected, const std::string& found) const {
        fail_input(*file_, 0, path_, expected, found);
    }

    std::optional<Element> find(const char* name) const {
        require(json_->is_object(), "an object");
        const auto found = json_->find(name);
        if (found == json_->end())
            return std::nullopt;
        return Element(*found, (path_.empty() ? "" : path_ + ".") + name, *file_);
    }
    Element member(const char* name) const {
        if (auto found = find(name))
            return *found;
        fail(fmt::format("a property '{}'", name), "none");
    }
    /// The elements of a list; of none where it is not there.
    std::vector<Element> list(const char* name) const {
        const auto found = find(name);
        return found ? found->items() : std::vector<Element>();
    }
    std::vector<Element> items() const {
        require(json_->is_array(), "a list");
        std::vector<Element> out;
        out.reserve(json_->size());
        for (std::size_t i = 0; i < json_->size(); ++i)
            out.emplace_back((*json_)[i], fmt::format("{}[{}]", path_, i), *file_);
        return out;
    }
    bool is_object() const { return json_->is_object(); }
    bool is_list() const { return json_->is_array(); }
    bool is_text() const { return json_->is_string(); }

    bool flag(const char* name) const {
        const auto found = find(name);
        if (found)
            found->require(found->json_->is_boolean(), "true or false");
        return found && found->json_->get<bool>();
    }

    std::string text() const {
        require(json_->is_string(), "a text");
        return json_->get<std::string>();
    }
    std::string text(const char* name) const {
        const auto found = find(name);
        return found ? found->text() : std::string();
    }
    double number() const {
        require(json_->is_number(), "a number");
        const double value = json_->get<double>();
        require(std::isfinite(value), "a finite number");
        return value;
    }
    std::vector<double> numbers() const {
        std::vector<double> out;
        for (const Element& e : items())
            out.push_back(e.number());
        return out;
    }
    std::uint64_t size() const {
        const double value = number(); // exact up to 2^53, beyond any file
        require(value >= 0 && value == std::floor(value) && value < 9e15, "a whole number");
        return static_cast<std::uint64_t>(value);
    }
    std::uint64_t size(const char* name, std::uint64_t otherwise) const {
        const auto found = find(name);
        return found ? found->size() : otherwise;
    }
    /// An index below the count of what it refers to.
    int index(std::size_t count, const char* what) const {
        const std::uint64_t value = size();
        if (value >= count)
            fail(fmt::format("the index of one of {} {}", count, what), fmt::format("{}", value));
        return static_cast<int>(value);
    }
    int index(const char* name, std::size_t count, const char* what) const {
        const auto found = find(name);
        return found ? found->index(count, what) : -1;
    }
    std::vector<int> indices(const char* name, std::size_t count, const char* what) const {
        std::vector<int> out;
        for (const Element& e : list(name))
            out.push_back(e.index(count, what));
        return out;
    }

private:
    void require(bool condition, const char* expected) const {
        if (!condition)
            fail(expected, found_text(*json_));
    }

    const Json* json_;
    std::string path_;
    const std::string* file_;
};

/// The JSON and the bytes that a .glb carries, or the JSON alone.
struct Container {
    std::string_view json;
    std::optional<std::string_view> binary;
    bool is_binary = false;
};

inline Container open_container(std::string_view bytes, const std::string& file) {
    if (!bytes.starts_with("glTF")) {
        if (lower_case_ending(file) == ".glb")
            fail_input(file, 0, {}, "a binary glTF 2.0 file", "another head");
        return {bytes, std::nullopt, false};
    }
    const auto word = [&](std::size_t at) {
        return load_bytes<std::uint32_t>(bytes.data() + at, std::endian::little);
    };
    if (bytes.size() < 12 || word(4) != 2)
        fail_input(file, 0, {}, "a binary glTF 2.0 file",
                   bytes.size() < 12 ? "a file that ends in its head"
                                     : fmt::format("version {}", word(4)));
    if (word(8) > bytes.size())
        fail_input(file, 0, {}, fmt::format("{} bytes, as the head declares", word(8)),
                   fmt::format("a file of {} bytes", bytes.size()));
    bytes = bytes.substr(0, word(8));
    Container out;
    out.is_binary = true;
    bool first = true;
    for (std::size_t at = 12; bytes.size() - at >= 8 && bytes.size() > at; first = false) {
        const std::uint32_t length = word(at), kind = word(at + 4);
        at += 8;
        if (length > bytes.size() - at)
            fail_input(file, 0, "chunk", fmt::format("{} bytes, as it declares", length),
                       fmt::format("{} left in the file", bytes.size() - at));
        if (first && kind == 0x4E4F534A) // "JSON"
            out.json = bytes.substr(at, length);
        else if (!first && kind == 0x004E4942 && !out.binary) // "BIN"
            out.binary = bytes.substr(at, length);
        at += length;
    }
    if (out.json.data() == nullptr)
        fail_input(file, 0, {}, "a binary glTF 2.0 file, JSON as its first chunk", "none");
    return out;
}

inline Json parse_json(std::string_view text, const Container& container, const std::string& file) {
    try {
        return Json::parse(text);
    } catch (const Json::out_of_range&) {
        fail_input(file, 0, {}, "numbers within the range of doubles", "a larger one");
    } catch (const Json::parse_error& error) {
        // A byte in a chunk of a .glb is no line of a file.
        const std::size_t byte = std::min<std::size_t>(error.byte, text.size());
        const auto line =
            1 + std::count(text.begin(), text.begin() + static_cast<long>(byte), '\n');
        fail_input(file, container.is_binary ? 0 : static_cast<int>(line), {}, "glTF's JSON",
                   fmt::format("what is none from byte {} on", error.byte));
    }
}

} // namespace muslin::gltf
