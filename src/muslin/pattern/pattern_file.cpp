#include "muslin/pattern/pattern_file.h"

#include "muslin/io/read_file.h"
#include "muslin/pattern/pattern_check.h"
#include "muslin/pattern/pattern_formats.h"

namespace muslin {

Pattern read_pattern_json(const std::filesystem::path& file) {
    const std::string name = file.string();
    const OrderedJson json = parse_json(read_file(file), name);
    const JsonPlace document(json, name, "");
    if (!document.has("pattern") && !document.has("parts"))
        document.fail_found("a sewing pattern: \"pattern\" (GarmentCode) or \"parts\" (FreeSewing)",
                            "neither");
    Pattern pattern =
        document.has("pattern") ? read_garmentcode(document) : read_freesewing(document);
    pattern.name = file.stem().string();
    check_pattern(pattern, name);
    return pattern;
}

} // namespace muslin
