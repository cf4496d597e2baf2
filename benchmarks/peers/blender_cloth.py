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
if "body" in settings:
    shape = bpy.data.meshes.new("body")
    shape.from_pydata(settings["body"][0], [], settings["body"][1])
    body = bpy.data.objects.new("body", shape)
    scene.collection.objects.link(body)
    body.modifiers.new("collision", "COLLISION")
    body.collision.thickness_outer = 0.02
    body.collision.cloth_friction = 5.0  # the default

modifier = sheet.modifiers.new("cloth", "CLOTH")
cloth = modifier.settings
cloth.quality = settings["quality"]
if "pins" in settings:
    sheet.vertex_groups.new(name="pins").add(settings["pins"], 1.0, "REPLACE")
    cloth.vertex_group_mass = "pins"
contact = modifier.collision_settings
contact.use_collision = "body" in settings
contact.use_self_collision = settings["self_collision"]
contact.collision_quality = settings["collision_quality"]
contact.distance_min = settings["distance"]
contact.self_distance_min = settings["distance"]
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
            "settings": f"quality {cloth.quality}, mass {cloth.mass} kg a vertex, tension "
            f"{cloth.tension_stiffness}, self-collision {contact.use_self_collision}, collision "
            f"quality {contact.collision_quality}, distances {contact.distance_min:.3f} and "
            f"{contact.self_distance_min:.3f} m, collider's outer thickness 0.02 m",
        },
        stream,
    )
