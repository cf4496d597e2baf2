#include "muslin/scene/keys.h"

#include "muslin/scene/key_rows.h"

#include <algorithm>

#include <fmt/format.h>

namespace muslin {

const Key* KeyGroup::find(std::string_view key) const {
    const auto found =
        std::find_if(keys.begin(), keys.end(), [&](const Key& one) { return one.name == key; });
    return found == keys.end() ? nullptr : &*found;
}

const KeyGroup* KeyGroup::kind(std::string_view name) const {
    const auto found = std::find_if(kinds.begin(), kinds.end(),
                                    [&](const KeyGroup& one) { return one.table == name; });
    return found == kinds.end() ? nullptr : &*found;
}

std::vector<std::string_view> KeyGroup::names() const {
    std::vector<std::string_view> out;
    for (const Key& key : keys)
        out.push_back(key.name);
    for (const KeyGroup& one : kinds)
        for (const Key& key : one.keys)
            if (std::find(out.begin(), out.end(), key.name) == out.end())
                out.push_back(key.name);
    return out;
}

std::vector<const KeyGroup*> keys::all() {
    return {&scene,     &parts,        &world,      &time,     &solver, &contact, &level_sets,
            &post,      &limits,       &cloth,      &layer,    &points, &repeat,  &body,
            &animation, &mesh,         &material,   &region,   &box,    &map,     &pin,
            &motion,    &rest_stretch, &rest_angle, &pull,     &load,   &stitch,  &seam,
            &garment,   &placed_panel, &dressing,   &sticking, &tape,   &tack,    &weight,
            &start,     &connections,  &force,      &keyframe};
}

namespace key_rows {

namespace {

/// The shortest text that reads back the same: 1e-5, not 1e-05.
std::string shown(double value) {
    std::string text = fmt::format("{}", value);
    if (const std::size_t e = text.find("e-0"); e != std::string::npos)
        text.erase(e + 2, 1);
    return text;
}

std::string quoted(const std::string& value) {
    return "`" + value + "`";
}

} // namespace

Fallback::Fallback(double value) : text(shown(value)) {}
Fallback::Fallback(int value) : text(fmt::format("{}", value)) {}
Fallback::Fallback(bool value) : text(quoted(value ? "true" : "false")) {}
Fallback::Fallback(const Vec3& value)
    : text(quoted(fmt::format("[{}, {}, {}]", shown(value.x), shown(value.y), shown(value.z)))) {}
Fallback::Fallback(const std::string& value) : text(quoted('"' + value + '"')) {}

Key number(std::string_view name, const Fallback& fallback, const Range& range,
           std::string meaning) {
    return {name, ValueKind::number, "number", range, fallback.text, std::move(meaning), {}};
}
Key integer(std::string_view name, const Fallback& fallback, const Range& range,
            std::string meaning) {
    return {name, ValueKind::integer, "integer", range, fallback.text, std::move(meaning), {}};
}
Key boolean(std::string_view name, const Fallback& fallback, std::string meaning) {
    return {name, ValueKind::boolean, "boolean", {}, fallback.text, std::move(meaning), {}};
}
Key text(std::string_view name, const Fallback& fallback, std::string meaning) {
    return {name, ValueKind::text, "string", {}, fallback.text, std::move(meaning), {}};
}
Key vec3(std::string_view name, const Fallback& fallback, const Range& range, std::string meaning) {
    return {name, ValueKind::vec3, "three numbers", range, fallback.text, std::move(meaning), {}};
}
Key table(std::string_view name, const Fallback& fallback, std::string meaning) {
    return {name, ValueKind::table, "table", {}, fallback.text, std::move(meaning), {}};
}
Key tables(std::string_view name, const Fallback& fallback, std::string meaning) {
    return {name, ValueKind::tables, "array of tables", {}, fallback.text, std::move(meaning), {}};
}
Key choice(std::string_view name, const Fallback& fallback, std::vector<std::string_view> words,
           std::string meaning) {
    return {name,          ValueKind::choice,  "string",        {},
            fallback.text, std::move(meaning), std::move(words)};
}
Key other(std::string_view name, std::string type, const Fallback& fallback, const Range& range,
          std::string meaning) {
    return {name, ValueKind::other, std::move(type), range, fallback.text, std::move(meaning), {}};
}

Key animated(Key key) {
    key.type += ", animated";
    return key;
}

Rows operator+(Rows first, const Rows& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

} // namespace key_rows

} // namespace muslin
