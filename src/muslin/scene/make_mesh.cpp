// The mesh that a scene asks for: of a file, or made to its settings.
#include "muslin/garment/garment_mesh.h"
#include "muslin/io/mesh_convert.h"
#include "muslin/io/mesh_file.h"
#include "muslin/io/vdb_file.h"
#include "muslin/levelset/surface_mesh.h"
#include "muslin/scene/build_scene.h"
#include "muslin/scene/load_parts.h"

namespace muslin {
namespace {

struct MeshMaker {
    PolygonMesh operator()(const MeshFile& file) const {
        PolygonMesh mesh = is_grid_file(file.path) ? surface_mesh(read_vdb(file.path).level_set)
                                                   : read_mesh(file.path);
        to_metres_y_up(mesh, file.unit, file.z_up);
        // A pattern kept in the texture coordinates is in the file's unit too.
        if (file.rest == RestShape::texcoords)
            for (Vec2& uv : mesh.texcoords)
                uv = file.unit * uv;
        return mesh;
    }
    PolygonMesh operator()(const GridSettings& s) const { return make_grid(s); }
    PolygonMesh operator()(const LatticeSettings& s) const { return make_lattice(s); }
    PolygonMesh operator()(const IrregularSettings& s) const { return make_irregular(s); }
    PolygonMesh operator()(const SphereSettings& s) const { return make_sphere(s); }
    PolygonMesh operator()(const CylinderSettings& s) const { return make_cylinder(s); }
    PolygonMesh operator()(const BoxSettings& s) const { return make_box(s); }
    PolygonMesh operator()(const RevolutionSettings& s) const { return make_revolution(s); }
    PolygonMesh operator()(const SculptureSettings& s) const { return make_sculpture(s); }
    PolygonMesh operator()(const DrumSettings& s) const { return make_drum(s); }
    PolygonMesh operator()(const ShirtSettings& s) const { return make_shirt(s); }
    PolygonMesh operator()(const ShortsSettings& s) const { return make_shorts(s); }
    PolygonMesh operator()(const TableSettings& s) const { return make_table(s); }
    PolygonMesh operator()(const ChairSettings& s) const { return make_chair(s); }
    PolygonMesh operator()(const PanelSettings& s) const { return make_panel(s); }
    PolygonMesh operator()(const FigureSettings& s) const { return make_figure(s); }
    PolygonMesh operator()(const PatternMesh& s) const {
        return make_garment(s.pattern, s.edge).mesh;
    }
    PolygonMesh operator()(const MannequinSettings& s) const {
        const Character body = make_mannequin(s);
        PolygonMesh mesh = body.mesh;
        pose_character(body, rest_pose(body), mesh.positions);
        return mesh;
    }
    PolygonMesh operator()(const GivenMesh& s) const { return *s.mesh; }
};

} // namespace

PolygonMesh make_mesh(const MeshSource& source) {
    return std::visit(MeshMaker{}, source);
}

} // namespace muslin
