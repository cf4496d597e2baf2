#include "muslin/collision/response/implicit_contact.h"

#include "muslin/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace muslin {
namespace {

constexpr std::size_t pair_grain = 512;
constexpr std::size_t point_grain = 2048;

// A pair up to this many thicknesses apart counts as near if it comes within one in the step.
constexpr double near_reach = 2;
// How far layers may close in on each other in one step, in lengths of an element.
constexpr double longest_approach = 4;
// What is left of the thickness when pressure has done its most: below, impact zones act.
constexpr double thinnest = 0.05;
Vec3 tangential(const Vec3& a, const Vec3& n) {
    return a - dot(a, n) * n;
}

// What the particles of a contact add to the difference of a quantity; bodies are not in `a`.
Vec3 cloth_difference(const Contact& c, std::span<const Vec3> a) {
    Vec3 sum = {0, 0, 0};
    for (int k = 0; k < 4; ++k)
        if (c.points[k] < static_cast<int>(a.size()))
            sum += c.weights[k] * a[c.points[k]];
    return sum;
}

// The pushes as a force.
class ContactForce final : public Force {
public:
    explicit ContactForce(ImplicitContact& contact) : contact_(contact) {}
    std::string_view name() const override { return "contact"; }

    void add_force(const Kinematics& at, std::span<Vec3> f) const override {
        for (const auto& push : contact_.pushes())
            add(push, at, {}, 1, f);
    }
    void add_linearised(const Kinematics& at, const Linearisation& step, std::span<Vec3> f,
                        BlockMatrix& a) const override {
        contact_.linearise(at, step.h, step.iteration);
        entries_.clear();
        for (auto& push : contact_.pushes()) {
            push.acted = add(push, at, step.displacement, step.iteration, f);
            if (!push.acted)
                continue;
            const Vec3& n = push.contact.normal;
            const double normal = step.h * step.h * push.stiffness, along = step.h * push.drag;
            const Mat3 block = Mat3::diagonal(along) + (normal - along) * outer(n, n);
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j)
                    add_block(push.contact, i, j, block, static_cast<int>(f.size()));
        }
        a.set_overlay(entries_);
    }

private:
    // Adds the force of a push; false where the layers do not touch.
    static bool add(const ImplicitContact::Push& push, const Kinematics& at,
                    std::span<const Vec3> displacement, int iteration, std::span<Vec3> f) {
        const Contact& c = push.contact;
        const double gap = dot(c.normal, cloth_difference(c, at.positions) + push.body_end);
        if (iteration == 0 ? !push.expected : gap >= c.thickness)
            return false;
        const Vec3 velocity = cloth_difference(c, at.velocities) + push.body_velocity;
        double normal = push.stiffness * (push.target - gap);
        if (!displacement.empty())
            normal -= push.stiffness * dot(c.normal, cloth_difference(c, displacement));
        const Vec3 force =
            normal * c.normal - push.rub - push.drag * tangential(velocity, c.normal);
        for (int k = 0; k < 4; ++k)
            if (c.points[k] < static_cast<int>(f.size()))
                f[c.points[k]] += c.weights[k] * force;
        return true;
    }
    void add_block(const Contact& c, int i, int j, const Mat3& block, int particles) const {
        const double w = c.weights[i] * c.weights[j];
        if (w != 0 && c.points[i] < particles && c.points[j] < particles)
            entries_.push_back({c.points[i], c.points[j], w * block});
    }

    ImplicitContact& contact_;
    mutable std::vector<BlockEntry> entries_; ///< scratch, kept for its memory
};

} // namespace

ImplicitContact::ImplicitContact(const Model& model, ImplicitContactSettings settings)
    : surfaces_(model), gravity_(model.gravity), settings_(settings), detector_(surfaces_),
      zones_(surfaces_, detector_, settings.zones), tangles_(surfaces_) {}

std::unique_ptr<Force> ImplicitContact::make_force() {
    return std::make_unique<ContactForce>(*this);
}

// Where all points are at the begin, and where they go if nothing but weight changes their motion.
void ImplicitContact::place(const State& begin, double h, const ConstraintSet& constraints) {
    const int particles = surfaces_.particle_count();
    begin_.resize(surfaces_.point_count());
    end_.resize(surfaces_.point_count());
    surfaces_.place_bodies(begin.time, begin_);
    surfaces_.place_bodies(begin.time + h, end_);
    parallel_for(particles, point_grain, [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            begin_[i] = begin.positions[i];
            end_[i] = begin.positions[i] + h * begin.velocities[i] + h * h * gravity_;
        }
    });
    for (const ParticleConstraint& c : constraints.list())
        for (int k = 0; k < c.count; ++k)
            end_[c.particle] +=
                (c.position[k] - dot(c.direction[k], end_[c.particle])) * c.direction[k];
}

void ImplicitContact::sense(const State& begin, double h, const ConstraintSet& constraints,
                            Profile& profile) {
    {
        const ProfileScope scope(profile, Task::other);
        place(begin, h, constraints);
        mobility_.set(surfaces_, constraints);
        if (!started_ || tangles_.any()) {
            tangles_.update(begin_, !started_);
            started_ = true;
        }
        zones_.set_ignored(tangles_.any() ? tangles_.marks() : std::span<const std::uint8_t>{});
    }
    {
        const ProfileScope scope(profile, Task::detect_self);
        detector_.set_motion(begin_, end_, 0);
        detector_.find_self(candidates_);
    }
    {
        const ProfileScope scope(profile, Task::detect_body);
        detector_.append_body(candidates_);
    }
    const ProfileScope scope(profile, Task::detect_self);
    find_contacts(begin, h);
}

void ImplicitContact::find_contacts(const State& begin, double h) {
    const std::size_t faces = candidates_.vertex_face.size();
    const std::size_t pairs = candidates_.size();
    found_.resize((pairs + pair_grain - 1) / pair_grain);
    parallel_for(pairs, pair_grain, [&](std::size_t from, std::size_t to) {
        std::vector<Contact>& found = found_[from / pair_grain];
        found.clear();
        for (std::size_t k = from; k < to; ++k) {
            const bool edges = k >= faces;
            Contact c = make_contact(
                surfaces_, edges ? candidates_.edge_edge[k - faces] : candidates_.vertex_face[k],
                edges);
            if (zones_.is_ignored(c))
                continue;
            double distance;
            const bool facing = set_closest(c, begin_, distance);
            if (distance < c.thickness ||
                (distance < near_reach * c.thickness && facing && c.gap(end_) < c.thickness)) {
                if (facing)
                    found.push_back(c);
            } else if (const auto impact = find_impact(c, begin_, end_)) {
                set_impact(c, *impact, begin_, end_);
                found.push_back(c);
            }
        }
    });
    pushes_.clear();
    longest_step_ = HUGE_VAL;
    crowding_.assign(surfaces_.particle_count(), 0.0);
    for (const auto& found : found_)
        for (const Contact& c : found) {
            Push push;
            make_push(c, h, push);
            if (push.area <= 0)
                continue;
            pushes_.push_back(push);
            // A step in which layers close in by many times their size would crumple them.
            const double closing = c.gap(begin_) - c.gap(end_);
            if (const double most = longest_approach * std::sqrt(push.area); closing > most)
                longest_step_ = std::min(longest_step_, h * most / closing);
            for (int k = 0; k < 4; ++k)
                if (surfaces_.is_cloth(c.points[k]))
                    crowding_[c.points[k]] += std::abs(c.weights[k]);
        }
    for (Push& push : pushes_)
        push.force = remembered_force(push.contact, begin);
}

void ImplicitContact::make_push(const Contact& c, double h, Push& push) const {
    push.contact = c;
    push.expected = c.gap(end_) < c.thickness;
    push.body_end = {0, 0, 0};
    push.body_velocity = {0, 0, 0};
    double inverse_area = 0, inverse_mass = 0;
    for (int k = 0; k < 4; ++k) {
        const int p = c.points[k];
        if (surfaces_.is_cloth(p)) {
            const double w2 = c.weights[k] * c.weights[k];
            if (mobility_.moves(p)) {
                inverse_area += w2 / surfaces_.area[p];
                inverse_mass += w2 / surfaces_.mass[p];
            }
            continue;
        }
        push.body_end += c.weights[k] * end_[p];
        push.body_velocity += (c.weights[k] / h) * (end_[p] - begin_[p]);
    }
    push.area = inverse_area > 0 ? 1 / inverse_area : 0;
    push.mass = inverse_mass > 0 ? 1 / inverse_mass : 0;
}

// The normal force that the particles of a contact bore in the step before, shared among the
// contacts that they have now.
double ImplicitContact::remembered_force(const Contact& c, const State& begin) const {
    if (begin.contact_force.empty())
        return 0;
    double least = HUGE_VAL;
    const int second = c.edges ? 2 : 1;
    for (const auto& [from, to] : {std::pair{0, second}, std::pair{second, 4}}) {
        if (!surfaces_.is_cloth(c.points[from]))
            continue;
        double side = 0;
        for (int k = from; k < to; ++k)
            side += std::abs(c.weights[k]) * begin.contact_force[c.points[k]] /
                    std::max(1.0, crowding_[c.points[k]]);
        least = std::min(least, side);
    }
    return least;
}

void ImplicitContact::linearise(const Kinematics& at, double h, int iteration) {
    for (Push& push : pushes_) {
        const Contact& c = push.contact;
        if (iteration == 0 || !push.acted) {
            push.drag = 0;
            push.rub = {0, 0, 0};
        }
        if (iteration == 0) {
            set_stiffness(push, c.gap(begin_));
            // Layers that come in fast are to be stopped within half their thickness.
            const double speed = (c.gap(begin_) - c.gap(end_)) / h;
            push.stiffness = std::max(push.stiffness, 2 * push.mass * speed / (h * c.thickness));
        } else {
            const double gap = dot(c.normal, cloth_difference(c, at.positions) + push.body_end);
            push.force = std::max(0.0, push.stiffness * (push.target - gap));
            set_stiffness(push, gap);
        }
        if (c.friction > 0)
            choose_friction(push, cloth_difference(c, at.velocities) + push.body_velocity, h);
    }
}

// The tangent of the pressure law at a gap.
void ImplicitContact::set_stiffness(Push& push, double gap) const {
    const double thickness = push.contact.thickness;
    const double left = std::clamp(gap / thickness, thinnest, 1.0); // 1 - d
    const double pressure = settings_.softness * (1 - left) / left;
    push.stiffness = push.area * settings_.softness / (thickness * left * left);
    push.target = thickness * left + push.area * pressure / push.stiffness;
}

// Coulomb's law by two states, chosen anew for each solve. A contact that sticks is held by a drag
// so strong that it hardly slides; on one that slides friction times the normal force acts. It
// slides if that force cannot take up, within the step, the tangential momentum that the contact
// would have without friction. The first solve of a step goes by the normal forces of the step
// before, later ones by those of the last solve.
void ImplicitContact::choose_friction(Push& push, const Vec3& velocity, double h) const {
    const Contact& c = push.contact;
    const Vec3 sliding = tangential(velocity, c.normal);
    const Vec3 momentum = push.mass * sliding + h * (push.rub + push.drag * sliding);
    const double most = c.friction * push.force, size = norm(momentum);
    const bool sticks = size <= most * h;
    push.drag = sticks && most > 0 ? settings_.stick * h * push.stiffness : 0;
    push.rub = sticks ? Vec3{0, 0, 0} : (most / size) * momentum;
}

ContactReport ImplicitContact::resolve(const ProposedStep& step, State& end, Profile& profile) {
    const ProfileScope scope(profile, Task::resolve);
    const int particles = surfaces_.particle_count();
    std::copy(end.positions.begin(), end.positions.end(), end_.begin());
    if (tangles_.any())
        tangles_.draw_out(begin_, mobility_, step.h, end_);
    solved_ = end_;
    ContactReport report;
    report.crossings = static_cast<int>(tangles_.crossings());
    report.contacts = measure_forces(end);
    const ImpactZones::Report zones = zones_.resolve(begin_, solved_, mobility_, end_);
    report.impacts = zones.impacts;
    if (!zones.resolved) {
        if (!step.last_try) {
            report.resolved = false;
            report.reason =
                fmt::format("{} impacts were left after {} rounds", zones.impacts, zones.rounds);
            return report;
        }
        release(zones_.freeze(begin_, mobility_, end_), report);
    }
    for (int i = 0; i < particles; ++i) {
        end.velocities[i] += (1 / step.h) * (end_[i] - solved_[i]);
        end.positions[i] = end_[i];
    }
    settle(end);
    return report;
}

// The normal forces at the end of the step, and their shares on the particles.
int ImplicitContact::measure_forces(State& end) {
    end.contact_force.assign(surfaces_.particle_count(), 0.0);
    int pressed = 0;
    for (Push& push : pushes_) {
        const Contact& c = push.contact;
        push.force = std::max(0.0, push.stiffness * (push.target - c.gap(end_)));
        if (push.force == 0)
            continue;
        ++pressed;
        for (int k = 0; k < 4; ++k)
            if (surfaces_.is_cloth(c.points[k]))
                end.contact_force[c.points[k]] += std::abs(c.weights[k]) * push.force;
    }
    return pressed;
}

// Takes from layers that pushed each other apart the speed at which they part: what is too close
// moves out without being thrown [BW98 6.2].
void ImplicitContact::settle(State& end) {
    for (const Push& push : pushes_) {
        if (push.force <= 0)
            continue;
        const Contact& c = push.contact;
        const Vec3 apart = c.difference(end_);
        const double gap = norm(apart);
        if (gap <= 0)
            continue;
        // Along the line between the points, so that angular momentum is kept.
        const Vec3 n = (1 / gap) * apart;
        const double parting = dot(n, cloth_difference(c, end.velocities) + push.body_velocity);
        if (parting <= 0 || dot(n, c.normal) <= 0)
            continue;
        double response = 0;
        for (int k = 0; k < 4; ++k)
            response += c.weights[k] * c.weights[k] * mobility_.along(c.points[k], n);
        for (int k = 0; k < 4; ++k)
            if (mobility_.moves(c.points[k]))
                end.velocities[c.points[k]] +=
                    mobility_.response(c.points[k], (-c.weights[k] * parting / response) * n);
    }
}

// Lets go of what cannot be kept apart, and says so.
void ImplicitContact::release(const ImpactZones::Report& zones, ContactReport& report) {
    const auto let_go = [&](const FeaturePair& pair, bool edges) {
        const Contact c = make_contact(surfaces_, pair, edges);
        tangles_.release(c.points);
        const int a = edges ? surfaces_.triangle_of_edge(pair.first)
                            : surfaces_.triangle_of_point(pair.first);
        const int b = edges ? surfaces_.triangle_of_edge(pair.second) : pair.second;
        report.released.push_back(fmt::format("{}, triangle {} and {}, triangle {}",
                                              surfaces_.owner_of_triangle(a), a,
                                              surfaces_.owner_of_triangle(b), b));
    };
    for (const FeaturePair& pair : zones.unresolved_vertex_face)
        let_go(pair, false);
    for (const FeaturePair& pair : zones.unresolved_edge_edge)
        let_go(pair, true);
}

} // namespace muslin
