#pragma once

#include "muslin/forces/batches.h"
#include "muslin/forces/capabilities.h"
#include "muslin/forces/element_force.h"
#include "muslin/kernels/spring.h"
#include "muslin/mesh/spring_network.h"
#include "muslin/model/model.h"

#include <string_view>
#include <vector>

namespace muslin {

/// Energy, pull and slope of a connection at a length [m]. Not finite where a formula has no value.
SpringPull<double> link_pull(const Link& link, const Potential& potential, double length);

/// Connections between particles, each with a potential of its length and damping along its line
/// [Bayraktar07 2] [Ohta95]. What a part makes of a model is the list of its links.
class LinkForce : public Force,
                  public LinearisedForce,
                  public DampedForce,
                  public ElementForce,
                  public StretchMeasure,
                  public LimitedDomain {
public:
    /// `potentials` are those that the links refer to; none: all are springs. Throws InputError for
    /// a potential that has no value at the rest length of a link.
    LinkForce(std::string_view name, ForceKind kind, std::vector<Link> links,
              std::vector<Potential> potentials, int particles);

    std::span<const Link> links() const { return links_; }

    std::string_view name() const override { return name_; }
    ForceKind kind() const override { return kind_; }
    ForceCapabilities capabilities() override {
        return {
            .linearised = this, .damped = this, .elements = this, .stretch = this, .domain = this};
    }
    double energy(std::span<const Vec3> positions) const override;
    void add_force(const Kinematics& at, std::span<Vec3> f) const override;

    void append_pairs(std::vector<std::array<int, 2>>& pairs) const override;
    void bind(const BlockMatrix& matrix) override;
    void add_linearised(const Kinematics& at, const Linearisation& step, std::span<Vec3> f,
                        BlockMatrix& a) const override;
    void cache_damping(const Kinematics& at) override;
    void add_damping(std::span<const Vec3> w, std::span<Vec3> f) const override;
    bool is_defined(std::span<const Vec3> positions) const override;
    double largest_stretch_change(std::span<const Vec3> from,
                                  std::span<const Vec3> to) const override;

    int corners() const override { return 2; }
    std::span<const int> element_particles() const override { return corners_; }
    void corner_forces(std::span<const int> elements, const Kinematics& at,
                       std::span<Vec3> out) const override;

private:
    SpringState<double> state(const Link& link, std::span<const Vec3> x) const {
        return spring_state(x[link.particles[0]], x[link.particles[1]]);
    }
    SpringPull<double> pull(const Link& link, double length) const {
        return link_pull(link, potentials_[link.potential], length);
    }
    /// What draws particle 0 towards 1 [N].
    Vec3 force(const Link& link, const Kinematics& at) const;

    std::string_view name_;
    ForceKind kind_;
    std::vector<Link> links_;
    std::vector<Potential> potentials_;
    bool always_defined_ = true; ///< no potential can overflow
    std::vector<int> corners_;   ///< the particles of each
    std::vector<std::array<std::array<int, 2>, 2>> slots_;
    ElementBatches batches_;
    std::vector<Vec3> directions_; ///< cached, with the root of the damping as length
};

/// What one triangle gives the link along one of its sides, or across.
struct LinkSide {
    std::array<int, 2> particles;
    double length;              ///< [m]
    double stiffness;           ///< [N/m]: a link has the sum of its sides'
    double damping;             ///< [N s/m], likewise
    int potential;              ///< index
    double whole_stiffness = 0; ///< [N/m]: a link has the mean of its sides'
    double whole_damping = 0;   ///< [N s/m], likewise
};
/// One link for each pair of particles, in their order: lengths of sides averaged, the potential
/// that of the first side.
std::vector<Link> join_sides(std::vector<LinkSide> sides);

SpringNetwork spring_network(const Model& model);

/// The springs of the network along and across cells: `mass_spring`. Potentials are numbered as
/// cloths. Where the material gives no
/// constants of its own:
///  - structural k = S A / l^2, summed over the triangles of area A at the edge: on a rectangle the
///    tributary width over the length [Van Gelder: Approximate simulation of elastic membranes by
///    triangulated spring meshes, 1998];
///  - on a quad of area A a diagonal of length d has k = G d^2 / (2 A), of a square G;
///  - across an edge between triangles k = G_t (A1 + A2) / d^2, with G_t = G, at most half of Y.
/// Diagonals carry tension too: S is what is left of Y for the edges, so that the sheet has the
/// stiffness Y along them.
std::vector<Link> mass_spring_links(const Model& model, const SpringNetwork& network);

/// Curvature [1/m] at which flexion springs store what a sheet of the fabric's rigidity does. Their
/// energy goes with the fourth power of curvature, so they have no rigidity of their own: below
/// this they are softer than the fabric, above stiffer. Meshes so coarse that it would turn an
/// angle of more than 1 rad at a vertex take the curvature that turns 1 rad.
inline constexpr double flexion_reference_curvature = 50;

/// The flexion springs of the network: `flexion_springs`.
std::vector<Link> flexion_links(const Model& model, const SpringNetwork& network);

class MassSpringForce final : public LinkForce {
public:
    explicit MassSpringForce(const Model& model);
};
class FlexionSpringForce final : public LinkForce {
public:
    explicit FlexionSpringForce(const Model& model);
};
/// The connections that are superimposed on the cloth: Model::dynamics.links.
class SuperimposedLinkForce final : public LinkForce {
public:
    explicit SuperimposedLinkForce(const Model& model);
};

} // namespace muslin
