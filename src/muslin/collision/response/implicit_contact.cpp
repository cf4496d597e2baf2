#include "muslin/collision/response/implicit_contact.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

// How far layers may close in on each other in one step, in lengths of an element.
constexpr double longest_approach = 4;
// Particles in a row, which lie together (model/build.h), that decide together what slides.
constexpr int patch_size = 128;
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

// The pushes as a force.
class ContactForce final : public Force {
public:
    explicit ContactForce(ImplicitContact& contact) : contact_(contact) {}
    std::string_view name() const override { return "contact"; }
    bool learns() const override { return true; }

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
        a.add_overlay(entries_);
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
        const Vec3 force = normal * c.normal - push.drag * tangential(velocity, c.normal);
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
    : ZonedContact(model, settings.zones), settings_(settings) {
    foresight_ = Foresight::all_that_meet;
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
    crowding_.assign(surfaces_.particle_count(), 0.0);
    for (const auto& found : contacts)
        for (const Contact& c : found)
            add_push(c, h);
    for (Push& push : pushes_) {
        const Contact& c = push.contact;
        push.expected = expected_gap(c, h) < c.thickness;
        push.closing = (c.gap(begin_) - c.gap(end_)) / h;
        push.force = remembered_force(c, begin);
        // A step in which layers close in by many times their size would crumple them.
        if (const double most = longest_approach * std::sqrt(push.area); h * push.closing > most)
            longest_step_ = std::min(longest_step_, most / push.closing);
    }
}

// Appends the push of a contact that can give way; false where none of it can.
bool ImplicitContact::add_push(const Contact& c, double h) {
    Push push;
    make_push(c, h, push);
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
bool ImplicitContact::learn(std::span<const Contact> impacts, double largest, double h) {
    double thickness = HUGE_VAL;
    for (const Contact& c : impacts)
        thickness = std::min(thickness, c.thickness);
    if (largest <= bearable_move * thickness || repeats_ >= most_repeats)
        return false;
    ++repeats_;
    for (const Contact& c : impacts) {
        if (!add_push(c, h))
            continue;
        pushes_.back().expected = true;
        pushes_.back().closing = c.gap(begin_) / h;
    }
    return true;
}

void ImplicitContact::make_push(const Contact& c, double h, Push& push) const {
    push.contact = c;
    push.body_end = {0, 0, 0};
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
        if (iteration == 0 || !push.acted)
            push.drag = 0;
        if (iteration == 0) {
            set_stiffness(push, c.gap(begin_));
            // Layers that come in fast are to be stopped within half their thickness.
            push.stiffness =
                std::max(push.stiffness, 2 * push.mass * push.closing / (h * c.thickness));
        } else {
            const double gap = dot(c.normal, cloth_difference(c, at.positions) + push.body_end);
            push.force = std::max(0.0, push.stiffness * (push.target - gap));
            set_stiffness(push, gap);
        }
    }
    choose_friction(at, h);
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
// sticks: the drag is so strong that it hardly moves. As drags, both only ever slow the sliding.
// The first solve of a step goes by the normal forces of the step before, later ones by those of
// the last solve.
//
// What one sticking contact bears is lost in the error of the solve, which the stiffness of the
// cloth spreads among neighbours with both signs; what a patch bears is not.
void ImplicitContact::choose_friction(const Kinematics& at, double h) {
    patches_.assign(surfaces_.particle_count() / patch_size + 1, {});
    for (Push& push : pushes_) {
        const Contact& c = push.contact;
        const Vec3 velocity = cloth_difference(c, at.velocities) + push.body_velocity;
        Patch& patch = patches_[push.particle / patch_size];
        patch.momentum += (push.mass + h * push.drag) * tangential(velocity, c.normal);
        patch.mass += push.mass;
        patch.friction += c.friction * push.force * h;
    }
    for (Push& push : pushes_) {
        const Patch& patch = patches_[push.particle / patch_size];
        const double most = push.contact.friction * push.force;
        const double firm = most > 0 ? settings_.stick * h * push.stiffness : 0;
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
void ImplicitContact::finish(State& end) {
    for (const Push& push : pushes_) {
        if (push.force <= 0)
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
