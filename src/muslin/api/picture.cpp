#include "muslin/picture.h"

#include "muslin/api/convert.h"
#include "muslin/api/guard.h"
#include "muslin/api/simulation_parts.h"
#include "muslin/mesh/fields.h"
#include "muslin/mesh/palette.h"
#include "muslin/mesh/triangle_mesh.h"
#include "muslin/model/body.h"
#include "muslin/render/camera.h"
#include "muslin/render/renderer.h"

#include <algorithm>
#include <fmt/format.h>

namespace muslin::api {
namespace {

void require(const char* key, double value, double low, double high) {
    if (!(value >= low && value <= high))
        reject(key, fmt::format("{} .. {}", low, high), fmt::format("{}", value));
}

std::optional<Field> field_of(const std::string& name) {
    if (name.empty())
        return std::nullopt;
    const std::optional<Field> field = field_by_name(name);
    if (field != Field::stretch && field != Field::shear)
        reject("color", "'stretch' or 'shear'", "'" + name + "'");
    return field;
}

/// The field of all particles as places on its scale.
std::vector<float> places_of(const Model& model, const muslin::State& state, Field field) {
    std::vector<double> values;
    const DynamicsLayer& layer = model.dynamics;
    (field == Field::stretch ? stretch_field : shear_field)(state.positions, layer.triangles,
                                                            layer.pattern, values);
    const FieldInfo& scale = info(field);
    std::vector<float> out;
    for (const double value : values)
        out.push_back(static_cast<float>(
            std::clamp((value - scale.low) / (scale.high - scale.low), 0.0, 1.0)));
    return out;
}

std::vector<RenderMesh> meshes_of(const Model& model, const muslin::State& state,
                                  std::optional<Field> field) {
    const std::vector<float> places =
        field ? places_of(model, state, *field) : std::vector<float>();
    std::vector<RenderMesh> out;
    for (const muslin::Cloth& cloth : model.cloths) {
        const ClothColors colors = cloth_colors(out.size());
        RenderMesh& mesh = out.emplace_back();
        mesh.triangles = triangulate(cloth.surface.mesh).triangles;
        mesh.front_color = colors.front;
        mesh.back_color = colors.back;
        for (const int p : cloth.surface.vertex_particle) {
            mesh.positions.push_back(state.positions[p]);
            if (field)
                mesh.vertex_places.push_back(places[p]);
        }
    }
    for (const muslin::Body& body : model.bodies) {
        if (!body.visible)
            continue;
        RenderMesh& mesh = out.emplace_back();
        mesh.triangles = body.triangles;
        mesh.front_color = mesh.back_color = body_color;
        mesh.positions.resize(body.mesh.positions.size());
        shown_positions(body, state.time, mesh.positions);
    }
    return out;
}

Camera camera_of(const std::vector<RenderMesh>& meshes, const PictureSettings& settings) {
    FramingSettings framing;
    framing.view = {settings.azimuth, settings.elevation};
    framing.aspect = static_cast<double>(settings.width) / settings.height;
    CameraFramer framer(framing);
    for (const RenderMesh& mesh : meshes)
        framer.add(mesh.positions);
    Camera camera = framer.camera();
    const muslin::Vec3 away = (1 / settings.zoom) * (camera.eye - camera.target);
    if (settings.look_at)
        camera.target = to_engine(*settings.look_at);
    camera.eye = camera.target + away;
    return camera;
}

} // namespace

Picture render(const Simulation& simulation, const PictureSettings& settings) {
    return guarded(nullptr, [&]() -> Picture {
        require("width", settings.width, 16, 8192);
        require("height", settings.height, 16, 8192);
        require("zoom", settings.zoom, 0.01, 1000);
        require("azimuth", settings.azimuth, -1e6, 1e6);
        require("elevation", settings.elevation, -90, 90);
        const Simulation::Parts& parts = simulation.parts();
        const std::vector<RenderMesh> meshes =
            meshes_of(parts.model(), parts.state(), field_of(settings.color));
        RenderSettings drawn;
        drawn.width = settings.width;
        drawn.height = settings.height;
        drawn.wireframe = settings.wireframe;
        drawn.ground = settings.ground;
        const Image image = Renderer().draw(meshes, camera_of(meshes, settings), drawn);
        return {image.width, image.height, image.rgb};
    });
}

void write_png(const std::filesystem::path& file, const Picture& picture) {
    guarded(nullptr, [&] {
        Image image(picture.width, picture.height);
        if (picture.rgb.size() != image.rgb.size())
            reject("picture",
                   fmt::format("{} bytes of {} x {} pixels", image.rgb.size(), picture.width,
                               picture.height),
                   fmt::format("{}", picture.rgb.size()));
        image.rgb = picture.rgb;
        muslin::write_png(file, image);
    });
}

} // namespace muslin::api
