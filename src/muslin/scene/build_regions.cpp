#include "muslin/base/error.h"
#include "muslin/scene/build_parts.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace muslin {
namespace {

[[noreturn]] void reject(const Source& where, const std::string& key, const std::string& expected,
                         const std::string& found) {
    throw InputError({where, key, expected, found, {}});
}

// Selects the points of one region on its placed cloth. Groups and maps are of the surface.
class Selector {
public:
    Selector(const RegionDescription& region, const LayeredCloth& cloth)
        : region_(region), cloth_(cloth), mesh_(cloth.input.mesh), places_(cloth.places),
          key_("region '" + region.name + "'") {}

    std::vector<int> select() {
        if (region_.points >= 0)
            chosen_ = cloth_.tables[region_.points];
        by_layer();
        by_number();
        by_box();
        by_group();
        by_map();
        by_nearest();
        std::sort(chosen_.begin(), chosen_.end());
        chosen_.erase(std::unique(chosen_.begin(), chosen_.end()), chosen_.end());
        if (chosen_.empty())
            reject(region_.where, key_,
                   fmt::format("at least one vertex of cloth '{}'", region_.cloth),
                   "a selection that matches nothing");
        return chosen_;
    }

private:
    void by_layer() {
        if (!region_.layer)
            return;
        const ClothInput& input = cloth_.input;
        const LayerInput* own = nullptr; // none: the surface
        if (region_.layer != LayerKind::surface && input.dynamics)
            own = &*input.dynamics;
        if (region_.layer == LayerKind::collision && input.collision)
            own = &*input.collision;
        if (own)
            chosen_ = own->points;
        else
            for (std::size_t v = 0; v < mesh_.positions.size(); ++v)
                chosen_.push_back(static_cast<int>(v));
    }
    void by_number() {
        const int count = static_cast<int>(places_.size());
        for (int v : region_.vertices) {
            if (v < 0 || v >= count)
                reject(
                    region_.where, key_,
                    fmt::format("vertex numbers 0 to {} of cloth '{}'", count - 1, region_.cloth),
                    std::to_string(v));
            chosen_.push_back(v);
        }
    }
    void by_box() {
        if (!region_.box)
            return;
        const Vec3 &low = region_.box->min, &high = region_.box->max;
        for (std::size_t i = 0; i < places_.size(); ++i) {
            const Vec3& p = places_[i];
            if (p.x >= low.x && p.y >= low.y && p.z >= low.z && p.x <= high.x && p.y <= high.y &&
                p.z <= high.z)
                chosen_.push_back(static_cast<int>(i));
        }
    }
    void by_group() {
        if (!region_.group)
            return;
        const auto& names = mesh_.group_names;
        const auto it = std::find(names.begin(), names.end(), *region_.group);
        if (it == names.end())
            reject(region_.where, key_ + ".group", "a group of the mesh: " + listed(names),
                   "'" + *region_.group + "'");
        const int group = static_cast<int>(it - names.begin());
        for (int f = 0; f < mesh_.face_count(); ++f)
            if (mesh_.face_group[f] == group)
                chosen_.insert(chosen_.end(), mesh_.corner_vertex.begin() + mesh_.face_begin[f],
                               mesh_.corner_vertex.begin() + mesh_.face_begin[f + 1]);
    }
    void by_map() {
        if (!region_.map)
            return;
        const auto it = mesh_.vertex_maps.find(region_.map->name);
        if (it == mesh_.vertex_maps.end()) {
            std::vector<std::string> names;
            for (const auto& entry : mesh_.vertex_maps)
                names.push_back(entry.first);
            reject(region_.where, key_ + ".map", "a per-vertex map of the mesh: " + listed(names),
                   "'" + region_.map->name + "'");
        }
        for (std::size_t i = 0; i < it->second.size(); ++i)
            if (it->second[i] >= region_.map->threshold)
                chosen_.push_back(static_cast<int>(i));
    }
    void by_nearest() {
        for (const Vec3& point : region_.nearest) {
            int best = 0;
            double distance = std::numeric_limits<double>::infinity();
            for (std::size_t i = 0; i < places_.size(); ++i) {
                const Vec3 d = places_[i] - point;
                if (dot(d, d) < distance) {
                    distance = dot(d, d);
                    best = static_cast<int>(i);
                }
            }
            chosen_.push_back(best);
        }
    }
    static std::string listed(const std::vector<std::string>& names) {
        std::string text;
        for (const std::string& name : names)
            text += (text.empty() ? "'" : ", '") + name + "'";
        return text.empty() ? "it has none" : text;
    }

    const RegionDescription& region_;
    const LayeredCloth& cloth_;
    const PolygonMesh& mesh_;
    const std::vector<Vec3>& places_; ///< of all points
    std::string key_;
    std::vector<int> chosen_;
};

} // namespace

std::vector<int> select_points(const RegionDescription& region, const LayeredCloth& cloth) {
    return Selector(region, cloth).select();
}

} // namespace muslin
