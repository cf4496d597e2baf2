#include "muslin/collision/response/implicit_contact.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace muslin {
namespace {

// How far layers may close in on each other in one step, in lengths of an element.
constexpr double longest_approach = 4;
// Impact zones may move a particle by 0.2 thicknesses or 1 % of an edge, whichever is larger (a
// tilt of 0.01 rad is invisible), before the step is taken again; and how often that is done.
constexpr double bearable_move = 0.2, bearable_turn = 0.01;
constexpr int most_repeats = 2;
// How far a normal is followed round a curve in one step, and how far it may turn in a step that
// contact leaves as long as it is [rad]; the latter where the curve has that many elements to its
// radius, or more: cloth that is coarser does not follow it.
constexpr double largest_turn = 0.5;
constexpr double usual_turn = 0.1;
constexpr double resolved = 5;
// An error of friction always acts along the slide, so it accumulates: longer steps than this may
// have no larger error of velocity than one of this length [s].
constexpr double usual_step = 1.0 / 120;
// The cosine up to which the line between two layers is still that of their contact: those that
// slid past each other are not held back.
constexpr double same_side = 0.95;
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
class ContactForce final : public Force, public LinearisedForce, public AdaptiveForce {
public:
    explicit ContactForce(ImplicitContact& contact) : contact_(contact) {}
    std::string_view name() const override { return "contact"; }
    ForceKind kind() const override { return ForceKind::contact; }
    ForceCapabilities capabilities() override { return {.linearised = this, .adaptive = this}; }
    double energy(std::span<const Vec3>) const override { return 0; }

    bool is_active() const override { return !contact_.pushes().empty(); }
    void update(const Kinematics& solution) override { contact_.update(solution); }
    bool has_converged(std::span<const double> open) const override {
        return contact_.has_converged(open);
    }

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
            const Vec3& n = push.normal;
            add(push, force_of(push, at), f);
            const double across = step.h * step.h * push.stiffness;
            const double along = step.h * push.drag;
            const Mat3 block = Mat3::diagonal(along) + (across - along) * outer(n, n) -
                               along * outer(push.way, push.way);
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
        const Vec3 slip = tangential(velocity, push.normal);
        return (push.stiffness * (push.target - gap)) * push.normal -
               push.drag * tangential(slip, push.way) - push.limit * push.way;
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
    : ZonedContact(model, settings.zones), settings_(settings), shape_(surfaces_), spin_(model) {
    foresight_ = Foresight::all_that_meet;
    patch_mass_.assign((surfaces_.particle_count() + judged_together - 1) / judged_together, 0.0);
    for (int i = 0; i < surfaces_.particle_count(); ++i)
        patch_mass_[i / judged_together] += surfaces_.mass[i];
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
    shape_.place(begin_);
    crowding_.assign(surfaces_.particle_count(), 0.0);
    for (const auto& found : contacts)
        for (const Contact& c : found)
            if (!shape_.leans(c))
                add_push(c);
    for (Push& push : pushes_) {
        const Contact& c = push.contact;
        push.force = shared_force(c, begin.contact_force);
        if (push.force > 0)
            longest_step_ = std::min(longest_step_, longest_turn(push));
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
    double thickness = HUGE_VAL, edge = HUGE_VAL;
    for (const Contact& c : impacts) {
        thickness = std::min(thickness, c.thickness);
        double area = 0; // of a vertex; those at a rim have less
        for (const int p : c.points)
            if (surfaces_.is_cloth(p))
                area = std::max(area, surfaces_.area[p]);
        edge = std::min(edge, std::sqrt(area));
    }
    if (largest <= std::max(bearable_move * thickness, bearable_turn * edge) ||
        repeats_ >= most_repeats)
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

void ImplicitContact::make_push(const Contact& c, Push& push) {
    push.contact = c;
    push.contact.normal = push.normal = shape_.normal(c);
    push.body_velocity = {0, 0, 0};
    double inverse_area = 0, inverse_mass = 0;
    for (int k = 0; k < 4; ++k) {
        const int p = c.points[k];
        if (surfaces_.is_cloth(p)) {
            const double w2 = c.weights[k] * c.weights[k];
            if (push.particle < 0) {
                push.particle = p;
                push.side = k < (c.edges ? 2 : 1) ? 1 : -1;
            }
            if (mobility_.moves(p)) {
                inverse_area += w2 / surfaces_.area[p];
                inverse_mass += w2 / surfaces_.mass[p];
            }
            continue;
        }
        push.body_velocity += (c.weights[k] / step_) * (end_[p] - begin_[p]);
    }
    const Vec3 apart = c.difference(begin_);
    push.begin_gap = push.still_gap = push.gap = dot(push.normal, apart);
    push.offset = tangential(apart, push.normal);
    push.curvature = shape_.curvature(push.contact);
    push.area = inverse_area > 0 ? 1 / inverse_area : 0;
    push.mass = inverse_mass > 0 ? 1 / inverse_mass : 0;
    push.closing =
        std::max(0.0, -dot(push.normal, cloth_difference(c, velocities_) + push.body_velocity));
}

// The step in which the normal turns by as much as it should in one.
double ImplicitContact::longest_turn(const Push& push) const {
    const Contact& c = push.contact;
    const Vec3 slip =
        tangential(cloth_difference(c, velocities_) + push.body_velocity, push.normal);
    const double rate = norm(push.curvature * slip);
    const bool follows = resolved * std::sqrt(push.area) * rate < norm(slip);
    return follows && rate > 0 ? usual_turn / rate : HUGE_VAL;
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
    for (Push& push : pushes_) {
        const Contact& c = push.contact;
        const Vec3 velocity = cloth_difference(c, at.velocities) + push.body_velocity;
        follow_surface(push, velocity);
        const double gap = push.gap_ahead(velocity, step_);
        set_stiffness(push, push.is_new ? push.begin_gap : gap_under(push.borne, push));
        // Layers that come in fast are to be stopped within half their thickness.
        if (push.is_new || push.is_impact)
            push.stiffness =
                std::max(push.stiffness, 2 * push.mass * push.closing / (step_ * c.thickness));
        // A contact that carried load at the start still does: on its straight way past a body that
        // turns, cloth is clear of it by more than the layers are pressed.
        const bool carried_load = push.force > 0 && push.begin_gap < c.thickness;
        push.begins = !push.acted;
        push.acted = gap < c.thickness || (push.is_new && carried_load);
        if (!push.acted) {
            push.presses = false;
            push.borne = 0;
            push.force = push.drag = 0;
            push.way = {0, 0, 0};
        }
    }
    choose_friction(at, step);
}

// Sets the tangent to the body's surface, to second order, at the place to which the layers slide:
// a plane that stays as it was at the start of the step brakes what slides round a curve.
void ImplicitContact::follow_surface(Push& push, const Vec3& velocity) const {
    const Vec3& normal = push.contact.normal;
    Vec3 slide = push.offset + step_ * tangential(velocity, normal);
    Vec3 turn = push.curvature * slide;
    const double angle = norm(turn);
    if (angle == 0)
        return;
    if (angle > largest_turn) {
        slide *= largest_turn / angle;
        turn *= largest_turn / angle;
    }
    push.normal = normalized(normal + turn);
    const double gap = push.begin_gap + step_ * dot(normal, velocity) + 0.5 * dot(slide, turn);
    push.still_gap = gap - step_ * dot(push.normal, velocity);
}

void ImplicitContact::update(const Kinematics& at) {
    patch_unbalanced_.assign(patch_mass_.size(), {0, 0, 0});
    for (Push& push : pushes_) {
        const Vec3 velocity = cloth_difference(push.contact, at.velocities) + push.body_velocity;
        const double gap = push.gap = push.gap_ahead(velocity, step_);
        push.is_new = false;
        if (!push.acted)
            continue;
        push.presses = gap < push.target;
        push.borne = std::max(0.0, push.stiffness * (push.target - gap));
        push.force = lasting_force(push, gap, dot(push.normal, velocity));
        patch_unbalanced_[push.particle / judged_together] +=
            push.side * unbalanced(push, velocity);
    }
}

bool ImplicitContact::has_converged(std::span<const double> open) const {
    const double part = std::min(1.0, usual_step / step_);
    for (std::size_t k = 0; k < patch_mass_.size(); ++k)
        if (norm(patch_unbalanced_[k]) > part * open[k] * patch_mass_[k])
            return false;
    return true;
}

// What friction had in the last solve and Coulomb's law does not allow [N]: all of it where it
// drives what it should oppose, and what holds a contact more firmly than the normal force does.
Vec3 ImplicitContact::unbalanced(const Push& push, const Vec3& velocity) const {
    if (dot(push.way, push.way) > 0)
        return dot(push.way, velocity) < 0 ? push.limit * push.way : Vec3{0, 0, 0};
    const Vec3 slip = tangential(velocity, push.normal);
    const double speed = norm(slip),
                 beyond = push.drag * speed - push.contact.friction * push.force;
    return beyond > 0 ? (beyond / speed) * slip : Vec3{0, 0, 0};
}

// The normal force that counts for friction. Layers that are pressed in too far are pushed out by
// more, at a speed that finish() takes from them again.
double ImplicitContact::lasting_force(const Push& push, double gap, double parting) const {
    return std::max(0.0, push.stiffness * (push.target - gap) -
                             push.mass * std::max(0.0, parting) / step_);
}

// The gap to which a normal force presses the layers.
double ImplicitContact::gap_under(double force, const Push& push) const {
    const double resting = settings_.softness * push.area;
    return push.contact.thickness * resting / (resting + force);
}

// What the pressure law has stored at a gap [J].
double ImplicitContact::energy_at(double gap, const Push& push) const {
    const double left = std::clamp(gap / push.contact.thickness, thinnest, 1.0); // 1 - d
    return settings_.softness * push.area * push.contact.thickness * (left - 1 - std::log(left));
}

// The tangent of the pressure law at a gap.
void ImplicitContact::set_stiffness(Push& push, double gap) const {
    const double thickness = push.contact.thickness;
    const double left = std::clamp(gap / thickness, thinnest, 1.0); // 1 - d
    const double pressure = settings_.softness * (1 - left) / left;
    push.stiffness = push.area * settings_.softness / (thickness * left * left);
    push.target = thickness * left + push.area * pressure / push.stiffness;
}

// Coulomb's law, contact by contact, for the normal force of the last solve. What slides has the
// friction that goes with that force, against its way; what does not, a drag so strong that it
// creeps by the slip speed at most.
//
// Of what is slow, one cannot tell without a solve whether it slides. The drag that gives Coulomb's
// friction at the speed found so far never overshoots, but it takes many solves to set in motion
// what is loaded a little more than friction holds. So a contact that a solve has sped up slides on
// from there, until a solve turns it round; the next time it takes twice as many solves in a row.
void ImplicitContact::choose_friction(const Kinematics& at, const Linearisation& step) {
    for (Push& push : pushes_) {
        const Contact& c = push.contact;
        const Vec3 slip =
            tangential(cloth_difference(c, at.velocities) + push.body_velocity, push.normal);
        const double speed = norm(slip);
        if (!push.acted)
            continue;
        if (push.begins) {
            push.sped_up = 0;
            push.slip = speed;
        }
        push.sped_up = speed > push.slip ? push.sped_up + 1 : 0;
        const bool slides = slides_on(push, slip, step);
        if (!slides && dot(push.way, push.way) > 0) {
            push.patience *= 2;
            push.sped_up = 0;
        }
        push.way = slides ? (1 / speed) * slip : Vec3{0, 0, 0};
        push.limit = c.friction * push.force;
        push.drag = std::min(push.limit / std::max(speed_ahead(push, speed), settings_.slip_speed),
                             settings_.stick * step_ * push.stiffness);
        push.slip = speed;
    }
}

// The speed for which a drag is chosen: that at hand; or, where solve after solve slows the contact
// down, the next of that sequence. Otherwise, what friction can only just hold would slow down by
// a tenth per solve.
double ImplicitContact::speed_ahead(const Push& push, double speed) const {
    return push.slip > speed ? speed * speed / push.slip : speed;
}

bool ImplicitContact::slides_on(const Push& push, const Vec3& slip,
                                const Linearisation& step) const {
    const double speed = norm(slip);
    if (step.last || speed <= settings_.slip_speed)
        return false;
    if (push.begins) // friction cannot stop it in this step
        return speed * push.mass >
               step_ * push.contact.friction * push.force * crowding_[push.particle];
    return dot(push.way, push.way) > 0 ? dot(push.way, slip) > 0 : push.sped_up >= push.patience;
}

// The normal forces at the end of the step, and their shares on the particles.
int ImplicitContact::push(const ProposedStep&, State& end) {
    end.contact_force.assign(surfaces_.particle_count(), 0.0);
    int pressed = 0;
    released_energy_ = 0;
    for (Push& push : pushes_) {
        const Contact& c = push.contact;
        released_energy_ += energy_at(push.begin_gap, push) - energy_at(push.gap, push);
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

bool ImplicitContact::between_cloths(const Contact& c) const {
    return surfaces_.is_cloth(c.points[0]) && surfaces_.is_cloth(c.points[c.edges ? 2 : 1]);
}

void ImplicitContact::finish(const ProposedStep& step, State& end) {
    stop_parting(end);
    if (!pushes_.empty() && !displaced_)
        keep_spin(step, end);
}

void ImplicitContact::keep_spin(const ProposedStep& step, State& end) {
    spin_.start(step.conditions.pulls, end);
    for (int i = 0; i < surfaces_.particle_count(); ++i)
        if (!mobility_.moves_freely(i))
            spin_.hold(i);
    for (const Push& push : pushes_)
        if (push.acted)
            add_touch(push.contact);
    for (const Contact& impact : impacts_)
        add_touch(impact);
    spin_.restore(step.begin, step.h, step.forces, end);
}

void ImplicitContact::add_touch(const Contact& c) {
    int first = -1;
    bool with_body = false;
    for (const int point : c.points) {
        with_body = with_body || !surfaces_.is_cloth(point);
        if (!surfaces_.is_cloth(point))
            continue;
        first = first < 0 ? point : first;
        spin_.join(first, point);
    }
    if (with_body && first >= 0)
        spin_.hold(first);
}

// Takes from layers that pushed each other apart the speed at which they part: what is too close
// moves out without being thrown [BW98 6.2].
void ImplicitContact::stop_parting(State& end) {
    for (const Push& push : pushes_) {
        if (!push.presses)
            continue;
        Contact c = push.contact;
        Vec3 n = push.normal;
        if (between_cloths(c)) {
            // At the end, along the line between the closest points: angular momentum is kept.
            double gap;
            if (!set_closest(c, end_, gap) || dot(c.normal, n) < same_side)
                continue;
            n = c.normal;
        }
        double parting = 0;
        for (int k = 0; k < 4; ++k) {
            const int p = c.points[k];
            const Vec3 velocity =
                surfaces_.is_cloth(p) ? end.velocities[p] : (1 / step_) * (end_[p] - begin_[p]);
            parting += c.weights[k] * dot(n, velocity);
        }
        if (parting <= 0)
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
