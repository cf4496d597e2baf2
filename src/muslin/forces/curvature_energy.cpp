#include "muslin/forces/curvature_energy.h"

#include "muslin/mesh/spring_network.h"
#include "muslin/mesh/vertex_fans.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace muslin {
namespace {

constexpr double pi = std::numbers::pi;
/// A line that passes a vertex within this angle [rad] meets it.
constexpr double meets = 1e-6;

/// Where a straight line from a neighbour leaves the fan on the other side.
struct FarEnd {
    int sector;      ///< between this spoke and the next
    double fraction; ///< of the way to the next
    double length;   ///< from the middle [m]
};

int next_spoke(const VertexFan& fan, int i) {
    return (i + 1) % static_cast<int>(fan.spokes.size());
}

// In the sector of the angle gamma between spokes of the lengths p and q, at the angle beta from p:
// the line from the middle cuts the third side at p sin(beta) : q sin(gamma - beta).
FarEnd cut(const VertexFan& fan, int sector, double beta) {
    const double gamma = fan.sector_angle(sector);
    const double p = fan.spokes[sector].length, q = fan.spokes[next_spoke(fan, sector)].length;
    if (beta < meets)
        return {sector, 0, p};
    if (gamma - beta < meets)
        return {sector, 1, q};
    const double near = p * std::sin(beta), far = q * std::sin(gamma - beta);
    return {sector, near / (near + far), p * q * std::sin(gamma) / (near + far)};
}

std::optional<FarEnd> opposite(const VertexFan& fan, double angle) {
    double target = angle + (fan.closed ? fan.turn / 2 : pi);
    if (fan.closed && target >= fan.turn - meets)
        target = std::max(0.0, target - fan.turn);
    if (!fan.closed && target > fan.turn + meets)
        target = angle - pi;
    for (int i = 0; i < fan.sectors(); ++i) {
        const double beta = target - fan.spokes[i].angle;
        if (beta > -meets && beta < fan.sector_angle(i) + meets)
            return cut(fan, i, beta);
    }
    return std::nullopt; // the cloth ends before
}

class LineBuilder {
public:
    explicit LineBuilder(const Model& model)
        : model_(model), layer_(model.dynamics),
          network_(build_spring_network(layer_.triangles, layer_.pattern)) {}

    std::vector<CurvatureLine> build() {
        for (const VertexFan& fan : build_vertex_fans(layer_.triangles, layer_.pattern))
            add(fan);
        return std::move(lines_);
    }

private:
    bool is_structural(int a, int b) const {
        return std::binary_search(network_.structural.begin(), network_.structural.end(),
                                  std::array{std::min(a, b), std::max(a, b)});
    }

    void add(const VertexFan& fan) {
        if (fan.closed && std::abs(fan.turn - 2 * pi) > opposite_tolerance)
            return;
        const int spokes = static_cast<int>(fan.spokes.size());
        std::vector<int> structural;
        bool grid = true;
        for (int i = 0; i < spokes; ++i) {
            if (is_structural(fan.vertex, fan.spokes[i].vertex))
                structural.push_back(i);
            for (const int t : fan.spokes[i].triangles)
                grid = grid && network_.diagonal[t] >= 0;
        }
        // As many as there would be all around, each of them half a line.
        const double all = fan.closed
                               ? static_cast<double>(structural.size())
                               : (static_cast<double>(structural.size()) - 1) * 2 * pi / fan.turn;
        const double area = (grid ? 2 : 8.0 / 3) / all * network_.vertex_area[fan.vertex];
        for (const int i : structural)
            if (const auto end = opposite(fan, fan.spokes[i].angle))
                add(fan, i, *end, area);
    }

    void add(const VertexFan& fan, int i, const FarEnd& end, double area) {
        const Spoke& near = fan.spokes[i];
        int p = end.sector, q = next_spoke(fan, end.sector);
        double fraction = end.fraction;
        if (fraction == 1)
            p = q, fraction = 0;
        if (fraction == 0) {
            q = p;
            // A line between two neighbours is found from both: once, with the area of both.
            if (is_structural(fan.vertex, fan.spokes[p].vertex)) {
                if (p < i)
                    return;
                area *= 2;
            }
        }
        const double a = near.length, b = end.length;
        const double to_a = 2 / (a * (a + b)), to_b = 2 / (b * (a + b));
        const Constants c = constants(fan, i, end);
        lines_.push_back({{near.vertex, fan.vertex, fan.spokes[p].vertex, fan.spokes[q].vertex},
                          {to_a, -(to_a + to_b), (1 - fraction) * to_b, fraction * to_b},
                          area * c.rigidity,
                          area * c.damping});
    }

    struct Constants {
        double rigidity = 0, damping = 0;
    };
    /// By the direction of the line in the pattern of each triangle at its ends: on a seam the
    /// panels need not agree.
    Constants constants(const VertexFan& fan, int i, const FarEnd& end) const {
        Constants out;
        const auto add = [&](int t, int p, int q, double fraction) {
            const Material& m = model_.cloths[layer_.triangle_cloth[t]].material;
            const Vec2 e =
                (1 - fraction) * place(t, p) + fraction * place(t, q) - place(t, fan.vertex);
            const double u = e.x * e.x / dot(e, e);
            out.rigidity += 0.25 * (m.bend_u * u + m.bend_v * (1 - u));
            out.damping += 0.25 * m.bend_damping;
        };
        for (const int t : fan.spokes[i].triangles)
            add(t, fan.spokes[i].vertex, fan.spokes[i].vertex, 0);
        const Spoke &p = fan.spokes[end.sector], &q = fan.spokes[next_spoke(fan, end.sector)];
        for (int side = 0; side < 2; ++side)
            if (end.fraction == 0)
                add(p.triangles[side], p.vertex, p.vertex, 0);
            else if (end.fraction == 1)
                add(q.triangles[side], q.vertex, q.vertex, 0);
            else
                add(p.triangles[1], p.vertex, q.vertex, end.fraction);
        return out;
    }
    Vec2 place(int t, int vertex) const {
        const auto& v = layer_.triangles[t];
        return layer_.pattern[t][v[0] == vertex ? 0 : v[1] == vertex ? 1 : 2];
    }

    const Model& model_;
    const DynamicsLayer& layer_;
    SpringNetwork network_;
    std::vector<CurvatureLine> lines_;
};

Vec3 second_difference(const CurvatureLine& line, std::span<const Vec3> r) {
    Vec3 out = {0, 0, 0};
    for (int i = 0; i < 4; ++i)
        out += line.weights[i] * r[line.particles[i]];
    return out;
}

/// Unit, or zero where the line is straight.
Vec3 unit_or_zero(const Vec3& a) {
    const double length = norm(a);
    return length > 1e-12 ? (1 / length) * a : Vec3{0, 0, 0};
}

} // namespace

std::vector<CurvatureLine> curvature_lines(const Model& model) {
    return LineBuilder(model).build();
}

CurvatureEnergyForce::CurvatureEnergyForce(const Model& model) : lines_(curvature_lines(model)) {
    for (const CurvatureLine& line : lines_)
        corners_.insert(corners_.end(), line.particles.begin(), line.particles.end());
    batches_ = ElementBatches(corners_, 4, model.particle_count());
}

void CurvatureEnergyForce::append_pairs(std::vector<std::array<int, 2>>& pairs) const {
    for (const CurvatureLine& line : lines_)
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < i; ++j)
                if (line.particles[i] != line.particles[j])
                    pairs.push_back({line.particles[i], line.particles[j]});
}

void CurvatureEnergyForce::bind(const BlockMatrix& matrix) {
    slots_.resize(lines_.size());
    for (std::size_t k = 0; k < lines_.size(); ++k)
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j)
                slots_[k][i][j] = matrix.slot(lines_[k].particles[i], lines_[k].particles[j]);
}

double CurvatureEnergyForce::energy(std::span<const Vec3> x) const {
    return parallel_sum<double>(lines_.size(), 1024, [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t k = begin; k < end; ++k) {
            const Vec3 bent = second_difference(lines_[k], x);
            sum += 0.5 * lines_[k].stiffness * dot(bent, bent);
        }
        return sum;
    });
}

Vec3 CurvatureEnergyForce::moment(const CurvatureLine& line, const Kinematics& at) const {
    const Vec3 bent = second_difference(line, at.positions), n = unit_or_zero(bent);
    const double rate = dot(n, second_difference(line, at.velocities));
    return line.stiffness * bent + (line.damping * rate) * n;
}

void CurvatureEnergyForce::add_force(const Kinematics& at, std::span<Vec3> f) const {
    batches_.for_each([&](int first, int last) {
        for (int k = first; k < last; ++k) {
            const CurvatureLine& line = lines_[k];
            const Vec3 m = moment(line, at);
            for (int i = 0; i < 4; ++i)
                f[line.particles[i]] -= line.weights[i] * m;
        }
    });
}

void CurvatureEnergyForce::corner_forces(std::span<const int> elements, const Kinematics& at,
                                         std::span<Vec3> out) const {
    parallel_for(elements.size(), 1024, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const CurvatureLine& line = lines_[elements[k]];
            const Vec3 m = moment(line, at);
            for (int i = 0; i < 4; ++i)
                out[4 * elements[k] + i] = -line.weights[i] * m;
        }
    });
}

void CurvatureEnergyForce::add_linearised(const Kinematics& at, const Linearisation& step,
                                          std::span<Vec3> f, BlockMatrix& a) const {
    batches_.for_each([&](int first, int last) {
        for (int k = first; k < last; ++k) {
            const CurvatureLine& line = lines_[k];
            const Vec3 n = unit_or_zero(second_difference(line, at.positions));
            const Vec3 m =
                moment(line, at) + line.stiffness * second_difference(line, step.displacement);
            const Mat3 block = Mat3::diagonal(step.h * step.h * line.stiffness) +
                               (step.h * line.damping) * outer(n, n);
            for (int i = 0; i < 4; ++i) {
                f[line.particles[i]] -= line.weights[i] * m;
                a.add(slots_[k][i][i], (line.weights[i] * line.weights[i]) * block);
                for (int j = i + 1; j < 4; ++j)
                    a.add_pair(slots_[k][i][j], slots_[k][j][i],
                               (line.weights[i] * line.weights[j]) * block);
            }
        }
    });
}

void CurvatureEnergyForce::cache_damping(const Kinematics& at) {
    directions_.resize(lines_.size());
    parallel_for(lines_.size(), 1024, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k)
            directions_[k] = std::sqrt(lines_[k].damping) *
                             unit_or_zero(second_difference(lines_[k], at.positions));
    });
}

void CurvatureEnergyForce::add_damping(std::span<const Vec3> w, std::span<Vec3> f) const {
    batches_.for_each([&](int first, int last) {
        for (int k = first; k < last; ++k) {
            const CurvatureLine& line = lines_[k];
            const Vec3 m = dot(directions_[k], second_difference(line, w)) * directions_[k];
            for (int i = 0; i < 4; ++i)
                f[line.particles[i]] -= line.weights[i] * m;
        }
    });
}

} // namespace muslin
