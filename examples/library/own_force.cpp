// A force of the program's own: a magnet that draws two corners of a hanging cloth.
#include <muslin/muslin.h>

#include <cstdio>

// Draws each particle of a region with the energy -s / q, where q^2 = r^2 + a^2 and r is how far it
// is from the magnet.
class Magnet : public muslin::Force {
public:
    explicit Magnet(const muslin::ForceScene& scene)
        : particles_(scene.regions.at("weights")), strength_(scene.numbers.at("strength")) {}

    double energy(const muslin::ForceInput& at) const override {
        double sum = 0;
        for (const int p : particles_)
            sum -= strength_ / distance(at.positions[p] - place);
        return sum;
    }
    void add_forces(const muslin::ForceInput& at, std::span<muslin::Vec3> forces) const override {
        for (const int p : particles_)
            forces[p] = forces[p] - stiffness(at.positions[p]) * (at.positions[p] - place);
    }
    // The exact derivative less what makes it indefinite, s / q^5 times the square of the offset.
    void add_blocks(const muslin::ForceInput& at,
                    std::vector<muslin::ForceBlock>& blocks) const override {
        for (const int p : particles_)
            blocks.push_back({p, p, muslin::diagonal(stiffness(at.positions[p])), {}});
    }

private:
    static constexpr muslin::Vec3 place = {0, -0.8, -0.3}; // [m]
    static double distance(const muslin::Vec3& r) { return std::sqrt(dot(r, r) + 0.05 * 0.05); }
    double stiffness(const muslin::Vec3& x) const {
        const double q = distance(x - place);
        return strength_ / (q * q * q); // [N/m]
    }
    std::vector<int> particles_;
    double strength_; // s [N m^2]
};

int main() {
    try {
        muslin::register_force({.name = "magnet", .make = [](const muslin::ForceScene& scene) {
                                    return std::make_unique<Magnet>(scene);
                                }});
        muslin::Scene scene = muslin::Scene::load("two-corner-sheet");
        scene.add(muslin::Region{.name = "weights", .vertices = {2, 3}})
            .add_force("magnet", {{"strength", 0.05}});
        muslin::Simulation simulation(scene);
        simulation.step(2);
        for (const int vertex : {2, 3}) {
            const muslin::Vec3 p = simulation.positions("sheet")[vertex];
            std::printf("corner at %.3f %.3f %.3f m\n", p.x, p.y, p.z);
        }
    } catch (const muslin::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
