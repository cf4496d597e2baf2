#pragma once

#include "muslin/api/scene_parts.h"
#include "muslin/error.h"

#include <utility>

namespace muslin::api {

/// Throws the exception at hand, one of the engine, as that of the public face. Problems with what
/// a program gave are told without places that mean nothing to it: lines of a text that it has not
/// seen. `scene` may be null.
[[noreturn]] void rethrow(const Scene::Parts* scene);

/// Throws the InputError of the engine about what a program gave.
[[noreturn]] void reject(const std::string& key, const std::string& expected,
                         const std::string& found, const std::string& hint = {});

/// Whatever the public face does goes through here.
template <class Work>
decltype(auto) guarded(const Scene::Parts* scene, Work&& work) {
    try {
        return std::forward<Work>(work)();
    } catch (...) {
        rethrow(scene);
    }
}

} // namespace muslin::api
