#include "commands.h"

#include "muslin/base/error.h"
#include "muslin/io/field_cache.h"
#include "muslin/io/read_file.h"
#include "muslin/io/sample_file.h"
#include "muslin/io/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <regex>
#include <set>

// What the files hold that Muslin writes and does not take as an input of its own.

namespace muslin::cli {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void fail(const std::string& file, const std::string& expected,
                       const std::string& found) {
    throw InputError({{file, 0, 0}, {}, expected, found, {}});
}

// Line by line: a line may be long, the file much longer.
Json describe_usda(const std::string& file) {
    std::ifstream stream = open_file(file);
    std::string line;
    std::getline(stream, line);
    if (!line.starts_with("#usda"))
        fail(file, "a USD file in text, which begins with #usda", "another head");
    Json out = {{"file", file}, {"format", "USD"}, {"meshes", Json::array()}};
    static const std::regex value(R"(^\s*(\w+) = \"?([-\w.]+)\"?\s*$)");
    static const std::regex mesh(R"re(^\s*def Mesh "(\w+)")re");
    bool in_head = true;
    char last = '\0';
    while (std::getline(stream, line)) {
        if (const std::size_t at = line.find_last_not_of(" \t\r"); at != std::string::npos)
            last = line[at];
        if (line.size() > 1000) // numbers
            continue;
        std::smatch match;
        if (std::regex_search(line, match, mesh))
            out["meshes"].push_back({{"name", match[1].str()}});
        else if (in_head && std::regex_match(line, match, value))
            out.emplace(match[1].str(), match[2].str());
        in_head = in_head && !line.starts_with("def");
    }
    if (!in_head && last != '}')
        fail(file, "a } at its end, which closes the stage", "a file that ends before");
    return out;
}

/// The value of the first NAME="VALUE" from a place on; empty where there is none. By hand: a
/// regular expression would take as much of the stack as the value is long.
std::string attribute(const std::string& text, const std::string& name, std::size_t from = 0) {
    const std::string open = name + "=\"";
    const std::size_t at = text.find(open, from);
    if (at == std::string::npos)
        return "";
    const std::size_t begin = at + open.size(), end = text.find('"', begin);
    return end == std::string::npos ? "" : text.substr(begin, end - begin);
}

Json describe_pvd(const std::string& file) {
    std::ifstream stream = open_file(file);
    Json out = {{"file", file}, {"format", "VTK collection"}};
    std::set<std::string> names;
    std::string first, last, line;
    int files = 0, times = 0;
    bool collection = false, closed = false;
    while (std::getline(stream, line)) {
        closed = closed || line.find("</VTKFile>") != std::string::npos;
        collection = collection || line.find("type=\"Collection\"") != std::string::npos;
        if (line.find("<DataSet") == std::string::npos)
            continue;
        const std::string time = attribute(line, "timestep");
        times += files == 0 || time != last ? 1 : 0;
        first = files == 0 ? time : first;
        last = time;
        names.insert(attribute(line, "name"));
        ++files;
    }
    if (!collection)
        fail(file, "a VTK collection", "something else");
    if (!closed)
        fail(file, "a last line </VTKFile>", "a file that ends before");
    out["times"] = times;
    out["first"] = first;
    out["last"] = last;
    for (const std::string& name : names)
        out["meshes"].push_back({{"name", name}});
    return out;
}

Json describe_vtu(const std::string& file) {
    SampleReader reader(file);
    std::string text(std::min<std::uint64_t>(reader.size(), 1 << 16), '\0');
    reader.read(0, text);
    text.resize(std::min(text.size(), text.find("<AppendedData")));
    if (attribute(text, "type") != "UnstructuredGrid")
        fail(file, "a VTK file with an unstructured grid", "something else");
    std::string tail(std::min<std::uint64_t>(reader.size(), 32), '\0');
    reader.read(reader.size() - tail.size(), tail);
    if (tail.find("</VTKFile>") == std::string::npos)
        fail(file, "</VTKFile> at its end", "a file that ends before");
    Json out = {{"file", file},
                {"format", "VTK"},
                {"vertices", attribute(text, "NumberOfPoints")},
                {"cells", attribute(text, "NumberOfCells")},
                {"fields", Json::array()}};
    const std::size_t end = text.find("</PointData>");
    const std::string data = text.substr(0, end);
    const std::string array = "<DataArray type=\"Float32\"";
    for (std::size_t at = data.find(array); at != std::string::npos; at = data.find(array, at + 1))
        out["fields"].push_back(attribute(data, "Name", at));
    return out;
}

Json describe_fields(const std::string& file) {
    const FieldCacheReader cache(file);
    return {{"file", file},
            {"format", "Muslin fields"},
            {"points", cache.points()},
            {"samples", cache.samples()},
            {"fields", cache.fields()}};
}

void print_values(const Json& object, const std::string& indent) {
    for (const auto& [key, value] : object.items()) {
        if (key == "file" || key == "format" || key == "name")
            continue;
        if (!value.is_array() || value.empty() || !value[0].is_object()) {
            fmt::print("{}{} {}\n", indent, key,
                       value.is_string() ? value.get<std::string>() : value.dump());
            continue;
        }
        for (const Json& item : value) {
            fmt::print("{}'{}'\n", indent, item.value("name", ""));
            print_values(item, indent + "  ");
        }
    }
}

} // namespace

int info_export(const std::string& file, bool json) {
    const std::string ending = lower_case_ending(file);
    const Json out = ending == ".usda"  ? describe_usda(file)
                     : ending == ".pvd" ? describe_pvd(file)
                     : ending == ".vtu" ? describe_vtu(file)
                                        : describe_fields(file);
    if (json) {
        fmt::print("{}\n", out.dump(2, ' ', false, Json::error_handler_t::replace));
        return 0;
    }
    fmt::print("{}: {}\n", file, out["format"].get<std::string>());
    print_values(out, "  ");
    return 0;
}

} // namespace muslin::cli
