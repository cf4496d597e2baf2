#include "muslin/collision/response/bw98_contact.h"

#include "muslin/forces/capabilities.h"

#include <algorithm>
#include <cstring>

namespace muslin {
namespace {

// The springs of cloth against cloth and the friction of particles that slide on bodies.
class Bw98ContactForce final : public Force, public LinearisedForce, public AlteredPositions {
public:
    explicit Bw98ContactForce(const Bw98Contact& contact) : contact_(contact) {}
    std::string_view name() const override { return "bw98_contact"; }
    ForceKind kind() const override { return ForceKind::contact; }
    ForceCapabilities capabilities() override { return {.linearised = this, .altered = this}; }

    double energy(std::span<const Vec3> x) const override {
        double sum = 0;
        for (const ContactSpring& s : contact_.cloth().springs())
            sum += contact_spring_energy(s, difference(s, x));
        return sum;
    }
    void add_alteration(std::span<Vec3> y) const override {
        const auto alteration = contact_.cloth().alteration();
        for (std::size_t i = 0; i < alteration.size(); ++i)
            y[i] += alteration[i];
    }
    void add_force(const Kinematics& at, std::span<Vec3> f) const override {
        for (const ContactSpring& s : contact_.cloth().springs())
            share(
                s,
                contact_spring_force(s, difference(s, at.positions), difference(s, at.velocities)),
                f);
        for (const SolidContact::Active& c : contact_.solid().active())
            f[c.particle] -= c.drag * slip(c, at.velocities[c.particle]);
    }
    void add_linearised(const Kinematics& at, const Linearisation& step, std::span<Vec3> f,
                        BlockMatrix& a) const override {
        add_force(at, f);
        entries_.clear();
        for (const ContactSpring& s : contact_.cloth().springs()) {
            const Mat3 stiffness = contact_spring_stiffness(s);
            share(s, -(stiffness * difference(s, step.displacement)), f);
            const Mat3 block = step.h * step.h * stiffness + step.h * contact_spring_damping(s);
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j)
                    if (const double w = s.weights[i] * s.weights[j]; w != 0)
                        entries_.push_back({s.points[i], s.points[j], w * block});
        }
        for (const SolidContact::Active& c : contact_.solid().active())
            if (c.drag > 0)
                a.add_diagonal(c.particle,
                               (step.h * c.drag) * (Mat3::identity() - outer(c.normal, c.normal)));
        a.add_overlay(entries_);
    }

private:
    static Vec3 difference(const ContactSpring& s, std::span<const Vec3> a) {
        Vec3 sum = s.weights[0] * a[s.points[0]];
        for (int k = 1; k < 4; ++k)
            sum += s.weights[k] * a[s.points[k]];
        return sum;
    }
    static void share(const ContactSpring& s, const Vec3& force, std::span<Vec3> f) {
        for (int k = 0; k < 4; ++k)
            f[s.points[k]] += s.weights[k] * force;
    }
    static Vec3 slip(const SolidContact::Active& c, const Vec3& velocity) {
        const Vec3 relative = velocity - c.face_velocity;
        return relative - dot(relative, c.normal) * c.normal;
    }

    const Bw98Contact& contact_;
    mutable std::vector<BlockEntry> entries_; ///< scratch, kept for its memory
};

bool same(std::span<const Vec3> a, std::span<const Vec3> b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

} // namespace

Bw98Contact::Bw98Contact(const Model& model, Bw98ContactSettings settings)
    : surfaces_(model), detector_(surfaces_), solid_(model, surfaces_, settings.solid),
      cloth_(surfaces_, detector_, settings.cloth) {}

std::unique_ptr<Force> Bw98Contact::make_force() {
    return std::make_unique<Bw98ContactForce>(*this);
}

/// History belongs to the state it was made with: after another was set there is none.
void Bw98Contact::follow_state(const State& begin) {
    if (same(history_.positions, begin.positions))
        return;
    history_ = {};
    history_.touches.resize(surfaces_.particle_count());
    history_.positions = history_.before = begin.positions;
    history_.time_before = begin.time;
}

/// All points at the begin of the step before, at the begin of this one, and at its end if the
/// particles go on as they do.
void Bw98Contact::place(const State& begin, double h) {
    for (auto* points : {&before_, &begin_, &end_})
        points->resize(surfaces_.point_count());
    surfaces_.place_bodies(history_.time_before, before_);
    surfaces_.place_bodies(begin.time, begin_);
    surfaces_.place_bodies(begin.time + h, end_);
    for (int i = 0; i < surfaces_.particle_count(); ++i) {
        before_[i] = history_.before[i];
        begin_[i] = begin.positions[i];
        end_[i] = begin.positions[i] + h * begin.velocities[i];
    }
}

void Bw98Contact::constrain(const Conditions& conditions, const State& begin, double h,
                            ConstraintSet& constraints, Profile& profile) {
    const ProfileScope scope(profile, Task::detect_body);
    follow_state(begin);
    place(begin, h);
    solid_.constrain({begin, h, conditions.gravity, begin_, end_, before_}, history_.touches,
                     constraints);
}

void Bw98Contact::sense(const StepInput& step, Profile& profile) {
    const auto& [conditions, begin, h, constraints] = step;
    const ProfileScope scope(profile, Task::detect_self);
    for (const ParticleConstraint& c : constraints.list())
        for (int k = 0; k < c.count; ++k)
            end_[c.particle] +=
                (c.position[k] - dot(c.direction[k], end_[c.particle])) * c.direction[k];
    mobility_.set(surfaces_, constraints);
    cloth_.sense(begin_, end_, h, mobility_, history_.cloth);
}

ContactReport Bw98Contact::resolve(const ProposedStep& step, State& end, Profile& profile) {
    const ProfileScope scope(profile, Task::resolve);
    ContactReport report;
    next_.touches.resize(surfaces_.particle_count());
    end.contact_force.assign(surfaces_.particle_count(), 0.0);
    report.contacts = solid_.follow(step, end, next_.touches, end.contact_force);
    std::copy(end.positions.begin(), end.positions.end(), end_.begin());
    for (const ContactSpring& s : cloth_.springs()) {
        double gap = 0;
        for (int k = 0; k < 4; ++k)
            gap += s.weights[k] * dot(s.normal, end_[s.points[k]]);
        const double force = s.stiffness * (s.thickness - gap);
        if (force <= 0)
            continue;
        ++report.contacts;
        for (int k = 0; k < 4; ++k)
            end.contact_force[s.points[k]] += std::abs(s.weights[k]) * force;
    }
    report.impacts = cloth_.follow(begin_, end_, next_.cloth);
    next_.before = step.begin.positions;
    next_.time_before = step.begin.time;
    return report;
}

void Bw98Contact::store(ContactHistory& history) const {
    history.bw98 = history_;
    detector_.store(history);
}

void Bw98Contact::recall(const ContactHistory& history) {
    check_history(history.bw98);
    history_ = history.bw98;
    detector_.recall(history);
}

// Throws HistoryError unless a history is of these surfaces.
void Bw98Contact::check_history(const Bw98History& history) const {
    const auto particles = static_cast<std::size_t>(surfaces_.particle_count());
    for (const std::size_t size :
         {history.touches.size(), history.before.size(), history.positions.size()})
        require_history(size == particles || size == 0, "other particles touch");
    for (const SolidTouch& touch : history.touches)
        require_history(touch.mode <= Touch::sliding && touch.place.face >= -1 &&
                            touch.place.face < static_cast<int>(surfaces_.triangles.size()) &&
                            (touch.mode != Touch::locked || touch.place.face >= 0),
                        "a particle touches another face");
    const auto among = [](int index, std::size_t count) {
        return index >= 0 && static_cast<std::size_t>(index) < count;
    };
    const std::size_t points = static_cast<std::size_t>(surfaces_.point_count()),
                      edges = surfaces_.edges.size(), faces = surfaces_.triangles.size();
    for (const CrossedPair& c : history.cloth.crossed)
        require_history(among(c.pair.first, c.edges ? edges : points) &&
                            among(c.pair.second, c.edges ? edges : faces),
                        "other features cross");
}

void Bw98Contact::accept(const State& end) {
    next_.positions = end.positions;
    std::swap(history_, next_);
}

} // namespace muslin
