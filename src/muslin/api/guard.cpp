#include "muslin/api/guard.h"

#include "muslin/base/archive.h"
#include "muslin/base/error.h"

#include <algorithm>

namespace muslin::api {
namespace {

constexpr std::string_view set_option = "--set ";

int line_count(const std::string& text) {
    return static_cast<int>(std::count(text.begin(), text.end(), '\n')) +
           (!text.empty() && text.back() != '\n');
}

/// Whether a place is in what the program gave.
bool is_of_program(const Source& where, const Scene::Parts* scene) {
    if (where.file.starts_with(set_option) || where.file.starts_with(given_prefix))
        return true;
    return scene && where.file == scene->base.label && where.line > line_count(scene->base.text);
}

[[noreturn]] void tell(muslin::Problem problem, const Scene::Parts* scene) {
    if (is_of_program(problem.where, scene))
        problem.where = {};
    if (problem.key.starts_with(set_option))
        problem.key.erase(0, set_option.size());
    const std::string message = describe(problem);
    throw InputError(message, {problem.where.file, problem.where.line, problem.where.column,
                               problem.key, problem.expected, problem.found, problem.hint});
}

} // namespace

void reject(const std::string& key, const std::string& expected, const std::string& found,
            const std::string& hint) {
    throw muslin::InputError({{}, key, expected, found, hint});
}

void rethrow(const Scene::Parts* scene) {
    try {
        throw;
    } catch (const muslin::InputError& error) {
        tell(error.problem(), scene);
    } catch (const muslin::FileError& error) {
        throw FileError(error.what());
    } catch (const ArchiveError& error) {
        throw FileError(error.what());
    } catch (const muslin::SimulationError& error) {
        throw SimulationError(error.what());
    }
}

} // namespace muslin::api
