// A skirt from a pattern in memory is sewn on a cone, hangs for a moment and is written for others.
#include <muslin/muslin.h>

#include <cstdio>

// A quarter more than the way around the cone at its waist; the edges run counter-clockwise.
muslin::Panel make_half(const char* name, double z) {
    muslin::Panel out;
    out.name = name;
    out.points = {{-0.28, -0.4}, {0.28, -0.4}, {0.2, 0}, {-0.2, 0}};
    out.edges = {{"hem"}, {"right"}, {"waist"}, {"left"}};
    out.position = {0, 0.9, z};
    if (z < 0)
        out.rotation = {0, 180, 0};
    return out;
}

int main() {
    try {
        const muslin::Pattern skirt = {
            .name = "skirt",
            .panels = {make_half("front", 0.3), make_half("back", -0.3)},
            .stitches = {{"front.right", "back.left"}, {"front.left", "back.right"}}};
        muslin::Scene scene("skirt-on-a-cone");
        scene.settings({.frames = 3})
            .add(muslin::Body{.name = "cone",
                              .source = "{ type = 'revolution', segments = 24, profile = [[0, 0], "
                                        "[0.2, 0], [0.2, 0.4], [0.08, 1.1], [0, 1.1]] }"})
            .add(muslin::Garment{.name = "skirt",
                                 .pattern = skirt,
                                 .resolution = 0.05,
                                 .material = {.base = "cotton", .friction = 0.5}});
        const muslin::Certificate certificate =
            muslin::run(scene, {.directory = "skirt", .progress = [](const muslin::Progress& p) {
                                    if (p.done == p.most)
                                        std::printf("%s: %d\n", p.stage.c_str(), p.done);
                                }});
        const auto file = muslin::export_run("skirt", "usda");
        std::printf("%d frames in %s, %d joints open, passed: %s\n", certificate.frames,
                    file.c_str(), certificate.seams_open, certificate.passed ? "yes" : "no");
    } catch (const muslin::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
