"""Simulates one cloth in Blender and writes its time per frame and every frame's vertices.

blender -b --factory-startup --python blender_cloth.py -- SETTINGS.json RESULT.json FRAMES.f32
"""

import array
import json
import sys
import time

import bpy

settings_file, result_file, frames_file = sys.argv[sys.argv.index("--") + 1 :]
with open(settings_file) as stream:
    settings = json.load(stream)

bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps = settings["frame_rate"]
scene.frame_start, scene.frame_end = 1, settings["frames"] + 1
# The mesh is y up and so is gravity: no axis is converted anywhere.
scene.gravity = (0, -9.81, 0)

mesh = bpy.data.meshes.new("sheet")
mesh.from_pydata(settings["vertices"], [], settings["triangles"])
sheet = bpy.data.objects.new("sheet", mesh)
scene.collection.objects.link(sheet)
pins = sheet.vertex_groups.new(name="pins")
pins.add(settings["pins"], 1.0, "REPLACE")

modifier = sheet.modifiers.new("cloth", "CLOTH")
cloth = modifier.settings
cloth.quality = settings["quality"]
cloth.vertex_group_mass = "pins"
modifier.collision_settings.use_self_collision = settings["self_collision"]
modifier.collision_settings.collision_quality = 2
modifier.collision_settings.distance_min = 0.005
modifier.collision_settings.self_distance_min = 0.005
modifier.point_cache.frame_start, modifier.point_cache.frame_end = scene.frame_start, scene.frame_end

seconds = []
with open(frames_file, "wb") as out:
    for frame in range(scene.frame_start, scene.frame_end + 1):
        start = time.perf_counter()
        scene.frame_set(frame)
        evaluated = sheet.evaluated_get(bpy.context.evaluated_depsgraph_get())
        if frame > scene.frame_start:
            seconds.append(time.perf_counter() - start)
        points = array.array("f", [0.0]) * (3 * len(evaluated.data.vertices))
        evaluated.data.vertices.foreach_get("co", points)
        points.tofile(out)

with open(result_file, "w") as stream:
    json.dump(
        {
            "program": "Blender " + bpy.app.version_string,
            "seconds_per_frame": sum(seconds) / len(seconds),
            "quality": cloth.quality,
            "mass_per_vertex": cloth.mass,
            "tension_stiffness": cloth.tension_stiffness,
            "self_collision": modifier.collision_settings.use_self_collision,
        },
        stream,
    )
