#include "muslin/collision/response/implicit_contact.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace muslin {
namespace {

// How far layers may close in on each other in one step, in lengths of an element.
constexpr double longest_approach = 4;
// How far impact zones may move a particle, in thicknesses, before the step is taken again, and how
// often that is done.
constexpr double bearable_move = 0.2;
constexpr int most_repeats = 2;
// What is left of the thickness when pressure has done its most: below, impact zones act.
constexpr double thinnest = 0.05;

// What the particles of a contact add to the difference of a quantity; bodies are not in `a`.
Vec3 cloth_difference(const Contact& c, std::span<const Vec3> a) {
    Vec3 sum = {0, 0, 0};
    for (int k = 0; k < 4; ++k)
        if (c.points[k] < static_cast<int>(a.size()))
            sum += c.weights[k] * a[c.points[k]];
    return sum;
}

// The patch of each particle: cloths are divided into squares of the pattern, `size` [m] wide.
// Particles in no triangle share patch 0.
std::vector<int> find_patches(const Model& model, double size, int& count) {
    std::map<std::array<int, 3>, int> known;
    std::vector<int> patch(model.mass.size(), 0);
    count = 1;
    const DynamicsLayer& layer = model.dynamics;
    for (std::size_t t = 0; t < layer.triangles.size(); ++t)
        for (int k = 0; k < 3; ++k) {
            int& own = patch[layer.triangles[t][k]];
            if (own > 0)
                continue;
            const Vec2& place = layer.pattern[t][k];
            const std::array<int, 3> square = {layer.triangle_cloth[t],
                                               static_cast<int>(std::floor(place.x / size)),
                                               static_cast<int>(std::floor(place.y / size))};
            const auto [it, is_new] = known.try_emplace(square, count);
            count += is_new ? 1 : 0;
            own = it->second;
        }
    return patch;
}

// The pushes as a force.
class ContactForce final : public Force {
public:
    explicit ContactForce(ImplicitContact& contact) : contact_(contact) {}
    std::string_view name() const override { return "contact"; }
    bool learns() const override { return true; }
    bool acts() const override { return !contact_.pushes().empty(); }
    void note_solution(const Kinematics& at) override { contact_.note_solution(at); }

    void add_force(const Kinematics& at, std::span<Vec3> f) const override {
        for (const auto& push : std::as_const(contact_).pushes())
            if (push.acted)
                add(push, force_of(push, at), f);
    }
    void add_linearised(const Kinematics& at, const Linearisation& step, std::span<Vec3> f,
                        BlockMatrix& a) const override {
        contact_.linearise(at, step);
        entries_.clear();
        for (const auto& push : std::as_const(contact_).pushes()) {
            if (!push.acted)
                continue;
            const Vec3& n = push.contact.normal;
            add(push, force_of(push, at), f);
            const double across = step.h * step.h * push.stiffness;
            const double along = step.h * push.drag;
            const Mat3 block = Mat3::diagonal(along) + (across - along) * outer(n, n);
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j)
                    add_block(push.contact, i, j, block, static_cast<int>(f.size()));
        }
        a.add_overlay(entries_);
    }

private:
    // On the first feature [N].
    Vec3 force_of(const ImplicitContact::Push& push, const Kinematics& at) const {
        const Contact& c = push.contact;
        const Vec3 velocity = cloth_difference(c, at.velocities) + push.body_velocity;
        const double gap = push.gap_ahead(velocity, contact_.step());
        return (push.stiffness * (push.target - gap)) * c.normal -
               push.drag * tangential(velocity, c.normal);
    }
    static void add(const ImplicitContact::Push& push, const Vec3& force, std::span<Vec3> f) {
        const Contact& c = push.contact;
        for (int k = 0; k < 4; ++k)
            if (c.points[k] < static_cast<int>(f.size()))
                f[c.points[k]] += c.weights[k] * force;
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
    : ZonedContact(model, settings.zones), settings_(settings) {
    foresight_ = Foresight::all_that_meet;
    patch_of_ = find_patches(model, settings.patch, patch_count_);
}

std::unique_ptr<Force> ImplicitContact::make_force() {
    return std::make_unique<ContactForce>(*this);
}

void ImplicitContact::take_contacts(const State& begin, double h,
                                    std::span<const std::vector<Contact>> contacts) {
    pushes_.clear();
    longest_step_ = HUGE_VAL;
    repeats_ = 0;
    step_ = h;
    velocities_ = begin.velocities;
    crowding_.assign(surfaces_.particle_count(), 0.0);
    for (const auto& found : contacts)
        for (const Contact& c : found)
            add_push(c);
    for (Push& push : pushes_) {
        const Contact& c = push.contact;
        push.force = shared_force(c, begin.contact_force);
        // A step in which layers close in by many times their size would crumple them.
        if (const double most = longest_approach * std::sqrt(push.area); h * push.closing > most)
            longest_step_ = std::min(longest_step_, most / push.closing);
    }
}

// Appends the push of a contact that can give way; false where none of it can.
bool ImplicitContact::add_push(const Contact& c) {
    Push push;
    make_push(c, push);
    if (push.area <= 0)
        return false;
    pushes_.push_back(push);
    for (int k = 0; k < 4; ++k)
        if (surfaces_.is_cloth(c.points[k]))
            crowding_[c.points[k]] += std::abs(c.weights[k]);
    return true;
}

// An impact that is stopped by its own few particles leaves them out of place among their
// neighbours. Where that would show, the step is taken again with the impacts as contacts, which
// lets the cloth give way as a whole.
bool ImplicitContact::learn(std::span<const Contact> impacts, double largest, double /*h*/) {
    double thickness = HUGE_VAL;
    for (const Contact& c : impacts)
        thickness = std::min(thickness, c.thickness);
    if (largest <= bearable_move * thickness || repeats_ >= most_repeats)
        return false;
    ++repeats_;
    for (const Contact& c : impacts)
        if (add_push(c)) {
            pushes_.back().is_impact = true;
            pushes_.back().closing =
                std::max(pushes_.back().closing, pushes_.back().begin_gap / step_);
        }
    return true;
}

void ImplicitContact::make_push(const Contact& c, Push& push) const {
    push.contact = c;
    push.body_velocity = {0, 0, 0};
    double inverse_area = 0, inverse_mass = 0;
    for (int k = 0; k < 4; ++k) {
        const int p = c.points[k];
        if (surfaces_.is_cloth(p)) {
            const double w2 = c.weights[k] * c.weights[k];
            if (push.particle < 0)
                push.particle = p;
            if (mobility_.moves(p)) {
                inverse_area += w2 / surfaces_.area[p];
                inverse_mass += w2 / surfaces_.mass[p];
            }
            continue;
        }
        push.body_velocity += (c.weights[k] / step_) * (end_[p] - begin_[p]);
    }
    push.begin_gap = c.gap(begin_);
    push.area = inverse_area > 0 ? 1 / inverse_area : 0;
    push.mass = inverse_mass > 0 ? 1 / inverse_mass : 0;
    push.closing =
        std::max(0.0, -dot(c.normal, cloth_difference(c, velocities_) + push.body_velocity));
}

// The normal force that the particles of a contact bore, shared among the contacts that they have
// now.
double ImplicitContact::shared_force(const Contact& c, std::span<const double> of_particles) const {
    if (of_particles.empty())
        return 0;
    double least = HUGE_VAL;
    const int second = c.edges ? 2 : 1;
    for (const auto& [from, to] : {std::pair{0, second}, std::pair{second, 4}}) {
        if (!surfaces_.is_cloth(c.points[from]))
            continue;
        double side = 0;
        for (int k = from; k < to; ++k)
            side += std::abs(c.weights[k]) * of_particles[c.points[k]] /
                    std::max(1.0, crowding_[c.points[k]]);
        least = std::min(least, side);
    }
    return least;
}

void ImplicitContact::linearise(const Kinematics& at, const Linearisation& step) {
    const bool is_first = step.iteration == 0;
    for (Push& push : pushes_) {
        const Contact& c = push.contact;
        const Vec3 velocity = cloth_difference(c, at.velocities) + push.body_velocity;
        const double gap = push.gap_ahead(velocity, step_);
        set_stiffness(push, is_first ? push.begin_gap : gap);
        // Layers that come in fast are to be stopped within half their thickness.
        if (is_first || push.is_impact)
            push.stiffness =
                std::max(push.stiffness, 2 * push.mass * push.closing / (step_ * c.thickness));
        // What falls in the first solve comes as near as its weight brings it.
        const double expected = is_first ? gap + fall_of(c, step_) : gap;
        push.acted = expected < c.thickness || (is_first && push.is_impact);
        if (!push.acted) {
            push.presses = false;
            push.force = push.drag = 0;
        }
    }
    choose_friction(at);
}

void ImplicitContact::note_solution(const Kinematics& at) {
    for (Push& push : pushes_) {
        if (!push.acted)
            continue;
        const Contact& c = push.contact;
        const Vec3 velocity = cloth_difference(c, at.velocities) + push.body_velocity;
        const double gap = push.gap_ahead(velocity, step_);
        push.presses = gap < push.target;
        push.force = lasting_force(push, gap, dot(c.normal, velocity));
    }
}

// The normal force that counts for friction. Layers that are pressed in too far are pushed out by
// more, at a speed that finish() takes from them again.
double ImplicitContact::lasting_force(const Push& push, double gap, double parting) const {
    return std::max(0.0, push.stiffness * (push.target - gap) -
                             push.mass * std::max(0.0, parting) / step_);
}

// The tangent of the pressure law at a gap.
void ImplicitContact::set_stiffness(Push& push, double gap) const {
    const double thickness = push.contact.thickness;
    const double left = std::clamp(gap / thickness, thinnest, 1.0); // 1 - d
    const double pressure = settings_.softness * (1 - left) / left;
    push.stiffness = push.area * settings_.softness / (thickness * left * left);
    push.target = thickness * left + push.area * pressure / push.stiffness;
}

// Coulomb's law by two states, chosen anew for each solve. A patch of cloth slides if friction
// times the normal forces on it cannot take up, within the step, the tangential momentum that it
// would have without friction; the drag is then that force over the speed that is left. Else it
// sticks: the drag is so strong that it creeps by the slip speed at most. As drags, both only ever
// slow the sliding.
//
// Threads are stiff: what friction holds at one place they take from the next, so that contacts
// that decide alone stick in turn and hold the cloth by more than friction has. Patches are small
// beside what cloth lies on, and their size is a length, not a number of vertices.
void ImplicitContact::choose_friction(const Kinematics& at) {
    patches_.assign(patch_count_, {});
    for (Push& push : pushes_) {
        if (!push.acted)
            continue;
        const Contact& c = push.contact;
        const Vec3 velocity = cloth_difference(c, at.velocities) + push.body_velocity;
        Patch& patch = patches_[patch_of_[push.particle]];
        patch.momentum += (push.mass + step_ * push.drag) * tangential(velocity, c.normal);
        patch.mass += push.mass;
        patch.friction += c.friction * push.force * step_;
    }
    for (Push& push : pushes_) {
        if (!push.acted)
            continue;
        const Patch& patch = patches_[patch_of_[push.particle]];
        const double most = push.contact.friction * push.force;
        const double firm =
            std::min(most / settings_.slip_speed, settings_.stick * step_ * push.stiffness);
        const double left = norm(patch.momentum) - patch.friction;
        push.drag = left > 0 ? std::min(firm, most * patch.mass / left) : firm;
    }
}

// The normal forces at the end of the step, and their shares on the particles.
int ImplicitContact::push(const ProposedStep&, State& end) {
    end.contact_force.assign(surfaces_.particle_count(), 0.0);
    int pressed = 0;
    for (Push& push : pushes_) {
        const Contact& c = push.contact;
        if (!push.presses)
            continue;
        ++pressed;
        // What an impact took does not last.
        const double lasting = push.force - push.mass * push.closing / step_;
        if (lasting <= 0)
            continue;
        for (int k = 0; k < 4; ++k)
            if (surfaces_.is_cloth(c.points[k]))
                end.contact_force[c.points[k]] += std::abs(c.weights[k]) * lasting;
    }
    return pressed;
}

// Takes from layers that pushed each other apart the speed at which they part: what is too close
// moves out without being thrown [BW98 6.2].
void ImplicitContact::finish(State& end) {
    for (const Push& push : pushes_) {
        if (!push.presses)
            continue;
        // At the end, along the line between the closest points: angular momentum is kept, and a
        // layer that slid on is not held back.
        Contact c = push.contact;
        double gap;
        if (!set_closest(c, end_, gap))
            continue;
        const Vec3& n = c.normal;
        double parting = 0;
        for (int k = 0; k < 4; ++k) {
            const int p = c.points[k];
            const Vec3 velocity =
                surfaces_.is_cloth(p) ? end.velocities[p] : (1 / step_) * (end_[p] - begin_[p]);
            parting += c.weights[k] * dot(n, velocity);
        }
        if (parting <= 0 || dot(n, push.contact.normal) <= 0)
            continue;
        double response = 0;
        for (int k = 0; k < 4; ++k)
            response += c.weights[k] * c.weights[k] * mobility_.along(c.points[k], n);
        if (response <= 0)
            continue;
        for (int k = 0; k < 4; ++k)
            if (mobility_.moves(c.points[k]))
                end.velocities[c.points[k]] +=
                    mobility_.response(c.points[k], (-c.weights[k] * parting / response) * n);
    }
}

} // namespace muslin
