#pragma once

#include <string>
#include <string_view>

namespace muslin {

/// Text for XML and HTML, between tags and in quotes; bytes that no such text may hold become '_'.
inline std::string escape_markup(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '"')
            out += "&quot;";
        else
            out += static_cast<unsigned char>(c) < ' ' ? '_' : c;
    }
    return out;
}

} // namespace muslin
