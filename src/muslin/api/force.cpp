#include "muslin/force.h"

#include "muslin/api/convert.h"
#include "muslin/api/guard.h"
#include "muslin/engine/recipe.h"
#include "muslin/forces/capabilities.h"
#include "muslin/mesh/measure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace muslin::api {
namespace {

/// The stages that have forces, and of which kind these then are.
constexpr std::array<std::pair<std::string_view, ForceKind>, 6> kinds = {{
    {"in_plane", ForceKind::in_plane},
    {"bending", ForceKind::bending},
    {"weight", ForceKind::gravity},
    {"air", ForceKind::air},
    {"outside", ForceKind::outside},
    {added_force, ForceKind::outside},
}};

Vec2 to_public(const muslin::Vec2& v) {
    return {v.x, v.y};
}

muslin::Mat3 to_engine(const Mat3& a) {
    return {{{a.x.x, a.x.y, a.x.z}, {a.y.x, a.y.y, a.y.z}, {a.z.x, a.z.y, a.z.z}}};
}

ForceScene scene_of(const Model& model, const std::map<std::string, double>& numbers) {
    ForceScene out;
    out.mass = model.mass;
    out.numbers = numbers;
    for (const muslin::Cloth& cloth : model.cloths) {
        ForceScene::Cloth& one = out.cloths[cloth.name];
        one.particles = cloth.surface.vertex_particle;
        for (int t = cloth.triangle_range[0]; t < cloth.triangle_range[1]; ++t) {
            one.triangles.push_back(model.dynamics.triangles[t]);
            const auto& [a, b, c] = model.dynamics.pattern[t];
            one.pattern.push_back({to_public(a), to_public(b), to_public(c)});
        }
    }
    for (const muslin::Region& region : model.regions)
        out.regions[region.name] = region.particles;
    return out;
}

/// A force of a program as the engine has it.
class OwnForce final : public muslin::Force,
                       public LinearisedForce,
                       public DampedForce,
                       public StretchMeasure {
public:
    OwnForce(const Model& model, const ForceType& type, ForceKind kind,
             const std::map<std::string, double>& numbers)
        : name_(type.name), kind_(kind), particles_(model.particle_count()),
          force_(type.make(scene_of(model, numbers))) {
        if (!force_)
            reject(key("make"), "a force", "none");
        pairs_ = force_->pairs();
        for (const auto& [first, second] : pairs_) {
            require_particle("pairs", first);
            require_particle("pairs", second);
            if (first == second)
                reject(key("pairs"), "two different particles", fmt::format("{} twice", first));
        }
        if (kind == ForceKind::in_plane)
            edges_ = pattern_edges(model.dynamics.triangles, model.dynamics.pattern);
    }

    std::string_view name() const override { return name_; }
    ForceKind kind() const override { return kind_; }
    ForceCapabilities capabilities() override {
        return {.linearised = this,
                .damped = this,
                .stretch = kind_ == ForceKind::in_plane ? this : nullptr,
                .feeds = comes_from_outside(kind_)};
    }
    void prepare(double time) override { time_ = time; }

    double energy(std::span<const muslin::Vec3> positions) const override {
        return force_->energy(input({positions, {}}));
    }

    void add_force(const Kinematics& at, std::span<muslin::Vec3> f) const override {
        sum_.assign(f.size(), Vec3{});
        force_->add_forces(input(at), sum_);
        for (std::size_t i = 0; i < f.size(); ++i)
            f[i] += to_engine_vector(sum_[i]);
    }

    void append_pairs(std::vector<std::array<int, 2>>& pairs) const override {
        pairs.insert(pairs.end(), pairs_.begin(), pairs_.end());
    }

    void add_linearised(const Kinematics& at, const Linearisation& step, std::span<muslin::Vec3> f,
                        BlockMatrix& a) const override {
        add_force(at, f);
        find_blocks(at);
        for (const ForceBlock& block : blocks_) {
            const auto& [i, j] = std::pair(block.first, block.second);
            const muslin::Mat3 stiffness = to_engine(block.stiffness);
            const muslin::Mat3 value =
                (step.h * step.h) * stiffness + step.h * to_engine(block.damping);
            f[i] -= stiffness * step.displacement[j];
            if (i == j) {
                a.add_diagonal(i, value);
                continue;
            }
            f[j] -= transpose(stiffness) * step.displacement[i];
            const int slot = a.slot(i, j);
            if (slot < 0)
                reject(key("add_blocks"), "blocks of pairs that pairs() has",
                       fmt::format("({}, {})", i, j));
            a.add_pair(slot, a.slot(j, i), value);
        }
    }

    void cache_damping(const Kinematics& at) override { find_blocks(at); }

    void add_damping(std::span<const muslin::Vec3> w, std::span<muslin::Vec3> f) const override {
        for (const ForceBlock& block : blocks_) {
            const muslin::Mat3 damping = to_engine(block.damping);
            f[block.first] -= damping * w[block.second];
            if (block.first != block.second)
                f[block.second] -= transpose(damping) * w[block.first];
        }
    }

    double largest_stretch_change(std::span<const muslin::Vec3> from,
                                  std::span<const muslin::Vec3> to) const override {
        double worst = 0;
        for (std::size_t k = 0; k < edges_.edges.size(); ++k) {
            const auto& [a, b] = edges_.edges[k];
            const double change =
                std::abs(muslin::norm(to[b] - to[a]) - muslin::norm(from[b] - from[a])) /
                edges_.lengths[k];
            if (!(change <= worst)) // a value that is not a number counts as infinite
                worst = std::isfinite(change) ? change : std::numeric_limits<double>::infinity();
        }
        return worst;
    }

private:
    static muslin::Vec3 to_engine_vector(const Vec3& v) { return {v.x, v.y, v.z}; }
    std::string key(const char* member) const {
        return fmt::format("force '{}'.{}", name_, member);
    }
    void require_particle(const char* member, int particle) const {
        if (particle < 0 || particle >= particles_)
            reject(key(member), fmt::format("particles 0 to {}", particles_ - 1),
                   fmt::format("{}", particle));
    }

    /// Lasts until the next call.
    ForceInput input(const Kinematics& at) const {
        positions_ = api::to_public(at.positions);
        velocities_ = api::to_public(at.velocities);
        return {positions_, velocities_, time_};
    }
    void find_blocks(const Kinematics& at) const {
        blocks_.clear();
        force_->add_blocks(input(at), blocks_);
        for (const ForceBlock& block : blocks_) {
            require_particle("add_blocks", block.first);
            require_particle("add_blocks", block.second);
        }
    }

    std::string name_;
    ForceKind kind_;
    int particles_;
    std::unique_ptr<api::Force> force_;
    std::vector<std::array<int, 2>> pairs_;
    PatternEdges edges_; ///< of a force in the plane
    double time_ = 0;    ///< [s]
    // What the force is given and gives, kept for its memory.
    mutable std::vector<Vec3> positions_, velocities_, sum_;
    mutable std::vector<ForceBlock> blocks_;
};

} // namespace

void register_force(const ForceType& type) {
    guarded(nullptr, [&] {
        const std::string stage = type.stage.empty() ? std::string(added_force) : type.stage;
        const auto kind = std::find_if(kinds.begin(), kinds.end(),
                                       [&](const auto& one) { return one.first == stage; });
        if (kind == kinds.end())
            reject("force.stage",
                   "none, or one of 'in_plane', 'bending', 'weight', 'air' and 'outside'",
                   "'" + type.stage + "'");
        if (type.name.empty())
            reject("force.name", "a name", "none");
        if (!type.make)
            reject("force.make", "a function", "none");
        const auto all = parts();
        if (std::any_of(all.begin(), all.end(), [&](const Part& part) {
                return part.stage == stage && part.name == type.name;
            }))
            reject("force.name", "a name that no other force has", "'" + type.name + "'");
        const auto make =
            [type, kind = kind->second](
                const Model& model,
                const std::map<std::string, double>& numbers) -> std::unique_ptr<muslin::Force> {
            return std::make_unique<OwnForce>(model, type, kind, numbers);
        };
        const Part part = {stage, type.name, type.summary};
        if (stage == added_force)
            register_added_force(part, make);
        else
            register_force_part(part, [make](const Model& model) { return make(model, {}); });
    });
}

} // namespace muslin::api
